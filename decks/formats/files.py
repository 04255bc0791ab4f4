"""Files from outside as text, JSON or XML. A bad file is refused with the line at fault; each thing that is
passed over becomes a loss with its place.
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
# Kinds of what is left out of one file that are told one by one.
MAX_TOLD = 30


def text_of_bytes(
    data: bytes, most: int = MAX_BYTES, *, of_any: bool = False
) -> tuple[str, tuple[Loss, ...]]:
    """The text, with a loss if the encoding was not UTF-8. Raises Unreadable for more than ``most`` bytes,
    and for what is no text, or in letters that are not western unless it may be ``of_any`` encoding.
    """
    if len(data) > most:
        raise Unreadable("too_large", f"The file is larger than {most // 1024:,} KB.")
    try:
        text, encoding = decode(data, of_any=of_any)
    except NotText as error:
        line = f"line {error.line}"
        message = f"L{line[1:]} {error} Save the file as text in UTF-8 and try again."
        raise Unreadable(error.code, message, line) from None
    called = encoding.replace("cp125", "Windows-125")
    message = f"The file is not UTF-8; it was read as {called}. Look at letters with accents."
    return text, () if encoding.startswith("utf") else (Loss("encoding_taken", message),)


def bounded_lines(text: str, what: str) -> list[str]:
    """The lines of a list, a table or a file. Raises Unreadable for more than are read."""
    if len(lines := lines_of(text)) > MAX_LINES:
        raise Unreadable("too_large", f"The {what} has {len(lines):,} lines; at most {MAX_LINES:,} are read.")
    return lines


class LeftOut:
    """The things that are left out of a file: each kind once, at the first of its places."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], tuple[str, int]] = {}

    def add(self, code: str, what: str, where: str) -> None:
        """Note one more of a kind."""
        first, times = self._found.get((code, what), (where, 0))
        self._found[code, what] = (first, times + 1)

    @property
    def losses(self) -> tuple[Loss, ...]:
        """A loss for each kind; the last names those beyond the bound."""
        told = [
            Loss(code, f"Left out: {what}{f', {times} times' if times > 1 else ''}.", where)
            for (code, what), (where, times) in self._found.items()
        ]
        if more := list(self._found)[MAX_TOLD:]:
            names = listed(tuple(what for _, what in more), MAX_TOLD)
            told[MAX_TOLD:] = [Loss(more[0][0], f"Left out: {some(len(more), 'other kind')}, {names}.")]
        return tuple(told)


def text_or_refuse(data: bytes, most: int = MAX_BYTES) -> str:
    """The text of a list of at most so many bytes. Raises Refused if it is larger or cannot be decoded."""
    if len(data) > most:
        raise Refused(Fault("too_large", f"The list is larger than {most // 1024} KB.", "text"), status=413)
    return text_of_bytes(data, most)[0]


