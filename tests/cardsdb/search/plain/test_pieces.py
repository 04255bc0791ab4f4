"""The small words that qualify a piece. Its value decides the cuts of ``test_patterns.py`` and the tables of
``test_ask.py``.
"""

import pytest

from tests.cardsdb.search.plain.steps import pieces


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
