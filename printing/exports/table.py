"""Every file that a deck can be had as besides its sheets. To add one, add a line to ``OUTPUTS``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import IO, NamedTuple

from cardsdb.games.kit import Decklist, Game
from cardsdb.games.kit.model.text import some
from cardsdb.games.kit.print.face import back_for
from decks.formats.tabletop import PER_SHEET
from printing.exports import tabletop
from printing.exports.archive import write_zip
from printing.exports.card_pictures import card_pictures, cards_of, file_options
from printing.exports.cost import Cost, pages, pictures
from printing.exports.cut_path import cut_dxf, cut_svg
from printing.exports.fields import NAMED_FIELDS, ExportOptions
from printing.exports.print_services import EIGHTH, SERVICES, PrintService, service_options
from printing.exports.service_files import order_of_pictures, pages_of, service_archive, write_service_pdf
from printing.faces.strokes import Drawing
from printing.job.job import Job
from printing.layout import registration
from printing.layout.geometry import Area, Layout
from printing.layout.imposition import Piece, sheets_of
from printing.options.sizes import MM, millimetres
from printing.options.values import BadOption, Options

# Round corners of most cards.
USUAL_CORNER = 3 * MM


# Called for each picture or page that is drawn; what it raises ends the work.
Drawn = Callable[[], None]


@dataclass(frozen=True)
class ExportSource:
    """What a file is made of: a job with the options of its output, what was asked for, and its lists with their sections.

    Each of the ``lists`` has a job of its own; they are asked for once at most.
    """

    job: Job
    wanted: ExportOptions
    lists: Iterable[tuple[Job, Decklist]]

    @cached_property
    def saved(self) -> tabletop.Saved:
        """For Tabletop Simulator."""
        return tabletop.saved_together(self.lists, tabletop.READABLE if self.wanted.grid == "readable" else PER_SHEET)

    @property
    def service(self) -> PrintService:
        return SERVICES[self.wanted.service]


@dataclass(frozen=True, slots=True)
class ExportKind:
    """One of them. ``options`` turns the options of a print into those of the file; ``write`` puts it into one that one can go back in.

    ``file`` is the end of its address; ``fields`` are those of ``fields.FIELDS`` that it goes by. ``work``: what it costs.
    ``drawn``: it shows cards, all of whose characters must be in our fonts, and all of whose pictures must be there.
    ``extras``: it has what is printed besides the list's cards. ``says`` is all that decides its bytes besides the job,
    ``holds`` what is in it, for people.
    """

    slug: str
    file: str
    title: str
    help: str
    content_type: str
    fields: tuple[str, ...]
    options: Callable[[Options, ExportOptions, Game], Options]
    write: Callable[[ExportSource, IO[bytes], Drawn], None]
    work: Callable[[ExportSource], Cost] = lambda source: pages(1)
    drawn: bool = True
    extras: bool = True
    says: Callable[[ExportSource], str] = lambda source: ""
    holds: Callable[[ExportSource], str] = lambda source: _holds(source.job)


def _holds(job: Job) -> str:
    return " and ".join(f"{some(part.own_cards, 'card')} of {millimetres(part.size)}" for part in job.parts if part.own_cards)


# -- pictures -----------------------------------------------------------------------


def _picture_options(told: Options, wanted: ExportOptions, game: Game) -> Options:
    """Bleed only where a number of it was asked for."""
    return file_options(told, told.bleed or 0)


def _cards(source: ExportSource, out: IO[bytes], drawn: Drawn) -> None:
    write_zip(card_pictures(source.job, source.wanted.image, int(source.wanted.dpi), drawn), out)


def _faces(job: Job) -> int:
    """How many different pictures its cards are: fronts, backs that are somebody's own, backs that are drawn."""
    fronts = sum(len(part.distinct) + len(part.extra) for part in job.parts)
    own = sum(side == "back" for part in job.parts for _, side in part.used_pictures)
    return fronts + own + len({back_for(part.game.backs, card.type) for part in job.parts for card in part.distinct})


def _cards_work(source: ExportSource) -> Cost:
    # As if all were as large as the largest.
    width, height = max((part.size for part in source.job.parts), key=prod)
    bleed = 2 * source.job.options.bled
    return pictures((width + bleed, height + bleed), int(source.wanted.dpi), _faces(source.job))


def _tabletop(source: ExportSource, out: IO[bytes], drawn: Drawn) -> None:
    wanted = source.wanted
    write_zip(tabletop.tabletop_archive(source.job, source.saved, wanted.sheet_image, wanted.base_url, drawn), out)


def _tabletop_work(source: ExportSource) -> Cost:
    return tabletop.work_of(source.saved)


def _saved_words(source: ExportSource) -> str:
    return tabletop.saved_object(source.saved, source.wanted.base_url, source.wanted.sheet_image)


def _saved_holds(source: ExportSource) -> str:
    cards, sheets = source.saved.cards, len(source.saved.every_sheet)
    return f"{some(cards, 'card')} on {some(sheets, 'sheet')} of pictures, and the saved object"


# -- print services -------------------------------------------------------------------


def _service_options(told: Options, wanted: ExportOptions, game: Game) -> Options:
    return service_options(SERVICES[wanted.service], told, game.trim)


