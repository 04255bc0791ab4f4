"""What somebody brought along, words, pictures and cards, is nowhere but before their own eyes: pages of
their own, decks that others open, and files. A journey through cardsdb.box, decks.pages and printing.web;
what is public has nothing of it, whoever asks (tests/house/test_sharing.py).
"""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from django.test import Client

from cardsdb.box.intake import take
from cardsdb.box.placing import add, note_change
from cardsdb.box.sets import delete_set
from cardsdb.box.texts import box_for_everyone, box_of, save_text
from cardsdb.catalogue.edition_files import write_bulk
from cardsdb.games import games
from cardsdb.models import EVERYONE, Edition, OwnBox, OwnCard, UploadedPicture
from printing.web.drawing_views import drawn
from tests.support.answers import addresses_of, body, pictures, words
from tests.support.made_decks import named_deck
from tests.support.own_sets import CANARY, own_card, own_set
from tests.support.pages import Page
from tests.support.pictures import coded, painted

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.usefixtures("own_folders")]
SPYCRAFT = games()["spycraft"]
SCAN, ART = take(coded(painted(size=(125, 175)))), take(coded(painted(size=(160, 90))))
ACTION = next(card for card in SPYCRAFT.cards if card.type == "action" and card.text)
TEXT, PICTURE = {"text"}, {"picture"}
# Everything of Ada's box, and one card of which she has nothing.
LIST = f"2 Kai\n2 Li\n2 {ACTION.name}\n1 Shiatsu\n"


def give(owner: Any) -> None:
    """The picture of a whole card, and the art of a card."""
    add(owner, SCAN, "li.jpg", ("spycraft", "li", "front"))
    add(owner, ART, "art.jpg", ("spycraft", ACTION.code, "front"), use="art")
    note_change(owner)


@pytest.fixture
def ada(ada, viewer):
    """She has words on two cards, a picture of a third, art on one of the two, and a card of her own."""
    for code in ("kai", ACTION.code):
        save_text(viewer, SPYCRAFT, code, f"{CANARY}: hide it.")
    give(viewer)
    own_card(own_set(viewer), craft="9", faction=CANARY)
    return ada


@pytest.fixture
def deck(ada):
    return named_deck(ada, "Balloons", f"{LIST}1 Brass Falcon\n")


def shown(answer: Any) -> set[str]:
    """What of a box is in an answer: its words, the addresses of its pictures, their pixels in a file."""
    data = body(answer)
    assert answer.status_code == 200
    if data.startswith(b"%PDF"):
        has_picture = any(one in (SCAN.data, ART.data) for one in pictures(data))
    else:
        has_picture = any(
            part in data for part in (b"/pictures/files/", SCAN.data[300:600], ART.data[300:600])
        )
    return (TEXT if CANARY in words(data) else set()) | (PICTURE if has_picture else set())


# -- what is one's own ---------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("/cards/spycraft/kai/", TEXT),
        ("/cards/spycraft/li/", PICTURE),
        ("/cards/?q=kai&view=faces", TEXT),
        ("/cards/?q=!%22Li%22&view=faces", PICTURE),
        ("/print/texts/", TEXT),
        ("/print/texts/spycraft/kai/", TEXT),
        ("/own/cutout-own-texts.csv", TEXT),
        ("/pictures/", PICTURE),
    ],
)
def test_pages_of_ones_own_are_for_their_owner_alone_and_stored_for_nobody_else(ada, address, what):
    mine = ada.get(address)
    assert what <= shown(mine) and {"private", "no-store"} & {*mine["Cache-Control"].split(", ")}
    assert not shown(Client().get(address))


def test_bulk_files_have_nothing_of_a_box(ada, settings, tmp_path):
    settings.VAR_DIR = tmp_path / "bulk"
    box_for_everyone().owntexts.create(game="spycraft", card_code="tracer", text=f"{CANARY}.")
    give(EVERYONE)
    write_bulk(Edition.objects.current().number)
    files = [path for path in settings.VAR_DIR.rglob("*") if path.is_file()]
    assert files
    for path in files:
        data = path.read_bytes()
        text = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
        for secret in (CANARY, "/pictures/files/", SCAN.sha256):
            assert secret.encode() not in text, path.name


