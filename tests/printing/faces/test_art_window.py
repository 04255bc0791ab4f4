"""An own picture in the window of a drawn face: every face has one, words keep theirs, and nothing is
turned.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.pictures import has_window
from cardsdb.games import games
from cardsdb.games.kit import Card, Game
from printing.faces.compose import compose
from printing.faces.strokes import Drawing, Picture, TextRun

REF = PictureRef("0" * 64, "jpeg", 1200, 800, "/nowhere", "/pictures/0/", use="art")
LONG = " ".join(["The courier hides the parcel until somebody asks for it."] * 9)
FACES = [
    (game, kind.slug)
    for game in games().values()
    for kind in game.types
    if (game.slug, kind.slug) != ("agentdecker", "alarm")
]


def pictures(drawing: Drawing) -> list[Picture]:
    return [stroke for stroke in drawing.strokes if isinstance(stroke, Picture)]


def one_of(game: Game, card_type: str) -> Card:
    return next(
        (card for card in game.cards if card.type == card_type),
        Card(game=game.slug, code="parcel", name="Parcel", type=card_type),
    )


@pytest.mark.parametrize(
    ("game", "card_type"), FACES, ids=lambda value: value if isinstance(value, str) else value.slug
)
def test_every_face_has_room_for_a_picture_and_keeps_its_words(game: Game, card_type: str) -> None:
    card = replace(one_of(game, card_type), text="", sentences=())
    usual, drawing = compose(card, game, game.trim), compose(card, game, game.trim, art=REF)
    (picture,) = pictures(drawing)
    assert min(picture.width, picture.height) >= 10_000
    assert picture.x >= 0 and picture.x + picture.width <= drawing.width
    assert picture.y >= 0 and picture.y + picture.height <= drawing.height
    assert {run.text for run in runs(usual)} == {run.text for run in runs(drawing)}
    assert not any(over(run, picture) for run in runs(drawing))


def runs(drawing: Drawing) -> Iterator[TextRun]:
    return (stroke for stroke in drawing.strokes if isinstance(stroke, TextRun))


def over(run: TextRun, picture: Picture) -> bool:
    """Whether words stand on the picture."""
    right = run.x if run.turned else run.x + run.width
    return (
        run.x < picture.x + picture.width
        and right > picture.x
        and picture.y < run.y <= picture.y + picture.height
    )


SPYCRAFT = games()["spycraft"]
ACTION = next(card for card in SPYCRAFT.cards if card.type == "action")


def test_a_text_leaves_the_picture_its_part_and_stands_above_it() -> None:
    drawing = compose(replace(ACTION, text=LONG[:200], sentences=()), SPYCRAFT, art=REF)
    (picture,) = pictures(drawing)
    assert picture.height > 12_000
    assert not any(over(run, picture) for run in runs(drawing))


def test_a_text_that_needs_all_of_the_room_has_it() -> None:
    card = replace(ACTION, text=LONG * 2, sentences=())
    drawing = compose(card, SPYCRAFT, art=REF)
    assert not pictures(drawing)
    assert [run.text for run in runs(drawing)] == [run.text for run in runs(compose(card, SPYCRAFT))]


def test_a_picture_in_a_window_is_cut_to_its_shape_and_never_turned() -> None:
    tall = REF._replace(width=800, height=1200)
    for ref in (REF, tall):
        (picture,) = pictures(compose(replace(ACTION, text="", sentences=()), SPYCRAFT, art=ref))
        left, top, across, down = picture.crop
        assert across / down == pytest.approx(picture.width / picture.height, rel=0.01)
        assert (left + across / 2, top + down / 2) == pytest.approx((ref.width / 2, ref.height / 2))
        assert picture.image.turn == 0 and not picture.flip


def test_a_face_that_is_all_numbers_has_no_window() -> None:
    decker = games()["agentdecker"]
    alarm = next(card for card in decker.cards if card.type == "alarm")
    assert not has_window(decker, alarm.code) and has_window(SPYCRAFT, ACTION.code)
