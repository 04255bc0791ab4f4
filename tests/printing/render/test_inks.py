"""On paper the family's colours of words, rules and hair lines are printed with black ink only."""

import re
from io import BytesIO

import pikepdf
import pytest

from cardsdb.games import games
from printing.faces import colours
from printing.faces.strokes import Line, TextRun
from printing.job.pieces import pieces_of
from tests.support.rendering import job_of
from tests.support.sheets import make_sheets


def contents(data: bytes) -> str:
    """Return the operators of all pages and forms of the file."""
    with pikepdf.open(BytesIO(data)) as document:
        streams = [part for part in document.objects if isinstance(part, pikepdf.Stream)]
        drawn = [page.Contents for page in document.pages]
        drawn += [stream for stream in streams if stream.get("/Subtype") == "/Form"]
        return "\n".join(stream.read_bytes().decode("latin-1") for stream in drawn)


def operator(colour: str) -> str:
    """Return the numbers of a colour as they stand before an operator: ``0.114 0.106 0.094``."""
    return " ".join(f"{value / 255:.3f}" for value in colours.channels(colour))


@pytest.mark.parametrize("slug", sorted(games()))
def test_words_and_lines_are_printed_with_black_ink_only(slug):
    job = job_of(slug, backs="long")
    operators = contents(make_sheets(job).data)
    inks = {
        stroke.colour
        for piece in pieces_of(job)
        for stroke in piece.front.strokes
        if isinstance(stroke, TextRun | Line)
    }
    assert colours.INK in inks
    for colour in (*colours.ROLES.values(), colours.FAINT):
        assert f"{operator(colour)} rg" not in operators and f"{operator(colour)} RG" not in operators
    assert re.search(r"^0\.000 g$", operators, re.M)


def test_the_darkest_colour_becomes_pure_black_also_in_greys():
    operators = contents(make_sheets(job_of("spycraft", 1, ink="grey")).data)
    assert re.search(r"^0\.000 g$", operators, re.M)
    assert f"{operator(colours.grey_of(colours.INK)).split()[0]} g" not in operators
