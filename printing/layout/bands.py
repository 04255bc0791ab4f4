"""The areas for words in the margins of a sheet, and the scale bars by which its size is checked.

A *band* is a row of areas for words; a *bar* (`ScaleBar`) is a line of known length, by which a reader checks
with a ruler that the sheet was printed at 100 %. `Margins` calls `furnish` and draws both. The pages of the
register, which have no cards, take `page_bars`, that of a tuck box `level_bars`.

A change must keep: neither covers a card, its bleed or a registration mark, and a bar crosses cut marks only
if it has no other place. ``tests/printing/layout/test_bands.py`` checks that for many layouts.

``upright`` words and bars run up the sheet. *Along* is the direction of their line, *across* is square to it.
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
# The parts of a bar, across it. Its label is beside it (upper sketch) or at its end (lower one):
#
#       label            LABEL: from the bar to the far side of the label
#     |--------|         REACH: from the bar to the end of a tick
#
#     |--------| label   ALONG: from the end of the bar to the end of the label, BEFORE_LABEL of it free;
#                        HALF_LABEL: half the height of a label
REACH = 700
LABEL = 2_800
HALF_LABEL = 1_150
ALONG = 8_500
BEFORE_LABEL = 1_000
# The distance of two level bars, one below the other.
LEVEL_PITCH = 5 * MM
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
    """Return the areas for words, and the bars, of a sheet. In this order:

    1. Words stand above and below the cards, and bars clear of the cut marks.
    2. If cut lines run through the margins and a bar has no place, bars may cross them.
    3. If there is no bar at all, bars and words may cross cut marks; if that does not help, the words give
       way. A bar matters more than words, because a sheet without a bar cannot be checked.
    4. If there are no words now, they run up both sides, further out than the bars, if there is room.
    5. Otherwise the strip at the foot is added, if there is room for that.

    A4 with nine cards of 63 x 88 mm: three areas of 60.6 x 5.2 mm above the cards, three of 60.6 x 3.7 mm
    below, a foot of 189 x 5.2 mm, the bar of 50 mm left of the cards and the bar of 2 in on their right.

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

    It begins after another that covers its left end, and ends before one that begins further right: an area
    from x = 0 to 100, with others from -5 to 15 and from 60 to 70, becomes the area from 15 to 60.
    """
    for other in others:
        if not area.overlaps(other):
            continue
        covers_left_end = other.x <= area.x
        left = min(other.right, area.right) if covers_left_end else area.x
        right = area.right if covers_left_end else other.x
        area = area._replace(x=left, width=max(right - left, 1))
    return area


def _bands(
    layout: Layout, upright: bool, most: int, inset: int = INSET_WORDS
) -> tuple[tuple[Area, ...], tuple[Area, ...]]:
    """Return the bands above and below the cards; if ``upright``, left and right of them, from the foot up.

    ``most`` is the greatest height of a band. Both are empty if there is no room. US Letter with nine poker
    cards has margins of 6.35 mm, so every part of a margin counts.

    Level bands of A4 with nine cards of 63 x 88 mm, in mm from the upper edge of the paper::

        0        10.5          15.7   16.5      280.5   281.3            286.5      297
        |        | band before |      |  cards  |       |   band after   |          |
                               ^ begin                  ^ end
    """
    paper_across, paper_along = layout.paper.lengths if upright else layout.paper.lengths[::-1]
    cards_begin, cards_end = layout.whole.ends(not upright)
    begin, end = cards_begin - layout.bleed - WORDS, cards_end + layout.bleed + WORDS
    room_before, room_after = _usable(begin), _usable(paper_across - end)
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


def _usable(room: int) -> int:
    """Return how much of the ``room`` between the cards and the edge of the paper can be used for words.

    That is the part in which every printer prints: 9.2 mm of 15.7 mm. If words would have less than
    ``LOW_WORDS`` there, it is all but the last 1.5 mm: 4.05 mm of 5.55 mm.
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


def level_bars(x: int, y: int) -> tuple[ScaleBar, ScaleBar]:
    """Return both bars, level, one below the other, with (x, y) as the top left corner of the upper label."""
    upper, lower = (
        _bar(label, y + LABEL + number * LEVEL_PITCH, x, upright=False, before=True, at_the_end=False)
        for number, label in enumerate(BAR_LENGTHS)
    )
    return upper, lower


def _bar_places(layout: Layout, occupied: list[Area], label: str, side: str) -> Iterator[ScaleBar]:
    """Yield the free places for a bar on one side of the cards, the best first.

    The best one is close to the cards, with its label beside it rather than at its end, and in the part of
    the margin that is nearest to the middle. A4 with nine cards, on the left, in micrometres: the cards begin
    at x = 10500, so the bar stands at x = 8500 (``NEAREST_BAR`` away), its label reaches out to 5700 and its
    ticks reach in to 9200. The bar needs the strip from 5700 to 9200 free over 50 mm.
    """
    upright, before = side in ("left", "right"), side in ("left", "top")
    paper_across, paper_along = layout.paper.lengths if upright else layout.paper.lengths[::-1]
    # The edges of the cards that face the bars.
    begin, end = layout.whole.ends(not upright)
    room = begin if before else paper_across - end
    # Distances from the cards: close to them, past the marks, past the words, then further and further out.
    past_marks, past_words = CLEAR + TICK + HALF_LABEL, WORDS + MAX_WORDS + HALF_LABEL
    distances = [layout.bleed + away for away in (NEAREST_BAR, past_marks, past_words)]
    distances += range(distances[-1] + STEP_OUT, min(room, distances[-1] + FURTHEST_OUT), STEP_OUT)
    # For the narrowest margins: as close to the cards, and as close to the edge of the paper, as can be.
    distances += [layout.bleed + HALF_LABEL + CLEAR, room - PRINTED - HALF_LABEL]
    for away, at_the_end in product(distances, (False, True)):
        # How far the bar with its label reaches towards the cards, and away from them.
        near, far = (HALF_LABEL, HALF_LABEL) if at_the_end else (REACH, LABEL)
        if away + far + PRINTED > room:
            continue
        at = begin - away if before else end + away
        strip = strip_at(upright, at - (far if before else near), near + far, 0, paper_along)
        others = [area.ends(upright) for area in occupied if area.overlaps(strip)]
        needed = BAR_LENGTHS[label] + (ALONG if at_the_end else 0)
        for first, last in _free_parts(others, paper_along):
            if last - first >= needed:
                yield _bar(label, at, (first + last - needed) // 2, upright, before, at_the_end)


def _free_parts(occupied: list[tuple[int, int]], long: int) -> list[tuple[int, int]]:
    """Return the (begin, end) of the free parts of a strip, the part nearest to its middle first.

    ``occupied`` are the (begin, end) of the others. Where two of them touch or overlap, a part ends before it
    begins, so the caller must compare lengths. A strip of 297 mm in which 50 to 60 mm and 55 to 90 mm are
    occupied gives, in micrometres: ``[(90500, 294000), (60500, 54500), (3000, 49500)]``.
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
