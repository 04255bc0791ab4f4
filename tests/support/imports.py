"""Import a deck on its page: the first step sends a file or a list, the second confirms what was read."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.support.pages import Page, page_of

ADDRESS = "/decks/import/"


def sent(
    client: Client, data: bytes, name: str = "Night_Watch.o8d", *, status: int = 200, **values: str
) -> Page:
    """Send a file, and return the page of the second step."""
    return page_of(client.post(ADDRESS, {"file": SimpleUploadedFile(name, data), **values}), status=status)


def pasted(client: Client, text: str, game: str = "spycraft", *, status: int = 200) -> Page:
    """The same for a pasted list."""
    return page_of(client.post(ADDRESS, {"pasted": text, "game": game}), status=status)


def fields(shown: Page) -> dict[str, str]:
    """The fields of the second step's form, with line ends as ``\\n``."""
    return {
        name: value.replace("\r\n", "\n").removeprefix("\n") if name in ("text", "notes") else value
        for name, value in shown.one("form", id="list-form").sent.items()
        if name != "csrfmiddlewaretoken"
    }


def again(client: Client, shown: Page, *, status: int = 200, **values: str) -> Page:
    """Send the second step without keeping the deck, and return the page."""
    return page_of(client.post(ADDRESS, fields(shown) | values), status=status)


def kept(client: Client, shown: Page, **values: str) -> Any:
    """Send the second step and keep the deck."""
    return client.post(ADDRESS, fields(shown) | {"step": "keep"} | values)


def report(shown: Page) -> str:
    """The words of the page about what was lost in the import."""
    return shown.one("section", class_="import-losses").text
