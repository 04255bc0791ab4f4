"""Own cards in decks: added, judged and printed like other cards, kept if they are deleted, and shown to
others only as their set allows; and their pictures, which are shown to their owner alone. These tests go
through cardsdb.box, cardsdb.web.own_sets, decks.editor and printing.web.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from cardsdb.box.card_form import typed_of
from cardsdb.box.picture_files.bounds import MAX_STORED
from cardsdb.box.sets import change_set, delete_card, delete_set, save_card
from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnCard, UploadedPicture
from decks.models import Deck
from tests.support.answers import body, words
from tests.support.made_decks import named_deck
from tests.support.own_sets import CANARY, own_card, own_set
from tests.support.pages import page, page_of
from tests.support.pictures import coded, painted

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.usefixtures("own_folders")]
SPYCRAFT = games()["spycraft"]
LIST = "2 Kai\n3 Brass Falcon\n"
SECRET = f"{CANARY}: hide it."


def falcon(viewer: Viewer, visibility: str = "private") -> OwnCard:
    """An own card with a text and a fact that have the word CANARY, which other viewers must not see."""
    return own_card(own_set(viewer, visibility=visibility), craft="9", faction=CANARY)


def pressed(client: Client, deck: Deck, **data: str):
    """Press a button of the deck's editor."""
    return client.post(f"/decks/{deck.link}/edit/", data)


def lines_of(deck: Deck) -> list[tuple[int, str, dict[str, Any]]]:
    """(count, card code, facts) of the deck's entries, as they are stored."""
    stored = Deck.objects.with_cards().get(pk=deck.pk).decklist()
    return [(entry.count, entry.card.code, dict(entry.card.facts)) for entry in stored]


def read(client: Client, address: str) -> str:
    """All words of the page or PDF at this address."""
    return words(body(client.get(address)))


# -- added to decks -----------------------------------------------------------------------


def test_an_own_card_is_found_and_added_in_the_editor_and_added_from_its_page(ada, viewer):
    deck, card = named_deck(ada, "Balloons", "2 Kai\n"), falcon(viewer)
    assert CANARY in page(ada, f"/decks/{deck.link}/edit/?q=falcon&peek={card.code}").text
    pressed(ada, deck, edit=f"+1 deck {card.code} found")
    pressed(ada, deck, edit="add", q="2 brass falcon")
    ada.post(f"/cards/spycraft/{card.code}/add/", {"deck": deck.link})
    assert lines_of(deck)[1] == (4, card.code, {"craft": 9, "faction": CANARY})


def test_an_own_card_in_a_list_is_read_by_name_and_written_back_unchanged(ada, viewer):
    card, deck = falcon(viewer), named_deck(ada, "Balloons", LIST)
    before = lines_of(deck)
    assert before[1][:2] == (3, card.code)
    form = ada.get(f"/decks/{deck.link}/edit/text/").context["form"].initial
    assert ada.post(f"/decks/{deck.link}/edit/text/", form).status_code == 302
    assert lines_of(deck) == before


def test_an_own_card_is_judged_by_its_facts(ada, viewer, agency_text):
    """A legal deck stays legal if a leader is replaced by an own copy, but not by a copy of another
    faction.
    """
    leader = next(
        entry.card for entry in read_deck(SPYCRAFT, agency_text).deck if entry.card.type == "leader"
    )
    typed = typed_of(SPYCRAFT, leader)
    save_card(own_set(viewer), SPYCRAFT, typed._replace(name="Tin Boss"))
    other = {**typed.facts, "faction": CANARY}
    save_card(own_set(viewer), SPYCRAFT, typed._replace(name="Tin Bosses", facts=other))
    for boss, legal in ((leader.name, True), ("Tin Boss", True), ("Tin Bosses", False)):
        deck = named_deck(ada, boss, agency_text.replace(leader.name, boss))
        assert (deck.verdict == "legal") is legal, boss


