"""A shelf of decks for the tests of public decks, and how they are asked for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.games import games
from decks.models import Deck, Favourite, Like


def starter(game: str, slug: str) -> str:
    return next(one.text for one in games()[game].starters if one.slug == slug)


def make_deck(
    client: Client,
    name: str,
    text: str,
    game: str = "spycraft",
    visibility: str = "public",
    format: str = "",
    **stored: Any,
) -> Deck:
    sent = {"game": game, "name": name, "text": text, "visibility": visibility, "format": format}
    made = client.post("/decks/new/", sent)
    deck = Deck.objects.get(link=made["Location"].split("/")[2])
    Deck.objects.filter(pk=deck.pk).update(**stored)
    return deck


@pytest.fixture(scope="module")
def shelf(module_db):
    """Six decks, of which Anna's browser sees all and a stranger five."""
    anna = Client()
    anna.force_login(User.objects.create_user("anna"))
    tiger = make_deck(
        anna, "Nine Tiger", starter("spycraft", "nine-tiger"), tags=["mirror", "Club Night"], likes=4
    )
    make_deck(Client(), "Banshee Nét", starter("spycraft", "banshee-net"), likes=1)
    make_deck(Client(), "Missions", starter("spycraft", "mission-deck-base"), house="MI-1.exactly=20")
    make_deck(Client(), "Two Kai", "2 Kai\n1 Termite", forked_from=tiger, forked_revision=0)
    make_deck(
        Client(),
        "Truth",
        starter("xfiles", "deck-mulder"),
        game="xfiles",
        changed=datetime(2025, 3, 31, 23, tzinfo=UTC),
    )
    make_deck(anna, "Tiger at Home", starter("spycraft", "nine-tiger"), visibility="private")
    Favourite.objects.create(deck=Deck.objects.get(name="Two Kai"), user=User.objects.get())
    Like.objects.create(deck=Deck.objects.get(name="Truth"), user=User.objects.get())
    return anna


def found(client: Client, query: str, **asked: str) -> list[str]:
    answer = client.get("/decks/", {"q": query, **asked})
    assert answer.status_code == 200
    return [row.deck.name for row in answer.context["rows"]]


SPYCRAFT = {"Nine Tiger", "Banshee Nét", "Missions", "Two Kai"}
PUBLIC = SPYCRAFT | {"Truth"}
