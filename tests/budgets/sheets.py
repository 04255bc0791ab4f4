"""Row 9 of ``docs/speed.md``: sheets of text, compared with the simplest other ways to draw the same.

``text`` in ``__main__.py`` has ``measuring.apart`` run the two public functions in fresh processes.
"""

from __future__ import annotations

import ctypes
import io
import os
import resource
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from html import escape
from itertools import count
from pathlib import Path
from statistics import median

import pypdfium2
from django.test import Client
from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from cardsdb.games import games
from cardsdb.games.kit import Card
from cardsdb.games.kit.listtext.deck import read_deck
from printing.faces.compose import compose
from printing.faces.strokes import Drawing, Line, Rect, Stroke, TextRun
from printing.job.job import Job
from printing.render.pdf import POINTS
from printing.render.pdf_document import registered_fonts
from tests.budgets.measuring import STARTER, milliseconds
from tests.support.sheets import make_sheets

# The card's size in points.
WIDTH = 63_500 * POINTS
HEIGHT = 88_900 * POINTS
# Measurements, of which the median counts.
ROUNDS = 5
# From Linux's linux/prctl.h.
PR_SET_CHILD_SUBREAPER = 36
STYLE = """<!doctype html><meta charset=utf-8>
<style>@page{size:A4;margin:15mm 9.75mm}body{margin:0;font:8pt sans-serif}
div{float:left;box-sizing:border-box;width:63.5mm;height:88.9mm;border:1px solid;
break-inside:avoid}</style>"""


def text() -> tuple[float, float]:
    """Return milliseconds of sheets of 54 cards, ours and plain reportlab drawing the same strokes, one
    form a card. Both are checked to contain all names.
    """
    game = games()["spycraft"]
    cards = game.cards[:54]
    drawings = [compose(card, game) for card in cards]

    def ours() -> bytes:
        compose.cache_clear()
        return make_sheets(Job(game, tuple((card, 1) for card in cards), "Budget")).data

    assert _names(ours(), cards) == _names(_plainly(drawings), cards) == {card.name for card in cards}
    took = [(milliseconds(ours, 1), milliseconds(lambda: _plainly(drawings), 1)) for _ in range(ROUNDS)]
    return median(mine for mine, _ in took), median(other for _, other in took)


def _names(made: bytes, cards: Sequence[Card]) -> set[str]:
    """Return the names of those cards that the PDF contains as text, however their lines are broken."""
    pages = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(made)]
    words = " ".join(" ".join(pages).split())
    return {card.name for card in cards if all(word in words for word in card.name.split())}


def _plainly(drawings: Sequence[Drawing]) -> bytes:
    """Return the PDF that plain reportlab makes of the drawings."""
    registered_fonts()
    out = io.BytesIO()
    canvas = Canvas(out, pageCompression=1, initialFontName="sans")
    for number, drawing in enumerate(drawings):
        canvas.beginForm(f"card{number}", 0, 0, WIDTH, HEIGHT)
        if drawing.turned:
            canvas.translate(WIDTH, 0)
            canvas.rotate(90)
        for stroke in drawing.strokes:
            _stroke(canvas, stroke, drawing.height)
        canvas.endForm()
    for number in range(len(drawings)):
        canvas.saveState()
        # Three rows of three, with margins of 27 and 43 points; PDF counts from the bottom.
        canvas.translate(27 + number % 3 * WIDTH, 43 + (2 - number % 9 // 3) * HEIGHT)
        canvas.doForm(f"card{number}")
        canvas.restoreState()
        if number % 9 == 8:
            canvas.showPage()
    canvas.save()
    return out.getvalue()


def _stroke(canvas: Canvas, stroke: Stroke, height: int) -> None:
    """Draw one stroke; ``height`` is the card's, because PDF measures from the bottom."""
    canvas.setFillColor(HexColor(stroke.colour))
    canvas.setStrokeColor(HexColor(stroke.colour))
    if isinstance(stroke, Rect):
        x, y = stroke.x * POINTS, (height - stroke.y - stroke.height) * POINTS
        canvas.rect(x, y, stroke.width * POINTS, stroke.height * POINTS, stroke=0, fill=1)
    elif isinstance(stroke, TextRun):
        canvas.setFont(stroke.font, stroke.size * POINTS)
        x, y = stroke.x * POINTS, (height - stroke.y) * POINTS
        if not stroke.turned:
            canvas.drawString(x, y, stroke.text)
            return
        canvas.saveState()
        canvas.translate(x, y)
        canvas.rotate(90)
        canvas.drawString(0, 0, stroke.text)
        canvas.restoreState()
    else:
        canvas.setLineWidth(stroke.pen * POINTS)
        if isinstance(stroke, Line):
            ends = (stroke.x1, height - stroke.y1, stroke.x2, height - stroke.y2)
            canvas.line(*(end * POINTS for end in ends))
            return
        path = canvas.beginPath()
        draw_by_letter = {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo, "Z": path.close}
        for letter, numbers in stroke.steps:
            # x, y, x, y and so on.
            points = [(height - n if at % 2 else n) * POINTS for at, n in enumerate(numbers)]
            draw_by_letter[letter](*points)
        canvas.drawPath(path, stroke=1 if stroke.pen else 0, fill=0 if stroke.pen else 1)


def beside_chromium(chromium: str, folder: str) -> tuple[float, float]:
    """Return milliseconds of a deck's PDF from the site, another one each time, and of Chromium printing HTML
    boxes with the same words.
    """
    client, page, out = Client(SERVER_NAME="localhost"), Path(folder) / "page.html", Path(folder) / "page.pdf"
    numbers, deck = count(1), read_deck(games()["spycraft"], STARTER).deck
    cards = [entry.card for entry in deck for _ in range(entry.count)]
    boxes = (
        f"<div><b>{escape(card.name)}</b><p>{escape(f'{card.type} {dict(card.facts)}')}<p>"
        f"{escape(card.text)}</div>"
        for card in cards
    )
    page.write_text(f"{STYLE}{''.join(boxes)}", encoding="utf-8")
    flags = ("--headless", "--no-sandbox", "--no-zygote", "--disable-gpu", "--no-pdf-header-footer")
    # Child processes that Chromium leaves behind are adopted by this process, so that their time counts.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def ours() -> bytes:
        asked = {"starter": "spycraft/nine-tiger", "paper": "a4", "gap": next(numbers)}
        return b"".join(client.get("/print/sheets.pdf", asked))

    def theirs() -> None:
        subprocess.run(
            [chromium, *flags, f"--print-to-pdf={out}", str(page)], check=True, capture_output=True
        )
        with suppress(ChildProcessError):
            while True:
                os.waitpid(-1, 0)

    def children() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    theirs()
    assert _names(ours(), cards) == _names(out.read_bytes(), cards)
    took = [(milliseconds(ours, 1), milliseconds(theirs, 1, children)) for _ in range(ROUNDS)]
    return median(mine for mine, _ in took), median(other for _, other in took)
