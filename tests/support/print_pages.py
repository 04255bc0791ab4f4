"""The print page, opened for a public deck or a pasted list, and the values in its form."""

from __future__ import annotations

import pytest
from django.test import Client

from cardsdb.games import games
from decks.core.judging import judge_text
from decks.models import Deck, new_deck
from decks.models.deck import Visibility
from tests.support.made_decks import starter
from tests.support.pages import Page, page
from tests.support.saved_decks import save_list

LIST = {"game": "spycraft", "text": "2 Kai\n1 Li"}


@pytest.fixture
def deck(db):
    """A public deck of 59 cards: the starter Nine Tiger."""
    made, _ = new_deck()
    save_list(made, judge_text(games()["spycraft"], starter("spycraft", "nine-tiger")), name="Nine Tiger")
    Deck.objects.filter(pk=made.pk).update(visibility=Visibility.PUBLIC)
    return made


def shown(client: Client, address: str, **headers: str) -> Page:
    """Return the page at this address."""
    return page(client, address, headers=headers)


def chosen(page: Page, name: str) -> str:
    """Return the value of a field of the print form, as a browser would send it."""
    return page.one("form", class_="print-form").sent[name]


def shown_list(client: Client, **options: str | list[str]) -> Page:
    """Return the print page for a pasted list with these options, whatever its status."""
    return Page(client.post("/print/", LIST | options))


def laid(client: Client, deck: Deck, more: str = "") -> Page:
    """Return the print page of a deck on A4; ``more`` is appended to the address, such as ``&gap=2``."""
    return shown(client, f"/print/?deck={deck.link}&paper=a4{more}")
