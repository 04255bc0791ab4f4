"""The bytes of a file decoded as text, JSON or XML, or refused with the line where they go wrong; and XML written as text."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element, ParseError, indent, tostring

from defusedxml import DefusedXmlException  # type: ignore[import-untyped]
from defusedxml.ElementTree import fromstring  # type: ignore[import-untyped]

from cardsdb.games.kit.listtext.deck import MAX_BYTES
from cardsdb.packages.decoding import utf_16_of
from cardsdb.site.faults import Fault, Refused
from cardsdb.site.strict_json import BadJson, read_json
from decks.formats.contract import Loss, Unreadable

MAX_JSON_BYTES = 1024 * 1024
# Old Windows programs write letters of western Europe beside plain ones, and typographic marks. Text of
# another encoding would show such letters alone, or several together.
_WESTERN = re.compile(
    "(?:[A-Za-z][À-ÖØ-öø-ÿŠšŽžŒœŸ](?![À-ÿ])|[À-ÖØ-öø-ÿŠšŽžŒœŸ](?=[A-Za-z])|(?<=[\x00-\x7f])[‘’“”–—…×\xa0](?=[\x00-\x7f]|$)|[\x00-\x7f])*"
)


def text_of_bytes(data: bytes, most: int = MAX_BYTES) -> tuple[str, tuple[Loss, ...]]:
    """The text, with a loss if the encoding was not UTF-8. Raises Unreadable for more than ``most`` bytes, and for what is no text."""
    if len(data) > most:
        raise Unreadable("too_large", f"The file is larger than {most // 1024:,} KB.")
    text, losses = _decoded(data)
    if "\0" in text:
        raise Unreadable(
            "bad_character", "The file holds NUL bytes: it is no text. Save the deck as text and try again.", _line(text.split("\0")[0])
        )
    return text, losses


def json_of_bytes(data: bytes) -> tuple[Any, tuple[Loss, ...]]:
    """The value of a JSON file, with a loss if its encoding was not UTF-8. Raises Unreadable."""
    text, losses = text_of_bytes(data, MAX_JSON_BYTES)
    try:
        return read_json(text), losses
    except BadJson as error:
        raise Unreadable("bad_json", f"The file {error}", error.where or "file") from None


def latin_text_of(data: bytes) -> str:
    """The text of a file that should be ISO-8859-1 but may be UTF-8 or CP1252, which its bytes show."""
    if len(data) > MAX_BYTES:
        raise Unreadable("too_large", f"The file is larger than {MAX_BYTES // 1024:,} KB.")
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding).replace("\0", "\ufffd")
        except UnicodeDecodeError:
            continue
    return data.decode("iso-8859-1").replace("\0", "\ufffd")


def _decoded(data: bytes) -> tuple[str, tuple[Loss, ...]]:
    encoding = utf_16_of(data) or "utf-8-sig"
    try:
        return data.decode(encoding), ()
    except UnicodeDecodeError as error:
        if encoding == "utf-8-sig" and (text := _western(data)) is not None:
            return text, (Loss("encoding_taken", "The file is not UTF-8; it was read as Windows-1252. Look at letters with accents."),)
        line = _line(data[: error.start].decode("latin-1"))
        raise Unreadable("bad_encoding", f"L{line[1:]} is not UTF-8. Save the file as UTF-8 and try again.", line) from None


def _western(data: bytes) -> str | None:
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    return text if all(_WESTERN.fullmatch(line) for line in text.split("\n")) else None


def _line(before: str) -> str:
    return f"line {len(re.findall(chr(13) + chr(10) + '|' + chr(13) + '|' + chr(10), before)) + 1}"


def text_or_refuse(data: bytes, most: int = MAX_BYTES) -> str:
    """The text of a list of at most so many bytes. Raises Refused if it is larger or cannot be decoded."""
    if len(data) > most:
        raise Refused(Fault("too_large", f"The list is larger than {most // 1024} KB.", "text"), status=413)
    try:
        return text_of_bytes(data, most)[0]
    except Unreadable as error:
        raise Refused(Fault(error.code, error.message, error.where)) from None


def document(root: Element) -> str:
    """The XML document as text, with its declaration. Its texts must be clean (``writing.fit``)."""
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def root_of(data: bytes, tag: str, title: str) -> tuple[Element, tuple[Loss, ...]]:
    """The root of an XML file, which must have this tag. Raises Unreadable, naming the line where the XML breaks off."""
    text, losses = text_of_bytes(data, MAX_BYTES)
    try:
        root: Element = fromstring(text, forbid_dtd=True)
    except DefusedXmlException:
        raise Unreadable("bad_xml", "The file declares entities or a document type, which no deck needs. Remove them.") from None
    except ParseError as error:
        line, column = error.position
        place = f"line {line}, column {column + 1}"
        raise Unreadable(
            "bad_xml", f"The file is damaged: its XML breaks off at {place}. Save it again in the program it is from.", place
        ) from None
    except (ValueError, LookupError, RecursionError):
        raise Unreadable("bad_xml", "The file is no XML that can be read. Save it again in the program it is from.") from None
    if root.tag != tag:
        raise Unreadable("wrong_format", f"A file of {title} begins with <{tag}>; this one begins with <{str(root.tag)[:40]}>.")
    return root, losses


def text_of_element(element: Element | None) -> str:
    """The text of an element, empty without one."""
    return ((element.text if element is not None else "") or "").strip()