# -- in decks ------------------------------------------------------------------------------


def test_a_deck_that_others_open_has_the_names_of_its_cards_and_nothing_of_its_authors_box(ada, deck):
    card = OwnCard.objects.select_related("in_set__box").get()
    for address in addresses_of(deck):
        answer = Client().get(address)
        assert not shown(answer) and card.code not in words(body(answer)), address
    assert "Brass Falcon" in words(body(Client().get(f"/decks/{deck.link}/")))
    for address in (f"/cards/spycraft/{card.code}/", f"/cards/spycraft/{card.code}/face.svg"):
        assert Client().get(address).status_code == 404
    delete_set(card.in_set)
    assert not shown(Client().get(f"/decks/{deck.link}/files/json/"))


def test_who_has_something_prints_it_with_a_deck_of_others_and_its_author_does_not(ada, deck):
    bob = Client()
    bobs = named_deck(bob, "Bob's", LIST)
    for one in (deck, bobs):
        assert shown(ada.get(f"/print/sheets.pdf?deck={one.link}")) == TEXT | PICTURE
        assert not shown(bob.get(f"/print/sheets.pdf?deck={one.link}"))


def test_the_editor_shows_it_to_its_owner_and_not_to_another_who_edits(ada, deck):
    bob = Client()
    bobs = named_deck(bob, "Bob's", LIST)
    for peek, what in (("kai", TEXT), ("li", PICTURE), (ACTION.code, PICTURE)):
        assert what <= shown(ada.get(f"/decks/{deck.link}/edit/?peek={peek}&q=zeppelin")), peek
        assert not shown(bob.get(f"/decks/{bobs.link}/edit/?peek={peek}&q=kai")), peek


def test_the_picture_of_a_deck_for_other_sites_is_the_same_with_and_without_a_box(ada, deck):
    mine = body(ada.get(f"/decks/{deck.link}/picture.png"))
    drawn.clear()
    assert body(Client().get(f"/decks/{deck.link}/picture.png")) == mine


# -- beside what everybody has -------------------------------------------------------------


def test_beside_an_own_text_stands_the_effect_as_everybody_sees_it(ada):
    mine, theirs = (Page(one.get(f"/cards/spycraft/{ACTION.code}/")) for one in (ada, Client()))
    assert mine.has("h2", text="Your text") and not theirs.has("h2", text="Your text")
    assert mine.has("h2", text="Effect") and theirs.has("h2", text="Effect")


def test_a_change_of_ones_own_pictures_makes_no_search_anew_and_one_of_everyones_does(viewer):
    states = {}
    for who, box in ((viewer, box_of(viewer)), (EVERYONE, box_for_everyone())):
        note_change(who)
        states[who] = OwnBox.objects.get(pk=box.pk).state != box.state
    assert states == {viewer: False, EVERYONE: True}


@pytest.mark.both_databases
def test_everyones_pictures_are_nobodys_to_change(client):
    give(EVERYONE)
    picture = UploadedPicture.objects.get(card_code="li")
    assert client.get(f"/pictures/{picture.pk}/").status_code == 404
    assert client.post(f"/pictures/{picture.pk}/delete/").status_code == 404
    client.post("/own/forget/", {"game": "spycraft", "what": "pictures"})
    client.post("/pictures/all/", {"game": "spycraft", "use": "art"})
    assert sorted(UploadedPicture.objects.values_list("everyone", "use")) == [(True, "art"), (True, "card")]


def test_ones_own_picture_stands_before_everyones(ada):
    other = take(coded(painted(size=(150, 210))))
    add(EVERYONE, other, "li.jpg", ("spycraft", "li", "front"))
    mine, theirs = (words(body(one.get("/cards/spycraft/li/"))) for one in (ada, Client()))
    assert SCAN.sha256 in mine and other.sha256 in theirs
