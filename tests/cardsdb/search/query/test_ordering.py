"""In which order cards are found: as the query says, by likeness, or in the catalogue's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cardsdb.catalogue.current import catalogue
from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.search.query.check import check
from cardsdb.search.query.grammar import MAX_ORDERS, parse
from cardsdb.search.query.matching import Matcher, relevance_words
from cardsdb.search.query.similar import closeness, reasons
from cardsdb.search.query.tree import And, AtLeast, SortKey, normal
from cardsdb.search.query.words import in_words
from cardsdb.search.results import parse_query, results_of
from tests.support.search_fields import fields_among, fields_of
from tests.support.search_queries import ALL, SPYCRAFT, checked, cured, found, names, problem

# Answered from memory. That every address answers on PostgreSQL too is shown by
# tests/house/test_permissions.py.
pytestmark = pytest.mark.engine("sqlite")

# -- order -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("order:craft", (SortKey("craft"),)),
        ("order:-craft,name", (SortKey("craft", True), SortKey("name"))),
        ("sort:craft direction:desc", (SortKey("craft", True),)),
        ("order:-craft direction:asc", (SortKey("craft"),)),
        ("direction:desc", (SortKey("name", True),)),
        ('order:"victory points"', (SortKey("victory_points"),)),
        ("order:craft,craft", (SortKey("craft"),)),
        ("a or b order:craft", (SortKey("craft"),)),
        ("kai", ()),
    ],
)
def test_the_order_is_read_apart_from_what_is_asked(text: str, order: tuple[SortKey, ...]) -> None:
    query = parse(text)
    assert query.order == order
    assert query.problems == ()
    assert parse(normal(query)).order == order


@pytest.mark.parametrize(
    ("text", "code", "start", "end"),
    [
        ("(kai order:craft)", "misplaced-order", 5, 16),
        ("kai -order:craft", "misplaced-order", 4, 16),
        ("order>craft", "wrong-operator", 5, 6),
        ("direction:sideways", "bad-value", 10, 18),
        ("order:,", "bad-value", 0, 7),
        ("order:", "empty-value", 0, 6),
        (f"order:{','.join('abcdefgh')}", "too-many-orders", 6 + 2 * MAX_ORDERS, 21),
    ],
)
def test_an_order_that_makes_no_sense_is_dropped_and_reported(
    text: str, code: str, start: int, end: int
) -> None:
    (found,) = parse(text).problems
    assert (found.code, found.start, found.end) == (code, start, end)
    assert not found.advice


def test_of_two_orders_the_last_counts_and_says_so() -> None:
    query = parse("order:craft order:name")
    assert query.order == (SortKey("name"),)
    assert [(p.code, p.start, p.end, p.advice) for p in query.problems] == [("overruled", 0, 11, True)]


@pytest.mark.parametrize(
    ("text", "code", "cure"),
    [
        ("order:-crfat", "unknown-field", "order:-craft"),
        ("order:name,traits", "not-sortable", "order:name,prints"),
    ],
)
def test_a_field_that_nothing_is_sorted_by_has_suggestions(text: str, code: str, cure: str) -> None:
    assert problem(text).code == code
    assert cured(text) == cure
    assert checked(cure).problems == ()


@pytest.mark.django_db
@pytest.mark.parametrize("minus", ["", "-"])
@pytest.mark.parametrize("key", ["craft", "faction", "unique"])
def test_what_is_unknown_comes_last_in_both_directions(key: str, minus: str) -> None:
    query = checked(f"order:{minus}{key}")
    known = [key in card.facts for card in found(query, fields_of(SPYCRAFT)) if card.game == "spycraft"]
    assert known == sorted(known, reverse=True)
    assert True in known and False in known


@pytest.mark.django_db
@pytest.mark.parametrize("minus", ["", "-"])
def test_a_word_that_is_another_fact_in_each_game_sorts_what_is_unknown_last(minus: str) -> None:
    fields = fields_of(ALL)
    query = checked(f"order:{minus}cost", ALL)
    assert in_words(query, fields) == f"every card, sorted by cost{', highest first' if minus else ''}"
    rows = found(query, fields)
    values = [
        next(
            (
                row.facts[p.key]
                for p in fields.by_spelling["cost"].sortable
                if row.game in p.games and p.key in row.facts
            ),
            None,
        )
        for row in rows
    ]
    known = [value for value in values if value is not None]
    assert values == [*sorted(known, reverse=bool(minus)), *[None] * (len(values) - len(known))]
    assert 0 < len(known) < len(values)


@pytest.mark.django_db
def test_words_that_are_excluded_bring_no_name_to_the_front() -> None:
    assert relevance_words(parse("Li -(mao or tse)").tree) == "li"
    assert names("Li")[:2] == ["Li", "Li Cong"]
    assert names("-Li") == names("-Li order:name")


@pytest.mark.django_db
def test_in_any_order_every_card_stands_once_and_equals_stand_by_name() -> None:
    every = len(catalogue().entries)
    for word in (field.word for field in fields_of(ALL) if field.sortable):
        for order in (word, f"-{word}"):
            cards = found(checked(f"order:{order}", ALL), fields_of(ALL))
            assert len(cards) == len({card.key for card in cards}) == every, order
            assert word == "name" or cards == found(checked(f"order:{order},name", ALL), fields_of(ALL)), (
                order
            )


# -- likeness ------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_similar_cards_share_most_facts_and_leave_the_card_out() -> None:
    found = names('similar:!"Glock 17"')
    glock = next(card for card in SPYCRAFT[0].cards if card.name == "Glock 17")
    others = [card for card in SPYCRAFT[0].cards if card.name in found]
    assert others and glock not in others
    assert all(card.type == glock.type and reasons(glock.facts, card.facts, SPYCRAFT[0]) for card in others)
    assert names("similar:glock-17") == names("similar:spycraft/glock-17") == found


@pytest.mark.django_db
def test_what_shares_most_comes_first_and_ties_by_name() -> None:
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


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "by_name"),
    [
        ("", True),
        ("t:agent", True),
        ("kai", False),
        ("similar:kai", False),
        ("-similar:kai", True),
        ("order:craft", False),
    ],
)
def test_which_queries_come_in_the_catalogues_order(text: str, by_name: bool) -> None:
    assert results_of(parse_query(text)).is_by_name is by_name


def test_similar_is_one_part_of_the_query_and_keeps_its_words() -> None:
    query = checked('similar:!"Glock 17" t:gear -similar:kai')
    assert isinstance(query.tree, And) and len(query.tree.parts) == 3
    assert isinstance(query.tree.parts[0], AtLeast)
    assert normal(query) == 'similar:"Glock 17" type:gear -similar:kai'
    assert query.tree.parts[0].like == "Glock 17"
    assert (
        in_words(query, fields_of(SPYCRAFT))
        == "it is much like “Glock 17”, type is Gear, and it is not much like “kai”"
    )


def test_the_reason_names_what_is_shared(sixth_game: Game) -> None:
    game = games()["spycraft"]
    one: dict[str, Any] = {
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
    assert reasons(one, other, game) == "same faction, same expense, combat +1, both Sniper"
    assert reasons(one, {}, game) == ""


def test_an_unknown_or_ambiguous_card_to_be_like_has_suggestions() -> None:
    assert problem("similar:!Glok").code == "unknown-card"
    assert cured('similar:!"Glokc 17"') == 'similar:!"Glock 17"'
    name = next(card.name for card in games()["xfiles"].cards)
    double = replace(games()["spynet"])
    double.__dict__["cards"] = (replace(double.cards[0], name=name), *double.cards[1:])
    fields = fields_among([games()["xfiles"], double])
    (found,) = check(f'similar:"{name}"', fields).problems
    assert found.suggestions == (f'"xfiles/{name}"', f'"spynet/{name}"')


@pytest.mark.django_db
def test_a_card_is_known_by_its_name_or_code_with_or_without_its_game() -> None:
    for text in ("Glock 17", "glock-17", "spycraft/Glock 17", "spycraft/glock-17"):
        card = catalogue().called(text, ALL)
        assert card is not None and card.key == "spycraft/glock-17"
    assert [catalogue().called(text, ALL) for text in ("xfiles/Glock 17", "nobody", "")] == [None] * 3
