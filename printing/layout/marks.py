"""The surroundings of the cards, as geometry: cut marks, the fold, registration marks, room for words, rules
to measure by.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from printing.layout.geometry import Area, Layout, Segment, around
from printing.options.sizes import INCH, MM

# The length of a mark, its distance from a card's bleed, and the least distance of its end from the paper's
# edge.
TICK, CLEAR, EDGE = 3_500, 500, 1_000
# The length of a mark where ink is saved.
SHORT_TICK = 2_500
# The distance of marks from cards in the gap between them, and the least gap that has marks.
NEAR, MIN_GAP = 300, 1_200
# The radius of the corners of most cards, for cut lines of sheets that are printed with square ones.
USUAL_CORNER = 3 * MM
# The length of marks on the cards themselves, along their edges.
ON_CARD = 1_500
DASH, SHORT_DASH = 3_000, 1_000
# The distance of rules and their words from the paper's edge: nearly every printer prints there; and the one
# that they keep where the paper allows, for printers that clip.
PRINTED, SURELY_PRINTED = 3_000, 6_500
# The distance of words from the cards, the greatest height of their bands, a lower one, and the least.
WORDS, MAX_WORDS, LOW_WORDS, MIN_WORDS = 800, 5_200, 3_600, 1_800
# The distance of the ends of bands from the cuts.
INSET_WORDS = 1_200
# The least height and length of one line across all columns.
MIN_FOOT, SHORT_FOOT = 1_900, 90_000
# The reach of a rule's ticks to each side, a label beside it to one side, half a label at its end, and the
# length of that, air included.
REACH, LABEL, HALF_LABEL, ALONG = 700, 2_800, 1_150, 8_500


class ScaleBar(NamedTuple):
    """A ruler in a margin: its line, its end ticks and the place of its label; ``turned`` ones stand
    upright.
    """

    label: str
    line: Segment
    ticks: tuple[Segment, ...]
    words: Area
    turned: bool

    @property
    def area(self) -> Area:
        """The smallest area that holds the rule and its label."""
        return around([*map(area_of, (self.line, *self.ticks)), self.words])


class Bands(NamedTuple):
    """The areas for words before and after the cards, one for each column; ``sideways`` ones run up the
    sheet's sides.

    ``foot`` is one area across all columns, past the marks below the cards, if the margin is that large.
    """

    above: tuple[Area, ...] = ()
    below: tuple[Area, ...] = ()
    sideways: bool = False
    foot: Area | None = None


def area_of(segment: Segment) -> Area:
    """The area of a line, a micrometre thick."""
    x, y = min(segment.x1, segment.x2), min(segment.y1, segment.y2)
    return Area(x, y, abs(segment.x1 - segment.x2) or 1, abs(segment.y1 - segment.y2) or 1)


def _line(upright: bool, at: int, begin: int, end: int) -> Segment:
    """A line down or across the paper, from its distance to the edge and its begin and end."""
    return Segment(at, begin, at, end) if upright else Segment(begin, at, end, at)


def _strip(upright: bool, at: int, wide: int, begin: int, long: int) -> Area:
    """An area along a line down or across the paper, from the place and the width of the strip, its begin and
    its length.
    """
    return Area(at, begin, wide, long) if upright else Area(begin, at, long, wide)


# -- marks --------------------------------------------------------------------------


def crop_marks(layout: Layout, long: int = TICK) -> tuple[Segment, ...]:
    """Ticks in line with every cut, in the margins and in the gaps between cards; they cross no card.
    ``long``: their length in margins.
    """
    return (*_outer(layout, long), *_between(layout))


def _cuts(layout: Layout) -> Iterator[tuple[bool, int, int, int, int]]:
    """Each cut, those down the paper first: True if it is upright, its place, the places along it at which
    the cards begin and end, and the length of the paper.
    """
    block, (width, height) = layout.whole, layout.paper.lengths
    yield from ((True, x, block.y, block.bottom, height) for x in layout.columns_at())
    yield from ((False, y, block.x, block.right, width) for y in layout.rows_at())


def _outer(layout: Layout, long: int = TICK) -> Iterator[Segment]:
    away = layout.bleed + CLEAR
    for upright, at, begin, end, paper in _cuts(layout):
        if (far := min(away + long, begin - EDGE)) > away:
            yield _line(upright, at, begin - far, begin - away)
        if (far := min(away + long, paper - end - EDGE)) > away:
            yield _line(upright, at, end + away, end + far)


def _between(layout: Layout) -> Iterator[Segment]:
    xs, ys = layout.columns_at(), layout.rows_at()
    for upright, gap, edges, places in ((False, layout.gap_x, xs, ys), (True, layout.gap_y, ys, xs)):
        if gap >= MIN_GAP:
            # Cards stand apart: each has a begin and an end of its own.
            for end, begin in zip(edges[1:-1:2], edges[2::2], strict=True):
                yield from (_line(upright, at, end + NEAR, begin - NEAR) for at in places)


def card_corners(layout: Layout) -> tuple[Segment, ...]:
    """An L on each corner of each card, along the cut: for marks that lie above the cards."""
    segments = []
    for cell in layout.cells():
        for x, along in ((cell.x, 1), (cell.right, -1)):
            for y, down in ((cell.y, 1), (cell.bottom, -1)):
                segments += [Segment(x, y, x + along * ON_CARD, y), Segment(x, y, x, y + down * ON_CARD)]
    return tuple(segments)


def cut_lines(layout: Layout) -> tuple[Segment, ...]:
    """A line from edge to edge of the paper for each cut, so that after any cut every strip still shows its
    cuts.
    """
    return tuple(_line(upright, at, 0, paper) for upright, at, _, _, paper in _cuts(layout))


def dashed(
    segments: Iterable[Segment], dash: int = SHORT_DASH, apart: int = 4 * SHORT_DASH
) -> tuple[Segment, ...]:
    """Lines as dashes that begin so far apart; without a distance, short dashes with three times as much air
    between them.
    """
    dashes = []
    for x1, y1, x2, y2 in segments:
        upright, long = x1 == x2, max(x2 - x1, y2 - y1)
        at, begin = (x1, y1) if upright else (y1, x1)
        for start in range(0, long, apart):
            dashes.append(_line(upright, at, begin + start, begin + min(start + dash, long)))
    return tuple(dashes)


def fold_line(layout: Layout) -> tuple[Segment, ...]:
    """The fold, dashed, from edge to edge."""
    if not layout.fold:
        return ()
    upright = layout.fold == "vertical"
    across, long = layout.paper.lengths if upright else layout.paper.lengths[::-1]
    return dashed([_line(upright, across // 2, 0, long)], DASH, 2 * DASH)


# -- registration marks ----------------------------------------------------------------
#
# By them a Silhouette cutter finds the sheet: a square and two Ls, or four Ls. The numbers are those of
# silhouette-card-maker (assets/layouts.json @06166419). The cards of its sheets are 64.56 x 90 mm apart, a
# little less than its gap of 1.25 mm makes:
# with gaps of 1.06 and 1.1 mm its cutting templates for poker cards fit, which is a preset. The marks lie in
# the corners, where no card may lie, and their arms are as long as the wider margin lets them be.

# The number of registration marks, by the name of the option; and the marks that a guillotine is set by.
CUT_MARKS = ("corners", "edges")
REGISTRATION_KINDS = {"registration3": 3, "registration4": 4}
# From the paper's edge to the middle of a registration mark's line, its thickness, and the side of the square
# between middles of lines.
INSET, THICK, SQUARE = 10_000, 1_000, 5_000
# The least length of an arm, and the least distance from its end to the cards.
MIN_ARM, BEFORE_CARDS = 5_000, 1_250
# The least distance of cards from the middle lines of marks, between which the machine cuts; their bleed may
# run on.
BESIDE = 300
# The distance that words and rules keep from registration marks.
QUIET = 3_000


def registration_margins(least: int, bleed: int) -> Iterator[int]:
    """Margins to try, one after the other: the first whose layout leaves room for the arms
    (``registration_arm``) holds the most cards.
    """
    closest = max(least, INSET + THICK // 2 + BESIDE)
    furthest = INSET + MIN_ARM + _before_cards(bleed)
    yield from range(closest, furthest, 500)
    yield max(closest, furthest)


def registration_arm(layout: Layout) -> int:
    """The length of the arms of the Ls, which end before the cards in the wider margin. It is 0 if that is
    too short to be seen, and if cards lie beside the marks, where no machine cuts.
    """
    block, paper = layout.whole, layout.paper
    beside, above = (
        min(begin, end)
        for begin, end in ((block.x, paper.width - block.right), (block.y, paper.height - block.bottom))
    )
    room = max(beside, above) - INSET - _before_cards(layout.bleed)
    return room if room >= MIN_ARM and min(beside, above) >= INSET + THICK // 2 + BESIDE else 0


def _before_cards(bleed: int) -> int:
    """The distance from the end of an arm to the cards. It holds their bleed and half a line, by which the
    square is larger.
    """
    return max(BEFORE_CARDS, bleed + THICK // 2)


def registration_marks(layout: Layout, number: int) -> tuple[Area, ...]:
    """The black areas of three marks (the square top left) or four; none of no marks."""
    long, half = registration_arm(layout), THICK // 2
    if not (number and long):
        return ()
    right, foot = layout.paper.width - INSET, layout.paper.height - INSET
    areas: list[Area] = []
    for x, across in ((INSET, 1), (right, -1)):
        for y, down in ((INSET, 1), (foot, -1)):
            if number == 3 and (across, down) == (-1, -1):
                continue
            if number == 3 and (across, down) == (1, 1):
                areas.append(Area(x - half, y - half, SQUARE + THICK, SQUARE + THICK))
                continue
            start_x = x - half if across > 0 else x - long
            start_y = y - half if down > 0 else y - long
            areas.append(Area(start_x, y - half, long + half, THICK))
            areas.append(Area(x - half, start_y, THICK, long + half))
    return tuple(areas)


# -- words and rules ------------------------------------------------------------------


def furnish(
    layout: Layout,
    lines_across: bool = False,
    kept_clear: tuple[Area, ...] = (),
    long: int = TICK,
    inset: int = INSET_WORDS,
) -> tuple[Bands, tuple[ScaleBar, ...]]:
    """The room for words, and the rules. ``lines_across``: cut lines run through the margins. ``kept_clear``:
    areas of other marks. ``long``: the length of cut marks. ``inset``: the distance from cuts to words up the
    sides.

    Words stand above and below the cards; rules stand in the rest of the margins. If there is room beside the
    cards only, the words run up the sides, past the rules.
    """
    fixed = [layout.whole.grown(*[layout.bleed] * 4), *map(area_of, fold_line(layout)), *kept_clear]
    cuts = [area_of(line) for line in (*_outer(layout, long), *(cut_lines(layout) if lines_across else ()))]
    occupied = [*fixed, *cuts]
    bands, bars = _words_and_bars(layout, occupied, kept_clear)
    if lines_across and len(bars) < 2:
        # Between small cards lines are everywhere. A rule that they cross can still be measured.
        bars = tuple(scale_bars(layout, [*fixed, *bands.above, *bands.below]))
    if not bars:
        # Better fewer words, or marks that cross the rule, than a sheet that cannot be measured.
        wordless = ((Bands(), tuple(scale_bars(layout, areas))) for areas in (occupied, fixed))
        tries = (_words_and_bars(layout, fixed, kept_clear), *wordless)
        bands, bars = next((attempt for attempt in tries if attempt[1]), (bands, bars))
    taken = [bar.area for bar in bars]
    if not bands.above:
        left, right = (
            tuple(area for area in side if not any(map(area.overlaps, (*taken, *fixed[1:]))))
            for side in _bands(layout, True, MAX_WORDS, inset)
        )
        bands = Bands(left, right, True) if left and right else Bands()
    foot = None if bands.sideways else _foot(layout, [*taken, *kept_clear], [*cuts, *fixed[1:]])
    # The bands below the cards end where the strip at the foot begins; where both stand there, they need its
    # room.
    ends = foot.y - NEAR if foot else 0
    if foot and all(ends - area.y >= MIN_WORDS for area in bands.below):
        below = (area._replace(height=min(area.height, ends - area.y)) for area in bands.below)
        bands = bands._replace(below=tuple(below), foot=foot)
    return bands, bars


def _words_and_bars(
    layout: Layout, occupied: list[Area], kept_clear: Iterable[Area]
) -> tuple[Bands, tuple[ScaleBar, ...]]:
    """Bands above and below and the rules beside them. If no rule has room, the bands are made lower."""
    tries = []
    for most in (MAX_WORDS, LOW_WORDS, MIN_WORDS):
        above, below = (
            tuple(_clear_of(area, kept_clear) for area in side) for side in _bands(layout, False, most)
        )
        bands = Bands(above, below)
        tries.append((bands, tuple(scale_bars(layout, [*occupied, *bands.above, *bands.below]))))
        if tries[-1][1]:
            return tries[-1]
    return tries[0]


def _clear_of(area: Area, others: Iterable[Area]) -> Area:
    """The part of an area that these areas leave for words."""
    for other in others:
        if area.overlaps(other):
            left = min(max(area.x, other.right), area.right) if other.x <= area.x else area.x
            right = area.right if other.x <= area.x else other.x
            area = area._replace(x=left, width=max(right - left, 1))
    return area


def _bands(
    layout: Layout, upright: bool, most: int, inset: int = INSET_WORDS
) -> tuple[tuple[Area, ...], tuple[Area, ...]]:
    """The bands close to the cards, above and below them; or, ``upright``, left and right of them from the
    foot up. Letter with nine poker cards has 6.35 mm of margin, all of which counts.
    """
    block, away, paper = layout.whole, layout.bleed + WORDS, layout.paper
    begin, end = (block.x, block.right) if upright else (block.y, block.bottom)
    rooms = (begin - away, (paper.width if upright else paper.height) - end - away)
    cells = {(cell.y, cell.bottom) if upright else (cell.x, cell.right) for cell in layout.cells()}
    room = [_printed(each) for each in rooms]
    wide = [min(each, most) for each in room]
    places = [begin - away - wide[0], end + away]
    if min(room) < MIN_WORDS <= max(room) // 2:
        # Cards in a corner: both bands stand on the side that has room, one behind the other.
        half = min(max(room) // 2, most)
        wide, first = [half, half], begin - away - 2 * half if room[0] > room[1] else end + away
        places = [first, first + half]
    if min(wide) < MIN_WORDS:
        return (), ()
    furthest = (paper.height if upright else paper.width) - PRINTED
    ends = [
        (max(first + inset, PRINTED), min(last - inset, furthest))
        for first, last in sorted(cells, reverse=upright)
    ]
    before, after = (
        tuple(_strip(upright, at, across, first, last - first) for first, last in ends)
        for at, across in zip(places, wide, strict=True)
    )
    return before, after


def _printed(room: int) -> int:
    """The part of a margin in which every printer prints words; if that is too small, the part in which they
    barely fit.
    """
    surely = room - SURELY_PRINTED
    return surely if surely >= LOW_WORDS else room - EDGE - 500


def _foot(layout: Layout, others: Sequence[Area], marks: list[Area]) -> Area | None:
    """The part of the strip past the marks that ``others`` leave; None if a mark crosses it or it is too
    small for a line.
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
    """The rules for which there is room beside these areas: at most one of 50 mm and one of 2 in."""
    for label, length, sides in (
        ("50 mm", 50 * MM, "left right top foot"),
        ("2 in", 2 * INCH, "right left foot top"),
    ):
        places = (bar for side in sides.split() for bar in _places(layout, occupied, label, length, side))
        if bar := next(places, None):
            occupied = [*occupied, bar.area]
            yield bar


