"""Untrusted files as text, JSON or XML, with a bound on their size.

Every parser of a format begins with ``text_of_bytes``, ``JsonFile`` or ``XmlFile``. A broken file raises
Unreadable with the line at fault. A key, element or attribute that is not read becomes a loss with its place,
once for each kind, so that nothing disappears unseen: ``Left out: “foil” of the cards, 2 times.`` at ``line
4, column 12 (foil)``. Tests: ``tests/decks/formats/test_contract.py`` for losses, ``test_files.py`` for
damaged and hostile files.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, TypeVar
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, indent, tostring

from defusedxml import DefusedXmlException  # type: ignore[import-untyped]
from defusedxml.ElementTree import DefusedXMLParser  # type: ignore[import-untyped]

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import listed, some
from cardsdb.games.kit.listtext.deck import MAX_BYTES, MAX_LINES, lines_of
from cardsdb.site.decoding import BadJson, NotText, decode, read_json
from decks.formats.contract import NOWHERE, PROGRAMS, Lines, Loss, Place, Unreadable

Value = TypeVar("Value")

MAX_JSON_BYTES = 1024 * 1024
# Kinds of things left out of one file that get a loss of their own; the rest share one.
MAX_TOLD = 30


def text_of_bytes(
    data: bytes, most: int = MAX_BYTES, *, of_any: bool = False
) -> tuple[str, tuple[Loss, ...]]:
    """Return (text, losses); there is a loss if the encoding was not UTF-8. Raise Unreadable for more than
    ``most`` bytes or for what is no text.

    ``of_any``: accept text in any encoding, also if it has no western letters.
    """
    if len(data) > most:
        raise Unreadable("too_large", f"The file is larger than {most // 1024:,} KB.")
    try:
        text, encoding = decode(data, of_any=of_any)
    except NotText as error:
        message = f"Line {error.line} {error} Save the file as text in UTF-8 and try again."
        raise Unreadable(error.code, message, f"line {error.line}") from None
    # ``decode`` names a western code page as Python does, "cp1252"; people know it as "Windows-1252".
    name = encoding.replace("cp125", "Windows-125")
    message = f"The file is not UTF-8; it was read as {name}. Check letters with accents."
    return text, () if encoding.startswith("utf") else (Loss("encoding_taken", message),)


def bounded_lines(text: str, what: str) -> list[str]:
    """Return the lines of a text. ``what`` names it in the message of Unreadable, which is raised if there
    are too many lines.
    """
    if len(lines := lines_of(text)) > MAX_LINES:
        raise Unreadable("too_large", f"The {what} has {len(lines):,} lines; at most {MAX_LINES:,} are read.")
    return lines


class LeftOut:
    """The things left out of a file: each kind once, with the place of the first and their number."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], tuple[str, int]] = {}

    def add(self, code: str, what: str, where: str) -> None:
        """Count one more of this kind."""
        first, times = self._found.get((code, what), (where, 0))
        self._found[code, what] = (first, times + 1)

    @property
    def losses(self) -> tuple[Loss, ...]:
        """A loss for each kind; beyond ``MAX_TOLD`` kinds, one loss for all others."""
        losses = [
            Loss(code, f"Left out: {what}{f', {times} times' if times > 1 else ''}.", where)
            for (code, what), (where, times) in self._found.items()
        ]
        if more := list(self._found)[MAX_TOLD:]:
            first_code = more[0][0]
            names = listed(tuple(what for _, what in more), MAX_TOLD)
            losses[MAX_TOLD:] = [Loss(first_code, f"Left out: {some(len(more), 'other kind')}, {names}.")]
        return tuple(losses)


def text_or_refuse(data: bytes, most: int = MAX_BYTES) -> str:
    """Return the text of a list. Raise Refused if it is larger than ``most`` bytes or cannot be decoded."""
    if len(data) > most:
        raise Refused(Fault("too_large", f"The list is larger than {most // 1024} KB.", "text"), status=413)
    return text_of_bytes(data, most)[0]


