"""The order in which a guillotine cuts a sheet into cards with the fewest cuts, and the numbers of the cuts
in the margins. Pure.

`Margins` asks for it when the option ``cut_order`` is on, and the remarks of a print (`printing.job.remarks`)
say it in words.

Pieces are stacked as they lay on the sheet and are cut together, so each line is cut once. No order is
shorter, because every edge of a card needs a cut. First the sheet is cut into strips. The wider margin beside
the strips stays on its strip, because it shows the marks of the cuts across; it comes off with the last cut,
the only one whose marks are gone by then. Tests: ``tests/printing/layout/test_cuts.py``.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from printing.faces import fonts
from printing.faces.colours import ROLES
from printing.faces.strokes import Stroke, text_runs
from printing.layout.bands import PRINTED
from printing.layout.geometry import MIN_MARGIN, Area, Layout
from printing.layout.marks import CLEAR, strip_at
from printing.layout.qr_code import SURE_EDGE
from printing.options.sizes import shown

# The distance of a number from its cut line, and of other words from a number, in micrometres.
ASIDE = 400
AIR = 1_200


class Cut(NamedTuple):
    """One cut through all pieces on its line.

    ``at`` is its x if it is ``upright``, else its y, in micrometres on the sheet. ``stack``: the pieces are
    laid on each other before this cut.
    """

    number: int
    upright: bool
    at: int
    stack: bool = False


class Numbered(NamedTuple):
    """A cut and the area in which its number is printed."""

    cut: Cut
    area: Area


class _Direction(NamedTuple):
    """The cuts in one direction.

    ``lines`` are the places of the cuts, in ascending order. ``strips`` is the number of columns of cards, or
    of rows if the cuts are level. ``margin`` is the wider of the two margins that the cuts take off.
    """

    upright: bool
    lines: list[int]
    strips: int
    margin: int


def _direction(upright: bool, ends: list[tuple[int, int]], begin: int, end: int) -> _Direction | None:
    """Return the cuts between the two ``ends`` of each card, on paper from ``begin`` to ``end``.

    None if a cut would go through a card.
    """
    edges = {edge for pair in ends for edge in pair}
    if any(first < edge < last for first, last in ends for edge in edges):
        return None
    margin = max(min(edges) - begin, end - max(edges))
    # An edge of a card at the edge of the paper needs no cut.
    return _Direction(upright, sorted(edges - {begin, end}), len({first for first, _ in ends}), margin)


def cut_order(cards: Sequence[Area], piece: Area) -> tuple[Cut, ...]:
    """Return the fewest cuts that free these cards, one at least, from a piece of paper, in order.

    Return no cuts if a line would go through a card, as between staggered cards. Nine cards of 63 x 88 mm on
    A4 (210 x 297 mm) need eight cuts:

    - 1 to 3: level, at y = 280.5, 192.5 and 104.5 mm. Three strips; the third keeps the upper margin.
    - 4 to 7: upright, through all strips in a stack, at x = 199.5, 136.5, 73.5 and 10.5 mm.
    - 8: level, at y = 16.5 mm: the upper margin comes off the stacked cards.
    """
    upright = _direction(True, [card.ends(False) for card in cards], piece.x, piece.right)
    level = _direction(False, [card.ends(True) for card in cards], piece.y, piece.bottom)
    if not (upright and level):
        return ()
    # Strips run in the direction that makes fewer of them; if both make as many, in the one with the wider
    # margin beside the strips.
    strips, across = level, upright
    if (upright.strips, -upright.margin) < (level.strips, -level.margin):
        strips, across = upright, level
    begin, end = piece.ends(not strips.upright)
    lines = strips.lines
    # The last strip line is the one at the wider margin.
    if lines and lines[0] - begin >= end - lines[-1]:
        lines = lines[::-1]
    # (upright, at, stack): all strip lines but the last, then the lines across, then the wider margin. No
    # lines at all if one card fills the paper, hence the slices.
    cuts = [(strips.upright, at, False) for at in lines[:-1]]
    for place, at in enumerate(reversed(across.lines)):
        cuts.append((across.upright, at, strips.strips > 1 and place == 0))
    cuts += [(strips.upright, at, across.strips > 1) for at in lines[-1:]]
    return tuple(Cut(number, *cut) for number, cut in enumerate(cuts, 1))


def piece_of(layout: Layout) -> Area:
    """Return the paper that is cut: the whole sheet, or half of it if it is folded first."""
    if layout.fold == "vertical":
        return layout.sheet._replace(width=layout.paper.width // 2)
    return layout.sheet._replace(height=layout.paper.height // 2) if layout.fold else layout.sheet


def cuts_of(layout: Layout, skip: Iterable[int] = ()) -> tuple[Cut, ...]:
    """Return the cuts of a sheet. The slots in ``skip``, counted from 1, are empty and need no cuts.

    `layout_for` has refused to skip all slots.
    """
    empty = set(skip)
    cards = [layout.slot(place) for place in range(layout.per_sheet) if place + 1 not in empty]
    return cut_order(cards, piece_of(layout))


def in_words(cuts: Sequence[Cut], folded: bool = False) -> str:
    """Return the order as a sentence: ``Cut 1 to 8 in order; stack pieces before 4 and 8.``"""
    before = " and ".join(str(cut.number) for cut in cuts if cut.stack)
    stack = f"; stack pieces before {before}" if before else ""
    return f"{'Fold and glue, then cut' if folded else 'Cut'} 1 to {len(cuts)} in order{stack}."


def in_distances(cuts: Sequence[Cut], layout: Layout) -> str:
    """Return the order, one cut at least, as a sentence without numbers, for sheets without room for them.

    Each distance is measured from an edge that is still there when the line is cut: ``Cut at 280.5, 192.5,
    104.5 mm from the top, then all pieces, stacked, at 199.5, 136.5, 73.5, 10.5 mm from the left, then all
    pieces, stacked, at 16.5 mm from the top.``
    """
    piece, first, last = piece_of(layout), cuts[0], cuts[-1]
    # If strips are cut from left to right (or from top to bottom), the near edge is gone after the first cut.
    forwards = first.upright == last.upright and first.at < last.at
    groups = []
    for upright, group in groupby(cuts, lambda cut: cut.upright):
        near_edge, far_edge = ("left", "right") if upright else ("top", "foot")
        edge, places = near_edge, [cut.at for cut in group]
        if forwards and upright == first.upright:
            _, end = piece.ends(not upright)
            edge, places = far_edge, [end - at for at in places]
        groups.append(f"{', '.join(map(shown, places))} mm from the {edge}")
    begin = "Fold and glue, then cut" if layout.fold else "Cut"
    return f"{begin} at {', then all pieces, stacked, at '.join(groups)}."


# -- numbers in the margins ------------------------------------------------------------


def width_of(cuts: Sequence[Cut], size: int) -> int:
    """Return the width that a number takes beside its line, including the space on both sides."""
    return ASIDE + _number_width(cuts, size) + AIR


def _number_width(cuts: Sequence[Cut], size: int) -> int:
    return fonts.length("sans-bold", "0" * len(str(len(cuts))), size)


def numbers_beside(cuts: Sequence[Cut], layout: Layout, size: int) -> tuple[Numbered, ...]:
    """Return each cut with the area of its number, in type of this size (micrometres); none if the printable
    margins have no room for all numbers.

    A number stands in the margin at an end of its line, on the side of the line where the card is. On A4 with
    nine cards and in type of 2293, cards begin at line 7 (x = 10500), so its number is right of it: x from
    10900 to 12076. Cards end at line 4 (x = 199500), so its number is left of it: 197924 to 199100. Both
    stand in the upper margin, y from 14487 to 16000.
    """
    wide, high = _number_width(cuts, size), fonts.cap("sans-bold", size)
    printed = _printed_by_most(layout)
    slots = [layout.slot(place) for place in range(layout.per_sheet)]
    found: list[Numbered] = []
    for upright in (True, False):
        # The sides of a number: across its line, and along it.
        across, along = (wide, high) if upright else (high, wide)
        same_direction = [cut for cut in cuts if cut.upright == upright]
        # The lines at which cards begin: of upright lines, the x of their left edges.
        begins = {slot.ends(not upright)[0] for slot in slots}
        # Where each number begins across its line: of upright lines, its x.
        starts = [cut.at + ASIDE if cut.at in begins else cut.at - ASIDE - across for cut in same_direction]
        # All numbers of a direction stand in one margin, the first that has room for them.
        for place in _margins_for_numbers(layout, upright, along):
            areas = [strip_at(upright, start, across, place, along) for start in starts]
            if all(area.inside(printed) for area in areas):
                found += map(Numbered, same_direction, areas)
                break
    return tuple(found) if len(found) == len(cuts) else ()


def _printed_by_most(layout: Layout) -> Area:
    """Return the part of the sheet that the printer prints. A margin of 5 mm or less is no statement about
    the printer: nearly every one prints closer to the edge, so 3 to 4.2 mm of it are left out.
    """
    top, right, foot, left = (
        margin if margin > MIN_MARGIN else min(max(margin, PRINTED), SURE_EDGE) for margin in layout.margins
    )
    return layout.sheet.grown(-left, -top, -right, -foot)


def _margins_for_numbers(layout: Layout, upright: bool, along: int) -> tuple[int, ...]:
    """Return where numbers begin in the margins at both ends of the cut lines, as y, or x of level lines.

    ``along`` is the side of a number along its line.
    """
    away = layout.bleed + CLEAR
    begin, end = layout.block.ends(upright)
    long = layout.paper.height if upright else layout.paper.width
    before, after = begin - away - along, end + away
    # On the other side of the fold are the backs, so no number stands there.
    if layout.fold == ("horizontal" if upright else "vertical"):
        return (before,)
    # The wider margin is tried first: its strip is cut last and shows the numbers until then.
    return (after, before) if long - end > begin else (before, after)


def number_strokes(numbers: Iterable[Numbered], size: int) -> list[Stroke]:
    """Return the numbers as text.

    The number of a level line, and one that stands left of its line, ends at the right of its area; any other
    one begins at the left.
    """
    strokes: list[Stroke] = []
    for cut, area in numbers:
        words = str(cut.number)
        x = area.x
        if not cut.upright or area.right < cut.at:
            x += area.width - fonts.length("sans-bold", words, size)
        strokes += text_runs(words, "sans-bold", size, x, area.bottom, ROLES["ink"])
    return strokes
