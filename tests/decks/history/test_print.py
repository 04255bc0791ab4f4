"""From a deck's history to the print page: what came in since a version, for whoever may edit the deck."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from decks.identity.viewer import Viewer
from decks.models import Deck
from decks.saving.save import save_edit
from tests.decks.history.test_history import having

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> Client:
    return Client()


@pytest.fixture
def deck(owner: Client) -> Deck:
    """Version 0 has 2 Kai, version 1 has 3, version 2 has 1 Termite besides. The owner's browser holds it."""
    made = owner.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai", "visibility": "public"})
    deck = Deck.objects.get(link=made["Location"].split("/")[2])
    me = Viewer(key_hash=deck.edit_hash)
    save_edit(deck.link, me, having(3))
    save_edit(deck.link, me, having(1, "termite"))
    return deck


def links(client: Client, address: str) -> list[str]:
    return re.findall(r'href="(/print/\?deck=[^"]*&since=[^"]*)"', unescape(client.get(address).content.decode()))


def test_each_earlier_version_leads_to_the_print_of_what_came_in_since(owner: Client, deck: Deck) -> None:
    found = links(owner, f"/decks/{deck.link}/history/")
    assert found == [f"/print/?deck={deck.link}&since={number}" for number in (1, 0)]
    page = owner.get(found[0], follow=True).content.decode()
    assert "1 card changed since version 1, 1 sheet" in page


def test_a_version_page_has_the_same_link_and_the_newest_none(owner: Client, deck: Deck) -> None:
    assert links(owner, f"/decks/{deck.link}/history/0/") == [f"/print/?deck={deck.link}&since=0"]
    assert links(owner, f"/decks/{deck.link}/history/2/") == []


def test_a_version_since_which_nothing_came_in_has_no_link(owner: Client, deck: Deck) -> None:
    me = Viewer(key_hash=deck.edit_hash)
    save_edit(deck.link, me, having(0, "termite"))
    save_edit(deck.link, me, having(1))
    assert links(owner, f"/decks/{deck.link}/history/") == []


@pytest.mark.parametrize(
    ("pair", "printed"),
    [(("@0", ""), 1), (("@1", "@2"), 1), (("@0", "@1"), 0), (("", "@0"), 0)],
    ids=["now", "newest", "both older", "back"],
)
def test_a_comparison_with_the_deck_as_it_is_leads_to_the_print(owner: Client, deck: Deck, pair: tuple[str, str], printed: int) -> None:
    a, b = (f"{deck.link}{end}" for end in pair)
    assert len(links(owner, f"/decks/compare/?a={a}&b={b}")) == printed


def test_of_two_decks_nothing_came_in(owner: Client, deck: Deck) -> None:
    other = owner.post("/decks/new/", {"game": "spycraft", "name": "Others", "text": "9 Li"})["Location"].split("/")[2]
    assert links(owner, f"/decks/compare/?a={deck.link}&b={other}") == []
