"""The order in which a guillotine cuts a sheet into cards, in the fewest cuts. Pure.

A cut runs from edge to edge of every piece that lies across its line: pieces are laid on each other as they
lay on the sheet, and are cut together. So each line is cut once, and no fewer cuts free the cards, because
every edge of a card needs one. Strips come off first. The strip beside the wider margin comes off last and
keeps the margin, which still shows the marks of the cuts across. The margin itself comes off with the last
cut, the only one whose marks are gone by then.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from printing.faces import fonts
from printing.faces.colours import ROLES
from printing.faces.strokes import Stroke, text_runs
from printing.layout.geometry import MIN_MARGIN, Area, Layout
from printing.layout.marks import CLEAR, PRINTED
from printing.layout.qr_code import SURE_EDGE
from printing.options.sizes import shown

# The distance of a number from its line, and of words from a number.
ASIDE, AIR = 400, 1_200


class Cut(NamedTuple):
    """One cut of all pieces: its place on the sheet. ``stack``: pieces are laid on each other before it."""

    number: int
    upright: bool
    at: int
    stack: bool = False


class Numbered(NamedTuple):
    """A cut and the area of its number."""

    cut: Cut
    area: Area


def cut_order(cards: Sequence[Area], piece: Area) -> tuple[Cut, ...]:
    """The fewest cuts that free these cards of a piece of paper; none if a line would go through a card, as
    between staggered cards.
    """
    xs = {x for card in cards for x in (card.x, card.right)}
    ys = {y for card in cards for y in (card.y, card.bottom)}
    through_x = any(card.x < x < card.right for card in cards for x in xs)
    if through_x or any(card.y < y < card.bottom for card in cards for y in ys):
        return ()
    columns, rows = len({card.x for card in cards}), len({card.y for card in cards})
    beside = max(min(xs) - piece.x, piece.right - max(xs))
    above = max(min(ys) - piece.y, piece.bottom - max(ys))
    # Strips run the way that makes fewer of them; of as many, the way with the wider margin beside them.
    strips_upright = (columns, -beside) < (rows, -above)
    # Of each way: its lines, where the paper begins and ends, and how many rows of cards they divide.
    upright = sorted(xs - {piece.x, piece.right}), piece.x, piece.right, columns
    level = sorted(ys - {piece.y, piece.bottom}), piece.y, piece.bottom, rows
    strip_way, card_way = (upright, level) if strips_upright else (level, upright)
    (strip_lines, begin, end, strips), (card_lines, _, _, cards_in_strip) = strip_way, card_way
    if strip_lines and strip_lines[0] - begin >= end - strip_lines[-1]:
        strip_lines.reverse()
    places = [
        *((strips_upright, at, False) for at in strip_lines[:-1]),
        *(
            (not strips_upright, at, strips > 1 and not place)
            for place, at in enumerate(reversed(card_lines))
        ),
        *((strips_upright, at, cards_in_strip > 1) for at in strip_lines[-1:]),
    ]
    return tuple(Cut(number, *place) for number, place in enumerate(places, 1))


def piece_of(layout: Layout) -> Area:
    """The paper that is cut: the sheet, or the sheet when it is folded."""
    if layout.fold == "vertical":
        return layout.sheet._replace(width=layout.paper.width // 2)
    return layout.sheet._replace(height=layout.paper.height // 2) if layout.fold else layout.sheet


def cuts_of(layout: Layout, skip: Iterable[int] = ()) -> tuple[Cut, ...]:
    """The cuts of a sheet whose slots ``skip``, counted from 1, stay empty."""
    empty = set(skip)
    cards = [layout.slot(place) for place in range(layout.per_sheet) if place + 1 not in empty]
    return cut_order(cards, piece_of(layout))


def in_words(cuts: Sequence[Cut], folded: bool = False) -> str:
    """The order as a sentence, by numbers."""
    before = " and ".join(str(cut.number) for cut in cuts if cut.stack)
    stack = f"; stack pieces before {before}" if before else ""
    return f"{'Fold and glue, then cut' if folded else 'Cut'} 1 to {len(cuts)} in order{stack}."


def in_distances(cuts: Sequence[Cut], layout: Layout) -> str:
    """The order as a sentence without numbers: the distance of each line from an edge that is still there
    when it is cut.
    """
    piece, first, last = piece_of(layout), cuts[0], cuts[-1]
    # Strips come off towards the wider margin.
    away = first.upright == last.upright and first.at < last.at
    groups = []
    for upright, group in groupby(cuts, lambda cut: cut.upright):
        far = away and upright == first.upright
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
    """The room that a number takes beside its line, with air on both sides."""
    return ASIDE + _wide(cuts, size) + AIR


def _wide(cuts: Sequence[Cut], size: int) -> int:
    return len(str(len(cuts))) * fonts.width("sans-bold", "0") * size // 1000


def numbers_beside(cuts: Sequence[Cut], layout: Layout, size: int) -> tuple[Numbered, ...]:
    """Each cut with the place of its number, in type of this size, beside the card that the line bounds; none
    if the printable margins have no room for all.
    """
    wide, high = _wide(cuts, size), fonts.CUTS["sans-bold"].cap * size // 1000
    block, away = layout.block, layout.bleed + CLEAR
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
    # Beyond the fold lie the backs.
    if layout.fold:
        folds_across = layout.fold == "horizontal"
        ends[folds_across] = ends[folds_across][:1]
    # The wider margin first, on which the strip that keeps it shows the numbers.
    ends[True] = _wider_first(ends[True], block.y, layout.paper.height - block.bottom)
    ends[False] = _wider_first(ends[False], block.x, layout.paper.width - block.right)
    found: list[Numbered] = []
    for upright, places in ends.items():
        long, own = wide if upright else high, [cut for cut in cuts if cut.upright == upright]
        for place in places:
            asides = [cut.at + ASIDE if cut.at in begins[upright] else cut.at - ASIDE - long for cut in own]
            areas = [Area(*((at, place) if upright else (place, at)), wide, high) for at in asides]
            if all(area.inside(printed) for area in areas):
                found += map(Numbered, own, areas)
                break
    return tuple(found) if len(found) == len(cuts) else ()


def _wider_first(ends: tuple[int, ...], before: int, after: int) -> tuple[int, ...]:
    return ends[::-1] if after > before else ends


def number_strokes(numbers: Iterable[Numbered], size: int) -> list[Stroke]:
    """The numbers as words, each at the end of its area that is nearer to the line or the cards."""
    strokes: list[Stroke] = []
    for cut, area in numbers:
        words = str(cut.number)
        beyond = area.right < cut.at if cut.upright else True
        room = area.width - fonts.width("sans-bold", words) * size // 1000
        strokes += text_runs(words, "sans-bold", size, area.x + room * beyond, area.bottom, ROLES["ink"])
    return strokes
