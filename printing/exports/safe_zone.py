"""Words that stand nearer to the cut than a print service keeps to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cardsdb.games.kit.model.text import plural
from printing.faces import fonts
from printing.faces.strokes import Drawing, TextRun
from printing.layout.imposition import Piece
from printing.options.sizes import shown

# So many are called by name.
MOST_NAMED = 8


class Near(NamedTuple):
    """A face whose words come as near to the cut as this (micrometres; less than none beyond it)."""

    name: str
    distance: int


def nearest_words(drawing: Drawing) -> int | None:
    """How far from the cut the outermost words of a face stand; None of a face without words."""
    return min((_distance(drawing, stroke) for stroke in drawing.strokes if isinstance(stroke, TextRun)), default=None)


def too_near(pieces: Iterable[Piece], safe: int) -> tuple[Near, ...]:
    """The faces with words nearer to the cut than this, the nearest first."""
    faces = {id(drawing): drawing for piece in pieces for drawing in (piece.front, piece.back) if drawing}
    found = [Near(drawing.name, distance) for drawing in faces.values() if (distance := nearest_words(drawing)) is not None]
    return tuple(sorted((near for near in found if near.distance < safe), key=lambda near: near.distance))


def in_words(found: tuple[Near, ...], safe: int) -> str:
    """A sentence; empty when all is well."""
    if not found:
        return ""
    names = ", ".join(dict.fromkeys(near.name for near in found[:MOST_NAMED]))
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    faces = f"{len(found)} {plural(len(found), 'face has', 'faces have')}"
    return f"{faces} words nearer to the cut than {shown(safe)} mm, the nearest {shown(found[0].distance)} mm from it: {names}{more}."


def _distance(drawing: Drawing, run: TextRun) -> int:
    """From the nearest edge of the card to the box of the words: capitals above their line, tails of letters below."""
    cut = fonts.CUTS[run.font]
    rise, fall = cut.cap * run.size // 1000, cut.drop * run.size // 1000
    if run.turned:
        left, right, top, foot = run.x - rise, run.x + fall, run.y - run.width, run.y
    else:
        left, right, top, foot = run.x, run.x + run.width, run.y - rise, run.y + fall
    return min(left, top, drawing.width - right, drawing.height - foot)
