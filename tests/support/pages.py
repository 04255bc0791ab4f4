"""Pages of the site as a reader has them: read as HTML and asked for what they show, and forms sent as bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.test import Client
from lxml import html

HEADINGS = "h1, h2, h3, h4"


@dataclass(frozen=True)
class Form:
    """A form as it would be sent if nobody touched it."""

    method: str
    action: str
    fields: dict[str, str]


@dataclass
class Page:
    """An answer and its HTML. Selectors are CSS; text has single spaces and none at its ends."""

    answer: Any

    @property
    def status(self) -> int:
        return int(self.answer.status_code)

    @cached_property
    def tree(self) -> html.HtmlElement:
        return html.document_fromstring(self.answer.content.decode())

    @property
    def title(self) -> str:
        return self.text("title")

    def all(self, selector: str) -> list[html.HtmlElement]:
        """The elements that a selector finds, in the order of the page."""
        return list(self.tree.cssselect(selector))

    def one(self, selector: str) -> html.HtmlElement:
        """The element that a selector finds; fails if there is none, or more than one."""
        found = self.all(selector)
        assert len(found) == 1, f"{len(found)} elements are {selector!r}"
        return found[0]

    def text(self, selector: str = "body") -> str:
        """The text of the one element that a selector finds."""
        return text_of(self.one(selector))

    def texts(self, selector: str) -> list[str]:
        return [text_of(element) for element in self.all(selector)]

    @property
    def headings(self) -> list[str]:
        return self.texts(HEADINGS)

    @property
    def links(self) -> dict[str, str]:
        """Text of a link -> where it leads; of several that say the same, the first."""
        links: dict[str, str] = {}
        for link in self.all("a[href]"):
            links.setdefault(text_of(link), link.get("href"))
        return links

    @property
    def forms(self) -> list[Form]:
        return [Form(form.method, form.action or "", dict(form.form_values())) for form in self.tree.forms]


def text_of(element: html.HtmlElement) -> str:
    """What is read: a space between words, none at the ends."""
    return " ".join(element.text_content().split())


def page(client: Client, url: str, query: Mapping[str, Any] | None = None) -> Page:
    """The page at an address."""
    return Page(client.get(url, query))


def post_bytes(client: Client, url: str, fields: Mapping[str, str]) -> Any:
    """The answer to a form. Text that is no text, as a lone surrogate, goes as the bytes that a hostile program would send."""
    body = urlencode({name: value.encode("utf-8", "surrogatepass") for name, value in fields.items()})
    return client.post(url, body, content_type="application/x-www-form-urlencoded")
