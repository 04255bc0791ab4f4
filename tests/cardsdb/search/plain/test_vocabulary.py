"""The words of a game in questions: the search understands each that it declares under ``[player_words]``."""

from __future__ import annotations

import pytest

from cardsdb.catalogue.current import catalogue
from cardsdb.games import games
from cardsdb.search.ask import vocabulary_of
from cardsdb.search.plain.vocabulary import phrase_of
from cardsdb.search.results import parse_query, results_of

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

EVERY_GAME = pytest.mark.parametrize("game", games().values(), ids=lambda game: game.slug)


def is_query(meant: str) -> bool:
    """Say if it is a query of the search language, not a phrase or a field."""
    return any(sign in meant for sign in ":=#!")


@EVERY_GAME
def test_a_query_that_players_mean_is_understood_and_finds_cards(game):
    for phrase, meant in game.player_words.items():
        if is_query(meant):
            query = parse_query(f"game:{game.slug} ({meant.replace('#', '>=0')})")
            assert query.query.problems == (), phrase
            # A unit is one of the game also where no source states any number of it.
            assert "#" in meant or results_of(query).total, phrase


@EVERY_GAME
def test_each_word_of_players_and_what_it_means_are_words_of_the_game(game):
    vocabulary = catalogue().derived(vocabulary_of, game)

    def is_known(phrase: str) -> bool:
        words = phrase_of(phrase).split()
        return bool(vocabulary.senses(words) or vocabulary.field(words))

    for phrase, meant in game.player_words.items():
        assert is_query(meant) or is_known(meant), phrase
        assert phrase.startswith("# ") or is_known(phrase), phrase
