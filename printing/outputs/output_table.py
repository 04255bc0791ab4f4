"""Every file that a deck can be had as besides its sheets. To add one, add a line to ``OUTPUTS``."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from PIL import __version__ as pillow

from cardsdb.games.kit import Decklist, Game
from decks.formats.extras import some
from decks.formats.tabletop import PER_SHEET
from printing.geometry import Area
from printing.imposition import sheets_of
from printing.options import BadOption, CannotPrint, Options
from printing.outputs import registration, tabletop
from printing.outputs.archive import zipped
from printing.outputs.card_pictures import card_pictures
from printing.outputs.cut_path import cut_dxf, cut_svg
from printing.outputs.faces import file_options
from printing.outputs.fields import Wanted
from printing.outputs.print_services import SERVICES, service_options
from printing.outputs.service_files import service_archive, service_pdf
from printing.papers import MM, millimetres
from printing.pieces import Piece, pieces_of
from printing.sheets import Job, refuse_missing
from printing.strokes import Drawing

# Round corners of most cards.
USUAL_CORNER = 3 * MM


class Subject(NamedTuple):
    """What a file is made of: a job with the options of its output, what was asked for, and the list with its sections."""

    job: Job
    wanted: Wanted
    deck: Decklist


@dataclass(frozen=True, slots=True)
class Output:
    """One of them. ``options`` turns the options of a print into those of the file; ``write`` yields its bytes, piece by piece.

    ``file`` is the end of its address; ``fields`` are those of ``fields.FIELDS`` that it goes by. ``drawn``: it shows
    cards, all of whose characters must be in our fonts. ``extras``: it has what is printed besides the list's cards.
    ``says`` is all that decides its bytes besides the job, ``holds`` what is in it, for people.
    """

    slug: str
    file: str
    title: str
    help: str
    content_type: str
    fields: tuple[str, ...]
    options: Callable[[Options, Wanted, Game], Options]
    write: Callable[[Subject], Iterable[bytes]]
    drawn: bool = True
    extras: bool = True
    says: Callable[[Subject], str] = lambda subject: ""
    holds: Callable[[Subject], str] = lambda subject: _holds(subject.job)


class Made(NamedTuple):
    """A file to hand out: ``chunks`` make it while they are taken. ``key`` is a hash of all that decides its bytes."""

    filename: str
    content_type: str
    key: str
    chunks: Iterable[bytes]
    about: str = ""


def made(output: Output, job: Job, wanted: Wanted, deck: Decklist) -> Made:
    """The file. Raises BadOption, or MissingCharacters for what no font can write, before its first byte."""
    subject = Subject(job, wanted, deck)
    if not job.own_cards or not (job.entries or output.extras):
        raise CannotPrint("this file has cards, and none were chosen")
    if output.drawn:
        refuse_missing(job, pieces_of(job))
    said = output.says(subject)
    stem = job.filename.rpartition(".")[0]
    key = hashlib.sha256(repr((job.key, output.slug, wanted, said, pillow)).encode()).hexdigest()[:32]
    return Made(f"{stem}-{output.file}", output.content_type, key, output.write(subject), f"{output.title}: {output.holds(subject)}")


def _holds(job: Job) -> str:
    return f"{some(job.own_cards, 'card')} of {millimetres(job.size)}"


# -- pictures -----------------------------------------------------------------------


def _picture_options(told: Options, wanted: Wanted, game: Game) -> Options:
    """Bleed only where a number of it was asked for."""
    return file_options(told, told.bleed or 0)


def _cards(subject: Subject) -> Iterable[bytes]:
    return zipped(card_pictures(subject.job, subject.wanted.image, int(subject.wanted.dpi)))


def _saved(subject: Subject) -> tabletop.Saved:
    most = tabletop.READABLE if subject.wanted.grid == "readable" else PER_SHEET
    return tabletop.saved_of(subject.job, subject.deck, most)


def _tabletop(subject: Subject) -> Iterable[bytes]:
    return zipped(tabletop.tabletop_archive(subject.job, _saved(subject), subject.wanted.sheet_image, subject.wanted.base_url))


def _saved_words(subject: Subject) -> str:
    return tabletop.saved_object(subject.job, _saved(subject), subject.wanted.base_url, subject.wanted.sheet_image)


def _saved_holds(subject: Subject) -> str:
    saved = _saved(subject)
    cards, sheets = saved.deck.size, len(saved.sheets)
    return f"{some(cards, 'card')} on {some(sheets, 'sheet')} of pictures, and the saved object"


# -- print services -------------------------------------------------------------------


def _service_options(told: Options, wanted: Wanted, game: Game) -> Options:
    return service_options(SERVICES[wanted.service], told, game.trim)


def _service_archive(subject: Subject) -> Iterable[bytes]:
    return zipped(service_archive(subject.job, SERVICES[subject.wanted.service]))


def _service_pdf(subject: Subject) -> Iterable[bytes]:
    return service_pdf(subject.job, SERVICES[subject.wanted.service])


# -- cutting machines -------------------------------------------------------------------


def slots_of(job: Job, number: int) -> tuple[Area, ...]:
    """Where cards lie on this sheet, from the same sides as the sheets themselves. Raises BadOption for a sheet that there is not."""
    blank = Drawing("Card", *job.size, ())
    options = replace(job.options, side="fronts")
    for side in sheets_of(job.layout, [Piece("Card", blank, None, job.own_cards)], options):
        if side.number == number:
            return tuple(placed.area for placed in side.placed)
    raise BadOption("cut_sheet", number, (f"a sheet of this print, 1 to {job.own_sheets}",))


class _Cut(NamedTuple):
    slots: tuple[Area, ...]
    corner: int
    marks: int
    about: str


def _cut(subject: Subject) -> _Cut:
    job, wanted = subject.job, subject.wanted
    slots = slots_of(job, wanted.cut_sheet)
    corner = (job.options.corner or USUAL_CORNER) if wanted.radius is None else wanted.radius
    paper = f"{job.options.paper.name}, {'landscape' if job.layout.landscape else 'portrait'}"
    about = f"{job.heading}: sheet {wanted.cut_sheet} of {job.own_sheets}, {len(slots)} cards of {millimetres(job.size)}, {paper}"
    return _Cut(slots, corner, registration.KINDS.get(job.options.marks, 0), about.replace("×", "x"))


def _cut_svg(subject: Subject) -> Iterable[bytes]:
    cut = _cut(subject)
    return [cut_svg(subject.job.layout, cut.slots, cut.corner, cut.marks, f"Cut path, {subject.job.heading}", cut.about).encode()]


def _cut_dxf(subject: Subject) -> Iterable[bytes]:
    cut = _cut(subject)
    return [cut_dxf(subject.job.layout, cut.slots, cut.corner, cut.marks, cut.about).encode("ascii")]


def _as_told(told: Options, wanted: Wanted, game: Game) -> Options:
    return told


_CUT = ("cut_sheet", "radius")

OUTPUTS = {
    output.slug: output
    for output in (
        Output(
            "cards",
            "cards.zip",
            "Pictures of the cards",
            "One picture for each different card and each back, named with how often it is needed.",
            "application/zip",
            ("image", "dpi"),
            _picture_options,
            _cards,
        ),
        Output(
            "tabletop",
            "tabletop.zip",
            "Tabletop Simulator",
            "Card sheets, backs and the saved object that reads them.",
            "application/zip",
            ("grid", "sheet_image", "base_url"),
            lambda told, wanted, game: replace(file_options(told), copies=1),
            _tabletop,
            extras=False,
            says=_saved_words,
            holds=_saved_holds,
        ),
        Output(
            "service",
            "service.zip",
            "Print service",
            "What the service takes: pictures with an order, or a PDF, with 1/8 in of bleed on every side.",
            "application/zip",
            ("service",),
            _service_options,
            _service_archive,
        ),
        Output(
            "service-pdf",
            "service.pdf",
            "Print service, PDF",
            "One side of a card on each page, with 1/8 in of bleed on every side and the boxes by which printers cut.",
            "application/pdf",
            ("service",),
            _service_options,
            _service_pdf,
        ),
        Output(
            "cut-svg",
            "cut.svg",
            "Cut path, SVG",
            "A rounded rectangle for each card of one sheet, in millimetres of the page.",
            "image/svg+xml",
            _CUT,
            _as_told,
            _cut_svg,
            drawn=False,
            holds=lambda subject: _cut(subject).about,
        ),
        Output(
            "cut-dxf",
            "cut.dxf",
            "Cut path, DXF",
            "The same for programs that read DXF of release 12.",
            "image/vnd.dxf",
            _CUT,
            _as_told,
            _cut_dxf,
            drawn=False,
            holds=lambda subject: _cut(subject).about,
        ),
    )
}