def test_a_deck_keeps_an_own_card_as_it_was_until_it_is_added_again(ada, viewer):
    card = falcon(viewer)
    deck = named_deck(ada, "Balloons", "1 Brass Falcon\n")
    before = lines_of(deck)
    ada.post(f"/own/cards/{card.code}/change/", {"name": "Brass Falcon", "type": "agent", "fact-craft": "4"})
    assert lines_of(deck) == before
    pressed(ada, deck, edit=f"+1 deck {card.code}")
    assert lines_of(deck) == [(2, card.code, {"craft": 4})]
    delete_set(OwnCard.objects.select_related("in_set__box").get().in_set)
    for address in (f"/decks/{deck.link}/history/", f"/print/sheets.pdf?deck={deck.link}"):
        assert ada.get(address).status_code == 200, address
    pressed(ada, deck, edit=f"-1 deck {card.code}")
    assert lines_of(deck) == [(1, card.code, {"craft": 4})]


def test_another_viewers_own_card_cannot_be_added_to_a_deck(bob, viewer):
    card, deck = falcon(viewer, "public"), named_deck(bob, "Bob's", "2 Kai\n")
    pressed(bob, deck, edit=f"+1 deck {card.code} found")
    pressed(bob, deck, edit="add", q="2 brass falcon")
    assert len(lines_of(deck)) == 1


# -- printed, and shown to others ----------------------------------------------------------


@pytest.mark.both_databases
def test_others_print_an_own_card_with_its_text_only_if_its_set_is_shared(ada, viewer):
    card, deck = falcon(viewer), named_deck(ada, "Balloons", LIST)
    assert SECRET in read(ada, f"/print/sheets.pdf?deck={deck.link}")
    pasted = {"game": "spycraft", "text": "1 Brass Falcon"}
    assert SECRET in words(body(ada.post("/print/sheets.pdf", pasted)))
    assert SECRET not in read(Client(), f"/print/sheets.pdf?deck={deck.link}")
    change_set(card.in_set, {"name": "Balloons", "visibility": "unlisted"})
    assert SECRET in read(Client(), f"/print/sheets.pdf?deck={deck.link}")
    answer = Client().get(f"/cards/spycraft/{card.code}/face.svg")
    assert answer.status_code == 200 and "private" in answer["Cache-Control"]
    assert "Cutout-Offline" not in answer


def test_a_viewer_who_sees_only_the_name_of_a_card_gets_no_repair(ada, viewer):
    falcon(viewer)
    deck = named_deck(ada, "Balloons", "9 Brass Falcon\n99 Kai\n")
    deck = Deck.objects.with_cards().get(pk=deck.pk)
    repairs = {
        who: [view.repair for view in deck.judged_for(who, SPYCRAFT).violation_views() if view.repair]
        for who in (viewer, Viewer())
    }
    assert repairs[viewer] and not repairs[Viewer()]


def test_a_fork_has_no_facts_of_a_card_that_its_maker_may_not_see(ada, bob, viewer):
    falcon(viewer)
    deck = named_deck(ada, "Balloons", "1 Brass Falcon\n")
    bob.post(f"/decks/{deck.link}/fork/")
    fork = Deck.objects.exclude(pk=deck.pk).get()
    assert [(count, facts) for count, _, facts in lines_of(fork)] == [(1, {})]


# -- in lists and suggestions, for their owner alone ----------------------------------------


def answers_to_lists(client: Client) -> Iterator[str]:
    """The words of every page that reads a pasted list without storing it."""
    for address in ("/check/", "/check/verdict/", "/check/repairs/"):
        yield words(body(client.post(address, {"game": "spycraft", "text": LIST})))
    yield words(body(client.post("/decks/import/", {"game": "spycraft", "pasted": LIST})))
    posted = {"text": LIST, "game": "spycraft", "format": "", "house": "", "repair": False}
    yield words(body(client.post("/api/v1/decks/validate", posted, content_type="application/json")))


