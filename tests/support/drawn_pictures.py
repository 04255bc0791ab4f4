"""Own pictures as they come out: a job that prints some, its first card as it is drawn, and how far two pictures are apart."""

from __future__ import annotations

import pypdfium2
from PIL import Image, ImageChops, ImageStat

from cardsdb.games import games
from printing.job.job import Job
from printing.options.values import read_options
from printing.pictures.ref import PictureRef

GAME = games()["spycraft"]
TRIM = (63_500, 88_900)


def job(*refs: PictureRef, count: int = 1, back: PictureRef | None = None, **options: str) -> Job:
    """The game's first cards with these fronts."""
    cards = GAME.cards[: len(refs)]
    pictures = {(card.code, "front"): ref for card, ref in zip(cards, refs, strict=True)} | ({("", "back"): back} if back else {})
    return Job(GAME, tuple((card, count) for card in cards), "Pictures", read_options(options), pictures=pictures)


def page(data: bytes, dpi: int = 150) -> Image.Image:
    document = pypdfium2.PdfDocument(data)
    try:
        return document[0].render(scale=dpi / 72).to_pil().convert("RGB")
    finally:
        document.close()


def card_on(data: bytes, made: Job, out: int = 0, dpi: int = 150) -> Image.Image:
    """The first card of the first page as it is drawn, with so much of its bleed."""
    slot = made.layout.slot(0)
    box = [round(length * dpi / 25_400) for length in (slot.x - out, slot.y - out, slot.right + out, slot.bottom + out)]
    return page(data, dpi).crop(box)


def apart(one: Image.Image, other: Image.Image) -> float:
    """How far two pictures differ on average, of 255."""
    difference = ImageChops.difference(one.convert("RGB"), other.convert("RGB").resize(one.size))
    return max(ImageStat.Stat(difference).mean)
