"""Jobs of a proof and of own pictures, their sheets rendered as pictures, and what pictures are compared
by.
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

# Ten dots a millimetre: a hundredth of a card's edge is seen, a sheet takes a tenth of a second.
DOTS = 10
SPYCRAFT = "spycraft"


def job_of(slug: str, cards: int = 12, **options: str) -> Job:
    game = games()[slug]
    chosen = game.cards[:: max(1, len(game.cards) // cards)][:cards]
    return Job(game, tuple((card, 1) for card in chosen), title="Proof", options=read_options(options))


def pictures(data: bytes, dots: float = DOTS) -> list[Image.Image]:
    """The pages as a printer would see them, so many dots a millimetre."""
    document = pypdfium2.PdfDocument(data)
    try:
        return [page.render(scale=dots * 25.4 / 72, rev_byteorder=True).to_pil() for page in document]
    finally:
        document.close()


def part(picture: Image.Image, area: Area, inset: int = 0) -> Image.Image:
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
    return _made(slug, tuple(options.items()))


def saved(data: bytes, folder: Path) -> str:
    path = folder / "sheets.pdf"
    path.write_bytes(data)
    return str(path)


def ink(data: bytes, dots: float = 5) -> list[float]:
    """How much ink each page takes: the darkness of its dots, all inks together."""
    return [sum(255 - mean for mean in ImageStat.Stat(page).mean) for page in pictures(data, dots)]


# -- own pictures ----------------------------------------------------------------------

GAME = games()["spycraft"]
TRIM = (63_500, 88_900)


def picture_job(*refs: PictureRef, count: int = 1, back: PictureRef | None = None, **options: str) -> Job:
    """The game's first cards with these fronts."""
    cards = GAME.cards[: len(refs)]
    pictures = {(card.code, "front"): ref for card, ref in zip(cards, refs, strict=True)} | (
        {("", "back"): back} if back else {}
    )
    return Job(
        GAME, tuple((card, count) for card in cards), "Pictures", read_options(options), pictures=pictures
    )


def page(data: bytes, dpi: int = 150, box: tuple[int, int, int, int] | None = None) -> Image.Image:
    """The first page, or what of its dots lies in the box (left, top, right, bottom): one card is drawn in a
    ninth of the time.
    """
    document = pypdfium2.PdfDocument(data)
    try:
        first, scale = document[0], dpi / 72
        left, top, right, bottom = box or (0, 0, 0, 0)
        width, height = (ceil(side * scale) for side in first.get_size())
        # In points, which are rounded up to dots.
        around = [
            max(0, dots - 0.5) / scale
            for dots in ((left, height - bottom, width - right, top) if box else (0, 0, 0, 0))
        ]
        return first.render(scale=scale, crop=tuple(around), rev_byteorder=True).to_pil()
    finally:
        document.close()


def card_on(data: bytes, made: Job, out: int = 0, dpi: int = 150) -> Image.Image:
    """The first card of the first page as it is drawn, with so much of its bleed."""
    slot = made.layout.slot(0)
    left, top, right, bottom = (
        round(length * dpi / 25_400)
        for length in (slot.x - out, slot.y - out, slot.right + out, slot.bottom + out)
    )
    return page(data, dpi, (left, top, right, bottom))


def apart(one: Image.Image, other: Image.Image) -> float:
    """How far two pictures differ on average, of 255."""
    difference = ImageChops.difference(one.convert("RGB"), other.convert("RGB").resize(one.size))
    return max(ImageStat.Stat(difference).mean)
