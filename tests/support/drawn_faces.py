"""What tests ask of a drawn card: its words and where they stand, its rules, its drawings."""

from __future__ import annotations

import re
from dataclasses import replace

from cardsdb.games.kit import Card
from cardsdb.games.kit.print.face import Face
from printing.faces import fonts
from printing.faces.compose import compose
from printing.faces.strokes import Drawing, Line, Path, TextRun


def runs(drawing: Drawing) -> list[TextRun]:
    return [stroke for stroke in drawing.strokes if isinstance(stroke, TextRun)]


def rules(drawing: Drawing) -> list[Line]:
    return [stroke for stroke in drawing.strokes if isinstance(stroke, Line)]


def words(drawing: Drawing) -> str:
    return " ".join(run.text for run in runs(drawing))


def squashed(text: str) -> str:
    return "".join(text.split())


def extent(run: TextRun) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the letters; only those that hang below the line reach below it."""
    cut = fonts.CUTS[run.font]
    up, down = run.size * cut.cap // 1000, run.size * cut.drop // 1000 if re.search(r"[gjpqyQ,;()]", run.text) else 0
    if run.turned:
        return run.x - up, run.y - run.width, run.x + down, run.y
    return run.x, run.y - up, run.x + run.width, run.y + down


def meet(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def bare_cards(game) -> list[Card]:
    """A card of every type of which nothing is known but a long name, one written in, and one of no known type."""
    name = "Somebody or Something of Which Nobody Knows Any More than This"
    bare = [Card(game.slug, "bare", name, card_type) for card_type in game.types_by_slug]
    return [*bare, Card(game.slug, "new", name, game.types[0].slug, written=True), Card(game.slug, "unknown", name, "")]


def boxes_of_symbols(drawing: Drawing) -> list[tuple[int, int, int, int]]:
    found = []
    for stroke in drawing.strokes:
        if isinstance(stroke, Path):
            xs, ys = ([n for _, numbers in stroke.steps for n in numbers[axis::2]] for axis in (0, 1))
            found.append((min(xs), min(ys), max(xs), max(ys)))
    return found


def parcel(game, face: Face, **given) -> Drawing:
    card = Card(**{"game": "deaddrop", "code": "p", "name": "Parcel", "type": "parcel", "facts": {}, **given})
    return compose(card, replace(game, faces={"parcel": face}))
