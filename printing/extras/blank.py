"""Blank cards on which extra pieces are drawn, and small functions for the pieces.

`pieces` and `charts` draw on a `Blank`; these and the register and the tuck box use the functions. A change
must keep: no word is lost, or smaller than six points on a card of the usual size.
``tests/printing/extras/test_pieces.py`` tests blanks in the pieces that are drawn on them, and
``test_register.py`` beside it the functions in a register.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.print.face import Align, Box, Font
from printing.faces import colours, fonts, wording
from printing.faces.canvas import Canvas
from printing.faces.strokes import Drawing, Line
from printing.layout.imposition import Piece

# Lengths are micrometres on a card of 63 x 88 mm, sizes of type tenths of a point.
# The depth of the head, the space above its words, and the margin at the left and the right.
BAND = 10_000
ABOVE_HEAD = 2_000
INSET = 3_500
# The type of the title, and that of the kind of piece at its right.
TITLE_TYPE = 130
KIND_TYPE = 65
# The space between the two, in thousandths of the size.
AFTER_TITLE = 1_000
# The space above and below the words at the foot, and their type.
ABOVE_FOOT = 1_000
BELOW_FOOT = 2_000
FOOT_TYPE = 60
# The distance of baselines, in thousandths of the size.
LEADING = 1_200
# The pens of lines to cut along, and of the line below the head.
CUT = 120
HEAD_PEN = 350
INK = colours.INK
SOFT = colours.ROLES["soft"]
FAINT = colours.FAINT


class Stock(NamedTuple):
    """The card stock that pieces share with the cards of their print: trim, bleed, large print, and style."""

    trim: tuple[int, int]
    bleed: int = 0
    large: bool = False
    style: str = "full"


class Blank(Canvas):
    """An empty card on which a piece is drawn, with the type and the head of all pieces."""

    def __init__(self, game: Game, stock: Stock, landscape: bool = False) -> None:
        short, long = sorted(stock.trim)
        size = (long, short) if landscape else (short, long)
        light = stock.style == "light"
        card = Card(game.slug, "", "", "")
        super().__init__(card, game, landscape, size, stock.bleed, light=light, large=stock.large)
        self.trim, self.inset = stock.trim, self.length(INSET)

    def drawing(self, name: str) -> Drawing:
        """Return the finished drawing."""
        size = self.width, self.height
        return Drawing(name, *size, tuple(self.strokes), turned=size != self.trim)

    def words(
        self,
        text: str,
        box: Box,
        font: Font = "sans",
        size: int = 80,
        least: int = 60,
        colour: str = INK,
        align: Align = "left",
    ) -> None:
        """Set a few words on one or two lines centred in a box, in type from ``size`` down to ``least``."""
        if text := fonts.with_stand_ins(text):
            fitted = self.fit(text, box, font, self.size(size), self.least(least), 2)
            self.block(fitted, box, font, align, colour)

    def band(self, title: str, kind: str = "", part: str = "") -> int:
        """Draw the head: the title, and at its right the kind of piece and ``part`` (``1 of 2``).

        Return the y below it.

        The kind is left out if the title needs its room.
        """
        hue, deep, inset = colours.legible(self.game.hue[0], colours.PAPER), self.length(BAND), self.inset
        along, size = self.width - 2 * inset, self.least(KIND_TYPE)

        def room_of(words: str) -> int:
            return (fonts.width("sans", words) + AFTER_TITLE) * size // 1000 if words else 0

        words = " · ".join(filter(None, (kind, part)))
        if fonts.length("serif-bold", title, self.size(TITLE_TYPE)) > along - room_of(words):
            words = part
        side, top = room_of(words), self.length(ABOVE_HEAD)
        place = Box(inset, top, along - side, deep - top)
        self.words(title, place, "serif-bold", TITLE_TYPE, 75, hue)
        place = Box(self.width - inset - side, top, side, deep - top)
        self.words(words, place, "sans", KIND_TYPE, 60, SOFT, "right")
        self.strokes.append(Line(inset, deep, self.width - inset, deep, HEAD_PEN, hue))
        return deep

    def foot(self, text: str) -> int:
        """Set small words at the foot, on as many lines as they need.

        Return the y at which the foot begins.
        """
        size = self.least(FOOT_TYPE)
        lines = wrapped(text, "sans", size, self.width - 2 * self.inset)
        top = self.height - self.length(BELOW_FOOT) - len(lines) * pitch(size)
        for number, line in enumerate(lines):
            self.write(line, "sans", size, self.inset, top + size + number * pitch(size), SOFT)
        return top - self.length(ABOVE_FOOT)

    def cut_lines(self, xs: list[int], ys: list[int], bottom: int) -> None:
        """Draw lines that cut the card into smaller pieces, down to ``bottom``.

        The edge of the card needs none.
        """
        self.strokes += [Line(x, 0, x, bottom, CUT, FAINT) for x in xs]
        self.strokes += [Line(0, y, self.width, y, CUT, FAINT) for y in ys if y < self.height]


def piece_of(front: Drawing, key: str, count: int = 1) -> Piece:
    """Return the drawing as a piece without a back."""
    return Piece(front.name, front, None, count, key)


def divided(start: int, end: int, parts: int) -> list[int]:
    """Return the places that divide a length, both ends included: ``divided(0, 9, 3)`` -> [0, 3, 6, 9]."""
    return [start + (end - start) * number // parts for number in range(parts + 1)]


def write_line(
    canvas: Canvas,
    text: str,
    font: Font,
    size: int,
    x: int,
    y: int,
    colour: str = INK,
    room: int = 0,
    *,
    ends: bool = False,
) -> None:
    """Set words from (x, y), made smaller if they are longer than ``room`` (0: no limit).

    With ``ends`` they end at x.
    """
    text = fonts.with_stand_ins(text)
    if room and (length := fonts.length(font, text, size)) > room:
        size = size * room // length
    if text:
        canvas.write(text, font, size, x - fonts.length(font, text, size) if ends else x, y, colour)


def tick_box(x: int, y: int, side: int, pen: int) -> list[Line]:
    """Return the sides of a box to tick: upper, right, lower, left."""
    corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + side), (x, y))
    return [Line(*begin, *end, pen, SOFT) for begin, end in pairwise(corners)]


def wrapped(text: str, font: Font, size: int, width: int, first: int = 0) -> list[str]:
    """Return the text in lines of this width.

    ``first`` is the length of the first line that is already taken.
    """
    parts = fonts.pieces(fonts.with_stand_ins(text))
    return fonts.wrap(parts, width * 1000 // size, font, first * 1000 // size)


def counts_by_card(depths: Sequence[int], room: int, air: int = 0) -> list[int]:
    """Return how many parts of these depths each card holds, if the parts fill cards of this room in turn.

    ``air`` is the space between two parts. A part that is too deep has a card of its own:
    ``counts_by_card([10, 10, 10, 35], room=30, air=2)`` -> [2, 1, 1].
    """
    counts, used = [0], 0
    for depth in depths:
        if counts[-1] and used + depth > room:
            counts.append(0)
            used = 0
        counts[-1] += 1
        used += depth + air
    return counts


def parts_of(count: int) -> list[str]:
    """Return ``1 of 3``, ``2 of 3``, ``3 of 3`` for three parts; an empty text for a single one."""
    return [f"{number} of {count}" if count > 1 else "" for number in range(1, count + 1)]


def pitch(size: int) -> int:
    """Return the distance of baselines for this size of type."""
    return size * LEADING // 1000


def source_words(game: Game) -> str:
    """Return the words for the foot: the credit that the game asks for, or the document that we followed."""
    document = next(iter(game.documents.values()), None)
    title = re.split(r" ?[:,(]", document.title)[0] if document else ""
    return wording.game_credit(game) or (f"Cutout’s words, after {title}" if title else "In Cutout’s words")
