"""Worksheets on paper, read back with another program."""

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
from printing.extras.worksheet_blocks import wrapped
from printing.extras.worksheets import GRIDS, MAX_SHEETS, Paper, best_up, compose
from printing.faces.strokes import Line, Path, Rect, TextRun
from printing.job.limits import TooMuch
from printing.options.sizes import PAPERS
from printing.options.values import BadOption
from printing.render.files import print_worksheets
from tests.support.made_decks import named_deck
from tests.support.pages import page_of

pytestmark = pytest.mark.one_database

NORA = {"name": "Nora Field", "corporation": "Das Wort", "body": "4", "xp": "10"}
ALL_SHEETS = [
    pytest.param(game.slug, sheet.slug, id=f"{game.slug}-{sheet.slug}")
    for game in games().values()
    for sheet in game.worksheets
]


def paper(game: str, slug: str, typed: dict[str, str] | None = None) -> Paper:
    """Return a sheet that is filled in with what was typed; a blank one without."""
    sheet = next(sheet for sheet in games()[game].worksheets if sheet.slug == slug)
    return Paper(games()[game], sheet, None if typed is None else sheet.fill_in(games()[game], typed))


def words(data: bytes) -> str:
    return "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(data))


@pytest.mark.parametrize(("game", "slug"), ALL_SHEETS)
@pytest.mark.parametrize("size", ["a4", "letter"])
@pytest.mark.parametrize("up", GRIDS)
@pytest.mark.parametrize("typed", [None, {}], ids=["blank", "filled"])
def test_every_stroke_lies_on_the_paper_and_every_word_is_readable(game, slug, size, up, typed):
    columns, rows = GRIDS[up]
    # Nothing is closer than 5 mm to the edge of the sheet's part of the page.
    width, height = PAPERS[size].width // columns, PAPERS[size].height // rows
    for stroke in (stroke for page in compose(paper(game, slug, typed), width, height) for stroke in page):
        match stroke:
            case TextRun():
                xs, ys = [stroke.x, stroke.x + stroke.width], [stroke.y]
                # At least 7 points, except the credits at the foot.
                assert stroke.size >= 2_469 or stroke.y > height - 25_000, stroke.text
            case Line():
                xs, ys = [stroke.x1, stroke.x2], [stroke.y1, stroke.y2]
            case Rect():
                xs, ys = [stroke.x, stroke.x + stroke.width], []
            case Path():
                ends = [numbers for _, numbers in stroke.steps if numbers]
                xs, ys = [x for x, _ in ends], [y for _, y in ends]
        assert min(xs) >= 5_000 and max(xs) <= width - 5_000, stroke
        if ys:
            assert min(ys) >= 5_000 and max(ys) <= height - 5_000, stroke


def test_the_last_line_is_never_a_single_word():
    text = "SS-02: Nora Field: organisation not chosen. That is allowed, but the bonus of it is lost."
    for width in range(40_000, 140_000, 1_000):
        lines = wrapped(text, "sans", 2_800, width)
        assert len(lines) == 1 or " " in lines[-1], lines
        assert "".join(" ".join(lines).split()) == "".join(text.split())


# -- the number of sheets on a page -----------------------------------------------------

A4 = PAPERS["a4"].lengths
# Blank sheet -> how many of it fit on a page.
BEST = {
    "score-book": 4,
    "campaign-state": 2,
    "set-up-draw": 4,
    "count-the-end": 4,
    "character-sheet": 1,
    "xp-award": 8,
    "handicap": 8,
}


@pytest.mark.parametrize(("game", "slug"), ALL_SHEETS)
@pytest.mark.parametrize("size", ["a4", "letter"])
def test_a_page_has_as_many_blank_sheets_as_can_be_read(game, slug, size):
    assert best_up([paper(game, slug)], PAPERS[size].lengths) == BEST[slug]
    made = print_worksheets([paper(game, slug)], size)
    name = paper(game, slug).title
    assert made.pages == 1 and words(made.data).count(name) == BEST[slug]


@pytest.mark.parametrize("up", GRIDS)
def test_a_page_has_the_chosen_number_of_sheets_the_rest_of_them_blank(up):
    typed = {"own": "4", "other": "7"}
    for sheet, filled in ((paper("steamspy", "handicap"), 0), (paper("steamspy", "handicap", typed), 1)):
        text = words(print_worksheets([sheet], up=str(up)).data)
        assert (" ".join(text.split()).count("Level of the other"), text.count("+3")) == (up, filled)


