"""Files besides the sheets over HTTP and on the command line: who may have them, what is refused, what is not
sent twice.
"""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.management import call_command
from django.template.loader import render_to_string
from django.test import Client
from lxml import html

from cardsdb.games import games
from decks.models import Visibility
from printing.exports import export
from printing.exports.kinds import EXPORT_KINDS
from tests.decks.core.test_permissions import make_deck, xfiles_deck
from tests.support.exports import blank_cards
from tests.support.pages import Part
from tests.support.visitors import few_of_a_starter

__all__ = ["blank_cards"]

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

FILES = sorted(f"/print/{output.file}" for output in EXPORT_KINDS.values())
LIST = {"game": "spycraft", "text": "2 Kai\n1 Li", "dpi": "150"}


def body(answer: Any) -> bytes:
    assert answer.status_code == 200
    return bytes(answer.getvalue())


@pytest.fixture
def owner() -> Client:
    return Client()


@pytest.fixture
def stranger() -> Client:
    return Client()


# -- who may have them ------------------------------------------------------------------


@pytest.mark.usefixtures("blank_cards")
@pytest.mark.parametrize("visibility", list(Visibility))
@pytest.mark.parametrize("address", [*FILES, "/print/service/"])
def test_a_stranger_gets_files_of_decks_that_are_not_private(
    owner: Client, stranger: Client, visibility: str, address: str
) -> None:
    deck = make_deck(owner, "1 Kai", visibility=visibility)
    hidden = visibility == Visibility.PRIVATE
    assert stranger.get(address, {"deck": deck.link}).status_code == (404 if hidden else 200)
    assert owner.get(address, {"deck": deck.link}).status_code == 200


@pytest.mark.usefixtures("blank_cards")
@pytest.mark.parametrize("address", ["/print/cards.zip", "/print/tabletop.zip", "/print/service.zip"])
def test_the_secret_x_file_is_in_no_file_that_a_stranger_gets(
    owner: Client, stranger: Client, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "BIG_PIXELS", 1_000_000_000)
    deck, secret = xfiles_deck(owner, few_of_a_starter("xfiles"))
    query = {"deck": deck.link, "service": "mpc", "dpi": "150"}

    def named(client: Client) -> str:
        """Whatever calls a card by its name; what its facts say may name another."""
        archive = ZipFile(io.BytesIO(body(client.get(address, query))))
        words = {
            name: archive.read(name).decode()
            for name in archive.namelist()
            if name.endswith((".txt", ".json", ".xml"))
        }
        texts = [
            " ".join(re.findall('"Nickname": "([^"]*)"', text)) if name.endswith(".json") else text
            for name, text in words.items()
        ]
        return " ".join([*texts, *archive.namelist()])

    assert secret in named(owner)
    assert secret not in named(stranger)


@pytest.mark.parametrize("address", FILES)
def test_files_of_no_deck_are_not_found(client: Client, address: str) -> None:
    assert client.get(address, {"deck": "nothing"}).status_code == 404
    assert client.get(address, {"deck": "a\0b"}).status_code in (400, 404)


@pytest.mark.parametrize("address", FILES)
def test_a_pasted_list_needs_the_forms_token(address: str) -> None:
    assert Client(enforce_csrf_checks=True).post(address, LIST).status_code == 403


# -- what is handed out -------------------------------------------------------------------


@pytest.mark.usefixtures("blank_cards")
@pytest.mark.parametrize("slug", sorted(EXPORT_KINDS))
def test_a_pasted_list_comes_as_each_file(client: Client, slug: str) -> None:
    output = EXPORT_KINDS[slug]
    answer = client.post(f"/print/{output.file}", LIST)
    assert answer.status_code == 200
    assert answer["Content-Type"] == output.content_type
    assert answer["Content-Disposition"] == f'attachment; filename="spycraft-cards-{output.file}"'
    assert answer["Cache-Control"] == "private, no-cache"
    starts = {"zip": b"PK\x03\x04", "pdf": b"%PDF", "svg": b"<?xml", "dxf": b"999\r\n"}
    assert body(answer).startswith(starts[output.file[-3:]])


