"""The bytes of a file of cards as text or as XML, in whichever encoding it was written, declared or not."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from io import BytesIO
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException  # type: ignore[import-untyped]
from defusedxml.ElementTree import iterparse  # type: ignore[import-untyped]

from cardsdb.packages.contract import BadPackage

_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
# Declared so, files hold the typographic marks of Windows all the same.
_LATIN = {"iso8859-1", "ascii", "utf-8"}


def text_of(data: bytes, name: str) -> str:
    """The text: by its byte order mark, as UTF-8 if it is that, as it declares, else as Windows writes western letters.

    Raises BadPackage for what is no text.
    """
    text = _decoded(data)
    if "\0" in text:
        raise BadPackage("no_text", f"{name} holds NUL bytes: it is no text.", name)
    return text


def _decoded(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    for place, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        start = data[:200]
        if len(start) > 3 and start[place::2].count(0) * 3 > len(start) and not start[1 - place :: 2].count(0):
            return data.decode(encoding, "replace")
    for encoding in ("utf-8-sig", *_declared(data), "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("iso-8859-1")


def _declared(data: bytes) -> tuple[str, ...]:
    match = _DECLARED.match(data[:300])
    try:
        found = codecs.lookup(match[1].decode()) if match else None
    except LookupError:
        return ()
    return (found.name,) if found and found._is_text_encoding and found.name not in _LATIN else ()


def xml_events(data: bytes, name: str) -> Iterator[tuple[str, Element]]:
    """("start" or "end", element) of every element. A document type may be named, as GCCG does; entities are refused.

    Raises BadPackage, naming the line where the XML breaks off.
    """
    # What is declared is true of the bytes that were, not of these. Its line ends stay, so that lines keep their numbers.
    text = _DECLARATION.sub(lambda match: "\n" * match[0].count("\n"), text_of(data, name), count=1)
    try:
        yield from iterparse(BytesIO(text.encode("utf-8", "replace")), ("start", "end"), forbid_entities=True, forbid_external=True)
    except DefusedXmlException:
        raise BadPackage("entities", f"{name} declares entities, which no file of cards needs. Remove them.", name) from None
    except ParseError as error:
        line, column = error.position
        raise BadPackage("bad_xml", f"{name} is damaged: its XML breaks off at line {line}, column {column + 1}.", name) from None
    except (ValueError, LookupError, RecursionError):
        raise BadPackage("bad_xml", f"{name} is no XML that can be read.", name) from None


def root_tag(begin: bytes) -> str:
    """The name of the first element of an XML file, from its first bytes; empty for what is no XML."""
    text = _decoded(begin.replace(b"\0", b"") if begin.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else begin)
    match = re.match(r"[\s\ufeff\xff\xfe]*<(?:[?!]|[A-Za-z])", text)
    found = re.search(r"<([A-Za-z][\w.-]*)", re.sub(r"<!--.*?-->|<\?.*?\?>", "", text, flags=re.DOTALL)) if match else None
    return found[1] if found else ""
