"""Markers of a game, several on a card, with lines to cut them apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.print.extras import Marker
from cardsdb.games.kit.print.face import Box
from printing.extras.blank import Stock, blank, cut_lines, drawing, words
from printing.faces import colours
from printing.faces.strokes import Drawing
from printing.faces.symbols import draw_symbol
from printing.layout.imposition import Piece

# A marker is at least so wide and high: it can be picked up.
LEAST_SIDE = 19_000


def marker_pieces(game: Game, stock: Stock) -> tuple[Piece, ...]:
    """The game's markers on as few cards as hold them; cards that look alike are one piece."""
    short, long = sorted(stock.trim)
    columns, rows = max(1, short // LEAST_SIDE), max(1, long // LEAST_SIDE)
    wanted = [marker for marker in game.print_extras.markers for _ in range(marker.count)]
    cards = [tuple(wanted[start : start + columns * rows]) for start in range(0, len(wanted), columns * rows)]
    return tuple(
        Piece(front.name, front, None, len(list(same)), f"markers {number}")
        for number, (markers, same) in enumerate(groupby(cards))
        for front in [_card(game, markers, columns, rows, stock)]
    )


def _card(game: Game, markers: tuple[Marker, ...], columns: int, rows: int, stock: Stock) -> Drawing:
    easel = blank(game, stock)
    xs = [easel.width * number // columns for number in range(columns + 1)]
    ys = [easel.height * number // rows for number in range(rows + 1)]
    used = -(-len(markers) // columns)
    for place, marker in enumerate(markers):
        row, column = divmod(place, columns)
        left, top, width, height = xs[column], ys[row], xs[column + 1] - xs[column], ys[row + 1] - ys[row]
        hue = game.hue[0] if marker.colour == "hue" else marker.colour
        easel.flood(Box(left, top, width, height), colours.mix(hue, colours.PAPER, 10))
        side = min(width, height) * 11 // 20
        draw_symbol(easel, Box(left + (width - side) // 2, top + height // 10, side, side), marker.symbol, hue)
        below = top + height // 10 + side
        room = Box(left + 1_200, below + 500, width - 2_400, top + height - below - 1_700)
        words(easel, marker.name, room, "sans-bold", 120, 65, colours.legible(hue, colours.PAPER), "centre")
    cut_lines(easel, xs[1:-1], ys[1 : used + 1], ys[used])
    return drawing(easel, f"Markers: {', '.join(_names(markers))}", stock)


def _names(markers: tuple[Marker, ...]) -> Iterator[str]:
    for name, same in groupby(marker.name for marker in markers):
        yield f"{len(list(same))} {name}"