@pytest.mark.usefixtures("blank_cards")
@pytest.mark.parametrize("address", FILES)
@pytest.mark.parametrize("weak", ["", "W/"])
def test_the_same_file_is_not_sent_twice(client: Client, address: str, weak: str) -> None:
    tag = client.post(address, LIST)["ETag"]
    answer = client.post(address, LIST, headers={"If-None-Match": weak + tag})
    assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", tag)
    other = client.post(address, LIST | {"text": "3 Kai"}, headers={"If-None-Match": tag})
    assert other.status_code == 200


def test_what_a_file_is_like_can_be_asked_without_the_file(client: Client, owner: Client) -> None:
    deck = make_deck(owner, "1 Kai", visibility="public")
    answer = client.head("/print/cards.zip", {"deck": deck.link})
    assert (answer.status_code, answer.content, answer["Content-Type"]) == (200, b"", "application/zip")


def test_archives_are_not_compressed_once_more(client: Client) -> None:
    answer = client.post("/print/cards.zip", LIST, headers={"Accept-Encoding": "gzip"})
    assert body(answer).startswith(b"PK")


def test_the_options_of_the_print_hold_for_the_files(client: Client) -> None:
    cut = body(
        client.post(
            "/print/cut.svg", LIST | {"paper": "letter", "orientation": "landscape", "marks": "registration3"}
        )
    ).decode()
    assert 'viewBox="0 0 279.400 215.900"' in cut
    assert 'id="registration"' in cut
    archive = ZipFile(io.BytesIO(body(client.post("/print/cards.zip", LIST | {"copies": "3"}))))
    assert archive.namelist()[1:3] == ["06x-kai.png", "03x-li.png"]


def test_several_decks_of_a_game_are_one_saved_object(client: Client, owner: Client) -> None:
    one, two = (make_deck(owner, text, visibility="public") for text in ("1 Kai", "1 Li"))
    archive = ZipFile(io.BytesIO(body(client.get("/print/tabletop.zip", {"deck": [one.link, two.link]}))))
    saved = json.loads(archive.read(next(name for name in archive.namelist() if name.endswith(".json"))))
    cards = [card for thing in saved["ObjectStates"] for card in thing.get("ContainedObjects", [thing])]
    assert sorted(card["Nickname"] for card in cards) == ["Kai", "Li"]


# -- what is refused ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "wrong", "words"),
    [
        ("/print/cards.zip", {"dpi": "1200"}, "Pixels an inch must be 150 or 300 or 600, not “1200”."),
        (
            "/print/cards.zip",
            {"image": "<b>"},
            "Kind of picture must be png or webp or jpeg, not “&lt;b&gt;”.",
        ),
        (
            "/print/tabletop.zip",
            {"base_url": "javascript:alert(1)"},
            "Address of the pictures must be an address such as https://example.org/cards/",
        ),
        (
            "/print/service.zip",
            {"service": "printer"},
            "Print service must be generic or press or press-sheets or mpc",
        ),
        (
            "/print/service.pdf",
            {"service": "mpc", "trim": "tarot"},
            "Card size must be standard (63 × 88 mm) or poker (63.5 × 88.9 mm)",
        ),
        ("/print/cut.dxf", {"cut_sheet": "2"}, "a sheet of this print, 1 to 1, not “2”"),
        ("/print/cut.dxf", {"radius": "99"}, "Corners must be as-printed or 0 to 10 mm, not “99”"),
        ("/print/cards.zip", {"paper": "papyrus"}, "Paper: write width x height in mm"),
        ("/print/cards.zip", {"text": "2 Nobody Knows This"}, "line 1"),
        ("/print/service/", {"service": "x"}, "Print service must be"),
    ],
)
def test_what_cannot_be_made_is_said_on_the_print_page(
    client: Client, address: str, wrong: dict[str, str], words: str
) -> None:
    answer = client.post(address, LIST | wrong)
    assert answer.status_code == 400
    assert words.casefold() in answer.content.decode().casefold()


def test_nothing_asked_for_is_no_error_of_ours(client: Client) -> None:
    assert {client.get(address).status_code for address in FILES} <= {400, 404}
    assert {client.post(address).status_code for address in FILES} == {400}