def page_bars(width: int, height: int, away: int) -> tuple[ScaleBar, ScaleBar]:
    """Both rules of a page without cards, upright in the middle of its sides and ``away`` from the edges."""
    lengths = (("50 mm", 50 * MM, away, True), ("2 in", 2 * INCH, width - away, False))
    left, right = (
        _bar(label, length, at, (height - length) // 2, True, before, False)
        for label, length, at, before in lengths
    )
    return left, right


def _places(layout: Layout, occupied: list[Area], label: str, length: int, side: str) -> Iterator[ScaleBar]:
    """Free places on one side of the cards, the best first: close to them, beside the middle row, with the
    label beside the rule.
    """
    block, (width, height) = layout.whole, layout.paper.lengths
    upright, before = side in ("left", "right"), side in ("left", "top")
    begin, end, across, long = (
        (block.x, block.right, width, height) if upright else (block.y, block.bottom, height, width)
    )
    room = begin if before else across - end
    # Close to the cards, past the marks, past the words, then further and further out.
    best = [
        layout.bleed + away for away in (2_000, CLEAR + TICK + HALF_LABEL, WORDS + MAX_WORDS + HALF_LABEL)
    ]
    best += range(best[-1] + 1_000, min(room, best[-1] + 12_000), 1_000)
    # The narrowest margins: as close to the cards, and as close to the edge, as a rule may stand.
    outwards = [*best, layout.bleed + HALF_LABEL + CLEAR, room - PRINTED - HALF_LABEL]
    for away, at_the_end in product(outwards, (False, True)):
        near, far = (HALF_LABEL, HALF_LABEL) if at_the_end else (REACH, LABEL)
        if away + far + PRINTED > room:
            continue
        at = begin - away if before else end + away
        strip = _strip(upright, at - (far if before else near), near + far, 0, long)
        others = [
            (area.y, area.bottom) if upright else (area.x, area.right)
            for area in occupied
            if area.overlaps(strip)
        ]
        whole = length + (ALONG if at_the_end else 0)
        for free, taken in _between_all(others, long):
            if taken - free >= whole:
                yield _bar(label, length, at, (free + taken - whole) // 2, upright, before, at_the_end)


def _between_all(occupied: list[tuple[int, int]], long: int) -> list[tuple[int, int]]:
    """The free parts of a strip of the paper, the part nearest to its middle first."""
    free, start = [], PRINTED
    for begin, end in sorted(occupied):
        free.append((start, begin - CLEAR))
        start = max(start, end + CLEAR)
    return sorted([*free, (start, long - PRINTED)], key=lambda part: abs(sum(part) - long))


def _bar(
    label: str, length: int, at: int, start: int, upright: bool, before: bool, at_the_end: bool
) -> ScaleBar:
    end, high = start + length, 2 * HALF_LABEL
    across, along = (
        (at - HALF_LABEL, end + 1_000) if at_the_end else (at - LABEL if before else at + LABEL - high, start)
    )
    long = ALONG - 1_000 if at_the_end else length
    ticks = tuple(_line(not upright, place, at - REACH, at + REACH) for place in (start, end))
    words = _strip(upright, across, high, along, long)
    return ScaleBar(label, _line(upright, at, start, end), ticks, words, upright)
