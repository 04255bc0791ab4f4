"""Decks made on the pages and changed in the editor."""

from __future__ import annotations

import pytest
from django.test import Client

from decks.models import Deck
from tests.support.made_decks import make_deck
from tests.support.pages import Page, Part, page_of

# What the editor's script sends along.
HTMX = {"HX-Request": "true", "HX-Target": "deck"}


def open_editor(client: Client, text: str = "2 Kai\n1 Termite", game: str = "spycraft", **values: str) -> str:
    """The address of a new deck's editor."""
    return f"/decks/{make_deck(client, text, game, **values).link}/edit/"


@pytest.fixture
def editor(client):
    return open_editor(client)


def press(client: Client, editor: str, edit: str, *, status: int = 200, **sent: object) -> Page:
    """The deck's side of the editor, as a script gets it after this change."""
    return page_of(client.post(editor, {"edit": edit, **sent}, headers=HTMX), status=status)


def cards() -> dict[str, int]:
    """The cards of the only deck there is: section and code -> count."""
    deck = Deck.objects.with_cards().get()
    return {f"{entry.section} {entry.card.code}": entry.count for entry in deck.decklist()}


def shown(page: Part) -> list[str]:
    """The codes of the cards found."""
    return [row["id"].removeprefix("card-") for row in page.all(class_="result-row")]


def first_form(page: Page) -> Part:
    """The form of the button that opens the editor without a list to look over."""
    return page.one("form", class_="new-empty")
