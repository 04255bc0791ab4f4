"""What a drawing holds: its words and where they stand, its rules and symbols; and that all of it can be
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
    return "".join(text.split())


def extent(run: TextRun) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the letters; only those that hang below the line reach below it."""
    cut = fonts.CUTS[run.font]
    up, down = (
        run.size * cut.cap // 1000,
        run.size * cut.drop // 1000 if re.search(r"[gjpqyQ,;()]", run.text) else 0,
    )
    if run.turned:
        return run.x - up, run.y - run.width, run.x + down, run.y
    return run.x, run.y - up, run.x + run.width, run.y + down


def meet(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def bare_cards(game) -> list[Card]:
    """A card of every type of which nothing is known but a long name, one written in, and one of no known
    type.
    """
    name = "Somebody or Something of Which Nobody Knows Any More than This"
    bare = [Card(game.slug, "bare", name, card_type) for card_type in game.types_by_slug]
    return [
        *bare,
        Card(game.slug, "new", name, game.types[0].slug, written=True),
        Card(game.slug, "unknown", name, ""),
    ]


def text_of(game: Game, card: Card) -> str:
    """The text as it stands in the notes of the card's face: without the header that the face's head
    tells.
    """
    notes = [one for one in game.face_named(card.type).elements if isinstance(one, Notes) and one.without]
    header = str(notes[0].without.read(card)) if notes and notes[0].without else ""
    return card.told.replace(f"{header}: ", "", 1) if header else card.told


def boxes_of_symbols(drawing: Drawing) -> list[tuple[int, int, int, int]]:
    """Left, top, right, bottom of every drawing; not of bands, which run along the trim, nor of what was
    drawn before words to stand under them: a tile, a shape that holds a number.
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
    """No stroke leaves the drawing, and words can be read on what lies under them."""
    for one in drawing.strokes:
        match one:
            case TextRun():
                assert one.x >= 0 and one.x + one.width <= drawing.width, (drawing.name, one)
                assert one.y - one.size * 66 // 100 > 0 and one.y <= drawing.height, (drawing.name, one)
                assert contrast(one.colour, ground_at(drawing, one.x, one.y - one.size // 4)) >= 4.5, (
                    drawing.name,
                    one,
                )
            case Rect():
                assert (
                    one.x >= 0
                    and one.y >= 0
                    and one.x + one.width <= drawing.width
                    and one.y + one.height <= drawing.height
                )
            case Line():
                assert all(0 <= x <= drawing.width for x in (one.x1, one.x2)) and all(
                    0 <= y <= drawing.height for y in (one.y1, one.y2)
                )
            case Path():
                xs = [number for _, numbers in one.steps for number in numbers[::2]]
                ys = [number for _, numbers in one.steps for number in numbers[1::2]]
                assert (
                    min(xs) >= 0 and max(xs) <= drawing.width and min(ys) >= 0 and max(ys) <= drawing.height
                )


def starter_list(game: str, slug: str) -> Any:
    return pasted_list(game, starter(game, slug))


CREDIT = Credit(
    "Dead Drop by N. N.",
    "CC BY-NC 4.0",
    "https://example.org/by-nc",
    "https://example.org/dd",
    "Redrawn by us.",
)
