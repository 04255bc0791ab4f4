"""The preview of a sheet: exactly the cards that are printed on it, in a picture that stays small."""

import gzip
from dataclasses import replace
from html import unescape
from itertools import groupby

import pytest

from cardsdb.games import games
from printing.job.job import Job
from printing.options.values import read_options
from printing.render.files import sides_of
from printing.render.preview import shown_sides
from tests.support.drawings import texts

SPYCRAFT = games()["spycraft"]


@pytest.mark.parametrize(
    "options",
    [
        {"backs": "long", "copies": "2"},
        {"backs": "gutterfold"},
        {"start": "4", "skip": "2,9"},
        {"paper": "letter", "gap": "2", "orientation": "landscape"},
    ],
    ids=str,
)
def test_the_preview_shows_the_cards_of_each_sheet(options):
    cards = tuple((card, 1 + number % 3) for number, card in enumerate(SPYCRAFT.cards[:20]))
    job = Job(SPYCRAFT, cards, "Test", read_options(options))
    printed = {number: [*sides] for number, sides in groupby(sides_of(job), lambda side: side.number)}
    assert list(printed) == list(range(1, job.sheets + 1))
    for number, sides in printed.items():
        for seen, side in zip(shown_sides(job, number), sides, strict=True):
            placed = sorted(side.placed, key=lambda placed: (placed.y, placed.x))
            drawings = [each.drawing for each in placed]
            assert [name for row in seen.rows for name in row if name] == [each.name for each in drawings]
            assert all(words in unescape(seen.svg) for each in drawings for words in texts(each))


def test_copies_on_one_sheet_are_drawn_once():
    card = SPYCRAFT.cards[0]
    (side,) = shown_sides(Job(SPYCRAFT, ((card, 9),)), 1)
    assert side.svg.count(f">{card.name}<") == 1 and side.svg.count("<use ") == 8


def test_a_sheet_of_very_many_cards_shows_only_names_and_stays_small():
    cards, options = SPYCRAFT.cards[:300], read_options({"paper": "1000x1000", "trim": "micro"})
    (side,) = shown_sides(Job(SPYCRAFT, tuple((card, 1) for card in cards), options=options), 1)
    assert len(gzip.compress(side.svg.encode())) < 24_000
    assert cards[-1].name[:24] in unescape(side.svg)


def test_names_from_a_list_are_escaped():
    nasty = replace(SPYCRAFT.cards[0], name='<script>"&')
    (side,) = shown_sides(Job(SPYCRAFT, ((nasty, 1),)), 1)
    assert "<script" not in side.svg
