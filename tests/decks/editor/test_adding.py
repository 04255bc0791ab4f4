"""From a card's page into a deck."""

from __future__ import annotations

import pytest
from django.test import Client

from decks.models import Deck, DeckLine

pytestmark = pytest.mark.django_db


@pytest.fixture
def deck(client: Client) -> Deck:
    client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai", "visibility": "public"})
    return Deck.objects.get()


def test_a_cards_page_leads_to_ones_decks(client: Client, deck: Deck) -> None:
    assert 'href="/cards/spycraft/termite/add/"' in client.get("/cards/spycraft/termite/").content.decode()
    assert "Dragons" in client.get("/cards/spycraft/termite/add/").content.decode()


def test_a_copy_goes_into_the_section_of_its_type(client: Client, deck: Deck) -> None:
    answer = client.post("/cards/spycraft/li-cong/add/", {"deck": deck.link})
    assert (answer.status_code, answer["Location"]) == (302, f"/decks/{deck.link}/edit/")
    assert set(DeckLine.objects.values_list("section", "card__code", "count")) == {("deck", "kai", 2), ("leaders", "li-cong", 1)}


def test_one_copy_too_many_is_refused_in_words(client: Client, deck: Deck) -> None:
    DeckLine.objects.update(count=99)
    answer = client.post("/cards/spycraft/kai/add/", {"deck": deck.link})
    assert (answer.status_code, "at most 99" in answer.content.decode()) == (400, True)


def test_nobody_adds_to_anothers_deck(client: Client, deck: Deck) -> None:
    stranger = Client()
    assert "Dragons" not in stranger.get("/cards/spycraft/kai/add/").content.decode()
    assert stranger.post("/cards/spycraft/kai/add/", {"deck": deck.link}).status_code == 404


@pytest.mark.parametrize("address", ["/cards/spycraft/nobody/add/", "/cards/chess/king/add/"])
def test_a_card_that_is_not_there_is_404(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404
