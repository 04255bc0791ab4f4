"""The vocabulary of a game: the words of ``[player_words]``, their meaning, and the correction of others."""

from __future__ import annotations

import pytest

from cardsdb.catalogue.current import catalogue
from cardsdb.games import games
from cardsdb.search.candidates import vocabulary_of
from cardsdb.search.plain.forms import phrase_of
from cardsdb.search.results import parse_query, results_of

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

EVERY_GAME = pytest.mark.parametrize("game", games().values(), ids=lambda game: game.slug)


def is_query(meant: str) -> bool:
    """True if a meaning is a query of the search language; false if it is a phrase or a field."""
    return any(sign in meant for sign in ":=#!")


@EVERY_GAME
def test_a_meaning_in_the_search_language_is_understood_and_finds_cards(game):
    for phrase, meant in game.player_words.items():
        if is_query(meant):
            query = parse_query(f"game:{game.slug} ({meant.replace('#', '>=0')})")
            assert query.query.problems == (), phrase
            # A unit ("# rp") may be one of a number that no source states yet.
            assert "#" in meant or results_of(query).total, phrase


@EVERY_GAME
def test_each_word_of_players_and_its_meaning_are_in_the_vocabulary(game):
    vocabulary = catalogue().derived(vocabulary_of, game)

    def is_known(phrase: str) -> bool:
        words = phrase_of(phrase).split()
        return bool(vocabulary.senses(words) or vocabulary.field(words))

    for phrase, meant in game.player_words.items():
        assert is_query(meant) or is_known(meant), phrase
        assert phrase.startswith("# ") or is_known(phrase), phrase


@pytest.mark.parametrize(
    ("word", "known"),
    [("agnet", "agent"), ("leadr", "leader"), ("agents", ""), ("zz", ""), ("rs8", "")],
)
def test_a_misspelt_word_is_corrected_if_it_is_long_enough_and_has_no_digits(word, known):
    vocabulary = catalogue().derived(vocabulary_of, games()["spycraft"])
    assert vocabulary.mended(word) == known
