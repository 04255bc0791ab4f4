"""Colours that can be read, and the ink saver: it takes a quarter of the ink or less, and keeps every
word.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO

import pikepdf
import pytest

from cardsdb.games import games
from cardsdb.games.kit.print.face import Box, Face, Fill, Text
from printing.extras.pieces import STRIPS
from printing.faces.colours import BLACK, INK, PAPER, contrast, saver
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
# Drawings do not depend on the database, so these tests run on SQLite only.
on_sqlite = pytest.mark.engine("sqlite")
CODE = code_of(f"{ROOT}/decks/gLAnIOVT4KE00NbFCRzZHQ/")
STARTERS = {game.slug: game.starters[0].slug for game in games().values() if game.starters}

# (game, kind of extra piece) for every kind that the game has.
ALONE = [
    (game.slug, extra)
    for game in games().values()
    for extra, has in (
        ("tokens", game.print_extras.markers),
        ("scores", game.print_extras.scores),
        ("reference", game.starters and (game.set_up or game.set_up_guide or game.glossary)),
        ("labels", game.starters),
        ("register", game.starters),
    )
    if has
]

# The largest share of the full ink that each kind of extra piece may take. These pages are mostly words,
# whose letters become a third as thick but black: a quarter of the ink would make them unreadable.
SHARES = {"tokens": 7 / 20, "labels": 3 / 10, "reference": 23 / 50, "scores": 11 / 20, "register": 1 / 2}

# The cards on which the least ink can be saved, because they have many words and little colour.
HARDEST = [
    ("agentdecker", "patrolling-guard"),
    ("spycraft", "the-blue-damsel"),
    ("spynet", "limonada"),
    ("steamspy", "transylvanian-transportation-company"),
    ("xfiles", "assistant-director-walter-skinner"),
]


# Dots per millimetre of a printer with 300 per inch.
PRINTED = 11.8


def assert_a_quarter(made: Callable[[str], Job], dots: float = PRINTED, share: float = 1 / 4) -> None:
    """Assert for each page that the ink saver takes at most this share of the full ink.

    Few ``dots`` make black hairlines thicker than a printer does, so they are a harder test.
    """
    full, saved = (ink(make_sheets(made(style)).data, dots) for style in ("full", "saver"))
    assert len(full) == len(saved)
    assert [
        round(less / more, 3) for less, more in zip(saved, full, strict=True) if less > more * share
    ] == []


def alone(slug: str, code: str, **options: str) -> Job:
    """Return a job with one card on a sheet, with everything that stands in the margins."""
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
@pytest.mark.parametrize("options", [{}, {"paper": "letter", "backs": "short"}], ids=str)
def test_every_page_takes_a_quarter_of_the_ink_or_less(slug, options):
    """Nineteen cards fill two sheets and put a single card on the last one."""
    assert_a_quarter(lambda style: job_of(slug, 19, style=style, **options), 5)


@pytest.mark.parametrize(("slug", "code"), HARDEST)
@pytest.mark.parametrize(
    "options",
    [{}, {"paper": "letter", "backs": "long", "bleed": "2", "type": "large"}, {"trim": "mini"}],
    ids=str,
)
def test_a_single_card_takes_a_quarter_of_the_ink_or_less(slug, code, options):
    """A small card may take a little more, because of the code beside it."""
    share = 3 / 10 if "trim" in options else 1 / 4
    assert_a_quarter(lambda style: alone(slug, code, style=style, **options), share=share)


def beside(slug: str, extras: str) -> Callable[[str], Job]:
    """Return a job of the extra pieces of a ready list, without the cards, which would outweigh them."""
    listed = pasted_list(slug, starter(slug, STARTERS[slug]))
    return lambda style: job_for(listed, {"style": style, "extras": extras, "only": "none"}, None, ROOT)


@on_sqlite
@pytest.mark.django_db
@pytest.mark.parametrize(("slug", "extra"), ALONE)
def test_each_kind_of_extra_piece_keeps_to_its_share_of_the_ink(slug, extra):
    assert_a_quarter(beside(slug, extra), PRINTED, SHARES[extra])


# -- what the ink saver keeps -----------------------------------------------------------


@pytest.mark.parametrize(("slug", "code"), HARDEST)
def test_the_ink_saver_leaves_no_fill_and_no_grey(slug, code):
    """Printers make grey of dots, which leave thin letters ragged.

    The only other colour is white, beside marks.
    """
    job = alone(slug, code, style="saver", backs="long", bleed="2")
    drawn = [stroke for side in sides_of(job) for placed in side.placed for stroke in placed.drawing.strokes]
    assert not any(isinstance(stroke, Rect | Picture) for stroke in drawn)
    assert not any(isinstance(stroke, Path) and not stroke.pen for stroke in drawn)
    with pikepdf.open(BytesIO(make_sheets(job).data)) as document:
        forms = (form for page in document.pages for form in page.Resources.get("/XObject", {}).values())
        streams = [part.read_bytes() for part in (*(page.Contents for page in document.pages), *forms)]
    inks = {ink for stream in streams for ink in re.findall(rb"([\d. ]+) (?:g|G|rg|RG|k|K)\b", stream)}
    assert {ink.split()[-1] for ink in inks} <= {b"0.000", b"1.000"} and b"0.000" in inks


@pytest.mark.parametrize("slug", games())
def test_the_ink_saver_keeps_every_word_of_a_card(slug):
    saved, full = (
        [words_of(piece.front) for piece in pieces_of(job_of(slug, 9, style=style))]
        for style in ("saver", "full")
    )
    assert saved == full


def test_centred_words_stay_centred_in_thinner_letters():
    (piece,) = pieces_of(alone("spynet", "limonada", style="saver", backs="long"))
    assert piece.back
    assert all(abs(2 * run.x + run.width - piece.back.width) < 200 for run in runs(piece.back))


# -- codes ------------------------------------------------------------------------------


@on_sqlite
@pytest.mark.django_db
def test_a_label_has_the_code_on_one_strip_only_to_save_ink():
    def modules(style: str) -> int:
        options = {"style": style, "extras": "labels", "only": "none"}
        (label,) = pieces_of(job_for(pasted_list("spycraft", "2 Kai"), options, None, ROOT))
        return sum(isinstance(stroke, Rect) and stroke.colour == BLACK for stroke in label.front.strokes)

    assert modules("saver") and modules("full") == STRIPS * modules("saver")


def test_the_modules_of_a_code_stay_filled():
    assert CODE
    strokes = code_strokes(CODE, Area(0, 0, CODE.side * 400, CODE.side * 400))
    assert saver(Drawing("Code", 63_500, 88_900, strokes)).strokes == strokes


UPPER = TextRun(4_000, 10_000, "When an Agent of yours is", "sans", 3_000, 33_000, BLACK, False)


def saved(*words: TextRun) -> list[TextRun]:
    return runs(saver(Drawing("Rules", 63_500, 88_900, words)))


def test_lines_that_begin_at_the_same_x_still_do():
    lower = UPPER._replace(y=14_000, text="abducted, you may draw 2.", width=55_500)
    assert [run.x for run in saved(UPPER, lower)] == [4_000, 4_000]


def test_words_keep_their_distance_to_bold_words_that_become_narrower():
    bold = UPPER._replace(text="Briefing:", font="sans-bold", width=13_000)
    first, second = saved(bold, UPPER._replace(x=17_600, text="If the RP of this Agent was"))
    assert (first.x, second.x) == (4_000, 4_600 + first.width) and first.width < 13_000


# -- colours that can be read -------------------------------------------------------------


def test_words_unreadable_on_their_ground_change_colour(sixth_game):
    game = replace(sixth_game, colours={"Trieste": "#fff2b0"})
    band = Box(0, 0, 63_000, 13_500)
    face = Face((Fill(band, "by:city"), Text(band, "name", colour="paper")))
    inks = [runs(parcel(game, face, facts={"city": city}))[0].colour for city in ("trieste", "nowhere")]
    assert inks == [INK, PAPER]


@pytest.mark.parametrize("slug", games())
def test_a_plain_card_has_no_fills_and_the_same_words(slug):
    game = games()[slug]
    for card in [*game.cards[::15], *bare_cards(game)]:
        plain, usual = (compose(card, game, game.trim, plain=is_plain) for is_plain in (True, False))
        assert not any(isinstance(stroke, Rect) for stroke in plain.strokes)
        assert all(contrast(run.colour, PAPER) >= 4.5 for run in runs(plain)), card.key
        assert words_of(plain) == words_of(usual)
