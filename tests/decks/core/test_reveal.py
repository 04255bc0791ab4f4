"""What a deck keeps secret is told to nobody until its author reveals it, then to everybody, and to nobody
once it is hidden again.
"""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from cardsdb.games import games
from decks.models import Deck

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def made(client: Client, game: str, text: str, format: str = "") -> Deck:
    """A deck that this browser made."""
    client.post(
        "/decks/new/",
        {"game": game, "name": "Mine", "format": format, "text": text, "visibility": "unlisted"},
    )
    return Deck.objects.with_cards().get()


@pytest.fixture
def bureau(client: Client) -> tuple[Deck, str]:
    """A deck of this browser, and the name of the X-File that is its secret."""
    game = games()["xfiles"]
    deck = made(client, "xfiles", next(one.text for one in game.starters if one.slug == "deck-mulder"))
    return deck, next(
        entry.card.name for entry in deck.decklist() if game.is_secret(entry.section, entry.card.type)
    )


PLACES = (
    "/decks/{0}/",
    "/decks/{0}/files/",
    "/decks/{0}/files/text/",
    "/decks/{0}/files/json/",
    "/api/v1/decks/{0}/",
    "/decks/{0}/numbers/",
    "/decks/{0}/share/",
    "/decks/{0}/embed/",
)


def _told(deck: Deck, place: str) -> str:
    answer = Client().get(place.format(deck.link))
    assert answer.status_code == 200
    return unescape(answer.content.decode())


@pytest.mark.parametrize("place", PLACES)
def test_a_secret_is_told_nowhere_before_it_is_revealed(bureau: tuple[Deck, str], place: str) -> None:
    assert bureau[1] not in _told(bureau[0], place)


@pytest.mark.parametrize(
    "place", ["/decks/{0}/", "/decks/{0}/files/text/", "/decks/{0}/files/json/", "/api/v1/decks/{0}/"]
)
def test_a_revealed_secret_is_told_to_everyone_and_hidden_again(
    client: Client, bureau: tuple[Deck, str], place: str
) -> None:
    deck, name = bureau
    client.post(f"/decks/{deck.link}/reveal/", {"revealed": "yes"})
    assert name in _told(deck, place)
    client.post(f"/decks/{deck.link}/reveal/", {"revealed": "no"})
    assert name not in _told(deck, place)


def test_print_follows_the_reveal(client: Client, bureau: tuple[Deck, str]) -> None:
    deck, _ = bureau

    def cards() -> str:
        page = Client().get(f"/print/?deck={deck.link}").content.decode()
        return re.search(r"<dt>Cards</dt><dd>(\d+)", page)[1]  # type: ignore[index]

    before = cards()
    client.post(f"/decks/{deck.link}/reveal/", {"revealed": "yes"})
    assert int(cards()) == int(before) + 1


def test_revealing_is_asked_about_first_and_changes_nothing_by_looking(
    client: Client, bureau: tuple[Deck, str]
) -> None:
    page = client.get(f"/decks/{bureau[0].link}/reveal/").content.decode()
    assert "Everyone who can see this deck will see it" in page
    assert not Deck.objects.get().revealed


def test_the_same_answer_twice_changes_nothing(client: Client, bureau: tuple[Deck, str]) -> None:
    for _ in range(2):
        client.post(f"/decks/{bureau[0].link}/reveal/", {"revealed": "yes"})
    assert Deck.objects.get().revealed


def test_only_who_may_edit_the_deck_reveals_it(bureau: tuple[Deck, str]) -> None:
    stranger = Client()
    assert stranger.get(f"/decks/{bureau[0].link}/reveal/").status_code == 404
    assert stranger.post(f"/decks/{bureau[0].link}/reveal/", {"revealed": "yes"}).status_code == 404
    assert not Deck.objects.get().revealed


def test_a_deck_without_secrets_has_nothing_to_reveal(client: Client, agency_text: str) -> None:
    deck = made(client, "spycraft", agency_text, "agency")
    assert client.get(f"/decks/{deck.link}/reveal/").status_code == 404
