"""Files made of strokes: the sheets of a job, single faces, worksheets. No Django.

`write_sheets` prints a job; `sides_of` yields the sides from which PDFs and previews are made, so both look
alike. `printing.exports` writes sheets; `printing.web.drawing_views` sends faces and worksheets. The same
input must give the same bytes: files are cached by a key of their content, so nothing may write a date.
Everything that can be refused is refused before the first byte is written.
Tests in ``tests/printing``: of sheets ``render/test_files.py``, of single faces
``web/test_drawing_views.py``, of strips of faces ``render/test_svg.py``, of worksheets
``extras/test_worksheets.py``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import IO, Literal, NamedTuple
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games.kit import Card, Game, slugify, some
from printing.extras.worksheets import UP, Paper, sheet_pages
from printing.faces import wording
from printing.faces.compose import card_drawing, compose
from printing.faces.own_pictures import refuse_lost
from printing.faces.strokes import Drawing
from printing.job.job import Job
from printing.job.limits import TooMuch
from printing.job.pieces import pieces_of, refuse_missing, refuse_missing_in
from printing.layout.imposition import Piece, Placed, SheetSide, sheets_of
from printing.options.sizes import PAPERS, millimetres
from printing.options.values import NAMED, BadOption
from printing.render import pdf
from printing.render.pdf import OnPage, no_report
from printing.render.png import card_png
from printing.render.svg import draw_svg, seen_small, strip_svg


class Sheets(NamedTuple):
    """A finished file: its name, type and bytes, and its numbers of pages and cards."""

    filename: str
    content_type: str
    data: bytes
    pages: int
    cards: int


def write_sheets(job: Job, out: IO[bytes], on_page: OnPage = no_report) -> None:
    """Print the job into a file: a PDF, or a zip of two PDFs for separate backs.

    Pictures are read one by one.

    ``on_page`` gets the number of pages made so far; its errors stop the work. Raise MissingCharacters or
    PictureLost before a PDF is begun.
    """
    pieces, progress = pieces_drawn(job, on_page)
    if not job.options.apart:
        write_sides(out, job, sides_of(job, pieces), progress.page)
        return
    stem = job.filename.removesuffix(".zip")
    with ZipFile(out, "w", ZIP_STORED) as archive:
        sides: tuple[Literal["fronts", "backs"], ...] = ("fronts", "backs")
        for index, side in enumerate(sides):
            on_made = partial(report_after, progress.page, index * job.sheets)
            # ``ZipInfo`` has a fixed date, so the same job gives the same bytes.
            with archive.open(ZipInfo(f"{stem}-{side}.pdf"), "w") as file:
                write_sides(file, job, sides_of(job, pieces, side), on_made)


def pieces_drawn(job: Job, on_page: OnPage) -> "tuple[tuple[Piece, ...], PrintProgress]":
    """Return the drawn pieces of a job and its progress. Raise the errors of `write_sheets`."""
    pictures = job.every_picture
    refuse_lost(pictures)
    progress = PrintProgress(on_page, job, bool(pictures))
    pieces = pieces_of(job, progress.card)
    refuse_missing(job, pieces)
    return pieces, progress


class PrintProgress(pdf.Progress):
    """The progress of a print in pages: half while cards are drawn, the rest while pages are made.

    A print with pictures has all of its progress while pages are made, because that is when pictures are
    read.
    """

    def __init__(self, on_page: OnPage, job: Job, has_pictures: bool) -> None:
        super().__init__(on_page)
        self.pages, self.cards = job.pages, len(job.distinct)
        self.before = 0 if has_pictures else self.pages // 2

    def card(self, cards: int) -> None:
        """Report that so many different cards are drawn."""
        self.reach(self.before * cards // self.cards)

    def page(self, pages: int) -> None:
        """Report that so many pages are made."""
        self.reach(self.before + (self.pages - self.before) * pages // self.pages)


def report_after(on_page: OnPage, before: int, pages: int) -> None:
    """Report ``pages`` made after ``before`` others."""
    on_page(before + pages)


def sides_of(
    job: Job,
    pieces: tuple[Piece, ...] | None = None,
    only: Literal["both", "fronts", "backs"] | None = None,
) -> Iterator[SheetSide]:
    """Yield the sides of the job's sheets: those that its options ask for, or ``only`` these.

    First the sheets of each part (cards of one size are a part), then a page for each of ``end_pages``.
    ``pieces`` are the pieces of the job's own sheets, if they are drawn already; others are drawn here.
    """
    before, options = 0, job.options
    chosen = only or options.side
    for part in job.parts:
        own = pieces if pieces is not None and part is job else pieces_of(part)
        yield from sheets_of(
            part.layout, own, replace(part.options, side=chosen), part.notes(), before, job.sheets
        )
        before += part.own_sheets
    for number, page in enumerate(job.end_pages, before + 1):
        if options.flip is None or chosen != "backs":
            yield SheetSide(number, "front", (Placed(page, 0, 0, 90 * page.turned),), page.name, role="P")
        if options.flip and chosen != "fronts":
            # An empty back, so that the next page begins a new sheet of paper.
            yield SheetSide(number, "back", (), f"{page.name}, back")


def write_sides(
    out: IO[bytes],
    job: Job,
    sides: Iterable[SheetSide],
    on_page: OnPage = no_report,
) -> None:
    """Write some sides of the job as one PDF."""
    options = job.options
    # The edge for the printer's setting; "" unless both sides of the paper are printed from this file.
    duplex = options.flip or "" if options.side == "both" and not options.apart else ""
    about = pdf.About(job.heading, job.summary(), duplex=duplex, labels=options.flip is not None)
    pdf.write_pdf(out, job.layout.paper.lengths, sides, about, options.back_bled, on_page=on_page)


# -- faces -------------------------------------------------------------------------------

CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}


def face_key(game: Game, *cards: Card) -> str:
    """Return a hash of everything that decides the bytes of these faces.

    Raise BadOption or TooMuch for a card that cannot be printed on a sheet.
    """
    return Job(game, tuple((card, 1) for card in cards)).key


def face_file(
    card: Card, game: Game, kind: str, small: bool = False, picture: PictureRef | None = None
) -> bytes:
    """Return the face as a file of a kind of ``CONTENT_TYPES``. Raise MissingCharacters.

    ``small`` is for SVG of the size of a stamp: whatever cannot be read there is left out, and the emblem
    replaces the text. ``picture`` is the own picture that is the whole card or stands in its window.
    Landscape faces stay landscape: this is a file to look at, and only sheets turn cards.
    """
    drawn, rights = card_drawing(card, game, picture=picture, small=small), rights_of(card, game)
    drawing = _small(card, drawn) if small else drawn._replace(turned=False)
    title = wording.whole_name(card, game)
    if kind == "svg":
        return draw_svg(drawing, title, rights, small).encode()
    refuse_missing_in([(drawing.name, drawing.strokes)])
    if kind == "png":
        about = {"Title": title, "Author": "Cutout", "Software": "Cutout", "Copyright": rights}
        return card_png(drawing, about)
    size = (drawing.width, drawing.height)
    side = SheetSide(1, "front", (Placed(drawing, 0, 0),), card.name)
    return pdf.make_pdf(size, [side], pdf.About(title, f"{millimetres(size)}. {rights}"))


def faces_file(cards: Iterable[Card], game: Game) -> bytes:
    """Return the small faces of these cards as one SVG, each at its ``box_in_strip``."""
    drawings = (_small(card, compose(card, game, game.trim, small=True)) for card in cards)
    return strip_svg(drawings, game.trim, wording.sheet_credit(game) or game.name).encode()


def _small(card: Card, drawing: Drawing) -> Drawing:
    return drawing._replace(turned=False, strokes=tuple(seen_small(card.name, drawing.strokes)))


def rights_of(card: Card, game: Game) -> str:
    """Return who owns the game: the credit that it asks for, or else its name and the source of its facts."""
    return wording.sheet_credit(game) or f"{game.name}. {wording.source_line(card, game)}"


# -- worksheets ------------------------------------------------------------------------


def print_worksheets(papers: Sequence[Paper], paper: str = "a4", title: str = "", up: str = "") -> Sheets:
    """Print the worksheets, ``up`` on a page, with blank ones where a page has room left.

    Raise CannotPrint before a PDF is begun.
    """
    if paper not in PAPERS:
        raise BadOption(NAMED["paper"], paper, tuple(PAPERS))
    if up not in UP.choices:
        raise BadOption(UP, up, UP.allowed)
    if not papers:
        raise TooMuch("there is nothing to print: the deck has no card with a sheet")
    size, first = PAPERS[paper], papers[0]
    drawings = sheet_pages(papers, size.lengths, int(up or 0))
    pages = [
        SheetSide(number, "front", (Placed(drawing, 0, 0),), drawing.name, role="P")
        for number, drawing in enumerate(drawings, 1)
    ]
    heading = title or (first.title if len(papers) == 1 else f"{first.game.name} sheets")
    subject = f"{first.game.name}, {some(len(pages), 'page')}, {size.name}"
    data = pdf.make_pdf(size.lengths, pages, pdf.About(heading, subject))
    name = f"{first.game.slug}-{slugify(heading)[:60].strip('-') or 'sheets'}.pdf"
    return Sheets(name, "application/pdf", data, len(pages), len(papers))
