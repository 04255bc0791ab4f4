"""The print page shows the very sheet that will be printed."""

from __future__ import annotations

import gzip
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from cardsdb.games import games
from decks.models import Deck
from printing.job.job import Job
from printing.options.values import read_options
from printing.render.files import sides_of
from printing.render.preview import shown_sides
from tests.support.print_pages import deck, shown

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = pytest.mark.engine("sqlite")

__all__ = ["deck"]


def job_of(**options: str) -> Job:
    cards = games()["spycraft"].cards[:40]
    return Job(
        games()["spycraft"],
        tuple((card, 1 + number % 3) for number, card in enumerate(cards)),
        "Test",
        read_options(options),
    )


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"backs": "long", "copies": "2"},
        {"backs": "gutterfold"},
        {"start": "4", "skip": "2,9"},
        {"paper": "letter", "gap": "2", "orientation": "landscape"},
    ],
    ids=str,
)
def test_every_sheet_shows_the_very_cards_that_are_printed_on_it(options: dict[str, str]) -> None:
    job = job_of(**options)
    printed: dict[int, list[Any]] = {}
    for side in sides_of(job):
        printed.setdefault(side.number, []).append(side)
    assert set(printed) == set(range(1, job.sheets + 1))
    for number, sides in printed.items():
        seen = shown_sides(job, number)
        assert len(seen) == len(sides)
        for one, side in zip(seen, sides, strict=True):
            in_order = [
                placed.drawing.name for placed in sorted(side.placed, key=lambda placed: (placed.y, placed.x))
            ]
            assert [name for row in one.rows for name in row if name] == in_order
            texts = [
                stroke.text
                for placed in side.placed
                for stroke in placed.drawing.strokes
                if hasattr(stroke, "text")
            ]
            assert all(text in unescape(one.svg) for text in texts)


def test_a_card_that_lies_on_a_sheet_several_times_is_drawn_once() -> None:
    card = games()["spycraft"].cards[0]
    (side,) = shown_sides(Job(games()["spycraft"], ((card, 9),)), 1)
    assert side.svg.count(f">{card.name}<") == 1 and side.svg.count("<use ") == 8


def test_a_sheet_of_very_many_cards_shows_names_and_stays_light() -> None:
    cards = games()["spycraft"].cards[:500]
    job = Job(
        games()["spycraft"],
        tuple((card, 1) for card in cards),
        options=read_options({"paper": "1000x1000", "trim": "micro"}),
    )
    (side,) = shown_sides(job, 1)
    assert len(gzip.compress(side.svg.encode())) < 40_000
    assert cards[499].name[:24] in unescape(side.svg)


def test_names_from_a_list_are_words_in_the_picture_and_never_marks() -> None:
    agents = games()["agentdecker"].cards[0]
    nasty = type(agents)(**{**{name: getattr(agents, name) for name in vars(agents)}, "name": '<script>"&'})
    (side,) = shown_sides(Job(games()["agentdecker"], ((nasty, 1),)), 1)
    assert "<script" not in side.svg


@pytest.mark.django_db
@pytest.mark.parametrize("number", ["0", "-1", "99999999", "x", ""])
def test_a_sheet_that_is_not_there_is_the_nearest_one(client: Client, deck: Deck, number: str) -> None:
    answer = client.get(f"/print/?deck={deck.link}&paper=a4&sheet={number}", follow=True)
    assert re.search(r"Sheet [17] of 7", answer.content.decode())


def test_the_picture_has_words_and_a_table_beside_it(client: Client, deck: Deck) -> None:
    page = shown(client, f"/print/?deck={deck.link}&paper=a4&sheet=2")
    assert page.one(role="img", aria_label="Sheet 2 of 7: 9 cards, A4")
    assert len(page.row("Row 3")) == 3
