"""An empty card to draw a piece on, with the letters and the band that cards have."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.print.face import Align, Box, Font
from printing.faces import colours, fonts, linebreak
from printing.faces.canvas import Easel
from printing.faces.strokes import Drawing, Line

BAND, INSET, FOOT = 10_000, 3_500, 5_500
CUT = 120
INK, SOFT, FAINT = colours.INK, colours.ROLES["soft"], colours.FAINT


class Stock(NamedTuple):
    """What pieces share with the cards they are cut with: the trim, how far fills run on beyond it, and the size of print."""

    trim: tuple[int, int]
    bleed: int = 0
    large: bool = False


def blank(game: Game, stock: Stock, landscape: bool = False) -> Easel:
    """An easel with nothing on it, as large as a card."""
    short, long = sorted(stock.trim)
    size = (long, short) if landscape else (short, long)
    return Easel(Card(game.slug, "", "", ""), game, landscape, size, stock.bleed, large=stock.large)


def drawing(easel: Easel, name: str, stock: Stock) -> Drawing:
    """What is on the easel now."""
    return Drawing(name, easel.width, easel.height, tuple(easel.strokes), turned=(easel.width, easel.height) != stock.trim)


def words(
    easel: Easel, text: str, box: Box, font: Font = "sans", size: int = 80, least: int = 60, colour: str = INK, align: Align = "left"
) -> None:
    """A few words, on one line or two, in the middle of a box; sizes are tenths of a point on a card of the usual size."""
    text = printable(text)
    if text:
        easel.block(easel.fit(text, box, font, easel.size(size), easel.least(least), 2), box, font, align, colour)


def band(easel: Easel, title: str, kind: str = "") -> int:
    """The band on top with a title, and what kind of piece it is; returns where the rest begins."""
    hue, deep, inset = easel.game.hue[0], easel.length(BAND), easel.length(INSET)
    easel.flood(Box(0, 0, easel.width, deep), hue)
    ground = colours.legible(colours.PAPER, hue)
    side = easel.width // 3 if kind else 0
    words(easel, title, Box(inset, 0, easel.width - 2 * inset - side, deep), "serif-bold", 130, 75, ground)
    words(easel, kind, Box(easel.width - inset - side, 0, side, deep), "sans", 65, 50, ground, "right")
    return deep


def foot(easel: Easel, text: str) -> int:
    """Small words at the foot; returns where they begin."""
    inset, deep = easel.length(INSET), easel.length(FOOT)
    top = easel.height - deep
    words(easel, text, Box(inset, top, easel.width - 2 * inset, deep - easel.length(1_500)), "sans", 55, 45, SOFT)
    return top


def write_line(easel: Easel, text: str, font: Font, size: int, x: int, y: int, colour: str = INK, room: int = 0) -> int:
    """Words from (x, y), shrunk to ``room`` where there is one; returns how far they reach."""
    text = printable(text)
    if not text:
        return 0
    long = fonts.width(font, text) * size // 1000
    if room and long > room:
        size = size * room // long
    return easel.write(text, font, size, x, y, colour)


def wrapped(text: str, font: Font, size: int, width: int, first: int = 0) -> list[str]:
    """The text in lines of this length; the first begins after ``first``."""
    parts = linebreak.pieces(fonts.plain(printable(text)))
    return linebreak.wrap(parts, width * 1000 // size, partial(fonts.width, font), first * 1000 // size)


def printable(text: str) -> str:
    """The text as far as our fonts go."""
    lacking = set(fonts.missing(text))
    return " ".join("".join(letter for letter in text if letter not in lacking).split())


def cut_lines(easel: Easel, xs: list[int], ys: list[int], bottom: int) -> None:
    """Lines to cut a piece into smaller ones, which end at the bottom; the card's own edge needs none."""
    easel.strokes += [Line(x, 0, x, bottom, CUT, FAINT) for x in xs]
    easel.strokes += [Line(0, y, easel.width, y, CUT, FAINT) for y in ys if y < easel.height]
