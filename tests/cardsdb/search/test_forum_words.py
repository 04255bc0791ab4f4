"""Questions in the words of people who ask in forums, with and without the game that they mean.

``forum_words.csv`` has a row for each: all that ``must find`` finds is found, and of the first ten cards at
most two are none that ``belongs`` finds. Without the game they are looked for among the cards of that game.
At least so many of a hundred are answered; who mends one raises the number.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest

from cardsdb.catalogue.current import catalogue, working_with
from cardsdb.search.ask import answer_of
from cardsdb.search.results import parse_query, results_of

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

ROWS = list(csv.DictReader(Path(__file__).with_name("forum_words.csv").read_text("utf-8").splitlines()))
FIRST, WRONG = 10, 2


@cache
def keys(game: str, query: str) -> set[str]:
    return {card.key for card in results_of(parse_query(f"game:{game} ({query})")).cards}


def is_answered(row: dict[str, str], typed: str) -> bool:
    game = row["game"]
    found = [card.key for card in answer_of(parse_query(typed)).results.cards if card.game == game]
    belongs = keys(game, row["belongs"])
    return keys(game, row["must find"]) <= set(found) and len(set(found[:FIRST]) - belongs) <= WRONG


@pytest.mark.parametrize(("with_game", "least"), [(True, 95), (False, 95)])
def test_most_questions_of_a_hundred_are_answered(with_game: bool, least: int) -> None:
    # As within a request, the catalogue is asked for once.
    with working_with(catalogue()):
        answered = [
            is_answered(row, f"game:{row['game']} {row['query']}" if with_game else row["query"])
            for row in ROWS
        ]
    assert 100 * sum(answered) >= least * len(ROWS)