# Strings, which may hold brackets, and the beginnings of objects.
_OBJECTS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|(?P<object>\{)', re.DOTALL)
_KINDS: dict[type, str] = {
    str: "a text",
    list: "a list",
    dict: "an object",
    bool: "yes or no",
    int: "a number",
    float: "a number",
}


class JsonFile:
    """The value of a JSON file, and what is read of it: every value that is passed over becomes a loss, once
    for its key.

    Raises Unreadable for what is no JSON.
    """

    def __init__(self, data: bytes) -> None:
        text, self._losses = text_of_bytes(data, MAX_JSON_BYTES)
        try:
            self.value: Any = read_json(text)
        except BadJson as error:
            raise Unreadable("bad_json", f"The file {error}", error.where or "file") from None
        lines = Lines(text)
        begins = [lines.place(found.start()) for found in _OBJECTS.finditer(text) if found["object"]]
        # Objects are met in the order in which they begin, since no key is there twice.
        self._places = dict(zip(map(id, _objects_in(self.value)), begins, strict=False))
        self._left_out = LeftOut()

    def place(self, content: Mapping[str, Any]) -> Place:
        """The place where this object begins."""
        return self._places.get(id(content), NOWHERE)

    def reads(self, content: Mapping[str, Any], called: str, known: Collection[str]) -> None:
        """Say which keys of an object are read; the others are told if they say something."""
        for key, value in content.items():
            if key not in known and value not in (None, "", [], {}, False):
                self.drop(content, called, key)

    def taken(self, content: Mapping[str, Any], called: str, key: str, wanted: type[Value]) -> Value:
        """The value of this kind under this key; an empty one for anything else, which is told."""
        value = content.get(key)
        if isinstance(value, wanted):
            return value
        if value is not None:
            self.drop(content, called, key, f"which is {_KINDS[type(value)]}, not {_KINDS[wanted]}")
        return wanted()

    def texts(
        self, content: Mapping[str, Any], called: str, *keys: str, besides: Collection[str] = ()
    ) -> dict[str, str]:
        """The texts under these keys, which and those ``besides`` are all that is read of the object."""
        self.reads(content, called, (*keys, *besides))
        return {key: self.taken(content, called, key, str).strip() for key in keys}

    def all_in(
        self, content: Mapping[str, Any], called: str, key: str, wanted: type[Value]
    ) -> tuple[Value, ...]:
        """The values of this kind in the list under this key; whatever else is in it is told."""
        values: list[Any] = self.taken(content, called, key, list)
        for value in values:
            if not isinstance(value, wanted):
                kind = _KINDS.get(type(value), "nothing")
                self.drop(content, called, key, f"of which one is {kind}, not {_KINDS[wanted]}")
        return tuple(value for value in values if isinstance(value, wanted))

    def drop(self, content: Mapping[str, Any], called: str, key: str, why: str = "") -> None:
        """Tell that the value under this key is left out."""
        what = f"“{key[:40]}” of the {called}{f', {why}' if why else ''}"
        self._left_out.add(f"{'value' if why else 'key'}_dropped", what, self.place(content).of(key))

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The loss that decoding made, and one for each key whose values are left out, at the first
        of these.
        """
        return (*self._losses, *self._left_out.losses)


def count_in(content: Mapping[str, Any], key: str) -> str:
    """A count as it stands in the file: a text as it is, nothing as an empty text, anything else as JSON
    would show it.
    """
    value = content.get(key)
    return value if isinstance(value, str) else "" if value is None else repr(value)


def _objects_in(value: Any) -> list[dict[str, Any]]:
    """All objects, in the order in which they begin in the text."""
    found, waiting = [], [value]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, dict):
            found.append(inner)
            waiting.extend(reversed(inner.values()))
        elif isinstance(inner, list):
            waiting.extend(reversed(inner))
    return found


DECLARES = "The file declares entities or a document type, which no deck needs. Remove them."
SAVE_AGAIN = "Save it again in the program it is from."


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
    """The root of a file, which must have this tag, the place of each element, and the losses.

    Raises Unreadable.
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
        """The text of the first element at this path, empty without one."""
        return self.root.findtext(path, "").strip()

    def reads(self) -> None:
        """Lose each kind of element, attribute and stray text that says something and is not read of such a
        file, at the first of them.
        """
        known = PROGRAMS["elements"][self.root.tag]
        told, waiting = LeftOut(), [self.root]
        while waiting:
            element = waiting.pop()
            tag, where = str(element.tag), str(self.places[element])
            if tag not in known:
                if len(element) or element.attrib or (element.text or "").strip():
                    told.add("element_dropped", f"the element {tag[:40]}", where)
                continue
            for name, value in element.attrib.items():
                if name not in known[tag] and value.strip():
                    told.add("attribute_dropped", f"the attribute {name[:40]} of {tag[:40]}", where)
            texts = [child.tail for child in element] + ([] if "text" in known[tag] else [element.text])
            if any((text or "").strip() for text in texts):
                told.add("text_dropped", f"text inside of {tag[:40]}", where)
            waiting.extend(reversed(element))
        self.losses += told.losses

    def cards(self, part: str) -> Iterator[tuple[Element, Place, str]]:
        """Every card, its place, and the name of the innermost part that it stands in, in the file's
        order.
        """
        waiting: list[tuple[Element, str]] = [(self.root, "")]
        while waiting:
            element, name = waiting.pop()
            name = (element.get("name") or "").strip() if element.tag == part else name
            if element.tag == "card":
                yield element, self.places[element], name
            waiting.extend((child, name) for child in reversed(element))


def refuse_xml(data: bytes) -> Unreadable:
    """The refusal of a file that is XML and no deck, with the place where it breaks off or the root that it
    has.
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
    """The XML document as text, with its declaration. Its texts must be clean (``writing.fit``)."""
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


_BEGINS = re.compile(r"\s*<(?:\?xml|!--|!DOCTYPE)", re.IGNORECASE)
# But for the elements in which pages have lists.
_TAG = re.compile(
    r"\s*<(?!(?:[abiup]|h[1-6]|li|[uo]l|strong|em|t[dr]|span|table)\b)[A-Za-z_][\w:.-]*(?:[\s/>]|$)"
)
_MORE_TAGS = re.compile(r"</[A-Za-z_]|/>|=\s*[\"']")


def looks_like_xml(head: str) -> bool:
    """True if a file that begins so says that it is XML; a line of a list may begin with one tag."""
    is_one_tag_cut = ">" not in head and "\n" not in head.strip()
    return bool(_BEGINS.match(head) or (_TAG.match(head) and (is_one_tag_cut or _MORE_TAGS.search(head))))