# The opening braces of objects, as the group "object". The first branch passes over strings, because a brace
# in one opens nothing; ``*+`` gives nothing back, so that a hostile text costs no more than its length.
_OBJECTS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|(?P<object>\{)', re.DOTALL)
# Type of a JSON value -> its name in messages.
_KINDS: dict[type, str] = {
    str: "a text",
    list: "a list",
    dict: "an object",
    bool: "yes or no",
    int: "a number",
    float: "a number",
}


class JsonFile:
    """A JSON file: ``value`` is its content. Making one raises Unreadable for what is no JSON.

    The methods read values out of an object ``content`` of the file and report what is not read, once for
    each key; ``losses`` returns these reports. ``called`` is the name of the object in messages, such as
    "deck" or "cards".
    """

    def __init__(self, data: bytes) -> None:
        text, self._losses = text_of_bytes(data, MAX_JSON_BYTES)
        try:
            self.value: Any = read_json(text)
        except BadJson as error:
            raise Unreadable("bad_json", f"The file {error}", error.where or "file") from None
        # The parser forgets where an object stood. So the braces of the text, in order, are put beside the
        # parsed objects, in order: {"a": {"b": {}}, "c": {}} has four of each. A repeated key would have a
        # brace and no object, but ``read_json`` refuses it.
        lines = Lines(text)
        begins = [lines.place(found.start()) for found in _OBJECTS.finditer(text) if found["object"]]
        # By the object's identity, since two cards may be equal.
        self._places = dict(zip(map(id, _objects_in(self.value)), begins, strict=False))
        self._left_out = LeftOut()

    def place(self, content: Mapping[str, Any]) -> Place:
        """Return the place where this object begins."""
        return self._places.get(id(content), NOWHERE)

    def expect(self, content: Mapping[str, Any], called: str, known: Collection[str]) -> None:
        """Report every key of the object that is not in ``known`` and whose value is not empty."""
        for key, value in content.items():
            if key not in known and value not in (None, "", [], {}, False):
                self.drop(content, called, key)

    def get(self, content: Mapping[str, Any], called: str, key: str, wanted: type[Value]) -> Value:
        """Return the value under this key if it is of the type ``wanted``, else an empty value of that type.
        A value of another type is reported.
        """
        value = content.get(key)
        if isinstance(value, wanted):
            return value
        if value is not None:
            self.drop(content, called, key, f"which is {_KINDS[type(value)]}, not {_KINDS[wanted]}")
        return wanted()

    def texts(
        self, content: Mapping[str, Any], called: str, *keys: str, besides: Collection[str] = ()
    ) -> dict[str, str]:
        """Return key -> text for these keys. Report all other keys but those ``besides``, which the caller
        reads.
        """
        self.expect(content, called, (*keys, *besides))
        return {key: self.get(content, called, key, str).strip() for key in keys}

    def all_in(
        self, content: Mapping[str, Any], called: str, key: str, wanted: type[Value]
    ) -> tuple[Value, ...]:
        """Return the values of the type ``wanted`` in the list under this key. Other values in it are
        reported.
        """
        values: list[Any] = self.get(content, called, key, list)
        for value in values:
            if not isinstance(value, wanted):
                kind = _KINDS.get(type(value), "nothing")
                self.drop(content, called, key, f"of which one is {kind}, not {_KINDS[wanted]}")
        return tuple(value for value in values if isinstance(value, wanted))

    def drop(self, content: Mapping[str, Any], called: str, key: str, why: str = "") -> None:
        """Report that the value under this key is left out, and ``why``."""
        what = f"“{key[:40]}” of the {called}{f', {why}' if why else ''}"
        self._left_out.add(f"{'value' if why else 'key'}_dropped", what, self.place(content).of(key))

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The loss of decoding, and a loss for each key with values left out, at the first of them."""
        return (*self._losses, *self._left_out.losses)


def count_in(content: Mapping[str, Any], key: str) -> str:
    """Return the count under this key as a text, for ``contract.copies_of``: ``"2x"`` -> ``2x``, ``2`` ->
    ``2``, none or null -> empty.
    """
    value = content.get(key, "")
    if value is None:
        return ""
    return value if isinstance(value, str) else repr(value)


def _objects_in(value: Any) -> list[dict[str, Any]]:
    """Return all objects in the value, in the order in which they begin in the text."""
    # A stack, whose last value is the next one of the text; so the values inside of one go on it reversed.
    found, waiting = [], [value]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, dict):
            found.append(inner)
            waiting.extend(reversed(inner.values()))
        elif isinstance(inner, list):
            waiting.extend(reversed(inner))
    return found


# Messages. XML entities could expand to gigabytes, so a file that declares any is refused.
DECLARES = "The file declares entities or a document type, which no deck needs. Remove them."
SAVE_AGAIN = "Save it again in the program it is from."


class _Builder(TreeBuilder):
    """Builds the elements of an XML file and stores where each begins."""

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[Element, Place] = {}
        # The parser calls ``start`` of this builder at each tag, and ``start`` asks it for its position.
        self.parser: DefusedXMLParser = DefusedXMLParser(target=self, forbid_dtd=True)

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        element = super().start(tag, attrs)
        expat = self.parser.parser
        self.places[element] = Place(expat.CurrentLineNumber, expat.CurrentColumnNumber + 1)
        return element


def parsed(text: str) -> tuple[Element, Mapping[Element, Place]]:
    """Return (root element, element -> place) of an XML text. Raise Unreadable with the place at which the
    XML breaks off.
    """
    builder, where = _Builder(), "file"
    try:
        builder.parser.feed(text)
        return builder.parser.close(), builder.places
    except DefusedXmlException:
        message = DECLARES
    except ParseError as error:
        line, column = error.position
        where = str(Place(line, column + 1))
        message = f"The file is damaged: its XML breaks off at {where}. {SAVE_AGAIN}"
    except (ValueError, LookupError, RecursionError):
        message = f"The file is no XML that can be read. {SAVE_AGAIN}"
    raise Unreadable("bad_xml", message, where)


class XmlFile:
    """An XML file with a given root tag, the places of its elements, and its losses. ``title`` names the
    format in messages. Raise Unreadable for other files.
    """

    def __init__(self, data: bytes, tag: str, title: str) -> None:
        text, losses = text_of_bytes(data)
        self.losses = [*losses]
        self.root, self.places = parsed(text)
        if self.root.tag != tag:
            begins = str(self.root.tag)[:40]
            message = f"A file of {title} begins with <{tag}>; this one begins with <{begins}>."
            raise Unreadable("wrong_format", message, str(self.places[self.root]))

    def text(self, path: str) -> str:
        """Return the text of the first element at this path, empty if there is none."""
        return self.root.findtext(path, "").strip()

    def report_unread(self) -> None:
        """Add a loss for each kind of element, attribute and stray text that is not empty and that no parser
        reads. ``[elements]`` of ``programs.toml`` lists what is read: root tag -> tag -> its attributes, and
        "text" if its text is read.
        """
        known = PROGRAMS["elements"][self.root.tag]
        left_out, waiting = LeftOut(), [self.root]
        while waiting:
            element = waiting.pop()
            tag, where = str(element.tag), str(self.places[element])
            if tag not in known:
                if len(element) or element.attrib or (element.text or "").strip():
                    left_out.add("element_dropped", f"the element {tag[:40]}", where)
                continue
            for name, value in element.attrib.items():
                if name not in known[tag] and value.strip():
                    left_out.add("attribute_dropped", f"the attribute {name[:40]} of {tag[:40]}", where)
            # ``tail`` is the text behind a child's end, ``text`` the one before the first child.
            texts = [child.tail for child in element] + ([] if "text" in known[tag] else [element.text])
            if any((text or "").strip() for text in texts):
                left_out.add("text_dropped", f"text inside of {tag[:40]}", where)
            waiting.extend(reversed(element))
        self.losses += left_out.losses

    def cards(self, part: str) -> Iterator[tuple[Element, Place, str]]:
        """Yield (card element, its place, name of the innermost ``part`` around it), in the file's order.

        ``part`` is a tag. If it is section, each card of ``<section name="Deck">`` comes with "Deck".
        """
        # A stack of (element, name of the part around it), whose last element is the next one of the file.
        waiting: list[tuple[Element, str]] = [(self.root, "")]
        while waiting:
            element, name = waiting.pop()
            if element.tag == part:
                name = (element.get("name") or "").strip()
            if element.tag == "card":
                yield element, self.places[element], name
            waiting.extend((child, name) for child in reversed(element))


def refuse_xml(data: bytes) -> Unreadable:
    """Return the refusal of a file that is XML but no deck: with the place where it breaks off, or its root
    tag.
    """
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


def document(root: Element) -> str:
    """Return the XML document as text with its declaration. The texts in it must be clean
    (``writing.fit``).
    """
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


# A first thing that only XML or HTML has: a declaration, a comment, a document type.
_BEGINS = re.compile(r"\s*<(?:\?xml|!--|!DOCTYPE)", re.IGNORECASE)
# Any first tag but those of HTML, since a list copied from a web page may begin with one.
_TAG = re.compile(
    r"\s*<(?!(?:[abiup]|h[1-6]|li|[uo]l|strong|em|t[dr]|span|table)\b)[A-Za-z_][\w:.-]*(?:[\s/>]|$)"
)
# Signs of XML behind its first tag: a closing tag, an empty element, an attribute.
_MORE_TAGS = re.compile(r"</[A-Za-z_]|/>|=\s*[\"']")


def looks_like_xml(head: str) -> bool:
    """True if a file that begins with ``head`` is meant as XML.

    ``<deck game="x">`` and ``<deck`` (cut off in its first tag) are; ``<Kai> 2`` and a line of HTML are not.
    """
    is_one_tag_cut = ">" not in head and "\n" not in head.strip()
    return bool(_BEGINS.match(head) or (_TAG.match(head) and (is_one_tag_cut or _MORE_TAGS.search(head))))
