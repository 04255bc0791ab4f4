"""The shape of a picture: whole card or not, and its bleed, told by ratio and border."""

import pytest

from cardsdb.box.picture_files.ref import UNSEEN, Border, Shape, shape_of

POKER = (63_500, 88_900)


@pytest.mark.parametrize(
    ("size", "border", "shape"),
    [
        ((750, 1050), UNSEEN, Shape(True)),
        ((1050, 750), UNSEEN, Shape(True)),
        ((825, 1125), UNSEEN, Shape(True, 3_175)),
        ((675, 929), UNSEEN, Shape(True, 2_000)),
        ((720, 1000), UNSEEN, Shape(True)),
        ((600, 600), UNSEEN, Shape(False)),
        ((1600, 900), UNSEEN, Shape(False)),
        # A margin that ends inside the supposed bleed, or rounded corners, mean that there is none.
        ((825, 1125), Border(margin=12), Shape(True)),
        ((825, 1125), Border(margin=80), Shape(True, 3_175)),
        ((825, 1125), Border(cut_corners=True), Shape(True)),
    ],
)
def test_the_ratio_tells_the_bleed(size, border, shape):
    assert shape_of(size, POKER, border) == shape
