"""The bleed of own pictures, outside of the cut: the one they bring, or their edge, mirrored, repeated, in
the colour of their border, or white; and the guess which of these suits a picture. Measured in pixels, 10 to
a millimetre, in a picture file and on a sheet.
"""

from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageOps

from cardsdb.box.intake import take
from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.wish import AS_FOUND, settled
from printing.exports.card_pictures import with_bleed
from printing.faces.own_pictures import picture_drawing
from printing.render.png import card_image
from tests.support.pictures import coded, painted, store_picture
from tests.support.rendering import GAME, TRIM, apart, card_on, page, picture_job
from tests.support.sheets import make_sheets

CARD = (635, 889)
WHITE, RED, GREEN, BLUE = (255, 255, 255), (255, 0, 0), (0, 255, 0), (0, 0, 255)
CORNERS = ((0, 0), (634, 0), (0, 888), (634, 888))
SHEET = {"turn": "upright", "trim": "63.5x88.9", "marks": "none"}


def ringed() -> Image.Image:
    """Return a card scanned with 3 mm of bleed: red bleed, 2 mm of blue, then green."""
    picture = Image.new("RGB", (695, 949), RED)
    picture.paste(BLUE, (30, 30, 665, 919))
    picture.paste(GREEN, (50, 50, 645, 899))
    return picture


def bordered(millimetres: int = 1, ground: tuple[int, int, int] = WHITE) -> Image.Image:
    """Return a card without bleed: red art in an even border."""
    picture = Image.new("RGB", CARD, ground)
    margin = 10 * millimetres
    picture.paste(RED, (margin, margin, CARD[0] - margin, CARD[1] - margin))
    return picture


def rounded(ground: tuple[int, ...] = (20, 30, 40, 255)) -> Image.Image:
    """Return a card with see-through corners."""
    picture = Image.new("RGBA", CARD, (255, 255, 255, 0))
    ImageDraw.Draw(picture).rounded_rectangle((0, 0, 634, 888), 30, fill=ground)
    return picture


def stored(picture: Image.Image, edge: str, bleed: int = 0) -> PictureRef:
    data = coded(picture, "PNG")
    return store_picture(data, edge=edge, edge_colour=take(data).edge_colour, bleed=bleed)


def rendered(ref: PictureRef, bleed: int = 3_000, **options: str) -> dict[str, Image.Image]:
    """Return the card with this bleed as a picture file and as it is printed on a sheet."""
    file = card_image(with_bleed(picture_drawing("Kai", ref, TRIM, bleed), bleed), 254)
    made = picture_job(ref, bleed=f"{bleed / 1000:g}", gap=f"{bleed / 500:g}", **SHEET, **options)
    return {"file": file, "sheet": card_on(make_sheets(made).data, made, bleed, 254)}


