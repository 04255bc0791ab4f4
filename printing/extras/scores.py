"""Score cards: a table to write in, of a card's size."""

from __future__ import annotations

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.print.extras import ScoreCard
from cardsdb.games.kit.print.face import Box
from printing.extras.blank import INK, INSET, SOFT, Stock, band, blank, drawing, foot, words
from printing.faces import colours, wording
from printing.faces.strokes import Drawing, Line
from printing.layout.imposition import Piece

PEN, THICK = 150, 350
LINE = colours.ROLES["line"]


def score_pieces(game: Game, stock: Stock) -> tuple[Piece, ...]:
    """One of each score card that the game has."""
    fronts = [(score, _card(game, score, stock)) for score in game.print_extras.scores]
    return tuple(Piece(front.name, front, None, 1, f"score {score.name}") for score, front in fronts)


def _card(game: Game, score: ScoreCard, stock: Stock) -> Drawing:
    easel = blank(game, stock)
    top = band(easel, score.name, game.name)
    bottom, inset = foot(easel, wording.game_credit(game)), easel.length(INSET)
    if score.note:
        note = Box(inset, bottom - easel.length(7_000), easel.width - 2 * inset, easel.length(6_500))
        words(easel, score.note, note, "sans", 65, 55, SOFT)
        bottom = note.y
    labels = easel.width * 3 // 10
    lines = ("Date", *score.rows, score.total)
    ys = [top + easel.length(2_000) + (bottom - top - easel.length(3_000)) * number // len(lines) for number in range(len(lines) + 1)]
    xs = [labels + (easel.width - inset - labels) * number // score.columns for number in range(score.columns + 1)]
    for number, label in enumerate(lines):
        bold = number == len(lines) - 1
        room = Box(inset, ys[number], labels - inset - 800, ys[number + 1] - ys[number])
        words(easel, label, room, "sans-bold" if bold else "sans", 80, 60, INK if number else SOFT)
    easel.strokes += [Line(x, ys[0], x, ys[-1], PEN, LINE) for x in xs]
    # The sum stands under a heavier line.
    heavy = {len(lines) - 1: (THICK, INK)}
    easel.strokes += [Line(inset, y, xs[-1], y, *heavy.get(number, (PEN, LINE))) for number, y in enumerate(ys)]
    return drawing(easel, f"{score.name}, {game.name}", stock)
