"""Typed numbers, pages of lists, and lookups of games."""

import pytest
from django.http import Http404
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games.kit import whole_number
from cardsdb.games.kit.model.text import MAX_INTEGER
from cardsdb.site.shortcuts import page_or_404


@given(number=st.integers(0, MAX_INTEGER))
def test_a_number_in_plain_digits_is_read(number):
    assert whole_number(str(number)) == whole_number(f"00{number}") == number


@pytest.mark.parametrize(
    "text",
    ["", " 1", "1 ", "+1", "-1", "1.0", "1_0", "0x1", "²", "١", "1\0", "9" * 5_000, str(MAX_INTEGER + 1)],
)
def test_any_other_text_is_not_a_number(text):
    assert whole_number(text) is None


@given(text=st.text(max_size=30))
def test_no_text_raises(text):
    assert whole_number(text) is None or text.isdecimal()


def test_a_number_keeps_within_its_bounds():
    assert [whole_number(str(number), most=3, least=2) for number in range(1, 5)] == [None, 2, 3, None]


def test_a_list_is_cut_into_pages_with_the_first_by_default():
    rows = list("abcde")
    pages = {
        text: page_or_404(RequestFactory().get("/", {"page": text} if text else {}), rows, 2)
        for text in ("", "2", "3")
    }
    assert {text: list(page) for text, page in pages.items()} == {"": ["a", "b"], "2": ["c", "d"], "3": ["e"]}


@pytest.mark.parametrize("text", ["0", "4", "-1", "x", "999999999999999999999"])
def test_a_page_that_does_not_exist_raises_http404(text):
    with pytest.raises(Http404):
        page_or_404(RequestFactory().get("/", {"page": text}), list("abcde"), 2)
