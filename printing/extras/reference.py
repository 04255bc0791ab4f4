"""Reference cards: the numbers of a set-up, its steps, and the terms a deck meets, all in our words with what they rest on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.text import fold, plural
from printing.extras.blank import INK, INSET, SOFT, Stock, band, blank, drawing, foot, wrapped
from printing.faces import fonts, wording
from printing.faces.canvas import Canvas
from printing.faces.strokes import Drawing
from printing.layout.imposition import Piece

# Tenths of a point: as small as the credit of a card is no rule to be read at the table.
TYPE, LEADING, AIR = 72, 1_200, 900
# Terms fill so many cards at most; those that most cards of the deck meet come first.
MAX_TERM_CARDS = 3


class Line(NamedTuple):
    """A few words in bold and what they stand before."""

    lead: str
    says: str


def reference_pieces(game: Game, cards: Iterable[Card], stock: Stock) -> tuple[Piece, ...]:
    """The reference cards for these cards of one game, in the order in which they are needed."""
    numbers = [Line(one.label, f"{one.value} ({one.cites})") for one in game.set_up]
    drawings = _cards(game, "Numbers", numbers, stock)
    if guide_of := game.set_up_guide:
        guide = guide_of.guide(guide_of.usual)
        steps = [Line(f"{step.number}. {step.title}", step.says) for step in guide.steps]
        players = f"{guide.players} {plural(guide.players, 'player')}"
        drawings += _cards(game, f"Set-up, {players}", steps, stock)
    drawings += _term_cards(game, cards, stock)
    return tuple(Piece(one.name, one, None, 1, f"reference {number}") for number, one in enumerate(drawings))


def _term_cards(game: Game, cards: Iterable[Card], stock: Stock) -> list[Drawing]:
    met = Counter(term for card in cards for term in game.terms_for(card))
    terms = [term for term, _ in met.most_common()]
    while terms:
        lines = [Line(term.term, term.meaning) for term in sorted(terms, key=lambda term: fold(term.term))]
        drawings = _cards(game, "Terms", lines, stock)
        if len(drawings) <= MAX_TERM_CARDS:
            return drawings
        terms = terms[: min(len(terms) - 1, len(terms) * MAX_TERM_CARDS // len(drawings))]
    return []


def _cards(game: Game, title: str, lines: Sequence[Line], stock: Stock) -> list[Drawing]:
    """The lines on as many cards as they take."""
    canvases: list[Canvas] = []
    y = bottom = 0
    for line in lines:
        canvas = canvases[-1] if canvases else blank(game, stock)
        size = canvas.size(TYPE)
        lead, rows = _broken(canvas, line, size)
        deep = (lead + len(rows)) * size * LEADING // 1000
        if not canvases or y + deep > bottom:
            canvas = blank(game, stock)
            canvases.append(canvas)
            y = band(canvas, title, game.name) + canvas.length(1_500)
            bottom = foot(canvas, _source(game))
        y = _write(canvas, line, rows, lead, size, y) + canvas.length(AIR)
    of = f" of {len(canvases)}"
    names = [f"{title}, {game.name}" + (f", {number}{of}" if len(canvases) > 1 else "") for number in range(1, len(canvases) + 1)]
    return [drawing(canvas, name, stock) for canvas, name in zip(canvases, names, strict=True)]


def _broken(canvas: Canvas, line: Line, size: int) -> tuple[int, list[str]]:
    """(lines that the lead has to itself, the rest in lines): the words begin behind the lead where it is short."""
    width = canvas.width - 2 * canvas.length(INSET)
    lead = _reach(line.lead, size)
    if lead > width * 6 // 10:
        return len(wrapped(line.lead, "sans-bold", size, width)), wrapped(line.says, "sans", size, width)
    return 0, wrapped(line.says, "sans", size, width, lead)


def _write(canvas: Canvas, line: Line, rows: list[str], lead: int, size: int, y: int) -> int:
    inset, pitch = canvas.length(INSET), size * LEADING // 1000
    width = canvas.width - 2 * inset
    for text in wrapped(line.lead, "sans-bold", size, width) if lead else [line.lead]:
        canvas.write(text, "sans-bold", size, inset, y + size, INK)
        y += pitch if lead else 0
    for number, text in enumerate(rows):
        x = inset + (_reach(line.lead, size) if not lead and not number else 0)
        canvas.write(text, "sans", size, x, y + size, INK if lead or number or line.says else SOFT)
        y += pitch
    return y


def _reach(lead: str, size: int) -> int:
    """How far a lead and the space behind it reach."""
    return (fonts.width("sans-bold", lead) + 400) * size // 1000


def _source(game: Game) -> str:
    document = next(iter(game.documents.values()), None)
    title = document.title.split(":")[0].split(",")[0] if document else ""
    return wording.game_credit(game) or (f"In Cutout’s words, after {title}" if title else "In Cutout’s words")
