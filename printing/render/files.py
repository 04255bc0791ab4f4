"""From a job to a file of sheets, ``make_sheets(Job(...))``, and from one card to a file of its face. Knows nothing of Django."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import IO, Literal, NamedTuple
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from cardsdb.games.kit import Card, Game
from printing.faces import fonts, wording
from printing.faces.compose import compose
from printing.faces.strokes import Drawing, TextRun
from printing.job.job import Job
from printing.job.pictures import refuse_lost
from printing.job.pieces import MissingCharacters, MissingGlyph, pieces_of, refuse_missing
from printing.layout.imposition import Piece, Placed, SheetSide, sheets_of
from printing.options.sizes import millimetres
from printing.options.values import Options
from printing.render import pdf, png
from printing.render.svg import draw_svg


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
    return Sheets(job.filename, job.content_type, out.getvalue(), job.pages, job.cards)


def write_sheets(job: Job, out: IO[bytes], on_page: Callable[[int], None] = lambda pages: None) -> None:
    """Print the job into a file: a PDF, or for backs as a file of their own a zip of two. Pictures are read one by one meanwhile.

    ``on_page`` is told how many pages are drawn; what it raises ends the work. Before a PDF is begun it raises
    MissingCharacters for what no font can write, PictureLost for a picture that is gone.
    """
    refuse_lost(job.every_picture)
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
    for number, page in enumerate(job.extras.pages, before + 1):
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


CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}


def face_key(card: Card, game: Game) -> str:
    """A hash of all that decides a face's bytes. Raises BadOption or TooMuch for a card that no sheet would take."""
    return Job(game, ((card, 1),)).key


def face_file(card: Card, game: Game, kind: str) -> bytes:
    """The face as a file; ``kind`` is one of ``CONTENT_TYPES``. Raises MissingCharacters for what no font can write.

    A landscape face stays level: it is a file to look at, and turning is for sheets.
    """
    drawing = compose(card, game, game.trim)._replace(turned=False)
    title = f"{card.name}, {wording.type_name(card, game)}, {game.name}"
    if kind == "svg":
        return draw_svg(drawing, title, rights_of(card, game)).encode()
    _refuse_missing(drawing)
    if kind == "png":
        about = {"Title": title, "Author": "Cutout", "Software": "Cutout", "Copyright": rights_of(card, game)}
        return png.card_png(drawing, about)
    about_pdf = pdf.About(title, f"{millimetres((drawing.width, drawing.height))}. {rights_of(card, game)}")
    return pdf.make_pdf((drawing.width, drawing.height), [SheetSide(1, "front", (Placed(drawing, 0, 0),), card.name)], about_pdf)


def rights_of(card: Card, game: Game) -> str:
    """Whose the game is and where the facts come from: the credit that a game asks for, else its source and rights."""
    return wording.sheet_credit(game) or f"{game.name}. {wording.source_line(card, game)}"


def _refuse_missing(drawing: Drawing) -> None:
    texts = "".join(stroke.text for stroke in drawing.strokes if isinstance(stroke, TextRun))
    if missing := fonts.missing(texts):
        raise MissingCharacters(tuple(MissingGlyph(drawing.name, character) for character in missing))
