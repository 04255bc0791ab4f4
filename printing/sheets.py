"""From a list of cards to sheets to print: ``make_sheets(Job(...))``. Knows nothing of Django.

Cards stand in the list's order, copies side by side. What cannot be printed as asked is an error
with a sentence for the reader before anything is drawn.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from cardsdb.games.kit.cards import Card, as_words, slugify
from cardsdb.games.kit.game import Game
from printing import fonts, geometry, margins, pdf, wording
from printing.compose import compose
from printing.strokes import Drawing, Stroke, TextRun

MOST_DISTINCT, MOST_COPIES = 500, 2_000
MOST_TEXT, MOST_TITLE = 5_000, 200
LEAST_TRIM, MOST_TRIM = 30 * geometry.MM, 200 * geometry.MM
MOST_GAP = 10 * geometry.MM


class CannotPrint(ValueError):
    """Something asked for cannot be printed. ``field`` is the option or part at fault."""

    code = "cannot_print"
    field = "cards"


class BadOption(CannotPrint):
    """An option has a value that is not allowed; ``allowed`` says which are."""

    code = "bad_option"

    def __init__(self, field: str, value: object, allowed: tuple[str, ...]) -> None:
        self.field, self.value, self.allowed = field, value, allowed
        super().__init__(f"{field} must be {' or '.join(allowed)}, not “{value}”")


class TooMuch(CannotPrint):
    """More than a job may ask for, or nothing at all."""

    code = "too_much"


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


@dataclass(frozen=True)
class Job:
    """What to print. ``trim`` is a name of ``TRIMS``, ``WxH`` in millimetres, or empty for the game's own; ``gap`` in micrometres.

    Raises BadOption or TooMuch when made with what cannot be printed.
    """

    game: Game
    entries: tuple[tuple[Card, int], ...]
    title: str = ""
    paper: str = "a4"
    trim: str = ""
    gap: int = 0
    marks: bool = True

    def __post_init__(self) -> None:
        if self.paper not in geometry.PAPERS:
            raise BadOption("paper", self.paper, tuple(geometry.PAPERS))
        if not isinstance(self.gap, int) or not 0 <= self.gap <= MOST_GAP:
            raise BadOption("gap", self.gap / geometry.MM, (f"0 to {MOST_GAP // geometry.MM} mm",))
        if len(self.title) > MOST_TITLE:
            raise TooMuch(f"a title has at most {MOST_TITLE} letters")
        if not self.entries or any(count < 1 for _, count in self.entries):
            raise TooMuch("there is nothing to print: the list has no cards")
        if len(self.distinct) > MOST_DISTINCT or self.cards > MOST_COPIES:
            raise TooMuch(f"one job prints at most {MOST_DISTINCT} different cards and {MOST_COPIES:,} in all, not {self.cards:,}")
        for card in self.distinct:
            if len(card.name) + len(card.text) + sum(len(as_words(value)) for value in card.facts.values()) > MOST_TEXT:
                raise TooMuch(f"“{card.name[:80]}” says more than {MOST_TEXT:,} letters")
        self.layout  # noqa: B018  a card that does not fit the paper is an error now

    @cached_property
    def size(self) -> tuple[int, int]:
        """The trim in micrometres."""
        return _read_trim(self.trim) if self.trim else self.game.trim

    @cached_property
    def layout(self) -> geometry.Layout:
        try:
            return geometry.lay_out(geometry.PAPERS[self.paper], self.size, self.gap)
        except geometry.DoesNotFit:
            fitting = f"small enough for {geometry.PAPERS[self.paper].name}"
            raise BadOption("trim", geometry.millimetres(self.size), (fitting,)) from None

    @cached_property
    def distinct(self) -> tuple[Card, ...]:
        """Every card once, in the list's order."""
        return tuple({id(card): card for card, _ in self.entries}.values())

    @property
    def cards(self) -> int:
        return sum(count for _, count in self.entries)

    @property
    def pages(self) -> int:
        return self.layout.sheets(self.cards)

    @property
    def heading(self) -> str:
        return self.title.strip() or f"{self.game.name} cards"

    @property
    def filename(self) -> str:
        return f"{self.game.slug}-{slugify(self.title)[:60].strip('-') or 'cards'}.pdf"

    def summary(self) -> str:
        """``54 cards, 6 sheets, 63.5 × 88.9 mm``."""
        return f"{_count(self.cards, 'card')}, {_count(self.pages, 'sheet')}, {geometry.millimetres(self.size)}"

    @cached_property
    def key(self) -> str:
        """A hash of all that decides the file's bytes: for ETags. Changes when the code that draws changes."""
        game = self.game
        faces = [(card_type, game.face_named(card_type)) for card_type in sorted({card.type for card in self.distinct})]
        cards = [
            (card.name, card.type, sorted(card.facts.items()), card.text, card.prints[:1], wording.credit_line(card, game), count)
            for card, count in self.entries
        ]
        options = (self.title, self.paper, self.size, self.gap, self.marks)
        named = [(fact.key, fact.title) for fact in game.facts] + [(kind.slug, kind.name) for kind in game.types]
        family = (named, game.slug, game.name, game.hue, sorted(game.colours.items()), wording.sheet_credit(game), faces)
        return hashlib.sha256(repr((_drawing_code(), options, family, cards)).encode()).hexdigest()[:32]


