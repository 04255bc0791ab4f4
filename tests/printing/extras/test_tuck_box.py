"""The tuck box of a deck: its size, its net, and the sentences about it."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from printing.extras.tuck_box import EDGE, TuckBox, about_boxes, box_page
from printing.faces.strokes import Line, Path, TextRun
from printing.layout.margins import BAR_PEN
from printing.options.sizes import PAPERS

GAME = games()["spycraft"]
A4 = PAPERS["a4"].lengths
BOX = TuckBox("Nine Tiger", "", 60, (63_000, 88_000), 300, sleeved=False)
boxes = st.builds(
    TuckBox,
    st.text("abcdefg ", min_size=1, max_size=60),
    st.sampled_from(["", "Agency Deck"]),
    st.integers(1, 120),
    st.sampled_from([(63_000, 88_000), (88_000, 63_000), (44_450, 63_500)]),
    st.integers(50, 600),
    st.booleans(),
)


def test_the_box_is_as_large_as_its_cards_or_their_sleeves_need():
    # 1.5 mm wider and higher than a card; 60 cards of 0.3 mm and 1 mm more.
    assert BOX.inside == (64_500, 89_500, 19_000)
    # 4 mm wider, 5 mm higher, and 0.12 mm more for each card.
    sleeved = BOX._replace(sleeved=True)
    assert sleeved.inside == (67_000, 93_000, 26_200)
    # No box is less deep than 10 mm.
    assert BOX._replace(cards=3).inside[2] == 10_000


@given(boxes)
def test_a_page_is_made_if_the_net_fits_along_or_across_the_paper(box):
    for paper in (A4, A4[::-1]):
        page = box_page(GAME, box, paper, light=True)
        width, height = (side + 2 * EDGE for side in box.net)
        fits = any(width <= across and height <= down for across, down in (paper, paper[::-1]))
        assert (page is not None) == fits
        if page:
            assert ((page.height, page.width) if page.turned else (page.width, page.height)) == paper


@given(boxes)
def test_the_net_lies_on_the_page_and_its_outline_is_one_closed_line_of_its_size(box):
    for paper in (A4, A4[::-1]):
        page = box_page(GAME, box, paper, light=True)
        if page is None:
            continue
        outline = page.strokes[-1]
        assert isinstance(outline, Path)
        # A path is one closed line if it moves once and closes at its end.
        assert [letter for letter, _ in outline.steps].count("M") == 1
        assert outline.steps[-1][0] == "Z"
        points = [numbers[-2:] for letter, numbers in outline.steps if letter != "Z"]
        assert tuple(max(axis) - min(axis) for axis in zip(*points, strict=True)) == box.net
        for x, y in points:
            assert EDGE <= x <= page.width - EDGE and EDGE <= y <= page.height - EDGE
        for stroke in page.strokes:
            if isinstance(stroke, Line):
                assert min(stroke.x1, stroke.x2) > 0 and max(stroke.x1, stroke.x2) < page.width
            if isinstance(stroke, TextRun) and not stroke.turned:
                assert stroke.x > 0 and stroke.x + stroke.width < page.width


@given(boxes)
def test_bars_of_50_mm_and_2_in_show_the_size_and_the_net_lies_below_them(box):
    page = box_page(GAME, box, A4, light=True)
    if page is None:
        return
    bars = [stroke for stroke in page.strokes if isinstance(stroke, Line) and stroke.pen == BAR_PEN]
    assert {50_000, 50_800} <= {line.x2 - line.x1 for line in bars}
    left, right = min(line.x1 for line in bars), max(line.x2 for line in bars)
    assert right <= page.width - 3_000 and min(line.y1 for line in bars) >= 3_000
    words = [run for run in page.strokes if isinstance(run, TextRun) and left <= run.x <= right]
    lowest = max(run.y for run in words if "50 mm" in run.text)
    # Only parts of the outline between the left and the right end of the bars could meet them.
    points = [numbers[-2:] for letter, numbers in page.strokes[-1].steps if letter != "Z"]
    for (x1, y1), (x2, y2) in pairwise(points):
        if min(x1, x2) < right and max(x1, x2) > left:
            assert min(y1, y2) > lowest


def test_a_box_too_large_for_its_paper_has_a_remark():
    thick = BOX._replace(cards=120, thickness=600, sleeved=True)
    assert box_page(GAME, thick, A4, light=True) is None
    (sentence,) = about_boxes([(GAME, thick)], [None])
    assert f"needs paper of {thick.needs}" in sentence and "thinner cards" in sentence
