"""Whose game it is, at the foot of a sheet: in one piece where there is room, and never torn in the middle of
a sentence.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import hypothesis
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from cardsdb.games import games
from printing.faces import wording
from printing.faces.strokes import Stroke, TextRun
from printing.job.job import Job
from printing.layout.geometry import Area, DoesNotFit
from printing.layout.imposition import layout_for
from printing.layout.margins import SMALLEST, Margins, set_credit
from printing.layout.marks import area_of, crop_marks, cut_lines, fold_line
from printing.options.sizes import PAPERS, TRIMS
from printing.options.values import USUAL, Options, read_options

SPYCRAFT = wording.sheet_credit(games()["spycraft"])
LONG = " ".join(["Far more words than one line can hold."] * 60)
OPTIONS = st.builds(
    partial(replace, USUAL),
    paper=st.sampled_from(list(PAPERS.values())),
    trim=st.sampled_from([TRIMS[slug] for slug in ("poker", "standard", "mini", "tarot", "micro")]),
    gap=st.sampled_from([0, 2_000]),
    bleed=st.sampled_from([0, 2_000]),
    marks=st.sampled_from(["corners", "edges", "none", "registration3"]),
    backs=st.sampled_from(["none", "gutterfold"]),
)


def texts(strokes: tuple[Stroke, ...]) -> list[TextRun]:
    return [one for one in strokes if isinstance(one, TextRun)]


def lines(strokes: tuple[Stroke, ...]) -> dict[tuple[int, int], str]:
    """The words by the column and the line in which they stand."""
    return {(one.x, one.y): one.text for one in texts(strokes)}


def squashed(words: str) -> str:
    return "".join(words.split())


def job_of(slug: str, **options: str) -> Job:
    game = games()[slug]
    return Job(game, tuple((card, 1) for card in game.cards[:9]), options=read_options(options))


def forms_of(slug: str) -> tuple[str, ...]:
    game = games()[slug]
    return wording.sheet_credit(game), *wording.shorter_credits(game)


def credit_on(slug: str, **options: str) -> list[TextRun]:
    """The credit's words as they stand on a sheet of the game."""
    over = job_of(slug, **options).margins.furniture("front").over
    forms = " ".join(forms_of(slug))
    return [
        one for one in texts(over) if one.text.strip() in forms and not re.fullmatch(r"50 mm|2 in", one.text)
    ]


# -- on sheets ------------------------------------------------------------------------

# A game may state neither rights nor a licence.
CREDITED = [slug for slug, game in games().items() if wording.sheet_credit(game)]


