"""What somebody brought along is nowhere but before their own eyes: each address and file, for its owner, a
link holder and a stranger.
"""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.box.texts import box_for_everyone, save_text, with_text
from cardsdb.catalogue.edition_files import write_bulk
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Edition
from decks.formats import FORMATS
from decks.models import Deck
from printing.render.files import face_file
from tests.support.public_decks import make_deck

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
CARD = "/cards/spycraft/kai/"
SPYCRAFT = games()["spycraft"]
CANARY = "Zeppelin"
ACTION = next(card for card in SPYCRAFT.cards if card.type == "action")


@pytest.fixture
def ada(client: Client) -> Client:
    user = User.objects.create_user("ada")
    client.force_login(user)
    for code in ("kai", ACTION.code):
        save_text(Viewer(user.pk), SPYCRAFT, code, f"{CANARY}: hide it.")
    return client


@pytest.fixture
def deck(ada: Client) -> Deck:
    return make_deck(ada, "Balloons", f"2 Kai\n2 {ACTION.name}\n", visibility="public")


def body(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def words(data: bytes) -> str:
    """What can be read in an answer, whatever kind of file it is."""
    if data.startswith(b"%PDF"):
        document = pypdfium2.PdfDocument(data)
        return " ".join(page.get_textpage().get_text_range() for page in document)
    if data.startswith(b"PK"):
        archive = zipfile.ZipFile(io.BytesIO(data))
        return " ".join(words(archive.read(name)) for name in archive.namelist())
    return (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode("utf-8", "replace")


def sees(client: Client, address: str) -> bool:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return CANARY in words(body(answer))


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "address",
    [
        "/cards/spycraft/kai/",
        "/print/texts/",
        "/print/texts/spycraft/kai/",
        "/own/cutout-own-texts.csv",
        "/cards/?q=kai&view=faces",
    ],
)
def test_pages_of_ones_own_are_for_their_owner_alone(ada: Client, address: str) -> None:
    assert sees(ada, address)
    assert not sees(Client(), address)


PUBLIC = [
    "/cards/spycraft/kai/face.svg",
    "/cards/spycraft/kai/face.pdf",
    "/api/v1/cards/spycraft/kai/",
    "/api/v1/cards/?q=kai",
    "/sets/spycraft/ON/",
    "/games/spycraft/cockatrice.xml",
    "/games/spycraft/lackey.zip",
    "/changes.atom",
    "/compare/?card=spycraft/kai",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_what_is_everybodys_has_nothing_of_a_box_whoever_asks(ada: Client, address: str) -> None:
    assert not sees(ada, address) and not sees(Client(), address)


def deck_addresses(deck: Deck) -> Iterator[str]:
    yield from (
        f"/decks/{deck.link}/{part}"
        for part in ("", "files/", "share/", "embed/", "numbers/", "numbers/hands/?seed=1")
    )
    yield from (f"/decks/{deck.link}/files/{name}/" for name in FORMATS)
    yield f"/print/sheets.pdf?deck={deck.link}"
    yield f"/print/?deck={deck.link}"
    yield f"/api/v1/decks/{deck.link}/"


def test_a_deck_that_others_open_has_nothing_of_its_authors_box(deck: Deck) -> None:
    for address in deck_addresses(deck):
        assert not sees(Client(), address), address


def test_ones_own_sheets_have_ones_own_text(ada: Client, deck: Deck) -> None:
    assert sees(ada, f"/print/sheets.pdf?deck={deck.link}")


def test_who_has_a_text_sees_it_on_a_deck_of_others_and_its_author_does_not(ada: Client) -> None:
    bob = Client()
    bobs = make_deck(bob, "Bob's", "2 Kai\n", visibility="public")
    assert sees(ada, f"/print/sheets.pdf?deck={bobs.link}")
    assert not sees(bob, f"/print/sheets.pdf?deck={bobs.link}")


def test_the_preview_picture_of_a_deck_is_the_same_with_and_without_a_box(ada: Client, deck: Deck) -> None:
    with_box = body(ada.get(f"/decks/{deck.link}/picture.png"))
    save_text(Viewer(User.objects.get().pk), SPYCRAFT, "kai", "")
    save_text(Viewer(User.objects.get().pk), SPYCRAFT, ACTION.code, "")
    assert body(Client().get(f"/decks/{deck.link}/picture.png")) == with_box


def test_the_editor_shows_it_to_its_owner_and_not_to_another_who_edits(ada: Client, deck: Deck) -> None:
    edit = f"/decks/{deck.link}/edit/?peek=kai&q=zeppelin"
    assert sees(ada, edit)
    bob = Client()
    bobs = make_deck(bob, "Bob's", "2 Kai\n")
    assert not sees(bob, f"/decks/{bobs.link}/edit/?peek=kai&q=kai")


def test_bulk_files_have_nothing_of_a_box(ada: Client, settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    box_for_everyone().owntexts.create(game="spycraft", card_code="tracer", text=f"{CANARY}.")
    write_bulk(Edition.objects.current().number)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    for path in files:
        data = path.read_bytes()
        assert CANARY.encode() not in (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data), (
            path.name
        )


def test_a_page_stored_for_everybody_is_made_without_a_box_and_anew_when_everyones_changes(
    ada: Client,
) -> None:
    client = Client()
    mine, everybodys = ada.get(CARD), client.get(CARD)
    assert CANARY in mine.content.decode() and "private" in mine["Cache-Control"]
    assert CANARY not in everybodys.content.decode() and "public" in everybodys["Cache-Control"]
    box = box_for_everyone()
    box.owntexts.create(game="spycraft", card_code="kai", text="Dirigible.")
    box.changed()
    everyones = client.get(CARD, headers={"If-None-Match": everybodys["ETag"]})
    assert "Dirigible" in everyones.content.decode() and "private" in everyones["Cache-Control"]
    box.delete()
    assert "Dirigible" not in client.get(CARD).content.decode()


def test_a_page_that_can_show_nothing_of_its_visitors_stays_everybodys_in_their_browser(ada: Client) -> None:
    other, own = ada.get("/games/spycraft/"), ada.get("/cards/spycraft/kai/")
    assert own["Cutout-Offline"] == "viewer" and own["Cutout-Viewer"]
    assert other["Cutout-Offline"] == "public" and "Cutout-Viewer" not in other


def test_a_card_among_what_own_texts_find_is_nobody_elses_page(ada: Client) -> None:
    page = ada.get("/cards/spycraft/shiatsu/", {"q": f'{CANARY} or !"Shiatsu"'})
    assert b"/cards/spycraft/kai/" in page.content
    assert page["Cutout-Offline"] == "viewer"


def test_beside_an_own_text_stands_the_effect_as_everybody_sees_it(ada: Client) -> None:
    told = next(card for card in SPYCRAFT.cards if card.type == "action" and card.text)
    save_text(Viewer(User.objects.get().pk), SPYCRAFT, told.code, "Mine.")
    mine, theirs = (one.get(f"/cards/spycraft/{told.code}/").content.decode() for one in (ada, Client()))
    assert ">Your text</h2>" in mine and ">Your text</h2>" not in theirs
    assert all(">Effect</h2>" in one for one in (mine, theirs))


def test_faces_in_decks_and_beside_names_have_ones_own_text_and_only_ones_own(
    ada: Client, deck: Deck
) -> None:
    face = "/own/faces/spycraft/kai.svg"
    mine, theirs = ada.get(f"{face}?size=small"), Client().get(face)
    card = SPYCRAFT.card("kai")
    assert card and mine.content == face_file(
        with_text(card, {"kai": f"{CANARY}: hide it."}), SPYCRAFT, "svg", small=True
    )
    assert mine["Cache-Control"] == "private, no-cache"
    assert ada.get(f"{face}?size=small&of=1")["Cache-Control"] == "private, max-age=3600"
    assert theirs.status_code == 302 and theirs["Location"] == "/cards/spycraft/kai/face.svg"
    assert (
        ada.get("/own/faces/spycraft/li.svg").status_code == 302
        and ada.get("/own/faces/nothing/kai.svg").status_code == 404
    )
    for address in (f"/decks/{deck.link}/", f"/decks/{deck.link}/?hand=1"):
        mine, theirs = ada.get(address), Client().get(address)
        assert (
            f"{face}?size=small&amp;of=" in mine.content.decode()
            and "/faces.svg?of=kai" not in mine.content.decode()
        ), address
        assert "private" in mine["Cache-Control"] and "/own/faces/" not in theirs.content.decode()
    assert "data-own-faces" in ada.get("/cards/?q=kai").content.decode()
    assert "data-own-faces" in ada.get(f"/decks/{deck.link}/?view=rows").content.decode()
    assert "data-own-faces" not in Client().get("/cards/?q=kai").content.decode()
