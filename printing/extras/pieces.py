"""Pieces that are printed and cut with the cards: markers, score cards, labels for the box, reference
cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from cardsdb.games.kit import Card, Game, Marker, ScoreCard
from cardsdb.games.kit.model.text import fold, plural
from cardsdb.games.kit.print.face import Box
from printing.extras.charts import (
    INK,
    INSET,
    SOFT,
    Stock,
    band,
    blank,
    card_table_pieces,
    cut_lines,
    drawing,
    foot,
    table_cards,
    track_card,
    words,
    wrapped,
)
from printing.faces import colours, fonts, wording
from printing.faces.canvas import Canvas
from printing.faces.strokes import Drawing, Line
from printing.layout import qr_code
from printing.layout.imposition import Piece

# -- markers ---------------------------------------------------------------------------

# The least side of a marker, so that it can be picked up.
MIN_SIDE = 19_000


def marker_pieces(game: Game, stock: Stock) -> tuple[Piece, ...]:
    """The game's markers on as few cards as possible; cards that look alike are one piece."""
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
        hue = game.hue[0] if marker.colour == "hue" else game.colours.get(marker.colour, marker.colour)
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


# -- score cards -----------------------------------------------------------------------

PEN, THICK = 150, 350
LINE = colours.ROLES["line"]


def score_pieces(game: Game, stock: Stock) -> tuple[Piece, ...]:
    """One piece for each score card of the game, and its tables of cards."""
    fronts = [(score, _score_card(game, score, stock)) for score in game.print_extras.scores]
    scores = tuple(Piece(front.name, front, None, 1, f"score {score.name}") for score, front in fronts)
    return scores + card_table_pieces(game, stock, _source(game))


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
    ys = [
        top + canvas.length(2_000) + (bottom - top - canvas.length(3_000)) * number // len(lines)
        for number in range(len(lines) + 1)
    ]
    xs = [
        labels + (canvas.width - inset - labels) * number // score.columns
        for number in range(score.columns + 1)
    ]
    for number, label in enumerate(lines):
        bold = number == len(lines) - 1
        room = Box(inset, ys[number], labels - inset - 800, ys[number + 1] - ys[number])
        words(canvas, label, room, "sans-bold" if bold else "sans", 80, 60, INK if number else SOFT)
    canvas.strokes += [Line(x, ys[0], x, ys[-1], PEN, LINE) for x in xs]
    # The sum stands under a heavier line.
    heavy = {len(lines) - 1: (THICK, INK)}
    canvas.strokes += [
        Line(inset, y, xs[-1], y, *heavy.get(number, (PEN, LINE))) for number, y in enumerate(ys)
    ]
    return drawing(canvas, f"{score.name}, {game.name}", stock)


# -- labels ----------------------------------------------------------------------------

STRIPS = 3