def _service_archive(source: ExportSource, out: IO[bytes], drawn: Drawn) -> None:
    write_zip(service_archive(source.job, source.service, drawn), out)


def _service_words(source: ExportSource) -> str:
    return order_of_pictures(cards_of(source.job)) if source.service.slug == "mpc" else ""


def _service_work(source: ExportSource) -> Cost:
    if source.service.wants == "pdf":
        return _service_pages(source)
    width, height = source.job.size
    return pictures((width + 2 * EIGHTH, height + 2 * EIGHTH), source.service.dpi, _faces(source.job))


def _service_pdf(source: ExportSource, out: IO[bytes], drawn: Drawn) -> None:
    write_service_pdf(source.job, source.service, out, drawn)


def _service_pages(source: ExportSource) -> Cost:
    return pages(pages_of(source.job))


# -- cutting machines -------------------------------------------------------------------


def slots_of(job: Job, number: int) -> tuple[Area, ...]:
    """Where cards lie on this sheet, from the same sides as the sheets themselves. Raises BadOption for a sheet that there is not."""
    part, before = _part_with(job, number)
    blank = Drawing("Card", *part.size, ())
    sides = sheets_of(part.layout, [Piece("Card", blank, None, part.own_cards)], replace(part.options, side="fronts"))
    return next(tuple(placed.area for placed in side.placed) for side in sides if side.number == number - before)


def _part_with(job: Job, number: int) -> tuple[Job, int]:
    found = job.part_with(number)
    if found is None:
        raise BadOption(NAMED_FIELDS["cut_sheet"], number, (f"a sheet of this print, 1 to {sum(part.own_sheets for part in job.parts)}",))
    return found


class _Cut(NamedTuple):
    layout: Layout
    slots: tuple[Area, ...]
    corner: int
    marks: int
    about: str


def _cut(source: ExportSource) -> _Cut:
    job, wanted = source.job, source.wanted
    part, _ = _part_with(job, wanted.cut_sheet)
    slots, layout = slots_of(job, wanted.cut_sheet), part.layout
    corner = (job.options.corner or USUAL_CORNER) if wanted.radius is None else wanted.radius
    paper = f"{job.options.paper.name}, {'landscape' if layout.landscape else 'portrait'}"
    about = f"{job.heading}: sheet {wanted.cut_sheet} of {job.sheets}, {some(len(slots), 'card')} of {millimetres(part.size)}, {paper}"
    about += "; fold the sheet before it is cut, the fronts upwards" if layout.fold else ""
    return _Cut(layout, slots, corner, registration.KINDS.get(job.options.marks, 0), about.replace("×", "x"))


def _cut_svg(source: ExportSource, out: IO[bytes], drawn: Drawn) -> None:
    cut, title = _cut(source), f"Cut path, {source.job.heading}"
    out.write(cut_svg(cut.layout, cut.slots, cut.corner, cut.marks, title, cut.about).encode())


def _cut_dxf(source: ExportSource, out: IO[bytes], drawn: Drawn) -> None:
    cut = _cut(source)
    out.write(cut_dxf(cut.layout, cut.slots, cut.corner, cut.marks, cut.about).encode("ascii"))


def _as_told(told: Options, wanted: ExportOptions, game: Game) -> Options:
    return told


_CUT = ("cut_sheet", "radius")

EXPORT_KINDS = {
    output.slug: output
    for output in (
        ExportKind(
            "cards",
            "cards.zip",
            "Pictures of the cards",
            "One picture for each different card and each back, named with how often it is needed.",
            "application/zip",
            ("image", "dpi"),
            _picture_options,
            _cards,
            _cards_work,
        ),
        ExportKind(
            "tabletop",
            "tabletop.zip",
            "Tabletop Simulator",
            "Card sheets, backs and the saved object that reads them; each of several decks has its own, in a row of the table.",
            "application/zip",
            ("grid", "sheet_image", "base_url"),
            lambda told, wanted, game: replace(file_options(told), copies=1),
            _tabletop,
            _tabletop_work,
            extras=False,
            says=_saved_words,
            holds=_saved_holds,
        ),
        ExportKind(
            "service",
            "service.zip",
            "Print service",
            "What the service takes: pictures with an order, or a PDF, with 1/8 in of bleed on every side.",
            "application/zip",
            ("service",),
            _service_options,
            _service_archive,
            _service_work,
            says=_service_words,
        ),
        ExportKind(
            "service-pdf",
            "service.pdf",
            "Print service, PDF",
            "One side of a card on each page, with 1/8 in of bleed on every side and the boxes by which printers cut.",
            "application/pdf",
            ("service",),
            _service_options,
            _service_pdf,
            _service_pages,
        ),
        ExportKind(
            "cut-svg",
            "cut.svg",
            "Cut path, SVG",
            "A rounded rectangle for each card of one sheet, in millimetres of the page. A gutterfold sheet is cut folded.",
            "image/svg+xml",
            _CUT,
            _as_told,
            _cut_svg,
            drawn=False,
            holds=lambda source: _cut(source).about,
        ),
        ExportKind(
            "cut-dxf",
            "cut.dxf",
            "Cut path, DXF",
            "The same for programs that read DXF of release 12.",
            "image/vnd.dxf",
            _CUT,
            _as_told,
            _cut_dxf,
            drawn=False,
            holds=lambda source: _cut(source).about,
        ),
    )
}
