"""Pages as a test reads them: parsed, asked for elements, links, fields and words. And requests that the test
client would not send.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponseBase
from django.test import Client
from lxml import html

# Words of these elements run on into the words beside them; those of all others stand apart.
_INLINE = frozenset("a abbr b bdi code del em i ins kbd label mark small span strong sub sup time".split())


class Part:
    """An element of a page, and what stands in it."""

    def __init__(self, element: Any) -> None:
        self._element = element

    def all(self, tag: str | None = None, *, text: str | None = None, **attributes: str | bool) -> list[Part]:
        """The elements inside, in their order, that have this tag, these words alone and these attributes.

        ``class_`` is one of the classes, ``for_`` and ``data_key`` are ``for`` and ``data-key``; True asks
        that an attribute is there, False that it is not.
        """
        parts = (
            Part(element)
            for element in self._element.iterdescendants(*(tag,) if tag else ())
            if isinstance(element.tag, str)
        )
        return [part for part in parts if part._is(attributes) and (text is None or part.text == text)]

    def one(self, tag: str | None = None, **wanted: Any) -> Part:
        """The only such element; AssertionError if there is none or are several."""
        parts = self.all(tag, **wanted)
        assert len(parts) == 1, f"{len(parts)} elements {tag or ''} {wanted} in: {self.text[:500]}"
        return parts[0]

    def has(self, tag: str | None = None, **wanted: Any) -> bool:
        return bool(self.all(tag, **wanted))

    @property
    def text(self) -> str:
        """The words a reader sees, one space between them."""
        return " ".join("".join(_words(self._element)).split())

    @property
    def links(self) -> list[str]:
        """The addresses that links inside lead to."""
        return [link["href"] for link in self.all("a", href=True)]

    def link(self, text: str) -> str:
        """Where the only link of these words leads."""
        return self.one("a", text=text)["href"]

    def row(self, heading: str) -> list[Part]:
        """The cells of the only table row under this heading."""
        return self.one("th", scope="row", text=heading).parent.all("td")

    def field(self, name: str) -> Part:
        """The only field of this name that somebody can see."""
        (field,) = [
            part
            for tag in ("input", "select", "textarea")
            for part in self.all(tag, name=name)
            if part.get("type") != "hidden"
        ]
        return field

    @property
    def value(self) -> str | None:
        """What a field holds. A line end directly after ``<textarea>`` is none of its text."""
        value: str | None = self._element.value
        return value.removeprefix("\n") if value and self._element.tag == "textarea" else value

    @property
    def sent(self) -> dict[str, str]:
        """What a browser sends of a form that nobody touched: name -> value, the last of several."""
        areas = {area.name for area in self._element.iter("textarea")}
        values = dict(self._element.form_values())
        return {name: value.removeprefix("\n") if name in areas else value for name, value in values.items()}

    @property
    def json(self) -> Any:
        """What a script of data holds."""
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
    """A page, or the piece of one that a script asks for."""

    def __init__(self, answer: Any) -> None:
        super().__init__(html.document_fromstring(answer.content.decode()))
        self.status: int = answer.status_code
        self.context = getattr(answer, "context", None)

    @property
    def main(self) -> Part:
        """What is the page's own: without the head and the foot of the site."""
        return self.one("main")


def page(
    client: Client, url: str, data: Mapping[str, Any] | None = None, *, status: int = 200, **request: Any
) -> Page:
    """The page at this address, ``data`` being its query. AssertionError if its status is another one."""
    return page_of(client.get(url, data, **request), status=status)


def page_of(answer: HttpResponseBase, *, status: int = 200) -> Page:
    """The page that an answer holds."""
    assert answer.status_code == status, answer.status_code
    return Page(answer)


def piece_of(markup: str) -> Part:
    """What a macro makes, as a part that holds it."""
    return Part(html.fragment_fromstring(markup, create_parent="div"))


def post_bytes(client: Client, url: str, fields: Mapping[str, str]) -> Any:
    """The answer to a form. Text that is no text, as a lone surrogate, goes as the bytes that a hostile
    program would send.
    """
    body = urlencode({name: value.encode("utf-8", "surrogatepass") for name, value in fields.items()})
    return client.post(url, body, content_type="application/x-www-form-urlencoded")


def _words(element: Any) -> Iterator[str]:
    if not isinstance(element.tag, str) or element.tag in ("script", "style", "template"):
        return
    apart = "" if element.tag in _INLINE else " "
    yield apart + (element.text or "")
    for child in element:
        yield from _words(child)
        yield child.tail or ""
    yield apart
