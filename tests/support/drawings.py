"""Reading a drawn card face or sheet: its words, lines, symbols and their boxes; and a check that all of it
can be read.

Lengths are micrometres, as in ``printing.faces.strokes``; boxes are (left, top, right, bottom) from the
top left corner.
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

# The address of the site in QR codes and links.
ROOT = "https://cutout.example"


def runs(drawing: Drawing) -> list[TextRun]:
    """Return the pieces of text, in drawing order."""
    return [stroke for stroke in drawing.strokes if isinstance(stroke, TextRun)]


def rules(drawing: Drawing) -> list[Line]:
    """Return the ruled lines."""
    return [stroke for stroke in drawing.strokes if isinstance(stroke, Line)]


def words_of(*drawings: Drawing) -> str:
    """Return all text of these drawings, joined by spaces."""
    return " ".join(run.text for drawing in drawings for run in runs(drawing))


def texts(drawing: Drawing) -> list[str]:
    """Return each piece of text."""
    return [run.text for run in runs(drawing)]


def squashed(text: str) -> str:
    """Return the text without any white space, to compare texts that are broken into lines differently."""
    return "".join(text.split())


def extent(run: TextRun) -> tuple[int, int, int, int]:
    """Return the box of a piece of text. It reaches below the baseline only if a letter does, such as "g"."""
    cut = fonts.CUTS[run.font]
    up = run.size * cut.cap // 1000
    down = run.size * cut.drop // 1000 if re.search(r"[gjpqyQ,;()]", run.text) else 0
    if run.turned:
        return run.x - up, run.y - run.width, run.x + down, run.y
    return run.x, run.y - up, run.x + run.width, run.y + down


def meet(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    """Return True if two boxes overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def bare_cards(game) -> list[Card]:
    """Return cards with a long name and no facts: one of each type, one that was written in, and one of no
    known type.
    """
    name = "Somebody or Something of Which Nobody Knows Any More than This"
    bare = [Card(game.slug, "bare", name, card_type) for card_type in game.types_by_slug]
    return [
        *bare,
        Card(game.slug, "new", name, game.types[0].slug, written=True),
        Card(game.slug, "unknown", name, ""),
    ]


def text_of(game: Game, card: Card) -> str:
    """Return the card's text as the notes on its face show it: without the header if the head of the face
    shows that already.
    """
    elements = game.face_named(card.type).elements
    notes = [element for element in elements if isinstance(element, Notes) and element.without]
    header = str(notes[0].without.read(card)) if notes and notes[0].without else ""
    return card.told.replace(f"{header}: ", "", 1) if header else card.told


def boxes_of_symbols(drawing: Drawing) -> list[tuple[int, int, int, int]]:
    """Return the box of each symbol. Left out are bands, which touch the trim, and shapes that hold text,
    which are drawn before it.
    """
    boxes = []
    texts = [
        (place, extent(stroke)) for place, stroke in enumerate(drawing.strokes) if isinstance(stroke, TextRun)
    ]
    for place, stroke in enumerate(drawing.strokes):
        if isinstance(stroke, Path):
            xs, ys = ([n for _, numbers in stroke.steps for n in numbers[axis::2]] for axis in (0, 1))
            left, top, right, bottom = box = min(xs), min(ys), max(xs), max(ys)
            along_the_trim = left <= 0 or top <= 0 or right >= drawing.width or bottom >= drawing.height
            holds_text = any(
                later > place and left <= x1 and top <= y1 and x2 <= right and y2 <= bottom
                for later, (x1, y1, x2, y2) in texts
            )
            if not along_the_trim and not holds_text:
                boxes.append(box)
    return boxes


def parcel(game, face: Face, **given) -> Drawing:
    """Return the drawing of a card with this face; ``given`` overrides the card's fields."""
    card = Card(**{"game": "deaddrop", "code": "p", "name": "Parcel", "type": "parcel", "facts": {}, **given})
    return compose(card, replace(game, faces={"parcel": face}))


def assert_within(drawing: Drawing) -> None:
    """Assert that no stroke leaves the drawing and that each text has a contrast of at least 4.5 to what is
    under it.
    """
    for stroke in drawing.strokes:
        match stroke:
            case TextRun():
                # Capitals are about 0.66 of the size high; the ground is looked up inside the letters.
                top, ground = (
                    stroke.y - stroke.size * 66 // 100,
                    ground_at(drawing, stroke.x, stroke.y - stroke.size // 4),
                )
                assert stroke.x >= 0 and stroke.x + stroke.width <= drawing.width, (drawing.name, stroke)
                assert top > 0 and stroke.y <= drawing.height, (drawing.name, stroke)
                assert contrast(stroke.colour, ground) >= 4.5, (drawing.name, stroke)
                continue
            case Rect():
                xs, ys = [stroke.x, stroke.x + stroke.width], [stroke.y, stroke.y + stroke.height]
            case Line():
                xs, ys = [stroke.x1, stroke.x2], [stroke.y1, stroke.y2]
            case Path():
                xs = [number for _, numbers in stroke.steps for number in numbers[::2]]
                ys = [number for _, numbers in stroke.steps for number in numbers[1::2]]
        assert min(xs) >= 0 and max(xs) <= drawing.width, (drawing.name, stroke)
        assert min(ys) >= 0 and max(ys) <= drawing.height, (drawing.name, stroke)


def starter_list(game: str, slug: str) -> Any:
    """Return this starter as a list to print."""
    return pasted_list(game, starter(game, slug))


CREDIT = Credit(
    "Dead Drop by N. N.",
    "CC BY-NC 4.0",
    "https://example.org/by-nc",
    "https://example.org/dd",
    "Redrawn by us.",
)
