"""Decks as visitors make them on the page of a new deck, and the edit links that they are shown."""

from __future__ import annotations

from typing import Any

from django.test import Client

from cardsdb.games import games
from decks.models import Deck
from tests.support.pages import page


def starter(game: str, slug: str = "") -> str:
    """The text of this starter of the game, or of its first."""
    return next(one.text for one in games()[game].starters if slug in ("", one.slug))


def make_deck(
    client: Client, text: str, game: str = "spycraft", name: str = "Dragons", **values: str
) -> Deck:
    answer = client.post("/decks/new/", {"game": game, "name": name, "text": text, **values})
    assert answer.status_code == 302, answer.content.decode()[:3000]
    return Deck.objects.get(link=answer["Location"].split("/")[2])


def made(client: Client, text: str, game: str = "spycraft", **values: str) -> Deck:
    """A deck that whoever has its address may see."""
    return make_deck(client, text, game, **{"visibility": "unlisted", **values})


def named_deck(
    client: Client,
    name: str,
    text: str,
    game: str = "spycraft",
    visibility: str = "public",
    format: str = "",
    **stored: Any,
) -> Deck:
    """A deck that all may see unless told otherwise, with these values in its columns."""
    deck = make_deck(client, text, game, name, visibility=visibility, format=format)
    Deck.objects.filter(pk=deck.pk).update(**stored)
    return deck


def edit_link(client: Client, deck: Deck) -> str:
    """The edit link on the page of a deck that was just made. It is shown once."""
    return page(client, f"/decks/{deck.link}/").one(id="edit-address")["href"]


def key_in(address: str) -> str:
    """The secret in an edit link."""
    return address.rpartition(".")[2]


def open_edit_link(client: Client, address: str, **how: Any) -> Any:
    """What the script of the page sends, and whoever has none and pastes the link."""
    return client.post("/decks/edit/", {"edit_key": address}, **how)
