"""The backs of cards: our emblem in a field of paper, and around it a pattern that runs off every edge. Pure.

`back_of_game` is the entry; `printing.job.pieces` and the tuck box call it. A change must keep everything but
the pattern away from the trim: a back that is printed or cut a millimetre off must look like any other, or
players could tell cards apart. Tests: ``tests/printing/faces/test_backs.py``.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.print import face as kit
from cardsdb.games.kit.print.face import Back, back_for
from cardsdb.games.kit.print.shapes import GRID, Steps, placed
from printing.faces import colours, wording
from printing.faces.canvas import Canvas
from printing.faces.strokes import Drawing, Path, rounded

# The number of tiles of the pattern across the card. One of them lies exactly in the middle.
TILES = 7
# The thickness of the pattern's lines, in micrometres of a card of 63 x 88 mm.
PATTERN_PEN = 260
# The same in the plain style, which saves ink.
FINE_PEN = 120
# A curve of the pattern is drawn as this many straight lines, each a fraction of a millimetre long.
PIECES = 6
PROXY = "Proxy, not for sale"

# Boxes (x, y, width, height) in micrometres of a card of 63 x 88 mm.
_FIELD = kit.Box(11_000, 17_000, 41_000, 54_000)
_EMBLEM = kit.Box(19_500, 21_000, 24_000, 24_000)
_NAME = kit.Box(14_000, 46_500, 35_000, 11_000)
_LABEL = kit.Box(14_000, 57_700, 35_000, 4_400)
_PROXY = kit.Box(14_000, 62_600, 35_000, 7_000)
# The radius of the field's corners, and the distance of the line inside of the field from its edge.
_CORNER = 4_000
_INSET = 1_200

Point = tuple[int, int]
Segment = tuple[Point, Point]


class Corners(NamedTuple):
    """The edges of a rectangle."""

    left: int
    top: int
    right: int
    bottom: int


def back_of_game(
    game: Game,
    trim: tuple[int, int] = (0, 0),
    bleed: int = 0,
    plain: bool = False,
    card_type: str = "",
    *,
    light: bool = False,
) -> Drawing:
    """Return the back of this type of card, always upright.

    Without a type, it is the back that most cards of the game have; without a trim it has the game's own
    size. ``plain`` draws fine lines on paper; ``light`` draws the pattern in a lighter hue on paper.
    """
    return _drawn(game, back_for(game.backs, card_type), trim if trim[0] else game.trim, bleed, plain, light)


@lru_cache(maxsize=100)
def _drawn(game: Game, back: Back, trim: tuple[int, int], bleed: int, plain: bool, light: bool) -> Drawing:
    """Return the drawing of a back; equal backs are the same object."""
    width, height = sorted(trim)
    canvas = Canvas(
        Card(game.slug, "", "", ""), game, landscape=False, size=(width, height), bleed=bleed, plain=plain
    )
    hue, field = colours.legible(back.colour or game.hue[0], colours.PAPER), canvas.box(_FIELD)
    if plain:
        line_colour = hue
    else:
        ground, line_colour = colours.PAPER, colours.mix(hue, colours.PAPER, 55)
        if not light:
            ground, line_colour = hue, colours.mix(colours.PAPER, hue, 30)
        canvas.paint(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed, ground)
    pen = canvas.length(FINE_PEN if plain else PATTERN_PEN)
    pattern = _pattern(back.pattern, (width, height), bleed, pen, field)
    canvas.strokes.append(Path(pattern, line_colour, pen))
    outline = rounded(field.x, field.y, field.width, field.height, canvas.length(_CORNER))
    if plain:
        canvas.strokes.append(Path(outline, hue, pen))
    else:
        canvas.strokes.append(Path(outline, colours.PAPER))
        inset = canvas.length(_INSET)
        inner_size = field.width - 2 * inset, field.height - 2 * inset
        inner_line = rounded(field.x + inset, field.y + inset, *inner_size, canvas.length(_CORNER) - inset)
        canvas.strokes.append(Path(inner_line, hue, pen))
    canvas.symbol(canvas.box(_EMBLEM), back.emblem, hue)
    _words(canvas, game.name, _NAME, "serif-bold", 190, 90, hue, 3)
    _words(canvas, back.label, _LABEL, "sans-bold", 90, 65, colours.ROLES["ink"], 1)
    _words(canvas, wording.game_credit(game) or PROXY, _PROXY, "sans", 65, 60, colours.ROLES["soft"], 2)
    name = f"Back, {game.name}" + (f", {back.label}" if back.label else "")
    return Drawing(name, width, height, tuple(canvas.strokes), turned=(width, height) != trim)


def _words(
    canvas: Canvas, words: str, place: kit.Box, font: kit.Font, size: int, least: int, colour: str, lines: int
) -> None:
    """Set words centred in a box, in type from ``size`` down to ``least`` tenths of a point."""
    box = canvas.box(place)
    canvas.block(
        canvas.fit(words, box, font, canvas.size(size), canvas.least(least), lines),
        box,
        font,
        "centre",
        colour,
    )


# -- the pattern ------------------------------------------------------------------


def _pattern(tile: str, size: tuple[int, int], bleed: int, pen: int, field: kit.Box) -> Steps:
    """Return the tile repeated over the card and its bleed, but not behind the field.

    Each line of each tile is clipped twice: to what lies inside the ``edge`` of the bleed, and then to what
    lies outside the ``hole`` that the field leaves. Most tiles lie whole in the pattern and skip that.
    """
    width, height = size
    side = max(GRID, width // TILES)
    # Half a pen inside the bleed, so that no line sticks out of it.
    beyond = bleed - pen // 2
    edge = Corners(-beyond, -beyond, width + beyond, height + beyond)
    hole = Corners(field.x, field.y, field.x + field.width, field.y + field.height)
    steps: list[tuple[str, tuple[int, ...]]] = []
    # Where the pen is: a line that begins there needs no step to its begin.
    pen_at: Point | None = None
    # The lines of a tile at (0, 0), and the smallest box that holds them.
    tile_lines = list(_segments(placed(tile, 0, 0, side)))
    if not tile_lines:
        return ()
    reach = _around(point for line in tile_lines for point in line)
    for left in _starts(width, side, bleed):
        for top in _starts(height, side, bleed):
            lines = [((x1 + left, y1 + top), (x2 + left, y2 + top)) for (x1, y1), (x2, y2) in tile_lines]
            box = Corners(reach.left + left, reach.top + top, reach.right + left, reach.bottom + top)
            if not _is_whole(box, edge, hole):
                lines = [part for line in lines for part in _outside(_inside(line, edge), hole)]
            for begin, end in lines:
                if begin == end:
                    continue
                if begin != pen_at:
                    steps.append(("M", begin))
                steps.append(("L", end))
                pen_at = end
    return tuple(steps)


def _around(points: Iterable[Point]) -> Corners:
    """Return the smallest box that holds the points."""
    xs, ys = zip(*points, strict=True)
    return Corners(min(xs), min(ys), max(xs), max(ys))


def _is_whole(box: Corners, edge: Corners, hole: Corners) -> bool:
    """Return whether nothing in the box is cut off: it is inside the edge and clear of the hole."""
    is_beside_hole = box.right < hole.left or hole.right < box.left
    is_over_hole = box.bottom < hole.top or hole.bottom < box.top
    if not (is_beside_hole or is_over_hole):
        return False
    is_across = edge.left <= box.left and box.right <= edge.right
    return is_across and edge.top <= box.top and box.bottom <= edge.bottom


def _starts(length: int, side: int, bleed: int) -> range:
    """Return the places at which tiles begin along an edge.

    One tile lies in the middle, the outer ones reach beyond the bleed: nine tiles of 9 mm for 63 mm with a
    bleed of 3 mm, from -9 mm to 63 mm; the middle one begins at 27 mm.
    """
    middle = (length - side) // 2
    before = -(-(middle + bleed) // side)  # rounded up
    return range(middle - before * side, length + bleed, side)


def _segments(steps: Steps) -> Iterator[Segment]:
    """Yield the straight lines of a path, with curves cut into pieces."""
    start = pen_at = (0, 0)
    for letter, numbers in steps:
        ends: list[Point] = []
        if letter == "M":
            start = pen_at = (numbers[0], numbers[1])
        elif letter == "L":
            ends = [(numbers[0], numbers[1])]
        elif letter == "C":
            ends = [_curve_point(pen_at, numbers, piece) for piece in range(1, PIECES + 1)]
        else:  # Z, back to the start
            ends = [start]
        for end in ends:
            yield pen_at, end
            pen_at = end


def _curve_point(start: Point, numbers: tuple[int, ...], piece: int) -> Point:
    """Return the point ``piece`` / PIECES along a cubic Bézier curve.

    It is calculated in whole numbers, so that it is the same on every machine.
    """
    done, left = piece, PIECES - piece
    # How much each of the four points counts: the Bernstein polynomials, times PIECES cubed.
    weights = (left**3, 3 * left * left * done, 3 * left * done * done, done**3)
    xs, ys = (start[0], *numbers[::2]), (start[1], *numbers[1::2])
    x, y = (sum(w * v for w, v in zip(weights, values, strict=True)) // PIECES**3 for values in (xs, ys))
    return x, y


def _span(line: Segment, box: Corners) -> tuple[float, float] | None:
    """Return the (begin, end) of a line's part in the box, from 0 to 1; None if no part is in it.

    A line from (0, -30) to (100, 30) and a box from (20, -10) to (60, 10)::

        x: the line is between 20 and 60 from 0.2 to 0.6 of its way
        y: it is between -10 and 10 from 0.333 to 0.667
        both: from the later entry, 0.333, to the earlier exit, 0.6
    """
    (begin, end), enter, leave = line, 0.0, 1.0
    for axis in (0, 1):
        way = end[axis] - begin[axis]
        # From the begin of the line to the two sides of the box.
        to_low, to_high = box[axis] - begin[axis], box[axis + 2] - begin[axis]
        if way == 0:
            # The line runs along the other axis: it is in the box or beside it as a whole.
            if to_low > 0 or to_high < 0:
                return None
            continue
        near, far = sorted((to_low / way, to_high / way))
        enter, leave = max(enter, near), min(leave, far)
    return (enter, leave) if enter < leave else None


def _point_at(line: Segment, part: float) -> Point:
    """Return the point at this part of the line: 0 is its begin, 1 its end."""
    (x1, y1), (x2, y2) = line
    return round(x1 + (x2 - x1) * part), round(y1 + (y2 - y1) * part)


def _inside(line: Segment, box: Corners) -> Segment | None:
    """Return the part of the line that lies in the box, or None."""
    span = _span(line, box)
    return (_point_at(line, span[0]), _point_at(line, span[1])) if span else None


def _outside(line: Segment | None, box: Corners) -> Iterator[Segment]:
    """Yield the parts of the line that lie outside the box: none, the whole line, or one at each end."""
    if line is None:
        return
    span = _span(line, box)
    parts = [line]
    if span:
        parts = [(line[0], _point_at(line, span[0])), (_point_at(line, span[1]), line[1])]
    yield from (part for part in parts if part[0] != part[1])
