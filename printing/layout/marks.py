"""The geometry of the marks by which a sheet is cut: cut marks, cut lines, the fold, registration marks.

`Margins` draws them. This module only says where they lie: nothing here has a colour or a thickness. Cut
marks in the margins never cross a card or its bleed; `cut_lines` and `card_corners` run along the edges of
cards. Tests: ``tests/printing/layout/test_marks.py``; marks beside words and bars in ``test_bands.py``.
"""

from collections.abc import Iterable, Iterator

from printing.layout.geometry import Area, Layout, Segment
from printing.options.sizes import MM

# All lengths are micrometres.
# The length of a cut mark, its distance from a card's bleed, and the least distance of its end from the edge
# of the paper.
TICK = 3_500
CLEAR = 500
EDGE = 1_000
# The length of a cut mark in prints that save ink.
SHORT_TICK = 2_500
# The distance between a card and a mark in the gap beside it, and the smallest gap that gets marks.
NEAR = 300
MIN_GAP = 1_200
# The corner radius of most cards. Cut paths use it for sheets that are printed with square corners.
USUAL_CORNER = 3 * MM
# The length of marks that lie on the cards themselves, along their edges.
ON_CARD = 1_500
# The length of the dashes of a fold, and of cut lines that save ink.
DASH = 3_000
SHORT_DASH = 1_000


def area_of(segment: Segment) -> Area:
    """Return a line as an area that is one micrometre thick."""
    x, y = min(segment.x1, segment.x2), min(segment.y1, segment.y2)
    return Area(x, y, abs(segment.x1 - segment.x2) or 1, abs(segment.y1 - segment.y2) or 1)


def line_at(upright: bool, at: int, begin: int, end: int) -> Segment:
    """Return an upright line at x = ``at``, or a level line at y = ``at``, from ``begin`` to ``end``."""
    return Segment(at, begin, at, end) if upright else Segment(begin, at, end, at)


def strip_at(upright: bool, at: int, wide: int, begin: int, long: int) -> Area:
    """Return an upright area at x = ``at``, or a level one at y = ``at``, ``wide`` across, ``long`` along."""
    return Area(at, begin, wide, long) if upright else Area(begin, at, long, wide)


# -- marks for a guillotine or scissors ----------------------------------------------


def crop_marks(layout: Layout, long: int = TICK) -> tuple[Segment, ...]:
    """Return ticks in line with every cut, in the margins and in the gaps between cards.

    None of them crosses a card.

    ``long`` is the length of those in the margins.
    """
    return (*outer_marks(layout, long), *_between(layout))


def _cuts(layout: Layout) -> Iterator[tuple[bool, int, int, int, int]]:
    """Yield each cut line, upright ones first, as (upright, at, begin, end, paper).

    ``at`` is its x or y; ``begin`` and ``end`` are the ends of the block of cards along the line; ``paper``
    is the length of the paper along it.
    """
    block, (width, height) = layout.whole, layout.paper.lengths
    yield from ((True, x, block.y, block.bottom, height) for x in layout.columns_at())
    yield from ((False, y, block.x, block.right, width) for y in layout.rows_at())


def outer_marks(layout: Layout, long: int = TICK) -> Iterator[Segment]:
    """Yield the ticks in the margins, shortened where the edge of the paper is near."""
    away = layout.bleed + CLEAR
    for upright, at, begin, end, paper in _cuts(layout):
        if (far := min(away + long, begin - EDGE)) > away:
            yield line_at(upright, at, begin - far, begin - away)
        if (far := min(away + long, paper - end - EDGE)) > away:
            yield line_at(upright, at, end + away, end + far)


def _between(layout: Layout) -> Iterator[Segment]:
    """Yield the ticks in the gaps between cards, across each gap that is wide enough."""
    xs, ys = layout.columns_at(), layout.rows_at()
    for upright, gap, edges, places in ((False, layout.gap_x, xs, ys), (True, layout.gap_y, ys, xs)):
        if gap >= MIN_GAP:
            # Edges alternate: the begin and the end of the first card, of the second card, and so on. Three
            # cards of 63 mm, 2 mm apart on A4: [8.5, 71.5, 73.5, 136.5, 138.5, 201.5]; the gaps run from 71.5
            # to 73.5 and from 136.5 to 138.5.
            for end, begin in zip(edges[1:-1:2], edges[2::2], strict=True):
                yield from (line_at(upright, at, end + NEAR, begin - NEAR) for at in places)


def card_corners(layout: Layout) -> tuple[Segment, ...]:
    """Return an L along the cut lines on each corner of each card, for marks on top of the cards."""
    segments = []
    for cell in layout.cells():
        for x, along in ((cell.x, 1), (cell.right, -1)):
            for y, down in ((cell.y, 1), (cell.bottom, -1)):
                segments += [Segment(x, y, x + along * ON_CARD, y), Segment(x, y, x, y + down * ON_CARD)]
    return tuple(segments)


