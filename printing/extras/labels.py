"""Labels for the box: three strips on one card that say the same, for its sides and its lid.

A box for some sixty cards of poker size is 19 mm deep and 89 mm high; a strip is a third of the card's
width (21 mm) and as long as the card, and is cut to the box.
"""

from __future__ import annotations

from typing import NamedTuple

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.print.face import Box
from printing.extras.blank import INK, INSET, SOFT, Stock, blank, cut_lines, drawing, words
from printing.faces import wording
from printing.faces.canvas import Easel
from printing.layout import qr_code
from printing.layout.imposition import Piece

STRIPS = 3


class Label(NamedTuple):
    """What a label says: the deck's name, what it is for, how many cards, and the address of its list.

    ``code_once``: on the first strip alone, where ink is saved.
    """

    name: str
    format: str
    cards: str
    code: qr_code.Code | None = None
    code_once: bool = False


def label_pieces(game: Game, label: Label, stock: Stock) -> tuple[Piece, ...]:
    """One card of labels for one deck."""
    easel = blank(game, stock, landscape=True)
    ys = [easel.height * number // STRIPS for number in range(STRIPS + 1)]
    for number in range(STRIPS):
        _strip(easel, label._replace(code=None) if label.code_once and number else label, ys[number], ys[number + 1])
    cut_lines(easel, [], ys[1:-1], easel.height)
    front = drawing(easel, f"Labels: {label.name}", stock)
    return (Piece(front.name, front, None, 1, f"labels {label.name}"),)


def _strip(easel: Easel, label: Label, top: int, bottom: int) -> None:
    game, inset = easel.game, easel.length(INSET)
    hue, deep = game.hue[0], bottom - top
    # The edge in the game's colour tells boxes apart on a shelf.
    edge = easel.length(5_000)
    easel.flood(Box(0, top, edge, deep), hue)
    left, right = edge + inset, easel.width - inset
    place = qr_code.square(label.code, easel.width - deep, top, deep) if label.code else None
    if label.code and place:
        easel.strokes += qr_code.code_strokes(label.code, place)
        right = place.x - qr_code.QUIET * (place.width // label.code.side)
    row = deep // 12
    words(easel, label.name, Box(left, top + row, right - left, 5 * row), "serif-bold", 150, 80, INK)
    words(easel, " · ".join(filter(None, (game.name, label.format))), Box(left, top + 6 * row, right - left, 2 * row), "sans-bold", 80, 60)
    words(easel, label.cards, Box(left, top + 8 * row, right - left, 2 * row), "sans", 75, 60, SOFT)
    words(easel, wording.game_credit(game), Box(left, top + 10 * row, right - left, row), "sans", 50, 40, SOFT)
