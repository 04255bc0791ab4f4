"""An own picture is nowhere but before its owner's eyes: each page, file and sheet, for its owner and for
strangers.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.box.intake import take
from cardsdb.box.placing import add, note_change
from cardsdb.box.texts import box_for_everyone, box_of
from cardsdb.catalogue.edition_files import write_bulk
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import EVERYONE, Edition, OwnBox, UploadedPicture
from decks.formats import FORMATS
from decks.models import Deck
from tests.printing.web.test_own_privacy import PUBLIC, body
from tests.support.pictures import coded, painted, picture_folder
from tests.support.public_decks import make_deck

__all__ = ["picture_folder"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
CARD = "/cards/spycraft/kai/"
SPYCRAFT = games()["spycraft"]
SCAN, ART = take(coded(painted(size=(125, 175)))), take(coded(painted(size=(160, 90))))
ACTION = next(card for card in SPYCRAFT.cards if card.type == "action")
# Where the catalogue alone would be shown to whoever asks, and pages of what is one's own.
PAGES = ["/cards/spycraft/kai/", "/cards/?q=kai&view=faces", "/pictures/"]


def give(owner: Any) -> None:
    """A whole card and a card's art."""
    add(owner, SCAN, "kai.jpg", ("spycraft", "kai", "front"))
    add(owner, ART, "art.jpg", ("spycraft", ACTION.code, "front"), use="art")
    note_change(owner)


@pytest.fixture
def ada(client: Client) -> Client:
    user = User.objects.create_user("ada")
    client.force_login(user)
    give(Viewer(user.pk))
    return client


def shows(answer: Any) -> bool:
    """Whether an own picture is in an answer: its address in a page, its pixels in a PDF."""
    data = body(answer)
    assert answer.status_code == 200
    if not data.startswith(b"%PDF"):
        return b"/pictures/files/" in data or SCAN.data[300:600] in data or ART.data[300:600] in data
    with pikepdf.open(io.BytesIO(data)) as document:
        streams = [
            one
            for one in document.objects
            if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == "/Image"
        ]
        return any(one.read_raw_bytes() in (SCAN.data, ART.data) for one in streams)


