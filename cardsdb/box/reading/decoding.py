"""The bytes of a file of cards as text or as XML, in whichever encoding it was written, declared or not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException  # type: ignore[import-untyped]
from defusedxml.ElementTree import iterparse  # type: ignore[import-untyped]

from cardsdb.box.reading.container import BadPackage
from cardsdb.site.decoding import NotText, decode, decoded

_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
# Of a table whose lines are taken apart at once.
MAX_LINES = 1_000_000
# Letters of one row of a table, which is taken apart at once into as many cells as it has separators.
MAX_ROW = 1_000_000


def text_of(data: bytes, name: str) -> str:
    """The text: by its byte order mark, as UTF-8 if it is that, as it declares, else as Windows writes
    western letters.

    Raises BadPackage for what is no text.
    """
    try:
        return decode(data, of_any=True)[0]
    except NotText as error:
        raise BadPackage("no_text", f"{name}: line {error.line} {error} Save it as UTF-8.", name) from None


def lines_of(data: bytes, name: str) -> list[str]:
    """The lines of a text, however they end. Raises BadPackage for what is no text, and for more lines than
    any table has.
    """
    text = text_of(data, name).replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") > MAX_LINES:
        raise BadPackage(
            "too_long",
            f"{name} has more than {MAX_LINES:,} lines. Delete its blank ones, or send it in parts.",
            name,
        )
    lines = text.split("\n")
    if long := next((number for number, line in enumerate(lines, 1) if len(line) > MAX_ROW), 0):
        raise long_row(name, long)
    return lines


def long_row(name: str, number: int) -> BadPackage:
    """Return what is said of a row that has more letters than any."""
    return BadPackage(
        "too_long",
        f"{name}: line {number} has more than {MAX_ROW:,} letters, which no row of a table has.",
        name,
    )


def xml_events(data: bytes, name: str, whole: str) -> Iterator[tuple[str, Element]]:
    """("start" or "end", element) of every element. A document type may be named, as GCCG does; entities are
    refused.

    An element called ``whole`` has all that is inside it at its end; nothing else is kept. Raises BadPackage,
    naming the line where the XML breaks off.
    """
    # What is declared is true of the bytes that were, not of these. Its line ends stay, so that lines keep
    # their numbers.
    text = _DECLARATION.sub(lambda match: "\n" * match[0].count("\n"), text_of(data, name), count=1)
    try:
        events = iterparse(
            BytesIO(text.encode("utf-8", "replace")),
            ("start", "end"),
            forbid_entities=True,
            forbid_external=True,
        )
        yield from _kept_while_needed(events, whole)
    except DefusedXmlException:
        raise BadPackage(
            "entities", f"{name} declares entities, which no file of cards needs. Remove them.", name
        ) from None
    except ParseError as error:
        line, column = error.position
        raise BadPackage(
            "bad_xml", f"{name} is damaged: its XML breaks off at line {line}, column {column + 1}.", name
        ) from None
    except (ValueError, LookupError, RecursionError):
        raise BadPackage("bad_xml", f"{name} is no XML that can be read.", name) from None


def _kept_while_needed(events: Iterator[tuple[str, Element]], whole: str) -> Iterator[tuple[str, Element]]:
    """The events; each element leaves its parent when it was handed on, unless it is a part of one that is
    wanted whole.
    """
    above: list[Element] = []
    inside = 0
    for event, element in events:
        is_whole = plain_tag(element) == whole
        if event == "start":
            inside += is_whole
            above.append(element)
            yield event, element
        else:
            above.pop()
            yield event, element
            inside -= is_whole
            if above and not inside:
                above[-1].remove(element)


def plain_tag(element: Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def first_line(begin: bytes) -> str:
    """The first line of a text, from its first bytes."""
    return decoded(begin, of_any=True)[0].lstrip("\ufeff").replace("\r", "\n").partition("\n")[0]


def root_tag(begin: bytes) -> str:
    """The name of the first element of an XML file, from its first bytes; empty for what is no XML."""
    text = decoded(begin, of_any=True)[0]
    match = re.match(r"[\s\ufeff\xff\xfe]*<(?:[?!]|[A-Za-z])", text)
    found = (
        re.search(r"<([A-Za-z][\w.-]*)", re.sub(r"<!--.*?-->|<\?.*?\?>", "", text, flags=re.DOTALL))
        if match
        else None
    )
    return found[1] if found else ""
