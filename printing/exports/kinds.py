"""The kinds of file that a print can be made into: each a class that names its options, cost and content.

To add one, write a subclass of `Export` here and add it to ``EXPORT_KINDS``: address, form, API and command
line then offer it. An option that no other kind has also needs a table in ``options.toml`` and a field of
`ExportOptions`. `export_for` is the entry for all of them; pages, API, command line and worker call it.
Tests: ``tests/printing/exports/test_kinds.py``.
"""

from dataclasses import replace
from functools import cached_property
from math import prod
from typing import IO, Self

from cardsdb.games.kit import Game, some
from cardsdb.games.kit.print.face import back_for
from decks.formats.tabletop import PER_SHEET
from printing.exports.card_pictures import OnDrawn, card_pictures, cards_of, file_options, write_zip
from printing.exports.cut_path import CutSheet, cut_dxf, cut_sheet, cut_svg
from printing.exports.export import SHEETS, Cost, Export, ExportOptions
from printing.exports.parts import part_remarks, write_parts
from printing.exports.print_services import (
    EIGHTH,
    SERVICES,
    PrintService,
    left_out,
    order_of_pictures,
    pages_of,
    service_archive,
    service_options,
    service_remarks,
    write_service_pdf,
)
from printing.exports.tabletop_sheets import (
    READABLE,
    Sheeted,
    cards_and_sheets,
    object_of_decks,
    sheeted_decks,
    tabletop_archive,
    work_of,
)
from printing.faces.own_pictures import refuse_lost
from printing.job.job import Job
from printing.job.remarks import remarks_of
from printing.options.sizes import INCH
from printing.options.values import Options
from printing.render.files import write_sheets
from printing.render.pdf import OnPage
from printing.request.assembly import build_job
from printing.request.print_request import PrintRequest


class Sheets(Export):
    """The sheets of a print, with the print's own options.

    It has none of the options of exports, so its constructor replaces that of `Export`.
    """

    slug = SHEETS

    def __init__(self, job: Job) -> None:
        refuse_lost(job.every_picture)
        self.job, self.work, self.chosen = job, Cost(job.pages), {}
        self.filename, self.content_type, self.summary = job.filename, job.content_type, job.summary()

    @classmethod
    def of(cls, asked: PrintRequest) -> Self:
        return cls(build_job(asked))

    @property
    def key(self) -> str:
        return self.job.key

    def remarks(self) -> tuple[str, ...]:
        """Return sentences about the sheets that may surprise the reader."""
        return (*part_remarks(self.job), *remarks_of(self.job))

    def make(self, out: IO[bytes], on_step: OnPage) -> None:
        """Write the PDF, or a zip of several PDFs."""
        write = write_parts if self.job.options.part else write_sheets
        write(self.job, out, on_step)


def _cost_of_pictures(job: Job, bleed: int, dpi: int) -> Cost:
    """Return the cost of a picture of each front and each different back, all as large as the largest."""
    width, height = max((part.size for part in job.parts), key=prod)
    # Counted without drawing: own pictures of backs, backs of extra pieces, and the backs that are drawn.
    fronts = sum(len(part.distinct) + len(part.extra) for part in job.parts)
    own = sum(side == "back" for part in job.parts for _, side in part.used_pictures)
    own += sum(piece.back is not None for part in job.parts for piece in part.extra)
    backs = {back_for(part.game.backs, card.type) for part in job.parts for card in part.distinct}
    number = fronts + own + len(backs)
    each = (width + 2 * bleed) * (height + 2 * bleed) * dpi * dpi // (INCH * INCH)
    return Cost(number, "picture", number * each, each)


class CardPictures(Export):
    """A picture of each card."""

    slug, file = "cards", "cards.zip"
    title = "Pictures of the cards"
    help = "One picture for each different card and each back, named with how often it is needed."
    fields = ("image", "dpi")

    @classmethod
    def options(cls, chosen: Options, wanted: ExportOptions, game: Game) -> Options:
        """Return the options of the pictures, which have bleed only if its width was chosen."""
        return file_options(chosen, chosen.bleed or 0)

    def remarks(self) -> tuple[str, ...]:
        return tuple(left_out(self.job))

    def cost(self) -> Cost:
        return _cost_of_pictures(self.job, self.job.options.bled, int(self.wanted.dpi))

    def draw(self, out: IO[bytes], on_drawn: OnDrawn) -> None:
        write_zip(card_pictures(self.job, self.wanted.image, int(self.wanted.dpi), on_drawn), out)


