"""Files of the sheets of a job, ``make_sheets(Job(...))``, and files of the face of one card. Knows nothing of Django."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import IO, Literal, NamedTuple
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from cardsdb.games.kit import Card, Game
from printing.faces import wording
from printing.faces.compose import compose
from printing.faces.own_pictures import picture_drawing
from printing.faces.strokes import Drawing
from printing.job.job import Job
from printing.job.pictures import refuse_lost
from printing.job.pieces import MissingCharacters, MissingGlyph, missing_in, pieces_of, refuse_missing
from printing.layout.imposition import Piece, Placed, SheetSide, sheets_of
from printing.options.sizes import millimetres
from printing.options.values import Options
from printing.pictures.ref import PictureRef
from printing.render import pdf
from printing.render.progress import PrintProgress
from printing.render.svg import draw_svg, seen_small, strip_svg


class Sheets(NamedTuple):
    """A finished file: its name, type and bytes, and how many pages and cards it has."""

    filename: str
    content_type: str
    data: bytes
    pages: int
    cards: int


def make_sheets(job: Job, on_page: Callable[[int], None] = lambda pages: None) -> Sheets:
    """Print the job into memory; see ``write_sheets``."""
    out = BytesIO()
    write_sheets(job, out, on_page)
    return Sheets(job.filename, job.content_type, out.getvalue(), job.pages, job.cards)


def write_sheets(job: Job, out: IO[bytes], on_page: Callable[[int], None] = lambda pages: None) -> None:
    """Print the job into a file: a PDF, or with separate backs a zip of two. Pictures are read one by one while it is written.

    ``on_page`` gets the number of pages made so far; what it raises ends the work. Raises, before a PDF is begun,
    MissingCharacters for characters that no font has and PictureLost for a picture that is gone.
    """
    pictures = job.every_picture
    refuse_lost(pictures)
    progress = PrintProgress(on_page, job, bool(pictures))
    pieces = pieces_of(job, progress.card)
    refuse_missing(job, pieces)
    if not job.options.apart:
        _write_pdf(out, job, pieces, job.options, progress.page)
        return
    stem = job.filename.removesuffix(".zip")
    with ZipFile(out, "w", ZIP_STORED) as archive:
        sides: tuple[Literal["fronts", "backs"], ...] = ("fronts", "backs")
        for number, side in enumerate(sides):
            counted = partial(_counted, progress.page, number * job.sheets)
            # No date: the same job gives the same bytes.
            with archive.open(ZipInfo(f"{stem}-{side}.pdf"), "w") as file:
                _write_pdf(file, job, pieces, replace(job.options, side=side), counted)


def sides_of(job: Job, pieces: tuple[Piece, ...] | None = None) -> Iterator[SheetSide]:
    """The sides of the job's sheets, one after the other, from which sheets and previews are made."""
    return _sides(job, pieces_of(job) if pieces is None else pieces, job.options)


def _sides(job: Job, pieces: tuple[Piece, ...], options: Options) -> Iterator[SheetSide]:
    before, total = 0, job.sheets
    for part in job.parts:
        own = pieces if part is job else pieces_of(part)
        yield from sheets_of(part.layout, own, replace(part.options, side=options.side), part.notes(), before, total)
        before += part.own_sheets
    for number, page in enumerate(job.extras.pages, before + 1):
        if options.flip is None or options.side != "backs":
            yield SheetSide(number, "front", (Placed(page, 0, 0),), page.name, role="P")
        if options.flip and options.side != "fronts":
            # An empty back, so that the next page has paper of its own.
            yield SheetSide(number, "back", (), f"{page.name}, back")


def _write_pdf(out: IO[bytes], job: Job, pieces: tuple[Piece, ...], options: Options, on_page: Callable[[int], None]) -> None:
    write_sides(out, job, _sides(job, pieces, options), on_page, duplex=options.side == "both")


def write_sides(
    out: IO[bytes], job: Job, sides: Iterable[SheetSide], on_page: Callable[[int], None] = lambda pages: None, *, duplex: bool = True
) -> None:
    """Write some sides of the job as one PDF. ``duplex``: fronts and backs are both among them."""
    flip = job.options.flip
    about = pdf.About(job.heading, job.summary(), duplex=flip or "" if duplex else "", labels=flip is not None)
    pdf.write_pdf(out, job.layout.paper.lengths, sides, about, job.options.back_bled, on_page=on_page)


def _counted(on_page: Callable[[int], None], before: int, pages: int) -> None:
    on_page(before + pages)


CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}


def face_key(game: Game, *cards: Card) -> str:
    """A hash of all that decides the bytes of these faces. Raises BadOption or TooMuch for a card that cannot be printed on a sheet."""
    return Job(game, tuple((card, 1) for card in cards)).key


def face_file(card: Card, game: Game, kind: str, small: bool = False, picture: PictureRef | None = None) -> bytes:
    """The face as a file; ``kind`` is one of ``CONTENT_TYPES``. Raises MissingCharacters for characters that no font has.

    A ``small`` SVG leaves out what nobody could read at the size of a stamp, which is two thirds of the file.

    ``picture`` is the own picture that is the card or stands in its window.
    A landscape face is not turned: this is a file to look at, and only sheets turn cards.
    """
    whole = picture if picture and picture.use == "card" else None
    drawn = picture_drawing(card.name, whole, game.trim) if whole else compose(card, game, game.trim, art=picture)
    drawing = _small(card, drawn) if small else drawn._replace(turned=False)
    title = f"{card.name}, {wording.type_name(card, game)}, {game.name}"
    if kind == "svg":
        return draw_svg(drawing, title, rights_of(card, game), small).encode()
    _refuse_missing(drawing)
    if kind == "png":
        about = {"Title": title, "Author": "Cutout", "Software": "Cutout", "Copyright": rights_of(card, game)}
        from printing.render.png import card_png

        return card_png(drawing, about)
    about_pdf = pdf.About(title, f"{millimetres((drawing.width, drawing.height))}. {rights_of(card, game)}")
    return pdf.make_pdf((drawing.width, drawing.height), [SheetSide(1, "front", (Placed(drawing, 0, 0),), card.name)], about_pdf)


def faces_file(cards: Iterable[Card], game: Game) -> bytes:
    """The small faces of these cards as one SVG, each at its ``box_in_strip``. Their letters and heads are there once, not once a card."""
    drawings = (_small(card, compose(card, game, game.trim)) for card in cards)
    return strip_svg(drawings, game.trim, wording.sheet_credit(game) or game.name).encode()


def _small(card: Card, drawing: Drawing) -> Drawing:
    return drawing._replace(turned=False, strokes=tuple(seen_small(card.name, drawing.strokes)))


def rights_of(card: Card, game: Game) -> str:
    """Whose the game is and where the facts come from: the credit that a game asks for, else its source and rights."""
    return wording.sheet_credit(game) or f"{game.name}. {wording.source_line(card, game)}"


def _refuse_missing(drawing: Drawing) -> None:
    if missing := missing_in(drawing.strokes):
        raise MissingCharacters(tuple(MissingGlyph(drawing.name, character) for character in missing))
