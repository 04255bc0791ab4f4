"""The files of a package as text or XML, in any common encoding and with limits.

Input is hostile: numbers of lines, letters of a row and XML entities are bounded here, bytes and numbers of
elements before, in ``container.py``. ``formats.py`` and ``tables.py`` read with these functions; every
failure becomes ``BadPackage``. Tests: ``tests/cardsdb/box/reading/test_contents.py``; of files that cannot be
read ``test_formats.py`` there.
"""

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException  # type: ignore[import-untyped]
from defusedxml.ElementTree import iterparse  # type: ignore[import-untyped]

from cardsdb.box.reading.container import BadPackage
from cardsdb.site.decoding import NotText, decode, decoded

# Lines of a table, which are all in memory at once.
MAX_LINES = 1_000_000
# Characters of one row of a table.
MAX_ROW = 1_000_000
# The declaration of an XML file, such as ``<?xml version="1.0" encoding="utf-16"?>``.
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")


def text_of(data: bytes, name: str) -> str:
    """Return the text of a file. The encoding is told by its byte order mark, being valid UTF-8, or its own
    declaration; else Windows-1252 is taken.

    Raises BadPackage if it is no text.
    """
    try:
        return decode(data, of_any=True)[0]
    except NotText as error:
        raise BadPackage("no_text", f"{name}: line {error.line} {error} Save it as UTF-8.", name) from None


def lines_of(data: bytes, name: str) -> list[str]:
    """Return the lines of a text. Raises BadPackage if it is no text or has too many or too long lines."""
    text = text_of(data, name).replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") > MAX_LINES:
        message = f"{name} has more than {MAX_LINES:,} lines. Delete its blank ones, or send it in parts."
        raise BadPackage("too_long", message, name)
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        check_row(name, number, len(line))
    return lines


def check_row(name: str, number: int, letters: int) -> None:
    """Raise BadPackage if a row has too many characters."""
    if letters > MAX_ROW:
        message = f"{name}: line {number} has more than {MAX_ROW:,} letters, which no row of a table has."
        raise BadPackage("too_long", message, name)


def first_line(begin: bytes) -> str:
    """Return the first line of a text from the file's first bytes."""
    return decoded(begin, of_any=True)[0].lstrip("\ufeff").replace("\r", "\n").partition("\n")[0]


# -- as XML ----------------------------------------------------------------------------


def root_tag(begin: bytes) -> str:
    """Return the name of the first element of an XML file from its first bytes; "" if it is no XML:
    ``b'<?xml version="1.0"?><!-- Core --><set name="Core">'`` -> ``set``.
    """
    text = decoded(begin, of_any=True)[0]
    # Blanks and byte order marks may stand before the first tag.
    if not re.match(r"[\s\ufeff\xff\xfe]*<(?:[?!]|[A-Za-z])", text):
        return ""
    # Comments and processing instructions may stand before the first element.
    bare = re.sub(r"<!--.*?-->|<\?.*?\?>", "", text, flags=re.DOTALL)
    found = re.search(r"<([A-Za-z][\w.-]*)", bare)
    return found[1] if found else ""


def plain_tag(element: Element) -> str:
    """Return an element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def elements_of(data: bytes, name: str, tag: str) -> Iterator[tuple[Mapping[str, Element], Element]]:
    """Yield (enclosing elements by name, element) for each element named ``tag``, complete with its content.

    ``<set name="Core"><cards><card name="Kai"/></cards></set>`` and the tag "card" give
    ``({"set": <set>, "cards": <cards>}, <card>)``. The mapping changes as reading goes on: use it before the
    next element is taken.

    Elements are discarded once they are passed, so a large file needs little memory. A document type is
    allowed, since GCCG has one; entities are refused. Raises BadPackage with the line where the XML breaks
    off.
    """
    # The text is decoded already, so its encoding declaration no longer holds. Its line breaks stay, so that
    # line numbers in messages are right.
    text = _DECLARATION.sub(lambda match: "\n" * match[0].count("\n"), text_of(data, name), count=1)
    # Name -> the innermost open element of this name.
    around: dict[str, Element] = {}
    # The open elements, outermost first, each with the outer element of the same name that it hides in
    # ``around``: of ``<a><b><a>`` the last hides the first.
    open_elements: list[tuple[Element, Element | None]] = []
    # The number of open elements named ``tag``, whose content must not be discarded.
    wanted = 0
    try:
        source = BytesIO(text.encode("utf-8", "replace"))
        for event, element in iterparse(source, ("start", "end"), forbid_entities=True, forbid_external=True):
            tag_name = plain_tag(element)
            if event == "start":
                if tag_name == tag:
                    wanted += 1
                open_elements.append((element, around.get(tag_name)))
                around[tag_name] = element
                continue
            # The element is complete, so it is no longer around; the one that it hid is again.
            _, hidden = open_elements.pop()
            del around[tag_name]
            if hidden is not None:
                around[tag_name] = hidden
            if tag_name == tag:
                wanted -= 1
                yield around, element
            if open_elements and not wanted:
                parent, _ = open_elements[-1]
                parent.remove(element)
    except DefusedXmlException:
        message = f"{name} declares entities, which no file of cards needs. Remove them."
        raise BadPackage("entities", message, name) from None
    except ParseError as error:
        line, column = error.position
        message = f"{name} is damaged: its XML breaks off at line {line}, column {column + 1}."
        raise BadPackage("bad_xml", message, name) from None
    except (ValueError, LookupError, RecursionError):
        raise BadPackage("bad_xml", f"{name} is no XML that can be read.", name) from None
