"""The order of cuts of a guillotine: it frees every card, goes through none, and no order is shorter."""

from __future__ import annotations

from itertools import pairwise, product

import hypothesis
import pytest
from hypothesis import strategies as st

from printing.faces.strokes import TextRun
from printing.layout.cuts import Cut, cut_order, cuts_of, in_distances, piece_of
from printing.layout.geometry import Area, DoesNotFit, Layout, lay_out
from printing.layout.imposition import layout_for
from printing.layout.margins import Margins, Notes
from printing.layout.marks import area_of, crop_marks, fold_line
from printing.options.sizes import PAPERS, TRIMS
from printing.options.values import BadOption, read_options
from tests.support.layouts import for_all, layouts

NOTES = Notes("Nine Tiger", "Spycraft · A4", "Spycraft belongs to its owner.")


def halves(piece: Area, cut: Cut) -> list[Area]:
    """The piece after this cut: two pieces, or itself where the line passes it by."""
    begin, end = (piece.x, piece.right) if cut.upright else (piece.y, piece.bottom)
    if not begin < cut.at < end:
        return [piece]
    if cut.upright:
        return [piece._replace(width=cut.at - begin), piece._replace(x=cut.at, width=end - cut.at)]
    return [piece._replace(height=cut.at - begin), piece._replace(y=cut.at, height=end - cut.at)]


def after(pieces: list[Area], cut: Cut) -> list[Area]:
    return [half for piece in pieces for half in halves(piece, cut)]


def slots(layout: Layout) -> list[Area]:
    return [layout.slot(place) for place in range(layout.per_sheet)]


@for_all(layouts)
def test_the_cuts_in_their_order_free_every_card_and_go_through_none(layout: Layout) -> None:
    """And along each direction they go towards one edge, from which the next one is measured."""
    pieces, cards, cuts = [piece_of(layout)], slots(layout), cuts_of(layout)
    for number, cut in enumerate(cuts, 1):
        assert cut.number == number
        before, pieces = len(pieces), after(pieces, cut)
        assert len(pieces) > before
        assert not any(len(halves(card, cut)) > 1 for card in cards)
    assert set(cards) <= set(pieces)
    for upright in (True, False):
        at = [cut.at for cut in cuts if cut.upright == upright]
        assert at in (sorted(at), sorted(at, reverse=True))


@for_all(layouts, st.data())
def test_slots_that_stay_empty_need_no_cuts(layout: Layout, data: st.DataObject) -> None:
    hypothesis.assume(layout.per_sheet > 1)
    skip = data.draw(st.sets(st.integers(1, layout.per_sheet), max_size=layout.per_sheet - 1))
    pieces, cuts = [piece_of(layout)], cuts_of(layout, skip)
    cards = [card for place, card in enumerate(slots(layout), 1) if place not in skip]
    for cut in cuts:
        pieces = after(pieces, cut)
    assert set(cards) <= set(pieces)
    edges = {(True, x) for card in cards for x in (card.x, card.right)}
    edges |= {(False, y) for card in cards for y in (card.y, card.bottom)}
    assert {(cut.upright, cut.at) for cut in cuts} <= edges


@for_all(layouts)
def test_all_cuts_but_the_last_have_their_mark_on_a_piece_that_is_cut(layout: Layout) -> None:
    """Where the margins have marks on all sides but that of a fold, as printers' margins leave them."""
    hypothesis.assume(min(layout.whole.x, layout.whole.y) > layout.bleed + 2_000)
    pieces, cuts, block = [piece_of(layout)], cuts_of(layout), layout.block
    # The margin that comes off last is not the one at the fold.
    hypothesis.assume(not layout.fold or cuts[-1].at in (block.x, block.y))
    outer = [mark for mark in crop_marks(layout) if not area_of(mark).overlaps(layout.whole)]
    for cut in cuts[:-1]:
        crossed = [piece for piece in pieces if len(halves(piece, cut)) > 1]
        lines = [area_of(mark) for mark in outer if (mark.x1 == mark.x2) == cut.upright]
        marks = [line for line in lines if (line.x if cut.upright else line.y) == cut.at]
        assert any(mark.overlaps(piece) for mark in marks for piece in crossed)
        pieces = after(pieces, cut)


