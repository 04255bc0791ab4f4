"""What queries mean: every condition the database is given, compared with a plain reading of the cards."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import pytest
from cardsdb.search.engine.evaluate import Evaluator
from cardsdb.search.engine.snapshot import Snapshot
from cardsdb.search.snapshots import current_snapshot
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardsdb.catalogue.loader import load
from cardsdb.games import games
from cardsdb.games.kit import Fact, Game
from cardsdb.models import Card
from cardsdb.search.query.check import check
from cardsdb.search.query.fields import Fields, fields_of
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.normal_form import normal
from cardsdb.search.query.tree import Query
from cardsdb.search.query.words import in_words
from tests.support.real_card_oracle import EVERYTHING, meant, questions
from tests.support.search_queries import found

# Answered from memory. That every address answers on PostgreSQL too is shown by
# tests/house/test_permissions.py.
pytestmark = pytest.mark.engine("sqlite")

ALL = tuple(games().values())


def keys(query: Query, fields: Fields) -> set[str]:
    """The cards that a checked query finds in the catalogue as it is loaded."""
    snapshot = current_snapshot()
    known = keys_of(snapshot)
    return {known[position] for position in Evaluator(snapshot, fields).find(query.tree)}


@lru_cache(maxsize=1)
def keys_of(snapshot: Snapshot) -> list[str]:
    return [card.key for card in snapshot.cards(range(len(snapshot)))]


def expected(query: Query) -> frozenset[str]:
    return EVERYTHING if query.tree is None else meant(query.tree)


# -- every term of every game ------------------------------------------------------------


@pytest.mark.django_db
def test_every_term_and_its_opposite_find_the_cards_a_plain_reading_finds() -> None:
    fields = fields_of(ALL)
    for text in questions():
        query = check(parse(text), fields)
        assert not query.faults, (text, query.faults)
        wanted = expected(query)
        assert keys(query, fields) == wanted, text
        opposite = check(parse(f"-{text}"), fields)
        assert keys(opposite, fields) == EVERYTHING - wanted, f"-{text}"


queries = st.recursive(
    st.deferred(lambda: st.sampled_from(questions())),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({' '.join(parts)})"),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({' or '.join(parts)})"),
        inner.map(lambda part: f"-({part})"),
    ),
    max_leaves=8,
)


@pytest.mark.django_db
@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(queries)
def test_any_combination_finds_the_cards_a_plain_reading_finds(text: str) -> None:
    fields = fields_of(ALL)
    query = check(parse(text), fields)
    assert keys(query, fields) == expected(query)
    assert in_words(query.tree, fields)
    assert check(parse(normal(query.tree)), fields).tree == query.tree


# -- what is not known -------------------------------------------------------------------


@pytest.fixture
def parcels(sixth_game: Game, db: None) -> Game:
    """Two cards: a box that weighs 7 and a courier whose weight nobody states."""
    load(sixth_game)
    return sixth_game


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("weight>=4", {"sealed-box"}),
        ("-weight>=4", {"zorka"}),
        ("-weight>=8", {"zorka", "sealed-box"}),
        ("weight<8", {"sealed-box"}),
        ("-weight<8", {"zorka"}),
        ("weight!=7", set()),
        ("weight!=6", {"sealed-box"}),
        ("-weight!=7", {"zorka", "sealed-box"}),
        ("-weight=7", {"zorka"}),
        ("weight=007", {"sealed-box"}),
        ("has:weight", {"sealed-box"}),
        ("-has:weight", {"zorka"}),
        ("-(weight>=4 or city:trieste)", set()),
        ("-(weight>=4 city:trieste)", {"zorka", "sealed-box"}),
        ("city:TRIÉ", {"zorka"}),
        ("city=trie", set()),
        ("city!=rome", {"zorka"}),
        ("-city:rome", {"zorka", "sealed-box"}),
        ("weight<=9223372036854775807", {"sealed-box"}),
        ("-weight>-9223372036854775807", {"zorka"}),
    ],
)
def test_an_unknown_fact_satisfies_no_comparison_and_every_exclusion(
    parcels: Game, text: str, codes: set[str]
) -> None:
    fields = Fields([parcels])
    query = check(parse(text), fields)
    assert not query.faults
    assert {card.code for card in found(query, fields, Card.objects.in_game(parcels.slug))} == codes


def test_a_sixth_game_brings_its_own_search_words(sixth_game: Game) -> None:
    assert {"weight", "city"} <= {field.word for field in Fields([sixth_game])}


@pytest.mark.django_db
def test_a_fact_of_the_same_name_but_another_kind_is_left_alone_in_the_other_game(parcels: Game) -> None:
    written = replace(
        parcels, slug="other", facts=(Fact("weight", "word", "In words."), Fact("city", "word", "A city."))
    )
    load(written)
    fields = Fields([parcels, written])
    among = Card.objects.filter(game__in=("deaddrop", "other"))

    def keys_of(text: str) -> set[str]:
        query = check(parse(text), fields)
        assert not query.faults
        return {card.key for card in found(query, fields, among)}

    assert keys_of("weight>=4") == {"deaddrop/sealed-box"}
    assert keys_of("-weight>=4") == {"deaddrop/zorka", "other/zorka", "other/sealed-box"}
    assert keys_of("weight:7") == {"deaddrop/sealed-box", "other/sealed-box"}
    assert keys_of("weight!=8") == {"deaddrop/sealed-box", "other/sealed-box"}
