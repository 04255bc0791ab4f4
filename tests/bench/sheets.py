"""Row 12: sheets of text, against plain reportlab with the same strokes, each card drawn once; from the
command line against Chromium.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from shutil import which
from statistics import median

import pypdfium2
from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from cardsdb.games import games
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.model.text import fold
from printing.faces import fonts
from printing.faces.compose import compose
from printing.faces.strokes import Drawing, Line, Rect, Stroke, TextRun
from printing.job import job
from printing.render import files, pdf, pdf_document
from tests.bench.goals import Result, result
from tests.bench.timing import command_seconds, in_turn

K = pdf.POINTS


def run() -> Iterator[Result]:
    # The limits are for visitors; the bench wants 540 different cards.
    job.MAX_DIFFERENT = job.MAX_CARDS = 10_000
    for key, cards, copies in (("54", 54, 1), ("540", 540, 1), ("copies", 540, 4)):
        yield _against_forms(f"12.{key}", games()["spycraft"], cards, copies)
    if chromium := which("chromium-headless-shell") or which("chromium"):
        yield from _against_chromium(chromium)


def _against_forms(key: str, game: Game, cards: int, copies: int) -> Result:
    chosen = game.cards[:cards]
    drawings = [compose(card, game) for card in chosen]
    order = [number for number in range(len(chosen)) for _ in range(copies)]

    def ours() -> files.Sheets:
        fonts._width.cache_clear()
        compose.cache_clear()
        return files.make_sheets(job.Job(game, tuple((card, copies) for card in chosen), title="Bench"))

    assert (
        _names_in(ours().data, chosen)
        == _names_in(draw_plainly(drawings, order), chosen)
        == {card.name for card in chosen}
    )
    seconds = in_turn({"ours": ours, "plain": lambda: draw_plainly(drawings, order)}, 5)
    return result(key, seconds["ours"] * 1_000, seconds["plain"] * 1_000)


def _names_in(pdf_file: bytes, cards: Sequence[Card]) -> set[str]:
    """The names of the cards that the file has as text."""
    document = pypdfium2.PdfDocument(pdf_file)
    # Words, however the lines were broken.
    words = " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())
    return {card.name for card in cards if all(word in words for word in card.name.split())}


def draw_plainly(drawings: Sequence[Drawing], order: Sequence[int]) -> bytes:
    """Every card drawn once, as a form, with the canvas's own methods, and the form placed for each copy."""
    pdf_document.registered_fonts()
    out = io.BytesIO()
    canvas = Canvas(
        out, (210 / 25.4 * 72, 297 / 25.4 * 72), pageCompression=1, invariant=1, initialFontName="sans"
    )
    for number, drawing in enumerate(drawings):
        canvas.beginForm(f"card{number}", 0, 0, 63_500 * K, 88_900 * K)
        if drawing.turned:
            canvas.translate(63_500 * K, 0)
            canvas.rotate(90)
        for stroke in drawing.strokes:
            _draw(canvas, stroke, drawing.height)
        canvas.endForm()
    for start in range(0, len(order), 9):
        for place, number in enumerate(order[start : start + 9]):
            canvas.saveState()
            canvas.translate((9_750 + place % 3 * 63_500) * K, (15_150 + (2 - place // 3) * 88_900) * K)
            canvas.doForm(f"card{number}")
            canvas.restoreState()
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _against_chromium(chromium: str) -> Iterator[Result]:
    """The command, start and all, against Chromium that prints a page of plain boxes with the same names,
    types, facts and texts.
    """
    game = games()["spycraft"]
    starter = next(one for one in game.starters if one.slug == "nine-tiger")
    names = Counter(fold(card.name) for card in game.cards)
    known = [f"1 {card.name}" for card in game.cards if names[fold(card.name)] == 1]
    for key, text in (("deck", starter.text), ("many", "\n".join(known[:480]))):
        with tempfile.TemporaryDirectory() as folder:
            paths = {
                name: Path(folder) / name for name in ("list.txt", "page.html", "ours.pdf", "theirs.pdf")
            }
            paths["list.txt"].write_text(text, encoding="utf-8")
            deck = read_deck(game, text).deck
            paths["page.html"].write_text(
                _boxes(game, [entry.card for entry in deck for _ in range(entry.count)]), encoding="utf-8"
            )
            ours = [
                sys.executable,
                "manage.py",
                "print_deck",
                str(paths["list.txt"]),
                "--game",
                "spycraft",
                "-o",
                str(paths["ours.pdf"]),
            ]
            # Without a zygote, or the work of its children would be nobody's.
            theirs = [
                chromium,
                "--headless",
                "--no-sandbox",
                "--no-zygote",
                "--disable-gpu",
                "--no-pdf-header-footer",
            ]
            theirs += [f"--print-to-pdf={paths['theirs.pdf']}", paths["page.html"].as_uri()]
            found: dict[str, list[float]] = {"ours": [], "theirs": []}
            for _ in range(3):
                found["ours"].append(command_seconds(ours) * 1_000)
                found["theirs"].append(command_seconds(theirs) * 1_000)
            cards = [entry.card for entry in deck]
            assert _names_in(paths["ours.pdf"].read_bytes(), cards) == _names_in(
                paths["theirs.pdf"].read_bytes(), cards
            )
            yield result(f"12.{key}", median(found["ours"]), median(found["theirs"]))


def _boxes(game: Game, cards: Sequence[Card]) -> str:
    style = (
        "@page{size:A4;margin:15mm 9.75mm}body{margin:0;font:8pt"
        " sans-serif}div{float:left;box-sizing:border-box;width:63.5mm;height:88.9mm;border:1px"
        " solid;break-inside:avoid;overflow:hidden}"
    )
    boxes = (
        f"<div><b>{escape(card.name)}</b><p>{escape(card.type)}<ul>"
        + "".join(f"<li>{escape(key)} {escape(str(value))}" for key, value in card.facts.items())
        + f"</ul><p>{escape(card.text)}</div>"
        for card in cards
    )
    return f"<!doctype html><meta charset=utf-8><style>{style}</style>{''.join(boxes)}"


def _draw(canvas: Canvas, stroke: Stroke, height: int) -> None:
    match stroke:
        case Rect():
            canvas.setFillColor(HexColor(stroke.colour))
            canvas.rect(
                stroke.x * K,
                (height - stroke.y - stroke.height) * K,
                stroke.width * K,
                stroke.height * K,
                stroke=0,
                fill=1,
            )
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
                points = [
                    number * K if index % 2 == 0 else (height - number) * K
                    for index, number in enumerate(numbers)
                ]
                {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo, "Z": path.close}[letter](*points)
            canvas.setLineWidth(stroke.pen * K)
            canvas.setStrokeColor(HexColor(stroke.colour))
            canvas.setFillColor(HexColor(stroke.colour))
            canvas.drawPath(path, stroke=1 if stroke.pen else 0, fill=0 if stroke.pen else 1)
