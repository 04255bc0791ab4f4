"""XML files: read with the place of every element, or refused with the place where they break off; and XML
written as text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, indent, tostring

from defusedxml import DefusedXmlException  # type: ignore[import-untyped]
from defusedxml.ElementTree import DefusedXMLParser  # type: ignore[import-untyped]

from cardsdb.games.kit.model.text import some
from decks.formats.contract import Loss, Unreadable
from decks.formats.decoding import text_of_bytes
from decks.formats.places import Place

# In the names of an element's attributes that are read: its text is read too.
TEXT = "text"
# Losses of one file that are told one by one.
MAX_TOLD = 30


@dataclass(frozen=True, slots=True)
class XmlFile:
    """The root of a file and the place of each element. ``losses``: what decoding it assumed."""

    root: Element
    places: Mapping[Element, Place]
    losses: tuple[Loss, ...] = ()


class _Builder(TreeBuilder):
    """Builds the elements, and notes where each begins."""

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[Element, Place] = {}
        # The parser that feeds this builder knows how far it is.
        self.parser: DefusedXMLParser = DefusedXMLParser(target=self, forbid_dtd=True)

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        element = super().start(tag, attrs)
        expat = self.parser.parser
        self.places[element] = Place(expat.CurrentLineNumber, expat.CurrentColumnNumber + 1)
        return element


def parsed(text: str) -> tuple[Element, Mapping[Element, Place]]:
    """The root of an XML text, and the place of each element. Raises Unreadable, naming the place where the
    XML breaks off.
    """
    builder = _Builder()
    try:
        builder.parser.feed(text)
        root: Element = builder.parser.close()
    except DefusedXmlException:
        raise Unreadable(
            "bad_xml", "The file declares entities or a document type, which no deck needs. Remove them."
        ) from None
    except ParseError as error:
        line, column = error.position
        place = str(Place(line, column + 1))
        raise Unreadable(
            "bad_xml",
            f"The file is damaged: its XML breaks off at {place}. Save it again in the program it is from.",
            place,
        ) from None
    except (ValueError, LookupError, RecursionError):
        raise Unreadable(
            "bad_xml", "The file is no XML that can be read. Save it again in the program it is from."
        ) from None
    return root, builder.places


def xml_file(data: bytes, tag: str, title: str) -> XmlFile:
    """An XML file whose root must have this tag. Raises Unreadable."""
    text, losses = text_of_bytes(data)
    root, places = parsed(text)
    if root.tag != tag:
        message = f"A file of {title} begins with <{tag}>; this one begins with <{str(root.tag)[:40]}>."
        raise Unreadable("wrong_format", message, str(places[root]))
    return XmlFile(root, places, losses)


def refuse_xml(data: bytes) -> Unreadable:
    """Why a file that is XML is no deck: the place where it breaks off, or what it is instead."""
    try:
        root, places = parsed(text_of_bytes(data)[0])
    except Unreadable as broken:
        return broken
    known = "<deck> (OCTGN, LackeyCCG), <cockatrice_deck> (Cockatrice) or <order> (MPC Autofill)"
    return Unreadable(
        "wrong_format",
        f"The XML begins with <{str(root.tag)[:40]}>; a deck begins with {known}.",
        str(places[root]),
    )


def left_out(file: XmlFile, known: Mapping[str, Collection[str]]) -> tuple[Loss, ...]:
    """A loss for each kind of element, attribute and stray text that says something and is not read, at the
    first of them.

    ``known``: tag -> the attributes that are read, and ``TEXT`` where the text is.
    """
    firsts: dict[tuple[str, str], Element] = {}
    counts: dict[tuple[str, str], int] = {}
    for kind, element in _unknown(file.root, known):
        firsts.setdefault(kind, element)
        counts[kind] = counts.get(kind, 0) + 1
    losses = []
    for (code, called), element in list(firsts.items())[:MAX_TOLD]:
        times = f", {counts[code, called]} times" if counts[code, called] > 1 else ""
        losses.append(Loss(code, f"Left out: {called}{times}.", str(file.places[element])))
    if more := len(firsts) - MAX_TOLD:
        losses += (
            [Loss("element_dropped", f"Left out: {some(more, 'other kind')} of elements and attributes.")]
            if more > 0
            else []
        )
    return tuple(losses)


def _unknown(
    root: Element, known: Mapping[str, Collection[str]]
) -> Iterator[tuple[tuple[str, str], Element]]:
    waiting = [root]
    while waiting:
        element = waiting.pop()
        tag = str(element.tag)
        if tag not in known:
            if len(element) or element.attrib or (element.text or "").strip():
                yield ("element_dropped", f"the element {tag[:40]}"), element
            continue
        for name, value in element.attrib.items():
            if name not in known[tag] and value.strip():
                yield ("attribute_dropped", f"the attribute {name[:40]} of {tag[:40]}"), element
        texts = [child.tail for child in element] + ([] if TEXT in known[tag] else [element.text])
        if any((text or "").strip() for text in texts):
            yield ("text_dropped", f"text inside of {tag[:40]}"), element
        waiting.extend(reversed(element))


def document(root: Element) -> str:
    """The XML document as text, with its declaration. Its texts must be clean (``writing.fit``)."""
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def text_of_element(element: Element | None) -> str:
    """The text of an element, empty without one."""
    return ((element.text if element is not None else "") or "").strip()


def cards_in_parts(root: Element, part: str) -> Iterator[tuple[Element, str]]:
    """Every card with the name of the innermost part that it stands in, in the file's order."""
    waiting: list[tuple[Element, str]] = [(root, "")]
    while waiting:
        element, name = waiting.pop()
        name = (element.get("name") or "").strip() if element.tag == part else name
        if element.tag == "card":
            yield element, name
        waiting.extend((child, name) for child in reversed(element))


_BEGINS = re.compile(r"\s*<(?:\?xml|!--|!DOCTYPE)", re.IGNORECASE)
_TAG = re.compile(r"\s*<[A-Za-z_][\w:.-]*(?:[\s/>]|$)")
_MORE_TAGS = re.compile(r"</[A-Za-z_]|/>|=\s*[\"']")


def looks_like_xml(head: str) -> bool:
    """Whether a file that begins so says that it is XML; a line of a list may begin with one tag."""
    is_one_tag_cut = ">" not in head and "\n" not in head.strip()
    return bool(_BEGINS.match(head) or (_TAG.match(head) and (is_one_tag_cut or _MORE_TAGS.search(head))))
