"""Bleed around a picture that has none: mirrored, repeated, or in the colour of its border, measured in
pixels; and the guess which of these suits a picture.
"""

from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from cardsdb.box.intake import take
from cardsdb.box.wish import AS_FOUND, Wish, settled
from cardsdb.games import games
from printing.exports.card_pictures import with_bleed
from printing.faces.own_pictures import picture_drawing
from printing.render.png import card_image
from tests.support.pictures import coded, painted, picture_folder, store_picture
from tests.support.rendering import TRIM, page, picture_job
from tests.support.sheets import make_sheets

__all__ = ["picture_folder"]

BLEED, CARD = 3_000, (635, 889)
WHITE, RED = (255, 255, 255), (255, 0, 0)
CORNERS = ((0, 0), (634, 0), (0, 888), (634, 888))


def bordered(millimetres: int = 1, ground: tuple[int, int, int] = WHITE) -> Image.Image:
    """Return a card at 10 pixels per mm: red art in an even border."""
    picture = Image.new("RGB", CARD, ground)
    margin = 10 * millimetres
    picture.paste(RED, (margin, margin, CARD[0] - margin, CARD[1] - margin))
    return picture


def rounded(ground: tuple[int, ...] = (20, 30, 40, 255)) -> Image.Image:
    """Return a card with see-through corners."""
    picture = Image.new("RGBA", CARD, (255, 255, 255, 0))
    ImageDraw.Draw(picture).rounded_rectangle((0, 0, 634, 888), 30, fill=ground)
    return picture


def edge_of(picture: Image.Image, kind: str = "PNG", wish: Wish = AS_FOUND) -> str:
    return str(settled(wish, take(coded(picture, kind)), games()["spycraft"], "front")["edge"])


