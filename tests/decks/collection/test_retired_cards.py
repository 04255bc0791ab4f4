"""A card that the catalogue no longer lists stays in collections and decks: queries find it there and nowhere
else.
"""

import pytest
from django.test import Client

from cardsdb.models import Card, Edition
from cardsdb.search.results import parse_query, pks_with_retired, results_of
from tests.support.collected import note
from tests.support.made_decks import make_deck

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture(scope="module")
def collector(module_db):
    """A browser that owns three Kai and has a public deck with two. Then Kai is retired."""
    client = Client()
    note(client, "3")
    note(client, "1", card="spycraft/termite")
    make_deck(client, "2 Kai\n1 Termite", visibility="public")
    Card.objects.filter(game="spycraft", code="kai").update(retired=True)
    Edition.objects.create()
    return client


def codes(client, **params) -> list[str]:
    return [card.code for card in client.get("/collection/", params).context["cards"]]


def deck_names(client, query) -> list[str]:
    return [row.deck.name for row in client.get("/decks/", {"q": query}).context["rows"]]


# Queries over the collection that find the retired card, and such that do not.
FOUND: list[dict[str, str]] = [
    {},
    {"q": "!kai", "game": "spycraft"},
    {"q": "game:spycraft type:agent craft>0"},
]
NOT_FOUND = [{"q": "-kai"}, {"q": "kai", "game": "xfiles"}, {"q": "foo:bar"}, {"q": "!kai", "all": "1"}]


def test_a_query_over_the_collection_finds_an_owned_retired_card_but_one_over_all_cards_does_not(collector):
    assert [query for query in FOUND if "kai" not in codes(collector, **query)] == []
    assert [query for query in NOT_FOUND if "kai" in codes(collector, **query)] == []


def test_the_card_list_does_not_find_a_retired_card(collector):
    assert results_of(parse_query("game:spycraft !kai")).total == 0
    page = collector.get("/cards/", {"q": "game:spycraft !kai"}).context["page"]
    assert (page.total, page.cards) == (0, ())


@pytest.mark.both_databases
def test_public_decks_are_found_by_a_retired_card(collector):
    for query in ("deck:[!kai]=2", "uses:spycraft/kai", "deck:[type:agent]=3"):
        assert deck_names(collector, query) == ["Dragons"], query


def test_among_given_cards_a_retired_card_is_found_only_if_it_is_one_of_them(collector):
    query = parse_query("game:spycraft (kai or termite)")
    kai, termite = (Card.objects.get(game="spycraft", code=code).pk for code in ("kai", "termite"))
    assert pks_with_retired(query, [termite]) == [termite]
    assert sorted(pks_with_retired(query, [termite, kai])) == sorted([termite, kai])
    assert kai in pks_with_retired(query)