@pytest.mark.parametrize("address", PAGES)
def test_pages_show_it_to_its_owner_alone_and_are_stored_for_nobody_else(ada: Client, address: str) -> None:
    mine = ada.get(address)
    assert shows(mine) and ("private" in mine["Cache-Control"] or "no-store" in mine["Cache-Control"])
    assert not shows(Client().get(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_what_is_everybodys_has_no_own_picture_whoever_asks(ada: Client, address: str) -> None:
    assert not shows(ada.get(address)) and not shows(Client().get(address))


def addresses_of(deck: Deck) -> Iterator[str]:
    yield from (
        f"/decks/{deck.link}/{part}"
        for part in ("", "files/", "share/", "embed/", "numbers/", "numbers/hands/?seed=1")
    )
    yield from (f"/decks/{deck.link}/files/{name}/" for name in FORMATS)
    yield from (
        f"/decks/{deck.link}/picture.png",
        f"/print/sheets.pdf?deck={deck.link}",
        f"/print/?deck={deck.link}",
    )
    yield f"/api/v1/decks/{deck.link}/"


def test_a_deck_that_others_open_has_none_of_its_authors_pictures(ada: Client) -> None:
    deck = make_deck(ada, "Balloons", f"2 Kai\n2 {ACTION.name}\n", visibility="public")
    for address in addresses_of(deck):
        assert not shows(Client().get(address)), address
    assert shows(ada.get(f"/print/sheets.pdf?deck={deck.link}"))


def test_who_has_a_picture_prints_it_with_a_deck_of_others_and_its_author_does_not(ada: Client) -> None:
    bob = Client()
    bobs = make_deck(bob, "Bob's", f"2 Kai\n1 {ACTION.name}\n", visibility="public")
    assert shows(ada.get(f"/print/sheets.pdf?deck={bobs.link}"))
    assert not shows(bob.get(f"/print/sheets.pdf?deck={bobs.link}"))
    assert not shows(bob.get(f"/decks/{bobs.link}/edit/?peek=kai"))


def test_the_editor_shows_it_to_its_owner(ada: Client) -> None:
    deck = make_deck(ada, "Balloons", f"2 Kai\n2 {ACTION.name}\n")
    assert shows(ada.get(f"/decks/{deck.link}/edit/?peek=kai"))
    assert shows(ada.get(f"/decks/{deck.link}/edit/?peek={ACTION.code}"))


def test_faces_in_decks_have_the_picture_of_whoever_looks_at_them_inside(ada: Client) -> None:
    deck = make_deck(ada, "Balloons", f"2 Kai\n2 {ACTION.name}\n", visibility="public")
    addresses = set(
        re.findall(
            r'src="(/own/faces/[^"]+size=small[^"]+)"',
            ada.get(f"/decks/{deck.link}/?view=faces").content.decode(),
        )
    )
    assert len(addresses) == 2
    for address in addresses:
        mine = ada.get(address.replace("&amp;", "&"))
        assert b"data:image/webp;base64," in mine.content and mine["Cache-Control"].startswith("private")
        theirs = Client().get(address.replace("&amp;", "&"), follow=True)
        assert b"data:image" not in theirs.content
    assert "/own/faces/" not in Client().get(f"/decks/{deck.link}/?view=faces").content.decode()


def test_a_change_of_ones_own_pictures_makes_no_search_anew_and_one_of_everyones_does(ada: Client) -> None:
    owner = Viewer(User.objects.get().pk)
    states = {}
    for who, box in ((owner, box_of(owner)), (EVERYONE, box_for_everyone())):
        note_change(who)
        states[who] = OwnBox.objects.get(pk=box.pk).state != box.state
    assert states == {owner: False, EVERYONE: True}


def test_bulk_files_have_none(ada: Client, settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path / "bulk"
    give(EVERYONE)
    write_bulk(Edition.objects.current().number)
    files = [path for path in settings.VAR_DIR.rglob("*") if path.is_file()]
    assert files and not any(
        b"/pictures/files/" in path.read_bytes() or SCAN.sha256.encode() in path.read_bytes()
        for path in files
    )


# -- everyone's on a private site --------------------------------------------------------


@pytest.mark.parametrize("address", PAGES[:2])
def test_everyones_pictures_are_seen_by_all_on_a_private_site_and_by_nobody_on_a_public_one(
    address: str, settings: Any
) -> None:
    give(EVERYONE)
    file = f"/pictures/files/{SCAN.sha256}/"
    assert shows(Client().get(address)) and Client().get(file).status_code == 200
    settings.HTTPS = True
    settings.SECURE_SSL_REDIRECT = False
    assert not shows(Client().get(address)) and Client().get(file).status_code == 404


@pytest.mark.both_databases
def test_everyones_pictures_are_nobodys_to_change(client: Client) -> None:
    give(EVERYONE)
    picture = UploadedPicture.objects.get(card_code="kai")
    assert (
        client.get(f"/pictures/{picture.pk}/").status_code
        == client.post(f"/pictures/{picture.pk}/delete/").status_code
        == 404
    )
    client.post("/own/forget/", {"game": "spycraft", "what": "pictures"})
    client.post("/pictures/all/", {"game": "spycraft", "use": "art"})
    assert UploadedPicture.objects.filter(everyone=True, use="card").count() == 1
    assert UploadedPicture.objects.filter(everyone=True).count() == 2


def test_ones_own_picture_stands_before_everyones(ada: Client) -> None:
    other = take(coded(painted(size=(150, 210))))
    add(EVERYONE, other, "kai.jpg", ("spycraft", "kai", "front"))
    assert SCAN.sha256.encode() in ada.get("/cards/spycraft/kai/").content
    assert other.sha256.encode() in Client().get("/cards/spycraft/kai/").content


def test_a_page_stored_for_everybody_is_made_without_pictures_and_anew_when_everyones_change(
    ada: Client,
) -> None:
    client = Client()
    mine, everybodys = ada.get(CARD), client.get(CARD)
    assert b"/pictures/files/" in mine.content and "private" in mine["Cache-Control"]
    assert b"/pictures/files/" not in everybodys.content and "public" in everybodys["Cache-Control"]
    give(EVERYONE)
    everyones = client.get(CARD, headers={"If-None-Match": everybodys["ETag"]})
    assert b"/pictures/files/" in everyones.content and "private" in everyones["Cache-Control"]
    UploadedPicture.objects.filter(everyone=True).delete()
    assert b"/pictures/files/" not in client.get(CARD).content
