"""Marks by which a Silhouette cutter finds the sheet: a square and two Ls, or four Ls. Pure.

The numbers are those of silhouette-card-maker (assets/layouts.json @06166419), so that its cutting templates
fit a sheet with a gap of 1.25 mm: marks 10 mm inside the paper's edge, measured to the middle of their
lines, as long as the wider margin lets them be. They lie in the corners, and cards keep out of there.
"""

from __future__ import annotations

from collections.abc import Iterator

from printing.layout.geometry import Area, Layout

# To the middle of the line, which is so thick; the square's sides are measured from middle to middle too.
INSET, PEN, SQUARE = 10_000, 1_000, 5_000
# An arm is at least so long, and ends so far before the cards begin.
MIN_ARM, CLEAR = 5_000, 1_250
# Cards keep so far from the middle lines of marks, between which the machine cuts; their bleed may run on.
BESIDE = 300
# Words and rules keep so far from all marks.
QUIET = 3_000
# silhouette-card-maker's gap between cards.
USUAL_GAP = 1_250

KINDS = {"registration3": 3, "registration4": 4}


def margins(least: int, bleed: int) -> Iterator[int]:
    """Margins to try, one after the other: the first whose layout leaves room for the arms (``arm``) holds the most cards."""
    closest = max(least, INSET + PEN // 2 + BESIDE)
    furthest = INSET + MIN_ARM + _clear(bleed)
    yield from range(closest, furthest, 500)
    yield max(closest, furthest)


def arm(layout: Layout) -> int:
    """How long the arms of the Ls are: up to where the cards begin in the wider margin. None where that is too short to be seen."""
    block = layout.whole
    room = max(block.x, block.y) - INSET - _clear(layout.bleed)
    return room if room >= MIN_ARM else 0


def _clear(bleed: int) -> int:
    """How far before the cards an arm ends: before their bleed too, by half a line, which the square is larger."""
    return max(CLEAR, bleed + PEN // 2)


def marks(layout: Layout, number: int) -> tuple[Area, ...]:
    """The black areas of three marks (the square top left) or four."""
    long, half = arm(layout), PEN // 2
    if not long:
        return ()
    right, foot = layout.paper.width - INSET, layout.paper.height - INSET
    areas: list[Area] = []
    for x, across in ((INSET, 1), (right, -1)):
        for y, down in ((INSET, 1), (foot, -1)):
            if number == 3 and (across, down) == (-1, -1):
                continue
            if number == 3 and (across, down) == (1, 1):
                areas.append(Area(x - half, y - half, SQUARE + PEN, SQUARE + PEN))
                continue
            start_x = x - half if across > 0 else x - long
            start_y = y - half if down > 0 else y - long
            areas.append(Area(start_x, y - half, long + half, PEN))
            areas.append(Area(x - half, start_y, PEN, long + half))
    return tuple(areas)


def kept_clear(layout: Layout, kind: str) -> tuple[Area, ...]:
    """Where nothing else may be printed, for the machine's eye; nowhere with marks of another kind."""
    return tuple(area.grown(QUIET, QUIET, QUIET, QUIET) for area in marks(layout, KINDS[kind])) if kind in KINDS else ()
