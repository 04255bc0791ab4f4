"""Look into drawings: their words, lines and symbols and where they are, and assert that all of it can be
read.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from cardsdb.games.kit import Card, Credit, Game
from cardsdb.games.kit.print.face import Face, Notes
from printing.faces import fonts
from printing.faces.colours import contrast, ground_at
from printing.faces.compose import compose
from printing.faces.strokes import Drawing, Line, Path, Rect, TextRun
from printing.request.lists import pasted_list
from tests.support.made_decks import starter

ROOT = "https://cutout.example"


def runs(drawing: Drawing) -> list[TextRun]:
    return [stroke for stroke in drawing.strokes if isinstance(stroke, TextRun)]


def rules(drawing: Drawing) -> list[Line]:
    return [stroke for stroke in drawing.strokes if isinstance(stroke, Line)]


def words_of(*drawings: Drawing) -> str:
    return " ".join(run.text for drawing in drawings for run in runs(drawing))


def texts(drawing: Drawing) -> list[str]:
    return [run.text for run in runs(drawing)]


def squashed(text: str) -> str:
    """The text without white space, to compare texts however their lines break."""
    return "".join(text.split())


def extent(run: TextRun) -> tuple[int, int, int, int]:
    """(left, top, right, bottom) of the letters of a run, in micrometres. It reaches below the base line only
    if one of its letters does.
    """
    cut = fonts.CUTS[run.font]
    up, down = (
        run.size * cut.cap // 1000,
        run.size * cut.drop // 1000 if re.search(r"[gjpqyQ,;()]", run.text) else 0,
    )
    if run.turned:
        return run.x - up, run.y - run.width, run.x + down, run.y
    return run.x, run.y - up, run.x + run.width, run.y + down


def meet(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    """True if two boxes (left, top, right, bottom) overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def bare_cards(game) -> list[Card]:
    """A card of every type with only a long name, a written-in card, and a card of an unknown type."""
    name = "Somebody or Something of Which Nobody Knows Any More than This"
    bare = [Card(game.slug, "bare", name, card_type) for card_type in game.types_by_slug]
    return [
        *bare,
        Card(game.slug, "new", name, game.types[0].slug, written=True),
        Card(game.slug, "unknown", name, ""),
    ]


def text_of(game: Game, card: Card) -> str:
    """The card's text as printed in the notes of its face, without a header that the face prints
    elsewhere.
    """
    notes = [one for one in game.face_named(card.type).elements if isinstance(one, Notes) and one.without]
    header = str(notes[0].without.read(card)) if notes and notes[0].without else ""
    return card.told.replace(f"{header}: ", "", 1) if header else card.told


def boxes_of_symbols(drawing: Drawing) -> list[tuple[int, int, int, int]]:
    """(left, top, right, bottom) of every symbol of a drawing. Left out are paths that reach the edge
    (bands), and those with words drawn on them later (tiles, shapes around a number).
    """
    boxes = []
    for place, stroke in enumerate(drawing.strokes):
        if isinstance(stroke, Path):
            xs, ys = ([n for _, numbers in stroke.steps for n in numbers[axis::2]] for axis in (0, 1))
            left, top, right, bottom = box = min(xs), min(ys), max(xs), max(ys)
            along_the_trim = left <= 0 or top <= 0 or right >= drawing.width or bottom >= drawing.height
            held = (extent(run) for run in drawing.strokes[place:] if isinstance(run, TextRun))
            if not along_the_trim and not any(
                left <= x1 and top <= y1 and x2 <= right and y2 <= bottom for x1, y1, x2, y2 in held
            ):
                boxes.append(box)
    return boxes


def parcel(game, face: Face, **given) -> Drawing:
    card = Card(**{"game": "deaddrop", "code": "p", "name": "Parcel", "type": "parcel", "facts": {}, **given})
    return compose(card, replace(game, faces={"parcel": face}))


def assert_within(drawing: Drawing) -> None:
    """Assert that no stroke leaves the drawing, and that words have enough contrast with what is
    under them.
    """
    width, height = drawing.width, drawing.height
    for stroke in drawing.strokes:
        match stroke:
            case TextRun():
                assert stroke.x >= 0 and stroke.x + stroke.width <= width, (drawing.name, stroke)
                assert stroke.y - stroke.size * 66 // 100 > 0 and stroke.y <= height, (drawing.name, stroke)
                ground = ground_at(drawing, stroke.x, stroke.y - stroke.size // 4)
                assert contrast(stroke.colour, ground) >= 4.5, (drawing.name, stroke)
            case Rect():
                assert stroke.x >= 0 and stroke.y >= 0
                assert stroke.x + stroke.width <= width and stroke.y + stroke.height <= height
            case Line():
                assert all(0 <= x <= width for x in (stroke.x1, stroke.x2))
                assert all(0 <= y <= height for y in (stroke.y1, stroke.y2))
            case Path():
                xs = [number for _, numbers in stroke.steps for number in numbers[::2]]
                ys = [number for _, numbers in stroke.steps for number in numbers[1::2]]
                assert min(xs) >= 0 and max(xs) <= width and min(ys) >= 0 and max(ys) <= height


def starter_list(game: str, slug: str) -> Any:
    return pasted_list(game, starter(game, slug))


CREDIT = Credit(
    "Dead Drop by N. N.",
    "CC BY-NC 4.0",
    "https://example.org/by-nc",
    "https://example.org/dd",
    "Redrawn by us.",
)
