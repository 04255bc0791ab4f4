"""Files of the sheets of a job: ``make_sheets(Job(...))``. Knows nothing of Django."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import IO, Literal, NamedTuple
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from printing.job.job import Job
from printing.job.pictures import refuse_lost
from printing.job.pieces import pieces_of, refuse_missing
from printing.layout.imposition import Piece, Placed, SheetSide, sheets_of
from printing.options.values import Options
from printing.render import pdf
from printing.render.progress import PrintProgress


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
    """Print the job into a file: a PDF, or with separate backs a zip of two. Pictures are read one by one
    while it is written.

    ``on_page`` gets the number of pages made so far; what it raises ends the work. Raises, before a PDF is
    begun, MissingCharacters for characters that no font has and PictureLost for a picture that is gone.
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
        yield from sheets_of(
            part.layout, own, replace(part.options, side=options.side), part.notes(), before, total
        )
        before += part.own_sheets
    for number, page in enumerate(job.extras.pages, before + 1):
        if options.flip is None or options.side != "backs":
            yield SheetSide(number, "front", (Placed(page, 0, 0),), page.name, role="P")
        if options.flip and options.side != "fronts":
            # An empty back, so that the next page has paper of its own.
            yield SheetSide(number, "back", (), f"{page.name}, back")


def _write_pdf(
    out: IO[bytes], job: Job, pieces: tuple[Piece, ...], options: Options, on_page: Callable[[int], None]
) -> None:
    write_sides(out, job, _sides(job, pieces, options), on_page, duplex=options.side == "both")


def write_sides(
    out: IO[bytes],
    job: Job,
    sides: Iterable[SheetSide],
    on_page: Callable[[int], None] = lambda pages: None,
    *,
    duplex: bool = True,
) -> None:
    """Write some sides of the job as one PDF. ``duplex``: fronts and backs are both among them."""
    flip = job.options.flip
    about = pdf.About(
        job.heading, job.summary(), duplex=flip or "" if duplex else "", labels=flip is not None
    )
    pdf.write_pdf(out, job.layout.paper.lengths, sides, about, job.options.back_bled, on_page=on_page)


def _counted(on_page: Callable[[int], None], before: int, pages: int) -> None:
    on_page(before + pages)
