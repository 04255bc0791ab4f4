"""Render sheets as images and compare them: jobs of a proof print and of own pictures, pages as images,
differences.
"""

from __future__ import annotations

from functools import cache
from math import ceil
from pathlib import Path

import pypdfium2
from PIL import Image, ImageChops, ImageStat

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games import games
from printing.job.job import Job
from printing.layout.geometry import Area
from printing.options.values import read_options
from tests.support.sheets import make_sheets

# Dots a millimetre of a rendered page: fine enough to see a hundredth of a card's side, at 0.1 seconds a
# sheet.
DOTS = 10
SPYCRAFT = "spycraft"


def job_of(slug: str, cards: int = 12, **options: str) -> Job:
    """A job of this number of cards, spread over all cards of the game."""
    game = games()[slug]
    chosen = game.cards[:: max(1, len(game.cards) // cards)][:cards]
    return Job(game, tuple((card, 1) for card in chosen), title="Proof", options=read_options(options))


def pictures(data: bytes, dots: float = DOTS) -> list[Image.Image]:
    """The rendered pages of a PDF, with this number of dots a millimetre."""
    document = pypdfium2.PdfDocument(data)
    try:
        return [page.render(scale=dots * 25.4 / 72, rev_byteorder=True).to_pil() for page in document]
    finally:
        document.close()


def part(picture: Image.Image, area: Area, inset: int = 0) -> Image.Image:
    """The part of a page in this area, less ``inset`` micrometres on each side."""
    scale = DOTS / 1000
    return picture.crop(
        (
            round((area.x + inset) * scale),
            round((area.y + inset) * scale),
            round((area.right - inset) * scale),
            round((area.bottom - inset) * scale),
        )
    )


def difference(one: Image.Image, other: Image.Image) -> float:
    """The mean difference of two pictures, 0 to 255."""
    return sum(ImageStat.Stat(ImageChops.difference(one, other.resize(one.size))).mean) / 3


@cache
def _made(slug: str, options: tuple[tuple[str, str], ...]) -> bytes:
    return make_sheets(job_of(slug, **dict(options))).data


def made(slug: str, options: dict[str, str]) -> bytes:
    """The PDF of ``job_of``, cached."""
    return _made(slug, tuple(options.items()))


def saved(data: bytes, folder: Path) -> str:
    path = folder / "sheets.pdf"
    path.write_bytes(data)
    return str(path)


def ink(data: bytes, dots: float = 5) -> list[float]:
    """The ink on each page: its mean darkness, summed over the colours."""
    return [sum(255 - mean for mean in ImageStat.Stat(page).mean) for page in pictures(data, dots)]


# -- own pictures ----------------------------------------------------------------------

GAME = games()["spycraft"]
TRIM = (63_500, 88_900)


def picture_job(*refs: PictureRef, count: int = 1, back: PictureRef | None = None, **options: str) -> Job:
    """A job of the game's first cards with these pictures as fronts."""
    cards = GAME.cards[: len(refs)]
    pictures = {(card.code, "front"): ref for card, ref in zip(cards, refs, strict=True)} | (
        {("", "back"): back} if back else {}
    )
    return Job(
        GAME, tuple((card, count) for card in cards), "Pictures", read_options(options), pictures=pictures
    )


def page(data: bytes, dpi: int = 150, box: tuple[int, int, int, int] | None = None) -> Image.Image:
    """The first page rendered, or only the box (left, top, right, bottom) of it, in dots, which is faster."""
    document = pypdfium2.PdfDocument(data)
    try:
        first, scale = document[0], dpi / 72
        left, top, right, bottom = box or (0, 0, 0, 0)
        width, height = (ceil(side * scale) for side in first.get_size())
        # The crop is in points. pdfium rounds it up to whole dots, so half a dot is taken off.
        around = [
            max(0, dots - 0.5) / scale
            for dots in ((left, height - bottom, width - right, top) if box else (0, 0, 0, 0))
        ]
        return first.render(scale=scale, crop=tuple(around), rev_byteorder=True).to_pil()
    finally:
        document.close()


def card_on(data: bytes, made: Job, out: int = 0, dpi: int = 150) -> Image.Image:
    """The first card of the first page rendered, with ``out`` micrometres around it."""
    slot = made.layout.slot(0)
    left, top, right, bottom = (
        round(length * dpi / 25_400)
        for length in (slot.x - out, slot.y - out, slot.right + out, slot.bottom + out)
    )
    return page(data, dpi, (left, top, right, bottom))


def apart(one: Image.Image, other: Image.Image) -> float:
    """The mean difference of two images in their most different colour channel, 0 to 255."""
    difference = ImageChops.difference(one.convert("RGB"), other.convert("RGB").resize(one.size))
    return max(ImageStat.Stat(difference).mean)
