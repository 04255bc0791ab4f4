"""HTML pages as tests read them: ``page(client, "/cards/").main.one("h1").text``.

A ``Page`` is a parsed response and a ``Part`` an element of it; both find elements by tag, text and
attributes. ``one`` fails unless exactly one element matches, so a test cannot pass by accident. Also here:
``post_bytes``, for form data that the test client refuses to send.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponseBase
from django.test import Client
from lxml import html

# The text of inline elements joins the text beside it; other elements are separated by a space.
_INLINE = frozenset("a abbr b bdi code del em i ins kbd label mark small span strong sub sup time".split())


class Part:
    """An element of a page, with everything inside it."""

    def __init__(self, element: Any) -> None:
        self._element = element

    def all(self, tag: str | None = None, *, text: str | None = None, **attributes: str | bool) -> list[Part]:
        """Return the elements inside that match, in page order.

        ``text`` is the whole text of the element. An attribute is given by its value; True means it is
        present, False absent. ``class_`` matches one of the classes; ``for_`` and ``data_key`` stand for
        ``for`` and ``data-key``.
        """
        parts = (
            Part(element)
            for element in self._element.iterdescendants(*(tag,) if tag else ())
            if isinstance(element.tag, str)
        )
        return [part for part in parts if part._is(attributes) and (text is None or part.text == text)]

    def one(self, tag: str | None = None, **wanted: Any) -> Part:
        """Return the only element that matches; AssertionError if there are none or several."""
        parts = self.all(tag, **wanted)
        assert len(parts) == 1, f"{len(parts)} elements {tag or ''} {wanted} in: {self.text[:500]}"
        return parts[0]

    def has(self, tag: str | None = None, **wanted: Any) -> bool:
        """Return True if at least one element matches."""
        return bool(self.all(tag, **wanted))

    @property
    def text(self) -> str:
        """The visible text, with single spaces; ``value`` has the content of a field with its line breaks."""
        return " ".join("".join(_words(self._element)).split())

    @property
    def links(self) -> list[str]:
        """The addresses of all links inside."""
        return [link["href"] for link in self.all("a", href=True)]

    def link(self, text: str) -> str:
        """Return the address of the only link with this text."""
        return self.one("a", text=text)["href"]

    def row(self, heading: str) -> list[Part]:
        """Return the cells of the only table row with this heading."""
        return self.one("th", scope="row", text=heading).parent.all("td")

    def field(self, name: str) -> Part:
        """Return the only visible form field of this name."""
        (field,) = [
            part
            for tag in ("input", "select", "textarea")
            for part in self.all(tag, name=name)
            if part.get("type") != "hidden"
        ]
        return field

    @property
    def value(self) -> str | None:
        """The current value of a form field. HTML ignores a line end directly after ``<textarea>``, so it is
        removed.
        """
        value: str | None = self._element.value
        return value.removeprefix("\n") if value and self._element.tag == "textarea" else value

    @property
    def sent(self) -> dict[str, str]:
        """The values that a browser would send for the unchanged form: name -> value, the last one if a name
        repeats.
        """
        areas = {area.name for area in self._element.iter("textarea")}
        values = dict(self._element.form_values())
        return {name: value.removeprefix("\n") if name in areas else value for name, value in values.items()}

    @property
    def json(self) -> Any:
        """The parsed JSON of a data script."""
        return json.loads(self._element.text)

    @property
    def tag(self) -> str:
        return str(self._element.tag)

    @property
    def parent(self) -> Part:
        return Part(self._element.getparent())

    def get(self, attribute: str) -> str | None:
        value: str | None = self._element.get(attribute)
        return value

    def __getitem__(self, attribute: str) -> str:
        return str(self._element.attrib[attribute])

    def _is(self, attributes: Mapping[str, str | bool]) -> bool:
        for name, wanted in attributes.items():
            value = self.get(name.strip("_").replace("_", "-"))
            if isinstance(wanted, bool):
                if (value is not None) != wanted:
                    return False
            elif wanted not in ((value or "").split() if name == "class_" else [value]):
                return False
        return True


class Page(Part):
    """A whole page, or the fragment that a script asked for, with its ``status`` and template ``context``."""

    def __init__(self, answer: Any) -> None:
        super().__init__(html.document_fromstring(answer.content.decode()))
        self.status: int = answer.status_code
        self.context = getattr(answer, "context", None)

    @property
    def main(self) -> Part:
        """The ``<main>`` element: the page without the site's header and footer."""
        return self.one("main")


def page(
    client: Client, url: str, data: Mapping[str, Any] | None = None, *, status: int = 200, **request: Any
) -> Page:
    """Fetch an address and return its page; ``data`` is the query string. AssertionError on another
    status.
    """
    return page_of(client.get(url, data, **request), status=status)


def page_of(answer: HttpResponseBase, *, status: int = 200) -> Page:
    """Return the page in a response; AssertionError on another status."""
    assert answer.status_code == status, answer.status_code
    return Page(answer)


def piece_of(markup: str) -> Part:
    """Return a fragment of HTML, such as the output of a template macro, wrapped in a part."""
    return Part(html.fragment_fromstring(markup, create_parent="div"))


def post_bytes(client: Client, url: str, fields: Mapping[str, str]) -> Any:
    """Send a form and return the response. Invalid text, such as a lone surrogate, is sent as the bytes
    that a hostile program would send.
    """
    body = urlencode({name: value.encode("utf-8", "surrogatepass") for name, value in fields.items()})
    return client.post(url, body, content_type="application/x-www-form-urlencoded")


def _words(element: Any) -> Iterator[str]:
    """Yield the visible texts inside an element, with spaces around block elements."""
    if not isinstance(element.tag, str) or element.tag in ("script", "style", "template"):
        return
    apart = "" if element.tag in _INLINE else " "
    yield apart + (element.text or "")
    for child in element:
        yield from _words(child)
        yield child.tail or ""
    yield apart
