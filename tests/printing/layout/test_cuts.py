"""A guillotine's cuts free every card, go through none, and are as few as can be."""

from itertools import product

import hypothesis
import pytest
from hypothesis import strategies as st

from printing.faces.strokes import TextRun
from printing.layout.cuts import Cut, cut_order, cuts_of, in_distances, piece_of
from printing.layout.geometry import Area, Layout, lay_out
from printing.layout.marks import area_of, crop_marks
from printing.options.sizes import PAPERS, TRIMS
from tests.support.layouts import NOTES, attempt, for_all, layouts, margins_of

# A4, and a card of 63 x 88 mm.
A4_CARD = PAPERS["a4"], (63_000, 88_000)


def halves(piece: Area, cut: Cut) -> list[Area]:
    """Return the two parts of a piece after this cut, or the piece itself if the cut passes it by."""
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


@for_all(layouts, st.data())
def test_cuts_free_every_card_and_are_one_for_each_edge(layout, data):
    """Fewer cuts would free no card, because every edge of a card needs one, unless it is the edge of the
    paper. Empty slots need none. In each direction the cuts go towards one edge, from which the next is
    measured.
    """
    skip = data.draw(st.sets(st.integers(1, layout.per_sheet), max_size=layout.per_sheet - 1))
    pieces, cuts = [piece_of(layout)], cuts_of(layout, skip)
    cards = [card for place, card in enumerate(slots(layout), 1) if place not in skip]
    paper_edges = {(True, 0), (True, pieces[0].right), (False, 0), (False, pieces[0].bottom)}
    card_edges = {(True, x) for card in cards for x in (card.x, card.right)}
    card_edges |= {(False, y) for card in cards for y in (card.y, card.bottom)}
    assert sorted((cut.upright, cut.at) for cut in cuts) == sorted(card_edges - paper_edges)
    for number, cut in enumerate(cuts, 1):
        assert cut.number == number
        before, pieces = len(pieces), after(pieces, cut)
        assert len(pieces) > before
        assert not any(len(halves(card, cut)) > 1 for card in cards)
    assert set(cards) <= set(pieces)
    for upright in (True, False):
        at = [cut.at for cut in cuts if cut.upright == upright]
        assert at in (sorted(at), sorted(at, reverse=True))


@pytest.mark.parametrize("gap", [0, 2_000])
def test_no_layout_with_as_many_cards_has_fewer_cuts(gap):
    ways = list(product(("portrait", "landscape"), ("upright", "turned")))
    for paper, trim in product(PAPERS.values(), TRIMS.values()):
        best, *others = (
            attempt(paper, trim.lengths, gap=(gap, gap), orientation=lies, turn=turn)
            for lies, turn in [("auto", "auto"), *ways]
        )
        alike = [other for other in others if best and other and other.per_sheet == best.per_sheet]
        assert all(len(cuts_of(other)) >= len(cuts_of(best)) for other in alike), (paper, trim)


@for_all(layouts)
def test_every_cut_but_the_last_has_its_mark(layout):
    """This holds where the margins have room for marks on all sides except at a fold."""
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


def test_pieces_are_stacked_before_strips_and_the_last_margin():
    cuts = cuts_of(lay_out(*A4_CARD))
    assert [cut.number for cut in cuts if cut.stack] == [4, 8]
    assert [cut.upright for cut in cuts] == [False] * 3 + [True] * 4 + [False]
    cuts_of_one_card = cuts_of(Layout(*A4_CARD, 1, 1))
    assert not any(cut.stack for cut in cuts_of_one_card)


def test_staggered_cards_have_no_order():
    cards = [Area(10, 10, 60, 90), Area(70, 50, 60, 90)]
    assert cut_order(cards, Area(0, 0, 210, 297)) == ()


# -- numbers in the margins ------------------------------------------------------------


@pytest.mark.parametrize("paper", ["a4", "letter", "a3", "legal", "tabloid"])
@pytest.mark.parametrize("more", [{}, {"backs": "gutterfold"}, {"marks": "edges"}])
def test_usual_sheets_show_the_numbers_of_cuts_and_state_their_order(paper, more):
    around = margins_of(NOTES, paper=paper, cut_order="yes", **more)
    words = [run.text.strip() for run in around.furniture("front").over if isinstance(run, TextRun)]
    last = len(around.cut_order)
    assert {str(number) for number in range(1, last + 1)} <= set(words)
    assert f"cut1to{last}inorder" in "".join(words).replace(" ", "").casefold()


def test_backs_have_no_numbers():
    around = margins_of(backs="long", cut_order="yes")
    texts = [stroke.text for stroke in around.furniture("back").over if isinstance(stroke, TextRun)]
    assert "8" not in texts


def test_numbers_keep_clear_of_margins_that_the_printer_leaves_blank():
    numbers = margins_of(margin="3 3 12.5 3", cut_order="yes").numbers
    assert numbers and all(number.area.bottom <= 297_000 - 12_500 for number in numbers)


@pytest.mark.parametrize("options", [{"cut_order": "no"}, {"cut_order": "yes", "marks": "none"}])
def test_cuts_are_numbered_only_on_request_and_beside_cut_marks(options):
    assert margins_of(**options).numbers == ()


# -- the order as a sentence -----------------------------------------------------------


def test_distances_are_measured_from_an_edge_that_is_still_there():
    layout = Layout(*A4_CARD, 2, 2, left=10_000, top=10_000)
    assert in_distances(cuts_of(layout), layout) == (
        "Cut at 287, 199 mm from the foot, then all pieces, stacked, at 136, 73, 10 mm from the left,"
        " then all pieces, stacked, at 111 mm from the foot."
    )
