"""The two steps of the page "Import a deck": send a file or a list, look at what was read, then save it."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.support.pages import Page, page_of

ADDRESS = "/decks/import/"


def sent(
    client: Client, data: bytes, name: str = "Night_Watch.o8d", *, status: int = 200, **values: str
) -> Page:
    """Upload a file; return the page with the second step."""
    return page_of(client.post(ADDRESS, {"file": SimpleUploadedFile(name, data), **values}), status=status)


def pasted(client: Client, text: str, game: str = "spycraft", *, status: int = 200) -> Page:
    """Paste a list; return the page with the second step."""
    return page_of(client.post(ADDRESS, {"pasted": text, "game": game}), status=status)


def fields(shown: Page) -> dict[str, str]:
    """Return the fields of the second step's form, with plain line ends and without the CSRF token."""
    return {
        name: value.replace("\r\n", "\n").removeprefix("\n") if name in ("text", "notes") else value
        for name, value in shown.one("form", id="list-form").sent.items()
        if name != "csrfmiddlewaretoken"
    }


def again(client: Client, shown: Page, *, status: int = 200, **values: str) -> Page:
    """Send the second step's form with changed values; return the page that follows."""
    return page_of(client.post(ADDRESS, fields(shown) | values), status=status)


def kept(client: Client, shown: Page, **values: str) -> Any:
    """Save the deck; return the response."""
    return client.post(ADDRESS, fields(shown) | {"step": "keep"} | values)


def report(shown: Page) -> str:
    """Return the text of the section about what was lost or changed while reading."""
    return shown.one("section", class_="import-losses").text
