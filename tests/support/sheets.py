"""Printed sheets made in memory and read back with pikepdf: where each card lies on the page."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pikepdf

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.print.dossier import dossier
from printing.job.job import Job
from printing.options.values import read_options
from printing.render.files import Sheets, write_sheets

# PDF points in a millimetre.
MM = 72 / 25.4
# Card names that are hard to set: quotes, accents, brackets, other alphabets, great length.
NAMES = (
    'RS-9, "The Koffin"',
    "Død Kalm",
    "2nd Lt. Chavez",
    "Not THIS Federal Building, You Don't",
    "Tesos Dos Bichos Excavation, Ecquadorian Highlands, South America",
    "(Brackets) and \\ strokes",
    "Агент Ørsted ŧ",
    "Agent " + "Extraordinarily " * 10 + "Named",
)


def parcel(name: str, **given) -> Card:
    """Return a card of the sixth game; ``given`` overrides its fields."""
    return Card(
        **{"game": "deaddrop", "code": name, "name": name, "type": "parcel", "facts": {"weight": 3}, **given}
    )


def hard_job_of(sixth_game: Game) -> Job:
    """Return a job with two copies of each hard name and of one card whose face is landscape."""
    game = replace(
        sixth_game, faces={**sixth_game.faces, "courier": dossier(landscape=True, lines=("city",))}
    )
    cards = [*(parcel(name, text="Counts double.") for name in NAMES), sixth_game.card("zorka")]
    return Job(game, tuple((card, 2) for card in cards), title="Hard names")


def with_options(job: Job, **options: str) -> Job:
    """Return the job with these options and no others."""
    return replace(job, options=read_options(options))


def saved(job: Job, folder: Path) -> str:
    """Write the job's sheets into the folder; return the path."""
    path = folder / job.filename
    path.write_bytes(make_sheets(job).data)
    return str(path)


def opened(job: Job) -> pikepdf.Pdf:
    """Return the job's sheets as an opened PDF."""
    return pikepdf.open(io.BytesIO(make_sheets(job).data))


def streams_of(document: pikepdf.Pdf, kind: str) -> list[pikepdf.Stream]:
    """Return the streams of the file with this subtype: ``/Form`` or ``/Image``."""
    streams = (part for part in document.objects if isinstance(part, pikepdf.Stream))
    return [stream for stream in streams if stream.get("/Subtype") == kind]


def placements(page: pikepdf.Page) -> list[tuple[str, float, float, float, float]]:
    """Return (form name, left, top, width, height) of each card on the page, in millimetres from the top left
    corner.
    """
    height = float(page.mediabox[3])
    # Follow the page's drawing operators and keep the current transformation, as a PDF viewer does.
    placed, stack, matrix, tag = [], [], pikepdf.Matrix(), ""
    for operands, operator in pikepdf.parse_content_stream(page):
        match str(operator):
            case "q":
                stack.append(matrix)
            case "Q":
                matrix = stack.pop()
            case "cm":
                matrix = pikepdf.Matrix(operands) @ matrix
            case "BDC" | "BMC":
                tag = str(operands[0])
            case "Do" if tag == "/Figure":
                form = page.resources.XObject[str(operands[0])]
                x1, y1, x2, y2 = (float(number) for number in form.BBox)
                corners = [matrix.transform(point) for point in ((x1, y1), (x2, y2))]
                (left, right), (low, high) = (sorted(axis) for axis in zip(*corners, strict=True))
                placed.append(
                    (
                        str(operands[0]),
                        left / MM,
                        (height - high) / MM,
                        (right - left) / MM,
                        (high - low) / MM,
                    )
                )
    return placed


def make_sheets(job: Job, on_page: Callable[[int], None] = lambda pages: None) -> Sheets:
    """Return the sheets of the job in memory; ``on_page`` is called after each page."""
    out = io.BytesIO()
    write_sheets(job, out, on_page)
    return Sheets(job.filename, job.content_type, out.getvalue(), job.pages, job.cards)
