"""Print services: the files that each takes, how they are made, and the remarks to read before ordering.

To add a service, add a table to ``services.toml``, whose keys are the fields of `PrintService`; the form, the
API and the command line then offer it. `kinds` makes the files, all of jobs with `service_options`. Every
page or picture has a bleed of 1/8 in. Tests: ``tests/printing/exports/test_print_services.py``, for the
memory that files take ``test_export.py`` there, and for the files for a press
``tests/printing/render/test_pdf_inks.py``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import IO, Any, Literal

from cardsdb.games.kit import plural, some
from cardsdb.games.kit.model.text import table_beside
from decks.formats import mpc
from printing.exports.card_pictures import (
    Member,
    OnDrawn,
    back_names,
    card_file,
    cards_of,
    each_once,
    file_options,
    front_names,
    in_full,
    plain_name,
    readme,
    with_bleed,
)
from printing.faces import fonts
from printing.faces.own_pictures import GOOD_PPI, pixels_an_inch
from printing.faces.strokes import Drawing, Picture, TextRun
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.job.remarks import remarks_of
from printing.layout.geometry import SideName
from printing.layout.imposition import Piece, Placed, SheetSide
from printing.layout.marks import USUAL_CORNER
from printing.options.sizes import INCH, TRIMS, millimetres, read_trim, shown
from printing.options.values import NAMED, USUAL, BadOption, Options
from printing.render import pdf
from printing.render.files import sides_of

# 1/8 in: the bleed for which all services ask, and the width of the safe zone inside of the cut.
EIGHTH = INCH // 8


@dataclass(frozen=True)
class PrintService:
    """A print service.

    - ``wants``: single PNG files, a PDF with one side of a card on each page, or a PDF of the print's sheets.
    - ``sizes``: the card sizes that it takes, the first for a game of another size; empty if it takes any.
    - ``first``: the side of a card that comes first in the PDF.
    - ``most``: the most cards in one order; 0 without a limit.
    - ``advice``: sentences for the buyer.
    - ``source``: the document that states all this.
    - ``press``: the PDF is PDF/X-4 in printing inks; with "cut" it has cut lines as well.
    - ``order``: PNG files come with the order of this program; "mpc" is MPC Autofill (`decks.formats.mpc`).
    """

    slug: str
    name: str
    wants: Literal["pdf", "png", "sheets"]
    sizes: tuple[str, ...] = ()
    first: SideName = "front"
    most: int = 0
    dpi: int = 300
    advice: tuple[str, ...] = ()
    source: str = ""
    press: Literal["", "plain", "cut"] = ""
    order: Literal["", "mpc"] = ""


def _service(slug: str, table: dict[str, Any]) -> PrintService:
    """Return a service as ``services.toml`` declares it."""
    lists = {name: tuple(table.get(name, ())) for name in ("sizes", "advice")}
    return PrintService(slug, **table | lists)


SERVICES = {slug: _service(slug, table) for slug, table in table_beside(__file__, "services").items()}

# The corrections for a home printer and the largest size of a file: a press needs neither.
_AT_HOME = "scale_x scale_y front_x front_y front_turn back_x back_y back_turn back_read part"


def service_options(service: PrintService, chosen: Options, own: tuple[int, int]) -> Options:
    """Return the options for the files of this service. ``own`` is the (width, height) of the game's cards.

    Sheets keep their options, except the corrections for a home printer, the light style, and backs that are
    not printed behind the fronts. Raise BadOption for a size that the service does not take.
    """
    if service.wants == "sheets":
        changed = {name: getattr(USUAL, name) for name in _AT_HOME.split()}
        if chosen.backs in ("separate", "gutterfold"):
            changed["backs"] = "long"
        return replace(chosen, **changed, style=in_full(chosen))
    # (width, height) -> the size that the service takes.
    sizes, trim = {TRIMS[slug].lengths: TRIMS[slug] for slug in service.sizes}, chosen.trim
    if trim and sizes and trim.lengths not in sizes:
        taken = " or ".join(f"{size.slug} ({millimetres(size.lengths)})" for size in sizes.values())
        raise BadOption(NAMED["trim"], trim.slug, (f"{taken} for {service.name}",))
    if not trim and sizes and own not in sizes:
        trim = next(iter(sizes.values()))
    options = file_options(chosen, EIGHTH, trim or read_trim("x".join(map(shown, own))))
    return replace(options, corner=chosen.corner) if service.press else options


# -- files -------------------------------------------------------------------------------


def pages_of(job: Job, service: PrintService) -> int:
    """Return the number of pages of the PDF of this job."""
    if service.wants == "sheets":
        return job.pages
    return sum(piece.count * (2 if piece.back else 1) for part in job.parts for piece in pieces_of(part))


def write_service_pdf(
    job: Job, service: PrintService, out: IO[bytes], on_drawn: OnDrawn = lambda: None
) -> None:
    """Write a PDF with the boxes by which printers cut (TrimBox, BleedBox).

    Each side of each copy has a page of its own, with its bleed; or the pages are the sheets of the print.
    """
    cut = (job.options.corner or USUAL_CORNER) if service.press == "cut" else None
    if service.wants == "sheets":
        page, sides, bled = job.layout.paper.lengths, sides_of(job), job.options.back_bled
        # Sheets are trimmed at the edge of the paper.
        boxes = pdf.Boxes(0, bool(service.press), cut)
        subject = job.summary()
    else:
        page, sides, bled = _page_of(job), _pages(job, service), EIGHTH
        boxes = pdf.Boxes(EIGHTH, bool(service.press), cut)
        cards = " ".join(filter(None, (job.kinds, ", ".join(job.about))))
        sizes = " and ".join(dict.fromkeys(millimetres(part.size) for part in job.parts))
        subject = f"{cards}, {sizes} and {shown(EIGHTH)} mm of bleed"
    pdf.write_pdf(
        out, page, sides, pdf.About(job.heading, subject, labels=True), bled, boxes, lambda _: on_drawn()
    )


def _pages(job: Job, service: PrintService) -> Iterator[SheetSide]:
    """Yield a page for each side of each copy of each card."""
    copies = (
        (_page_of(part), piece) for part in job.parts for piece in pieces_of(part) for _ in range(piece.count)
    )
    for number, (page, piece) in enumerate(copies, 1):
        sides = [_page(number, "front", piece.front, piece.name, page)]
        if piece.back:
            sides.append(_page(number, "back", piece.back, f"{piece.name}, back", page))
        yield from reversed(sides) if service.first == "back" else sides


def _page_of(job: Job) -> tuple[int, int]:
    """Return the (width, height) of a page with a card of this job's own sheets: the card and its bleed."""
    width, height = job.size
    return width + 2 * EIGHTH, height + 2 * EIGHTH


