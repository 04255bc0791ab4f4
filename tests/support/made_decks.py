"""Decks made on the page of a new deck through the test client, and their edit links."""

from __future__ import annotations

from typing import Any

from django.test import Client

from cardsdb.games import games
from decks.models import Deck
from tests.support.pages import page


def starter(game: str, slug: str = "") -> str:
    """Return the text of this starter of the game, or of its first starter."""
    return next(one.text for one in games()[game].starters if slug in ("", one.slug))


def make_deck(
    client: Client, text: str, game: str = "spycraft", name: str = "Dragons", **values: str
) -> Deck:
    """Make a deck from this list and return its row. It is private unless ``visibility`` says otherwise."""
    answer = client.post("/decks/new/", {"game": game, "name": name, "text": text, **values})
    assert answer.status_code == 302, answer.content.decode()[:3000]
    return Deck.objects.get(link=answer["Location"].split("/")[2])


def made(client: Client, text: str, game: str = "spycraft", **values: str) -> Deck:
    """Make an unlisted deck: visible to everybody who has its address."""
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
    """Make a deck that is public by default, then set columns in the database directly (``stored``)."""
    deck = make_deck(client, text, game, name, visibility=visibility, format=format)
    Deck.objects.filter(pk=deck.pk).update(**stored)
    return deck


def edit_link(client: Client, deck: Deck) -> str:
    """Return the edit link on the page of a deck that was just made. It is shown only once."""
    return page(client, f"/decks/{deck.link}/").one(id="edit-address")["href"]


def key_in(address: str) -> str:
    """Return the edit key in an edit link."""
    return address.rpartition(".")[2]


def open_edit_link(client: Client, address: str, **how: Any) -> Any:
    """Open an edit link by a POST, as the page's script does, and as people do who paste the link into the
    form.
    """
    return client.post("/decks/edit/", {"edit_key": address}, **how)
