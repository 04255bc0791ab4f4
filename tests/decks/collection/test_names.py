"""Several decks of one name can be told apart where a collection is weighed against them."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.test import Client

from cardsdb.games import games
from decks.models import Deck

pytestmark = pytest.mark.django_db


@pytest.fixture
def decks(client: Client) -> list[Deck]:
    """Two decks of one name, made on two days, and a third of another."""
    for name, text in (("Dragons", "2 Kai"), ("Dragons", "3 Kai"), ("Others", "1 Kai")):
        client.post("/decks/new/", {"game": "spycraft", "format": "agency", "name": name, "text": text})
    found = list(Deck.objects.order_by("pk"))
    for day, deck in enumerate(found, 1):
        Deck.objects.filter(pk=deck.pk).update(changed=datetime(2024, 5, day, 9, 30, tzinfo=UTC))
    return found


def test_every_deck_has_its_format_and_when_it_was_changed_beside_its_name(
    client: Client, decks: list[Deck]
) -> None:
    page = client.get("/collection/decks/").content.decode()
    format = games()["spycraft"].formats_by_slug["agency"].name
    hints = re.findall(r'<span class="hint">(Spycraft[^<]*changed[^<]*)</span>', page)
    assert sorted(hints) == [f"Spycraft, {format}, changed {day} May 2024, 09:30 UTC" for day in (1, 2, 3)]


def test_where_decks_are_named_together_those_of_one_name_have_their_day(
    client: Client, decks: list[Deck]
) -> None:
    page = client.get("/collection/decks/", {"deck": [deck.link for deck in decks]}).content.decode()
    below = page.partition("Where they get in each other")[2]
    assert "Dragons (1 May 2024, 09:30 UTC) 2" in below
    assert "Dragons (2 May 2024, 09:30 UTC) 3" in below
    assert "Others 1" in below
