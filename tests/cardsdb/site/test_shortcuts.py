"""Pages of lists: which texts in ``?page=`` are numbers of pages. The decorators and lookups are tested with
the pages that use them.
"""

from contextlib import suppress

import pytest
from django.core.paginator import Page
from django.http import Http404
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.site.shortcuts import MAX_PAGE, page_or_404


def page_at(text: str) -> Page[int]:
    """Return the page that ``?page=`` names, of a list with one row more than there may be pages."""
    return page_or_404(RequestFactory().get("/", {"page": text}), range(MAX_PAGE + 1), 1)


@given(number=st.integers(1, MAX_PAGE))
def test_a_page_is_named_by_a_number_in_plain_digits(number):
    assert page_at(str(number)).number == page_at(f"00{number}").number == number


@pytest.mark.parametrize(
    "text",
    ["", "0", " 1", "1 ", "+1", "-1", "1.0", "1_0", "0x1", "x", "²", "١", "1\0", "9" * 5_000],
)
def test_any_other_text_raises_http404(text):
    with pytest.raises(Http404):
        page_at(text)


def test_a_page_beyond_the_highest_number_raises_http404_although_the_list_has_it():
    with pytest.raises(Http404):
        page_at(str(MAX_PAGE + 1))


@given(text=st.text(max_size=30))
def test_no_text_raises_anything_else(text):
    with suppress(Http404):
        assert page_at(text).number == int(text)


def test_a_list_is_cut_into_pages_with_the_first_by_default():
    def rows(**query: str) -> str:
        return "".join(page_or_404(RequestFactory().get("/", query), "abcde", 2))

    assert [rows(), rows(page="2"), rows(page="3")] == ["ab", "cd", "e"]


def test_a_page_behind_the_last_one_raises_http404():
    with pytest.raises(Http404):
        page_or_404(RequestFactory().get("/", {"page": "4"}), "abcde", 2)
