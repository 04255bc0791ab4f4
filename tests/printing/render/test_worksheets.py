"""Worksheets on paper, read back with another program."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pikepdf
import pypdfium2
import pytest
from django.test import Client

from cardsdb.games import games
from decks.models import Deck
from printing.faces.strokes import Line, Rect, TextRun
from printing.job.job import TooMuch
from printing.job.pieces import MissingCharacters
from printing.options.sizes import PAPERS
from printing.options.values import BadOption
from printing.render.worksheets import MAX_SHEETS, Paper, compose, print_worksheets

NORA = {"name": "Nora Field", "corporation": "Das Wort", "body": "4", "xp": "10"}
EVERY = [pytest.param(game.slug, sheet.slug, id=f"{game.slug}-{sheet.slug}") for game in games().values() for sheet in game.worksheets]


def paper(game: str, slug: str, typed: dict[str, str] | None = None) -> Paper:
    sheet = next(sheet for sheet in games()[game].worksheets if sheet.slug == slug)
    return Paper(games()[game], sheet, None if typed is None else sheet.fill_in(games()[game], typed))


def words(data: bytes) -> str:
    return "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(data))


@pytest.mark.parametrize(("game", "slug"), EVERY)
@pytest.mark.parametrize("size", ["a4", "letter"])
@pytest.mark.parametrize("typed", [None, {}], ids=["blank", "filled"])
def test_every_stroke_lies_on_the_paper(game: str, slug: str, size: str, typed: dict[str, str] | None) -> None:
    width, height = PAPERS[size].width, PAPERS[size].height
    for page in compose(paper(game, slug, typed), width, height):
        for one in page:
            match one:
                case TextRun():
                    assert one.x >= 5_000 and one.x + one.width <= width - 5_000, one.text
                    assert 5_000 <= one.y <= height - 5_000, one.text
                case Line():
                    assert min(one.x1, one.x2) >= 5_000 and max(one.x1, one.x2) <= width - 5_000
                case Rect():
                    assert one.x >= 5_000 and one.x + one.width <= width - 5_000


@pytest.mark.parametrize(("game", "slug"), EVERY)
def test_a_sheet_says_every_field_by_its_name(game: str, slug: str) -> None:
    one = paper(game, slug)
    said = " ".join(words(print_worksheets([one]).data).split())
    for field in one.sheet.fields:
        assert field.label in said


def test_a_filled_sheet_says_what_stands_in_it_and_what_follows() -> None:
    said = words(print_worksheets([paper("steamspy", "character-sheet", NORA)]).data)
    for text in ("Nora Field", "Das Wort", "4 = 1 + 2 bonus + 1 bought", "XP spent", "4 of 10"):
        assert text in said


def test_a_blank_sheet_is_blank() -> None:
    said = words(print_worksheets([paper("spynet", "set-up-draw")]).data)
    assert "Cards left" not in said
    assert "One drawn" not in said


def test_the_credit_a_game_asks_for_stands_on_every_page() -> None:
    made = print_worksheets([paper("agentdecker", "score-book"), paper("agentdecker", "campaign-state", {})])
    for page in pypdfium2.PdfDocument(made.data):
        said = page.get_textpage().get_text_range()
        assert "Manuel Correia" in said
        assert "creativecommons.org" in said


def test_the_file_has_title_language_structure_and_its_fonts() -> None:
    with pikepdf.open(io.BytesIO(print_worksheets([paper("steamspy", "character-sheet", NORA)]).data)) as file:
        assert str(file.docinfo["/Title"]) == "Character sheet: Nora Field"
        assert str(file.Root.Lang) == "en"
        assert file.Root.StructTreeRoot.K.K[0].S == "/P"
        fonts = file.pages[0].Resources.Font if "/Font" in file.pages[0].Resources else {}
        forms = list(file.pages[0].Resources.XObject.values())
        named = [*fonts.values(), *(font for form in forms for font in form.get("/Resources", {}).get("/Font", {}).values())]
        assert named
        assert all("/FontFile2" in font.FontDescriptor for font in named)


def test_the_same_sheet_gives_the_same_bytes() -> None:
    one = paper("steamspy", "character-sheet", NORA)
    assert print_worksheets([one]).data == print_worksheets([one]).data


def test_a_sheet_that_is_too_long_goes_on_on_a_second_page() -> None:
    one = paper("spynet", "set-up-draw", {"seed": "monday"})
    long = replace(one, verdict=("Not legal", tuple(f"Sentence number {number} about something found." for number in range(40))))
    made = print_worksheets([long])
    assert made.pages == 2
    assert "page 2 of 2" in words(made.data)


def test_what_no_font_has_is_refused_by_name() -> None:
    with pytest.raises(MissingCharacters, match="U\\+30B9"):
        print_worksheets([paper("steamspy", "character-sheet", {"name": "スパイ"})])


def test_paper_and_number_of_sheets_are_bounded() -> None:
    one = paper("steamspy", "handicap")
    with pytest.raises(BadOption):
        print_worksheets([one], "napkin")
    with pytest.raises(TooMuch):
        print_worksheets([one] * (MAX_SHEETS + 1))
    with pytest.raises(TooMuch):
        print_worksheets([])


# -- addresses --------------------------------------------------------------------


@pytest.mark.django_db
def test_a_sheet_is_printed_at_its_address(client: Client) -> None:
    answer = client.get(f"/games/steamspy/aids/character-sheet/sheet.pdf?{urlencode(NORA)}")
    assert answer["Content-Type"] == "application/pdf"
    assert "steamspy-character-sheet-nora-field.pdf" in answer["Content-Disposition"]
    assert "Legal" in words(answer.content)


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["body=strong", "paper=napkin", "name=%E3%82%B9"])
def test_what_cannot_be_printed_says_why(client: Client, query: str) -> None:
    answer = client.get(f"/games/steamspy/aids/character-sheet/sheet.pdf?{query}")
    assert answer.status_code == 400
    assert "This sheet cannot be printed" in answer.content.decode()


def made(client: Client, text: str, format: str, visibility: str = "unlisted") -> Deck:
    client.post("/decks/new/", {"game": "steamspy", "name": "Cell", "format": format, "text": text, "visibility": visibility})
    return Deck.objects.get()


@pytest.mark.django_db
def test_all_characters_of_a_deck_come_one_a_page(client: Client) -> None:
    deck = made(client, "1 Nora Field | character | body: 2\n1 Ivy Brass", "character")
    file: Any = pypdfium2.PdfDocument(Client().get(f"/print/worksheets.pdf?deck={deck.link}").content)
    assert [("Nora Field" in (said := page.get_textpage().get_text_range()), "Ivy Brass" in said) for page in file] == [
        (True, False),
        (False, True),
    ]


@pytest.mark.django_db
def test_sheets_of_a_private_deck_are_for_its_author(client: Client) -> None:
    deck = made(client, "1 Ivy Brass", "character", "private")
    assert client.get(f"/print/worksheets.pdf?deck={deck.link}").status_code == 200
    assert Client().get(f"/print/worksheets.pdf?deck={deck.link}").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("link", ["", "nobody"])
def test_sheets_of_no_deck_are_not_found(client: Client, link: str) -> None:
    assert client.get(f"/print/worksheets.pdf?deck={link}").status_code == 404
