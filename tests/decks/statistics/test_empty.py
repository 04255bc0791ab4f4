"""What the pages of numbers say where there is nothing to count, and how their tables stand on a narrow
screen.
"""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests import ROOT
from tests.decks.statistics.test_pages import made

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


def odds_page(client: Client, text: str, **asked: str) -> str:
    deck = made(client, "spycraft", text)
    return " ".join(client.get(f"/decks/{deck.link}/numbers/odds/", asked).content.decode().split())


def test_a_query_that_means_no_card_that_is_drawn_says_so_instead_of_nought(client: Client) -> None:
    page = odds_page(client, "3 Kai\n2 Termite\n", a="t:gear")
    assert "No such card is drawn from this pile." in page
    assert 'class="facts odds-answer"' not in page


def test_a_card_of_the_deck_that_is_not_drawn_is_named(client: Client, agency_text: str) -> None:
    leader = re.search(r"Leaders:\n1 (.*)\n", agency_text)
    assert leader
    page = odds_page(client, agency_text, a="t:leader")
    assert "No such card is drawn from this pile." in page
    assert f"{leader[1]}" in page.partition("No such card is drawn from this pile.")[2][:900]


def test_of_two_kinds_the_one_that_is_not_drawn_is_told(client: Client) -> None:
    page = odds_page(client, "3 Kai\n2 Termite\n", a="t:agent", b="t:gear")
    assert "B: type is Gear. No card of the deck is meant." in page
    assert "A: type is" not in page
    assert 'class="facts odds-answer"' not in page


def test_a_kind_that_is_drawn_has_its_answer(client: Client) -> None:
    page = odds_page(client, "3 Kai\n2 Termite\n", a="t:agent")
    assert 'class="facts odds-answer"' in page
    assert "No such card" not in page


@pytest.mark.parametrize("part", ["", "odds/?a=t:agent"])
def test_a_tables_title_stands_outside_of_what_scrolls(client: Client, agency_text: str, part: str) -> None:
    page = client.get(f"/decks/{made(client, 'spycraft', agency_text).link}/numbers/{part}").content.decode()
    tables = re.findall(r'<div class="table-wrap statistics-wrap".*?</table>', page, re.DOTALL)
    assert tables
    assert "<caption" not in "".join(tables)
    for table in tables:
        name = re.search(r'<table [^>]*aria-labelledby="([^"]+)"', table)
        assert name
        assert f'id="{name[1]}"' in page.replace(table, "")


def test_a_title_may_wrap() -> None:
    css = (ROOT / "cardsdb/static/cutout/statistics.css").read_text()
    rule = re.search(r"\.statistics-title \{([^}]*)\}", css)
    assert rule
    assert "nowrap" not in rule[1]
