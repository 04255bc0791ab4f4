"""Make decks on the page of a new deck, as visitors do, and use their edit links."""

from __future__ import annotations

from typing import Any

from django.test import Client

from cardsdb.games import games
from decks.models import Deck
from tests.support.pages import page


def starter(game: str, slug: str = "") -> str:
    """The list text of a starter of the game, by default of its first."""
    return next(row.text for row in games()[game].starters if slug in ("", row.slug))


def make_deck(
    client: Client, text: str, game: str = "spycraft", name: str = "Dragons", **values: str
) -> Deck:
    answer = client.post("/decks/new/", {"game": game, "name": name, "text": text, **values})
    assert answer.status_code == 302, answer.content.decode()[:3000]
    return Deck.objects.get(link=answer["Location"].split("/")[2])


def made(client: Client, text: str, game: str = "spycraft", **values: str) -> Deck:
    """Make an unlisted deck, which every visitor with its link may see."""
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
    """Make a deck, by default a public one, and set these columns of its row."""
    deck = make_deck(client, text, game, name, visibility=visibility, format=format)
    Deck.objects.filter(pk=deck.pk).update(**stored)
    return deck


def edit_link(client: Client, deck: Deck) -> str:
    """The edit link on the page of a deck that was just made. The page shows it only once."""
    return page(client, f"/decks/{deck.link}/").one(id="edit-address")["href"]


def key_in(address: str) -> str:
    """The edit key in an edit link."""
    return address.rpartition(".")[2]


def open_edit_link(client: Client, address: str, **how: Any) -> Any:
    """Send an edit link, as the page's script does, or a visitor without script who pastes it."""
    return client.post("/decks/edit/", {"edit_key": address}, **how)
