"""Decks that are made on the page of a new deck and changed in the editor, through the test client."""

from __future__ import annotations

import pytest
from django.test import Client

from decks.models import Deck
from tests.support.made_decks import make_deck
from tests.support.pages import Page, Part, page_of

# The headers that the editor's script (htmx) sends with each change.
HTMX = {"HX-Request": "true", "HX-Target": "deck"}


def open_editor(client: Client, text: str = "2 Kai\n1 Termite", game: str = "spycraft", **values: str) -> str:
    """Make a deck from this list and return the address of its editor."""
    return f"/decks/{make_deck(client, text, game, **values).link}/edit/"


@pytest.fixture
def editor(client):
    """The address of the editor of a new deck."""
    return open_editor(client)


def press(client: Client, editor: str, edit: str, *, status: int = 200, **sent: object) -> Page:
    """Send a change as the editor's script does; return the deck pane that comes back. ``edit`` is a command
    such as ``+1 deck kai``.
    """
    return page_of(client.post(editor, {"edit": edit, **sent}, headers=HTMX), status=status)


def cards() -> dict[str, int]:
    """Return the cards of the only deck in the database: "section code" -> count."""
    deck = Deck.objects.with_cards().get()
    return {f"{entry.section} {entry.card.code}": entry.count for entry in deck.decklist()}


def shown(page: Part) -> list[str]:
    """Return the codes of the cards in the editor's search results."""
    return [row["id"].removeprefix("card-") for row in page.all(class_="result-row")]


def first_form(page: Page) -> Part:
    """Return the form whose button opens the editor with an empty deck."""
    return page.one("form", class_="new-empty")
