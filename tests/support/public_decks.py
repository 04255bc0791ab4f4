"""A set of decks for tests about public decks (search, likes, favourites), and a search among them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from decks.models import Deck, Favourite, Like
from tests.support.accounts import member
from tests.support.made_decks import named_deck, starter


@pytest.fixture(scope="module")
def shelf(module_db):
    """Six decks, five of them public; returns the client of Anna, who owns two. Made once per module."""
    anna = member("anna")
    tiger = named_deck(
        anna, "Nine Tiger", starter("spycraft", "nine-tiger"), tags=["mirror", "Club Night"], likes=4
    )
    named_deck(Client(), "Banshee Nét", starter("spycraft", "banshee-net"), likes=1)
    named_deck(Client(), "Missions", starter("spycraft", "mission-deck-base"), house="MI-1.exactly=20")
    named_deck(Client(), "Two Kai", "2 Kai\n1 Termite", forked_from=tiger, forked_revision=0)
    named_deck(
        Client(),
        "Truth",
        starter("xfiles", "deck-mulder"),
        game="xfiles",
        changed=datetime(2025, 3, 31, 23, tzinfo=UTC),
    )
    named_deck(anna, "Tiger at Home", starter("spycraft", "nine-tiger"), visibility="private")
    Favourite.objects.create(deck=Deck.objects.get(name="Two Kai"), user=User.objects.get())
    Like.objects.create(deck=Deck.objects.get(name="Truth"), user=User.objects.get())
    return anna


def found(client: Client, query: str, **params: str) -> list[str]:
    """Return the names of the decks that this query finds on ``/decks/``, in order."""
    answer = client.get("/decks/", {"q": query, **params})
    assert answer.status_code == 200
    return [row.deck.name for row in answer.context["rows"]]


# The names of the public decks.
SPYCRAFT = {"Nine Tiger", "Banshee Nét", "Missions", "Two Kai"}
PUBLIC = SPYCRAFT | {"Truth"}