@pytest.mark.parametrize("slug", CREDITED)
@pytest.mark.parametrize("trim", ["poker", "mini"])
def test_on_a4_the_credit_runs_across_the_sheet_below_the_marks(slug: str, trim: str) -> None:
    runs = credit_on(slug, trim=trim)
    job = Job(games()[slug], ((games()[slug].cards[0], 1),), options=read_options({"trim": trim}))
    assert {one.x for one in runs} == {job.layout.whole.x}
    assert squashed("".join(one.text for one in runs)) == squashed(wording.sheet_credit(games()[slug]))
    assert min(one.size for one in runs) >= SMALLEST
    marks_end = max(max(mark.y1, mark.y2) for mark in crop_marks(job.layout))
    assert min(one.y - one.size * 66 // 100 for one in runs) > marks_end
    assert len(runs) <= 2


USUAL_SHEETS: list[dict[str, str]] = [
    {},
    {"bleed": "2"},
    {"gap": "4"},
    {"bleed": "2", "gap": "4", "backs": "long"},
    {"bleed": "3", "gap": "6"},
    {"marks": "edges"},
    {"marks": "registration3"},
    {"backs": "gutterfold"},
    {"orientation": "landscape"},
    {"style": "saver"},
    {"sleeves": "yes"},
    {"trim": "mini"},
]


@pytest.mark.parametrize("slug", CREDITED)
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("options", USUAL_SHEETS, ids=lambda options: " ".join(options) or "usual")
def test_a_credit_is_readable_on_usual_sheets(slug: str, paper: str, options: dict[str, str]) -> None:
    runs = credit_on(slug, paper=paper, **options)
    assert min(one.size for one in runs) >= SMALLEST
    # Where a column ends no dot is needed between one part and the next.
    words = squashed("".join(one.text for one in runs)).replace("·", "")
    assert words in [squashed(form).replace("·", "") for form in forms_of(slug)]


def test_the_shorter_forms_of_a_licence_keep_author_licence_and_changes() -> None:
    first, last = wording.shorter_credits(games()["agentdecker"])
    for words in (first, last):
        assert words.startswith("Agent Decker by Manuel Correia, CC BY-NC 4.0 · ")
        assert words.endswith(" · Changed by Cutout")
    assert "creativecommons.org/licenses/by-nc/4.0" in first and len(first) > len(last)


@pytest.mark.parametrize("slug", CREDITED)
def test_each_shorter_form_is_shorter(slug: str) -> None:
    lengths = [len(form) for form in forms_of(slug)]
    assert lengths == sorted({*lengths}, reverse=True)


def test_the_shorter_forms_of_rights_name_their_owner() -> None:
    assert [forms_of(slug)[-1] for slug in ("spycraft", "spynet", "xfiles")] == [
        "Spycraft and its marks belong to Alderac Entertainment Group, Inc.",
        "© 2017 Z-Man Games; SpyNet is a trademark of Z-Man Games.",
        "© 1996-1997 Fox and United States Playing Card Company.",
    ]


def test_a_credit_too_small_to_be_read_is_remarked() -> None:
    assert not any("credit" in one for one in job_of("agentdecker", paper="letter", bleed="2").remarks())
    (remark,) = [
        one for one in job_of("agentdecker", trim="micro", paper="100x150").remarks() if "credit" in one
    ]
    assert re.match(r"The credit is printed in [1-5]\.\d pt", remark)


@settings(deadline=None)
@hypothesis.given(OPTIONS)
def test_the_strip_across_touches_no_card_mark_rule_or_other_word(options: Options) -> None:
    assert options.trim
    try:
        layout = layout_for(options, options.trim.lengths)
    except DoesNotFit:
        return
    bands, bars = Margins(layout, options).furnished
    if bands.foot is None:
        return
    assert bands.foot.inside(layout.sheet.grown(-3_000, -3_000, -3_000, -3_000))
    lines = [
        *crop_marks(layout),
        *fold_line(layout),
        *(cut_lines(layout) if options.marks == "edges" else ()),
    ]
    cells = [cell.grown(*[layout.bleed] * 4) for cell in layout.cells()]
    for other in (*cells, *map(area_of, lines), *(bar.area for bar in bars), *bands.above, *bands.below):
        assert not bands.foot.overlaps(other)


# -- in a place -------------------------------------------------------------------------


COLUMNS = tuple(Area(x, 0, 61_000, 4_000) for x in (0, 63_000))


def test_a_credit_stands_on_one_line_as_large_as_lets_it() -> None:
    (one,) = texts(set_credit(SPYCRAFT, [Area(0, 0, 190_000, 5_000)], COLUMNS))
    assert one.text == SPYCRAFT and one.width <= 190_000


def test_a_credit_too_long_for_one_line_takes_two_across_the_sheet() -> None:
    credit = wording.sheet_credit(games()["agentdecker"])
    credit_lines = lines(set_credit(credit, [Area(0, 0, 190_000, 5_000)], COLUMNS))
    assert len(credit_lines) == 2 and {x for x, _ in credit_lines} == {0}
    assert "https://creativecommons.org/licenses/by-nc/4.0/" in " ".join(credit_lines.values())


def test_without_a_strip_sentences_stay_whole() -> None:
    credit_lines = lines(set_credit(SPYCRAFT, [], COLUMNS))
    assert [text for (x, _), text in credit_lines.items() if x == 0][-1].endswith("Group, Inc.")


def test_a_column_that_a_code_left_narrow_is_left_out() -> None:
    credit_lines = lines(
        set_credit(
            SPYCRAFT,
            [],
            (Area(0, 0, 61_000, 5_200), Area(63_000, 0, 1, 5_200), Area(126_000, 0, 61_000, 5_200)),
        )
    )
    assert {x for x, _ in credit_lines} == {0, 126_000}


@pytest.mark.parametrize("across", [[], [Area(0, 0, 190_000, 2_500)]])
def test_what_is_far_too_long_runs_on_and_loses_no_word(across: list[Area]) -> None:
    credit_lines = lines(set_credit(LONG, across, COLUMNS))
    assert "".join("".join(credit_lines.values()).split()) == "".join(LONG.split())


def test_nothing_to_say_is_nothing() -> None:
    assert (
        set_credit("", [], COLUMNS)
        == set_credit("", [Area(0, 0, 190_000, 5_000)], COLUMNS)
        == set_credit(SPYCRAFT, [], ())
        == ()
    )


def test_a_margin_for_one_line_that_is_surely_printed_holds_a_credit_on_more_rather_than_in_tiny_type() -> (
    None
):
    assert min(one.size for one in credit_on("agentdecker", gap="4", orientation="landscape")) >= SMALLEST


def test_a_sheet_without_words_has_no_credit_that_is_too_small() -> None:
    assert Margins(layout_for(USUAL, (63_500, 88_900)), USUAL).credit_size == SMALLEST