def cut_lines(layout: Layout) -> tuple[Segment, ...]:
    """Return a line across the whole paper for each cut, so that every strip shows its remaining cuts."""
    return tuple(line_at(upright, at, 0, paper) for upright, at, _, _, paper in _cuts(layout))


def dashed(
    segments: Iterable[Segment], dash: int = SHORT_DASH, apart: int = 4 * SHORT_DASH
) -> tuple[Segment, ...]:
    """Return the lines as dashes, one every ``apart`` micrometres.

    The default is short dashes with wide spaces. Lines must run right or down, as those of this module do.
    """
    dashes = []
    for x1, y1, x2, y2 in segments:
        upright, long = x1 == x2, max(x2 - x1, y2 - y1)
        at, begin = (x1, y1) if upright else (y1, x1)
        for start in range(0, long, apart):
            dashes.append(line_at(upright, at, begin + start, begin + min(start + dash, long)))
    return tuple(dashes)


def fold_line(layout: Layout) -> tuple[Segment, ...]:
    """Return the fold as a dashed line across the whole paper; nothing if the sheet is not folded."""
    if not layout.fold:
        return ()
    upright = layout.fold == "vertical"
    across, long = layout.paper.lengths if upright else layout.paper.lengths[::-1]
    return dashed([line_at(upright, across // 2, 0, long)], DASH, 2 * DASH)


# -- registration marks ----------------------------------------------------------------
#
# A Silhouette cutting machine finds the sheet by these marks in the corners: a square and two Ls, or four Ls.
# The lengths are those of silhouette-card-maker (assets/layouts.json @06166419), so that its cutting
# templates fit. Its cards stand 64.56 x 90 mm from each other, a little closer than its stated gap of 1.25 mm
# makes them; a preset therefore uses gaps of 1.06 and 1.1 mm for poker cards. No card may lie beside a mark,
# and the arms of the Ls are as long as the wider margin allows.

# Values of the option ``marks``: those that a guillotine is set by, and those for a machine with their number
# of marks.
CUT_MARKS = ("corners", "edges")
REGISTRATION_KINDS = {"registration3": 3, "registration4": 4}
# The distance from the edge of the paper to the middle of a mark's line, the thickness of that line, and the
# side of the square measured between the middles of its lines.
INSET = 10_000
THICK = 1_000
SQUARE = 5_000
# The least length of an arm, and the least distance from its end to the cards.
MIN_ARM = 5_000
BEFORE_CARDS = 1_250
# The step between the margins that are tried.
_STEP = 500
# The machine cuts only inside the middle lines of the marks. Cards keep this distance from them; their bleed
# need not.
BESIDE = 300
# The distance that words and scale bars keep from registration marks, so that no machine mistakes them.
QUIET = 3_000


def registration_margins(lowest: int, bleed: int) -> Iterator[int]:
    """Yield margins to try, from the smallest to the largest.

    The first one whose layout leaves room for the marks (`registration_arm`) holds the most cards.
    """
    closest = max(lowest, INSET + THICK // 2 + BESIDE)
    furthest = INSET + MIN_ARM + _before_cards(bleed)
    yield from range(closest, furthest, _STEP)
    yield max(closest, furthest)


def registration_arm(layout: Layout) -> int:
    """Return the length of the arms of the Ls, which end before the cards in the wider margin.

    Return 0 if the arms would be too short for the machine to see, or if cards lie where it cannot cut.
    """
    block, paper = layout.whole, layout.paper
    beside, above = (
        min(begin, end)
        for begin, end in ((block.x, paper.width - block.right), (block.y, paper.height - block.bottom))
    )
    room = max(beside, above) - INSET - _before_cards(layout.bleed)
    return room if room >= MIN_ARM and min(beside, above) >= INSET + THICK // 2 + BESIDE else 0


def _before_cards(bleed: int) -> int:
    """Return the distance from the end of an arm to the cards.

    It leaves room for the bleed and for half a line, by which the square is larger than its middle lines.
    """
    return max(BEFORE_CARDS, bleed + THICK // 2)


def registration_marks(layout: Layout, number: int) -> tuple[Area, ...]:
    """Return the black areas of three marks (a square and two Ls) or of four Ls; none for ``number`` 0.

    Three marks as they lie; the foot on the right has none::

        ■          ‾‾|
        |
        |__
    """
    long, half = registration_arm(layout), THICK // 2
    if not (number and long):
        return ()
    right, foot = layout.paper.width - INSET, layout.paper.height - INSET
    areas: list[Area] = []
    # ``across`` and ``down`` are the directions in which the arms run from the corner (x, y) of the mark.
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
