"""Own cards in decks: put in, judged, printed and exported like others; kept when they are gone; shown to
others as their set says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from cardsdb.box.card_form import typed_of
from cardsdb.box.sets import change_set, delete_set, save_card
from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnCard
from decks.formats import FORMATS
from decks.models import Deck
from tests.printing.web.test_own_privacy import body, words
from tests.support.own_sets import CANARY, own_card, own_set
from tests.support.public_decks import make_deck

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SPYCRAFT = games()["spycraft"]


@pytest.fixture
def ada(client: Client) -> Client:
    client.force_login(User.objects.create_user("ada"))
    return client


def viewer() -> Viewer:
    return Viewer(User.objects.get(username="ada").pk)


def falcon(**values: str) -> OwnCard:
    """A card whose text and one of whose facts have the word that nobody else may see."""
    return own_card(own_set(viewer(), **values), craft="9", faction=CANARY)


def pressed(client: Client, deck: Deck, **data: str) -> Any:
    return client.post(f"/decks/{deck.link}/edit/", data)


def lines_of(deck: Deck) -> list[tuple[int, str, str, dict[str, Any]]]:
    stored = Deck.objects.with_cards().get(pk=deck.pk).decklist()
    return [(entry.count, entry.card.code, entry.section, dict(entry.card.facts)) for entry in stored]


# -- put into decks -----------------------------------------------------------------------


def test_the_editor_finds_ones_own_card_and_puts_it_in_by_button_and_by_name(ada: Client) -> None:
    deck, card = make_deck(ada, "Balloons", "2 Kai\n"), falcon()
    page = body(ada.get(f"/decks/{deck.link}/edit/?q=falcon&peek={card.code}")).decode()
    assert card.code in page and CANARY in page
    pressed(ada, deck, edit=f"+1 deck {card.code} found")
    pressed(ada, deck, edit="add", q="2 brass falcon")
    assert lines_of(deck)[1] == (3, card.code, "deck", {"craft": 9, "faction": CANARY})


def test_a_card_is_put_into_a_deck_from_its_page(ada: Client) -> None:
    deck, card = make_deck(ada, "Balloons", "2 Kai\n"), falcon()
    assert ada.post(f"/cards/spycraft/{card.code}/add/", {"deck": deck.link}).status_code == 302
    assert card.code in [code for _, code, _, _ in lines_of(deck)]


def test_a_list_names_it_and_its_text_is_read_again_as_the_same_card(ada: Client) -> None:
    card = falcon()
    deck = make_deck(ada, "Balloons", "2 Kai\n3 Brass Falcon\n")
    before = lines_of(deck)
    assert (3, card.code) in [(count, code) for count, code, _, _ in before]
    form = ada.get(f"/decks/{deck.link}/edit/text/").context["form"].initial
    assert ada.post(f"/decks/{deck.link}/edit/text/", form).status_code == 302
    assert lines_of(deck) == before


def test_it_is_judged_by_its_facts_as_any_card_is(ada: Client, agency_text: str) -> None:
    """A legal deck stays legal when a card of it is replaced by one's own copy, and not by one that costs
    more than its leaders allow.
    """
    name = next(
        entry.card.name for entry in read_deck(SPYCRAFT, agency_text).deck if entry.card.type == "leader"
    )
    leader = next(card for card in SPYCRAFT.cards if card.name == name)
    typed = typed_of(SPYCRAFT, leader)
    save_card(own_set(viewer()), SPYCRAFT, typed._replace(name="Tin Boss"))
    save_card(
        own_set(viewer()),
        SPYCRAFT,
        typed._replace(name="Tin Bosses", facts={**typed.facts, "faction": CANARY}),
    )
    for boss, legal in ((name, True), ("Tin Boss", True), ("Tin Bosses", False)):
        deck = make_deck(ada, boss, agency_text.replace(name, boss))
        assert (deck.verdict == "legal") is legal, boss


def test_a_deck_keeps_a_card_that_is_changed_or_deleted_and_takes_the_change_when_it_is_put_in_anew(
    ada: Client,
) -> None:
    card = falcon()
    deck = make_deck(ada, "Balloons", "1 Brass Falcon\n")
    before = lines_of(deck)
    ada.post(f"/own/cards/{card.code}/change/", {"name": "Brass Falcon", "type": "agent", "fact-craft": "4"})
    assert lines_of(deck) == before
    pressed(ada, deck, edit=f"+1 deck {card.code}")
    assert lines_of(deck) == [(2, card.code, "deck", {"craft": 4})]
    delete_set(OwnCard.objects.select_related("in_set__box").get().in_set)
    assert lines_of(deck) == [(2, card.code, "deck", {"craft": 4})]
    for address in (
        f"/decks/{deck.link}/",
        f"/decks/{deck.link}/edit/",
        f"/decks/{deck.link}/history/",
        f"/print/sheets.pdf?deck={deck.link}",
    ):
        assert ada.get(address).status_code == 200, address
    pressed(ada, deck, edit=f"-1 deck {card.code}")
    assert lines_of(deck) == [(1, card.code, "deck", {"craft": 4})]


def test_nobody_elses_card_goes_into_a_deck_by_its_code_or_name(ada: Client) -> None:
    card = falcon(visibility="public")
    bob = Client()
    deck = make_deck(bob, "Bob's", "2 Kai\n")
    pressed(bob, deck, edit=f"+1 deck {card.code} found")
    pressed(bob, deck, edit="add", q="2 brass falcon")
    assert len(lines_of(deck)) == 1


# -- printed ------------------------------------------------------------------------------


def test_its_face_has_its_text_on_ones_own_sheets(ada: Client) -> None:
    card = falcon()
    deck = make_deck(ada, "Balloons", "1 Brass Falcon\n")
    for address in (f"/print/sheets.pdf?deck={deck.link}", f"/print/sheets.pdf?card=2.spycraft/{card.code}"):
        assert f"{CANARY}: hide it." in words(body(ada.get(address))), address
    pasted = {"game": "spycraft", "text": "1 Brass Falcon"}
    assert f"{CANARY}: hide it." in words(body(ada.post("/print/sheets.pdf", pasted)))


def test_the_face_beside_its_name_is_its_own_face(ada: Client) -> None:
    card = falcon()
    answer = ada.get(f"/own/faces/spycraft/{card.code}.svg")
    assert (answer.status_code, answer.get("Location")) == (302, f"/cards/spycraft/{card.code}/face.svg")
    assert ada.get(answer["Location"]).status_code == 200


# -- for others ---------------------------------------------------------------------------


def deck_addresses(deck: Deck) -> Iterator[str]:
    yield from (
        f"/decks/{deck.link}/{part}"
        for part in ("", "files/", "share/", "embed/", "numbers/", "numbers/hands/?seed=1")
    )
    yield from (f"/decks/{deck.link}/files/{name}/" for name in FORMATS)
    yield f"/print/sheets.pdf?deck={deck.link}"
    yield f"/print/?deck={deck.link}"
    yield f"/api/v1/decks/{deck.link}/"
    yield "/decks/"


def test_a_deck_that_others_open_has_the_name_of_a_private_card_and_no_more(ada: Client) -> None:
    card = falcon()
    deck = make_deck(ada, "Balloons", "2 Kai\n1 Brass Falcon\n", visibility="public")
    for address in deck_addresses(deck):
        answer = words(body(Client().get(address)))
        assert CANARY not in answer and card.code not in answer, address
    assert "Brass Falcon" in words(body(Client().get(f"/decks/{deck.link}/")))
    for address in (f"/cards/spycraft/{card.code}/", f"/cards/spycraft/{card.code}/face.svg"):
        assert Client().get(address).status_code == 404
    delete_set(card.in_set)
    assert CANARY not in words(body(Client().get(f"/decks/{deck.link}/files/json/")))


@pytest.mark.both_databases
def test_a_deck_that_others_open_has_a_shared_card_with_facts_and_text(ada: Client) -> None:
    card = falcon()
    deck = make_deck(ada, "Balloons", "2 Kai\n1 Brass Falcon\n", visibility="public")
    change_set(card.in_set, {"name": "Balloons", "visibility": "unlisted"})
    sheet = words(body(Client().get(f"/print/sheets.pdf?deck={deck.link}")))
    assert f"{CANARY}: hide it." in sheet
    answer = Client().get(f"/cards/spycraft/{card.code}/face.svg")
    assert (
        answer.status_code == 200 and "private" in answer["Cache-Control"] and "Cutout-Offline" not in answer
    )


def test_no_repair_is_tried_on_names_alone(ada: Client) -> None:
    falcon()
    deck = make_deck(ada, "Balloons", "9 Brass Falcon\n99 Kai\n", visibility="public")
    deck = Deck.objects.with_cards().get(pk=deck.pk)
    repairs = {
        who: [view.repair for view in deck.judged_for(who, SPYCRAFT).violation_views() if view.repair]
        for who in (viewer(), Viewer())
    }
    assert repairs[viewer()] and not repairs[Viewer()]


def test_a_fork_has_of_a_private_card_what_its_maker_may_see(ada: Client) -> None:
    falcon()
    deck = make_deck(ada, "Balloons", "1 Brass Falcon\n", visibility="public")
    bob = Client()
    bob.post(f"/decks/{deck.link}/fork/")
    fork = Deck.objects.exclude(pk=deck.pk).get()
    assert [(count, facts) for count, _, _, facts in lines_of(fork)] == [(1, {})]


@pytest.mark.both_databases
def test_an_accounts_export_has_its_sets(ada: Client) -> None:
    falcon()
    assert CANARY in words(body(ada.get(reverse("account_export"))))


# -- known in lists and suggestions, to their owner alone -----------------------------------

LIST = "2 Kai\n3 Brass Falcon\n"


def strangers(anon: Client) -> Iterator[Client]:
    """Somebody with an account, and somebody without one."""
    bob = Client()
    bob.force_login(User.objects.create_user("bob"))
    yield from (bob, anon)


def answers_to_lists(client: Client) -> Iterator[str]:
    """Every page that reads a pasted list without storing it."""
    for address in ("/check/", "/check/verdict/", "/check/repairs/"):
        yield body(client.post(address, {"game": "spycraft", "text": LIST})).decode()
    yield body(client.post("/decks/import/", {"game": "spycraft", "pasted": LIST})).decode()
    posted = {"text": LIST, "game": "spycraft", "format": "", "house": "", "repair": False}
    yield body(client.post("/api/v1/decks/validate", posted, content_type="application/json")).decode()


@pytest.mark.parametrize("visibility", ["private", "unlisted", "public"])
def test_pasted_lists_name_ones_own_cards_and_nobody_elses(ada: Client, visibility: str) -> None:
    falcon(visibility=visibility)
    assert not [
        page
        for page in answers_to_lists(ada)
        if "unknown_card" in page or "No card is called" in page or "could not be read" in page
    ]
    for other in strangers(Client()):
        for page in answers_to_lists(other):
            assert CANARY not in page and "own_" not in page


def test_a_checked_list_is_kept_with_ones_own_card(ada: Client) -> None:
    card = falcon()
    ada.post("/check/save/", {"game": "spycraft", "text": LIST}, headers={"Origin": "http://testserver"})
    assert (3, card.code) in [(count, code) for count, code, _, _ in lines_of(Deck.objects.get())]


def test_a_misspelt_name_of_ones_own_is_suggested_to_its_owner_alone(ada: Client) -> None:
    falcon(visibility="public")
    misspelt = {"game": "spycraft", "text": "3 Brass Falkon\n"}
    assert "Put Brass Falcon into line 1" in body(ada.post("/check/", misspelt)).decode()
    for other in strangers(Client()):
        assert "Brass Falcon" not in body(other.post("/check/", misspelt)).decode()


def test_a_search_box_suggests_ones_own_cards_to_their_owner_alone(ada: Client) -> None:
    falcon(visibility="public")
    answer = ada.get("/search/saved/own/")
    assert answer.json()["cards"] == [
        {"name": "Brass Falcon", "query": '!"Brass Falcon"', "game": "Spycraft"}
    ]
    assert "no-store" in answer["Cache-Control"] and "private" in answer["Cache-Control"]
    for other in strangers(Client()):
        assert other.get("/search/saved/own/").json()["cards"] == []
    assert CANARY not in body(ada.get("/search/suggest/?q=brass")).decode()