def outside(drawn: Image.Image, far: float, bleed: int = 3_000) -> tuple[int, ...]:
    """Return the colour at this distance in mm outside of the cut (negative: inside of it), which must be the
    same all around.
    """
    out, right, foot = round(bleed / 100 - 10 * far), drawn.width - 1, drawn.height - 1
    xs, ys = (out, drawn.width // 2, right - out), (out, drawn.height // 2, foot - out)
    seen = {drawn.getpixel((x, y)) for x in xs for y in ys if (x, y) != (xs[1], ys[1])}
    assert len(seen) == 1, seen
    return seen.pop()


# -- bleed that a picture brings ---------------------------------------------------------


@pytest.mark.parametrize(
    ("bleed", "seen"),
    [
        (0, {-1: BLUE, -3: GREEN}),
        (1_000, {0.5: RED, -1: BLUE, -3: GREEN}),
        (3_000, {2.5: RED, 0.5: RED, -1: BLUE, -3: GREEN}),
        # Outside of its own bleed the edge of the picture is mirrored.
        (5_000, {4.5: RED, 3.5: RED, 0.5: RED, -1: BLUE, -3: GREEN}),
    ],
)
def test_a_picture_with_its_own_bleed_is_cut_inside_of_it(bleed, seen):
    for name, drawn in rendered(stored(ringed(), "included", 3_000), bleed).items():
        assert {far: outside(drawn, far, bleed) for far in seen} == seen, name


def test_each_picture_of_a_print_has_its_own_edge():
    refs = [stored(ringed(), edge, 3_000) for edge in ("included", "none")]
    made = picture_job(*refs, bleed="2", gap="4", **SHEET)
    drawn = page(make_sheets(made).data, 254)
    slots = [made.layout.slot(number) for number in range(2)]
    beside = [drawn.getpixel((slot.x // 100 - 10, (slot.y + slot.bottom) // 200)) for slot in slots]
    assert beside == [RED, WHITE]


# -- bleed made of the edge of a picture -------------------------------------------------


@pytest.mark.parametrize(
    ("edge", "far_out"), [("mirrored", RED), ("repeated", WHITE), ("colour", WHITE), ("none", WHITE)]
)
def test_a_narrow_border_becomes_a_frame_only_if_mirrored(edge, far_out):
    for name, drawn in rendered(stored(bordered(), edge)).items():
        assert (outside(drawn, 0.5), outside(drawn, 2)) == (WHITE, far_out), name


def test_a_mirrored_edge_is_the_picture_turned_over_at_the_cut():
    wide, high, out = 375, 525, 18
    inside = painted().resize((wide, high))
    expected = Image.new("RGB", (wide + 2 * out, high + 2 * out))
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            part = ImageOps.mirror(inside) if dx else inside
            expected.paste(ImageOps.flip(part) if dy else part, (out + dx * wide, out + dy * high))
    for name, drawn in rendered(store_picture(coded(painted(), "PNG"))).items():
        assert apart(drawn, expected) < 3, name
        # There is no hairline at the cut: no single pixel differs much.
        difference = ImageChops.difference(drawn.resize(expected.size), expected)
        assert max(most for _, most in difference.getextrema()) < 40, name


def test_a_repeated_edge_continues_the_picture_in_straight_lines():
    picture = Image.new("RGB", CARD, WHITE)
    picture.paste(BLUE, (0, 300, CARD[0], 500))
    for drawn in rendered(stored(picture, "repeated")).values():
        for y in (340, 420, 500):
            assert {drawn.getpixel((x, y)) for x in (2, 15, 28, 670, 692)} == {BLUE}
        assert drawn.getpixel((10, 250)) == drawn.getpixel((10, 600)) == WHITE


def test_the_colour_of_a_border_is_its_most_frequent_one():
    picture = bordered(4, (10, 60, 90))
    picture.paste((255, 255, 0), (0, 400, 40, 440))
    assert take(coded(picture, "PNG")).edge_colour == "#0a3c5a"
    assert outside(rendered(stored(picture, "colour"))["file"], 2) == (10, 60, 90)


@pytest.mark.parametrize(("wish", "seen"), [("each", RED), ("repeat", WHITE), ("colour", WHITE)])
def test_a_print_may_choose_the_edge_of_all_pictures(wish, seen):
    assert outside(rendered(stored(bordered(), "mirrored"), edges=wish)["sheet"], 2) == seen


def test_a_print_does_not_change_the_own_bleed_of_a_picture():
    ref = stored(ringed(), "included", 3_000)
    assert ref.with_edge("colour") == ref


# -- the edge that suits a picture -------------------------------------------------------


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
    assert settled(AS_FOUND, take(coded(picture, "PNG")), GAME, "front")["edge"] == edge


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF", "AVIF"])
def test_see_through_corners_have_the_colour_of_the_border(kind):
    how = {"WEBP": {"lossless": True}, "AVIF": {"quality": 100}}.get(kind, {})
    taken = take(coded(rounded(), kind, **how))
    remark = "had see-through corners, which were filled with the colour beside them."
    assert not taken.mask and taken.remarks == (remark,)
    with Image.open(BytesIO(taken.data)) as picture:
        for corner in CORNERS:
            assert picture.getpixel(corner) == pytest.approx((20, 30, 40), abs=3)


def test_a_see_through_picture_without_an_opaque_edge_stays_as_it_is():
    picture = Image.new("RGBA", CARD, (0, 0, 0, 0))
    ImageDraw.Draw(picture).ellipse((100, 100, 500, 700), fill=(200, 0, 0, 255))
    taken = take(coded(picture, "PNG"))
    assert taken.mask and not taken.remarks and not taken.edge_colour


def test_see_through_corners_of_art_get_the_colour_beside_them():
    picture, whole = painted("RGBA", CARD), painted("RGB", CARD)
    picture.putalpha(rounded().getchannel("A"))
    with Image.open(BytesIO(take(coded(picture, "PNG")).data)) as filled:
        for corner, inside in zip(CORNERS, ((30, 30), (604, 30), (30, 858), (604, 858)), strict=True):
            assert filled.getpixel(corner) == pytest.approx(whole.getpixel(inside), abs=40)


def test_a_hole_in_the_middle_stays_see_through():
    picture = rounded()
    picture.paste((0, 0, 0, 0), (200, 200, 400, 400))
    with Image.open(BytesIO(take(coded(picture, "PNG")).data)) as filled:
        assert filled.getpixel((300, 300))[3] == 0 and filled.getpixel((0, 0)) == (20, 30, 40, 255)
