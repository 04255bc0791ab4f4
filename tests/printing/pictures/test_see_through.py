"""A see-through picture is as light at the cut line as beside it, although its mirrored edges reach under
it.
"""

import base64
import io
from typing import Any

import pytest
from PIL import Image, ImageChops

from cardsdb.box.picture_files.ref import PictureRef
from printing.exports.card_pictures import with_bleed
from printing.faces.own_pictures import picture_drawing
from printing.layout.geometry import Area
from printing.render.png import card_image
from printing.render.svg import draw_svg
from tests.support.pictures import coded, path_of, picture_folder, store_picture
from tests.support.rendering import TRIM, page, picture_job
from tests.support.sheets import make_sheets

__all__ = ["picture_folder"]

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
    for dpi in (72, 150, 173, 300):
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


@pytest.mark.browser
def test_a_see_through_picture_is_even_on_a_page(browser):
    """It looks like an opaque grey picture.

    Where the cut falls between two pixels a browser may mix in some paper, but not more ink.
    """
    seen = []
    for ref in (half(), store_picture(coded(Image.new("RGB", (750, 1050), (HALF[0],) * 3), "PNG"))):
        drawn = draw_svg(with_bleed(picture_drawing("x", ref, TRIM, BLEED), BLEED), "x")
        data = "data:image/png;base64," + base64.b64encode(path_of(ref.sha256).read_bytes()).decode()
        shown = browser.new_page(viewport={"width": 600, "height": 800})
        shown.set_content(drawn.replace(ref.address, data))
        seen.append(Image.open(io.BytesIO(shown.locator("svg.card-face").screenshot())).convert("L"))
    assert seen[0].crop((3, 3, seen[0].width - 3, seen[0].height - 3)).getextrema()[0] >= HALF[0] - 1
    assert ImageChops.difference(*seen).getextrema()[1] < 20


def test_an_opaque_picture_gets_no_paper_below_it():
    """Paper between a picture and its edges would shine through where the cut falls between two pixels."""
    ref = store_picture(coded(Image.new("RGB", (750, 1050)), "PNG"))
    assert not ref.see_through and half().see_through
    assert draw_svg(picture_drawing("x", ref, TRIM, BLEED), "x").count("<rect") == 1
