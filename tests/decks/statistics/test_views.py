"""The pages of a deck's numbers and the same numbers in the API: open to everyone who may see the deck, and
only to them.
"""

from dataclasses import replace

import pytest
from django.test import Client

from cardsdb.catalogue.loader import load
from cardsdb.games import games
from cardsdb.games.kit.play.opening import Deal, Opening, Pile
from decks.models import Deck
from tests.support.made_decks import made, starter
from tests.support.pages import page
from tests.support.queries import queries_of

# SQLite is enough here: tests/house/test_permissions.py asks for each address on PostgreSQL too.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


PAGES = ("/decks/{}/numbers/", "/decks/{}/numbers/odds/?a=t:agent", "/decks/{}/numbers/hands/?seed=a")

ADDRESSES = (*PAGES, *(address.replace("/decks/", "/api/v1/decks/") for address in PAGES))


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.slug)
def test_starters_of_every_game_have_all_pages_of_numbers(client, game):
    ready = game.starters[0]
    deck = made(client, ready.text, game.slug, format=ready.format)
    for address in PAGES:
        assert not page(client, address.format(deck.link)).has(style=True), address


def test_page_and_api_have_the_same_tables(client, agency_text):
    deck = made(client, agency_text)
    shown = page(client, f"/decks/{deck.link}/numbers/")
    parts = {
        part.one(class_="statistics-title").all("p")[0].text: part
        for part in shown.all("section", class_="statistics-part")
    }
    tables = client.get(f"/api/v1/decks/{deck.link}/numbers/").json()["tables"]
    assert list(parts) == [table["title"] for table in tables]
    of_facts = [link for link in shown.links if "/odds/?a=" in link and "type" not in link]
    assert of_facts, "rows of drawn cards lead to their odds"
    (types,) = [table for table in tables if table["title"] == "Cards by type"]
    for row in types["rows"]:
        assert parts["Cards by type"].row(row["label"])[0].text == str(row["cells"][0])


def test_a_secret_x_file_is_counted_only_for_its_owner(client):
    text = "X-File:\n1 Duane Barry\nStarting Agents:\n1 Agent Fox Mulder\nBureau:\n2 Newark, NJ"
    deck = made(client, text, "xfiles")
    for visitor, known in ((client, False), (Client(), True)):
        assert ("keeps secret" in page(visitor, f"/decks/{deck.link}/numbers/").main.text) is known
    for address in ADDRESSES:
        assert "Duane Barry" not in Client().get(address.format(deck.link)).text
    assert Client().get(f"/decks/{deck.link}/numbers/odds/?a_card=duane-barry").status_code == 400


@pytest.fixture
def one_pile(monkeypatch):
    """The X-Files game with one pile of everything, which would shuffle the secret X-File in."""
    game = replace(games()["xfiles"], opening=Opening((Pile("all", "All cards", (Deal("Hand", 7),)),)))
    monkeypatch.setattr("decks.statistics.numbers.game_or_404", lambda _: game)


@pytest.mark.usefixtures("one_pile")
def test_secret_cards_are_never_shuffled_in_not_even_revealed_ones(client):
    deck = made(client, "X-File:\n1 Duane Barry\nBureau:\n2 Newark, NJ", "xfiles")
    Deck.objects.update(revealed=True)
    api, pages = f"/api/v1/decks/{deck.link}/numbers/", f"/decks/{deck.link}/numbers/"
    assert [pile["cards"] for pile in client.get(api).json()["piles"]] == [2]
    assert client.get(f"{api}odds/").json()["total"] == 2
    assert client.get(f"{pages}odds/").context["total"] == 2
    (hand,) = client.get(f"{api}hands/?seed=a").json()["piles"]
    assert [card["name"] for card in hand["drawn"][0]["cards"]] == ["Newark, NJ"] * 2
    (row,) = client.get(f"{pages}hands/?seed=a").context["piles"]
    assert [card.name for card in row["hand"].drawn[0].cards] == ["Newark, NJ"] * 2


def test_a_partner_deck_is_counted_only_for_visitors_who_may_see_it(client, agency_text):
    deck = made(client, agency_text)
    partner = made(client, starter("spycraft", "mission-deck-base"), visibility="private")
    Deck.objects.filter(pk=deck.pk).update(partner=partner)
    for visitor, seen in ((client, True), (Client(), False)):
        tables = visitor.get(f"/decks/{deck.link}/numbers/").context["tables"]
        assert ("Team and missions" in [shown.table.title for shown, _, _ in tables]) is seen


@pytest.mark.parametrize(("address", "most"), [(PAGES[0], 12), (PAGES[1], 14), (PAGES[2], 12)])
def test_a_large_deck_needs_no_more_queries_than_a_small_one(client, agency_text, address, most):
    def queries(text) -> int:
        place = address.format(made(client, text).link)
        client.get(place)
        return len(queries_of(lambda: client.get(place)))

    assert queries("1 Kai\n1 Termite") == queries(agency_text) <= most


# -- hands


def test_an_address_without_a_seed_redirects_to_a_new_one(client, agency_text):
    deck = made(client, agency_text)
    given = [client.get(f"/decks/{deck.link}/numbers/hands/")["Location"] for _ in range(2)]
    assert all("?seed=" in address for address in given) and given[0] != given[1]


def test_the_same_seed_shows_every_visitor_the_same_hand(client, agency_text):
    deck = made(client, agency_text)
    address = f"/api/v1/decks/{deck.link}/numbers/hands/?seed=friday&turns=2"
    mine, theirs = client.get(address).json(), Client().get(address).json()
    assert mine == theirs
    (pile,) = mine["piles"]
    assert [(part["turn"], len(part["cards"])) for part in pile["drawn"]] == [(0, 7), (1, 5), (2, 5)]
    hand = page(client, f"/decks/{deck.link}/numbers/hands/?seed=friday").one("ul", class_="hand")
    assert [card.text for card in hand.all("a", class_="name")] == [
        card["name"] for card in pile["drawn"][0]["cards"]
    ]


def test_a_mulligan_is_offered_only_if_a_source_states_one(client, agency_text):
    spycraft, xfiles = made(client, agency_text), made(client, starter("xfiles", "deck-mulder"), "xfiles")
    assert "?seed=a&mulligans=1" in page(client, f"/decks/{spycraft.link}/numbers/hands/?seed=a").links
    hand = f"/decks/{xfiles.link}/numbers/hands/?seed=a"
    without = page(client, hand).main
    assert not any("mulligans" in href for href in without.links)
    assert without.has("p", text="No source we cite states a mulligan, so none is offered.")
    piles = [client.get(f"/api/v1{hand}{more}").json()["piles"] for more in ("", "&mulligans=1")]
    assert piles[0] == piles[1]


@pytest.mark.parametrize("query", ["seed=a b", "seed=" + "a" * 41, "seed=a&turns=13", "seed=a&mulligans=2"])
def test_an_invalid_address_of_a_hand_is_refused(client, agency_text, query):
    deck = made(client, agency_text)
    for base in ("/decks", "/api/v1/decks"):
        assert client.get(f"{base}/{deck.link}/numbers/hands/?{query}").status_code == 400


def test_a_game_without_declared_statistics_has_all_three_pages(client, sixth_game):
    load(sixth_game)
    deck = made(client, "2 Zorka\n1 Sealed Box", "deaddrop")
    pages = [page(client, address.format(deck.link).replace("t:agent", "t:courier")) for address in PAGES]
    assert "Trieste" in pages[0].main.text
    assert pages[1].context["odds"].kinds[0].size == 2