@pytest.mark.parametrize("visibility", ["private", "public"])
def test_pasted_lists_may_name_own_cards_but_not_those_of_others(ada, bob, viewer, visibility):
    falcon(viewer, visibility)
    for answer in answers_to_lists(ada):
        for refusal in ("unknown_card", "No card is called", "could not be read"):
            assert refusal not in answer
    for other in (bob, Client()):
        assert not any(CANARY in answer or "own_" in answer for answer in answers_to_lists(other))


def test_a_checked_list_is_stored_with_its_own_card(ada, viewer):
    card = falcon(viewer)
    ada.post("/check/save/", {"game": "spycraft", "text": LIST}, headers={"Origin": "http://testserver"})
    assert (3, card.code) in [(count, code) for count, code, _ in lines_of(Deck.objects.get())]


def test_names_of_own_cards_are_suggested_to_their_owner_alone(ada, bob, viewer):
    falcon(viewer, "public")
    misspelt = {"game": "spycraft", "text": "3 Brass Falkon\n"}
    answer = ada.get("/search/saved/own/")
    suggested = {"name": "Brass Falcon", "query": '!"Brass Falcon"', "game": "Spycraft"}
    assert answer.json()["cards"] == [suggested]
    assert "no-store" in answer["Cache-Control"] and "private" in answer["Cache-Control"]
    assert "Put Brass Falcon into line 1" in words(body(ada.post("/check/", misspelt)))
    for other in (bob, Client()):
        assert other.get("/search/saved/own/").json()["cards"] == []
        assert "Brass Falcon" not in words(body(other.post("/check/", misspelt)))
    assert CANARY not in read(ada, "/search/suggest/?q=brass")


# -- their pictures ----------------------------------------------------------------------------


def picture(number: int = 0, size: tuple[int, int] = (252, 352)) -> bytes:
    return coded(painted(size=(size[0] + number, size[1])), "PNG")


