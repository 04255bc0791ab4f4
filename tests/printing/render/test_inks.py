"""On paper the words, rules and hair lines of the family take black ink alone."""

from __future__ import annotations

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
    """The operators of all pages and forms of the file."""
    with pikepdf.open(BytesIO(data)) as document:
        streams = [one for one in document.objects if isinstance(one, pikepdf.Stream)]
        drawn = [page.Contents for page in document.pages]
        drawn += [one for one in streams if one.get("/Subtype") == "/Form"]
        return "\n".join(one.read_bytes().decode("latin-1") for one in drawn)


def operator(colour: str) -> str:
    return " ".join(f"{value / 255:.3f}" for value in colours.channels(colour))


@pytest.mark.parametrize("slug", sorted(games()))
def test_words_and_lines_in_the_familys_inks_are_printed_with_black_alone(slug):
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


def test_the_darkest_ink_is_the_whole_black_in_greys_too():
    operators = contents(make_sheets(job_of("spycraft", 1, ink="grey")).data)
    assert re.search(r"^0\.000 g$", operators, re.M)
    assert f"{operator(colours.grey_of(colours.INK)).split()[0]} g" not in operators
