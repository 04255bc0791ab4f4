"""The furniture of a sheet, as geometry: cut marks, the fold, room for words, rules to measure by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from printing.layout.geometry import Area, Layout, Segment
from printing.options.sizes import INCH, MM

# A mark is so long, starts so far from a card (and its bleed), and ends so far from the paper's edge.
TICK, CLEAR, EDGE = 3_500, 500, 1_000
# Where ink is saved.
SHORT_TICK = 2_500
# In the gap between cards marks may stand closer; a gap smaller than this has none.
NEAR, MIN_GAP = 300, 1_200
# Marks on the cards themselves run so far along their edges.
ON_CARD = 1_500
DASH, SHORT_DASH = 3_000, 1_000
# Rules and their words stay where nearly every printer prints.
PRINTED = 3_000
# Words stand so far from the cards, so high at most, and not at all where there is less than the least.
WORDS, MAX_WORDS, LOW_WORDS, MIN_WORDS = 800, 5_200, 3_600, 1_800
# One line across all columns is so high at least, and so long.
MIN_FOOT, SHORT_FOOT = 1_900, 90_000
# A rule's ticks reach so far to each side of it, a label beside it so far to one; one at its end is so long, air included.
REACH, LABEL, HALF_LABEL, ALONG = 700, 2_800, 1_150, 8_500


class ScaleBar(NamedTuple):
    """A ruler in a margin: its line, its end ticks and where its label stands; ``turned`` ones stand upright."""

    label: str
    line: Segment
    ticks: tuple[Segment, ...]
    words: Area
    turned: bool

    @property
    def area(self) -> Area:
        """All that it takes."""
        return around([*map(area_of, (self.line, *self.ticks)), self.words])


class Bands(NamedTuple):
    """Room for words before and after the cards, one area a column; ``sideways`` ones run up the sheet's sides.

    ``foot``: one area for them all, past the marks below the cards, where the margin is that large.
    """

    above: tuple[Area, ...] = ()
    below: tuple[Area, ...] = ()
    sideways: bool = False
    foot: Area | None = None


def area_of(segment: Segment) -> Area:
    """The area a line takes, a micrometre thick."""
    x, y = min(segment.x1, segment.x2), min(segment.y1, segment.y2)
    return Area(x, y, abs(segment.x1 - segment.x2) or 1, abs(segment.y1 - segment.y2) or 1)


def around(areas: Iterable[Area]) -> Area:
    """The smallest area that holds them all."""
    listed = list(areas)
    x, y = min(area.x for area in listed), min(area.y for area in listed)
    return Area(x, y, max(area.right for area in listed) - x, max(area.bottom for area in listed) - y)


# -- marks --------------------------------------------------------------------------


def crop_marks(layout: Layout, long: int = TICK) -> tuple[Segment, ...]:
    """Ticks in line with every cut: in the margins, ``long`` where there is room, and in the gaps between cards. They cross no card."""
    return (*_outer(layout, long), *_between(layout))


def _outer(layout: Layout, long: int = TICK) -> Iterator[Segment]:
    block, away = layout.whole, layout.bleed + CLEAR
    right, foot = layout.paper.width - block.right, layout.paper.height - block.bottom
    for x in layout.columns_at():
        if (far := min(away + long, block.y - EDGE)) > away:
            yield Segment(x, block.y - far, x, block.y - away)
        if (far := min(away + long, foot - EDGE)) > away:
            yield Segment(x, block.bottom + away, x, block.bottom + far)
    for y in layout.rows_at():
        if (far := min(away + long, block.x - EDGE)) > away:
            yield Segment(block.x - far, y, block.x - away, y)
        if (far := min(away + long, right - EDGE)) > away:
            yield Segment(block.right + away, y, block.right + far, y)


def _between(layout: Layout) -> Iterator[Segment]:
    xs, ys = layout.columns_at(), layout.rows_at()
    if layout.gap_x >= MIN_GAP:
        for (_, start), (end, _) in pairwise(_paired(xs)):
            yield from (Segment(start + NEAR, y, end - NEAR, y) for y in ys)
    if layout.gap_y >= MIN_GAP:
        for (_, start), (end, _) in pairwise(_paired(ys)):
            yield from (Segment(x, start + NEAR, x, end - NEAR) for x in xs)


def _paired(edges: list[int]) -> list[tuple[int, int]]:
    """(begin, end) of each card along one axis, where cards stand apart."""
    return list(zip(edges[::2], edges[1::2], strict=True))


def card_corners(layout: Layout) -> tuple[Segment, ...]:
    """An L on each corner of each card, along the cut: for marks that lie above the cards."""
    segments = []
    for cell in layout.cells():
        for x, along in ((cell.x, 1), (cell.right, -1)):
            for y, down in ((cell.y, 1), (cell.bottom, -1)):
                segments += [Segment(x, y, x + along * ON_CARD, y), Segment(x, y, x, y + down * ON_CARD)]
    return tuple(segments)


def cut_lines(layout: Layout) -> tuple[Segment, ...]:
    """A line from edge to edge of the paper for each cut: whatever is cut first, every strip still shows its cuts."""
    upright = [Segment(x, 0, x, layout.paper.height) for x in layout.columns_at()]
    return (*upright, *(Segment(0, y, layout.paper.width, y) for y in layout.rows_at()))


def dashed(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """Lines as short dashes with three times as much air between them."""
    dashes = []
    for x1, y1, x2, y2 in segments:
        long = max(x2 - x1, y2 - y1)
        for start in range(0, long, 4 * SHORT_DASH):
            end = min(start + SHORT_DASH, long)
            dashes.append(Segment(x1 + start, y1, x1 + end, y2) if y1 == y2 else Segment(x1, y1 + start, x2, y1 + end))
    return tuple(dashes)


def fold_line(layout: Layout) -> tuple[Segment, ...]:
    """The fold, dashed, from edge to edge."""
    long = layout.paper.height if layout.fold == "vertical" else layout.paper.width
    middle = (layout.paper.width if layout.fold == "vertical" else layout.paper.height) // 2
    dashes = [(start, min(start + DASH, long)) for start in range(0, long, 2 * DASH)] if layout.fold else []
    return tuple(Segment(middle, a, middle, b) if layout.fold == "vertical" else Segment(a, middle, b, middle) for a, b in dashes)


# -- words and rules ------------------------------------------------------------------


@lru_cache(maxsize=200)
def furnish(layout: Layout, lines_across: bool = False, kept_clear: tuple[Area, ...] = ()) -> tuple[Bands, tuple[ScaleBar, ...]]:
    """Where words and rules find room. ``lines_across``: cut lines run through the margins. ``kept_clear``: areas of other marks.

    Words stand above and below the cards; rules stand where nothing else does. Where there is room beside
    the cards only, the words run up the sides, past the rules.
    """
    marks = (*_outer(layout), *fold_line(layout), *(cut_lines(layout) if lines_across else ()))
    bled = layout.whole.grown(*[layout.bleed] * 4)
    occupied = [bled, *map(area_of, marks), *kept_clear]
    bands, bars = _words_and_bars(layout, occupied, kept_clear)
    if lines_across and len(bars) < 2:
        # Small cards: lines everywhere. A rule that they cross can still be laid a ruler to.
        bars = tuple(scale_bars(layout, [bled, *map(area_of, fold_line(layout)), *kept_clear, *bands.above, *bands.below]))
    if not bars:
        # A sheet that cannot be measured is worth less than one with fewer words, or with marks that cross the rule.
        uncrossed = [bled, *map(area_of, fold_line(layout)), *kept_clear]
        wordless = ((Bands(), tuple(scale_bars(layout, areas))) for areas in (occupied, uncrossed))
        tries = (_words_and_bars(layout, uncrossed, kept_clear), *wordless)
        bands, bars = next((attempt for attempt in tries if attempt[1]), (bands, bars))
    if not bands.above:
        bands = _beside(layout, [*(bar.area for bar in bars), *map(area_of, fold_line(layout)), *kept_clear])
    if not bands.sideways:
        bands = _with_foot(bands, _foot(layout, (*(bar.area for bar in bars), *kept_clear), [area_of(mark) for mark in marks]))
    return bands, bars


def _words_and_bars(layout: Layout, occupied: list[Area], kept_clear: tuple[Area, ...]) -> tuple[Bands, tuple[ScaleBar, ...]]:
    """Words above and below with the rules beside them; where no rule finds room, words that are less high."""
    bands = Bands()
    bars: tuple[ScaleBar, ...] = ()
    for most in (MAX_WORDS, LOW_WORDS, MIN_WORDS):
        above, below = (tuple(_clear_of(area, kept_clear) for area in side) for side in _above_and_below(layout, most)[:2])
        lower = Bands(above, below)
        bars_found = tuple(scale_bars(layout, [*occupied, *above, *below]))
        if bars_found or most == MAX_WORDS:
            bands, bars = lower, bars_found
        if bars:
            break
    return bands, bars


def _clear_of(area: Area, others: tuple[Area, ...]) -> Area:
    """What is left of an area for words beside these."""
    for other in others:
        if area.overlaps(other):
            left = min(max(area.x, other.right), area.right) if other.x <= area.x else area.x
            right = area.right if other.x <= area.x else other.x
            area = area._replace(x=left, width=max(right - left, 1))
    return area


def _above_and_below(layout: Layout, most: int = MAX_WORDS) -> Bands:
    """Letter with nine poker cards has 6.35 mm of margin, all of which counts: the areas lie close to the cards."""
    block, away = layout.whole, layout.bleed + WORDS
    height = min(block.y - away - EDGE - 500, most)
    if height < MIN_WORDS:
        return Bands()
    across = [(x + 1_200, end - x - 2_400) for x, end in sorted({(cell.x, cell.right) for cell in layout.cells()})]
    above = tuple(Area(x, block.y - away - height, width, height) for x, width in across)
    return Bands(above, tuple(Area(x, block.bottom + away, width, height) for x, width in across))


def _with_foot(bands: Bands, foot: Area | None) -> Bands:
    """The strip with the words between it and the cards, which end where it begins."""
    below = tuple(area._replace(height=min(area.height, foot.y - NEAR - area.y)) if foot else area for area in bands.below)
    return bands._replace(below=below, foot=foot)


def _foot(layout: Layout, others: tuple[Area, ...], marks: list[Area]) -> Area | None:
    """What these leave of a strip past the marks; nothing if one crosses it or if it is too short or too low for a line."""
    block = layout.whole
    top = block.bottom + layout.bleed + CLEAR + TICK + WORDS
    strip = Area(block.x, top, block.width, min(layout.paper.height - PRINTED - top, MAX_WORDS))
    left = _clear_of(strip, tuple(area.grown(NEAR, NEAR, NEAR, NEAR) for area in others))
    if left.height < MIN_FOOT or left.width < SHORT_FOOT or any(left.overlaps(mark) for mark in marks):
        return None
    return left


def _beside(layout: Layout, occupied: list[Area]) -> Bands:
    block, away = layout.whole, layout.bleed + WORDS
    width = min(block.x - away - EDGE - 500, MAX_WORDS)
    if width < MIN_WORDS:
        return Bands()
    down = [(y + 1_200, end - y - 2_400) for y, end in sorted({(cell.y, cell.bottom) for cell in layout.cells()}, reverse=True)]
    left = [Area(block.x - away - width, y, width, height) for y, height in down]
    right = [Area(block.right + away, y, width, height) for y, height in down]
    free = [tuple(area for area in side if not any(area.overlaps(other) for other in occupied)) for side in (left, right)]
    return Bands(free[0], free[1], True) if all(free) else Bands()


def scale_bars(layout: Layout, occupied: list[Area]) -> Iterator[ScaleBar]:
    """The rules that find room beside these areas, at most one of 50 mm and one of 2 in."""
    for label, length, sides in (("50 mm", 50 * MM, "left right top foot"), ("2 in", 2 * INCH, "right left foot top")):
        bar = next((bar for side in sides.split() for bar in _places(layout, occupied, label, length, side)), None)
        if bar:
            occupied = [*occupied, bar.area]
            yield bar


def page_bars(width: int, height: int, away: int) -> tuple[ScaleBar, ScaleBar]:
    """Both rules of a page without cards, upright in the middle of its sides, so far from the edges."""
    lengths = (("50 mm", 50 * MM, away, True), ("2 in", 2 * INCH, width - away, False))
    left, right = (_bar(label, length, at, (height - length) // 2, True, before, False) for label, length, at, before in lengths)
    return left, right


def _places(layout: Layout, occupied: list[Area], label: str, length: int, side: str) -> Iterator[ScaleBar]:
    """Free places on one side of the cards, the best first: close to them, beside the middle row, the label beside the rule."""
    block = layout.whole
    upright, before = side in ("left", "right"), side in ("left", "top")
    room = {"left": block.x, "right": layout.paper.width - block.right, "top": block.y, "foot": layout.paper.height - block.bottom}[side]
    long = layout.paper.height if upright else layout.paper.width
    # Close to the cards, past the marks, past the words, then further and further out.
    best = [layout.bleed + away for away in (2_000, CLEAR + TICK + HALF_LABEL, WORDS + MAX_WORDS + HALF_LABEL)]
    best += range(best[-1] + 1_000, min(room, best[-1] + 12_000), 1_000)
    # The narrowest margins: as close to the cards, and as close to the edge, as a rule may stand.
    outwards = [*best, layout.bleed + HALF_LABEL + CLEAR, room - PRINTED - HALF_LABEL]
    for away, at_the_end in product(outwards, (False, True)):
        near, far = (HALF_LABEL, HALF_LABEL) if at_the_end else (REACH, LABEL)
        if away + far + PRINTED > room:
            continue
        at = {"left": block.x - away, "right": block.right + away, "top": block.y - away, "foot": block.bottom + away}[side]
        edge, wide = at - (far if before else near), near + far
        strip = Area(edge, 0, wide, long) if upright else Area(0, edge, long, wide)
        others = [(area.y, area.bottom) if upright else (area.x, area.right) for area in occupied if area.overlaps(strip)]
        whole = length + (ALONG if at_the_end else 0)
        for free, end in _between_all(others, long):
            if end - free >= whole:
                yield _bar(label, length, at, (free + end - whole) // 2, upright, before, at_the_end)


def _between_all(occupied: list[tuple[int, int]], long: int) -> list[tuple[int, int]]:
    """What is left free of a strip of the paper, the part nearest to its middle first."""
    free, start = [], PRINTED
    for begin, end in sorted(occupied):
        free.append((start, begin - CLEAR))
        start = max(start, end + CLEAR)
    return sorted([*free, (start, long - PRINTED)], key=lambda part: abs(sum(part) - long))


def _bar(label: str, length: int, at: int, start: int, upright: bool, before: bool, at_the_end: bool) -> ScaleBar:
    end, high = start + length, 2 * HALF_LABEL
    across, along = (at - HALF_LABEL, end + 1_000) if at_the_end else (at - LABEL if before else at + LABEL - high, start)
    long = ALONG - 1_000 if at_the_end else length
    if upright:
        ticks = tuple(Segment(at - REACH, y, at + REACH, y) for y in (start, end))
        return ScaleBar(label, Segment(at, start, at, end), ticks, Area(across, along, high, long), True)
    ticks = tuple(Segment(x, at - REACH, x, at + REACH) for x in (start, end))
    return ScaleBar(label, Segment(start, at, end, at), ticks, Area(along, across, long, high), False)
