"""Completions of the search box: misspelt names, names, values, fields, and whole sentences."""

from __future__ import annotations

import pytest

from cardsdb.games import games
from cardsdb.models import Card, Edition
from cardsdb.search.completion import Completion, completions

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def offered(typed: str, caret: int | None = None, within: str = "") -> list[Completion]:
    """Return the completions at the caret, by default at the end, on a page of this game or of none."""
    return completions(typed, len(typed) if caret is None else caret, games().get(within))


@pytest.mark.parametrize(
    ("typed", "word", "start"),
    [
        ("skully", "Scully", 0),
        ("t:agent skully", "Scully", 8),
        ("-skully", "Scully", 1),
        ('"skully', "Scully", 0),
    ],
)
def test_a_misspelt_name_is_offered_similar_names(typed, word, start):
    names = offered(typed)
    assert any(word in one.text for one in names)
    assert {one.start for one in names} == {start}
    assert len(names) <= 5
    assert all(one.text.startswith('!"') for one in names)


@pytest.mark.parametrize(
    ("typed", "caret", "text", "start"),
    [
        # A name replaces its quote, but not a minus.
        ("kai", None, '!"Kai"', 0),
        ("agent -kai", None, '!"Kai"', 7),
        ('"kai', None, '!"Kai"', 0),
        ('!"kai', None, '!"Kai"', 0),
        ("cra", None, "craft>=", 0),
        ("cra kai", 3, "craft>=", 0),
        ("glock 1", None, '!"Glock 17"', 0),
        ("type:agent faction:kr", None, '"The Krypt"', 19),
        ('faction:"the k', None, '"The Krypt"', 8),
        ("game:spycraft agen", None, "type:Agent", 14),
    ],
)
def test_the_part_at_the_caret_is_completed(typed, caret, text, start):
    assert (text, start) in {(one.text, one.start) for one in offered(typed, caret)}


@pytest.mark.parametrize("typed", ["cra", "ag", "so", "kr"])
def test_names_come_first_then_values_with_the_word_then_fields(typed):
    kinds = [one.kind for one in offered(typed)]
    assert kinds == sorted(kinds, key=["card", "value", "field"].index) and len(kinds) <= 10


@pytest.mark.parametrize(
    ("typed", "at"), [("cra:4", 3), ("cra>=4", 3), ("glock", 2), ('"kry', 4), ("!cra", 4)]
)
def test_no_field_is_offered_where_none_is_possible(typed, at):
    assert not [one for one in offered(typed, at) if one.text.endswith((":", ">="))]


def test_a_single_letter_is_not_completed_to_a_value():
    assert {one.kind for typed in ("m", "c", "the t") for one in offered(typed)} == {"card", "field"}


@pytest.mark.parametrize("typed", ["qzx", "qqqqqqq", "", "faction:glok", "a" * 2_000])
def test_a_word_that_is_like_nothing_is_offered_nothing(typed):
    assert offered(typed) == []


def test_an_empty_catalogue_offers_no_names(empty_catalogue):
    for typed in ("skully", "game:xfiles skully", "game:xfiles dana"):
        assert [one for one in offered(typed) if one.kind == "card"] == []


def test_a_name_like_a_whole_sentence_replaces_the_whole_sentence():
    names = [one for one in offered("killer cards", within="spycraft") if one.kind == "card"]
    assert [(one.text, one.start) for one in names] == [('!"Killer Reflexes"', 0)]


SPYCRAFT, XFILES = games()["spycraft"].name, games()["xfiles"].name


@pytest.mark.parametrize(
    ("typed", "caret", "of"),
    [
        ('game:"Spycraft" a', None, {SPYCRAFT}),
        ("a game:spycraft", 1, {SPYCRAFT}),
        ("(game:spycraft or game:xfiles) kai", None, {SPYCRAFT}),
        ("(game:spycraft or game:xfiles) dana", None, {XFILES}),
        ("-game:spycraft dana", None, {XFILES}),
        ("game:spycraft or dana", None, {XFILES}),
        ("game:nonsense dana", None, {XFILES}),
    ],
)
def test_names_are_those_of_the_games_that_the_query_asks_for_else_of_all(typed, caret, of):
    assert {one.label for one in offered(typed, caret) if one.kind == "card"} == of


@pytest.mark.parametrize(
    "typed",
    [
        "what cancels an action",
        "agents with craft 4 or more",
        "agents with kai",
    ],
)
def test_a_sentence_is_offered_as_a_search_and_not_as_names_with_one_of_its_words(typed):
    first, *others = offered(typed)
    assert (first.kind, first.text, first.start) == ("search", typed, 0)
    assert {one.kind for one in others} <= {"value"}


@pytest.mark.parametrize(
    ("typed", "label"),
    [
        (
            "agents with craft 4 or more",
            "102 cards: game is Spycraft, type is Agent, and craft is at least 4",
        ),
        (
            "agents with craft 4 or",
            "45 cards: game is Spycraft, type is Agent, and craft is 4",
        ),
        ("zzq yyq xxq", "No card: it mentions “zzq”, it mentions “yyq”, and it mentions “xxq”"),
    ],
)
def test_an_offered_search_tells_how_many_cards_it_finds_and_how_it_is_understood(typed, label):
    assert [one.label for one in offered(typed) if one.kind == "search"] == [label]


@pytest.mark.parametrize("typed", ["a friend in the", "agent fox muldar"])
def test_names_like_a_whole_sentence_come_before_the_search(typed):
    kinds = [one.kind for one in offered(typed)]
    assert kinds[0] == "card"
    assert "field" not in kinds


@pytest.mark.parametrize("typed", ["krypt kai", "craft>=4 agents kai", "krypt agents craft"])
def test_words_that_are_not_a_sentence_are_completed_as_usual(typed):
    assert offered(typed)[-1].kind in ("card", "field")


def test_an_offered_search_counts_cards_of_the_asked_game_only():
    def count(typed: str, within: str = "") -> int:
        (label,) = (one.label for one in offered(typed, within=within) if one.kind == "search")
        return int(label.split()[0])

    assert 0 < count("kill an agent", "xfiles") < count("kill an agent")
    assert count("game:xfiles kill an agent") == count("kill an agent", "xfiles")


@pytest.mark.parametrize(
    ("typed", "caret"),
    [("what cancels an action", 4), ("what cancels an action in", 22), ('"what cancels an action', None)],
)
def test_no_search_is_offered_inside_a_sentence_or_in_quotes(typed, caret):
    assert [one for one in offered(typed, caret) if one.kind == "search"] == []


@pytest.mark.both_databases
def test_a_completion_only_queries_the_edition_and_sees_the_next_edition_at_once(
    client, django_assert_num_queries
):
    def names() -> list[str]:
        return [
            one["text"]
            for one in client.get("/search/suggest/?q=glock").json()["choices"]
            if one["kind"] == "card"
        ]

    assert names()
    with django_assert_num_queries(1):
        before = names()
    Card.objects.filter(name_folded__startswith="glock").update(retired=True)
    assert names() == before
    Edition.objects.create()
    assert not set(names()) & set(before)
