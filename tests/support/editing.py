"""Change decks in the editor, as its page and its script do."""

from __future__ import annotations

import pytest
from django.test import Client

from decks.models import Deck
from tests.support.made_decks import make_deck
from tests.support.pages import Page, Part, page_of

# The headers of a request by the editor's script.
HTMX = {"HX-Request": "true", "HX-Target": "deck"}


def open_editor(client: Client, text: str = "2 Kai\n1 Termite", game: str = "spycraft", **values: str) -> str:
    """Make a deck, and return the address of its editor."""
    return f"/decks/{make_deck(client, text, game, **values).link}/edit/"


@pytest.fixture
def editor(client):
    return open_editor(client)


def press(client: Client, editor: str, edit: str, *, status: int = 200, **sent: object) -> Page:
    """Make a change (``+1 deck kai``) as the script does, and return the part of the page with the deck."""
    return page_of(client.post(editor, {"edit": edit, **sent}, headers=HTMX), status=status)


def cards() -> dict[str, int]:
    """The cards of the only stored deck: ``{"deck kai": 2}``."""
    deck = Deck.objects.with_cards().get()
    return {f"{entry.section} {entry.card.code}": entry.count for entry in deck.decklist()}


def shown(page: Part) -> list[str]:
    """The codes of the cards that the editor's search shows."""
    return [row["id"].removeprefix("card-") for row in page.all(class_="result-row")]


def first_form(page: Page) -> Part:
    """The form that opens the editor with an empty deck."""
    return page.one("form", class_="new-empty")
