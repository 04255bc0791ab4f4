"""The order of results: as the query asks, by likeness with its words, or that of the catalogue."""

from dataclasses import replace

import pytest

from cardsdb.catalogue.current import catalogue
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.ordering import (
    BEGINS_NAME,
    BEGINS_WORD,
    IN_NAME,
    IS_NAME,
    NOT_IN_NAME,
    _likeness,
    _sorted,
    relevance_words,
)
from cardsdb.search.query.tree import SortKey
from cardsdb.search.results import parse_query, results_of
from tests.support.search_fields import fields_of
from tests.support.search_queries import ALL, SPYCRAFT, checked, found, names

# Answered from memory. That every address answers on PostgreSQL too is shown by
# tests/house/test_permissions.py.
pytestmark = pytest.mark.engine("sqlite")

# -- order -------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("minus", ["", "-"])
@pytest.mark.parametrize("key", ["craft", "faction", "unique"])
def test_cards_without_the_value_come_last_in_both_directions(key, minus):
    query = checked(f"order:{minus}{key}")
    known = [key in card.facts for card in found(query, fields_of(SPYCRAFT)) if card.game == "spycraft"]
    assert known == sorted(known, reverse=True)
    assert True in known and False in known


@pytest.mark.django_db
@pytest.mark.parametrize("minus", ["", "-"])
def test_sets_are_ordered_by_release_and_a_card_by_the_first_that_it_is_in(minus):
    (game,) = SPYCRAFT
    released = [each.code for each in game.sets]
    cards = found(checked(f"game:spycraft order:{minus}set"), fields_of(SPYCRAFT))
    firsts = [min(released.index(print_.set) for print_ in card.prints) for card in cards]
    assert firsts == sorted(firsts, reverse=minus == "-")
    assert len(set(firsts)) > 1


@pytest.mark.django_db
def test_collector_numbers_are_sorted_as_numbers_and_those_with_letters_come_last():
    entry = catalogue().entries[0]
    numbered = [replace(entry, terms={**entry.terms, "number": (text,)}) for text in ("12a", "12", "2")]
    ordered = _sorted(numbered, SortKey("number"), fields_of(ALL))
    assert [entry.terms["number"] for entry in ordered] == [("2",), ("12",), ("12a",)]


@pytest.mark.parametrize(
    ("name", "rank"),
    [
        ("li", IS_NAME),
        ("li cong", BEGINS_NAME),
        ("armored limo", BEGINS_WORD),
        ("emilio thorne", IN_NAME),
        ("kai", NOT_IN_NAME),
    ],
)
def test_a_name_is_the_more_like_a_word_the_nearer_the_word_is_to_its_beginning(name, rank):
    assert _likeness(name, "li") == rank
    # Cards are sorted by rank, the lowest first.
    assert IS_NAME < BEGINS_NAME < BEGINS_WORD < IN_NAME < NOT_IN_NAME


@pytest.mark.django_db
def test_preferred_cards_come_first_in_the_order_of_the_preferences():
    usual = results_of(parse_query("game:spycraft order:name"))
    missions, gear = (parse(f"type:{slug}").tree for slug in ("mission", "gear"))
    cards = usual.preferring([missions, gear], ()).cards
    preferred = {"mission": 0, "gear": 1}
    assert cards == sorted(usual.cards, key=lambda card: preferred.get(card.type, 2))
    assert [cards[0].type, cards[-1].type in preferred] == ["mission", False]


@pytest.mark.django_db
def test_excluded_words_do_not_count_for_relevance():
    assert relevance_words(parse("Li -(mao or tse)").tree) == "li"
    assert names("Li")[:2] == ["Li", "Li Cong"]
    assert names("-Li") == names("-Li order:name")


@pytest.mark.django_db
def test_every_order_has_each_card_once_with_equal_ones_by_name():
    every = len(catalogue().entries)
    for word in (field.word for field in fields_of(ALL) if field.sortable):
        cards = found(checked(f"order:-{word}", ALL), fields_of(ALL))
        assert len(cards) == len({card.key for card in cards}) == every, word
        assert word == "name" or cards == found(checked(f"order:-{word},name", ALL), fields_of(ALL)), word
