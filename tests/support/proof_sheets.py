"""Sheets made for a proof, drawn as pictures: a card cut out of one, how far two are apart, how much ink each takes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pypdfium2
from PIL import Image, ImageChops, ImageStat

from cardsdb.games import games
from printing.job.job import Job
from printing.layout.geometry import Area
from printing.options.values import read_options
from printing.render.files import make_sheets

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
        return [page.render(scale=dots * 25.4 / 72).to_pil().convert("RGB") for page in document]
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
def _made(slug: str, said: tuple[tuple[str, str], ...]) -> bytes:
    return make_sheets(job_of(slug, **dict(said))).data


def made(slug: str, options: dict[str, str]) -> bytes:
    return _made(slug, tuple(options.items()))


def kept(data: bytes, folder: Path) -> str:
    path = folder / "sheets.pdf"
    path.write_bytes(data)
    return str(path)


def ink(data: bytes, dots: float = 5) -> list[float]:
    """How much ink each page takes: the darkness of its dots, all inks together."""
    return [sum(255 - mean for mean in ImageStat.Stat(page).mean) for page in pictures(data, dots)]
