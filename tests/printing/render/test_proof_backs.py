"""Backs behind fronts, found in the printed pictures: held against the light, each covers its front."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from cardsdb.games.kit import Game
from printing.faces.strokes import Drawing, Rect
from printing.job.job import Job
from printing.layout.imposition import Piece
from printing.options.values import read_options
from tests.support.rendering import difference, part, pictures
from tests.support.sheets import make_sheets


def lopsided(number: int) -> Piece:
    """A card like no other, with a back that covers it exactly when it is held against the light."""
    width, height = 63_500, 88_900
    colour, ground = f"#{40 + number * 9:02x}50{200 - number * 9:02x}", "#d0d0d0"
    front = (Rect(0, 0, width, height, ground), Rect(6_000, 5_000, 20_000, 30_000, colour))
    back = (Rect(0, 0, width, height, ground), Rect(width - 26_000, 5_000, 20_000, 30_000, colour))
    return Piece(
        f"{number}",
        Drawing(f"front {number}", width, height, front),
        Drawing(f"back {number}", width, height, back),
        1,
    )


@pytest.mark.parametrize(
    "options",
    [
        {"backs": "long"},
        {"backs": "short"},
        {"backs": "long", "orientation": "landscape"},
        {"backs": "short", "orientation": "landscape", "paper": "letter", "gap": "2"},
        {"backs": "long", "turn": "turned", "start": "3", "skip": "5"},
        {"backs": "gutterfold", "fold": "vertical"},
        {"backs": "gutterfold", "fold": "horizontal", "heads": "to"},
        {"backs": "gutterfold", "orientation": "landscape", "bleed": "2"},
    ],
    ids=lambda options: "-".join(options.values()),
)
def test_held_against_the_light_every_back_covers_its_front(sixth_game: Game, options):
    """Thirteen different cards: the last sheet is partly filled. Turned over, each back shows the very
    picture of its front.
    """
    job = Job(
        replace(sixth_game, trim=(63_500, 88_900)),
        (),
        options=read_options({**options, "marks": "none", "header": "no"}),
        extra=tuple(lopsided(number) for number in range(13)),
    )
    layout, sheets = job.layout, pictures(make_sheets(job).data)
    axis = layout.fold or layout.axis(job.options.flip or "long")
    flip = Image.Transpose.FLIP_LEFT_RIGHT if axis == "vertical" else Image.Transpose.FLIP_TOP_BOTTOM
    fronts, backs = (sheets, sheets) if layout.fold else (sheets[::2], sheets[1::2])
    seen = 0
    for front, back in zip(fronts, backs, strict=True):
        behind = back.transpose(flip)
        for place in range(layout.per_sheet):
            one, other = part(front, layout.slot(place), 500), part(behind, layout.slot(place), 500)
            assert difference(one, other) < 0.5
            seen += one.getextrema() != ((255, 255),) * 3
    assert seen == 13


def test_a_calibration_moves_and_turns_the_backs_as_it_says(sixth_game: Game):
    def corner(**chosen: str) -> tuple[float, float, float, float]:
        options = read_options({"backs": "long", "marks": "none", "header": "no", **chosen})
        black = Drawing("b", 63_500, 88_900, (Rect(0, 0, 63_500, 88_900, "#000000"),))
        job = Job(sixth_game, (), options=options, extra=(Piece("b", black, black, 9),))
        page = pictures(make_sheets(job).data)[1].convert("L").crop((95, 150, 2005, 2820))
        return ImageChops.invert(page).point(lambda light: 255 if light > 100 else 0).getbbox()

    still, moved, turned = corner(), corner(back_x="0.5", back_y="0.3"), corner(back_turn="0.3")
    assert [a - b for a, b in zip(moved, still, strict=True)][:2] == [
        pytest.approx(5, abs=1),
        pytest.approx(3, abs=1),
    ]
    # Turned clockwise by 0.3 degrees about the middle, a block 190 mm wide and 267 high grows by 1.4 and 1.0
    # mm.
    with_turn = (still[0] - turned[0], still[1] - turned[1])
    assert with_turn == (pytest.approx(0, abs=8), pytest.approx(0, abs=6)) and turned != still
