"""Characters that no font of ours has: named to whoever asked, never printed as boxes."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from printing.faces import fonts
from printing.faces.strokes import Stroke, TextRun
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.layout import margins
from printing.layout.imposition import Piece
from printing.options.values import CannotPrint


class Missing(NamedTuple):
    """A character that no font has. ``card`` is the card's name, or ``the title``."""

    card: str
    character: str

    @property
    def codepoint(self) -> str:
        return f"U+{ord(self.character):04X}"

    @property
    def named(self) -> str:
        return unicodedata.name(self.character, "a character without a name")


class MissingCharacters(CannotPrint):
    """Characters that would come out as black boxes."""

    code = "missing_character"

    def __init__(self, missing: tuple[Missing, ...]) -> None:
        self.missing = missing
        self.field = "title" if all(one.card == "the title" for one in missing) else "cards"
        listed = "; ".join(f"{one.card}: {one.codepoint} {one.named}" for one in missing[:10])
        more = f"; and {len(missing) - 10} more" if len(missing) > 10 else ""
        super().__init__(f"no font has these characters: {listed}{more}")


def missing_in(strokes: Iterable[Stroke]) -> tuple[str, ...]:
    """The characters of a drawing's words that no font has, each once."""
    texts = (one.text for one in strokes if isinstance(one, TextRun))
    return tuple(dict.fromkeys(character for text in texts for character in fonts.missing(text)))


def refuse_missing(job: Job, pieces: tuple[Piece, ...]) -> None:
    """Raise MissingCharacters for what no font can write of a job, whose own pieces these are: before anything is drawn."""
    pieces = (*pieces, *(piece for part in job.besides.following for piece in pieces_of(part)))
    drawings = list({id(one): one for piece in pieces for one in (piece.front, piece.back) if one}.values())
    fixed = margins.furniture(job.layout, job.notes(), job.options, "front")
    words = margins.sheet_number(job.layout, job.options, job.notes(), 1, 1)
    missing = [Missing(drawing.name, character) for drawing in drawings for character in missing_in(drawing.strokes)]
    missing += [Missing("the title", character) for character in missing_in((*fixed.over, *words))]
    if missing:
        raise MissingCharacters(tuple(dict.fromkeys(missing)))
