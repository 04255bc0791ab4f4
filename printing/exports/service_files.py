"""Files for print services: a PDF with one side of a card on each page, or pictures with an order. Jobs have ``service_options``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import IO

from cardsdb.games.kit.model.text import some
from decks.formats import mpc
from printing.exports.archive import Member, back_names, each_once, front_names, plain_name, readme
from printing.exports.card_pictures import card_file, cards_of, with_bleed
from printing.exports.print_services import EIGHTH, PrintService, in_words, too_near
from printing.faces.strokes import Drawing, Picture
from printing.job.job import Job
from printing.job.pictures import pixels_an_inch
from printing.job.pieces import pieces_of
from printing.layout.geometry import Area
from printing.layout.imposition import Piece, Placed, SheetSide
from printing.options.sizes import millimetres, shown
from printing.pictures.ref import GOOD_PPI
from printing.render import pdf

Drawn = Callable[[], None]


def pages_of(job: Job) -> int:
    """How many pages the PDF has."""
    return sum(piece.count * (2 if piece.back else 1) for part in job.parts for piece in pieces_of(part))


def write_service_pdf(job: Job, service: PrintService, out: IO[bytes], drawn: Drawn = lambda: None) -> None:
    """Every side of every copy on a page of its own: card and bleed, with the boxes by which printers cut.

    ``drawn`` is called for each page.
    """
    width, height = job.size
    page = (width + 2 * EIGHTH, height + 2 * EIGHTH)
    boxes = pdf.Boxes(Area(EIGHTH, EIGHTH, width, height), Area(0, 0, *page))
    about = pdf.About(job.heading, f"{job.cards:,} cards, {millimetres(job.size)} and {shown(EIGHTH)} mm of bleed", labels=True)
    pdf.write_pdf(out, page, _pages(job, service), about, EIGHTH, boxes, lambda _: drawn())


def _pages(job: Job, service: PrintService) -> Iterator[SheetSide]:
    number = 0
    for piece in (piece for part in job.parts for piece in pieces_of(part)):
        for _ in range(piece.count):
            number += 1
            front = SheetSide(number, "front", (_whole(piece.front),), piece.name)
            back = [SheetSide(number, "back", (_whole(piece.back),), f"{piece.name}, back")] if piece.back else []
            yield from ([*back, front] if service.first == "back" else [front, *back])


def _whole(drawing: Drawing) -> Placed:
    """The card on its page; one that lies across is turned, its head to the left."""
    return Placed(drawing, EIGHTH, EIGHTH, 90 if drawing.turned else 0)


def service_archive(job: Job, service: PrintService, drawn: Drawn = lambda: None) -> Iterator[Member]:
    """What the service takes, in one archive, with what to do and what to look at before ordering. ``drawn``: for each picture or page."""
    said = [*service.advice, *service_remarks(job, service)]
    if service.wants == "pdf":
        yield readme(job, [f"For {service.name}: cards.pdf, one side of a card on each page."], said)
        yield Member("cards.pdf", partial(write_service_pdf, job, service, drawn=drawn))
    elif service.slug == "mpc":
        yield from _order(job, service, said, drawn)
    else:
        yield readme(job, [f"For {service.name}: one picture for each different card, and their backs."], said)
        pieces = cards_of(job)
        drawings = [(name, piece.front) for name, piece in zip(front_names(pieces), pieces, strict=True)]
        for name, drawing in (*drawings, *back_names(pieces).values()):
            yield Member(f"{name}.png", _picture(drawing, job, service))
            drawn()


def order_of_pictures(pieces: Sequence[Piece]) -> str:
    """The words of order.xml, which names pictures as ``decks.formats.mpc`` reads them back."""
    backs = back_names(pieces)
    named = zip(_picture_names(pieces), pieces, strict=True)
    return mpc.order([mpc.Ordered(name, piece.name, piece.count, _own_back(piece, backs)) for name, piece in named])


def _order(job: Job, service: PrintService, said: Sequence[str], drawn: Drawn) -> Iterator[Member]:
    yield readme(job, [f"For {service.name}: order.xml and the pictures it names."], said)
    pieces = cards_of(job)
    yield Member("order.xml", order_of_pictures(pieces).encode())
    drawings = [(name, piece.front) for name, piece in zip(_picture_names(pieces), pieces, strict=True)]
    drawings += [(f"{name}.png", drawing) for name, drawing in back_names(pieces).values()]
    for name, drawing in drawings:
        yield Member(mpc.FOLDER + name, _picture(drawing, job, service))
        drawn()


def _picture_names(pieces: Sequence[Piece]) -> list[str]:
    return [f"{name}.png" for name in each_once(_plain_code(piece) for piece in pieces)]


def _plain_code(piece: Piece) -> str:
    """The card's code: ours are plain, what is no card's may be anything."""
    return piece.key if re.fullmatch(r"[a-z0-9][a-z0-9-]{0,99}", piece.key) else plain_name(piece.name)


def _own_back(piece: Piece, backs: dict[int, tuple[str, Drawing]]) -> str:
    name = backs[id(piece.back)][0] if piece.back else ""
    return "" if f"{name}.png" == mpc.BACK else f"{name}.png"


def _picture(drawing: Drawing, job: Job, service: PrintService) -> bytes:
    return card_file(with_bleed(drawing, EIGHTH), job.game, "png", service.dpi, standing=True)


def service_remarks(job: Job, service: PrintService) -> tuple[str, ...]:
    """What whoever orders should look at first, a sentence each."""
    found = []
    if not job.options.sleeves and job.size != job.game.trim:
        found.append(f"The cards are printed at {millimetres(job.size)}; the game's own size is {millimetres(job.game.trim)}.")
    if service.most and job.cards > service.most:
        found.append(f"{job.cards:,} cards: one order of {service.name} takes {service.most} at most, so it must be split.")
    found.append(in_words(too_near(cards_of(job), EIGHTH), EIGHTH))
    soft = [one for one in map(pixels_an_inch, _pictures(job)) if one < GOOD_PPI]
    if soft:
        found.append(
            f"{some(len(soft), 'picture')} of your own printed at less than {GOOD_PPI} pixels an inch, the softest at {min(soft)}."
        )
    return tuple(filter(None, found))


def _pictures(job: Job) -> set[Picture]:
    """Every picture as it is placed, without its mirrored edges."""
    drawings = {id(drawing): drawing for piece in cards_of(job) for drawing in (piece.front, piece.back) if drawing}
    return {stroke for drawing in drawings.values() for stroke in drawing.strokes if isinstance(stroke, Picture) and not stroke.flip}
