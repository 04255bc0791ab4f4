"""A job's cards for files that are no sheets: each different card once, with its back."""

from __future__ import annotations

from dataclasses import replace

from printing.faces.strokes import Drawing, Line, Path, Picture, Rect, Stroke, TextRun
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.layout.imposition import Piece
from printing.options.sizes import PAPERS, Size
from printing.options.values import USUAL, Options

# What only sheets have.
_ABOUT_SHEETS = ("orientation", "margin", "turn", "gap", "gap_y", "corner", "marks_where", "fold", "heads", "header", "start", "skip")
_ABOUT_BACKS_OF_SHEETS = ("back_x", "back_y", "back_turn", "back_read")


def file_options(told: Options, bleed: int = 0, trim: Size | None = None) -> Options:
    """The same cards in the same style, with backs. What only sheets have is as usual, on a paper that holds any card."""
    as_usual = {name: getattr(USUAL, name) for name in (*_ABOUT_SHEETS, *_ABOUT_BACKS_OF_SHEETS)}
    sleeves = told.sleeves and trim is None
    return replace(
        told,
        **as_usual,
        paper=PAPERS["a3"],
        trim=trim or told.trim,
        sleeves=sleeves,
        bleed=bleed,
        bleed_where="outside",
        marks="none",
        backs="long",
    )


def different(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The pieces, those that look alike on both sides together as one."""
    found: dict[tuple[int, int, str], Piece] = {}
    for piece in pieces:
        key = (id(piece.front), id(piece.back), piece.name)
        before = found.get(key)
        found[key] = before._replace(count=before.count + piece.count) if before else piece
    return tuple(found.values())


def cards_of(job: Job) -> tuple[Piece, ...]:
    """What a job with ``file_options`` prints."""
    return different(tuple(piece for part in job.parts for piece in pieces_of(part)))


def with_bleed(drawing: Drawing, bleed: int) -> Drawing:
    """The drawing and its bleed, as a drawing that is so much larger."""
    if not bleed:
        return drawing
    strokes = tuple(_moved(stroke, bleed) for stroke in drawing.strokes)
    return drawing._replace(width=drawing.width + 2 * bleed, height=drawing.height + 2 * bleed, strokes=strokes)


def _moved(one: Stroke, by: int) -> Stroke:
    match one:
        case Rect() | TextRun() | Picture():
            return one._replace(x=one.x + by, y=one.y + by)
        case Line():
            return one._replace(x1=one.x1 + by, y1=one.y1 + by, x2=one.x2 + by, y2=one.y2 + by)
        case Path():
            return one._replace(steps=tuple((letter, tuple(number + by for number in numbers)) for letter, numbers in one.steps))
