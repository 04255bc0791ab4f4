"""The form of a picture: the values that it reads, and its errors."""

import pytest

from cardsdb.identity.viewer import Viewer
from printing.web.picture_forms import PictureForm

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
SENT = {"game": "spycraft", "card": "kai", "side": "front", "turn": "90", "fit": "fill", "edge": "mirrored"}


def form(**change: str) -> PictureForm:
    return PictureForm(SENT | change, viewer=Viewer(browser="0" * 64))


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"left": "60", "right": "38.1"}, "right", "leave 2 per cent"),
        ({"top": "60", "bottom": "38.1"}, "bottom", "leave 2 per cent"),
        ({"left": "-1"}, "left", "at most 98 per cent"),
        ({"top": "98.1"}, "top", "at most 98 per cent"),
        ({"top": "x"}, "top", "at most 98 per cent"),
        ({"card": "Nobody"}, "card", "is no card of Spycraft"),
        ({"card": ""}, "card", "Say which card"),
        ({"game": "chess"}, "game", "Choose one of the games"),
        ({"side": "inside"}, "side", "Choose front, back or not used"),
        ({"edge": "included", "bleed": ""}, "bleed", "how many millimetres of bleed"),
        ({"edge": "included", "bleed": "0"}, "bleed", "how many millimetres of bleed"),
        ({"edge": "included", "bleed": "10.1"}, "bleed", "how many millimetres of bleed"),
    ],
)
def test_a_wrong_value_is_an_error_of_its_field(change, field, message):
    wrong = form(**change)
    assert not wrong.is_valid() and message in str(wrong.errors[field]), wrong.errors


@pytest.mark.parametrize(
    ("change", "crop", "bled"),
    [
        ({}, [], 0),
        ({"left": "60", "right": "38"}, [600, 0, 620, 1000], 0),
        ({"bottom": "0.5", "edge": "included", "bleed": "10"}, [0, 0, 1000, 995], 10_000),
        ({"edge": "none", "bleed": "many"}, [], 0),
    ],
    ids=["nothing", "as narrow as may be", "bleed of its own", "a wrong number that is not asked for"],
)
def test_cuts_are_thousandths_of_a_side_and_bleed_is_in_micrometres(change, crop, bled):
    right = form(**change)
    assert right.is_valid(), right.errors
    assert (right.crop, right.bled, right.place) == (crop, bled, ("spycraft", "kai", "front"))


def test_a_back_without_a_card_is_the_back_of_all_cards():
    back = form(side="back", card="")
    assert back.is_valid() and back.place == ("spycraft", "", "back")
