"""Worksheets on paper, read back with another program."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pikepdf
import pypdfium2
import pytest
from django.template.loader import get_template
from django.test import Client

from cardsdb.games import games
from decks.models import Deck
from printing.extras.worksheet_blocks import wrapped
from printing.extras.worksheets import GRIDS, MAX_SHEETS, UP, Paper, best_up, compose
from printing.faces.strokes import Line, Path, Rect, TextRun
from printing.job.job import TooMuch
from printing.job.pieces import MissingCharacters
from printing.options.sizes import PAPERS
from printing.options.values import BadOption
from printing.render.files import print_worksheets

pytestmark = pytest.mark.one_database

NORA = {"name": "Nora Field", "corporation": "Das Wort", "body": "4", "xp": "10"}
EVERY = [
    pytest.param(game.slug, sheet.slug, id=f"{game.slug}-{sheet.slug}")
    for game in games().values()
    for sheet in game.worksheets
]


def paper(game: str, slug: str, typed: dict[str, str] | None = None) -> Paper:
    sheet = next(sheet for sheet in games()[game].worksheets if sheet.slug == slug)
    return Paper(games()[game], sheet, None if typed is None else sheet.fill_in(games()[game], typed))


def words(data: bytes) -> str:
    return "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(data))


@pytest.mark.parametrize(("game", "slug"), EVERY)
@pytest.mark.parametrize("size", ["a4", "letter"])
@pytest.mark.parametrize("up", GRIDS)
@pytest.mark.parametrize("typed", [None, {}], ids=["blank", "filled"])
def test_every_stroke_lies_on_its_part_of_the_paper_and_can_be_read(
    game: str, slug: str, size: str, up: int, typed: dict[str, str] | None
) -> None:
    columns, rows = GRIDS[up]
    width, height = PAPERS[size].width // columns, PAPERS[size].height // rows
    one = paper(game, slug, typed)
    for page in compose(one, width, height):
        for stroke in page:
            match stroke:
                case TextRun():
                    assert stroke.x >= 5_000 and stroke.x + stroke.width <= width - 5_000, stroke.text
                    assert 5_000 <= stroke.y <= height - 5_000, stroke.text
                    # 7 points; the credits at the foot may be smaller.
                    assert stroke.size >= 2_469 or stroke.y > height - 25_000, stroke.text
                case Line():
                    assert min(stroke.x1, stroke.x2) >= 5_000 and max(stroke.x1, stroke.x2) <= width - 5_000
                    assert min(stroke.y1, stroke.y2) >= 5_000 and max(stroke.y1, stroke.y2) <= height - 5_000
                case Rect():
                    assert stroke.x >= 5_000 and stroke.x + stroke.width <= width - 5_000
                case Path():
                    ends = [numbers for _, numbers in stroke.steps if numbers]
                    assert all(5_000 <= x <= width - 5_000 and 5_000 <= y <= height - 5_000 for x, y in ends)


# -- how many on a page -----------------------------------------------------------------

A4 = PAPERS["a4"].lengths
# The blank sheet -> how many of it a page holds undivided.
BEST = {
    "score-book": 4,
    "campaign-state": 2,
    "set-up-draw": 4,
    "count-the-end": 4,
    "character-sheet": 1,
    "xp-award": 8,
    "handicap": 8,
}


@pytest.mark.parametrize(("game", "slug"), EVERY)
@pytest.mark.parametrize("size", ["a4", "letter"])
def test_a_page_holds_as_many_blank_sheets_as_can_be_read(game: str, slug: str, size: str) -> None:
    assert best_up([paper(game, slug)], PAPERS[size].lengths) == BEST[slug]
    made = print_worksheets([paper(game, slug)], size)
    name = paper(game, slug).title
    assert made.pages == 1 and words(made.data).count(name) == BEST[slug]


def test_what_is_left_of_a_page_holds_blank_sheets() -> None:
    text = words(print_worksheets([paper("steamspy", "handicap", {"own": "4", "other": "7"})]).data)
    assert text.count("+3") == 1 and " ".join(text.split()).count("Level of the other") == 8


@pytest.mark.parametrize("up", GRIDS)
def test_as_many_stand_on_a_page_as_are_wanted(up: int) -> None:
    text = words(print_worksheets([paper("steamspy", "handicap")], up=str(up)).data)
    assert text.count("Level of the other") == up


def test_every_sheet_fills_its_part_of_the_page() -> None:
    for game, slug in [one.values for one in EVERY]:
        columns, rows = GRIDS[BEST[str(slug)]]
        height = A4[1] // rows
        (page,) = compose(paper(str(game), str(slug)), A4[0] // columns, height)
        credit = min(one.y for one in page if isinstance(one, TextRun) and "Cutout" in one.text)
        drawn = max(one.y for one in page if isinstance(one, TextRun) and one.y < credit)
        ruled = max((one.y1 for one in page if isinstance(one, Line)), default=0)
        assert credit - max(drawn, ruled) < height // 4, slug


def test_a_sheet_too_long_for_its_part_goes_on_in_the_next_and_no_heading_stands_alone() -> None:
    one = paper("steamspy", "character-sheet")
    pages = compose(one, A4[0] // 2, A4[1] // 2)
    assert len(pages) > 1
    for page in pages:
        runs = [run for run in page if isinstance(run, TextRun) and "Cutout" not in run.text]
        last = max((run for run in runs if run.size >= 2_469), key=lambda run: run.y)
        # Lines to write on follow this one.
        assert last.font != "serif-bold" or last.text == "Notes"


def test_the_last_line_of_a_sentence_is_no_single_word() -> None:
    text = "SS-02: Nora Field: organisation not chosen. That is allowed, but the bonus of it is lost."
    for width in range(40_000, 140_000, 1_000):
        lines = wrapped(text, "sans", 2_800, width)
        assert len(lines) == 1 or " " in lines[-1], lines
        assert "".join(" ".join(lines).split()) == "".join(text.split())


def test_how_many_may_stand_on_a_page_is_bounded() -> None:
    with pytest.raises(BadOption, match="On a page must be 1 or 2 or 4 or 8"):
        print_worksheets([paper("steamspy", "handicap")], up="3")


def test_the_form_offers_what_can_be_asked() -> None:
    offered = get_template("printing/worksheet_options.html").render()
    assert re.findall(r'<option value="([^"]*)">([^<]*)<', offered) == [
        *UP.choices.items(),
        *((size.slug, size.name) for size in PAPERS.values()),
    ]


@pytest.mark.parametrize(("game", "slug"), EVERY)
def test_a_sheet_says_every_field_by_its_name(game: str, slug: str) -> None:
    one = paper(game, slug)
    text = " ".join(words(print_worksheets([one]).data).split())
    for field in one.sheet.fields:
        assert field.label in text


def test_a_filled_sheet_says_what_stands_in_it_and_what_follows() -> None:
    text = words(print_worksheets([paper("steamspy", "character-sheet", NORA)]).data)
    for part in ("Nora Field", "Das Wort", "4 = 1 + 2 bonus + 1 bought", "XP spent", "4 of 10"):
        assert part in text


def test_a_blank_sheet_is_blank() -> None:
    text = words(print_worksheets([paper("spynet", "set-up-draw")]).data)
    assert "Cards left" not in text
    assert "One drawn" not in text


def test_the_credit_a_game_asks_for_stands_on_every_page() -> None:
    made = print_worksheets([paper("agentdecker", "score-book"), paper("agentdecker", "campaign-state", {})])
    for page in pypdfium2.PdfDocument(made.data):
        text = page.get_textpage().get_text_range()
        assert "Manuel Correia" in text
        assert "creativecommons.org" in text


def test_the_file_has_title_language_structure_and_its_fonts() -> None:
    with pikepdf.open(
        io.BytesIO(print_worksheets([paper("steamspy", "character-sheet", NORA)]).data)
    ) as file:
        assert str(file.docinfo["/Title"]) == "Character sheet: Nora Field"
        assert str(file.Root.Lang) == "en"
        assert file.Root.StructTreeRoot.K.K[0].S == "/P"
        fonts = file.pages[0].Resources.Font if "/Font" in file.pages[0].Resources else {}
        forms = list(file.pages[0].Resources.XObject.values())
        named = [
            *fonts.values(),
            *(font for form in forms for font in form.get("/Resources", {}).get("/Font", {}).values()),
        ]
        assert named
        assert all("/FontFile2" in font.FontDescriptor for font in named)


def test_the_same_sheet_gives_the_same_bytes() -> None:
    one = paper("steamspy", "character-sheet", NORA)
    assert print_worksheets([one]).data == print_worksheets([one]).data


def test_a_sheet_that_is_too_long_goes_on_on_a_second_page() -> None:
    one = paper("spynet", "set-up-draw", {"seed": "monday"})
    long = replace(
        one,
        verdict=(
            "Not legal",
            tuple(f"Sentence number {number} about something found." for number in range(90)),
        ),
    )
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
    client.post(
        "/decks/new/",
        {"game": "steamspy", "name": "Cell", "format": format, "text": text, "visibility": visibility},
    )
    return Deck.objects.get()


@pytest.mark.django_db
def test_all_characters_of_a_deck_come_one_a_page(client: Client) -> None:
    deck = made(client, "1 Nora Field | character | body: 2\n1 Ivy Brass", "character")
    file: Any = pypdfium2.PdfDocument(Client().get(f"/print/worksheets.pdf?deck={deck.link}").content)
    assert [
        ("Nora Field" in (text := page.get_textpage().get_text_range()), "Ivy Brass" in text) for page in file
    ] == [
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