def sent(data: bytes | None = None, name: str = "falcon.png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, picture() if data is None else data)


def made(client: Client, **fields):
    """Send the form of a new own card with a picture."""
    card = {"name": "Brass Falcon", "type": "agent", "do": "save", "picture": sent()}
    return client.post("/games/spycraft/own/", card | fields)


def changed(client: Client, code: str, **fields) -> None:
    card = {"name": "Tin Falcon", "type": "agent", "do": "save"}
    client.post(f"/own/cards/{code}/change/", card | fields)


@pytest.mark.both_databases
def test_a_card_is_made_with_a_picture_that_its_pages_and_sheets_show(ada):
    made(ada)
    card, row = OwnCard.objects.get(), UploadedPicture.objects.get()
    assert (row.card_code, row.side, row.use, row.label) == (card.code, "front", "card", "falcon.png")
    deck = named_deck(ada, "Balloons", "2 Kai\n3 Brass Falcon\n")
    for address in (
        f"/cards/spycraft/{card.code}/",
        "/cards/?q=falcon&view=faces",
        f"/decks/{deck.link}/edit/?peek={card.code}",
        f"/print/?card=spycraft/{card.code}",
    ):
        assert row.sha256 in words(body(ada.get(address))), address
    assert b"data:image/webp" in ada.get(f"/own/faces/spycraft/{card.code}.svg").content
    assert "Brass Falcon, front" in page(ada, "/pictures/").text


def test_a_picture_that_is_stored_otherwise_than_sent_has_a_remark(ada):
    frames = {"save_all": True, "append_images": [painted(size=(75, 105))], "duration": 50}
    made(ada, picture=sent(coded(painted(size=(75, 105)).rotate(180), "GIF", **frames), "falcon.gif"))
    assert UploadedPicture.objects.get().kind == "png"
    remark = "Its picture has several frames or pages, of which the first is taken."
    assert remark in page(ada, "/pictures/").text


def test_a_picture_of_another_shape_than_a_card_is_art(ada):
    made(ada, picture=sent(picture(size=(400, 300))))
    row = UploadedPicture.objects.get()
    assert row.use == "art" and "Brass Falcon, front" in page(ada, f"/pictures/{row.pk}/").text
    assert "Brass Falcon" in page(ada, f"/cards/spycraft/{row.card_code}/").text


@pytest.mark.both_databases
def test_only_another_picture_replaces_the_first(ada):
    made(ada)
    code = OwnCard.objects.get().code
    for fields, label in (({}, "falcon.png"), ({"picture": sent(picture(7), "two.png")}, "two.png")):
        changed(ada, code, **fields)
        assert UploadedPicture.objects.get().label == label


@pytest.mark.parametrize("data", [b"GIF89a", b""])
def test_a_file_that_is_no_picture_is_a_fault_at_its_field(ada, data):
    answer = made(ada, picture=sent(data))
    assert page_of(answer, status=400).has(id="e-picture") and not OwnCard.objects.exists()


def test_a_card_is_made_without_its_picture_if_there_is_no_room(ada, settings):
    settings.CUTOUT_PICTURES_MEGABYTES = 0
    answer = made(ada)
    assert OwnCard.objects.exists() and not UploadedPicture.objects.exists()
    assert "its picture is not" in page(ada, answer["Location"]).text


@pytest.mark.both_databases
@pytest.mark.parametrize("visibility", ["private", "public"])
def test_the_picture_is_shown_to_its_owner_alone_even_if_the_card_is_public(ada, bob, viewer, visibility):
    card = own_card(own_set(viewer, visibility=visibility))
    changed(ada, card.code, name="Brass Falcon", picture=sent())
    sha256 = UploadedPicture.objects.get().sha256
    deck = named_deck(ada, "Balloons", "2 Kai\n3 Brass Falcon\n")
    for address in (
        f"/cards/spycraft/{card.code}/",
        f"/own/sets/{card.in_set.link}/",
        f"/decks/{deck.link}/",
        f"/own/faces/spycraft/{card.code}.svg",
        f"/cards/spycraft/{card.code}/face.svg",
        f"/pictures/files/{sha256}/",
        f"/pictures/files/{sha256}/small/",
    ):
        for other in (bob, Client()):
            seen = words(body(other.get(address, follow=True))).replace(address, "")
            assert sha256 not in seen and "data:image/webp" not in seen, address
            if address.startswith("/pictures/"):
                assert other.get(address).status_code == 404


@pytest.mark.both_databases
@pytest.mark.parametrize("delete", [delete_card, lambda card: delete_set(card.in_set)], ids=["card", "set"])
def test_the_picture_is_deleted_with_its_card_or_the_set_of_it(ada, delete):
    made(ada)
    delete(OwnCard.objects.select_related("in_set__box").get())
    assert not UploadedPicture.objects.exists()


# -- moved from a browser to an account ----------------------------------------------------


def takes_sets(client: Client, **picture) -> tuple[User, str]:
    """Log in with a new account, which may have a picture already, and take the sets of the browser over.
    Return the account, and the words of the page that follows.
    """
    user = User.objects.create_user("ada")
    client.force_login(user)
    if picture:
        UploadedPicture.objects.create(owner=user, **picture)
    return user, page_of(client.post("/account/take/", {"kind": "sets"}, follow=True)).text


@pytest.mark.both_databases
def test_sets_moved_to_an_account_take_the_pictures_of_their_cards_along(client):
    made(client)
    client.post("/pictures/", {"game": "spycraft", "meant": "front", "files": sent(picture(1), "kai.png")})
    user, words = takes_sets(client)
    assert "1 set is now your account’s." in words
    owners = dict(UploadedPicture.objects.values_list("card_code", "owner_id"))
    assert owners == {OwnCard.objects.get().code: user.pk, "kai": None}


def test_sets_whose_pictures_have_no_room_are_moved_without_them(client):
    made(client)
    full = {"kind": "png", "width": 1, "height": 1, "bytes": MAX_STORED, "game": "spycraft"}
    user, words = takes_sets(client, sha256="0" * 64, **full)
    assert "1 set is now your account’s." in words and "no room for the pictures" in words
    assert "Pictures of cards in your sets stay with this browser" in words
    assert UploadedPicture.objects.exclude(owner=user).count() == 1
