"""``similar:``: the cards that it finds, their order, and the reasons for a likeness."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cardsdb.catalogue.current import catalogue
from cardsdb.games import games
from cardsdb.search.query.check import check
from cardsdb.search.query.matching import Matcher
from cardsdb.search.query.similar import closeness, reasons
from cardsdb.search.query.tree import And, AtLeast, normal
from cardsdb.search.query.words import in_words
from tests.support.search_fields import fields_among, fields_of
from tests.support.search_queries import SPYCRAFT, checked, cured, found, names, problem

pytestmark = pytest.mark.engine("sqlite")


@pytest.mark.django_db
def test_similar_finds_other_cards_that_share_most_facts():
    found = names('similar:!"Glock 17"')
    glock = next(card for card in SPYCRAFT[0].cards if card.name == "Glock 17")
    others = [card for card in SPYCRAFT[0].cards if card.name in found]
    assert others and glock not in others
    assert all(card.type == glock.type and reasons(glock.facts, card.facts, SPYCRAFT[0]) for card in others)
    assert names("similar:glock-17") == names("similar:spycraft/glock-17") == found


@pytest.mark.django_db
def test_cards_that_share_most_facts_come_first_and_ties_are_by_name():
    query = checked("similar:kai")
    tests = [Matcher(fields_of(SPYCRAFT)).test(part) for part in closeness(query.tree)]
    assert len(tests) > 1
    entries = [catalogue().by_key[card.key] for card in found(query, fields_of(SPYCRAFT))]
    shared = [sum(test(entry) for test in tests) for entry in entries]
    assert shared == sorted(shared, reverse=True) and len(set(shared)) > 1
    together = [(-count, entry.order) for count, entry in zip(shared, entries, strict=True)]
    assert together == sorted(together)
    by_name = sorted(entries, key=lambda entry: entry.order)
    assert names("similar:kai order:name") == [entry.card.name for entry in by_name]


def test_similar_is_one_part_of_the_tree_and_written_as_it_was_typed():
    query = checked('similar:!"Glock 17" t:gear -similar:kai')
    assert isinstance(query.tree, And) and len(query.tree.parts) == 3
    assert isinstance(query.tree.parts[0], AtLeast)
    assert normal(query) == 'similar:"Glock 17" type:gear -similar:kai'
    assert query.tree.parts[0].like == "Glock 17"
    assert (
        in_words(query, fields_of(SPYCRAFT))
        == "it is much like “Glock 17”, type is Gear, and it is not much like “kai”"
    )


def test_the_reason_names_the_shared_facts():
    game = games()["spycraft"]
    reference: dict[str, Any] = {
        "expense": 2,
        "combat": 1,
        "craft": 1,
        "traits": ("Soldier", "Sniper"),
        "faction": "The Krypt",
    }
    other: dict[str, Any] = {
        "expense": 2,
        "combat": 2,
        "craft": 3,
        "traits": ["Sniper"],
        "faction": "the krypt",
    }
    assert reasons(reference, other, game) == "same faction, same expense, combat +1, both Sniper"
    assert reasons(reference, {}, game) == ""


def test_similar_with_an_unknown_or_ambiguous_name_has_suggestions():
    assert problem("similar:!Glok").code == "unknown-card"
    assert cured('similar:!"Glokc 17"') == 'similar:!"Glock 17"'
    name = next(card.name for card in games()["xfiles"].cards)
    double = replace(games()["spynet"])
    double.__dict__["cards"] = (replace(double.cards[0], name=name), *double.cards[1:])
    fields = fields_among([games()["xfiles"], double])
    (found,) = check(f'similar:"{name}"', fields).problems
    assert found.suggestions == (f'"xfiles/{name}"', f'"spynet/{name}"')
