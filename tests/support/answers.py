"""Read any kind of answer as bytes, words or pictures, and list all addresses at which others see a deck. For
tests that something does not appear anywhere.
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
    """The bytes of an answer, which may be sent in pieces."""
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def words(data: bytes) -> str:
    """All text in a PDF, a zip (of every file in it), a gzip or a page (its whole source)."""
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
        streams = [item for item in document.objects if isinstance(item, pikepdf.Stream)]
        return [stream.read_raw_bytes() for stream in streams if stream.get("/Subtype") == "/Image"]


def addresses_of(deck: Deck) -> Iterator[str]:
    """The address of every page and file in which others see a deck."""
    parts = ("", "files/", "share/", "embed/", "numbers/", "numbers/hands/?seed=1", "picture.png")
    yield from (f"/decks/{deck.link}/{part}" for part in parts)
    yield from (f"/decks/{deck.link}/files/{name}/" for name in FORMATS)
    yield f"/print/sheets.pdf?deck={deck.link}"
    yield f"/print/?deck={deck.link}"
    yield f"/api/v1/decks/{deck.link}/"
    yield "/decks/"
