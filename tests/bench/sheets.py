"""How long sheets take, against plain reportlab drawing the very same strokes from a list."""

from __future__ import annotations

import io
from collections.abc import Sequence

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from cardsdb.games import games
from cardsdb.games.kit import Game
from printing.faces import fonts
from printing.faces.compose import compose
from printing.faces.strokes import Drawing, Line, Rect, Stroke, TextRun
from printing.job import job
from printing.render import files, pdf, pdf_document
from tests.bench.timing import in_turn, table

K = pdf.POINTS


def run() -> None:
    # The limits are for visitors; the table wants 540 different cards.
    job.MOST_DISTINCT = job.MOST_COPIES = 10_000
    rows = []
    for slug in ("spycraft", "xfiles"):
        game = games()[slug]
        for cards, copies in ((54, 1), (540, 1), (540, 4)):
            rows.append(_row(game, cards, copies))
    head = ["cards", "sheets", "kB", "ours s", "plain s", "ratio"]
    table("Sheets from facts to PDF (A4, marks, tags), against plain reportlab with ready strokes", head, rows)


def _row(game: Game, cards: int, copies: int) -> list[str]:
    chosen = game.cards[:cards]
    drawings = [compose(card, game) for card in chosen]
    order = [number for number in range(len(chosen)) for _ in range(copies)]

    def ours() -> files.Sheets:
        fonts._width.cache_clear()
        compose.cache_clear()
        return files.make_sheets(job.Job(game, tuple((card, copies) for card in chosen), title="Bench"))

    made = ours()
    assert made.cards == len(order)
    mine, plain = in_turn(ours, lambda: draw_plainly(drawings, order), 5)
    name = f"{game.name}, {len(chosen)} x {copies}"
    return [name, str(made.pages), f"{len(made.data) / 1000:.0f}", f"{mine:.3f}", f"{plain:.3f}", f"{mine / plain:.2f}"]


def draw_plainly(drawings: Sequence[Drawing], order: Sequence[int]) -> bytes:
    """Every card drawn where it stands with the canvas's own methods, as one would at first."""
    pdf_document.registered_fonts()
    out = io.BytesIO()
    canvas = Canvas(out, (210 / 25.4 * 72, 297 / 25.4 * 72), pageCompression=1, invariant=1, initialFontName="sans")
    for start in range(0, len(order), 9):
        for place, number in enumerate(order[start : start + 9]):
            drawing = drawings[number]
            canvas.saveState()
            canvas.translate((9_750 + place % 3 * 63_500) * K, (15_150 + (2 - place // 3) * 88_900) * K)
            if drawing.turned:
                canvas.translate(63_500 * K, 0)
                canvas.rotate(90)
            for stroke in drawing.strokes:
                _draw(canvas, stroke, drawing.height)
            canvas.restoreState()
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _draw(canvas: Canvas, stroke: Stroke, height: int) -> None:
    match stroke:
        case Rect():
            canvas.setFillColor(HexColor(stroke.colour))
            canvas.rect(stroke.x * K, (height - stroke.y - stroke.height) * K, stroke.width * K, stroke.height * K, stroke=0, fill=1)
        case Line():
            canvas.setStrokeColor(HexColor(stroke.colour))
            canvas.setLineWidth(stroke.pen * K)
            canvas.line(stroke.x1 * K, (height - stroke.y1) * K, stroke.x2 * K, (height - stroke.y2) * K)
        case TextRun():
            canvas.setFillColor(HexColor(stroke.colour))
            canvas.setFont(stroke.font, stroke.size * K)
            if stroke.turned:
                canvas.saveState()
                canvas.translate(stroke.x * K, (height - stroke.y) * K)
                canvas.rotate(90)
                canvas.drawString(0, 0, stroke.text)
                canvas.restoreState()
            else:
                canvas.drawString(stroke.x * K, (height - stroke.y) * K, stroke.text)
        case _:
            path = canvas.beginPath()
            for letter, numbers in stroke.steps:
                points = [number * K if index % 2 == 0 else (height - number) * K for index, number in enumerate(numbers)]
                {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo, "Z": path.close}[letter](*points)
            canvas.setLineWidth(stroke.pen * K)
            canvas.setStrokeColor(HexColor(stroke.colour))
            canvas.setFillColor(HexColor(stroke.colour))
            canvas.drawPath(path, stroke=1 if stroke.pen else 0, fill=0 if stroke.pen else 1)
