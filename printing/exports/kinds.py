"""The kinds of file that a print can be made into besides its sheets. To add one, add a line to
``EXPORT_KINDS``.
"""

from __future__ import annotations

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
    """What a file is made of: a job with the options of its kind, the export options, and its lists with
    their sections.

    Each of the ``lists`` has a job of its own; they are iterated over once at most.
    """

    job: Job
    wanted: ExportOptions
    lists: Iterable[tuple[Job, Decklist]]

    @cached_property
    def sheeted(self) -> tabletop_sheets.SheetedDeck:
        """The lists as a saved object of Tabletop Simulator."""
        return tabletop_sheets.sheeted_decks(
            self.lists, tabletop_sheets.READABLE if self.wanted.grid == "readable" else PER_SHEET
        )

    @property
    def service(self) -> PrintService:
        return SERVICES[self.wanted.service]


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
    write: Callable[[ExportSource, IO[bytes], Drawn], None]
    work: Callable[[ExportSource], Cost] = lambda source: pages(1)
    drawn: bool = True
    extras: bool = True
    says: Callable[[ExportSource], str] = lambda source: ""
    holds: Callable[[ExportSource], str] = lambda source: _holds(source.job)


def _holds(job: Job) -> str:
    return " and ".join(
        f"{some(part.own_cards, 'card')} of {millimetres(part.size)}" for part in job.parts if part.own_cards
    )


# -- pictures -----------------------------------------------------------------------


def _picture_options(chosen: Options, wanted: ExportOptions, game: Game) -> Options:
    """The options of pictures: with bleed only where a width of it was chosen."""
    return file_options(chosen, chosen.bleed or 0)


def _cards(source: ExportSource, out: IO[bytes], drawn: Drawn) -> None:
    write_zip(card_pictures(source.job, source.wanted.image, int(source.wanted.dpi), drawn), out)


def _faces(job: Job) -> int:
    """How many different pictures a job has: fronts, backs that are own pictures, backs that are drawn."""
    fronts = sum(len(part.distinct) + len(part.extra) for part in job.parts)
    own = sum(side == "back" for part in job.parts for _, side in part.used_pictures)
    return (
        fronts
        + own
        + len({back_for(part.game.backs, card.type) for part in job.parts for card in part.distinct})
    )


def _cards_work(source: ExportSource) -> Cost:
    # All are taken to be as large as the largest.
    width, height = max((part.size for part in source.job.parts), key=prod)
    bleed = 2 * source.job.options.bled
    return pictures((width + bleed, height + bleed), int(source.wanted.dpi), _faces(source.job))


def _tabletop(source: ExportSource, out: IO[bytes], drawn: Drawn) -> None:
    wanted = source.wanted
    write_zip(
        tabletop_sheets.tabletop_archive(
            source.job, source.sheeted, wanted.sheet_image, wanted.base_url, drawn
        ),
        out,
    )


def _tabletop_work(source: ExportSource) -> Cost:
    return tabletop_sheets.work_of(source.sheeted)


def _saved_words(source: ExportSource) -> str:
    return tabletop_sheets.object_of_decks(source.sheeted, source.wanted.base_url, source.wanted.sheet_image)


def _saved_holds(source: ExportSource) -> str:
    cards, sheets = source.sheeted.cards, len(source.sheeted.every_sheet)
    return f"{some(cards, 'card')} on {some(sheets, 'sheet')} of pictures, and the saved object"


# -- print services -------------------------------------------------------------------


def _service_options(chosen: Options, wanted: ExportOptions, game: Game) -> Options:
    return service_options(SERVICES[wanted.service], chosen, game.trim)


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


def _cut(source: ExportSource) -> CutSheet:
    return cut_sheet(source.job, source.wanted.cut_sheet, source.wanted.radius)


def _cut_svg(source: ExportSource, out: IO[bytes], drawn: Drawn) -> None:
    cut, title = _cut(source), f"Cut path, {source.job.heading}"
    out.write(cut_svg(cut.layout, cut.slots, cut.corner, cut.marks, title, cut.about).encode())


def _cut_dxf(source: ExportSource, out: IO[bytes], drawn: Drawn) -> None:
    cut = _cut(source)
    out.write(cut_dxf(cut.layout, cut.slots, cut.corner, cut.marks, cut.about).encode("ascii"))


def _as_chosen(chosen: Options, wanted: ExportOptions, game: Game) -> Options:
    return chosen


_CUT = ("cut_sheet", "radius")

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
            _picture_options,
            _cards,
            _cards_work,
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
            "One side of a card on each page, with 1/8 in of bleed on every side and the boxes by which"
            " printers cut.",
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
            "A rounded rectangle for each card of one sheet, in millimetres of the page. A gutterfold sheet"
            " is cut folded.",
            "image/svg+xml",
            _CUT,
            _as_chosen,
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
            _as_chosen,
            _cut_dxf,
            drawn=False,
            holds=lambda source: _cut(source).about,
        ),
    )
}
