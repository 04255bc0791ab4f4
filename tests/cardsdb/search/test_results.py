"""Results: pages, neighbours of a card, counts of values; and the catalogue that is searched."""

from __future__ import annotations

from collections import Counter

import pytest

from cardsdb.catalogue.current import catalogue, held_edition
from cardsdb.models import Card, Edition
from cardsdb.search.results import END, Results, parse_query, pks_with_retired, results_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
QUERIES = [
    "game:spycraft",
    "kai or the",
    "order:-cost",
    "similar:spycraft/kai",
    "type:agent order:craft,-name",
]


def found(text: str) -> Results:
    return results_of(parse_query(text))


def keys(results: Results) -> list[str]:
    return [card.key for card in results.cards]


# -- pages -------------------------------------------------------------------------------


@pytest.mark.parametrize("text", QUERIES)
def test_paging_forwards_and_backwards_yields_every_card_once(text):
    results, forth, back = found(text), list[str](), list[str]()
    page = results.page(101)
    while True:
        forth += [card.key for card in page.cards]
        if not page.after:
            break
        page = results.page(101, after=forth[-1])
        assert page.before and page.first == len(forth) + 1
    page = results.page(97, before=END)
    while True:
        back = [card.key for card in page.cards] + back
        if not page.before:
            break
        page = results.page(97, before=back[0])
        assert page.after
    assert forth == back == keys(results)


@pytest.mark.parametrize("text", QUERIES)
def test_a_card_knows_its_place_and_its_neighbours(text):
    results = found(text)
    every = keys(results)
    for place in (0, 7, results.total - 1):
        before, behind = every[place - 1] if place else "", "".join(every[place + 1 : place + 2])
        assert results.around(every[place]) == (place + 1, before, behind)
    assert results.around("xfiles/nobody") is None


def test_by_name_a_page_can_begin_at_a_card_that_is_not_among_the_results():
    results = found("type:agent game:spycraft")
    agents, gear = keys(results), "spycraft/glock-17"
    assert gear not in agents
    after, before = results.page(5, after=gear), results.page(5, before=gear)
    assert not after.lost and not before.lost
    assert before.cards[-1].name < "Glock 17" < after.cards[0].name
    assert agents.index(before.cards[-1].key) + 1 == agents.index(after.cards[0].key)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("similar:kai", "spycraft/glock-17"),
        ("type:agent order:craft", "spycraft/glock-17"),
        ("type:agent", "spycraft/nobody"),
        ("kai", "x"),
    ],
)
def test_a_page_beside_a_card_without_a_place_is_the_first_and_marked_as_lost(text, key):
    page = found(text).page(5, after=key)
    assert page.lost and page.first == 1 and page.cards == found(text).page(5).cards


def test_a_query_that_was_not_understood_finds_nothing():
    results = found("craft>=nine")
    assert (results.total, results.page(5).cards, results.random_key(), results.key_at(0)) == (0, (), "", "")


# -- counts ------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "type:agent"])
@pytest.mark.parametrize("key", ["type", "game", "set", "traits", "faction", "unique", "nothing"])
def test_facets_count_the_values_of_the_found_cards(text, key):
    results = found(text)
    counted: Counter[str] = Counter()
    for entry in results.found:
        values = entry.terms.get(key, ())
        counted.update(values[:1] if key in ("game", "type") else values)
    wanted = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    for limit in (40, 3, 0):
        assert results.facet(key, limit) == wanted[:limit]


def test_restricted_results_keep_their_order():
    results = found("type:agent order:-craft")
    some = results.pks[::7]
    restricted = results.restricted_to(some)
    assert sorted(restricted.pks) == sorted(some) and restricted.total == len(some)
    assert keys(restricted) == [key for key in keys(results) if key in set(keys(restricted))]


# -- the catalogue -----------------------------------------------------------------------


def test_a_new_edition_gives_a_new_catalogue():
    before = catalogue()
    assert catalogue() is before and held_edition() == before.state.number
    Card.objects.filter(game="spycraft", code="kai").update(retired=True)
    assert catalogue() is before, "an edition never changes"
    Edition.objects.create()
    after = catalogue()
    assert len(after.entries) == len(before.entries) - 1
    assert (
        [entry.key for entry in after.retired]
        == ["spycraft/kai"]
        == [key for key in before.by_key if key not in {entry.key for entry in after.entries}]
    )
    assert found("!Kai").total == 0 and len(pks_with_retired(parse_query("!Kai"))) == 1
    assert pks_with_retired(parse_query("!Kai"), [0]) == []


def test_cards_of_a_removed_game_are_retired():
    Card.objects.create(game="gone", code="one", name="One", name_folded="one", sort_name="one", type="x")
    Edition.objects.create()
    assert [entry.key for entry in catalogue().retired] == ["gone/one"]
