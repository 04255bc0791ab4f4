"""Addresses and parts of pages that are remembered: the same as made anew, for every page of the site."""

from __future__ import annotations

from typing import Any

import pytest
from django.template import Context, RequestContext, Template
from django.test import RequestFactory
from django.urls import NoReverseMatch, reverse, set_script_prefix

from cardsdb.site.addresses import page_address
from tests.support.visitors import SAMPLES, addresses

LINK = Template("{% url name one %}")


@pytest.fixture(autouse=True)
def _prefix_as_before() -> Any:
    yield
    set_script_prefix("/")


def test_a_remembered_address_is_the_one_that_django_works_out() -> None:
    for address in addresses():
        names = address.pattern.pattern.converters
        args = [str(SAMPLES.get(name, "a-link")) for name in names]
        if address.pattern.name and len(names) == len(address.pattern.pattern.regex.groupindex) and len(address.prefixes) < 2:
            for _ in range(2):
                assert page_address(address.name, *args) == reverse(address.name, args=args), address


def test_each_place_of_the_site_has_its_own_addresses() -> None:
    assert page_address("deck", "x") == "/decks/x/"
    set_script_prefix("/cutout/")
    assert page_address("deck", "x") == "/cutout/decks/x/"
    set_script_prefix("/")
    assert page_address("deck", "x") == "/decks/x/"


@pytest.mark.parametrize(("script", "address"), [("", "/decks/x/"), ("/cutout", "/cutout/decks/x/"), ("", "/decks/x/")])
def test_a_link_begins_where_the_request_says_that_the_site_does(rf: RequestFactory, script: str, address: str) -> None:
    request = rf.get("/", SCRIPT_NAME=script)
    assert LINK.render(RequestContext(request, {"name": "deck", "one": "x"})) == address


def test_a_link_that_leads_nowhere_is_a_fault_each_time(rf: RequestFactory) -> None:
    for _ in range(2):
        with pytest.raises(NoReverseMatch):
            LINK.render(RequestContext(rf.get("/"), {"name": "deck", "one": "/"}))


def test_a_link_of_a_letter_needs_no_request() -> None:
    assert LINK.render(Context({"name": "deck", "one": "x"})) == "/decks/x/"
    assert Template("{% url 'nothing' as gone %}{{ gone }}{% url 'deck' link='x' %}").render(Context()) == "/decks/x/"


PART = Template('{% remembered_part "decks/list_line.html" entry=entry %}')


def test_a_part_is_made_once_for_equal_values_and_knows_nothing_else_of_the_page(rf: RequestFactory) -> None:
    from cardsdb.games import games
    from cardsdb.games.kit import Entry, Marks
    from cardsdb.templatetags.remembered import _part

    kai = games()["spycraft"].card("kai")
    assert kai
    _part.cache_clear()
    shown = [
        PART.render(RequestContext(rf.get("/"), {"entry": Entry(kai, count, "deck", Marks(note=note)), "page": page}))
        for page, count, note in ((1, 2, ""), (2, 2, ""), (3, 3, ""), (4, 2, "<b>"))
    ]
    assert shown[0] == shown[1] != shown[2] and "&lt;b&gt;" in shown[3]
    assert _part.cache_info().misses == 3
