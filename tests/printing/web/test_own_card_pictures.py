"""Pictures of one's own cards: sent with the card's form or in a zip, shown to their owner alone, gone with
the card.
"""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from cardsdb.box import placing as quota
from cardsdb.box import report as taking_in
from cardsdb.box.sets import delete_card, delete_set
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnCard, UploadedPicture
from tests.printing.web.test_own import look, own_folder, token_of
from tests.support.own_sets import own_card, own_set
from tests.support.packages import zipped
from tests.support.pictures import coded, painted, picture_folder
from tests.support.public_decks import make_deck

__all__ = ["own_folder", "picture_folder"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("picture_folder"), pytest.mark.one_database]
SPYCRAFT = games()["spycraft"]
CARD = (252, 352)
HARBOUR = (
    b"Name\tSet\tImageFile\tType\nIron Heron\tHarbour\theron1\tAgent\nGlass Heron\tHarbour\theron2\tAgent\n"
)


def picture(number: int = 0, size: tuple[int, int] = CARD) -> bytes:
    return coded(painted(size=(size[0] + number, size[1])), "PNG")


def sent(data: bytes | None = None, name: str = "falcon.png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, picture() if data is None else data)


@pytest.fixture
def ada(client: Client) -> Client:
    client.force_login(User.objects.create_user("ada"))
    return client


def viewer() -> Viewer:
    return Viewer(User.objects.get(username="ada").pk)


def made(client: Client, **fields: Any) -> Any:
    return client.post(
        "/games/spycraft/own/",
        {"name": "Brass Falcon", "type": "agent", "do": "save", "picture": sent(), **fields},
    )


def page(answer: Any) -> str:
    assert answer.status_code == 200
    return str(answer.content.decode())


# -- sent with the form -------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_card_is_made_with_its_picture_which_its_pages_show(ada: Client) -> None:
    made(ada)
    card, row = OwnCard.objects.get(), UploadedPicture.objects.get()
    assert (row.card_code, row.side, row.use, row.label) == (card.code, "front", "card", "falcon.png")
    assert row.sha256 in page(ada.get(f"/cards/spycraft/{card.code}/"))
    assert row.sha256 in page(ada.get("/cards/?q=falcon&view=faces"))
    assert b"data:image/webp" in ada.get(f"/own/faces/spycraft/{card.code}.svg").content
    deck = make_deck(ada, "Balloons", "2 Kai\n3 Brass Falcon\n")
    assert row.sha256 in page(ada.get(f"/decks/{deck.link}/edit/?peek={card.code}"))
    assert "Brass Falcon, front" in page(ada.get("/pictures/"))


@pytest.mark.both_databases
def test_a_sheet_with_the_card_has_the_picture(ada: Client) -> None:
    made(ada)
    code = OwnCard.objects.get().code
    assert UploadedPicture.objects.get().sha256 in page(ada.get(f"/print/?card=spycraft/{code}"))


def test_what_is_not_as_it_was_of_its_picture_is_said(ada: Client) -> None:
    frames = {"save_all": True, "append_images": [painted(size=(75, 105))], "duration": 50}
    made(ada, picture=sent(coded(painted(size=(75, 105)).rotate(180), "GIF", **frames), "falcon.gif"))
    assert UploadedPicture.objects.get().kind == "png"
    assert "Its picture has several frames or pages, of which the first is taken." in page(
        ada.get("/pictures/")
    )


def test_art_stands_in_the_window_of_the_cards_face(ada: Client) -> None:
    made(ada, picture=sent(picture(size=(400, 300))))
    assert UploadedPicture.objects.get().use == "art"
    assert "Brass Falcon" in page(ada.get(f"/cards/spycraft/{OwnCard.objects.get().code}/"))
    assert "Brass Falcon, front" in page(ada.get(f"/pictures/{UploadedPicture.objects.get().pk}/"))


@pytest.mark.both_databases
def test_another_picture_takes_the_place_of_the_first_and_a_change_without_one_leaves_it(ada: Client) -> None:
    made(ada)
    card = OwnCard.objects.get()
    ada.post(f"/own/cards/{card.code}/change/", {"name": "Tin Falcon", "type": "agent", "do": "save"})
    assert UploadedPicture.objects.get().label == "falcon.png"
    ada.post(
        f"/own/cards/{card.code}/change/",
        {"name": "Tin Falcon", "type": "agent", "do": "save", "picture": sent(picture(7), "two.png")},
    )
    assert UploadedPicture.objects.get().label == "two.png"


@pytest.mark.parametrize("data", [b"GIF89a", b"", b"\x89PNG\r\n\x1a\nbroken"])
def test_what_is_no_picture_is_said_at_its_field_and_no_card_is_made(ada: Client, data: bytes) -> None:
    answer = made(ada, picture=sent(data))
    assert (
        answer.status_code == 400
        and 'id="e-picture"' in answer.content.decode()
        and not OwnCard.objects.exists()
    )


def test_a_picture_without_room_is_said_and_the_card_is_made(
    ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quota, "MAX_PICTURES", 0)
    answer = made(ada)
    assert OwnCard.objects.exists() and not UploadedPicture.objects.exists()
    assert "its picture is not" in page(ada.get(answer["Location"]))


# -- in a file ----------------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "name",
    [
        "Brass Falcon.png",
        "brass_falcon.png",
        "7.png",
        "Balloons 7.png",
        "Balloons/7.png",
        "Balloons/brass falcon.png",
    ],
)
def test_a_zip_of_pictures_finds_cards_by_name_and_number(ada: Client, name: str) -> None:
    card = own_card(own_set(viewer()))
    OwnCard.objects.update(number="7")
    seen = look(ada, zipped({name: picture()}), "scans.zip", game="spycraft")
    assert "1 picture: 1 taken (1 by" in page(seen)
    ada.post("/own/add/", {"token": token_of(seen), "game": "spycraft", "do": "add"})
    assert UploadedPicture.objects.get().card_code == card.code