def outside(drawn: Image.Image, far: float) -> tuple[int, ...]:
    """Return the colour at this distance in mm outside of the cut, which must be the same everywhere."""
    out, right, foot = round((3 - far) * 10), drawn.width - 1, drawn.height - 1
    xs, ys = (out, drawn.width // 2, right - out), (out, drawn.height // 2, foot - out)
    seen = {drawn.getpixel((x, y)) for x in xs for y in ys if (x, y) != (xs[1], ys[1])}
    assert len(seen) == 1, seen
    return seen.pop()


def drawn_with(edge: str, picture: Image.Image | None = None, **values: object) -> dict[str, Image.Image]:
    """Return the card with 3 mm of bleed as a picture file and on a sheet, at 10 pixels per mm."""
    data = coded(picture or bordered(), "PNG")
    ref = store_picture(data, edge=edge, edge_colour=take(data).edge_colour)
    card = card_image(with_bleed(picture_drawing("Kai", ref, TRIM, BLEED), BLEED), 254)
    common = {"bleed": "3", "gap": "6", "turn": "upright", "trim": "63.5x88.9", "marks": "none"}
    made = picture_job(ref, **common, **values)
    slot = made.layout.slot(0).grown(*[BLEED] * 4)
    box = tuple(round(length / 100) for length in (slot.x, slot.y, slot.right, slot.bottom))
    return {"file": card, "sheet": page(make_sheets(made).data, 254).crop(box)}


@pytest.mark.parametrize("render", ["file", "sheet"])
@pytest.mark.parametrize(("edge", "far_out"), [("mirrored", RED), ("repeated", WHITE), ("colour", WHITE)])
def test_a_narrow_border_becomes_a_frame_only_if_mirrored(render, edge, far_out):
    drawn = drawn_with(edge)[render]
    assert outside(drawn, 0.5) == WHITE
    assert outside(drawn, 2) == far_out


@pytest.mark.parametrize("render", ["file", "sheet"])
def test_a_repeated_edge_continues_the_picture_in_straight_lines(render):
    picture = Image.new("RGB", CARD, WHITE)
    picture.paste((0, 0, 255), (0, 300, CARD[0], 500))
    drawn = drawn_with("repeated", picture)[render]
    for y in (340, 420, 500):
        assert {drawn.getpixel((x, y)) for x in (2, 15, 28, 670, 692)} == {(0, 0, 255)}
    assert drawn.getpixel((10, 250)) == drawn.getpixel((10, 600)) == WHITE


def test_the_colour_of_a_border_is_its_most_frequent_one():
    picture = bordered(4, (10, 60, 90))
    picture.paste((255, 255, 0), (0, 400, 40, 440))
    assert take(coded(picture, "PNG")).edge_colour == "#0a3c5a"
    assert outside(drawn_with("colour", picture)["file"], 2) == (10, 60, 90)


@pytest.mark.parametrize(("wish", "seen"), [("each", RED), ("repeat", WHITE), ("colour", WHITE)])
def test_a_print_may_choose_the_edge_of_all_pictures(wish, seen):
    assert outside(drawn_with("mirrored", edges=wish)["sheet"], 2) == seen


def test_a_print_does_not_change_the_own_bleed_of_a_picture():
    picture = Image.new("RGB", (695, 949), "red")
    picture.paste((0, 0, 255), (30, 30, 665, 919))
    ref = store_picture(coded(picture, "PNG"), edge="included", bleed=3_000, edge_colour="#00ff00")
    assert ref.with_edge("colour") == ref


@pytest.mark.parametrize(
    ("picture", "edge"),
    [
        (painted(size=CARD), "mirrored"),
        (bordered(1), "repeated"),
        (bordered(3), "repeated"),
        (bordered(5), "mirrored"),
        (rounded(), "colour"),
        (rounded().convert("RGB"), "colour"),
    ],
    ids=["art", "border of 1 mm", "border of 3 mm", "wide border", "see-through corners", "white corners"],
)
def test_each_picture_gets_the_edge_that_suits_it(picture, edge):
    assert edge_of(picture) == edge


def test_a_wish_comes_before_the_guess():
    assert edge_of(bordered(), wish=Wish(edge="none")) == "none"


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF", "AVIF"])
def test_see_through_corners_have_the_colour_of_the_border(kind):
    how = {"WEBP": {"lossless": True}, "AVIF": {"quality": 100}}.get(kind, {})
    taken = take(coded(rounded(), kind, **how))
    remark = "had see-through corners, which were filled with the colour beside them."
    assert not taken.mask and taken.remarks == (remark,)
    with Image.open(BytesIO(taken.data)) as picture:
        for corner in CORNERS:
            assert picture.getpixel(corner) == pytest.approx((20, 30, 40), abs=3)


def test_no_white_star_is_left_where_four_cards_meet():
    """No pixel is light, inside or outside of the cut, with any kind of edge."""
    for edge in ("mirrored", "repeated", "colour"):
        for drawn in drawn_with(edge, rounded()).values():
            lightest = max(high for _, high in drawn.getextrema())
            assert lightest < 80, edge


def test_a_see_through_picture_without_an_opaque_edge_stays_as_it_is():
    picture = Image.new("RGBA", CARD, (0, 0, 0, 0))
    ImageDraw.Draw(picture).ellipse((100, 100, 500, 700), fill=(200, 0, 0, 255))
    taken = take(coded(picture, "PNG"))
    assert taken.mask and not taken.remarks and not taken.edge_colour


def test_see_through_corners_of_art_get_the_colour_beside_them():
    picture = painted("RGBA", CARD)
    picture.putalpha(rounded().getchannel("A"))
    assert edge_of(picture) == "mirrored"
    whole = painted("RGB", CARD)
    with Image.open(BytesIO(take(coded(picture, "PNG")).data)) as filled:
        for corner, inside in zip(CORNERS, ((30, 30), (604, 30), (30, 858), (604, 858)), strict=True):
            assert filled.getpixel(corner) == pytest.approx(whole.getpixel(inside), abs=40)


def test_a_hole_in_the_middle_stays_see_through():
    picture = rounded()
    picture.paste((0, 0, 0, 0), (200, 200, 400, 400))
    taken = take(coded(picture, "PNG"))
    with Image.open(BytesIO(taken.data)) as filled:
        assert filled.getpixel((300, 300))[3] == 0 and filled.getpixel((0, 0)) == (20, 30, 40, 255)
