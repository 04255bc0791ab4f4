"""Whole answers, whatever kind of file they are: what can be read in them, and where a deck is shown to
others.
"""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Iterator
from typing import Any

import pikepdf
import pypdfium2

from decks.formats import FORMATS
from decks.models import Deck


def body(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def words(data: bytes) -> str:
    """What can be read in a file: of a page its source, too."""
    if data.startswith(b"%PDF"):
        document = pypdfium2.PdfDocument(data)
        return " ".join(page.get_textpage().get_text_range() for page in document)
    if data.startswith(b"PK"):
        archive = zipfile.ZipFile(io.BytesIO(data))
        return " ".join(words(archive.read(name)) for name in archive.namelist())
    return (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode("utf-8", "replace")


def pictures(data: bytes) -> list[bytes]:
    """The bytes of each picture in a PDF."""
    with pikepdf.open(io.BytesIO(data)) as document:
        streams = [one for one in document.objects if isinstance(one, pikepdf.Stream)]
        return [one.read_raw_bytes() for one in streams if one.get("/Subtype") == "/Image"]


def addresses_of(deck: Deck) -> Iterator[str]:
    """Every page and file in which others see a deck."""
    parts = ("", "files/", "share/", "embed/", "numbers/", "numbers/hands/?seed=1", "picture.png")
    yield from (f"/decks/{deck.link}/{part}" for part in parts)
    yield from (f"/decks/{deck.link}/files/{name}/" for name in FORMATS)
    yield f"/print/sheets.pdf?deck={deck.link}"
    yield f"/print/?deck={deck.link}"
    yield f"/api/v1/decks/{deck.link}/"
    yield "/decks/"
