"""Addresses that are remembered: the same as made anew, for every page of the site."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.urls import reverse, set_script_prefix

from cardsdb.games import games
from cardsdb.site.addresses import page_address
from tests.support.visitors import SAMPLES, addresses


@pytest.fixture(autouse=True)
def _prefix_as_before() -> Iterator[None]:
    yield
    set_script_prefix("/")


def test_a_remembered_address_is_the_one_that_django_works_out() -> None:
    for address in addresses():
        names = address.pattern.pattern.converters
        args = [str(SAMPLES.get(name, "a-link")) for name in names]
        if (
            address.pattern.name
            and len(names) == len(address.pattern.pattern.regex.groupindex)
            and len(address.prefixes) < 2
        ):
            for _ in range(2):
                assert page_address(address.name, *args) == reverse(address.name, args=args), address


def test_a_cards_address_is_the_one_that_django_works_out() -> None:
    cards = [(game.slug, card.code) for game in games().values() for card in game.cards] + [
        ("spycraft", "own_7"),
        ("any-slug", "any-slug"),
    ]
    assert [page_address("card", *card) for card in cards] == [reverse("card", args=card) for card in cards]
    set_script_prefix("/any-slug/")
    assert page_address("card", "spycraft", "li") == "/any-slug/cards/spycraft/li/"


def test_each_place_of_the_site_has_its_own_addresses() -> None:
    assert page_address("deck", "x") == "/decks/x/"
    set_script_prefix("/cutout/")
    assert page_address("deck", "x") == "/cutout/decks/x/"
    set_script_prefix("/")
    assert page_address("deck", "x") == "/decks/x/"
