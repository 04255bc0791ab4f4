"""The page of a register: the rules to measure by, as on the sheets of cards, found and measured in the
printed picture.
"""

from __future__ import annotations

import pypdfium2
import pytest

from cardsdb.games import games
from printing.extras.register import BARS
from printing.faces.strokes import Line, Rect, TextRun
from printing.job.job import Job
from printing.layout.geometry import Area
from printing.layout.margins import HINT
from printing.options.sizes import PAPERS
from printing.request.lists import pasted_list
from tests.support.print_lists import job_for
from tests.support.public_decks import starter
from tests.support.rendering import DOTS, pictures
from tests.support.sheets import make_sheets

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = pytest.mark.engine("sqlite")

ROOT = "https://cutout.example"


def register_of(game: str, slug: str, **options: str) -> Job:
    return job_for(
        pasted_list(game, starter(game, slug)), {"extras": "register", "only": "none", **options}, None, ROOT
    )


@pytest.mark.django_db
@pytest.mark.parametrize("style", ["full", "saver"])
@pytest.mark.parametrize("paper", list(PAPERS))
def test_the_rules_measure_50_mm_and_2_in_on_paper(paper: str, style: str) -> None:
    """Half a millimetre beside each rule its two ticks alone are dark; from one to the other it is as far as
    the rule says.
    """
    job = register_of("spycraft", "nine-tiger", paper=paper, style=style)
    page = pictures(make_sheets(job).data)[0].convert("L")
    width = job.layout.paper.width
    for at, inward, length in ((BARS, 500, 50.0), (width - BARS, -500, 50.8)):
        column = [page.getpixel(((at + inward) * DOTS // 1000, y)) for y in range(page.height)]
        dark = [y for y, light in enumerate(column) if light < 245]
        assert dark and (dark[-1] - dark[0]) / DOTS == pytest.approx(length, abs=0.3)
        assert len(dark) <= 8


@pytest.mark.django_db
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("slug", games())
def test_the_rules_touch_nothing_and_their_words_say_what_they_are(slug: str, paper: str) -> None:
    job = register_of(slug, games()[slug].starters[0].slug, paper=paper)
    for page in job.end_pages:
        printed = [one.text for one in page.strokes if isinstance(one, TextRun)]
        assert {"50 mm", "2 in", HINT} <= set(printed)
        rules = [
            one
            for one in page.strokes
            if isinstance(one, Line) and one.x1 == one.x2 and one.x1 in (BARS, page.width - BARS)
        ]
        assert sorted(one.y2 - one.y1 for one in rules) == [50_000, 50_800]
        printed = Area(BARS + 1_000, 0, page.width - 2 * BARS - 2_000, page.height)
        for one in page.strokes:
            if isinstance(one, TextRun) and not one.turned:
                assert printed.x <= one.x and one.x + one.width <= printed.right
            elif isinstance(one, Rect):
                assert Area(one.x, one.y, one.width, one.height).inside(printed)


@pytest.mark.django_db
def test_a_register_that_saves_ink_lists_every_card_all_the_same() -> None:
    listed = pasted_list("xfiles", starter("xfiles", "deck-mulder"))
    job = job_for(listed, {"extras": "register", "only": "none", "style": "saver"}, None, ROOT)
    document = pypdfium2.PdfDocument(make_sheets(job).data)
    text = " ".join(" ".join(page.get_textpage().get_text_range().split()) for page in document)
    assert [entry.card.name for entry in listed.deck if entry.card.name not in text] == []


@pytest.mark.django_db
def test_a_register_is_in_greys_where_the_sheets_are() -> None:
    colours = {
        one.colour
        for one in register_of("spycraft", "nine-tiger", ink="grey").end_pages[0].strokes
        if hasattr(one, "colour")
    }
    assert colours and all(colour[1:3] == colour[3:5] == colour[5:7] for colour in colours)


@pytest.mark.django_db
@pytest.mark.parametrize("slug", games())
def test_no_words_of_a_register_are_smaller_than_six_points(slug: str) -> None:
    for page in register_of(slug, games()[slug].starters[0].slug).end_pages:
        assert min(one.size for one in page.strokes if isinstance(one, TextRun)) >= 6 * 25_400 // 72
