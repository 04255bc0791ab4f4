"""Export files (card pictures, print services, tabletop files), made in memory and opened again."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from zipfile import ZipFile

import pytest
from django.utils.datastructures import MultiValueDict
from PIL import Image

from cardsdb.games import games
from cardsdb.games.kit import Decklist
from cardsdb.identity.viewer import NOBODY, Viewer
from printing.exports.card_pictures import Member, file_options, write_zip
from printing.exports.export import Export
from printing.exports.kinds import export_for
from printing.exports.print_services import SERVICES, service_options, write_service_pdf
from printing.faces.strokes import Drawing
from printing.job.job import Job
from printing.options.values import read_options
from printing.render import png
from printing.render.png import DPI, card_image
from printing.request.lists import pasted_list
from printing.request.print_request import PrintFields, PrintRequest


def starter(slug: str) -> tuple[Job, Decklist]:
    """Return the game's first starter as a job for exports, and its decklist."""
    game = games()[slug]
    lists = pasted_list(slug, game.starters[0].text)
    job = Job(
        game,
        tuple((entry.card, entry.count) for entry in lists.deck),
        title=lists.title,
        options=file_options(read_options({})),
    )
    return job, lists.deck


def for_service(slug: str, job: Job, **words: str) -> Job:
    """Return the job with the options that a print service needs; ``slug`` names the service, ``words`` are
    options.
    """
    return replace(job, options=service_options(SERVICES[slug], read_options(words), job.game.trim))


def pdf_of(job: Job, service: str) -> bytes:
    """Return the PDF of the job for this print service."""
    out = io.BytesIO()
    write_service_pdf(job, SERVICES[service], out)
    return out.getvalue()


@pytest.fixture
def blank_cards(monkeypatch):
    """Draw each card as an empty picture of the right size, for tests that look only at the files around the
    pictures.
    """
    monkeypatch.setattr(png, "card_image", blank_card)


def blank_card(drawing: Drawing, dpi: float = DPI) -> Image.Image:
    """Return an empty picture of this card."""
    return card_image(drawing._replace(strokes=()), dpi)


def zip_of(members: Iterable[Member]) -> bytes:
    """Return a ZIP of these members, as the site writes it."""
    out = io.BytesIO()
    write_zip(members, out)
    return out.getvalue()


def opened(members: Iterable[Member]) -> ZipFile:
    """Return that ZIP, opened and tested for damage."""
    archive = ZipFile(io.BytesIO(zip_of(members)))
    assert archive.testzip() is None
    return archive


def picture(archive: ZipFile, name: str) -> Image.Image:
    """Return a picture in the archive, opened."""
    return Image.open(io.BytesIO(archive.read(name)))


def bytes_of(file: Export) -> bytes:
    """Return the content of an export."""
    out = io.BytesIO()
    file.write(out)
    return out.getvalue()


def handed_out(answer: Any) -> bytes:
    """Return the file in a successful response, streamed or not."""
    assert answer.status_code == 200, answer.status_code
    return bytes(answer.getvalue())


def export_of(output: str, viewer: Viewer = NOBODY, **fields: str | list[str]) -> Export:
    """Return the export that a form with these fields asks for; a field may have several values."""
    sent = {name: value if isinstance(value, list) else [value] for name, value in fields.items()}
    request = PrintFields(MultiValueDict(sent), "text" in fields, viewer)
    return export_for(PrintRequest.parse(request), output)


def piles_in(saved: str | bytes) -> list[Any]:
    """Return the ``ObjectStates`` of a Tabletop Simulator save: one object per pile of cards, or per single
    card.
    """
    piles: list[Any] = json.loads(saved)["ObjectStates"]
    return piles


def cards_in(piles: Iterable[Any]) -> list[Any]:
    """Return the single cards of these piles."""
    return [card for pile in piles for card in pile.get("ContainedObjects", [pile])]


def in_two_sizes(**words: str) -> tuple[Job, list[tuple[Job, Decklist]]]:
    """Return one print of two starters whose cards differ in size (Agent Decker, Spycraft), and both (job,
    decklist) pairs.
    """
    both = [starter(slug) for slug in ("agentdecker", "spycraft")]
    first, second = (replace(job, options=read_options(words)) for job, _ in both)
    return replace(first, titles=(first.title, second.title), following=(second,)), both
