"""An empty card to draw a piece on, with the type and the band of cards."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.print.face import Align, Box, Font
from printing.faces import colours, fonts, linebreak
from printing.faces.canvas import Canvas
from printing.faces.strokes import Drawing, Line

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
