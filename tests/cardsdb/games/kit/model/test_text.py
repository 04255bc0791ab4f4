"""English lists and plurals, and digits read as a number. Folding is tested with names and lists."""

import pytest

from cardsdb.games.kit.model.text import listed, singular, whole_number


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ((), ""),
        (("a",), "a"),
        (("a", "b", "c"), "a, b and c"),
        (("a, b", "c", "d"), "a, b; c; and d"),
        (("“a, b”", "c"), "“a, b” and c"),
    ],
)
def test_words_with_a_comma_are_separated_by_semicolons(words, text):
    assert listed(words) == text


def test_words_beyond_the_most_are_counted():
    assert listed(tuple("abcd"), 2) == "a, b and 2 more"


@pytest.mark.parametrize(("plural", "one"), [("entries of X", "entry of X"), ("less leaders", "less leader")])
def test_the_first_plural_of_a_phrase_becomes_singular(plural, one):
    assert singular(plural) == one


@pytest.mark.parametrize("text", ["", "-1", "4", "٣", "9" * 5_000])
def test_a_text_that_is_no_number_within_the_bounds_is_none(text):
    assert whole_number(text, most=3) is None
