"""The areas for words in the margins of a sheet, and the scale bars by which its size is checked.

A *band* is a row of areas for words; a *bar* (`ScaleBar`) is a line of known length, by which a reader checks
with a ruler that the sheet was printed at 100 %. `Margins` calls `furnish` and draws both. Neither may cover
a card, its bleed or a registration mark. A bar crosses cut marks only if it has no other place. ``upright``
words and bars run up the sheet; *along* and *across* are meant as seen from them.
Tests: ``tests/printing/layout/test_bands.py``.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from printing.layout.geometry import Area, Layout, Segment, around
from printing.layout.marks import (
    CLEAR,
    EDGE,
    NEAR,
    TICK,
    area_of,
    cut_lines,
    fold_line,
    line_at,
    outer_marks,
    strip_at,
)
from printing.options.sizes import INCH, MM

# All lengths are micrometres.
# The least distance of bars and words from the edge of the paper: nearly every printer prints there.
PRINTED = 3_000
# The distance that they keep if there is room, for printers that clip more.
SURELY_PRINTED = 6_500
# The distance of words from the cards.
WORDS = 800
# The greatest height of a band of words, a lower height to try, and the least.
MAX_WORDS = 5_200
LOW_WORDS = 3_600
MIN_WORDS = 1_800
# The distance of the ends of a band from the cut lines beside it.
INSET_WORDS = 1_200
# The least height and length of the strip that runs below all columns.
MIN_FOOT = 1_900
SHORT_FOOT = 90_000
# How far a bar's ticks reach to each side.
REACH = 700
# How far a label beside a bar reaches to one side.
LABEL = 2_800
# Half the height of a label, the length that a label at a bar's end adds, and the space before it.
HALF_LABEL = 1_150
ALONG = 8_500
BEFORE_LABEL = 1_000
# The smallest distance of a bar from the cards that is tried, the step outwards, and how far beyond the
# words the steps go.
NEAREST_BAR = 2_000
STEP_OUT = 1_000
FURTHEST_OUT = 12_000
# The label of each bar, and its length.
BAR_LENGTHS = {"50 mm": 50 * MM, "2 in": 2 * INCH}


class ScaleBar(NamedTuple):
    """A bar in a margin: its line, the ticks at both ends, and the area of its label.

    A ``turned`` one stands upright.
    """

    label: str
    line: Segment
    ticks: tuple[Segment, ...]
    words: Area
    turned: bool

    @property
    def area(self) -> Area:
        """The smallest area that holds the bar and its label."""
        return around([*map(area_of, (self.line, *self.ticks)), self.words])


class Bands(NamedTuple):
    """The areas for words above and below the cards, one for each column of cards.

    ``sideways`` bands run up the left and the right side of the sheet instead. ``foot`` is one strip across
    all columns, further out than the marks below the cards; None if the margin has no room for it.
    """

    above: tuple[Area, ...] = ()
    below: tuple[Area, ...] = ()
    sideways: bool = False
    foot: Area | None = None


def furnish(
    layout: Layout,
    lines_across: bool = False,
    kept_clear: tuple[Area, ...] = (),
    long: int = TICK,
    inset: int = INSET_WORDS,
) -> tuple[Bands, tuple[ScaleBar, ...]]:
    """Return the areas for words, and the bars, of a sheet.

    Words stand above and below the cards, bars in what is left of the margins. If only the margins beside
    the cards have room, the words run up the sides, further out than the bars. If nothing fits, a bar
    matters more than words, because a sheet without a bar cannot be checked.

    ``lines_across``: cut lines run through the margins. ``kept_clear``: areas of other things in the margins.
    ``long``: the length of cut marks. ``inset``: the distance from cut lines to words up the sides.
    """
    beside_cards = [*map(area_of, fold_line(layout)), *kept_clear]
    # These may never be covered; cut marks may be crossed by a bar that has no other place.
    fixed = [layout.whole.grown(*[layout.bleed] * 4), *beside_cards]
    lines = [*outer_marks(layout, long), *(cut_lines(layout) if lines_across else ())]
    marks = list(map(area_of, lines))
    bands, bars = _words_and_bars(layout, [*fixed, *marks], kept_clear)
    if lines_across and len(bars) < 2:
        # Small cards have cut lines everywhere. A bar that a cut line crosses can still be measured.
        bars = tuple(scale_bars(layout, [*fixed, *bands.above, *bands.below]))
    if not bars:
        bands, bars = _last_resort(layout, fixed, marks, kept_clear) or (bands, bars)
    taken = [bar.area for bar in bars]
    if not bands.above:
        bands = _up_the_sides(layout, [*taken, *beside_cards], inset)
    if bands.sideways:
        return bands, bars
    foot = _foot(layout, [*taken, *kept_clear], [*marks, *beside_cards])
    return (_with_foot(bands, foot) if foot else bands), bars


def _last_resort(
    layout: Layout, fixed: list[Area], marks: list[Area], kept_clear: Iterable[Area]
) -> tuple[Bands, tuple[ScaleBar, ...]] | None:
    """Return words and bars that may cross cut marks (``marks``). If that fails, bars without words, clear of
    the marks if possible.

    None if no bar has room. ``fixed`` areas are never covered.
    """
    bands, bars = _words_and_bars(layout, fixed, kept_clear)
    if bars:
        return bands, bars
    for occupied in ([*fixed, *marks], fixed):
        if bars := tuple(scale_bars(layout, occupied)):
            return Bands(), bars
    return None


def _up_the_sides(layout: Layout, occupied: list[Area], inset: int) -> Bands:
    """Return the bands up both sides of the sheet, without areas that are occupied; none if one is empty."""
    left, right = (
        tuple(area for area in side if not any(map(area.overlaps, occupied)))
        for side in _bands(layout, True, MAX_WORDS, inset)
    )
    return Bands(left, right, True) if left and right else Bands()


def _with_foot(bands: Bands, foot: Area) -> Bands:
    """Return the bands with the strip at the foot, unless those above it would become too low for words."""
    lowest = foot.y - NEAR
    if any(lowest - area.y < MIN_WORDS for area in bands.below):
        return bands
    below = (area._replace(height=min(area.height, lowest - area.y)) for area in bands.below)
    return bands._replace(below=tuple(below), foot=foot)


def _words_and_bars(
    layout: Layout, occupied: list[Area], kept_clear: Iterable[Area]
) -> tuple[Bands, tuple[ScaleBar, ...]]:
    """Return bands above and below the cards, and the bars beside them.

    If no bar has room, lower bands are tried; if they do not help, the highest bands without a bar.
    """
    highest = None
    for height in (MAX_WORDS, LOW_WORDS, MIN_WORDS):
        above, below = (
            tuple(_clear_of(area, kept_clear) for area in side) for side in _bands(layout, False, height)
        )
        bands = Bands(above, below)
        if bars := tuple(scale_bars(layout, [*occupied, *above, *below])):
            return bands, bars
        highest = highest or bands
    return highest or Bands(), ()


def _clear_of(area: Area, others: Iterable[Area]) -> Area:
    """Return the part of an area that the others leave free; 1 micrometre wide if there is none.

    That is the part right of another that covers its left end, and left of one that begins further right.
    """
    for other in others:
        if not area.overlaps(other):
            continue
        left, right = area.x, other.x
        if other.x <= area.x:
            left, right = min(max(area.x, other.right), area.right), area.right
        area = area._replace(x=left, width=max(right - left, 1))
    return area


def _bands(
    layout: Layout, upright: bool, most: int, inset: int = INSET_WORDS
) -> tuple[tuple[Area, ...], tuple[Area, ...]]:
    """Return the bands above and below the cards; if ``upright``, left and right of them, from the foot up.

    ``most`` is the greatest height of a band. Both are empty if there is no room. US Letter with nine poker
    cards has margins of 6.35 mm, so every part of a margin counts.
    """
    paper_across, paper_along = layout.paper.lengths if upright else layout.paper.lengths[::-1]
    begin, end = layout.whole.ends(not upright)
    # Words keep their distance from the bleed: the first bands end, and the second ones begin, here.
    begin, end = begin - layout.bleed - WORDS, end + layout.bleed + WORDS
    room_before, room_after = _printed(begin), _printed(paper_across - end)
    # (place, height) of both rows of bands.
    height_before, height_after = min(room_before, most), min(room_after, most)
    rows = [(begin - height_before, height_before), (end, height_after)]
    half = min(max(room_before, room_after) // 2, most)
    if min(room_before, room_after) < MIN_WORDS <= half:
        # The cards were placed in a corner: both bands stand on the side that has room, one behind the other.
        first = begin - 2 * half if room_before > room_after else end
        rows = [(first, half), (first + half, half)]
    if min(height for _, height in rows) < MIN_WORDS:
        return (), ()
    # The two ends of every column of cards (of every row if upright), each once.
    columns = sorted({cell.ends(upright) for cell in layout.cells()}, reverse=upright)
    ends = [
        (max(first + inset, PRINTED), min(last - inset, paper_along - PRINTED)) for first, last in columns
    ]
    before, after = (
        tuple(strip_at(upright, at, height, first, last - first) for first, last in ends)
        for at, height in rows
    )
    return before, after


def _printed(room: int) -> int:
    """Return how much of a margin of this width can be used for words.

    That is the part in which every printer prints, or a larger one if it would be too small for words.
    """
    surely = room - SURELY_PRINTED
    return surely if surely >= LOW_WORDS else room - EDGE - CLEAR


def _foot(layout: Layout, others: Sequence[Area], marks: list[Area]) -> Area | None:
    """Return the strip below the marks that ``others`` leave free.

    None if a mark crosses it or if it is too small for a line of words.
    """
    block, (width, height) = layout.whole, layout.paper.lengths
    left, right = max(block.x, PRINTED), min(block.right, width - PRINTED)
    top = block.bottom + layout.bleed + CLEAR + TICK + WORDS
    strip = Area(left, top, right - left, min(height - PRINTED - top, MAX_WORDS))
    free = _clear_of(strip, [area.grown(*[NEAR] * 4) for area in others])
    if free.height < MIN_FOOT or free.width < SHORT_FOOT or any(free.overlaps(mark) for mark in marks):
        return None
    return free


def scale_bars(layout: Layout, occupied: list[Area]) -> Iterator[ScaleBar]:
    """Yield the bars for which there is room beside these areas: at most one of 50 mm and one of 2 in."""
    for label, sides in (("50 mm", "left right top foot"), ("2 in", "right left foot top")):
        places = (bar for side in sides.split() for bar in _bar_places(layout, occupied, label, side))
        if bar := next(places, None):
            occupied = [*occupied, bar.area]
            yield bar


def page_bars(width: int, height: int, away: int) -> tuple[ScaleBar, ScaleBar]:
    """Return both bars of a page without cards: upright, centred, ``away`` from the edges."""
    left, right = (
        _bar(label, at, (height - BAR_LENGTHS[label]) // 2, upright=True, before=before, at_the_end=False)
        for label, at, before in (("50 mm", away, True), ("2 in", width - away, False))
    )
    return left, right


def _bar_places(layout: Layout, occupied: list[Area], label: str, side: str) -> Iterator[ScaleBar]:
    """Yield the free places for a bar on one side of the cards, the best first.

    The best one is close to the cards, beside the middle row, with its label beside it rather than at its
    end.
    """
    upright, before = side in ("left", "right"), side in ("left", "top")
    paper_across, paper_along = layout.paper.lengths if upright else layout.paper.lengths[::-1]
    # The edges of the cards that face the bars.
    begin, end = layout.whole.ends(not upright)
    room = begin if before else paper_across - end
    # Distances from the cards: close to them, past the marks, past the words, then further and further out.
    past_marks, past_words = CLEAR + TICK + HALF_LABEL, WORDS + MAX_WORDS + HALF_LABEL
    best = [layout.bleed + away for away in (NEAREST_BAR, past_marks, past_words)]
    best += range(best[-1] + STEP_OUT, min(room, best[-1] + FURTHEST_OUT), STEP_OUT)
    # For the narrowest margins: as close to the cards, and as close to the edge of the paper, as can be.
    outwards = [*best, layout.bleed + HALF_LABEL + CLEAR, room - PRINTED - HALF_LABEL]
    for away, at_the_end in product(outwards, (False, True)):
        # How far the bar with its label reaches towards the cards, and away from them.
        near, far = (HALF_LABEL, HALF_LABEL) if at_the_end else (REACH, LABEL)
        if away + far + PRINTED > room:
            continue
        at = begin - away if before else end + away
        strip = strip_at(upright, at - (far if before else near), near + far, 0, paper_along)
        others = [area.ends(upright) for area in occupied if area.overlaps(strip)]
        whole = BAR_LENGTHS[label] + (ALONG if at_the_end else 0)
        for first, last in _free_parts(others, paper_along):
            if last - first >= whole:
                yield _bar(label, at, (first + last - whole) // 2, upright, before, at_the_end)


def _free_parts(occupied: list[tuple[int, int]], long: int) -> list[tuple[int, int]]:
    """Return the (begin, end) of the free parts of a strip, the part nearest to its middle first.

    ``occupied`` are the (begin, end) of the others. A part has no length where two of them overlap.
    """
    free, start = [], PRINTED
    for begin, end in sorted(occupied):
        free.append((start, begin - CLEAR))
        start = max(start, end + CLEAR)
    return sorted([*free, (start, long - PRINTED)], key=lambda part: abs(sum(part) - long))


def _bar(label: str, at: int, start: int, upright: bool, before: bool, at_the_end: bool) -> ScaleBar:
    """Return the bar at ``at`` that begins at ``start``.

    Its label is at its end, or beside it: on its left or upper side if ``before``.
    """
    end, high = start + BAR_LENGTHS[label], 2 * HALF_LABEL
    if at_the_end:
        words = strip_at(upright, at - HALF_LABEL, high, end + BEFORE_LABEL, ALONG - BEFORE_LABEL)
    else:
        words = strip_at(
            upright, at - LABEL if before else at + LABEL - high, high, start, BAR_LENGTHS[label]
        )
    ticks = tuple(line_at(not upright, place, at - REACH, at + REACH) for place in (start, end))
    return ScaleBar(label, line_at(upright, at, start, end), ticks, words, upright)
