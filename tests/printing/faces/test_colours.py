"""Inks that can be read. And the ink saver: a quarter of the ink or less on every page, and all that is said
can still be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO

import pikepdf
import pytest

from cardsdb.games import games
from cardsdb.games.kit.print.face import Box, Face, Fill, Text
from printing.extras.pieces import STRIPS
from printing.faces.colours import BLACK, INK, PAPER, ROLES, contrast, saver
from printing.faces.compose import compose
from printing.faces.strokes import Drawing, Path, Picture, Rect, TextRun
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.layout.geometry import Area
from printing.layout.qr_code import code_of, code_strokes
from printing.options.values import read_options
from printing.render.files import sides_of
from printing.request.lists import pasted_list
from tests.support.drawings import bare_cards, parcel, runs, words_of
from tests.support.made_decks import starter
from tests.support.print_lists import job_for
from tests.support.rendering import ink, job_of
from tests.support.sheets import make_sheets

ROOT = "https://cutout.example"
# What is drawn of a pasted list is the same whichever engine the cards' edition is read from.
on_sqlite = pytest.mark.engine("sqlite")
CODE = code_of(f"{ROOT}/decks/gLAnIOVT4KE00NbFCRzZHQ/")
STARTERS = {game.slug: game.starters[0].slug for game in games().values() if game.starters}

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
def test_every_page_takes_a_quarter_of_the_ink_or_less(slug, options):
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
        {"trim": "mini"},
    ],
    ids=str,
)
def test_even_one_card_with_marks_words_rules_and_a_code_does(slug, code, options):
    """A small one needs a little more for the code beside it."""
    share = 3 / 10 if "trim" in options else 1 / 4
    assert_a_quarter(lambda style: alone(slug, code, style=style, **options), share=share)


def beside(slug: str, extras: str, **options: str) -> Callable[[str], Job]:
    """What is printed beside a ready list, on pages without a card, which would outweigh it."""
    listed = pasted_list(slug, starter(slug, STARTERS[slug]))
    return lambda style: job_for(
        listed, {"style": style, "extras": extras, "only": "none", **options}, None, ROOT
    )


@on_sqlite
@pytest.mark.django_db
@pytest.mark.parametrize("slug", STARTERS)
@pytest.mark.parametrize("code", [{}, {"qr": "none"}], ids=["code", "no code"])
def test_what_is_printed_beside_the_cards_needs_half(slug, code):
    """Their heads are lines in full ink, too."""
    for extras in ("tokens,scores,reference,labels", "register"):
        assert_a_quarter(beside(slug, extras, **code), PRINTED, 1 / 2)


@on_sqlite
@pytest.mark.django_db
@pytest.mark.parametrize(("slug", "extra"), ALONE)
def test_even_one_kind_of_it_alone_does(slug, extra):
    assert_a_quarter(beside(slug, extra), PRINTED, SHARES[extra])


# -- what is left ---------------------------------------------------------------------


@pytest.mark.parametrize(("slug", "code"), HARDEST)
def test_no_fill_and_no_grey_is_left_but_whole_black(slug, code):
    """A grey is dots, and leaves thin letters ragged. White lines beside marks print nothing."""
    job = alone(slug, code, style="saver", backs="long", bleed="2")
    drawn = [one for side in sides_of(job) for placed in side.placed for one in placed.drawing.strokes]
    assert not [
        one for one in drawn if isinstance(one, Rect | Picture) or (isinstance(one, Path) and not one.pen)
    ]
    with pikepdf.open(BytesIO(make_sheets(job).data)) as document:
        forms = (form for page in document.pages for form in page.Resources.get("/XObject", {}).values())
        streams = [one.read_bytes() for one in (*(page.Contents for page in document.pages), *forms)]
    inks = {ink for stream in streams for ink in re.findall(rb"([\d. ]+) (?:g|G|rg|RG|k|K)\b", stream)}
    assert {ink.split()[-1] for ink in inks} <= {b"0.000", b"1.000"} and b"0.000" in inks


@pytest.mark.parametrize("slug", games())
def test_every_word_of_a_card_is_still_there(slug):
    saved, full = (
        [words_of(piece.front) for piece in pieces_of(job_of(slug, 9, style=style))]
        for style in ("saver", "full")
    )
    assert saved == full


def test_words_in_the_middle_of_a_back_stay_there_in_thinner_letters():
    (piece,) = pieces_of(alone("spynet", "limonada", style="saver", backs="long"))
    assert piece.back
    assert all(abs(2 * one.x + one.width - piece.back.width) < 200 for one in runs(piece.back))


# -- codes ------------------------------------------------------------------------------


@on_sqlite
@pytest.mark.django_db
def test_the_saver_leaves_a_code_as_it_is_and_on_one_strip_of_a_label():
    """Outlines of modules are no code: what a camera reads stays filled."""
    assert CODE
    strokes = code_strokes(CODE, Area(0, 0, CODE.side * 400, CODE.side * 400))
    assert saver(Drawing("Code", 63_500, 88_900, strokes)).strokes == strokes

    def modules(style: str) -> int:
        wanted = {"style": style, "extras": "labels", "only": "none"}
        (label,) = pieces_of(job_for(pasted_list("spycraft", "2 Kai"), wanted, None, ROOT))
        return sum(isinstance(one, Rect) and one.colour == BLACK for one in label.front.strokes)

    assert modules("saver") and modules("full") == STRIPS * modules("saver")


def saved(*runs: TextRun) -> list[TextRun]:
    found = saver(Drawing("Rules", 63_500, 88_900, runs)).strokes
    return [one for one in found if isinstance(one, TextRun)]


def test_lines_that_begin_one_below_the_other_still_do_and_words_stand_a_space_behind_bold_ones():
    upper = TextRun(4_000, 10_000, "When an Agent of yours is", "sans", 3_000, 33_000, BLACK, False)
    lower = upper._replace(y=14_000, text="abducted, you may draw 2.", width=55_500)
    assert [one.x for one in saved(upper, lower)] == [4_000, 4_000]
    bold = upper._replace(text="Briefing:", font="sans-bold", width=13_000)
    first, second = saved(bold, upper._replace(x=17_600, text="If the RP of this Agent was"))
    assert (first.x, second.x) == (4_000, 4_600 + first.width) and first.width < 13_000


# -- inks that can be read ----------------------------------------------------------------


@pytest.mark.parametrize("role", ["ink", "soft", "line"])
def test_the_familys_inks_can_be_read_on_its_paper(role):
    assert contrast(ROLES[role], PAPER) >= (3.0 if role == "line" else 4.5)


def test_words_that_could_not_be_read_on_their_ground_change_ink(sixth_game):
    game = replace(sixth_game, colours={"Trieste": "#fff2b0"})
    band = Box(0, 0, 63_000, 13_500)
    face = Face((Fill(band, "by:city"), Text(band, "name", colour="paper")))
    inks = [runs(parcel(game, face, facts={"city": city}))[0].colour for city in ("trieste", "nowhere")]
    assert inks == [INK, PAPER]


@pytest.mark.parametrize("slug", games())
def test_a_plain_card_has_no_fills_and_the_same_words_in_inks_for_paper(slug):
    game = games()[slug]
    for card in [*game.cards[::7], *bare_cards(game)]:
        plain, usual = (compose(card, game, game.trim, plain=is_plain) for is_plain in (True, False))
        assert not any(isinstance(stroke, Rect) for stroke in plain.strokes)
        assert all(contrast(run.colour, PAPER) >= 4.5 for run in runs(plain)), card.key
        assert words_of(plain) == words_of(usual)
