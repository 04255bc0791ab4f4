"""The order in which a guillotine cuts a sheet into cards with the fewest cuts, and the numbers of the cuts
in the margins. Pure.

`Margins` asks for it when the option ``cut_order`` is on, and the print's remarks say it in words.

Pieces are stacked as they lay on the sheet and are cut together, so each line is cut once. No order is
shorter, because every edge of a card needs a cut. First the sheet is cut into strips. The wider margin beside
the strips stays on its strip, because it shows the marks of the cuts across; it comes off with the last cut,
the only one whose marks are gone by then.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from printing.faces import fonts
from printing.faces.colours import ROLES
from printing.faces.strokes import Stroke, text_runs
from printing.layout.bands import PRINTED
from printing.layout.geometry import MIN_MARGIN, Area, Layout
from printing.layout.marks import CLEAR
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


def cut_order(cards: Sequence[Area], piece: Area) -> tuple[Cut, ...]:
    """Return the fewest cuts that free these cards from a piece of paper, in order.

    Return no cuts if a line would go through a card, as between staggered cards.
    """
    xs = {x for card in cards for x in (card.x, card.right)}
    ys = {y for card in cards for y in (card.y, card.bottom)}
    through_x = any(card.x < x < card.right for card in cards for x in xs)
    if through_x or any(card.y < y < card.bottom for card in cards for y in ys):
        return ()
    columns, rows = len({card.x for card in cards}), len({card.y for card in cards})
    beside = max(min(xs) - piece.x, piece.right - max(xs))
    above = max(min(ys) - piece.y, piece.bottom - max(ys))
    # Strips run in the direction that makes fewer of them; if both make as many, in the one with the wider
    # margin beside the strips.
    strips_upright = (columns, -beside) < (rows, -above)
    # For each direction: its cut lines, both edges of the paper, and the number of rows or columns of cards.
    # A line at the edge of the paper needs no cut.
    upright = sorted(xs - {piece.x, piece.right}), piece.x, piece.right, columns
    level = sorted(ys - {piece.y, piece.bottom}), piece.y, piece.bottom, rows
    strip_direction, card_direction = (upright, level) if strips_upright else (level, upright)
    (strip_lines, begin, end, strips), (card_lines, _, _, cards_in_strip) = strip_direction, card_direction
    # The last strip line is the one at the wider margin.
    if strip_lines and strip_lines[0] - begin >= end - strip_lines[-1]:
        strip_lines.reverse()
    # (upright, at, stack): all strip lines but the last, then the lines across, then the wider margin.
    cuts = [
        *((strips_upright, at, False) for at in strip_lines[:-1]),
        *(
            (not strips_upright, at, strips > 1 and not index)
            for index, at in enumerate(reversed(card_lines))
        ),
        *((strips_upright, at, cards_in_strip > 1) for at in strip_lines[-1:]),
    ]
    return tuple(Cut(number, *cut) for number, cut in enumerate(cuts, 1))


def piece_of(layout: Layout) -> Area:
    """Return the paper that is cut: the whole sheet, or half of it if it is folded first."""
    if layout.fold == "vertical":
        return layout.sheet._replace(width=layout.paper.width // 2)
    return layout.sheet._replace(height=layout.paper.height // 2) if layout.fold else layout.sheet


def cuts_of(layout: Layout, skip: Iterable[int] = ()) -> tuple[Cut, ...]:
    """Return the cuts of a sheet. The slots in ``skip``, counted from 1, are empty and need no cuts."""
    empty = set(skip)
    cards = [layout.slot(place) for place in range(layout.per_sheet) if place + 1 not in empty]
    return cut_order(cards, piece_of(layout))


def in_words(cuts: Sequence[Cut], folded: bool = False) -> str:
    """Return the order as a sentence: ``Cut 1 to 8 in order; stack pieces before 4 and 8.``"""
    before = " and ".join(str(cut.number) for cut in cuts if cut.stack)
    stack = f"; stack pieces before {before}" if before else ""
    return f"{'Fold and glue, then cut' if folded else 'Cut'} 1 to {len(cuts)} in order{stack}."


def in_distances(cuts: Sequence[Cut], layout: Layout) -> str:
    """Return the order as a sentence without numbers, for sheets that have no room for them.

    Each distance is measured from an edge that is still there when the line is cut: ``Cut at 287, 199 mm from
    the foot, then all pieces, stacked, at 136, 73, 10 mm from the left.``
    """
    piece, first, last = piece_of(layout), cuts[0], cuts[-1]
    # If strips are cut from left to right (or from top to bottom), the near edge is gone after the first cut.
    forwards = first.upright == last.upright and first.at < last.at
    groups = []
    for upright, group in groupby(cuts, lambda cut: cut.upright):
        far = forwards and upright == first.upright
        long = piece.right if upright else piece.bottom
        edge = ("right" if far else "left") if upright else ("foot" if far else "top")
        places = (shown(long - cut.at if far else cut.at) for cut in group)
        groups.append(f"{', '.join(places)} mm from the {edge}")
    return (
        f"{'Fold and glue, then cut' if layout.fold else 'Cut'} at"
        f" {', then all pieces, stacked, at '.join(groups)}."
    )


# -- numbers in the margins ------------------------------------------------------------


def width_of(cuts: Sequence[Cut], size: int) -> int:
    """Return the width that a number takes beside its line, including the space on both sides."""
    return ASIDE + _number_width(cuts, size) + AIR


def _number_width(cuts: Sequence[Cut], size: int) -> int:
    return len(str(len(cuts))) * fonts.width("sans-bold", "0") * size // 1000


def numbers_beside(cuts: Sequence[Cut], layout: Layout, size: int) -> tuple[Numbered, ...]:
    """Return each cut with the area of its number, in type of this size.

    A number stands in the margin, beside the card that its line bounds.

    Return none if the printable margins have no room for all numbers.
    """
    # ``True`` is for upright cuts, whose numbers stand above or below the cards, ``False`` for level ones,
    # whose numbers stand beside them.
    wide, high = _number_width(cuts, size), fonts.CUTS["sans-bold"].cap * size // 1000
    block, away = layout.block, layout.bleed + CLEAR
    # A margin of 5 mm or less is no statement about the printer: nearly every one prints closer to the edge.
    top, right, foot, left = (
        margin if margin > MIN_MARGIN else min(max(margin, PRINTED), SURE_EDGE) for margin in layout.margins
    )
    printed = layout.sheet.grown(-left, -top, -right, -foot)
    slots = [layout.slot(place) for place in range(layout.per_sheet)]
    begins = {True: {slot.x for slot in slots}, False: {slot.y for slot in slots}}
    ends: dict[bool, tuple[int, ...]] = {
        True: (block.y - away - high, block.bottom + away),
        False: (block.x - away - wide, block.right + away),
    }
    # On the other side of the fold are the backs, so no number stands there.
    if layout.fold:
        folds_across = layout.fold == "horizontal"
        ends[folds_across] = ends[folds_across][:1]
    # The wider margin is tried first: its strip is cut last and shows the numbers until then.
    ends[True] = _wider_first(ends[True], block.y, layout.paper.height - block.bottom)
    ends[False] = _wider_first(ends[False], block.x, layout.paper.width - block.right)
    found: list[Numbered] = []
    for upright, places in ends.items():
        long, own = wide if upright else high, [cut for cut in cuts if cut.upright == upright]
        # A number stands beyond the line at which a card begins, and before the line at which it ends.
        asides = [cut.at + ASIDE if cut.at in begins[upright] else cut.at - ASIDE - long for cut in own]
        for place in places:
            areas = [Area(*((at, place) if upright else (place, at)), wide, high) for at in asides]
            if all(area.inside(printed) for area in areas):
                found += map(Numbered, own, areas)
                break
    return tuple(found) if len(found) == len(cuts) else ()


def _wider_first(ends: tuple[int, ...], before: int, after: int) -> tuple[int, ...]:
    return ends[::-1] if after > before else ends


def number_strokes(numbers: Iterable[Numbered], size: int) -> list[Stroke]:
    """Return the numbers as text.

    A number left of its line ends at the line, any other one begins at its area's left.
    """
    strokes: list[Stroke] = []
    for cut, area in numbers:
        words = str(cut.number)
        beyond = area.right < cut.at if cut.upright else True
        room = area.width - fonts.width("sans-bold", words) * size // 1000
        strokes += text_runs(words, "sans-bold", size, area.x + room * beyond, area.bottom, ROLES["ink"])
    return strokes
