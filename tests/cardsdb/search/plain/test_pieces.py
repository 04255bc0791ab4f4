"""The value of a piece, and the small words that qualify it."""

import pytest

from cardsdb.search.plain.pieces import LONGER, MENDED, Piece
from cardsdb.search.query.tree import Word
from tests.cardsdb.search.plain.steps import pieces


def test_a_longer_piece_has_a_higher_value_than_its_words():
    assert Piece("size", ("craft", "4")).value == 2 + LONGER


def test_a_corrected_word_has_a_lower_value():
    typed, corrected = Piece("word", ("agnet",)), Piece("word", ("agnet",), mended="agent")
    assert corrected.value == typed.value - MENDED


def test_a_typed_condition_does_not_change_the_value_of_the_words_beside_it():
    assert Piece("condition", tree=Word("a")).value == 0


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("agents with medical", "having"),
        ("agents that heal", "relative"),
        ("cards heal", "relative"),
        ("agents without cover", "negation"),
        ("agents about vehicles", "concerning"),
    ],
)
def test_a_small_word_marks_the_piece_behind_it(text, role):
    assert pieces(text)[-1].after(role)


def test_and_repeats_the_mark_of_the_piece_before_it():
    *_, last = pieces("agents with gear and cover")
    assert last.after("having")


def test_and_between_types_means_or():
    assert [piece.mark for piece in pieces("agents and leaders")] == ["", "or", ""]


def test_a_noun_marks_the_piece_before_it():
    assert [piece.is_noun for piece in pieces("wound cards")] == [True]


def test_what_follows_a_trigger_is_acted_on():
    agent, wounded = pieces("when an agent is wounded")
    assert agent.is_object
    assert wounded.is_object
