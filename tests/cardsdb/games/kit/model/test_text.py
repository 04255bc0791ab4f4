"""A folded text stays as it is; English lists, and digits read as a number. What folding makes alike is
tested with names and lists.
"""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games.kit.model.text import MAX_INTEGER, fold, listed, whole_number


def test_every_character_of_unicode_is_folded_once_for_all():
    folded = (fold(chr(number)) for number in range(sys.maxunicode + 1))
    assert [text for text in folded if fold(text) != text] == []


@given(text=st.text(max_size=20))
def test_a_folded_text_stays_as_it_is(text):
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(("text", "folded"), [("Ǿ", "o"), ("ǣ", "ae"), ("ꟹ", "oe"), ("⁻1", "-1")])
def test_an_accented_or_raised_letter_folds_as_its_plain_form_does(text, folded):
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ((), ""),
        (("a",), "a"),
        (("a", "b", "c"), "a, b and c"),
        (("a, b", "c", "d"), "a, b; c; and d"),
        (("“a, b”", "c"), "“a, b” and c"),
        (tuple("abcdefghij"), "a, b, c, d, e, f, g, h and 2 more"),
    ],
)
def test_words_become_an_english_list(words, text):
    assert listed(words) == text


@pytest.mark.parametrize("text", ["", "-1", "4", "٣", "9" * 5_000])
def test_a_text_that_is_no_number_within_the_bounds_is_none(text):
    assert whole_number(text, most=3) is None


def test_a_number_is_read_up_to_the_bounds_and_no_further():
    assert whole_number(str(MAX_INTEGER)) == MAX_INTEGER
    assert whole_number(str(MAX_INTEGER + 1)) is None
    assert whole_number("2", least=2) == 2
    assert whole_number("1", least=2) is None
