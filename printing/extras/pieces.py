"""Markers to cut apart, score cards to write in, labels for the box: pieces of a card's size, printed and cut with the cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from cardsdb.games.kit import Game
from cardsdb.games.kit.print.extras import Marker, ScoreCard
from cardsdb.games.kit.print.face import Box
from printing.extras.blank import INK, INSET, SOFT, Stock, band, blank, cut_lines, drawing, foot, words
from printing.faces import colours, wording
from printing.faces.canvas import Canvas
from printing.faces.strokes import Drawing, Line
from printing.layout import qr_code
from printing.layout.imposition import Piece

# A marker is at least so wide and high: it can be picked up.
MIN_SIDE = 19_000


def marker_pieces(game: Game, stock: Stock) -> tuple[Piece, ...]:
    """The game's markers on as few cards as hold them; cards that look alike are one piece."""
    short, long = sorted(stock.trim)
    columns, rows = max(1, short // MIN_SIDE), max(1, long // MIN_SIDE)
    wanted = [marker for marker in game.print_extras.markers for _ in range(marker.count)]
    cards = [tuple(wanted[start : start + columns * rows]) for start in range(0, len(wanted), columns * rows)]
    return tuple(
        Piece(front.name, front, None, len(list(same)), f"markers {number}")
        for number, (markers, same) in enumerate(groupby(cards))
        for front in [_marker_card(game, markers, columns, rows, stock)]
    )


def _marker_card(game: Game, markers: tuple[Marker, ...], columns: int, rows: int, stock: Stock) -> Drawing:
    canvas = blank(game, stock)
    xs = [canvas.width * number // columns for number in range(columns + 1)]
    ys = [canvas.height * number // rows for number in range(rows + 1)]
    used = -(-len(markers) // columns)
    for place, marker in enumerate(markers):
        row, column = divmod(place, columns)
        left, top, width, height = xs[column], ys[row], xs[column + 1] - xs[column], ys[row + 1] - ys[row]
        hue = game.hue[0] if marker.colour == "hue" else marker.colour
        canvas.flood(Box(left, top, width, height), colours.mix(hue, colours.PAPER, 10))
        side = min(width, height) * 11 // 20
        canvas.symbol(Box(left + (width - side) // 2, top + height // 10, side, side), marker.symbol, hue)
        below = top + height // 10 + side
        room = Box(left + 1_200, below + 500, width - 2_400, top + height - below - 1_700)
        words(canvas, marker.name, room, "sans-bold", 120, 65, colours.legible(hue, colours.PAPER), "centre")
    cut_lines(canvas, xs[1:-1], ys[1 : used + 1], ys[used])
    return drawing(canvas, f"Markers: {', '.join(_names(markers))}", stock)


def _names(markers: tuple[Marker, ...]) -> Iterator[str]:
    for name, same in groupby(marker.name for marker in markers):
        yield f"{len(list(same))} {name}"


PEN, THICK = 150, 350
LINE = colours.ROLES["line"]


def score_pieces(game: Game, stock: Stock) -> tuple[Piece, ...]:
    """One of each score card that the game has."""
    fronts = [(score, _score_card(game, score, stock)) for score in game.print_extras.scores]
    return tuple(Piece(front.name, front, None, 1, f"score {score.name}") for score, front in fronts)


def _score_card(game: Game, score: ScoreCard, stock: Stock) -> Drawing:
    canvas = blank(game, stock)
    top = band(canvas, score.name, game.name)
    bottom, inset = foot(canvas, wording.game_credit(game)), canvas.length(INSET)
    if score.note:
        note = Box(inset, bottom - canvas.length(7_000), canvas.width - 2 * inset, canvas.length(6_500))
        words(canvas, score.note, note, "sans", 65, 55, SOFT)
        bottom = note.y
    labels = canvas.width * 3 // 10
    lines = ("Date", *score.rows, score.total)
    ys = [top + canvas.length(2_000) + (bottom - top - canvas.length(3_000)) * number // len(lines) for number in range(len(lines) + 1)]
    xs = [labels + (canvas.width - inset - labels) * number // score.columns for number in range(score.columns + 1)]
    for number, label in enumerate(lines):
        bold = number == len(lines) - 1
        room = Box(inset, ys[number], labels - inset - 800, ys[number + 1] - ys[number])
        words(canvas, label, room, "sans-bold" if bold else "sans", 80, 60, INK if number else SOFT)
    canvas.strokes += [Line(x, ys[0], x, ys[-1], PEN, LINE) for x in xs]
    # The sum stands under a heavier line.
    heavy = {len(lines) - 1: (THICK, INK)}
    canvas.strokes += [Line(inset, y, xs[-1], y, *heavy.get(number, (PEN, LINE))) for number, y in enumerate(ys)]
    return drawing(canvas, f"{score.name}, {game.name}", stock)


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
    canvas = blank(game, stock, landscape=True)
    ys = [canvas.height * number // STRIPS for number in range(STRIPS + 1)]
    for number in range(STRIPS):
        _strip(canvas, label._replace(code=None) if label.code_once and number else label, ys[number], ys[number + 1])
    cut_lines(canvas, [], ys[1:-1], canvas.height)
    front = drawing(canvas, f"Labels: {label.name}", stock)
    return (Piece(front.name, front, None, 1, f"labels {label.name}"),)


def _strip(canvas: Canvas, label: Label, top: int, bottom: int) -> None:
    game, inset = canvas.game, canvas.length(INSET)
    hue, deep = game.hue[0], bottom - top
    # The edge in the game's colour tells boxes apart on a shelf.
    edge = canvas.length(5_000)
    canvas.flood(Box(0, top, edge, deep), hue)
    left, right = edge + inset, canvas.width - inset
    place = qr_code.square(label.code, canvas.width - deep, top, deep) if label.code else None
    if label.code and place:
        canvas.strokes += qr_code.code_strokes(label.code, place)
        right = place.x - qr_code.QUIET * (place.width // label.code.side)
    row = deep // 12
    words(canvas, label.name, Box(left, top + row, right - left, 5 * row), "serif-bold", 150, 80, INK)
    words(canvas, " · ".join(filter(None, (game.name, label.format))), Box(left, top + 6 * row, right - left, 2 * row), "sans-bold", 80, 60)
    words(canvas, label.cards, Box(left, top + 8 * row, right - left, 2 * row), "sans", 75, 60, SOFT)
    words(canvas, wording.game_credit(game), Box(left, top + 10 * row, right - left, row), "sans", 50, 40, SOFT)
