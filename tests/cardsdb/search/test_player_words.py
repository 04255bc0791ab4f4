"""Queries in players' words: what each must find on its first page, and what it must not find.

``player_words.csv`` has a row for each, ``player_words_unseen.csv`` those that were written when all
others were answered and measured before anything was changed for them; ``understood.csv`` says as what some
are read. What must and must not be found is said in the search language; "else" stands for every other card.
A row under whose ``open`` a sentence stands is not answered, for that reason: once it is, the sentence goes.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from cardsdb.games import game_named
from cardsdb.search.ask import answer_of
from cardsdb.search.query.standard import PLAIN
from cardsdb.search.query.tree import normal
from cardsdb.search.results import Results, parse_query, results_of

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

PAGE = 48
UNDERSTOOD = [
    tuple(row)
    for row in csv.reader(Path(__file__).with_name("understood.csv").read_text("utf-8").splitlines())
][1:]
TABLES = (Path(__file__).parent / name for name in ("player_words.csv", "player_words_unseen.csv"))
TABLE = [row for table in TABLES for row in csv.DictReader(table.read_text(encoding="utf-8").splitlines())]


def in_game(row: dict[str, str], query: str) -> str:
    return f"game:{row['game']} {query}" if row["game"] else query


def shown(text: str) -> Results:
    """What the list of cards shows for a query."""
    return answer_of(parse_query(text)).results


def cards(row: dict[str, str], column: str) -> set[int]:
    query = parse_query(in_game(row, f"({row[column]})"))
    assert not query.query.faults, row
    return set(results_of(query).pks)


def is_answered(row: dict[str, str]) -> bool:
    """Whether all that must be found is found, on the first page as far as it has room, and nothing that must
    not.
    """
    must, results = cards(row, "must find"), shown(in_game(row, row["query"]))
    assert must, f"nothing has to be found: {row}"
    found, first = set(results.pks), set(results.page(PAGE).pks)
    wrong = (
        found - must
        if row["must not find"] == "else"
        else found & cards(row, "must not find")
        if row["must not find"]
        else set()
    )
    return must <= found and not wrong and (must <= first or (first <= must and len(first) == PAGE))


@pytest.mark.parametrize("game", sorted({row["game"] for row in TABLE}))
def test_players_find_what_they_ask_for_in_their_words(game: str) -> None:
    rows = [row for row in TABLE if row["game"] == game]
    assert [row["query"] for row in rows if not row["open"] and not is_answered(row)] == []
    assert [row["query"] for row in rows if row["open"] and is_answered(row)] == [], (
        "answered: the mark under “open” goes"
    )


def test_what_is_not_answered_says_why() -> None:
    assert [row["query"] for row in TABLE if row["open"] and not row["open"].endswith(".")] == []


@pytest.mark.parametrize("text", PLAIN)
def test_the_examples_of_the_help_page_find_cards(text: str) -> None:
    assert 0 < shown(text).total < 400


def test_a_size_beside_a_word_of_a_name_is_no_name() -> None:
    query = parse_query("game:spycraft gear under 4 cost")
    assert answer_of(query).meant == "game:spycraft type=gear expense<4"


def test_values_of_one_fact_beside_an_or_are_alternatives_of_what_stands_around_them() -> None:
    assert set(shown("krypt or bloodvine leaders").pks) == set(
        shown("type=leader (faction:krypt or faction:bloodvine)").pks
    )


def test_a_part_of_a_name_means_the_card() -> None:
    query = parse_query("failure is not an option")
    assert not answer_of(query).meant
    assert query.query.problems == ()


@pytest.mark.parametrize("text", ["craft>=4", '"stolen van"', "!Kai", "Failure is Not an Option"])
def test_what_finds_what_is_meant_as_typed_is_searched_as_typed(text: str) -> None:
    assert not answer_of(parse_query(text)).meant


@pytest.mark.parametrize(
    ("text", "name"), [("ufo", "U.F.O."), ("rs9", "RS-9"), ("ak47", "AK-47"), ("im sorry", "I'm Sorry")]
)
def test_a_name_is_found_without_its_points_dashes_and_apostrophes(text: str, name: str) -> None:
    assert any(name in card.name for card in shown(text).cards)


def test_words_in_quotes_are_just_words() -> None:
    query = parse_query('"killer" "cards"')
    assert not answer_of(query).meant


@pytest.mark.parametrize(("text", "meant"), UNDERSTOOD)
def test_what_was_understood_is_written_in_the_search_language(text: str, meant: str) -> None:
    answer = answer_of(parse_query(text))
    assert answer.meant == normal(answer.results.query.query) == meant


def test_what_a_verb_is_done_to_comes_first_though_it_says_so_anyway() -> None:
    first, *_ = shown("game:spycraft exposes opposing agent").slice(0, 1)
    assert first.facts["target"] and "opposing agent" in first.facts["target"]


@pytest.mark.parametrize(
    ("text", "written"), [("game:xfiles cost=X", "game:xfiles cost_formula=X"), ("cost:x", "cost_formula:x")]
)
def test_what_is_printed_in_a_numbers_place_is_found_by_the_numbers_name(text: str, written: str) -> None:
    query = parse_query(text).query
    assert (normal(query), query.faults) == (written, ())


@pytest.mark.parametrize("text", ["health=Y", "cost>X"])
def test_what_no_card_has_there_is_a_fault(text: str) -> None:
    assert parse_query(text).query.faults


def test_suggestions_are_those_of_the_game_that_is_searched() -> None:
    def suggested(text: str) -> tuple[str, ...]:
        return parse_query(text).query.problems[0].suggestions

    assert "Witness" in suggested("type=witnes")
    assert "Witness" not in suggested("game:spycraft type=witnes")
    assert parse_query("type=witnes", game_named("spycraft")).query.problems[0].suggestions == suggested(
        "game:spycraft type=witnes"
    )
