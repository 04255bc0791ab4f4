"""A card while it is drawn: fills that run on into the bleed, symbols, and emblems."""

from dataclasses import replace

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card
from cardsdb.games.kit.print.dossier import dossier
from cardsdb.games.kit.print.face import Box, Face, Fill, Symbol
from cardsdb.games.kit.print.shapes import read_path
from printing.faces.compose import compose
from printing.faces.strokes import Line, Path
from tests.support.drawings import parcel

SPYCRAFT = games()["spycraft"]
KAI = SPYCRAFT.card("kai")


def shapes(card: Card | None, **style: bool) -> int:
    assert card
    return sum(isinstance(stroke, Path) for stroke in compose(card, games()[card.game], **style).strokes)


def test_fills_at_the_trim_run_on_into_the_bleed(sixth_game):
    face = Face((Fill(Box(0, 0, 63_000, 13_500), "hue"), Fill(Box(9_000, 20_000, 5_000, 5_000), "ink")))
    game = replace(sixth_game, faces={"courier": face})
    band, inner = compose(sixth_game.card("zorka"), game, (63_000, 88_000), bleed=1_000).strokes
    assert band[:4] == (-1_000, -1_000, 65_000, 14_500)
    assert inner[:4] == (9_000, 20_000, 5_000, 5_000)


def test_a_landscape_face_lies_across_its_slot(sixth_game):
    drawing = parcel(sixth_game, dossier(landscape=True))
    assert (drawing.width, drawing.height, drawing.turned) == (88_900, 63_500, True)
    assert not parcel(sixth_game, dossier()).turned


def test_a_symbol_is_drawn_from_its_path(sixth_game):
    symbol = Symbol(Box(0, 0, 24_000, 24_000), "M4 4 H20 V20 Z", "hue")
    game = replace(sixth_game, faces={"courier": Face((symbol,))})
    (outline,) = compose(sixth_game.card("zorka"), game, (63_000, 88_000)).strokes
    corners = [("M", (4_000, 4_000)), ("L", (20_000, 4_000)), ("L", (20_000, 20_000)), ("Z", ())]
    assert isinstance(outline, Path) and (outline.steps, outline.pen) == (tuple(corners), 2_000)


@pytest.mark.parametrize("path", ["M 1 2 a 3 3", "M 1 2 3", "L"])
def test_a_path_that_cannot_be_drawn_is_refused(path):
    with pytest.raises(ValueError, match="symbol's path"):
        read_path(path)


# -- emblems --------------------------------------------------------------------------------


def lines(card: Card | None, **style: bool) -> int:
    assert card
    return sum(isinstance(stroke, Line) for stroke in compose(card, games()[card.game], **style).strokes)


def test_rules_to_write_on_replace_the_emblem_on_request():
    assert shapes(KAI) > shapes(KAI, ruled=True) + 20
    assert lines(KAI, ruled=True) > 4


def test_the_plain_style_has_no_emblem():
    assert shapes(KAI, plain=True) < 20


def test_a_text_that_leaves_no_room_for_an_emblem_has_no_rules_below_it():
    assert lines(games()["xfiles"].card("agent-fox-mulder")) == 0


@pytest.mark.parametrize(
    ("slug", "card_type", "fact"),
    [
        ("agentdecker", "obstacle", "cost"),
        ("agentdecker", "starting", "copies"),
        ("xfiles", "event", "cost"),
        ("steamspy", "character", "body"),
    ],
)
def test_a_card_with_an_absurd_number_has_no_emblem(slug, card_type, fact):
    """A player may write any number: one of nine digits must not become as many shapes."""
    card = Card(slug, "new", "New", card_type, {fact: 999_999_999, "alarm": 1}, written=True)
    assert shapes(card) < 60
    assert shapes(replace(card, facts={fact: 100, "alarm": 100})) < 2_000
