"""Rows 7 and 8 of ``docs/speed.md``: sheets of pictures made by one tool in a fresh process: ``python -m
tests.budgets.pictures TOOL FOLDER``, run by ``_sheets`` in ``__main__.py``.

Prints [seconds, MB]. The tool ``made`` makes the pictures first; the folder's name, such as ``54-JPEG``,
tells how many and of which kind. Imports are inside the functions, so that only the measured tool is loaded.
"""

from __future__ import annotations

import gc
import json
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

# Pixels of a picture.
CARD = (750, 1050)
# PDF points in a micrometre.
POINTS = 72 / 25_400
# The card's size in points.
WIDTH = 63_500 * POINTS
HEIGHT = 88_900 * POINTS
# A tool takes the pictures and the file to write, and returns the function to measure.
Tool = Callable[[list[Path], Path], Callable[[], object]]


def made(paths: list[Path], kind: str) -> None:
    """Draw noisy pictures of about 190 kB each, and store them as a visitor's own pictures."""
    import django

    django.setup()
    from PIL import Image

    from tests.support.pictures import store_picture

    refs = []
    for path in paths:
        grains = [Image.effect_noise((CARD[0] // 2, CARD[1] // 2), 40).resize(CARD) for _ in "RGB"]
        picture = Image.merge("RGB", grains)
        (picture.quantize(64).convert("RGB") if kind == "PNG" else picture).save(path, quality=85)
        refs.append(store_picture(path.read_bytes())._replace(files=None))
    paths[0].parent.with_suffix(".json").write_text(json.dumps(refs), encoding="utf-8")


def ours(paths: list[Path], out: Path) -> Callable[[], object]:
    """Our sheets, with marks and words, made from the stored files."""
    import django

    django.setup()
    from dataclasses import replace

    from django.core.files.storage import storages

    from cardsdb.box.picture_files.ref import PictureRef
    from cardsdb.games import games
    from printing.job import limits
    from printing.job.job import Job
    from printing.render.files import write_sheets

    # The limits are meant for visitors, so they are lifted.
    limits.MAX_DIFFERENT = limits.MAX_CARDS = 10_000
    game, told = games()["spycraft"], json.loads(paths[0].parent.with_suffix(".json").read_text("utf-8"))
    cards = [replace(game.cards[n % len(game.cards)], code=f"card-{n}") for n in range(len(paths))]
    refs = [PictureRef(*one)._replace(files=storages["pictures"], crop=(0, 0, 1000, 1000)) for one in told]
    pictures = {(card.code, "front"): ref for card, ref in zip(cards, refs[: len(cards)], strict=True)}
    printed = Job(game, tuple((card, 1) for card in cards), "Budget", pictures=pictures)
    return lambda: write_sheets(printed, out.open("wb"))


def by_img2pdf(paths: list[Path], out: Path) -> Callable[[], object]:
    """One card a page by img2pdf, which embeds the files unchanged."""
    import img2pdf

    named, layout = [str(path) for path in paths], img2pdf.get_layout_fun((WIDTH, HEIGHT))
    return lambda: img2pdf.convert(named, layout_fun=layout, outputstream=out.open("wb"))


def by_draw_image(paths: list[Path], out: Path) -> Callable[[], object]:
    """Nine cards on A4 by reportlab's ``drawImage``, as mtg-print makes them."""
    from reportlab.pdfgen.canvas import Canvas

    def drawn() -> None:
        canvas = Canvas(str(out))
        for number, path in enumerate(paths):
            # Three rows of three, with margins of 27 and 43 points; PDF counts from the bottom.
            x, y = 27 + number % 3 * WIDTH, 43 + (2 - number % 9 // 3) * HEIGHT
            canvas.drawImage(str(path), x, y, WIDTH, HEIGHT)
            if number % 9 == 8:
                canvas.showPage()
        canvas.save()

    return drawn


def measured(tool: Tool, paths: list[Path], out: Path) -> tuple[float, float]:
    """Return processor seconds, and the process's peak memory in MB. Fails if a picture is missing in the
    PDF.
    """
    # A first run loads what is loaded only once.
    tool(paths[:1], out)()
    work = tool(paths, out)
    gc.collect()
    began = time.process_time()
    work()
    took = time.process_time() - began
    peak = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text(encoding="ascii"))
    import pypdfium2

    images = (pypdfium2.raw.FPDF_PAGEOBJ_IMAGE,)
    shown = sum(len(list(page.get_objects(images, max_depth=3))) for page in pypdfium2.PdfDocument(out))
    assert peak and shown == len(paths), shown
    return took, int(peak[1]) / 1_024


if __name__ == "__main__":
    name, folder = sys.argv[1], Path(sys.argv[2])
    if name == "made":
        number, kind = folder.name.split("-")
        folder.mkdir()
        made([folder / f"{n:04}.{kind.lower()}" for n in range(int(number))], kind)
    else:
        found = {"ours": ours, "img2pdf": by_img2pdf, "drawImage": by_draw_image}[name]
        print(json.dumps(measured(found, sorted(folder.iterdir()), folder.with_suffix(".pdf"))))