class Label(NamedTuple):
    """The words of a label: the deck's name, its format and its number of cards; ``code`` leads to the list.

    ``code_once``: the code stands on the first strip alone, to save ink.
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
        _strip(
            canvas,
            label._replace(code=None) if label.code_once and number else label,
            ys[number],
            ys[number + 1],
        )
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
    words(
        canvas,
        " · ".join(filter(None, (game.name, label.format))),
        Box(left, top + 6 * row, right - left, 2 * row),
        "sans-bold",
        80,
        60,
    )
    words(canvas, label.cards, Box(left, top + 8 * row, right - left, 2 * row), "sans", 75, 60, SOFT)
    words(
        canvas, wording.game_credit(game), Box(left, top + 10 * row, right - left, row), "sans", 50, 40, SOFT
    )


# -- reference cards -------------------------------------------------------------------

# Type in tenths of a point: larger than the credit of a card, so that a rule can be read at the table.
TYPE, LEADING, AIR = 72, 1_200, 900
# How many cards the terms fill at most; terms that most cards of the deck meet come first.
MAX_TERM_CARDS = 3


class Paragraph(NamedTuple):
    """A few words in bold, and the text that follows them."""

    lead: str
    says: str


def reference_pieces(game: Game, cards: Iterable[Card], stock: Stock) -> tuple[Piece, ...]:
    """The reference cards for these cards of one game, in the order in which they are needed."""
    numbers = [Paragraph(one.label, f"{one.value} ({one.cites})") for one in game.set_up]
    drawings = _reference_cards(game, "Numbers", numbers, stock)
    if guide_of := game.set_up_guide:
        guide = guide_of.guide(guide_of.usual)
        steps = [Paragraph(f"{step.number}. {step.title}", step.says) for step in guide.steps]
        players = f"{guide.players} {plural(guide.players, 'player')}"
        drawings += _reference_cards(game, f"Set-up, {players}", steps, stock)
    drawings += _play_cards(game, stock)
    drawings += _term_cards(game, cards, stock)
    return tuple(Piece(one.name, one, None, 1, f"reference {number}") for number, one in enumerate(drawings))


def _play_cards(game: Game, stock: Stock) -> list[Drawing]:
    """The parts of the play guide that are meant for the table: steps, charts, places for a marker."""
    drawings: list[Drawing] = []
    for part in game.play_guide.parts if game.play_guide else ():
        if part.card and part.steps:
            leads = [
                f"{number}. {step.title}" if part.ordered else step.title
                for number, step in enumerate(part.steps, start=1)
            ]
            steps = [Paragraph(lead, step.says) for lead, step in zip(leads, part.steps, strict=True)]
            drawings += _reference_cards(game, part.title, steps, stock)
        if part.card and part.table:
            drawings += table_cards(game, part.title, part.table.head, part.table.rows, stock, _source(game))
        if part.card and part.places:
            drawings.append(track_card(game, part.title, part.says, part.places, stock, _source(game)))
    return drawings


def _term_cards(game: Game, cards: Iterable[Card], stock: Stock) -> list[Drawing]:
    uses = Counter(term for card in cards for term in game.terms_for(card))
    terms = [term for term, _ in uses.most_common()]
    while terms:
        paragraphs = [
            Paragraph(term.term, term.meaning) for term in sorted(terms, key=lambda term: fold(term.term))
        ]
        drawings = _reference_cards(game, "Terms", paragraphs, stock)
        if len(drawings) <= MAX_TERM_CARDS:
            return drawings
        terms = terms[: min(len(terms) - 1, len(terms) * MAX_TERM_CARDS // len(drawings))]
    return []


def _reference_cards(game: Game, title: str, paragraphs: Sequence[Paragraph], stock: Stock) -> list[Drawing]:
    """The paragraphs on as many cards as they take, about as much on each: none has a last line alone."""
    if not paragraphs:
        return []
    canvases: list[Canvas] = []
    probe = blank(game, stock)
    size, air, top = probe.size(TYPE), probe.length(AIR), band(probe, title, game.name) + probe.length(1_500)
    broken = [_broken(probe, paragraph, size) for paragraph in paragraphs]
    depths = [(lead + len(rows)) * size * LEADING // 1000 for lead, rows in broken]
    place = 0
    for count in _shared_out(depths, foot(probe, _source(game)) - top, air):
        canvas = blank(game, stock)
        canvases.append(canvas)
        y = band(canvas, title, game.name) + canvas.length(1_500)
        foot(canvas, _source(game))
        for paragraph, (lead, rows) in zip(
            paragraphs[place : place + count], broken[place : place + count], strict=True
        ):
            y = _write(canvas, paragraph, rows, lead, size, y) + air
        place += count
    of = f" of {len(canvases)}"
    names = [
        f"{title}, {game.name}" + (f", {number}{of}" if len(canvases) > 1 else "")
        for number in range(1, len(canvases) + 1)
    ]
    return [drawing(canvas, name, stock) for canvas, name in zip(canvases, names, strict=True)]


def _shared_out(depths: Sequence[int], room: int, air: int) -> list[int]:
    """How many paragraphs of these depths stand on each card: on as few as they need, the fullest of them as
    short as it can be.
    """

    def counts(room: int) -> list[int]:
        filled, used = [0], 0
        for depth in depths:
            if filled[-1] and used + depth > room:
                filled.append(0)
                used = 0
            filled[-1] += 1
            used += depth + air
        return filled

    fewest = len(counts(room))
    low, high = min(max(depths), room), room
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if len(counts(middle)) <= fewest else (middle + 1, high)
    return counts(high)


def _broken(canvas: Canvas, paragraph: Paragraph, size: int) -> tuple[int, list[str]]:
    """(how many lines the lead has to itself, the text in lines). Behind a short lead the text begins on the
    same line.
    """
    width = canvas.width - 2 * canvas.length(INSET)
    lead = _reach(paragraph.lead, size)
    if lead > width * 6 // 10:
        return len(wrapped(paragraph.lead, "sans-bold", size, width)), wrapped(
            paragraph.says, "sans", size, width
        )
    return 0, wrapped(paragraph.says, "sans", size, width, lead)


def _write(canvas: Canvas, paragraph: Paragraph, rows: list[str], lead: int, size: int, y: int) -> int:
    inset, pitch = canvas.length(INSET), size * LEADING // 1000
    width = canvas.width - 2 * inset
    for text in wrapped(paragraph.lead, "sans-bold", size, width) if lead else [paragraph.lead]:
        canvas.write(text, "sans-bold", size, inset, y + size, INK)
        y += pitch if lead else 0
    for number, text in enumerate(rows):
        x = inset + (_reach(paragraph.lead, size) if not lead and not number else 0)
        canvas.write(text, "sans", size, x, y + size, INK if lead or number or paragraph.says else SOFT)
        y += pitch
    return y


def _reach(lead: str, size: int) -> int:
    """How far a lead and the space behind it reach."""
    return (fonts.width("sans-bold", lead) + 400) * size // 1000


def _source(game: Game) -> str:
    document = next(iter(game.documents.values()), None)
    title = document.title.split(":")[0].split(",")[0] if document else ""
    return wording.game_credit(game) or (
        f"In Cutout’s words, after {title}" if title else "In Cutout’s words"
    )
