"""The picture of a deck: its words, its bars, and the file that is sent."""

import io
from dataclasses import replace

import pytest
from PIL import Image

from cardsdb.games import games
from printing.faces.strokes import Drawing, Rect
from printing.render.deck_picture import (
    HEIGHT,
    MAX_BAR,
    PIXEL,
    WIDTH,
    DeckShown,
    _deck_drawing,
    deck_picture,
)
from tests.support.drawings import texts

DECK = DeckShown(games()["agentdecker"], "Tiger", "Solo", "legal", "Legal", 53, (("Gear", 8), ("Foes", 4)))


def bars(drawing: Drawing) -> list[int]:
    """Return the lengths of the bars in pixels. The ground and the edge at the left come before them."""
    _, _, *found = (stroke for stroke in drawing.strokes if isinstance(stroke, Rect))
    return [round(bar.width / PIXEL) for bar in found]


def test_the_picture_has_the_size_that_chats_show_and_states_the_credit():
    with Image.open(io.BytesIO(deck_picture(DECK))) as picture:
        assert picture.size == (WIDTH, HEIGHT)
        assert "Manuel Correia" in picture.text["Copyright"]


def test_the_picture_states_name_verdict_and_number_of_cards():
    assert {"Tiger", "LEGAL", "53 cards", "Gear", "8"} <= set(texts(_deck_drawing(DECK)))


def test_bars_are_as_long_as_their_parts_are_large():
    assert bars(_deck_drawing(DECK)) == [MAX_BAR, MAX_BAR // 2]


def test_characters_that_no_font_has_get_stand_ins():
    named = replace(DECK, name="Nine \N{SLEUTH OR SPY} Tiger")
    assert "Nine ☐ Tiger" in " ".join(texts(_deck_drawing(named)))


GAME = DECK.game
OTHERS = {
    "game": replace(DECK, game=games()["spycraft"]),
    "name": replace(DECK, name="Lion"),
    "format": replace(DECK, format="Duel"),
    "verdict": replace(DECK, verdict="illegal"),
    "words of the verdict": replace(DECK, verdict_words="Not legal"),
    "cards": replace(DECK, cards=54),
    "bars": replace(DECK, bars=(("Gear", 8),)),
    "name of the game": replace(DECK, game=replace(GAME, name="Other")),
    "hue": replace(DECK, game=replace(GAME, hue=("#123456", "#654321"))),
    "credit": replace(DECK, game=replace(GAME, credit=replace(GAME.credit, text="Other"))),
    "rights": replace(DECK, game=replace(GAME, credit=None, rights="Other")),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_the_key_changes_with_everything_that_the_picture_shows(other):
    assert other.key != DECK.key
