"""Rendered sheets: jobs for proofs and own pictures, their pages as images, and measures of how much images
differ.

``pictures`` and ``part`` use DOTS per millimetre; ``page`` and ``card_on`` use dpi. Areas are micrometres.
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

# Dots per millimetre: ten show a tenth of a millimetre, and a sheet takes a tenth of a second.
DOTS = 10
SPYCRAFT = "spycraft"


def job_of(slug: str, cards: int = 12, **options: str) -> Job:
    """Return a job with this number of the game's cards, spread over all of them, one copy each."""
    game = games()[slug]
    chosen = game.cards[:: max(1, len(game.cards) // cards)][:cards]
    return Job(game, tuple((card, 1) for card in chosen), title="Proof", options=read_options(options))


def pictures(data: bytes, dots: float = DOTS) -> list[Image.Image]:
    """Return each page as an image, with this number of dots per millimetre."""
    document = pypdfium2.PdfDocument(data)
    try:
        return [page.render(scale=dots * 25.4 / 72, rev_byteorder=True).to_pil() for page in document]
    finally:
        document.close()


def part(picture: Image.Image, area: Area, inset: int = 0) -> Image.Image:
    """Return the area of a page image, without ``inset`` micrometres on each side."""
    scale = DOTS / 1000
    return picture.crop(
        (
            round((area.x + inset) * scale),
            round((area.y + inset) * scale),
            round((area.right - inset) * scale),
            round((area.bottom - inset) * scale),
        )
    )


def difference(first: Image.Image, second: Image.Image) -> float:
    """Return the mean difference of two images, 0 to 255."""
    return sum(ImageStat.Stat(ImageChops.difference(first, second.resize(first.size))).mean) / 3


@cache
def _made(slug: str, options: tuple[tuple[str, str], ...]) -> bytes:
    return make_sheets(job_of(slug, **dict(options))).data


def made(slug: str, options: dict[str, str]) -> bytes:
    """Return the PDF of ``job_of`` with these options, cached."""
    return _made(slug, tuple(options.items()))


def saved(data: bytes, folder: Path) -> str:
    """Write the PDF into the folder; return its path."""
    path = folder / "sheets.pdf"
    path.write_bytes(data)
    return str(path)


def ink(data: bytes, dots: float = 5) -> list[float]:
    """Return how much ink each page takes: the sum of the mean darkness (0 to 255) of its three colours."""
    return [sum(255 - mean for mean in ImageStat.Stat(page).mean) for page in pictures(data, dots)]


# -- own pictures ----------------------------------------------------------------------

GAME = games()["spycraft"]
TRIM = (63_500, 88_900)


def picture_job(*refs: PictureRef, count: int = 1, back: PictureRef | None = None, **options: str) -> Job:
    """Return a job with the game's first cards, which have these fronts and this back."""
    cards = GAME.cards[: len(refs)]
    pictures = {(card.code, "front"): ref for card, ref in zip(cards, refs, strict=True)} | (
        {("", "back"): back} if back else {}
    )
    return Job(
        GAME, tuple((card, count) for card in cards), "Pictures", read_options(options), pictures=pictures
    )


def page(data: bytes, dpi: int = 150, box: tuple[int, int, int, int] | None = None) -> Image.Image:
    """Return the first page as an image, or the part of it in the box (left, top, right, bottom in dots). One
    card is rendered nine times faster than the page.
    """
    document = pypdfium2.PdfDocument(data)
    try:
        first, scale = document[0], dpi / 72
        left, top, right, bottom = box or (0, 0, 0, 0)
        width, height = (ceil(side * scale) for side in first.get_size())
        # How much to crop on each side (left, bottom, right, top), in points; pdfium rounds them up to dots.
        around = [
            max(0, dots - 0.5) / scale
            for dots in ((left, height - bottom, width - right, top) if box else (0, 0, 0, 0))
        ]
        return first.render(scale=scale, crop=tuple(around), rev_byteorder=True).to_pil()
    finally:
        document.close()


def card_on(data: bytes, made: Job, out: int = 0, dpi: int = 150) -> Image.Image:
    """Return the first card of the first page as an image, with ``out`` micrometres of its bleed."""
    slot = made.layout.slot(0)
    left, top, right, bottom = (
        round(length * dpi / 25_400)
        for length in (slot.x - out, slot.y - out, slot.right + out, slot.bottom + out)
    )
    return page(data, dpi, (left, top, right, bottom))


def apart(first: Image.Image, second: Image.Image) -> float:
    """Return the mean difference of two images in the colour that differs most, 0 to 255."""
    difference = ImageChops.difference(first.convert("RGB"), second.convert("RGB").resize(first.size))
    return max(ImageStat.Stat(difference).mean)
