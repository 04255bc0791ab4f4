"""Pictures of own cards: sent with the card's form, shown to their owner alone, deleted with the card. These
tests go through cardsdb.web.own_sets, cardsdb.box.placing and printing.web.
"""

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from cardsdb.box.picture_files.bounds import MAX_STORED
from cardsdb.box.sets import delete_card, delete_set
from cardsdb.models import OwnCard, UploadedPicture
from tests.support.answers import body, words
from tests.support.made_decks import named_deck
from tests.support.own_sets import own_card, own_set
from tests.support.pages import page, page_of
from tests.support.pictures import coded, painted

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.usefixtures("own_folders")]
CARD = (252, 352)


def picture(number: int = 0, size: tuple[int, int] = CARD) -> bytes:
    return coded(painted(size=(size[0] + number, size[1])), "PNG")


def sent(data: bytes | None = None, name: str = "falcon.png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, picture() if data is None else data)


def made(client: Client, **fields):
    """Send the form of a new own card with a picture."""
    card = {"name": "Brass Falcon", "type": "agent", "do": "save", "picture": sent()}
    return client.post("/games/spycraft/own/", card | fields)


def changed(client: Client, code: str, **fields) -> None:
    card = {"name": "Tin Falcon", "type": "agent", "do": "save"}
    client.post(f"/own/cards/{code}/change/", card | fields)


# -- sent with the form -------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_card_is_made_with_a_picture_that_its_pages_and_sheets_show(ada):
    made(ada)
    card, row = OwnCard.objects.get(), UploadedPicture.objects.get()
    assert (row.card_code, row.side, row.use, row.label) == (card.code, "front", "card", "falcon.png")
    deck = named_deck(ada, "Balloons", "2 Kai\n3 Brass Falcon\n")
    for address in (
        f"/cards/spycraft/{card.code}/",
        "/cards/?q=falcon&view=faces",
        f"/decks/{deck.link}/edit/?peek={card.code}",
        f"/print/?card=spycraft/{card.code}",
    ):
        assert row.sha256 in words(body(ada.get(address))), address
    assert b"data:image/webp" in ada.get(f"/own/faces/spycraft/{card.code}.svg").content
    assert "Brass Falcon, front" in page(ada, "/pictures/").text


def test_a_picture_that_is_stored_otherwise_than_sent_has_a_remark(ada):
    frames = {"save_all": True, "append_images": [painted(size=(75, 105))], "duration": 50}
    made(ada, picture=sent(coded(painted(size=(75, 105)).rotate(180), "GIF", **frames), "falcon.gif"))
    assert UploadedPicture.objects.get().kind == "png"
    remark = "Its picture has several frames or pages, of which the first is taken."
    assert remark in page(ada, "/pictures/").text


def test_a_picture_of_another_shape_than_a_card_is_art(ada):
    made(ada, picture=sent(picture(size=(400, 300))))
    row = UploadedPicture.objects.get()
    assert row.use == "art" and "Brass Falcon, front" in page(ada, f"/pictures/{row.pk}/").text
    assert "Brass Falcon" in page(ada, f"/cards/spycraft/{row.card_code}/").text


@pytest.mark.both_databases
def test_only_another_picture_replaces_the_first(ada):
    made(ada)
    code = OwnCard.objects.get().code
    for fields, label in (({}, "falcon.png"), ({"picture": sent(picture(7), "two.png")}, "two.png")):
        changed(ada, code, **fields)
        assert UploadedPicture.objects.get().label == label


@pytest.mark.parametrize("data", [b"GIF89a", b""])
def test_a_file_that_is_no_picture_is_a_fault_at_its_field(ada, data):
    answer = made(ada, picture=sent(data))
    assert page_of(answer, status=400).has(id="e-picture") and not OwnCard.objects.exists()


def test_a_card_is_made_without_its_picture_if_there_is_no_room(ada, settings):
    settings.CUTOUT_PICTURES_MEGABYTES = 0
    answer = made(ada)
    assert OwnCard.objects.exists() and not UploadedPicture.objects.exists()
    assert "its picture is not" in page(ada, answer["Location"]).text


# -- privacy ------------------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize("visibility", ["private", "public"])
def test_the_picture_is_shown_to_its_owner_alone_even_if_the_card_is_public(ada, bob, viewer, visibility):
    card = own_card(own_set(viewer, visibility=visibility))
    changed(ada, card.code, name="Brass Falcon", picture=sent())
    sha256 = UploadedPicture.objects.get().sha256
    deck = named_deck(ada, "Balloons", "2 Kai\n3 Brass Falcon\n")
    for address in (
        f"/cards/spycraft/{card.code}/",
        f"/own/sets/{card.in_set.link}/",
        f"/decks/{deck.link}/",
        f"/own/faces/spycraft/{card.code}.svg",
        f"/cards/spycraft/{card.code}/face.svg",
        f"/pictures/files/{sha256}/",
        f"/pictures/files/{sha256}/small/",
    ):
        for other in (bob, Client()):
            seen = words(body(other.get(address, follow=True))).replace(address, "")
            assert sha256 not in seen and "data:image/webp" not in seen, address
            if address.startswith("/pictures/"):
                assert other.get(address).status_code == 404


@pytest.mark.both_databases
def test_the_picture_is_deleted_with_its_card(ada):
    made(ada)
    delete_card(OwnCard.objects.select_related("in_set__box").get())
    assert not UploadedPicture.objects.exists()


@pytest.mark.both_databases
def test_the_picture_is_deleted_with_the_set_of_its_card(ada):
    made(ada)
    delete_set(OwnCard.objects.get().in_set)
    assert not UploadedPicture.objects.exists()


# -- moved from a browser to an account ----------------------------------------------------


@pytest.mark.both_databases
def test_sets_moved_to_an_account_take_the_pictures_of_their_cards_along(client):
    made(client)
    client.post("/pictures/", {"game": "spycraft", "meant": "front", "files": sent(picture(1), "kai.png")})
    user = User.objects.create_user("ada")
    client.force_login(user)
    answer = client.post("/account/take/", {"kind": "sets"}, follow=True)
    assert "1 set is now your account’s." in page_of(answer).text
    owners = dict(UploadedPicture.objects.values_list("card_code", "owner_id"))
    assert owners == {OwnCard.objects.get().code: user.pk, "kai": None}


def test_sets_whose_pictures_have_no_room_are_moved_without_them(client):
    made(client)
    user = User.objects.create_user("ada")
    client.force_login(user)
    full = {"kind": "png", "width": 1, "height": 1, "bytes": MAX_STORED, "game": "spycraft"}
    UploadedPicture.objects.create(owner=user, sha256="0" * 64, **full)
    words = page_of(client.post("/account/take/", {"kind": "sets"}, follow=True)).text
    assert "1 set is now your account’s." in words and "no room for the pictures" in words
    assert "Pictures of cards in your sets stay with this browser" in words
    assert UploadedPicture.objects.exclude(owner=user).count() == 1
