"""The meaning of queries: pinned answers, laws that hold for any query, and the rules for unknown facts."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from cardsdb.catalogue.current import catalogue
from cardsdb.catalogue.loader import load, rows_of, write_cards
from cardsdb.games import games
from cardsdb.games.kit import Card as KitCard
from cardsdb.games.kit import Fact, Print
from cardsdb.models import Card
from cardsdb.search.query.check import check
from cardsdb.search.query.matching import Matcher
from cardsdb.search.query.tree import normal
from cardsdb.search.query.words import in_words
from cardsdb.search.results import parse_query, results_in
from tests import ROOT
from tests.support.pinned_queries import pinned_queries
from tests.support.random_queries import random_query
from tests.support.search_fields import fields_among, fields_of
from tests.support.search_queries import found

# Answered from memory. That every address answers on PostgreSQL too is shown by
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.engine("sqlite"), pytest.mark.django_db]

ALL = tuple(games().values())
# The pinned answers count the cards of these; further games may be installed.
OUR_GAMES = {path.name for path in (ROOT / "cardsdb" / "games").iterdir() if (path / "game.toml").exists()}


@pytest.mark.parametrize("pinned", pinned_queries(), ids=lambda pinned: pinned.query)
def test_a_query_finds_these_cards_in_this_order(pinned):
    entries = [entry for entry in catalogue().entries if entry.card.game in OUR_GAMES]
    keys = [card.key for card in results_in(catalogue(), parse_query(pinned.query), entries).cards]
    assert (len(keys), keys[:6], keys[6:][-2:]) == (pinned.total, pinned.first, pinned.last)


# -- laws --------------------------------------------------------------------------------


def keys(text: str) -> frozenset[str]:
    """Return the keys of the cards that a query finds, in no order."""
    query = check(text, fields_of(ALL))
    assert not query.faults, (text, query.faults)
    test = Matcher(fields_of(ALL)).test(query.tree)
    return frozenset(entry.key for entry in catalogue().entries if test(entry))


@pytest.mark.seeds(1)
def test_and_or_and_minus_are_intersection_union_and_complement(seed):
    rng, every = random.Random(seed), keys("")
    for _ in range(40):
        one, other = (random_query(rng, fields_of(ALL)).partition(" order:")[0] for _ in range(2))
        both = f"({one}) ({other})"
        if check(both, fields_of(ALL)).faults:
            continue  # Longer than a query may be.
        assert keys(both) == keys(one) & keys(other), both
        assert keys(f"({one}) or ({other})") == keys(one) | keys(other), both
        assert keys(f"-({one})") == every - keys(one), one


@pytest.mark.seeds(2)
def test_any_query_equals_its_normal_form_and_can_be_put_into_words(seed):
    rng = random.Random(seed)
    for _ in range(60):
        query = check(random_query(rng, fields_of(ALL)), fields_of(ALL))
        again = check(normal(query), fields_of(ALL))
        assert (again.tree, again.order) == (query.tree, query.order)
        assert in_words(query, fields_of(ALL))


def test_a_known_number_is_either_less_equal_or_more():
    for word in (field.word for field in fields_of(ALL) if field.kind == "number"):
        less, same, more = (keys(f"{word}{op}3") for op in ("<", "=", ">"))
        assert less | same == keys(f"{word}<=3") and same | more == keys(f"{word}>=3"), word
        assert less | more == keys(f"{word}!=3") and less | same | more == keys(f"has:{word}"), word
        assert not less & same and not same & more, word


# -- what is not known -------------------------------------------------------------------


@pytest.fixture
def parcels(sixth_game, db):
    """Load a game of two cards: a box that weighs 7, and a courier, Zorka, whose weight no source states."""
    load(sixth_game)
    return sixth_game


# (query, codes of the cards of ``parcels`` that it finds)
UNKNOWN = [
    ("weight>=4", {"sealed-box"}),
    ("-weight>=4", {"zorka"}),
    ("weight<8", {"sealed-box"}),
    ("-weight<8", {"zorka"}),
    ("weight!=7", set()),
    ("-weight!=7", {"zorka", "sealed-box"}),
    ("-weight=7", {"zorka"}),
    ("weight=007", {"sealed-box"}),
    ("-has:weight", {"zorka"}),
    ("-(weight>=4 or city:trieste)", set()),
    ("-(weight>=4 city:trieste)", {"zorka", "sealed-box"}),
    ("city:TRIÉ", {"zorka"}),
    ("city!=rome", {"zorka"}),
    ("-city:rome", {"zorka", "sealed-box"}),
    ("weight<=9223372036854775807", {"sealed-box"}),
]


def test_an_unknown_fact_meets_no_comparison_and_every_exclusion(parcels):
    fields = fields_among([parcels])
    rows = Card.objects.in_game(parcels.slug)
    assert {"weight", "city"} <= {field.word for field in fields}
    for text, wanted in UNKNOWN:
        query = check(text, fields)
        assert ({card.code for card in found(query, fields, rows)}, query.faults) == (wanted, ()), text


def test_a_fact_that_is_a_number_in_one_game_and_a_word_in_another_is_searched_as_each(parcels, monkeypatch):
    written = replace(
        parcels, slug="other", facts=(Fact("weight", "word", "In words."), Fact("city", "word", "A city."))
    )
    monkeypatch.setitem(games(), "other", written)
    load(written)
    fields = fields_among([parcels, written])
    among = Card.objects.filter(game__in=("deaddrop", "other"))

    def keys_of(text: str) -> set[str]:
        query = check(text, fields)
        assert not query.faults
        return {card.key for card in found(query, fields, among)}

    assert keys_of("weight>=4") == {"deaddrop/sealed-box"}
    assert keys_of("-weight>=4") == {"deaddrop/zorka", "other/zorka", "other/sealed-box"}
    assert keys_of("weight:7") == {"deaddrop/sealed-box", "other/sealed-box"}
    assert keys_of("weight!=8") == {"deaddrop/sealed-box", "other/sealed-box"}


# -- several values ----------------------------------------------------------------------


def test_a_condition_is_met_by_any_of_several_prints():
    spycraft = games()["spycraft"]
    prints = (Print("ON", "12", "Common"), Print("PRE", "340", "Rare", "7b"))
    write_cards([rows_of(KitCard("spycraft", "twice", "Twice", "agent", prints=prints), spycraft)])
    rows = Card.objects.filter(code="twice")

    def is_found(text: str) -> bool:
        return bool(found(check(text, fields_of(ALL)), fields_of(ALL), rows))

    met = (
        "set:on rarity:rare;number<=12;number>12 number<13;number=7b;number>7;in:rare in:pre;prints=2".split(
            ";"
        )
    )
    assert [text for text in met if not is_found(text)] == []
    unmet = "set:on -rarity:rare;number>12 -number<=12;-set:pre".split(";")
    assert [text for text in unmet if is_found(text)] == []
