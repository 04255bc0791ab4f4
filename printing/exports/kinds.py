"""The kinds of file that a print can be made into besides its sheets. To add one, add a line to
``EXPORT_KINDS``.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import IO

from cardsdb.games.kit import Decklist, Game
from cardsdb.games.kit.model.text import some
from cardsdb.games.kit.print.face import back_for
from decks.formats.tabletop import PER_SHEET
from printing.exports import tabletop_sheets
from printing.exports.card_pictures import Drawn, card_pictures, cards_of, file_options, write_zip
from printing.exports.cost import Cost, pages, pictures
from printing.exports.cut_path import CutSheet, cut_dxf, cut_sheet, cut_svg
from printing.exports.fields import ExportOptions
from printing.exports.print_services import (
    EIGHTH,
    SERVICES,
    PrintService,
    order_of_pictures,
    pages_of,
    service_archive,
    service_options,
    write_service_pdf,
)
from printing.job.job import Job
from printing.options.sizes import millimetres
from printing.options.values import Options


@dataclass(frozen=True)
class ExportSource:
    """The source of a file: a job with the options of its kind, the export options, and its lists with
    their sections.

    Each of the ``lists`` has a job of its own; they are iterated over once at most.
    """

    job: Job
    wanted: ExportOptions
    lists: Iterable[tuple[Job, Decklist]]

    @cached_property
    def sheeted(self) -> tabletop_sheets.SheetedDeck:
        """The lists as a saved object of Tabletop Simulator."""
        most = tabletop_sheets.READABLE if self.wanted.grid == "readable" else PER_SHEET
        return tabletop_sheets.sheeted_decks(self.lists, most)

    @property
    def service(self) -> PrintService:
        return SERVICES[self.wanted.service]

    @property
    def cut(self) -> CutSheet:
        return cut_sheet(self.job, self.wanted.cut_sheet, self.wanted.radius)

    def pictures(self, bleed: int, dpi: int) -> Cost:
        """The cost of a picture for each front, each back that is an own picture, and each back that is
        drawn, all as large as the largest.
        """
        parts = self.job.parts
        width, height = max((part.size for part in parts), key=prod)
        fronts = sum(len(part.distinct) + len(part.extra) for part in parts)
        own = sum(side == "back" for part in parts for _, side in part.used_pictures)
        backs = {back_for(part.game.backs, card.type) for part in parts for card in part.distinct}
        return pictures((width + 2 * bleed, height + 2 * bleed), dpi, fronts + own + len(backs))


@dataclass(frozen=True, slots=True)
class ExportKind:
    """One kind of file. ``options`` turns the options of a print into those of the file; ``write`` writes it
    into a seekable file.

    ``file`` is the end of its address; ``fields`` are the names of the export options that it has. ``work``:
    what it costs. ``drawn``: it shows cards, all of whose characters must be in our fonts, and all of whose
    pictures must be there. ``extras``: it has what is printed besides the list's cards. ``says`` is all that
    decides its bytes besides the job, ``holds`` describes its content for people.
    """

    slug: str
    file: str
    title: str
    help: str
    content_type: str
    fields: tuple[str, ...]
    options: Callable[[Options, ExportOptions, Game], Options]
    write: Callable[[ExportSource, IO[bytes], Drawn], object]
    work: Callable[[ExportSource], Cost] = lambda source: pages(1)
    drawn: bool = True
    extras: bool = True
    says: Callable[[ExportSource], str] = lambda source: ""
    holds: Callable[[ExportSource], str] = lambda source: " and ".join(
        f"{some(part.own_cards, 'card')} of {millimetres(part.size)}"
        for part in source.job.parts
        if part.own_cards
    )


def _service_options(chosen: Options, wanted: ExportOptions, game: Game) -> Options:
    return service_options(SERVICES[wanted.service], chosen, game.trim)


def _cut_kind(
    slug: str, title: str, says: str, content_type: str, write: Callable[[CutSheet], str]
) -> ExportKind:
    """A cut path of one sheet of the print as it was chosen."""
    return ExportKind(
        slug,
        slug.replace("-", "."),
        title,
        says,
        content_type,
        ("cut_sheet", "radius"),
        lambda chosen, wanted, game: chosen,
        lambda source, out, drawn: out.write(write(source.cut).encode()),
        drawn=False,
        holds=lambda source: source.cut.about,
    )


EXPORT_KINDS = {
    kind.slug: kind
    for kind in (
        ExportKind(
            "cards",
            "cards.zip",
            "Pictures of the cards",
            "One picture for each different card and each back, named with how often it is needed.",
            "application/zip",
            ("image", "dpi"),
            # With bleed only where a width of it was chosen.
            lambda chosen, wanted, game: file_options(chosen, chosen.bleed or 0),
            lambda source, out, drawn: write_zip(
                card_pictures(source.job, source.wanted.image, int(source.wanted.dpi), drawn), out
            ),
            lambda source: source.pictures(source.job.options.bled, int(source.wanted.dpi)),
        ),
        ExportKind(
            "tabletop",
            "tabletop.zip",
            "Tabletop Simulator",
            "Card sheets, backs and the saved object that reads them; each of several decks has its own, in a"
            " row of the table.",
            "application/zip",
            ("grid", "sheet_image", "base_url"),
            lambda chosen, wanted, game: replace(file_options(chosen), copies=1),
            lambda source, out, drawn: write_zip(
                tabletop_sheets.tabletop_archive(
                    source.job, source.sheeted, source.wanted.sheet_image, source.wanted.base_url, drawn
                ),
                out,
            ),
            lambda source: tabletop_sheets.work_of(source.sheeted),
            extras=False,
            says=lambda source: tabletop_sheets.object_of_decks(
                source.sheeted, source.wanted.base_url, source.wanted.sheet_image
            ),
            holds=lambda source: (
                f"{some(source.sheeted.cards, 'card')} on {some(len(source.sheeted.every_sheet), 'sheet')} of"
                " pictures, and the saved object"
            ),
        ),
        ExportKind(
            "service",
            "service.zip",
            "Print service",
            "What the service takes: pictures with an order, or a PDF, with 1/8 in of bleed on every side.",
            "application/zip",
            ("service",),
            _service_options,
            lambda source, out, drawn: write_zip(service_archive(source.job, source.service, drawn), out),
            lambda source: (
                pages(pages_of(source.job))
                if source.service.wants == "pdf"
                else source.pictures(EIGHTH, source.service.dpi)
            ),
            says=lambda source: (
                order_of_pictures(cards_of(source.job)) if source.service.slug == "mpc" else ""
            ),
        ),
        ExportKind(
            "service-pdf",
            "service.pdf",
            "Print service, PDF",
            "One side of a card on each page, with 1/8 in of bleed on every side and the boxes by which"
            " printers cut.",
            "application/pdf",
            ("service",),
            _service_options,
            lambda source, out, drawn: write_service_pdf(source.job, source.service, out, drawn),
            lambda source: pages(pages_of(source.job)),
        ),
        _cut_kind(
            "cut-svg",
            "Cut path, SVG",
            "A rounded rectangle for each card of one sheet, in millimetres of the page. A gutterfold sheet"
            " is cut folded.",
            "image/svg+xml",
            cut_svg,
        ),
        _cut_kind(
            "cut-dxf",
            "Cut path, DXF",
            "The same for programs that read DXF of release 12.",
            "image/vnd.dxf",
            cut_dxf,
        ),
    )
}
