"""One meaning of a question's pieces: its asked types, verbs, objects and sizes (``readings.csv``); its
score; its changes.
"""

from dataclasses import asdict

import pytest

from cardsdb.search.plain.pieces import BY_KIND
from cardsdb.search.plain.reading import LEFT_OUT, UNMEASURED, Reading
from cardsdb.search.query.tree import Term, Word
from tests.cardsdb.search.plain.steps import meant, pieces, read_pieces, reading
from tests.cardsdb.tables import pairs


@pytest.mark.parametrize(("question", "query", "because"), pairs("search/plain/readings.csv"))
def test_a_question_is_read_as_these_conditions(question, query, because):
    assert meant(question) == query, because


def test_without_the_verb_its_object_is_a_condition_on_the_card():
    assert meant("gear that heals agents", with_verb=False) == "traits=Gear type=agent"


def test_a_word_of_no_card_is_unknown():
    assert reading("agents with xyzzy").unknown == ("xyzzy",)


def test_praise_without_a_number_to_sort_by_lowers_the_score():
    praise, type_ = BY_KIND["praise"] - UNMEASURED, 1
    assert reading("best agents").score == (praise + type_) / 2


def test_reading_does_not_change_the_pieces():
    # Here "give" is silenced, and "points" read as an order.
    cut = pieces("that give the most points")
    before = [asdict(piece) for piece in cut]
    read_pieces(cut)
    assert [asdict(piece) for piece in cut] == before


# -- changes -------------------------------------------------------------------------

A, B, C, OTHER = map(Word, ("a", "b", "c", "other"))
OF_TYPE = Term("type", "=", "agent")


def test_a_replacement_stands_where_the_last_replaced_part_stood():
    (changed,) = Reading((A, B, C)).changed([((A, B), OTHER)])
    assert changed.parts == (OTHER, C)


def test_a_part_that_is_left_out_lowers_the_score_by_its_share_of_the_words():
    (changed,) = Reading((A, B), score=1.0, count=2).changed([((A,), None)])
    assert (changed.parts, changed.left, changed.score) == ((B,), (A,), 1 - LEFT_OUT / 2)


def test_each_part_but_the_type_is_left_out_in_turn_the_last_first():
    halves = Reading((OF_TYPE, A, B)).halved(is_lost=False)
    assert [half.parts for half in halves] == [(OF_TYPE, A), (OF_TYPE, B)]


@pytest.mark.parametrize("is_lost", [True, False])
def test_an_only_part_beside_a_type_is_left_out_if_the_text_as_typed_finds_nothing(is_lost):
    halves = Reading((OF_TYPE, A)).halved(is_lost)
    assert [half.parts for half in halves] == [(OF_TYPE,)] * is_lost