def fewest(cards: list[Area], piece: Area) -> int:
    """The least number of cuts, by trying all lines at edges of cards and in the middle of gaps, breadth
    first.
    """
    lines = []
    for upright, of in ((True, lambda a: (a.x, a.right)), (False, lambda a: (a.y, a.bottom))):
        edges = sorted({at for card in cards for at in of(card)})
        between = [(a + b) // 2 for a, b in pairwise(edges)]
        lines += [Cut(0, upright, at) for at in (*edges, *between)]
    lines = [line for line in lines if not any(len(halves(card, line)) > 1 for card in cards)]
    states, number = {frozenset([piece])}, 0
    while not any(set(cards) <= state for state in states):
        states = {frozenset(after(list(state), line)) for state in states for line in lines}
        number += 1
    return number


@pytest.mark.parametrize(
    ("columns", "rows", "gap"),
    [*product((1, 2), (1, 2, 3), (0,)), (1, 1, 2_000), (2, 1, 2_000), (1, 2, 2_000)],
)
def test_no_order_has_fewer_cuts(columns: int, rows: int, gap: int) -> None:
    layout = Layout(PAPERS["a4"], (63_000, 88_000), columns, rows, gap, gap)
    assert len(cuts_of(layout)) == fewest(slots(layout), layout.sheet)


@pytest.mark.parametrize(
    ("columns", "rows", "gap", "number"), [(3, 3, 0, 8), (3, 3, 2_000, 12), (2, 5, 0, 9), (4, 2, 1_000, 12)]
)
def test_a_grid_takes_one_cut_for_each_line(columns: int, rows: int, gap: int, number: int) -> None:
    assert len(cuts_of(Layout(PAPERS["a3"], (63_000, 80_000), columns, rows, gap, gap))) == number


def test_the_edge_of_the_paper_needs_no_cut() -> None:
    layout = Layout(PAPERS["a4"], (63_000, 88_000), 2, 2, left=0, top=0)
    assert [(cut.upright, cut.at) for cut in cuts_of(layout)] == [
        (False, 88_000),
        (True, 126_000),
        (True, 63_000),
        (False, 176_000),
    ]


def test_pieces_are_laid_on_each_other_when_strips_are_cut_and_for_the_last_margin() -> None:
    cuts = cuts_of(lay_out(PAPERS["a4"], (63_000, 88_000)))
    assert [cut.number for cut in cuts if cut.stack] == [4, 8]
    assert [cut.upright for cut in cuts] == [False] * 3 + [True] * 4 + [False]
    one = cuts_of(Layout(PAPERS["a4"], (63_000, 88_000), 1, 1))
    assert not any(cut.stack for cut in one)


def test_staggered_cards_have_no_order() -> None:
    cards = [Area(10, 10, 60, 90), Area(70, 50, 60, 90)]
    assert cut_order(cards, Area(0, 0, 210, 297)) == ()


@pytest.mark.parametrize("gap", [0, 2_000])
def test_no_layout_with_as_many_cards_has_fewer_cuts(gap: int) -> None:
    for paper, trim in product(PAPERS.values(), TRIMS.values()):
        best = lay_out(paper, trim.lengths, gap=(gap, gap))
        for orientation, turn in product(("portrait", "landscape"), ("upright", "turned")):
            try:
                other = lay_out(paper, trim.lengths, gap=(gap, gap), orientation=orientation, turn=turn)
            except DoesNotFit:
                continue
            assert other.per_sheet < best.per_sheet or len(cuts_of(other)) >= len(cuts_of(best))


# -- numbers in the margins ------------------------------------------------------------

OPTIONS = st.fixed_dictionaries(
    {
        "paper": st.sampled_from(list(PAPERS)),
        "trim": st.sampled_from(["poker", "standard", "mini", "micro", "tarot", "50.8x88.9"]),
        "gap": st.sampled_from(["0", "0.5", "2", "6"]),
        "margin": st.sampled_from(["0", "3", "5", "12", "3 3 12.5 3"]),
        "bleed": st.sampled_from(["auto", "0", "2"]),
        "bleed_where": st.sampled_from(["each", "outside"]),
        "marks": st.sampled_from(["corners", "edges"]),
        "backs": st.sampled_from(["none", "long", "gutterfold"]),
        "style": st.sampled_from(["light", "saver"]),
    }
)


def margins_of(**given: str) -> Margins:
    options = read_options({"cut_order": "yes", **given})
    assert options.trim
    return Margins(layout_for(options, options.trim.lengths), options, NOTES)


@for_all(OPTIONS)
def test_numbers_touch_nothing_and_cost_no_rule_and_no_words(given: dict[str, str]) -> None:
    try:
        around, plain = margins_of(**given), margins_of(**given, cut_order="no")
    except (BadOption, DoesNotFit):
        return
    layout, (bands, bars) = around.layout, around.furnished
    areas = [number.area for number in around.numbers]
    assert len(areas) in (0, len(around.cut_order))
    cards = [layout.bled(place) for place in range(layout.per_sheet)]
    marks = [*map(area_of, (*crop_marks(layout, around.tick), *fold_line(layout)))]
    others = [*cards, *map(layout.folded, cards if layout.fold else ()), *marks]
    others += [*(bar.area for bar in bars), *bands.above, *bands.below, *filter(None, [bands.foot])]
    for place, area in enumerate(areas):
        assert area.inside(layout.sheet.grown(*[-3_000] * 4))
        assert not any(area.overlaps(other) for other in (*others, *areas[place + 1 :]))
    assert {bar.label for bar in bars} == {bar.label for bar in plain.furnished[1]}
    assert len(bands.above) == len(plain.furnished[0].above)


@pytest.mark.parametrize(
    ("paper", "more"),
    [
        *product(
            ["a4", "letter", "a3", "legal", "tabloid"], [{}, {"backs": "gutterfold"}, {"marks": "edges"}]
        ),
        ("a4", {"gap": "2"}),
        ("letter", {"gap": "0.5"}),
    ],
)
def test_usual_sheets_say_their_numbers_and_the_order(paper: str, more: dict[str, str]) -> None:
    around = margins_of(paper=paper, trim="standard", **more)
    words = [one.text.strip() for one in around.furniture("front").over if isinstance(one, TextRun)]
    last = len(around.cut_order)
    assert {str(number) for number in range(1, last + 1)} <= set(words)
    assert f"cut1to{last}inorder" in "".join(words).replace(" ", "").casefold()


def test_backs_have_no_numbers_and_without_the_option_or_cut_marks_there_are_none() -> None:
    around = margins_of(trim="standard", backs="long")
    assert not any(isinstance(one, TextRun) and one.text == "8" for one in around.furniture("back").over)
    for without in ({"cut_order": "no"}, {"marks": "none"}):
        assert margins_of(**{"trim": "standard", **without}).numbers == ()


def test_numbers_keep_out_of_the_margin_that_the_printer_leaves_blank() -> None:
    around = margins_of(trim="standard", margin="3 3 12.5 3")
    assert around.numbers
    assert all(number.area.bottom <= 297_000 - 12_500 for number in around.numbers)


# -- what is said about it -------------------------------------------------------------


def test_places_are_said_from_an_edge_that_is_still_there() -> None:
    layout = Layout(PAPERS["a4"], (63_000, 88_000), 2, 2, left=10_000, top=10_000)
    assert in_distances(cuts_of(layout), layout) == (
        "Cut at 287, 199 mm from the foot, then all pieces, stacked, at 136, 73, 10 mm from the left,"
        " then all pieces, stacked, at 111 mm from the foot."
    )
