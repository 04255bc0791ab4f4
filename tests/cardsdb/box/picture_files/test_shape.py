"""Whether a picture is a whole card and how much bleed it has: told by its ratio and its border."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw

from cardsdb.box.intake import take
from cardsdb.box.picture_files.ref import Border, Shape, shape_of
from tests.support.pictures import coded, painted

POKER = (63_500, 88_900)


@pytest.mark.parametrize(
    ("size", "shape"),
    [
        ((750, 1050), Shape(True)),
        ((744, 1039), Shape(True)),
        ((1050, 750), Shape(True)),
        ((825, 1125), Shape(True, 3_175)),
        ((822, 1122), Shape(True, 3_175)),
        ((1125, 825), Shape(True, 3_175)),
        ((675, 929), Shape(True, 2_000)),
        ((720, 1000), Shape(True)),
        ((600, 600), Shape(False)),
        ((1600, 900), Shape(False)),
        ((500, 1000), Shape(False)),
    ],
)
def test_the_ratio_tells_the_bleed(size: tuple[int, int], shape: Shape) -> None:
    assert shape_of(size, POKER, Border()) == shape


def test_a_margin_that_ends_inside_of_the_bleed_and_corners_that_are_cut_speak_against_it() -> None:
    assert shape_of((825, 1125), POKER, Border(margin=12)) == Shape(True)
    assert shape_of((825, 1125), POKER, Border(margin=80)) == Shape(True, 3_175)
    assert shape_of((825, 1125), POKER, Border(cut_corners=True)) == Shape(True)


def framed(margin: int, size: tuple[int, int] = (400, 560)) -> Image.Image:
    picture = Image.new("RGB", size, "black")
    picture.paste(painted(size=(size[0] - 2 * margin, size[1] - 2 * margin)), (margin, margin))
    return picture


def rounded(mode: str) -> Image.Image:
    picture = Image.new(mode, (400, 560), (255, 255, 255, 0)[: len(mode)])
    ImageDraw.Draw(picture).rounded_rectangle((0, 0, 399, 559), 24, fill=(20, 30, 40, 255)[: len(mode)])
    return picture


def test_the_even_margin_of_a_picture_is_measured() -> None:
    assert take(coded(framed(40), "PNG")).border.margin == pytest.approx(100, abs=6)
    assert take(coded(painted(size=(400, 560)))).border.margin < 10
    assert (
        take(coded(Image.new("RGB", (400, 560), "red"))).border._replace(colour="", is_even=False) == Border()
    )


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_corners_that_are_cut_off_are_seen(mode: str) -> None:
    assert take(coded(rounded(mode), "PNG")).border.cut_corners
    assert not take(coded(framed(40), "PNG")).border.cut_corners


@pytest.mark.parametrize(
    "picture",
    [
        Image.new("I;16", (40, 56), 9),
        Image.new("1", (40, 56)),
        painted("CMYK", (40, 56)),
        painted("P", (3, 2)),
    ],
)
def test_a_border_is_looked_for_in_pictures_of_every_mode(picture: Image.Image) -> None:
    assert take(coded(picture, "JPEG" if picture.mode == "CMYK" else "PNG")).border.margin >= 0
