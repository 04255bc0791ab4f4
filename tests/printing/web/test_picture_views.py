"""The pages of own pictures: uploading, placing, cutting and refusing them; and the form of a picture."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image

from cardsdb.box.picture_files import bounds as limits
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import UploadedPicture
from printing.web.picture_forms import PictureForm
from tests.support.packages import zipped
from tests.support.pages import page, page_of
from tests.support.picture_pages import JPEG, OTHER, bring, only_picture, words
from tests.support.pictures import coded, jpeg_that_claims, painted, stored_names

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.usefixtures("own_folders")]
GIF = coded(painted(size=(90, 120)), "GIF")
SHAPED = {"game": "spycraft", "card": "Kai", "side": "front", "fit": "fill"}


def brought(client: Client, *sent: tuple[str, bytes], **more) -> str:
    """Upload files, and return the words of the page that follows."""
    answer = bring(client, *sent, **more)
    assert answer.status_code == 302, words(answer)
    return page(client, answer["Location"]).text


def placed(client: Client, card: str, game: str = "spycraft") -> str:
    """Place the only picture as the front of a card, and return the words of the page that follows."""
    pk = only_picture().pk
    sent = {f"game:{pk}": game, f"card:{pk}": card, f"side:{pk}": "front"}
    return words(client.post(reverse("pictures_place"), sent, follow=True))


# -- uploaded and placed -------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_picture_is_placed_on_the_card_that_its_file_is_named_after_or_as_the_back_of_all(client):
    shown = brought(client, ("kai.jpg", JPEG), ("kai back.jpg", OTHER))
    assert "Kai, front" in shown and "Kai, back" in shown and "302 ppi" in shown
    bring(client, ("whatever.gif", GIF), meant="all")
    places = set(UploadedPicture.objects.values_list("game", "card_code", "side"))
    assert places == {("spycraft", "kai", "front"), ("spycraft", "kai", "back"), ("spycraft", "", "back")}


def test_a_picture_named_after_no_card_is_placed_by_hand(client):
    assert "IMG_0001.jpg" in brought(client, ("IMG_0001.jpg", JPEG))
    assert "“Nobody” is no card of Spycraft" in placed(client, "Nobody") and only_picture().side == ""
    assert "Did you mean Groundfire?" in placed(client, "Groundfier")
    named_alike = placed(client, "Smoke & Mirrors", "xfiles")
    assert "Did you mean smoke-mirrors-1 or smoke-mirrors-2 or" in named_alike
    placed(client, "Kai")
    assert (only_picture().card_code, only_picture().side) == ("kai", "front")


@pytest.mark.both_databases
def test_a_new_picture_of_a_card_leaves_the_old_one_unused_but_stored(client):
    bring(client, ("kai.jpg", JPEG))
    bring(client, ("kai.jpg", OTHER))
    assert sorted(UploadedPicture.objects.values_list("width", "side")) == [(300, "front"), (750, "")]


def test_good_pictures_are_kept_and_bad_ones_are_named(client):
    bad = [("cut.jpg", b"GIF89a rubbish"), ("bomb.jpg", jpeg_that_claims(19_000, 9)), ("li.svg", b"<svg/>")]
    shown = brought(client, ("kai.gif", GIF), ("holiday.jpg", JPEG), *bad)
    assert "2 pictures are kept. 1 could not be matched to a card." in shown and "3 were refused." in shown
    assert "cut.jpg is cut off or damaged" in shown and "bomb.jpg is 19000 x 9 pixels" in shown
    assert "li.svg is an SVG, which is not read here. Save it as PNG or JPEG and send that." in shown
    assert UploadedPicture.objects.count() == 2
    assert "None were refused." in brought(client, ("bone.jpg", OTHER))


# -- refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ((), "Choose at least one picture"),
        ((("x.jpg", JPEG[:5_000]),), "x.jpg is cut off or damaged"),
        ((("x.jpg", bytes(limits.PRIVATE.bytes + 1)),), "x.jpg has 40.1 MB"),
        ((("kai.jpg", JPEG), ("scans.zip", zipped({"li.jpg": OTHER}))), "Send a zip by itself"),
    ],
    ids=["nothing", "damaged", "too large", "a zip beside pictures"],
)
def test_an_upload_that_is_refused_stores_nothing(client, own_folders, sent, message):
    answer = bring(client, *sent)
    assert answer.status_code == 400 and message in words(answer)
    assert not UploadedPicture.objects.exists() and not stored_names(own_folders / "pictures")


def test_pictures_beyond_the_limit_of_one_upload_are_refused(client):
    most = limits.MAX_UPLOAD_FILES
    shown = brought(client, *((f"{number}.jpg", OTHER) for number in range(most + 1)))
    assert f"{most}.jpg and what follows: at most {most} at once" in shown


def test_an_upload_without_the_csrf_token_is_refused():
    assert bring(Client(enforce_csrf_checks=True), ("kai.jpg", JPEG)).status_code == 403


def test_a_public_site_takes_smaller_pictures_than_a_private_one(client, settings):
    large = JPEG + bytes(6 * limits.MEGABYTE)
    settings.HTTPS = True
    answer = bring(client, ("kai.jpg", large), secure=True)
    assert answer.status_code == 400 and "5 MB are the most" in words(answer)
    settings.HTTPS = False
    assert "each at most 40 MB, 120 million pixels" in brought(client, ("kai.jpg", large))


# -- zips ----------------------------------------------------------------------------------


@pytest.mark.parametrize("chosen", [{"use": "art"}, {"edge": "repeated"}, {"meant": "back"}, {}])
def test_a_zip_shows_its_content_and_warns_of_choices_that_do_not_apply_to_it(client, chosen):
    data = zipped({"kai.gif": GIF, "li.svg": b"<svg/>", "holiday.jpg": OTHER})
    sent = {"edge": "", "game": "spycraft", "files": SimpleUploadedFile("scans.zip", data)}
    shown = words(client.post(reverse("pictures"), sent | chosen))
    assert "What is in scans.zip" in shown and "3 pictures: 1 taken (1 by id), 1 left, 1 refused." in shown
    assert ("do not apply to a zip" in shown) == bool(chosen) and not UploadedPicture.objects.exists()


# -- the page of a picture -----------------------------------------------------------------


@pytest.mark.both_databases
def test_all_settings_of_a_picture_can_be_changed_on_its_page(client):
    bring(client, ("kai.jpg", JPEG))
    address = reverse("picture", args=[only_picture().pk])
    assert page(client, address).field("card").value == "Kai"
    code = next(card.code for card in games()["spycraft"].cards if card.code != "kai")
    place = {"game": "spycraft", "card": code, "side": "back"}
    shape = {"turn": "90", "mirrored": "on", "left": "10", "top": "2.5", "right": "", "bottom": "0"}
    edge = {"fit": "whole", "edge": "included", "bleed": "3.175"}
    assert client.post(address, place | shape | edge).status_code == 302
    changed = only_picture()
    assert (changed.card_code, changed.side, changed.turn, changed.mirrored) == (code, "back", 90, True)
    assert (changed.crop, changed.fit) == ([100, 25, 1000, 1000], "whole")
    assert (changed.edge, changed.bleed) == ("included", 3_175)
    shown = page(client, address)
    assert (shown.field("left").value, shown.field("top").value) == ("10", "2.5")
    refused = client.post(address, place | shape | edge | {"turn": "0", "right": "90"})
    assert "leave 2 per cent" in page_of(refused, status=400).text and only_picture().turn == 90


def test_a_missing_border_colour_is_found_when_it_is_chosen(client):
    picture = Image.new("RGB", (300, 420), (200, 30, 60))
    picture.paste((0, 0, 0), (40, 40, 260, 380))
    bring(client, ("kai.png", coded(picture, "PNG")))
    UploadedPicture.objects.update(edge_colour="")
    client.post(reverse("picture", args=[only_picture().pk]), SHAPED | {"edge": "colour"})
    red, green, blue = bytes.fromhex(only_picture().edge_colour[1:])
    assert (red, green, blue) == pytest.approx((200, 30, 60), abs=12)


# -- the values and errors of the form of a picture --------------------------------------------


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
