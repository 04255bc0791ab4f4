"""XML documents as text, indented and escaped; and read, without anything in them that reaches beyond the file."""

from __future__ import annotations

from xml.etree.ElementTree import Element, ParseError, indent, tostring

from defusedxml import DefusedXmlException  # type: ignore[import-untyped]
from defusedxml.ElementTree import fromstring  # type: ignore[import-untyped]

from cardsdb.games.kit.listtext.deck import MAX_BYTES
from decks.formats.contract import Loss, Unreadable
from decks.formats.decoding import text_of_bytes


def document(root: Element) -> str:
    """The document with its declaration. Text is expected to be clean (``cleaning.fit``)."""
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def root_of(data: bytes, tag: str, title: str) -> tuple[Element, tuple[Loss, ...]]:
    """The root of a file of this format, which must be so called. Raises Unreadable, naming the line where the XML breaks off."""
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
