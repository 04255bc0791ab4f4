"""The print page as the tests look at it: a public deck, and what stands in the form."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from cardsdb.games import games
from decks.core.judging import judge_text
from decks.models import Deck, new_deck
from decks.models.deck import Visibility
from tests.support.saved_decks import save_list

LIST = {"game": "spycraft", "text": "2 Kai\n1 Li"}


@pytest.fixture
def deck(db: None) -> Deck:
    """A public deck of 59 cards: a starter."""
    starter = next(one for one in games()["spycraft"].starters if one.slug == "nine-tiger")
    made, _ = new_deck()
    save_list(made, judge_text(games()["spycraft"], starter.text), name="Nine Tiger")
    Deck.objects.filter(pk=made.pk).update(visibility=Visibility.PUBLIC)
    return made


def shown(client: Client, address: str, **headers: str) -> str:
    answer = client.get(address, headers=headers)
    assert answer.status_code == 200, answer
    # Sizes and counts are kept on one line by spaces that do not break.
    return unescape(answer.content.decode()).replace("\u00a0", " ")


def chosen(page: str, name: str) -> str:
    """The value of a field of the form as a browser would send it."""
    select = re.search(rf'<select name="{name}".*?</select>', page, re.S)
    if select:
        found = re.search(r'<option value="([^"]*)" selected', select[0])
        return found[1] if found else ""
    box = re.search(rf'<input type="checkbox" name="{name}"[^>]*>', page)
    if box:
        return "yes" if " checked" in box[0] else "no"
    (value,) = re.findall(rf'name="{name}" id="f-{name}" value="([^"]*)"', page)
    return str(value)


def shown_list(client: Client, **options: str) -> str:
    """The page for a pasted list, whatever it says of it."""
    return unescape(client.post("/print/", LIST | options).content.decode()).replace("\u00a0", " ")