class Sheets(NamedTuple):
    """A file to hand out."""

    filename: str
    content_type: str
    data: bytes
    pages: int
    cards: int


def make_sheets(job: Job) -> Sheets:
    """Print the job. Raises MissingCharacters, before a PDF is begun, for what no font can write."""
    layout, game = job.layout, job.game
    faces = {id(card): compose(card, game, job.size, layout.bleed) for card in job.distinct}
    # Two cards that look alike are one drawing, and so one form of the file.
    drawings = list(dict.fromkeys(faces.values()))
    notes = margins.Notes(job.heading, f"{game.name} · {geometry.millimetres(job.size)}", wording.sheet_credit(game))
    fixed = margins.fixed_margin(layout, notes, job.marks)
    missing = [Missing(drawing.name, character) for drawing in drawings for character in _missing(drawing.strokes)]
    missing += [Missing("the title", character) for character in _missing(fixed)]
    if missing:
        raise MissingCharacters(tuple(missing))
    about = pdf.About(job.heading, job.summary())
    paper = (layout.paper.width, layout.paper.height)
    data = pdf.make_pdf(paper, drawings, _pages(job, faces, drawings, fixed), about, layout.bleed)
    return Sheets(job.filename, "application/pdf", data, job.pages, job.cards)


def _pages(job: Job, faces: dict[int, Drawing], drawings: list[Drawing], fixed: tuple[Stroke, ...]) -> list[pdf.Page]:
    layout = job.layout
    numbers = {drawing: number for number, drawing in enumerate(drawings)}
    order = [number for card, count in job.entries for number in [numbers[faces[id(card)]]] * count]
    pages = []
    for number in range(job.pages):
        placed = order[number * layout.per_sheet : (number + 1) * layout.per_sheet]
        cards = [(index, *layout.slot(place)[:2]) for place, index in enumerate(placed)]
        first, last = drawings[placed[0]].name, drawings[placed[-1]].name
        label = f"Sheet {number + 1}: {first}" + (f" to {last}" if last != first else "")
        pages.append(pdf.Page(cards, (*fixed, *margins.sheet_number(layout, number + 1, job.pages)), label))
    return pages


def _missing(strokes: tuple[Stroke, ...]) -> tuple[str, ...]:
    texts = (one.text for one in strokes if isinstance(one, TextRun))
    return tuple(dict.fromkeys(character for text in texts for character in fonts.missing(text)))


# -- options as people type them --------------------------------------------------

DEFAULTS: dict[str, str] = {"paper": "a4", "trim": "", "gap": "0", "marks": "yes"}


def read_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a form, a command line or an API body as arguments of ``Job``.

    ``gap`` is in millimetres; ``marks`` yes or no. Absent and empty are the default. Raises BadOption,
    also for an option that does not exist.
    """
    for name in options:
        if name not in DEFAULTS:
            raise BadOption("option", name, tuple(DEFAULTS))
    said = {name: str(options.get(name, "") if options.get(name) is not None else "").strip().casefold() for name in DEFAULTS}
    said = {name: value or DEFAULTS[name] for name, value in said.items()}
    flags = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}
    if said["marks"] not in flags:
        raise BadOption("marks", said["marks"], ("yes", "no"))
    gap = _length(said["gap"].removesuffix("mm"))
    if gap is None or gap > MOST_GAP:
        raise BadOption("gap", said["gap"], (f"0 to {MOST_GAP // geometry.MM} mm",))
    if said["trim"]:
        _read_trim(said["trim"])
    return {"paper": said["paper"], "trim": said["trim"], "gap": gap, "marks": flags[said["marks"]]}


def _read_trim(text: str) -> tuple[int, int]:
    if known := geometry.TRIMS.get(text):
        return known.width, known.height
    lengths = [_length(part) for part in text.replace("×", "x").removesuffix("mm").split("x")]
    if len(lengths) == 2 and all(length is not None and LEAST_TRIM <= length <= MOST_TRIM for length in lengths):
        return lengths[0] or 0, lengths[1] or 0
    sizes = f"width x height in millimetres, {LEAST_TRIM // geometry.MM} to {MOST_TRIM // geometry.MM} each"
    raise BadOption("trim", text, (*geometry.TRIMS, sizes))


def _length(text: str) -> int | None:
    """Millimetres as people write them, in whole micrometres; None when it is no length."""
    text = text.strip().replace(",", ".")
    # Digits and one point: an exponent would ask for numbers of a million digits.
    return int(Decimal(text) * geometry.MM) if re.fullmatch(r"[0-9]{1,4}(?:\.[0-9]{1,6})?", text) else None


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


@cache
def _drawing_code() -> str:
    """A hash of the code that draws, so that a new version of it is never answered with an old file."""
    digest = hashlib.sha256(version("reportlab").encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
