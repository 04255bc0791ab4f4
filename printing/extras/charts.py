"""Charts on cards: tables with a head, cards of a game as a table to tick, and a row of places on which a
marker stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.cards import as_words
from cardsdb.games.kit.print.face import Align, Box, Font
from printing.faces import colours, fonts, linebreak
from printing.faces.canvas import Canvas
from printing.faces.strokes import Drawing, Line
from printing.layout.imposition import Piece

BAND, INSET, FOOT = 10_000, 3_500, 5_500
CUT = 120
INK, SOFT, FAINT = colours.INK, colours.ROLES["soft"], colours.FAINT


class Stock(NamedTuple):
    """What pieces share with the cards with which they are cut: the trim, the bleed, and whether print is
    large.
    """

    trim: tuple[int, int]
    bleed: int = 0
    large: bool = False


def blank(game: Game, stock: Stock, landscape: bool = False) -> Canvas:
    """An empty canvas of the size of a card."""
    short, long = sorted(stock.trim)
    size = (long, short) if landscape else (short, long)
    return Canvas(Card(game.slug, "", "", ""), game, landscape, size, stock.bleed, large=stock.large)


def drawing(canvas: Canvas, name: str, stock: Stock) -> Drawing:
    """The drawing of the strokes on the canvas."""
    return Drawing(
        name,
        canvas.width,
        canvas.height,
        tuple(canvas.strokes),
        turned=(canvas.width, canvas.height) != stock.trim,
    )


def words(
    canvas: Canvas,
    text: str,
    box: Box,
    font: Font = "sans",
    size: int = 80,
    least: int = 60,
    colour: str = INK,
    align: Align = "left",
) -> None:
    """Set a few words on one line or two in the middle of a box. Sizes are tenths of a point on a card of the
    usual size.
    """
    text = fonts.with_stand_ins(text)
    if text:
        canvas.block(
            canvas.fit(text, box, font, canvas.size(size), canvas.least(least), 2), box, font, align, colour
        )


def band(canvas: Canvas, title: str, kind: str = "") -> int:
    """Draw the band on top with a title and the kind of piece; returns where the rest begins."""
    hue, deep, inset = canvas.game.hue[0], canvas.length(BAND), canvas.length(INSET)
    canvas.flood(Box(0, 0, canvas.width, deep), hue)
    ground = colours.legible(colours.PAPER, hue)
    side = canvas.width // 3 if kind else 0
    words(canvas, title, Box(inset, 0, canvas.width - 2 * inset - side, deep), "serif-bold", 130, 75, ground)
    words(canvas, kind, Box(canvas.width - inset - side, 0, side, deep), "sans", 65, 50, ground, "right")
    return deep


def foot(canvas: Canvas, text: str) -> int:
    """Set small words at the foot; returns where they begin."""
    inset, deep = canvas.length(INSET), canvas.length(FOOT)
    top = canvas.height - deep
    words(
        canvas,
        text,
        Box(inset, top, canvas.width - 2 * inset, deep - canvas.length(1_500)),
        "sans",
        55,
        45,
        SOFT,
    )
    return top


def write_line(
    canvas: Canvas, text: str, font: Font, size: int, x: int, y: int, colour: str = INK, room: int = 0
) -> int:
    """Set words from (x, y), shrunk to the length ``room`` if it is not 0; returns their length."""
    text = fonts.with_stand_ins(text)
    if not text:
        return 0
    long = fonts.width(font, text) * size // 1000
    if room and long > room:
        size = size * room // long
    return canvas.write(text, font, size, x, y, colour)


def wrapped(text: str, font: Font, size: int, width: int, first: int = 0) -> list[str]:
    """The text in lines of this length, of which ``first`` is taken on the first line."""
    parts = linebreak.pieces(fonts.with_stand_ins(text))
    return linebreak.wrap(parts, width * 1000 // size, partial(fonts.width, font), first * 1000 // size)


def cut_lines(canvas: Canvas, xs: list[int], ys: list[int], bottom: int) -> None:
    """Draw lines that cut a piece into smaller ones down to ``bottom``; the card's own edge needs none."""
    canvas.strokes += [Line(x, 0, x, bottom, CUT, FAINT) for x in xs]
    canvas.strokes += [Line(0, y, canvas.width, y, CUT, FAINT) for y in ys if y < canvas.height]


# Type in tenths of a point, the largest first; a chart that no size brings onto one card goes on to further
# ones in the last.
SIZES = (75, 68, 62, 56, 50)
# The smallest on small cards and in large print, where those have no room.
LEAST = (50, 44)
LEADING, AIR, GAP, PEN = 1_200, 700, 1_200, 120
RULE = colours.ROLES["line"]

Row = Sequence[str]


