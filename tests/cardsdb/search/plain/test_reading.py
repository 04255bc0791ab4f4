"""One meaning of a question's pieces: its asked types, verbs, objects and sizes; its score; its changes."""

from dataclasses import asdict

import pytest

from cardsdb.search.plain.pieces import BY_KIND
from cardsdb.search.plain.reading import LEFT_OUT, UNMEASURED, Reading
from cardsdb.search.query.tree import Term, Word
from tests.cardsdb.search.plain.steps import meant, pieces, read_pieces, reading


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("gear that heals agents", "type=gear does=heal"),
        ("agents with an action", "type=agent"),
        ("leaders and agents", "type=leader or type=agent"),
        ("armor for agents", "traits=Armor"),
    ],
)
def test_the_asked_type_is_the_last_that_is_no_object_and_that_nothing_is_made_for_or_has(text, query):
    assert meant(text) == query


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("agents that use gear", "type=agent does=use (text:gear or target:gear)"),
        ("draw 2 or more", 'does=draw (text:"draw 2" or text:"draw 3" or text:"draw 4")'),
    ],
)
def test_the_object_of_a_verb_is_looked_for_in_texts(text, query):
    assert meant(text) == query


def test_an_object_that_the_verb_implies_is_no_condition():
    assert meant("agents heal the wounds") == "type=agent does=heal"


def test_without_the_verb_its_object_is_a_condition_on_the_card():
    assert meant("gear that heals agents", with_verb=False) == "traits=Gear type=agent"


def test_what_cards_give_most_of_is_a_number_to_sort_by_and_no_verb():
    assert meant("that give the most points") == "victory_points>=1"


def test_alternatives_that_each_name_a_type_are_read_one_by_one():
    text = "agents that heal or gear that wounds"
    assert meant(text) == "type=agent does=heal or type=gear does=wound"


def test_a_size_before_its_field_is_shared_by_the_fields_behind_it():
    assert meant("6+ in craft and charisma") == "craft>=6 charisma>=6"


def test_a_size_behind_its_field_is_not_shared():
    assert meant("craft 6+ and charisma") == "craft>=6 objective_skill=Charisma"


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
