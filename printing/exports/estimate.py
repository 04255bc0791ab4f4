"""How large the file of the sheets will be, and how much ink they take, before anything of it is made.

Nothing of the print is drawn for it: the weight of a face is that of others of its type, a few of which are
drawn once in the life of a process.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from cardsdb.games.kit import Game
from cardsdb.games.kit.print.face import back_for
from printing.faces.strokes import Drawing
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.options.values import USUAL
from printing.render.svg import stroke_svg

# Bytes of a PDF, found by least squares over the first and the last starter of each game in every style,
# fronts alone and duplex, poker and mini cards, in colour and grey (160 files, of which each came within 5 %
# of its size): the letters and the frame of a file by its style, a packed byte of a face, a face that is
# placed, a side.
LETTERS = {"light": 38_000, "full": 38_000, "saver": 15_400, "outline": 27_500}
PACKED, PLACED, SIDE = 1.05, 138, 1_020
MEGABYTE = 1_000_000
# A piece beside the cards, a card that is written in, of which less is known, and a page of words.
PIECE, WRITTEN, PAGE = 1_500, 700, 6_000
# So many cards of a type are drawn to know what one weighs.
SAMPLE = 4

# Ink of a front and of a back in each style, where a front in full is 1: the darkness of the dots of the same
# files, all inks together, by which tests/printing/faces/test_ink_saver.py measures too. The mean of the five
# games.
INK = {"full": (1.0, 2.6), "light": (0.45, 0.35), "saver": (0.08, 0.27), "outline": (0.09, 0.09)}
INK_WORDS = {"full": "full", "light": "light", "saver": "very light", "outline": "hardly any"}


class Contents(NamedTuple):
    """What one file holds: sides of sheets, cards on them, packed bytes of what is drawn once, pages of
    words, bytes of own pictures.
    """

    sides: int = 0
    placed: int = 0
    packed: int = 0
    pages: int = 0
    stored: int = 0

    def plus(self, other: Contents) -> Contents:
        return Contents(*map(sum, zip(self, other, strict=True)))


def file_size(style: str, held: Contents, files: int = 1) -> int:
    """Bytes of the PDF that holds this, or of so many that hold it together."""
    # An outline has no letters, a page of words has.
    letters = LETTERS["light" if held.pages else style] * files
    return (
        letters
        + SIDE * held.sides
        + PLACED * held.placed
        + round(PACKED * held.packed)
        + PAGE * held.pages
        + held.stored
    )


class Estimate(NamedTuple):
    """``size`` in bytes, all files together; ``ink`` is the share of what the same print takes in full
    ink.
    """

    size: int
    ink: float
    style: str
    pictures: bool = False
    part: int = 0

    @property
    def size_words(self) -> str:
        """``180 kB``, and in how many files where each has a bound."""
        parts = -(-self.size // (self.part * MEGABYTE)) if self.part else 1
        return f"{amount(self.size)} in {parts} files or more" if parts > 1 else amount(self.size)

    @property
    def ink_words(self) -> str:
        """``light (about 45 % of full)``. Rounded to five, because cards differ."""
        word = INK_WORDS[self.style]
        if self.style != "full":
            word = f"{word} (about {max(5, 5 * round(20 * self.ink))}\N{NO-BREAK SPACE}% of full)"
        return f"{word}, besides your own pictures" if self.pictures else word


def amount(size: int) -> str:
    """``180 kB``, ``2.4 MB``: two figures, because more would not be true."""
    if size >= 10 * MEGABYTE:
        return f"{round(size / MEGABYTE):,}\N{NO-BREAK SPACE}MB"
    if size >= MEGABYTE:
        return f"{size / MEGABYTE:.1f}\N{NO-BREAK SPACE}MB"
    return f"{max(10, 10 * round(size / 10_000))}\N{NO-BREAK SPACE}kB"


def estimate(job: Job) -> Estimate:
    """What the sheets of this job come to."""
    options = job.options
    backs = options.backs != "none"
    # Sheets to be folded have both on one side.
    front = 0 if backs and options.flip and options.side == "backs" else 1
    back = 0 if not backs or (options.flip and options.side == "fronts") else 1
    ink, full = (front * one[0] + back * one[1] for one in (INK[options.style], INK["full"]))
    return Estimate(_size(job, front, back), ink / full, options.style, bool(job.every_picture), options.part)


def _size(job: Job, front: int, back: int) -> int:
    packed = sum(_faces(part, front, back) for part in job.parts)
    stored = sum(ref.stored for ref in {one.ref.sha256: one.ref for one in job.every_picture}.values())
    held = Contents(job.pages, job.cards * (front + back), packed, len(job.extras.pages), stored)
    return file_size(job.options.style, held, 2 if job.options.apart else 1)


def _faces(part: Job, front: int, back: int) -> int:
    """The packed bytes of all that is drawn once: different faces, and different backs."""
    game, style, own = part.game, part.options.style, part.used_pictures
    if style == "outline":
        return 0
    total = PIECE * len(part.extra)
    if front:
        whole = {code for (code, side), ref in own.items() if side == "front" and ref.use == "card"}
        drawn = [card for card in part.distinct if card.code not in whole]
        total += sum(
            WRITTEN
            if card.written and style != "saver"
            else _face_weight(game, card.type, style, part.options.ruled)
            for card in drawn
        )
    if back and ("", "back") not in own:
        backs = {
            back_for(game.backs, card.type): card.type
            for card in part.distinct
            if (card.code, "back") not in own
        }
        total += sum(_back_weight(game, one, style) for one in backs.values())
    return total


@lru_cache(maxsize=500)
def _face_weight(game: Game, card_type: str, style: str, ruled: bool) -> int:
    cards = [card for card in game.cards if card.type == card_type]
    some = cards[:: max(1, len(cards) // SAMPLE)][:SAMPLE]
    if not some:
        return PIECE
    options = replace(USUAL, style=style, ruled=ruled)  # type: ignore[arg-type]
    return sum(
        packed_size(piece.front)
        for piece in pieces_of(Job(game, tuple((card, 1) for card in some), options=options))
    ) // len(some)


def _back_weight(game: Game, card_type: str, style: str) -> int:
    cards = [card for card in game.cards if card.type == card_type][:1]
    options = replace(USUAL, style=style, backs="long")  # type: ignore[arg-type]
    pieces = pieces_of(Job(game, tuple((card, 1) for card in cards), options=options)) if cards else ()
    return sum(packed_size(piece.back) for piece in pieces if piece.back) or PIECE


def packed_size(drawing: Drawing) -> int:
    """How long the strokes are once they are packed. They say the same in SVG as in a PDF, in about as many
    letters.
    """
    return len(zlib.compress("".join(map(stroke_svg, drawing.strokes)).encode()))
