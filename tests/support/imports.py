"""A deck on its way in: a file or a list sent to the page of imports, what that says, and its second step."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.support.pages import Page, page_of

ADDRESS = "/decks/import/"


def sent(
    client: Client, data: bytes, name: str = "Night_Watch.o8d", *, status: int = 200, **values: str
) -> Page:
    """What the page says of a file."""
    return page_of(client.post(ADDRESS, {"file": SimpleUploadedFile(name, data), **values}), status=status)


def pasted(client: Client, text: str, game: str = "spycraft", *, status: int = 200) -> Page:
    return page_of(client.post(ADDRESS, {"pasted": text, "game": game}), status=status)


def fields(shown: Page) -> dict[str, str]:
    """What the second step's form holds."""
    return {
        name: value.replace("\r\n", "\n").removeprefix("\n") if name in ("text", "notes") else value
        for name, value in shown.one("form", id="list-form").sent.items()
        if name != "csrfmiddlewaretoken"
    }


def again(client: Client, shown: Page, *, status: int = 200, **values: str) -> Page:
    """The page that the second step leads to."""
    return page_of(client.post(ADDRESS, fields(shown) | values), status=status)


def kept(client: Client, shown: Page, **values: str) -> Any:
    return client.post(ADDRESS, fields(shown) | {"step": "keep"} | values)


def report(shown: Page) -> str:
    """The words of what changed on the way."""
    return shown.one("section", class_="import-losses").text
