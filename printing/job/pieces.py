"""The pieces of a job, each with front, back and count, drawn in the job's style; and the characters that no
font has.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from cardsdb.games.kit import Card
from printing.faces import colours, fonts
from printing.faces.backs import back_of_game
from printing.faces.own_pictures import picture_drawing
from printing.faces.strokes import Drawing, Stroke, TextRun, text_runs
from printing.job.job import Job
from printing.layout.imposition import Piece
from printing.options.sizes import MM
from printing.options.values import CannotPrint

# Two points: readable with a glass, and enough to tell a proxy from a card.
MICRO = 2 * 25_400 // 72


def pieces_of(job: Job, on_card: Callable[[int], None] = lambda cards: None) -> tuple[Piece, ...]:
    """The cards of the job in the list's order, then its other pieces. ``on_card`` gets the number of
    different cards drawn so far.
    """
    options, known = job.options, dict[Drawing, Drawing]()
    fronts = dict[int, Drawing]()
    for number, card in enumerate(job.distinct, 1):
        fronts[id(card)] = _front(card, job)
        on_card(number)
    backs = {id(card): _back(card, job) for card in job.distinct} if options.backs != "none" else {}
    pieces = [
        Piece(card.name, fronts[id(card)], backs.get(id(card)), count, card.code)
        for card, count in job.entries
    ]
    styled = partial(_styled, job, known)
    return tuple(
        piece._replace(
            front=styled(piece.front),
            back=styled(piece.back) if piece.back and options.backs != "none" else None,
            count=piece.count * options.copies,
        )
        for piece in (*pieces, *job.extra)
    )


def _own(job: Job, code: str, side: str, name: str) -> Drawing | None:
    """The own picture that is this side of the card; None without one, or if the job shows no pictures."""
    ref = job.pictures.get((code, side)) if job.options.shows_pictures else None
    if ref and ref.use == "art" and side == "front":
        return None
    return (
        picture_drawing(name, ref, job.size, job.options.back_bled if side == "back" else job.options.bled)
        if ref
        else None
    )


def _front(card: Card, job: Job) -> Drawing:
    drawing = _own(job, card.code, "front", card.name) or job.face_of(card, job.options.bled)
    return (
        drawing._replace(strokes=(*drawing.strokes, *_micro(drawing, job.own_heading)))
        if job.options.micro
        else drawing
    )


def _back(card: Card, job: Job) -> Drawing:
    """The own picture for the card's back, else the one for all of the game's cards, else the back that is
    drawn for its type.
    """
    own = _own(job, card.code, "back", f"Back, {card.name}") or _own(
        job, "", "back", f"Back, {job.game.name}"
    )
    style = job.options.style
    return own or back_of_game(
        job.game,
        job.size,
        job.options.back_bled,
        plain=style == "saver",
        light=style == "light",
        card_type=card.type,
    )


def _styled(job: Job, known: dict[Drawing, Drawing], drawing: Drawing) -> Drawing:
    """The drawing in the job's style. Drawings that look alike become one object, and so one form of a
    file.
    """
    options = job.options
    if options.style == "outline":
        drawing = colours.outline(drawing.width, drawing.height, options.corner)._replace(
            turned=drawing.turned
        )
    elif options.style == "saver":
        drawing = colours.saver(drawing)
    if options.ink == "grey":
        drawing = colours.grey(drawing)
    return known.setdefault(drawing, drawing)


def _micro(drawing: Drawing, words: str) -> list[TextRun]:
    """The deck's name in tiny type at the card's foot, in ink that shows on the ground there."""
    words, room = fonts.plain(words), (drawing.width - 6 * MM) * 1000 // MICRO
    while words and fonts.width("sans", words) > room:
        words = words[:-1]
    long = fonts.width("sans", words) * MICRO // 1000
    x, y = (drawing.width - long) // 2, drawing.height - 700
    colour = colours.legible(
        colours.ROLES["soft"], colours.ground_at(drawing, drawing.width // 2, y - MICRO // 3)
    )
    return text_runs(words, "sans", MICRO, x, y, colour)


class MissingGlyph(NamedTuple):
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
    """Some characters are in no font, and would be printed as black boxes."""

    code = "missing_character"

    def __init__(self, missing: tuple[MissingGlyph, ...]) -> None:
        self.missing = missing
        listed = "; ".join(f"{one.card}: {one.codepoint} {one.named}" for one in missing[:10])
        more = f"; and {len(missing) - 10} more" if len(missing) > 10 else ""
        super().__init__(
            f"no font has these characters: {listed}{more}",
            "title" if all(one.card == "the title" for one in missing) else "cards",
        )


def missing_in(strokes: Iterable[Stroke]) -> tuple[str, ...]:
    """The characters of a drawing's words that no font has, each once."""
    texts = (one.text for one in strokes if isinstance(one, TextRun))
    return tuple(dict.fromkeys(character for text in texts for character in fonts.missing(text)))


def refuse_missing(job: Job, pieces: tuple[Piece, ...]) -> None:
    """Raise MissingCharacters for characters of a job that no font has, before anything is drawn. ``pieces``
    are the job's own.
    """
    pieces = (*pieces, *(piece for part in job.following for piece in pieces_of(part)))
    drawings = list({id(one): one for piece in pieces for one in (piece.front, piece.back) if one}.values())
    fixed = job.margins.furniture("front")
    words = job.margins.sheet_number(1, 1)
    missing = [
        MissingGlyph(drawing.name, character)
        for drawing in drawings
        for character in missing_in(drawing.strokes)
    ]
    missing += [MissingGlyph("the title", character) for character in missing_in((*fixed.over, *words))]
    if missing:
        raise MissingCharacters(tuple(dict.fromkeys(missing)))