def _page(number: int, side: SideName, drawing: Drawing, label: str, page: tuple[int, int]) -> SheetSide:
    """Return a card on its page. A landscape card is turned anticlockwise, its head to the left."""
    placed = Placed(drawing, EIGHTH, EIGHTH, 90 if drawing.turned else 0)
    return SheetSide(number, side, (placed,), label, page=page)


def service_archive(job: Job, service: PrintService, on_drawn: OnDrawn = lambda: None) -> Iterator[Member]:
    """Yield the members of a service's archive: a README with advice and remarks, and the files it takes."""
    advice = [*service.advice, *service_remarks(job, service)]
    if service.wants != "png":
        name, content = "cards", "one side of a card on each page"
        if service.wants == "sheets":
            name, content = "sheets", "the sheets"
        yield readme(job, [f"For {service.name}: {name}.pdf, {content}."], advice)
        yield Member(f"{name}.pdf", partial(write_service_pdf, job, service, on_drawn=on_drawn))
        return
    pieces = cards_of(job)
    folder, names, content = "", front_names(pieces), "one picture for each different card, and their backs"
    if service.order:
        folder, names, content = mpc.FOLDER, _picture_names(pieces), "order.xml and the pictures it names"
    yield readme(job, [f"For {service.name}: {content}."], advice)
    if service.order:
        yield Member("order.xml", order_of_pictures(pieces).encode())
    fronts = zip(names, (piece.front for piece in pieces), strict=True)
    for name, drawing in (*fronts, *back_names(pieces).values()):
        data = card_file(with_bleed(drawing, EIGHTH), job.game, "png", service.dpi, standing=True)
        yield Member(f"{folder}{name}.png", data)
        on_drawn()


def order_of_pictures(pieces: Sequence[Piece]) -> str:
    """Return the text of order.xml, which names pictures so that `decks.formats.mpc` reads them back."""
    # id of a back -> its file. The back that most cards have is the order's own (``mpc.BACK``), so a card
    # names its back only if that is another one.
    files = {key: f"{name}.png" for key, (name, _) in back_names(pieces).items()}
    other_backs = {key: file for key, file in files.items() if file != mpc.BACK}
    return mpc.order(
        [
            mpc.Ordered(f"{name}.png", piece.name, piece.count, other_backs.get(id(piece.back), ""))
            for name, piece in zip(_picture_names(pieces), pieces, strict=True)
        ]
    )


# The code of a card, which `mpc` reads back from the name of its picture.
_CODE = re.compile("[a-z0-9][a-z0-9-]{0,99}")