@pytest.mark.parametrize(("game", "slug"), ALL_SHEETS)
def test_every_sheet_fills_its_part_of_the_page_and_has_every_field(game, slug):
    blank = paper(game, slug)
    columns, rows = GRIDS[BEST[slug]]
    height = A4[1] // rows
    (page,) = compose(blank, A4[0] // columns, height)
    runs = [run for run in page if isinstance(run, TextRun)]
    credit = min(run.y for run in runs if "Cutout" in run.text)
    ends = [run.y for run in runs if run.y < credit] + [line.y1 for line in page if isinstance(line, Line)]
    assert credit - max(ends) < height // 4
    text = " ".join(words(print_worksheets([blank]).data).split())
    assert [field.label for field in blank.sheet.fields if field.label not in text] == []


def test_a_sheet_too_long_for_its_part_is_not_divided_after_a_heading():
    pages = compose(paper("steamspy", "character-sheet"), A4[0] // 2, A4[1] // 2)
    assert len(pages) > 1
    for page in pages:
        runs = [run for run in page if isinstance(run, TextRun) and "Cutout" not in run.text]
        last = max((run for run in runs if run.size >= 2_469), key=lambda run: run.y)
        # Notes are only lines to write on, so nothing is printed after this heading.
        assert last.font != "serif-bold" or last.text == "Notes"


def test_a_filled_sheet_shows_its_values_and_results():
    first, second = (print_worksheets([paper("steamspy", "character-sheet", NORA)]).data for _ in range(2))
    assert first == second
    for part in ("Nora Field", "Das Wort", "4 = 1 + 2 bonus + 1 bought", "XP spent", "4 of 10"):
        assert part in words(first)


def test_a_blank_sheet_shows_no_results():
    text = words(print_worksheets([paper("spynet", "set-up-draw")]).data)
    assert "Cards left" not in text and "One drawn" not in text


def test_the_credit_that_a_game_asks_for_is_on_every_page():
    made = print_worksheets([paper("agentdecker", "score-book"), paper("agentdecker", "campaign-state", {})])
    for page in pypdfium2.PdfDocument(made.data):
        text = page.get_textpage().get_text_range()
        assert "Manuel Correia" in text
        assert "creativecommons.org" in text


def test_the_file_has_title_language_structure_and_its_fonts():
    data = print_worksheets([paper("steamspy", "character-sheet", NORA)]).data
    with pikepdf.open(io.BytesIO(data)) as file:
        assert str(file.docinfo["/Title"]) == "Character sheet: Nora Field"
        assert str(file.Root.Lang) == "en" and file.Root.StructTreeRoot.K.K[0].S == "/P"
        dictionaries = [part for part in file.objects if isinstance(part, pikepdf.Dictionary)]
        fonts = [part for part in dictionaries if part.get("/Type") == "/Font"]
        assert fonts and all("/FontFile2" in font.FontDescriptor for font in fonts)


def test_a_sheet_that_is_too_long_takes_a_second_page():
    findings = tuple(f"Sentence number {number} about something found." for number in range(90))
    long = replace(paper("spynet", "set-up-draw", {"seed": "monday"}), verdict=("Not legal", findings))
    made = print_worksheets([long])
    assert made.pages == 2 and "page 2 of 2" in words(made.data)


@pytest.mark.parametrize(
    ("number", "up", "fault"), [(1, "3", BadOption), (0, "", TooMuch), (MAX_SHEETS + 1, "", TooMuch)]
)
def test_no_sheets_too_many_and_an_impossible_number_on_a_page_are_refused(number, up, fault):
    with pytest.raises(fault):
        print_worksheets([paper("steamspy", "handicap")] * number, up=up)


# -- addresses --------------------------------------------------------------------


@pytest.mark.django_db
def test_a_worksheet_is_printed_at_its_address(client):
    answer = client.get(f"/games/steamspy/aids/character-sheet/sheet.pdf?{urlencode(NORA)}")
    assert answer["Content-Type"] == "application/pdf"
    assert "steamspy-character-sheet-nora-field.pdf" in answer["Content-Disposition"]
    assert "Legal" in words(answer.content)


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["body=strong", "paper=napkin", "name=%E3%82%B9"])
def test_the_page_says_why_a_worksheet_cannot_be_printed(client, query):
    answer = client.get(f"/games/steamspy/aids/character-sheet/sheet.pdf?{query}")
    shown = page_of(answer, status=400)
    assert "This sheet cannot be printed" in shown.text and ("U+30B9" in shown.text) is ("%B9" in query)


@pytest.mark.django_db
def test_each_character_of_a_deck_has_a_page(client):
    text = "1 Nora Field | character | body: 2\n1 Ivy Brass"
    deck = named_deck(client, "Cell", text, game="steamspy")
    Deck.objects.filter(pk=deck.pk).update(format="character")
    file: Any = pypdfium2.PdfDocument(Client().get(f"/print/worksheets.pdf?deck={deck.link}").content)
    pages = [page.get_textpage().get_text_range() for page in file]
    names = ("Nora Field", "Ivy Brass")
    assert [[name for name in names if name in text] for text in pages] == [[name] for name in names]
    assert Client().get("/print/worksheets.pdf?deck=nobody").status_code == 404