def test_a_name_of_the_catalogues_comes_first(ada: Client) -> None:
    own_card(own_set(viewer()), name="Kai")
    seen = look(ada, zipped({"Kai.png": picture()}), "scans.zip", game="spycraft")
    ada.post("/own/add/", {"token": token_of(seen), "game": "spycraft", "do": "add"})
    assert UploadedPicture.objects.get().card_code == "kai"


@pytest.mark.both_databases
def test_a_package_makes_cards_and_gives_them_their_pictures(ada: Client) -> None:
    files = {
        "p/sets/a.txt": HARBOUR,
        "p/sets/setimages/Harbour/heron1.png": picture(1),
        "p/sets/setimages/Harbour/heron2.png": picture(2),
    }
    seen = look(ada, zipped(files), "lackey.zip", game="spycraft")
    assert "2 pictures: 2 taken (2 by the row that names them)" in page(
        seen
    ) and "Make 2 cards, and keep the rest" in page(seen)
    ada.post("/own/add/", {"token": token_of(seen), "game": "spycraft", "into": "Harbour", "do": "make"})
    names = {card.code: card.name for card in OwnCard.objects.all()}
    assert {names[row.card_code]: row.width for row in UploadedPicture.objects.all()} == {
        "Iron Heron": 253,
        "Glass Heron": 254,
    }
    again = look(ada, zipped(files), "lackey.zip", game="spycraft")
    ada.post("/own/add/", {"token": token_of(again), "game": "spycraft", "into": "Harbour", "do": "make"})
    assert (OwnCard.objects.count(), UploadedPicture.objects.count()) == (2, 2)


def test_pictures_of_cards_that_are_not_made_are_not_kept(ada: Client) -> None:
    files = {
        "p/sets/a.txt": HARBOUR,
        "p/sets/setimages/Harbour/heron1.png": picture(1),
        "p/Kai.png": picture(2),
    }
    seen = look(ada, zipped(files), "lackey.zip", game="spycraft")
    ada.post("/own/add/", {"token": token_of(seen), "game": "spycraft", "do": "add"})
    assert UploadedPicture.objects.get().card_code == "kai" and not OwnCard.objects.exists()