def _picture_names(pieces: Sequence[Piece]) -> list[str]:
    """Return a name for each piece: the code of its card, or its own name if its key is no code."""
    return each_once(piece.key if _CODE.fullmatch(piece.key) else plain_name(piece.name) for piece in pieces)


# -- remarks to read before ordering -----------------------------------------------------

# A remark names this many faces and counts the rest.
MAX_NAMED = 8


def service_remarks(job: Job, service: PrintService) -> tuple[str, ...]:
    """Return the remarks to read before ordering, a sentence each."""
    remarks: list[str] = []
    both = (drawing for piece in cards_of(job) for drawing in (piece.front, piece.back) if drawing)
    # Pieces that look alike share one object, so that each drawing is looked at once.
    drawings = list({id(drawing): drawing for drawing in both}.values())
    sizes = list(dict.fromkeys(part.size for part in job.parts))
    if len(sizes) > 1 and service.wants == "pdf":
        remarks.append(
            f"The pages have {len(sizes)} sizes, for cards of {' and '.join(map(millimetres, sizes))}: ask"
            " the service if one order may have several, or order each size by itself."
        )
    if not job.options.sleeves and job.size != job.game.trim:
        remarks.append(
            f"The cards are printed at {millimetres(job.size)}; the game's own size is"
            f" {millimetres(job.game.trim)}."
        )
    if service.most and job.cards > service.most:
        remarks.append(
            f"{job.cards:,} cards: one order of {service.name} takes {service.most} at most, so it must be"
            " split."
        )
    if service.wants != "sheets":
        remarks += left_out(job)
    else:
        remarks += remarks_of(job)
        if not job.options.bled:
            remarks.append("The cards have no bleed: with a gap of 4 mm colours run on 2 mm beyond each cut.")
    if near := near_words(drawings, EIGHTH):
        remarks.append(near)
    # A flipped picture is only the mirrored edge of another one.
    strokes = {stroke for drawing in drawings for stroke in drawing.strokes}
    pictures = [stroke for stroke in strokes if isinstance(stroke, Picture) and not stroke.flip]
    if soft := [ppi for ppi in map(pixels_an_inch, pictures) if ppi < GOOD_PPI]:
        remarks.append(
            f"{some(len(soft), 'picture of your own has', 'pictures of your own have')} less than {GOOD_PPI}"
            f" pixels an inch and will look blurred; the lowest has {min(soft)}."
        )
    return tuple(remarks)


def left_out(job: Job) -> list[str]:
    """Return a sentence about the print's pages that are no cards, for which a file of cards has no place."""
    if not (pages := len(job.end_pages)):
        return []
    are = plural(pages, "is", "are")
    return [
        f"{some(pages, 'page')} besides the cards, such as a register or a notebook, {are} not in this file:"
        " print the sheets too."
    ]


def near_words(drawings: Iterable[Drawing], safe: int) -> str:
    """Return a sentence about faces with words nearer to the cut than ``safe`` micrometres, nearest first.

    Empty if there are none.
    """
    reaches = ((nearest_words(drawing), drawing.name) for drawing in drawings)
    near = sorted((reach for reach in reaches if reach[0] < safe), key=lambda reach: reach[0])
    if not near:
        return ""
    names = "; ".join(dict.fromkeys(name for _, name in near[:MAX_NAMED]))
    more = f" and {len(near) - MAX_NAMED} more" if len(near) > MAX_NAMED else ""
    # Rounded down to tenths of a millimetre, so that it is never as much as ``safe``.
    reach = near[0][0] // 100 * 100
    nearest = f"{shown(reach)} mm from it" if reach >= 0 else f"{shown(-reach)} mm beyond it"
    return (
        f"{some(len(near), 'face has', 'faces have')} words nearer to the cut than {shown(safe)} mm, the"
        f" nearest {nearest}: {names}{more}."
    )


# In micrometres: more than any card is wide.
NO_WORDS = 1_000_000_000


def nearest_words(drawing: Drawing) -> int:
    """Return the distance in micrometres from the cut to the outermost words; negative beyond the cut.

    Letters that hang below the line count. A face without words has the distance ``NO_WORDS``.
    """
    distances = [NO_WORDS]
    for run in drawing.strokes:
        if isinstance(run, TextRun):
            cut = fonts.CUTS[run.font]
            rise, fall = cut.cap * run.size // 1000, cut.drop * run.size // 1000
            if run.turned:
                left, right, top, foot = run.x - rise, run.x + fall, run.y - run.width, run.y
            else:
                left, right, top, foot = run.x, run.x + run.width, run.y - rise, run.y + fall
            distances += [left, top, drawing.width - right, drawing.height - foot]
    return min(distances)