class Tabletop(Export):
    """The lists as a saved object of Tabletop Simulator."""

    slug, file = "tabletop", "tabletop.zip"
    title = "Tabletop Simulator"
    help = (
        "Card sheets, backs and the saved object that uses them. Each of several decks has its own, in a row"
        " on the table."
    )
    fields = ("grid", "sheet_image", "base_url")
    extras = False

    @classmethod
    def options(cls, chosen: Options, wanted: ExportOptions, game: Game) -> Options:
        """Return the options of the sheets, on which each card stands once."""
        return replace(file_options(chosen), copies=1)

    @cached_property
    def sheeted(self) -> Sheeted:
        """The decks on their sheets."""
        return sheeted_decks(self.lists, READABLE if self.wanted.grid == "readable" else PER_SHEET)

    def cost(self) -> Cost:
        return work_of(self.sheeted)

    def further_key(self) -> str:
        """Return the text of the saved object."""
        return object_of_decks(self.sheeted, self.wanted.base_url, self.wanted.sheet_image)

    def contents(self) -> str:
        cards, sheets = cards_and_sheets(self.sheeted)
        return f"{some(cards, 'card')} on {some(sheets, 'sheet')} of pictures, and the saved object"

    def draw(self, out: IO[bytes], on_drawn: OnDrawn) -> None:
        """Write the archive of sheets, backs and saved object."""
        kind, address = self.wanted.sheet_image, self.wanted.base_url
        write_zip(tabletop_archive(self.job, self.sheeted, kind, address, on_drawn), out)


class ServicePDF(Export):
    """A PDF with one side of a card on each page, or with the sheets for a press."""

    slug, file = "service-pdf", "service.pdf"
    title = "Print service, PDF"
    help = (
        "One side of a card on each page, with 1/8 in of bleed on every side and the boxes by which printers"
        " cut; or the sheets, for a press or a label cutter."
    )
    content_type = "application/pdf"
    fields = ("service",)

    @classmethod
    def options(cls, chosen: Options, wanted: ExportOptions, game: Game) -> Options:
        """Return the options in a size that the service takes. Raise BadOption."""
        return service_options(SERVICES[wanted.service], chosen, game.trim)

    @property
    def service(self) -> PrintService:
        return SERVICES[self.wanted.service]

    def remarks(self) -> tuple[str, ...]:
        """Return sentences to read before ordering."""
        return service_remarks(self.job, self.service)

    def cost(self) -> Cost:
        return Cost(pages_of(self.job, self.service))

    def draw(self, out: IO[bytes], on_drawn: OnDrawn) -> None:
        write_service_pdf(self.job, self.service, out, on_drawn)


class ServiceArchive(ServicePDF):
    """An archive of the files that a print service takes."""

    slug, file = "service", "service.zip"
    title = "Print service"
    help = (
        "What the service takes: pictures with an order, or a PDF, with 1/8 in of bleed on every side; for a"
        " press also the sheets, with cut lines."
    )
    content_type = "application/zip"

    def cost(self) -> Cost:
        is_pdf = self.service.wants != "png"
        return super().cost() if is_pdf else _cost_of_pictures(self.job, EIGHTH, self.service.dpi)

    def further_key(self) -> str:
        """Return the text of the order, for a service that takes one."""
        return order_of_pictures(cards_of(self.job)) if self.service.order else ""

    def draw(self, out: IO[bytes], on_drawn: OnDrawn) -> None:
        write_zip(service_archive(self.job, self.service, on_drawn), out)


class CutSVG(Export):
    """A cut path of one sheet of the print, with the print's own options."""

    slug, file = "cut-svg", "cut.svg"
    title = "Cut path, SVG"
    help = (
        "A rounded rectangle for each card of one sheet, in millimetres of the page. A sheet to fold and"
        " glue is cut when it is folded."
    )
    content_type = "image/svg+xml"
    fields = ("cut_sheet", "radius")
    shows_cards = False
    as_text = staticmethod(cut_svg)

    @cached_property
    def cut(self) -> CutSheet:
        """The cuts of the sheet. Raise BadOption if the print has no such sheet."""
        return cut_sheet(self.job, self.wanted.cut_sheet, self.wanted.radius)

    def contents(self) -> str:
        return self.cut.about

    def draw(self, out: IO[bytes], on_drawn: OnDrawn) -> None:
        out.write(self.as_text(self.cut).encode())


class CutDXF(CutSVG):
    """The same cut path as DXF."""

    slug, file = "cut-dxf", "cut.dxf"
    title = "Cut path, DXF"
    help = "The same for programs that read DXF of release 12."
    content_type = "image/vnd.dxf"
    as_text = staticmethod(cut_dxf)


EXPORT_KINDS: dict[str, type[Export]] = {
    kind.slug: kind for kind in (CardPictures, Tabletop, ServiceArchive, ServicePDF, CutSVG, CutDXF)
}


def export_for(asked: PrintRequest, output: str = SHEETS) -> Export:
    """Return the file of this kind that a request asks for. Raise Refused if it cannot be made."""
    kind = Sheets if output == SHEETS else EXPORT_KINDS[output]
    return kind.of(asked)