def test_very_many_pictures_at_a_high_resolution_are_refused_with_what_to_do(client: Client) -> None:
    text = "\n".join(f"1 {card.name}" for card in games()["spycraft"].cards if len(card.prints) == 1)
    names = "\n".join(list(dict.fromkeys(text.splitlines()))[:200])
    query = {"game": "spycraft", "text": names, "dpi": "600"}
    answer = client.post("/print/cards.zip", query)
    assert answer.status_code == 400
    assert "choose a lower resolution, or fewer cards." in answer.content.decode()


@pytest.mark.parametrize("address", [*FILES, "/print/service/"])
def test_files_are_counted_as_work(client: Client, settings: Any, address: str) -> None:
    settings.CUTOUT_WORKS_PER_MINUTE = 0
    assert client.post(address, LIST).status_code == 429
    assert client.get(address, {"deck": "nothing"}).status_code == 429


# -- pages ------------------------------------------------------------------------------


def test_whoever_orders_is_told_what_to_look_at(client: Client) -> None:
    page = client.post(
        "/print/service/", LIST | {"service": "mpc", "text": "99 Kai", "copies": "7", "trim": "poker"}
    ).content.decode()
    assert "693 cards: one order of MakePlayingCards, by MPC Autofill takes 612 at most" in page
    assert "The cards are printed at 63.5 × 88.9 mm; the game&#39;s own size is 63 × 88 mm." in page
    assert '<input type="hidden" name="text" value="99 Kai">' in page
    assert '<input type="hidden" name="service" value="mpc">' in page


def test_the_page_before_ordering_leads_to_the_same_files(client: Client, owner: Client) -> None:
    deck = make_deck(owner, "1 Kai", visibility="public")
    page = client.get(
        "/print/service/", {"deck": deck.link, "service": "drivethru", "paper": "letter"}
    ).content.decode()
    assert 'method="get"' in page
    fields = dict(
        re.findall('<input type="hidden" name="([a-z]+)" value="([^"]*)">', page.partition("<main")[2])
    )
    assert fields == {"deck": deck.link, "paper": "letter", "service": "drivethru"}
    assert client.get("/print/service.zip", fields).status_code == 200


def test_every_file_has_a_button_and_every_field_a_label() -> None:
    part = Part(html.document_fromstring(render_to_string("printing/exports/links.html")))
    assert {button["formaction"] for button in part.all("button", form="print-form")} == {
        *FILES,
        "/print/service/",
    }
    fields = [field for tag in ("input", "select") for field in part.all(tag, form="print-form")]
    names = [field["name"] for field in fields]
    assert {*names} == {field for output in EXPORT_KINDS.values() for field in output.fields}
    assert all(part.has("label", for_=field["id"]) for field in fields)
    # One form sends them all, so no name may stand twice.
    assert len({*names}) == len(names)


# -- the command line ---------------------------------------------------------------------


@pytest.mark.parametrize("slug", sorted(EXPORT_KINDS))
def test_the_command_writes_the_file_that_the_page_hands_out(
    tmp_path: Path, client: Client, slug: str
) -> None:
    (tmp_path / "list.txt").write_text(LIST["text"])
    out = tmp_path / "out"
    call_command(
        "print_deck",
        str(tmp_path / "list.txt"),
        game="spycraft",
        output=str(out),
        output_kind=slug,
        dpi="150",
        stdout=io.StringIO(),
    )
    assert out.read_bytes() == body(client.post(f"/print/{EXPORT_KINDS[slug].file}", LIST))


def test_the_command_says_what_to_look_at_before_ordering(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("1 Kai")
    messages = io.StringIO()
    options = {
        "game": "spycraft",
        "output_kind": "service",
        "service": "game-crafter",
        "output": str(tmp_path / "out"),
    }
    call_command("print_deck", str(tmp_path / "list.txt"), **options, stdout=messages)
    assert "The cards are printed at 63.5 × 88.9 mm" in messages.getvalue()


def test_what_the_command_cannot_make_leaves_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "list.txt").write_text("1 Kai")
    out, messages = tmp_path / "out", io.StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command(
            "print_deck",
            str(tmp_path / "list.txt"),
            game="spycraft",
            output=str(out),
            output_kind="cut-svg",
            cut_sheet="9",
            stderr=messages,
        )
    assert (stopped.value.code, out.exists()) == (2, False)
    assert "1 to 1" in messages.getvalue()
