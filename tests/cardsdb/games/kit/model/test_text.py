"""English lists, and digits read as a number. Folding is tested with names and lists."""

import pytest

from cardsdb.games.kit.model.text import MAX_INTEGER, listed, whole_number


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