def test_cards_that_were_compared_anew_are_made_without_losing_their_pictures(
    ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"p/sets/a.txt": HARBOUR, "p/sets/setimages/Harbour/heron1.png": picture(1)}
    token = token_of(look(ada, zipped(files), "lackey.zip", game="spycraft"))
    add, calls = taking_in.add, []

    def meanwhile(*args: Any) -> None:
        if not calls:
            calls.append(True)
            own_set(viewer(), name="Elsewhere")
        add(*args)

    monkeypatch.setattr(taking_in, "add", meanwhile)
    answer = ada.post("/own/add/", {"token": token, "game": "spycraft", "into": "Harbour", "do": "make"})
    assert answer.status_code == 503 and not OwnCard.objects.exists() and not UploadedPicture.objects.exists()


# -- whose they are -----------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize("visibility", ["private", "unlisted", "public"])
def test_nobody_else_sees_the_picture_whoever_may_see_the_card(ada: Client, visibility: str) -> None:
    card = own_card(own_set(viewer(), visibility=visibility))
    ada.post(
        f"/own/cards/{card.code}/change/",
        {"name": "Brass Falcon", "type": "agent", "do": "save", "picture": sent()},
    )
    sha256, bob = UploadedPicture.objects.get().sha256, Client()
    bob.force_login(User.objects.create_user("bob"))
    deck = make_deck(ada, "Balloons", "2 Kai\n3 Brass Falcon\n", visibility="public")
    for other in (bob, Client()):
        for address in (
            f"/cards/spycraft/{card.code}/",
            f"/own/sets/{card.in_set.link}/",
            f"/decks/{deck.link}/",
            f"/own/faces/spycraft/{card.code}.svg",
            f"/cards/spycraft/{card.code}/face.svg",
            f"/pictures/files/{sha256}/",
            f"/pictures/files/{sha256}/small/",
        ):
            answer = other.get(address, follow=True)
            body = b"".join(answer) if answer.streaming else answer.content
            assert (
                sha256.encode() not in body.replace(address.encode(), b"") and b"data:image/webp" not in body
            )


@pytest.mark.both_databases
def test_the_picture_goes_with_its_card_and_with_its_set(ada: Client) -> None:
    made(ada)
    delete_card(OwnCard.objects.select_related("in_set__box").get())
    assert not UploadedPicture.objects.exists()
    made(ada)
    delete_set(OwnCard.objects.get().in_set)
    assert not UploadedPicture.objects.exists()


def test_the_export_of_an_account_says_which_card_a_picture_is_of(ada: Client) -> None:
    made(ada)
    archive = zipfile.ZipFile(io.BytesIO(b"".join(ada.get("/account/export.zip"))))
    (listed,), (one,) = json.loads(archive.read("pictures.json")), json.loads(archive.read("sets.json"))
    assert listed["card_code"] == one["cards"][0]["code"] and listed["file"] in archive.namelist()


# -- taken along ---------------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_browsers_sets_bring_the_pictures_of_their_cards_into_the_account(client: Client) -> None:
    made(client)
    client.post("/pictures/", {"game": "spycraft", "meant": "front", "files": sent(picture(1), "kai.png")})
    user = User.objects.create_user("ada")
    client.force_login(user)
    assert "1 set is now your account’s." in page(
        client.post("/account/take/", {"kind": "sets"}, follow=True)
    )
    assert {row.card_code: row.owner_id for row in UploadedPicture.objects.all()} == {
        OwnCard.objects.get().code: user.pk,
        "kai": None,
    }


def test_sets_whose_pictures_find_no_room_come_without_them_and_that_is_said(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(client)
    client.force_login(User.objects.create_user("ada"))
    monkeypatch.setattr(quota, "MAX_PICTURES", 0)
    answer = page(client.post("/account/take/", {"kind": "sets"}, follow=True))
    assert (
        "1 set is now your account’s." in answer
        and "Pictures of cards in your sets stay with this browser" in answer
        and "no room for the pictures" in answer
    )
    assert UploadedPicture.objects.get().owner_id is None
