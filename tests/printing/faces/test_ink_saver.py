"""The ink saver: a quarter of the ink or less on every page, and all that is said can still be read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO

import pikepdf
import pytest

from cardsdb.games import games
from printing.extras.pieces import STRIPS
from printing.faces.colours import BLACK, saver
from printing.faces.strokes import Drawing, Line, Path, Picture, Rect, TextRun
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.layout.qr_code import code_of, code_strokes
from printing.options.values import read_options
from printing.render.files import sides_of
from printing.request.lists import pasted_list
from tests.support.print_lists import job_for
from tests.support.public_decks import starter
from tests.support.rendering import ink, job_of
from tests.support.sheets import make_sheets

ROOT = "https://cutout.example"
# What is drawn of a pasted list is the same whichever engine the cards' edition is read from.
on_sqlite = pytest.mark.engine("sqlite")
CODE = code_of(f"{ROOT}/decks/gLAnIOVT4KE00NbFCRzZHQ/")
STARTERS = [
    (game.slug, next(one.slug for one in game.starters)) for game in games().values() if game.starters
]

# What is printed beside the cards, one kind at a time, where the game has it.
ALONE = [
    (game.slug, extra)
    for game in games().values()
    for extra, has in (
        ("tokens", game.print_extras.markers),
        ("scores", game.print_extras.scores),
        ("reference", game.starters and (game.set_up or game.set_up_guide or game.glossary)),
        ("labels", game.starters),
    )
    if has
]

# What each kind needs of its full ink at most. Such a page is words and lines alone, in letters a third as
# thick and whole black: a quarter would be words that cannot be read.
SHARES = {"tokens": 7 / 20, "labels": 3 / 10, "reference": 23 / 50, "scores": 11 / 20}

# The cards that save least: many words, little colour.
HARDEST = [
    ("agentdecker", "patrolling-guard"),
    ("spycraft", "the-blue-damsel"),
    ("spynet", "limonada"),
    ("steamspy", "transylvanian-transportation-company"),
    ("xfiles", "assistant-director-walter-skinner"),
]


# Dots a millimetre: 300 an inch.
PRINTED = 11.8


def assert_a_quarter(made: Callable[[str], Job], dots: float = PRINTED, share: float = 1 / 4) -> None:
    """Page by page. Fewer dots make black hairlines thicker than any printer does, so that few are hard on
    the saver.
    """
    full, saved = (ink(make_sheets(made(style)).data, dots) for style in ("full", "saver"))
    assert len(full) == len(saved)
    assert [
        round(less / more, 3) for less, more in zip(saved, full, strict=True) if less > more * share
    ] == []


def alone(slug: str, code: str, **options: str) -> Job:
    """One card on a sheet, with all its furniture."""
    card = games()[slug].card(code)
    assert card and CODE
    return Job(
        games()[slug],
        ((card, 1),),
        title="Nine Tiger",
        options=read_options(options),
        codes=(CODE,),
    )


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize(
    "options", [{}, {"paper": "letter"}, {"backs": "long"}, {"paper": "letter", "backs": "short"}], ids=str
)
def test_every_page_takes_a_quarter_of_the_ink_or_less(slug: str, options: dict[str, str]) -> None:
    """Two whole sheets, and a last one that holds a single card."""
    assert_a_quarter(lambda style: job_of(slug, 19, style=style, **options), 5)


@pytest.mark.parametrize(("slug", "code"), HARDEST)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"paper": "letter", "backs": "long"},
        {"marks": "edges"},
        {"type": "large"},
        {"bleed": "2"},
        {"header": "no", "marks": "none"},
    ],
    ids=str,
)
def test_even_one_card_with_marks_words_rules_and_a_code_does(
    slug: str, code: str, options: dict[str, str]
) -> None:
    assert_a_quarter(lambda style: alone(slug, code, style=style, **options))


@pytest.mark.parametrize(("slug", "code"), HARDEST)
def test_one_small_card_needs_a_little_more_for_the_code_beside_it(slug: str, code: str) -> None:
    assert_a_quarter(lambda style: alone(slug, code, style=style, trim="mini"), share=3 / 10)


@on_sqlite
@pytest.mark.django_db
@pytest.mark.parametrize(("game", "slug"), STARTERS)
@pytest.mark.parametrize("code", [{}, {"qr": "none"}], ids=["code", "no code"])
def test_what_is_printed_beside_the_cards_needs_half(game: str, slug: str, code: dict[str, str]) -> None:
    """Each on a page with no card, which would outweigh it. Their heads are lines in full ink, too."""
    listed = pasted_list(game, starter(game, slug))
    for extra in ("tokens,scores,reference,labels", "register"):
        options = {"extras": extra, "only": "none", **code}
        assert_a_quarter(
            lambda style, options=options: job_for(listed, {"style": style, **options}, None, ROOT),
            PRINTED,
            1 / 2,
        )  # type: ignore[misc]


@on_sqlite
@pytest.mark.django_db
@pytest.mark.parametrize(("game", "extra"), ALONE)
def test_even_one_kind_of_it_alone_does(game: str, extra: str) -> None:
    listed = pasted_list(game, starter(game, dict(STARTERS)[game]))
    assert_a_quarter(
        lambda style: job_for(listed, {"style": style, "extras": extra, "only": "none"}, None, ROOT),
        PRINTED,
        SHARES[extra],
    )


@on_sqlite
@pytest.mark.django_db
@pytest.mark.parametrize(("game", "slug"), dict(STARTERS).items())
def test_a_list_that_begins_on_the_last_place_of_a_sheet_does(game: str, slug: str) -> None:
    listed = pasted_list(game, starter(game, slug))
    last = str(job_for(listed, {}, None, ROOT).layout.per_sheet)
    assert_a_quarter(lambda style: job_for(listed, {"style": style, "start": last}, None, ROOT), 8)


# -- what is left ---------------------------------------------------------------------


@pytest.mark.parametrize(("slug", "code"), HARDEST)
def test_no_fill_and_no_picture_is_left_but_the_code(slug: str, code: str) -> None:
    for side in sides_of(alone(slug, code, style="saver", backs="long")):
        drawn = [one for placed in side.placed for one in placed.drawing.strokes]
        assert not [
            one for one in drawn if isinstance(one, Rect | Picture) or (isinstance(one, Path) and not one.pen)
        ]


@pytest.mark.parametrize(("slug", "code"), HARDEST)
def test_nothing_is_printed_in_a_grey_but_all_in_whole_black(slug: str, code: str) -> None:
    """A grey is dots, and leaves thin letters ragged. White lines beside marks print nothing."""
    data = make_sheets(alone(slug, code, style="saver", backs="long", bleed="2")).data
    with pikepdf.open(BytesIO(data)) as document:
        streams = [page.Contents.read_bytes() for page in document.pages]
        streams += [
            form.read_bytes()
            for page in document.pages
            for form in page.Resources.get("/XObject", {}).values()
        ]
    inks = {ink for stream in streams for ink in re.findall(rb"([\d. ]+) (?:g|G|rg|RG|k|K)\b", stream)}
    assert {ink.split()[-1] for ink in inks} <= {b"0.000", b"1.000"} and b"0.000" in inks


@pytest.mark.parametrize("slug", games())
def test_every_word_of_a_card_is_still_there(slug: str) -> None:
    def printed(style: str) -> list[str]:
        return [
            one.text
            for piece in pieces_of(job_of(slug, 9, style=style))
            for one in piece.front.strokes
            if isinstance(one, TextRun)
        ]

    assert printed("saver") == printed("full")


def test_cut_lines_show_at_every_cut() -> None:
    """Dashes instead of lines, but in line with the same edges, and from one edge of the paper to the
    other.
    """
    job = alone("spycraft", "kai", style="saver", marks="edges")
    lines = [one for one in job.margins.furniture("front").under if isinstance(one, Line)]
    for x in job.layout.columns_at():
        dashes = [one for one in lines if one.x1 == one.x2 == x and one.colour == BLACK]
        assert (
            min(one.y1 for one in dashes) == 0
            and max(one.y2 for one in dashes) > job.layout.paper.height - 4_000
        )


def test_words_in_the_middle_of_a_back_stay_there_in_thinner_letters() -> None:
    (piece,) = pieces_of(alone("spynet", "limonada", style="saver", backs="long"))
    assert piece.back
    for one in piece.back.strokes:
        if isinstance(one, TextRun):
            assert abs(2 * one.x + one.width - piece.back.width) < 200, one


# -- codes ------------------------------------------------------------------------------


@on_sqlite
@pytest.mark.django_db
def test_a_label_keeps_its_code_as_modules_on_one_of_its_strips() -> None:
    """Outlines of modules are no code: what a camera reads stays filled."""
    listed = pasted_list("spycraft", "2 Kai")

    def modules(style: str) -> list[Rect]:
        job = job_for(listed, {"style": style, "extras": "labels", "only": "none"}, None, ROOT)
        (label,) = pieces_of(job)
        return [one for one in label.front.strokes if isinstance(one, Rect) and one.colour == BLACK]

    assert modules("saver") and len(modules("full")) == STRIPS * len(modules("saver"))


def test_the_saver_leaves_a_code_as_it_is() -> None:
    assert CODE
    job = alone("spycraft", "kai")
    (piece,) = pieces_of(job)
    strokes = code_strokes(CODE, job.layout.slot(0)._replace(width=CODE.side * 400, height=CODE.side * 400))
    assert saver(piece.front._replace(strokes=strokes)).strokes == strokes


def test_a_job_without_the_saver_is_as_it_was() -> None:
    job = alone("spycraft", "kai")
    usual = job.margins.furniture("front")
    assert usual != replace(job.margins, options=replace(job.options, style="saver")).furniture("front")
    assert {one.font for one in usual.over if isinstance(one, TextRun)} <= {"sans", "sans-bold"}


def test_lines_that_begin_one_below_the_other_still_do() -> None:
    upper = TextRun(4_000, 10_000, "When an Agent of yours is", "sans", 3_000, 33_000, BLACK, False)
    lower = upper._replace(y=14_000, text="abducted, you may draw 2.", width=55_500)
    saved = saver(Drawing("Rules", 63_500, 88_900, (upper, lower))).strokes
    assert [one.x for one in saved if isinstance(one, TextRun)] == [4_000, 4_000]


def test_words_stand_a_space_behind_bold_ones() -> None:
    bold = TextRun(4_000, 10_000, "Briefing:", "sans-bold", 3_000, 13_000, BLACK, False)
    plain = bold._replace(x=17_600, text="If the RP of this Agent was", font="sans", width=33_000)
    first, second = saver(Drawing("Rules", 63_500, 88_900, (bold, plain))).strokes
    assert isinstance(first, TextRun) and isinstance(second, TextRun)
    assert (first.x, second.x) == (4_000, 4_600 + first.width) and first.width < 13_000
