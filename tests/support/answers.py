"""Reading whole HTTP responses of any file type, and listing all addresses at which other people see a deck.

Privacy tests use both: they fetch every address of a deck and search the words for a secret.
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
    """Return the bytes of a response, streamed or not."""
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def words(data: bytes) -> str:
    """Return the readable text of a file: the text layer of a PDF, all files in a ZIP, the unpacked content
    of gzip; of an HTML page the source.
    """
    if data.startswith(b"%PDF"):
        document = pypdfium2.PdfDocument(data)
        return " ".join(page.get_textpage().get_text_range() for page in document)
    if data.startswith(b"PK"):
        archive = zipfile.ZipFile(io.BytesIO(data))
        return " ".join(words(archive.read(name)) for name in archive.namelist())
    return (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode("utf-8", "replace")


def pictures(data: bytes) -> list[bytes]:
    """Return the raw, still compressed bytes of each picture in a PDF."""
    with pikepdf.open(io.BytesIO(data)) as document:
        streams = [found for found in document.objects if isinstance(found, pikepdf.Stream)]
        return [stream.read_raw_bytes() for stream in streams if stream.get("/Subtype") == "/Image"]


def addresses_of(deck: Deck) -> Iterator[str]:
    """Yield every path at which other people can see this deck: pages, files, prints, API, and the list of
    public decks.
    """
    parts = ("", "files/", "share/", "embed/", "numbers/", "numbers/hands/?seed=1", "picture.png")
    yield from (f"/decks/{deck.link}/{part}" for part in parts)
    yield from (f"/decks/{deck.link}/files/{name}/" for name in FORMATS)
    yield f"/print/sheets.pdf?deck={deck.link}"
    yield f"/print/?deck={deck.link}"
    yield f"/api/v1/decks/{deck.link}/"
    yield "/decks/"
