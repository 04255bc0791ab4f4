"""Emblems on faces: below the text, none in plain print or where one wants to write, none for numbers beyond
all sense.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card
from printing.faces.compose import compose
from printing.faces.strokes import Line, Path

KAI = games()["spycraft"].card("kai")


def shapes(card: Card, **style: bool) -> int:
    return sum(isinstance(stroke, Path) for stroke in compose(card, games()[card.game], **style).strokes)


def test_a_face_has_its_emblem_and_rules_where_somebody_wants_to_write() -> None:
    assert KAI
    assert shapes(KAI) > shapes(KAI, ruled=True) + 20
    written = compose(KAI, games()["spycraft"], ruled=True)
    assert sum(isinstance(stroke, Line) for stroke in written.strokes) > 4
    assert shapes(KAI, plain=True) < 20


def test_beneath_a_text_that_leaves_no_room_for_an_emblem_stand_no_rules() -> None:
    game = games()["xfiles"]
    mulder = game.card("agent-fox-mulder")
    assert mulder
    assert not [stroke for stroke in compose(mulder, game).strokes if isinstance(stroke, Line)]


def test_light_ink_has_the_same_words() -> None:
    assert KAI
    game = games()["spycraft"]
    full, light = (compose(KAI, game, light=light) for light in (False, True))
    assert [stroke[2] for stroke in full.strokes if len(stroke) == 8] == [
        stroke[2] for stroke in light.strokes if len(stroke) == 8
    ]


@pytest.mark.parametrize(
    ("slug", "card_type", "fact"),
    [
        ("agentdecker", "obstacle", "cost"),
        ("agentdecker", "starting", "copies"),
        ("xfiles", "event", "cost"),
        ("steamspy", "character", "body"),
    ],
)
def test_a_number_beyond_all_sense_draws_no_emblem(slug: str, card_type: str, fact: str) -> None:
    """Anybody may write a card in: a number of nine digits must not become as many shapes."""
    card = Card(slug, "new", "New", card_type, {fact: 999_999_999, "alarm": 1}, written=True)
    assert shapes(card) < 60
    assert shapes(replace(card, facts={fact: 100, "alarm": 100})) < 2_000
