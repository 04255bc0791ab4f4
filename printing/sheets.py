"""From a list of cards to sheets to print: ``make_sheets(Job(...))``. Knows nothing of Django.

Cards stand in the list's order, copies side by side. What cannot be printed as asked is an error
with a sentence for the reader before anything is drawn.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import IO, Literal, NamedTuple
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from cardsdb.games.kit.cards import Card, as_words, slugify
from cardsdb.games.kit.game import Game
from printing import geometry, margins, marks, pdf, wording
from printing.besides import NOTHING, Besides
from printing.imposition import Placed, SheetSide, layout_for, sheets_needed, sheets_of
from printing.missing import Missing, MissingCharacters, missing_in
from printing.options import USUAL, BadOption, CannotPrint, Options
from printing.papers import SLEEVE, Size, millimetres
from printing.pictures.reference import PictureRef
from printing.pictures.resolution import Soft, in_words, soft_pictures
from printing.pieces import Piece, pieces_of, shows_pictures

MOST_DISTINCT, MOST_COPIES = 500, 2_000
MOST_TEXT, MOST_TITLE = 5_000, 200


class TooMuch(CannotPrint):
    """More than a job may ask for, or nothing at all."""

    code = "too_much"


@dataclass(frozen=True)
class Job:
    """What to print. ``extra`` are pieces that are no cards of the list, ``besides`` what else the print has.

    ``pictures``: (card's code, front or back) -> somebody's own picture for it; the code is empty for the back of all cards.

    Raises BadOption or TooMuch when made with what cannot be printed.
    """

    game: Game
    entries: tuple[tuple[Card, int], ...]
    title: str = ""
    options: Options = USUAL
    extra: tuple[Piece, ...] = ()
    pictures: Mapping[tuple[str, str], PictureRef] = field(default_factory=dict)
    besides: Besides = NOTHING

    def __post_init__(self) -> None:
        if len(self.title) > MOST_TITLE:
            raise TooMuch(f"a title has at most {MOST_TITLE} letters")
        if not (self.entries or self.extra or self.besides.pages) or any(count < 1 for _, count in self.entries):
            raise TooMuch("there is nothing to print: the list has no cards")
        refuse_too_much(sum(len(part.distinct) for part in self.parts), self.cards, self.options.copies)
        for card in self.distinct:
            if len(card.name) + len(card.text) + sum(len(as_words(value)) for value in card.facts.values()) > MOST_TEXT:
                raise TooMuch(f"“{card.name[:80]}” says more than {MOST_TEXT:,} letters")
        self.layout  # noqa: B018  a card that does not fit the paper is an error now

    @cached_property
    def size(self) -> tuple[int, int]:
        """The trim in micrometres."""
        return size_of(self.game, self.options)

    @cached_property
    def layout(self) -> geometry.Layout:
        return layout_of(self.options, self.size)

    @cached_property
    def distinct(self) -> tuple[Card, ...]:
        """Every card once, in the list's order."""
        return tuple({id(card): card for card, _ in self.entries}.values())

    @property
    def parts(self) -> tuple[Job, ...]:
        """This job, then those that follow it on sheets of their own."""
        return (self, *self.besides.following)

    @cached_property
    def own_cards(self) -> int:
        """How many things are cut out of this job's own sheets, copies counted."""
        return (sum(count for _, count in self.entries) + sum(piece.count for piece in self.extra)) * self.options.copies

    @property
    def own_sheets(self) -> int:
        return sheets_needed(self.layout, self.options, self.own_cards)

    @cached_property
    def cards(self) -> int:
        """How many things are cut out in the end."""
        return sum(part.own_cards for part in self.parts)

    @property
    def sheets(self) -> int:
        """How many sheets of paper it takes."""
        return sum(part.own_sheets for part in self.parts) + len(self.besides.pages)

    @property
    def pages(self) -> int:
        """How many sides are printed."""
        return self.sheets * (2 if self.options.flip and self.options.side == "both" else 1)

    @property
    def heading(self) -> str:
        return self.title.strip() or f"{self.game.name} cards"

    @property
    def filename(self) -> str:
        end = "zip" if self.options.backs == "separate" and self.options.side == "both" else "pdf"
        return f"{self.game.slug}-{slugify(self.title)[:60].strip('-') or 'cards'}.{end}"

    def summary(self) -> str:
        """``54 cards, 6 sheets, 12 sides, 63.5 × 88.9 mm``."""
        sides = f", {_count(self.pages, 'side')}" if self.pages != self.sheets else ""
        sizes = " and ".join(dict.fromkeys(millimetres(part.size) for part in self.parts))
        chosen = self.besides.chosen or _count(self.cards, "card")
        known = [f"{chosen}, {_count(self.sheets, 'sheet')}{sides}, {sizes}", in_words(self.soft)]
        return ", ".join(filter(None, known))

    @cached_property
    def used_pictures(self) -> dict[tuple[str, str], PictureRef]:
        """Those of the pictures that come onto paper."""
        codes = {card.code for card in self.distinct} if shows_pictures(self.options) else set()
        places = {(code, "front") for code in codes}
        if self.options.backs != "none" and codes:
            places |= {(code, "back") for code in (*codes, "")}
        return {place: ref for place, ref in self.pictures.items() if place in places}

    @cached_property
    def soft(self) -> tuple[Soft, ...]:
        """The pictures that print softly."""
        return soft_pictures(self.used_pictures, {card.code: card.name for card in self.distinct}, self.size, self.options.bled)

    def details(self) -> tuple[tuple[str, str], ...]:
        """The summary as (label, value): what the sheets will be, and why."""
        layout, options = self.layout, self.options
        lies = "landscape" if layout.landscape else "portrait"
        each = f"{layout.per_sheet} on {'one side' if layout.fold else 'each'}, {layout.columns} × {layout.rows}"
        size = millimetres(self.size) + (" (smaller for sleeves)" if options.sleeves else "")
        return (
            ("Cards", f"{self.cards:,}, {sum(len(part.distinct) for part in self.parts):,} different"),
            ("Sheets", f"{self.sheets:,} with {each}" + (f", {self.pages:,} sides" if self.pages != self.sheets else "")),
            ("Paper", f"{options.paper.name}, {lies}" + (", cards on their side" if layout.turned else "")),
            ("Card size", size),
            ("Why this size", _why(options.trim) if options.trim else self.game.trim_source),
        )

    def remarks(self) -> tuple[str, ...]:
        """What is not as one might expect, a sentence each."""
        codes = self.besides.codes
        bands, bars = margins.furnished(self.layout, self.options, codes)
        found = []
        if not bars:
            found.append("The margins have no room for a scale bar: measure a card instead.")
        if self.options.trim and self.size[0] > self.size[1]:
            found.append("The card size is wider than high: the same card lies on its side, and faces that stand upright still do.")
        if not bands.above:
            found.append("The margins have no room for words: the sheets do not say what they are.")
        if self.options.marks == "corners" and not marks.crop_marks(self.layout) and self.options.marks_where == "below":
            found.append("The margins have no room for cut marks.")
        if codes and not margins.code_place(self.layout, self.options, codes):
            elsewhere = "it stands on the register alone." if self.besides.code_elsewhere else "print the register, or choose other paper."
            found.append(f"The margins have no room for the QR code: {elsewhere}")
        return (*found, *self.besides.remarks)

    def notes(self) -> margins.Notes:
        """The words in the margins of every sheet."""
        besides, games = self.besides, (self.game, *self.besides.others)
        title = " · ".join(filter(None, (self.heading, besides.version)))
        about = (*besides.about, " and ".join(game.name for game in games), millimetres(self.size), *self.options.words())
        return margins.Notes(title, " · ".join(about), " · ".join(filter(None, map(wording.sheet_credit, games))), besides.codes)

    @cached_property
    def key(self) -> str:
        """A hash of all that decides the file's bytes: for ETags. Changes when the code that draws changes."""
        game = self.game
        faces = [(card_type, game.face_named(card_type)) for card_type in sorted({card.type for card in self.distinct})]
        cards = [
            (card.name, card.type, sorted(card.facts.items()), card.text, card.prints[:1], wording.credit_line(card, game), count)
            for card, count in self.entries
        ]
        named = [(fact.key, fact.title) for fact in game.facts] + [(kind.slug, kind.name) for kind in game.types]
        family = (named, game.slug, game.name, game.hue, sorted(game.colours.items()), wording.sheet_credit(game), faces, game.backs)
        said: tuple[object, ...] = (_drawing_code(), self.title, self.size, self.options, family, cards, self.extra)
        said += (
            sorted(self.used_pictures.items()),
            self.notes(),
            self.summary(),
            self.besides.pages,
            [part.key for part in self.besides.following],
        )
        return hashlib.sha256(repr(said).encode()).hexdigest()[:32]


def refuse_too_much(distinct: int, cards: int, copies: int) -> None:
    """Raise TooMuch for more than one job prints, saying what would do. ``cards``: all of them, copies counted."""
    if distinct > MOST_DISTINCT:
        raise TooMuch(f"one job prints at most {MOST_DISTINCT} different cards, not {distinct:,}: print sections of the list by themselves")
    if cards > MOST_COPIES:
        fit = MOST_COPIES // (cards // copies)
        advice = f"{fit} {'copy' if fit == 1 else 'copies'} of everything would fit" if fit else "print sections of the list by themselves"
        raise TooMuch(f"one job prints at most {MOST_COPIES:,} cards, not {cards:,}: {advice}")


def size_of(game: Game, options: Options) -> tuple[int, int]:
    """How large a game's cards are cut, in micrometres."""
    width, height = options.trim.lengths if options.trim else game.trim
    return (width - SLEEVE, height - SLEEVE) if options.sleeves else (width, height)


def layout_of(options: Options, size: tuple[int, int]) -> geometry.Layout:
    """Where cards of this size lie. Raises BadOption for what does not fit the paper."""
    try:
        return layout_for(options, size)
    except geometry.DoesNotFit:
        raise BadOption("trim", millimetres(size), (f"small enough for {options.paper.name}",)) from None


class Sheets(NamedTuple):
    """A file to hand out."""

    filename: str
    content_type: str
    data: bytes
    pages: int
    cards: int


def make_sheets(job: Job, on_page: Callable[[int], None] = lambda pages: None) -> Sheets:
    """Print the job into memory; see ``write_sheets``."""
    out = BytesIO()
    write_sheets(job, out, on_page)
    kind = "application/zip" if job.filename.endswith(".zip") else "application/pdf"
    return Sheets(job.filename, kind, out.getvalue(), job.pages, job.cards)


def write_sheets(job: Job, out: IO[bytes], on_page: Callable[[int], None] = lambda pages: None) -> None:
    """Print the job into a file: a PDF, or for backs as a file of their own a zip of two. Pictures are read one by one meanwhile.

    ``on_page`` is told how many pages are drawn; what it raises ends the work. Raises MissingCharacters,
    before a PDF is begun, for what no font can write.
    """
    pieces = pieces_of(job)
    refuse_missing(job, pieces)
    if job.options.backs != "separate" or job.options.side != "both":
        _write_pdf(out, job, pieces, job.options, on_page)
        return
    stem = job.filename.removesuffix(".zip")
    with ZipFile(out, "w", ZIP_STORED) as archive:
        sides: tuple[Literal["fronts", "backs"], ...] = ("fronts", "backs")
        for number, side in enumerate(sides):
            counted = partial(_counted, on_page, number * job.sheets)
            # No date: the same job gives the same bytes.
            with archive.open(ZipInfo(f"{stem}-{side}.pdf"), "w") as file:
                _write_pdf(file, job, pieces, replace(job.options, side=side), counted)


def sides_of(job: Job, pieces: tuple[Piece, ...] | None = None) -> Iterator[SheetSide]:
    """The sides of the job's sheets, one after the other: what every output is made from."""
    return _sides(job, pieces_of(job) if pieces is None else pieces, job.options)


def _sides(job: Job, pieces: tuple[Piece, ...], options: Options) -> Iterator[SheetSide]:
    before, total = 0, job.sheets
    for part in job.parts:
        own = pieces if part is job else pieces_of(part)
        yield from sheets_of(part.layout, own, replace(part.options, side=options.side), part.notes(), before, total)
        before += part.own_sheets
    for number, page in enumerate(job.besides.pages, before + 1):
        if options.flip is None or options.side != "backs":
            yield SheetSide(number, "front", (Placed(page, 0, 0),), page.name, role="P")
        if options.flip and options.side != "fronts":
            # Nothing, so that the next page has paper of its own.
            yield SheetSide(number, "back", (), f"{page.name}, back")


def _write_pdf(out: IO[bytes], job: Job, pieces: tuple[Piece, ...], options: Options, on_page: Callable[[int], None]) -> None:
    duplex = options.flip if options.flip and options.side == "both" else ""
    about = pdf.About(job.heading, job.summary(), duplex=duplex or "", labels=options.flip is not None)
    paper = job.layout.paper
    sides = _sides(job, pieces, options)
    pdf.write_pdf(out, paper.lengths, sides, about, options.back_bled, on_page=on_page)


def _counted(on_page: Callable[[int], None], before: int, pages: int) -> None:
    on_page(before + pages)


def refuse_missing(job: Job, pieces: tuple[Piece, ...]) -> None:
    pieces = (*pieces, *(piece for part in job.besides.following for piece in pieces_of(part)))
    drawings = list({id(one): one for piece in pieces for one in (piece.front, piece.back) if one}.values())
    fixed = margins.furniture(job.layout, job.notes(), job.options, "front")
    words = margins.sheet_number(job.layout, job.options, job.notes(), 1, 1)
    missing = [Missing(drawing.name, character) for drawing in drawings for character in missing_in(drawing.strokes)]
    missing += [Missing("the title", character) for character in missing_in((*fixed.over, *words))]
    if missing:
        raise MissingCharacters(tuple(dict.fromkeys(missing)))


def _why(trim: Size) -> str:
    """The reason for a size that was chosen, as a sentence."""
    reason = trim.source.strip() or "You asked for this size"
    return f"{reason[:1].upper()}{reason[1:].rstrip('.')}."


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


@cache
def _drawing_code() -> str:
    """A hash of the code that draws, so that a new version of it is never answered with an old file."""
    digest = hashlib.sha256(version("reportlab").encode())
    folder = Path(__file__).parent
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
