"""The counts made at loading are those that a walk over the cards would give."""

import json
from collections import Counter

import pytest

from cardsdb.catalogue import stats
from cardsdb.catalogue.current import catalogue
from cardsdb.catalogue.stats import CatalogueStats, Counting, all_stats, stats_of
from cardsdb.games import games
from cardsdb.games.kit import ENTRY_KINDS, Card, Print
from cardsdb.models import Edition
from cardsdb.search.query.standard import MAX_VOCABULARY, Tally
from tests.support.search_fields import vocabulary_of

pytestmark = pytest.mark.one_database


@pytest.mark.django_db
@pytest.mark.parametrize("slug", sorted(games()))
def test_the_counts_are_those_of_the_folder_also_when_read_back_from_json(slug):
    game, counted = games()[slug], stats_of(slug)
    kinds = Counter(game.kind_of(card) for card in game.cards)
    assert counted.entries == len(game.cards)
    assert counted.kinds == {kind: kinds[kind] for kind in ENTRY_KINDS}
    # Stand-ins, components and terms are not counted as cards.
    assert counted.cards == counted.cards_alone.entries == kinds["card"]
    assert counted.prints == sum(len(card.prints) for card in game.cards)
    # Counters are equal if they differ only in zeros.
    assert Counter(counted.types) == Counter(card.type for card in game.cards)
    assert Counter(counted.sets) == Counter(print_.set for card in game.cards for print_ in card.prints)
    assert Counter(counted.facts) == Counter(key for card in game.cards for key in card.facts)
    assert CatalogueStats.from_json(slug, json.loads(json.dumps(counted.as_json()))) == counted


@pytest.mark.django_db
def test_a_number_fact_is_a_distribution_in_ascending_order():
    numbers = (card.number("craft") for card in games()["spycraft"].cards)
    distribution = stats_of("spycraft").distribution("craft")
    assert distribution == Counter(number for number in numbers if number is not None)
    assert list(distribution) == sorted(distribution)


@pytest.mark.django_db
def test_a_value_is_counted_as_often_as_a_search_finds_it():
    from cardsdb.models import Card

    for key, values in stats_of("spycraft").vocabulary.items():
        for value, (_, count) in list(values.items())[:5]:
            found = Card.objects.in_game("spycraft").filter(terms__contains=f"|{key}={value}|")
            assert found.count() == count, (key, value)


@pytest.mark.parametrize(
    ("known", "missing"),
    [
        (((1, 2), (4, 6)), ((3, 3), (7, 10))),
        ((), ((1, 10),)),
        (((1, 10),), ()),
        (((999, 999),), ((1, 10),)),
        (((0, 3), (9, 12)), ((4, 8),)),
    ],
)
def test_the_missing_collector_numbers_are_the_gaps_up_to_the_size(known, missing):
    assert CatalogueStats("x", numbers={"S": known}).missing_numbers("S", 10) == missing


@pytest.mark.django_db
def test_before_the_first_load_all_counts_are_zero_and_search_fields_exist(empty_catalogue):
    assert Edition.objects.current().number == 0
    assert {stats.cards for stats in all_stats().values()} == {0}
    assert catalogue().fields().get("craft") is not None


def test_a_value_is_spelt_as_on_the_card_and_counted_once_per_card():
    game = games()["spycraft"]
    counts = vocabulary_of(game, game.cards)
    rarities = Counter(
        rarity for card in game.cards for rarity in {print_.rarity for print_ in card.prints} if rarity
    )
    assert dict(counts["rarity"].values()) == rarities


def test_a_key_with_too_many_values_has_no_vocabulary():
    game = games()["spycraft"]
    tally, card = Tally(game), game.cards[0]
    for number in range(MAX_VOCABULARY + 1):
        tally.add(card, f"|expense={number}|craft=1|")
    assert "expense" not in tally.vocabulary()
    assert tally.vocabulary()["craft"]["1"] == ("1", MAX_VOCABULARY + 1)


def test_a_set_with_too_many_gaps_has_no_numbers(monkeypatch):
    monkeypatch.setattr(stats, "MAX_RANGES", 2)
    counting = Counting(games()["spycraft"])
    for number in (1, 2, 5, 7):
        prints = (Print("ON", str(number)), Print("EA", str(min(number, 5))))
        counting.add(Card("spycraft", f"c{number}", "C", "agent", prints=prints), "||")
    assert counting.stats().numbers == {"EA": ((1, 2), (5, 5))}


def test_disputed_cards_are_counted_as_an_integer_and_not_as_a_flag():
    counting = Counting(game := games()["spycraft"])
    counting.add(game.cards[0], "|disputed=craft|")
    assert str(counting.stats().disputed) == "1"