def table_cards(
    game: Game, title: str, head: Row, rows: Sequence[Row], stock: Stock, source: str, boxes: bool = False
) -> list[Drawing]:
    """The table on one card if it can be read there, else on several, each with the head. ``boxes``: one to
    tick before each row.
    """
    probe = blank(game, stock, landscape=True)
    top, bottom = band(probe, title, game.name) + probe.length(1_000), foot(probe, source)
    for size in (*map(probe.size, SIZES), *map(probe.least, LEAST)):
        room = probe.width - 2 * probe.length(INSET) - (_box_room(size) if boxes else 0)
        widths = _widths(head, rows, size, room)
        too_wide = sum(widths) > room
        if too_wide:
            widths = [width * room // sum(widths) for width in widths]
        cells = [
            [
                wrapped(cell, _font(number), size, width - probe.length(GAP))
                for cell, width in zip(row, widths, strict=True)
            ]
            for number, row in enumerate((head, *rows))
        ]
        depths = [max(map(len, row)) * _pitch(size) + probe.length(AIR) for row in cells]
        if sum(depths) <= bottom - top and not too_wide:
            break
    shares = _shares(depths[1:], bottom - top - depths[0])
    drawings = []
    for number, (start, end) in enumerate(pairwise(shares), start=1):
        canvas = blank(game, stock, landscape=True)
        y = band(canvas, title, game.name) + canvas.length(1_000)
        foot(canvas, source)
        for row, depth, heads in [
            (cells[0], depths[0], True),
            *((cells[place + 1], depths[place + 1], False) for place in range(start, end)),
        ]:
            _write_row(
                canvas, row, widths, canvas.length(INSET) + (_box_room(size) if boxes else 0), y, size, heads
            )
            if boxes and not heads:
                canvas.strokes += _box(canvas.length(INSET), y + size // 5, size * 4 // 5)
            y += depth
        of = f", {number} of {len(shares) - 1}" if len(shares) > 2 else ""
        drawings.append(drawing(canvas, f"{title}, {game.name}{of}", stock))
    return drawings


def track_card(game: Game, title: str, says: str, places: Row, stock: Stock, source: str) -> Drawing:
    """Places side by side, each large enough for a coin, and what they are for."""
    canvas = blank(game, stock, landscape=True)
    inset = canvas.length(INSET)
    top, bottom = band(canvas, title, game.name) + canvas.length(1_500), foot(canvas, source)
    said = canvas.size(SIZES[1])
    for line in wrapped(says, "sans", said, canvas.width - 2 * inset):
        canvas.write(line, "sans", said, inset, top + said, SOFT)
        top += _pitch(said)
    top += canvas.length(1_000)
    xs = [inset + (canvas.width - 2 * inset) * number // len(places) for number in range(len(places) + 1)]
    for place, (left, right) in zip(places, pairwise(xs), strict=True):
        words(
            canvas,
            place,
            Box(left + 600, top + 600, right - left - 1_200, canvas.length(9_000)),
            "sans-bold",
            85,
            55,
            INK,
            "centre",
        )
    canvas.strokes += [Line(x, top, x, bottom, PEN, INK) for x in xs]
    canvas.strokes += [Line(xs[0], y, xs[-1], y, PEN, INK) for y in (top, bottom)]
    return drawing(canvas, f"{title}, {game.name}", stock)


def card_table_pieces(game: Game, stock: Stock, source: str) -> tuple[Piece, ...]:
    """The game's tables of its own cards, with a box before each to tick."""
    pieces: list[Piece] = []
    for table in game.print_extras.card_tables:
        cards = sorted((card for card in game.cards if card.type == table.type), key=lambda card: card.name)
        head = (game.type_named(table.type).name, *(game.facts_by_key[key].title for key in table.facts))
        rows = [
            (card.name, *(as_words(card.facts[key]) if key in card.facts else "" for key in table.facts))
            for card in cards
        ]
        pieces += [
            Piece(one.name, one, None, 1, f"table {one.name}")
            for one in table_cards(game, table.name, head, rows, stock, source, True)
        ]
    return tuple(pieces)


def _box_room(size: int) -> int:
    return size * 3 // 2


def _box(x: int, y: int, side: int) -> list[Line]:
    corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + side), (x, y))
    return [Line(*one, *other, PEN, SOFT) for one, other in pairwise(corners)]


def _font(row: int) -> Font:
    return "sans" if row else "sans-bold"


def _pitch(size: int) -> int:
    return size * LEADING // 1000


def _widths(head: Row, rows: Sequence[Row], size: int, room: int) -> list[int]:
    """The width of each column: as much of the room as its longest cell asks for, and none less than its
    longest word.
    """
    asked = [
        max(fonts.width("sans-bold", row[column]) * size // 1000 for row in (head, *rows))
        for column in range(len(head))
    ]
    least = [
        max(
            (fonts.width("sans-bold", word) for row in (head, *rows) for word in row[column].split()),
            default=0,
        )
        * size
        // 1000
        + GAP
        for column in range(len(head))
    ]
    spare = max(room - sum(least), 0)
    over = [max(wanted + GAP - floor, 0) for wanted, floor in zip(asked, least, strict=True)]
    return [floor + spare * more // max(sum(over), 1) for floor, more in zip(least, over, strict=True)]


def _shares(depths: Sequence[int], room: int) -> list[int]:
    """Where each card's rows begin, and where the last ends."""
    places, used = [0], 0
    for number, depth in enumerate(depths):
        if used and used + depth > room:
            places.append(number)
            used = 0
        used += depth
    return [*places, len(depths)]


def _write_row(
    canvas: Canvas,
    cells: Sequence[Sequence[str]],
    widths: Sequence[int],
    x: int,
    y: int,
    size: int,
    heads: bool,
) -> None:
    for lines, width in zip(cells, widths, strict=True):
        for number, line in enumerate(lines):
            canvas.write(
                line,
                "sans-bold" if heads else "sans",
                size,
                x,
                y + size + number * _pitch(size),
                SOFT if heads else INK,
            )
        x += width
    base = y + max(map(len, cells)) * _pitch(size) + canvas.length(AIR) // 2
    canvas.strokes.append(Line(canvas.length(INSET), base, x, base, PEN, INK if heads else RULE))
