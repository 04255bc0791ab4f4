"""Print services, what each takes, and words that stand nearer to the cut than they allow. To add a service, add a line to ``SERVICES``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from cardsdb.games.kit.model.text import plural
from printing.exports.card_pictures import file_options
from printing.faces import fonts
from printing.faces.strokes import Drawing, TextRun
from printing.layout.imposition import Piece
from printing.options.sizes import INCH, TRIMS, Size, millimetres, shown
from printing.options.values import NAMED, BadOption, Options

# What all of them ask for: colours run on by so much, and nothing that matters stands nearer to the cut.
EIGHTH = INCH // 8


@dataclass(frozen=True, slots=True)
class PrintService:
    """``sizes`` are the card sizes it takes, the first where the game's own is none of them; none: any size.

    ``wants``: PNG files one by one, or a PDF with one side of a card a page, the ``first`` side of each card before the
    other. ``most``: cards in one order. ``advice``: sentences for whoever orders. ``source``: who says so.
    """

    slug: str
    name: str
    wants: Literal["pdf", "png"]
    sizes: tuple[str, ...] = ()
    first: Literal["front", "back"] = "front"
    most: int = 0
    dpi: int = 300
    advice: tuple[str, ...] = ()
    source: str = ""


SERVICES = {
    service.slug: service
    for service in (
        PrintService(
            "generic",
            "Any print shop",
            "pdf",
            advice=("The pages go front, back, front, back. Ask the shop for double-sided pages cut at the TrimBox.",),
            source="Usual at printers: 1/8 in of bleed, 1/8 in of safe zone.",
        ),
        PrintService(
            "mpc",
            "MakePlayingCards, by MPC Autofill",
            "png",
            ("standard", "poker"),
            most=612,
            advice=("Unpack the archive into the folder of the desktop tool of MPC Autofill: order.xml beside it, cards/ as it is.",),
            source="Bleed as in Proxxied (1/8 in), largest order as in mpc-autofill (612 cards).",
        ),
        PrintService(
            "game-crafter",
            "The Game Crafter",
            "png",
            ("poker",),
            advice=("Upload the pictures to a poker deck: 825 x 1125 pixels. The number before each name is how many to make.",),
            source="card-creatr-studio, issue 86: 825 x 1125 pixels at 300 dpi; forum of The Game Crafter: safe zone of 1/8 in.",
        ),
        PrintService(
            "drivethru",
            "DriveThruCards",
            "pdf",
            ("poker", "standard"),
            first="back",
            advice=(
                "The pages go back, front, back, front.",
                "They ask for PDF/X-1a in CMYK with at most 240 % of ink. This file is RGB with embedded fonts: "
                "convert it before you upload it, and look at the proof.",
            ),
            source="Help page of DriveThruCards: one side a page, backs first, 300 dpi, 1/8 in of bleed and of safe zone.",
        ),
    )
}


def service_options(service: PrintService, told: Options, own: tuple[int, int]) -> Options:
    """The options for this service's files. ``own`` is the size of the game's cards. Raises BadOption for a size that it does not take."""
    return file_options(told, EIGHTH, _size(service, told.trim, own))


def _size(service: PrintService, asked: Size | None, own: tuple[int, int]) -> Size:
    sizes = [TRIMS[slug] for slug in service.sizes]
    if asked:
        if sizes and asked.lengths not in [size.lengths for size in sizes]:
            taken = " or ".join(f"{size.slug} ({millimetres(size.lengths)})" for size in sizes)
            raise BadOption(NAMED["trim"], asked.slug, (f"{taken} for {service.name}",))
        return asked
    known = next((size for size in TRIMS.values() if size.lengths == own), Size(f"{own[0] / 1000:g}x{own[1] / 1000:g}", "", *own))
    return known if not sizes or own in [size.lengths for size in sizes] else sizes[0]


# So many are called by name.
MAX_NAMED = 8


class NearText(NamedTuple):
    """A face whose words come as near to the cut as this (micrometres; less than none beyond it)."""

    name: str
    distance: int


def nearest_words(drawing: Drawing) -> int | None:
    """How far from the cut the outermost words of a face stand; None of a face without words."""
    return min((_distance(drawing, stroke) for stroke in drawing.strokes if isinstance(stroke, TextRun)), default=None)


def too_near(pieces: Iterable[Piece], safe: int) -> tuple[NearText, ...]:
    """The faces with words nearer to the cut than this, the nearest first."""
    faces = {id(drawing): drawing for piece in pieces for drawing in (piece.front, piece.back) if drawing}
    found = [NearText(drawing.name, distance) for drawing in faces.values() if (distance := nearest_words(drawing)) is not None]
    return tuple(sorted((near for near in found if near.distance < safe), key=lambda near: near.distance))


def in_words(found: tuple[NearText, ...], safe: int) -> str:
    """A sentence; empty when all is well."""
    if not found:
        return ""
    names = ", ".join(dict.fromkeys(near.name for near in found[:MAX_NAMED]))
    more = f" and {len(found) - MAX_NAMED} more" if len(found) > MAX_NAMED else ""
    faces = f"{len(found)} {plural(len(found), 'face has', 'faces have')}"
    return f"{faces} words nearer to the cut than {shown(safe)} mm, the nearest {shown(found[0].distance)} mm from it: {names}{more}."


def _distance(drawing: Drawing, run: TextRun) -> int:
    """From the nearest edge of the card to the box of the words: capitals above their line, tails of letters below."""
    cut = fonts.CUTS[run.font]
    rise, fall = cut.cap * run.size // 1000, cut.drop * run.size // 1000
    if run.turned:
        left, right, top, foot = run.x - rise, run.x + fall, run.y - run.width, run.y
    else:
        left, right, top, foot = run.x, run.x + run.width, run.y - rise, run.y + fall
    return min(left, top, drawing.width - right, drawing.height - foot)
