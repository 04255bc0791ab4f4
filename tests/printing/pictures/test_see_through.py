"""A see-through picture is as light at the cut line as beside it, although its mirrored edges reach under
it.
"""

from typing import Any

import pytest
from PIL import Image

from cardsdb.box.picture_files.ref import PictureRef
from printing.exports.card_pictures import with_bleed
from printing.faces.own_pictures import picture_drawing
from printing.layout.geometry import Area
from printing.render.png import card_image
from printing.render.svg import draw_svg
from tests.support.pictures import coded, store_picture
from tests.support.rendering import TRIM, page, picture_job
from tests.support.sheets import make_sheets

BLEED = 2_000
# Half-transparent black on paper, rounded down or up.
HALF = (127, 128)


def half(kind: str = "PNG", **values: Any) -> PictureRef:
    how = {"lossless": True} if kind == "WEBP" else {}
    return store_picture(coded(Image.new("RGBA", (750, 1050), (0, 0, 0, 128)), kind, **how), **values)


def assert_even(drawn: Image.Image) -> None:
    """Assert that every pixel is half black."""
    low, high = drawn.convert("L").getextrema()
    assert HALF[0] - 1 <= low <= high <= HALF[1] + 1


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
@pytest.mark.parametrize("ink", ["colour", "grey"])
def test_a_see_through_picture_is_even_on_a_sheet(kind, ink):
    made = picture_job(
        half(kind), bleed="2", gap="4", turn="upright", marks="none", trim="63.5x88.9", ink=ink
    )
    area: Area = made.layout.slot(0).grown(*[BLEED] * 4)
    corners = ((area.x, 1), (area.y, 1), (area.right, -1), (area.bottom, -1))
    data = make_sheets(made).data
    for dpi in (72, 173):
        # Without the pixels at its outer edge, which are partly paper.
        left, top, right, bottom = (round(length * dpi / 25_400) + 2 * inwards for length, inwards in corners)
        assert_even(page(data, dpi, (left, top, right, bottom)))


@pytest.mark.parametrize(
    "values", [{}, {"crop": (40, 40, 960, 960)}, {"edge": "included", "bleed": 1_000}, {"turn": 180}], ids=str
)
def test_a_see_through_picture_is_even_as_a_picture_file(values):
    drawing = with_bleed(picture_drawing("x", half(**values), TRIM, BLEED), BLEED)
    drawn = card_image(drawing)
    assert_even(drawn.crop((2, 2, drawn.width - 2, drawn.height - 2)))


def test_a_picture_on_a_page_has_paper_below_it_and_its_edges_if_it_is_see_through():
    """Paper between an opaque picture and its edges would shine through where the cut falls between two
    pixels.
    """
    opaque = store_picture(coded(Image.new("RGB", (750, 1050)), "PNG"))
    pages = [draw_svg(picture_drawing("x", ref, TRIM, BLEED), "x") for ref in (opaque, half())]
    # The ground, the picture, and its eight edges.
    assert [page.count("<rect") for page in pages] == [1, 1 + 9]
