"""What a drawing says, and that all of it can be read: for the tests of what is printed beside the cards."""

from __future__ import annotations

from typing import Any

from printing.faces.colours import contrast
from printing.faces.strokes import Drawing, Line, Path, Rect, TextRun
from printing.faces.styles import ground_at
from printing.request.lists import pasted_list
from tests.support.public_decks import starter

ROOT = "https://cutout.example"


def texts(drawing: Drawing) -> list[str]:
    return [one.text for one in drawing.strokes if isinstance(one, TextRun)]


def said(*drawings: Drawing) -> str:
    return " ".join(text for drawing in drawings for text in texts(drawing))


def assert_within(drawing: Drawing) -> None:
    """No stroke leaves the drawing, and words can be read on what lies under them."""
    for one in drawing.strokes:
        match one:
            case TextRun():
                assert one.x >= 0 and one.x + one.width <= drawing.width, (drawing.name, one)
                assert one.y - one.size * 66 // 100 > 0 and one.y <= drawing.height, (drawing.name, one)
                assert contrast(one.colour, ground_at(drawing, one.x, one.y - one.size // 4)) >= 4.5, (drawing.name, one)
            case Rect():
                assert one.x >= 0 and one.y >= 0 and one.x + one.width <= drawing.width and one.y + one.height <= drawing.height
            case Line():
                assert all(0 <= x <= drawing.width for x in (one.x1, one.x2)) and all(0 <= y <= drawing.height for y in (one.y1, one.y2))
            case Path():
                xs = [number for _, numbers in one.steps for number in numbers[::2]]
                ys = [number for _, numbers in one.steps for number in numbers[1::2]]
                assert min(xs) >= 0 and max(xs) <= drawing.width and min(ys) >= 0 and max(ys) <= drawing.height


def asked(game: str, slug: str) -> Any:
    return pasted_list(game, starter(game, slug))
