"""The pages of own pictures: bring, place, cut, give up; nobody else's business, and nothing left behind when
something fails.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from PIL import Image

from cardsdb.box.picture_files import bounds as limits
from cardsdb.box.pictures import pictures_of
from cardsdb.catalogue.current import catalogue, working_with
from cardsdb.games import games
from cardsdb.models import UploadedPicture
from tests.support.guests import guest
from tests.support.packages import zipped
from tests.support.picture_pages import JPEG, OTHER, bring, only_picture, words
from tests.support.pictures import coded, jpeg_that_claims, painted, path_of, picture_folder, stored_names

__all__ = ["picture_folder"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
GAME = games()["spycraft"]


@pytest.mark.both_databases
def test_a_picture_finds_its_card_by_its_name(client: Client) -> None:
    answer = bring(client, ("kai.jpg", JPEG), ("kai back.jpg", OTHER))
    assert answer.status_code == 302
    assert set(UploadedPicture.objects.values_list("game", "card_code", "side")) == {
        ("spycraft", "kai", "front"),
        ("spycraft", "kai", "back"),
    }
    page = words(client.get(reverse("pictures")))
    assert "Kai, front" in page and "Kai, back" in page and "302 ppi" in page


def test_what_no_card_is_called_is_placed_by_hand(client: Client) -> None:
    bring(client, ("IMG_0001.jpg", JPEG))
    pk = only_picture().pk
    assert "IMG_0001.jpg" in words(client.get(reverse("pictures")))
    client.post(
        reverse("pictures_place"), {f"game:{pk}": "spycraft", f"card:{pk}": "Kai", f"side:{pk}": "front"}
    )
    assert (only_picture().card_code, only_picture().side) == ("kai", "front")


def test_a_card_that_is_not_there_is_said_and_the_picture_stays_where_it_was(client: Client) -> None:
    bring(client, ("IMG_0001.jpg", JPEG))
    pk = only_picture().pk
    answer = client.post(
        reverse("pictures_place"),
        {f"game:{pk}": "spycraft", f"card:{pk}": "Nobody", f"side:{pk}": "front"},
        follow=True,
    )
    assert "“Nobody” is no card of Spycraft" in words(answer) and only_picture().side == ""


def test_one_back_for_all_cards(client: Client) -> None:
    bring(client, ("whatever.jpg", JPEG), meant="all")
    assert (only_picture().card_code, only_picture().side) == ("", "back")


@pytest.mark.both_databases
def test_the_new_picture_of_a_card_leaves_the_old_one_unused_not_lost(client: Client) -> None:
    bring(client, ("kai.jpg", JPEG))
    bring(client, ("kai.jpg", OTHER))
    assert sorted(UploadedPicture.objects.values_list("width", "side")) == [(300, "front"), (750, "")]


def test_good_pictures_are_kept_beside_a_bad_one_which_is_named(client: Client) -> None:
    answer = bring(
        client,
        ("kai.jpg", JPEG),
        ("holiday.jpg", b"GIF89a rubbish"),
        ("bomb.jpg", jpeg_that_claims(19_000, 9)),
    )
    page = words(client.get(answer["Location"]))
    assert UploadedPicture.objects.count() == 1
    assert "holiday.jpg is cut off or damaged" in page and "bomb.jpg is 19000 x 9 pixels" in page


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ((), "Choose at least one picture"),
        ((("x.png", b"%!PS-Adobe-3.0 EPSF"),), "x.png is an EPS"),
        ((("x.jpg", JPEG[:5_000]),), "x.jpg is cut off or damaged"),
        ((("x.jpg", bytes(limits.PRIVATE.bytes + 1)),), "x.jpg has 40.1 MB"),
    ],
)
def test_what_cannot_be_taken_is_said_and_nothing_is_kept(
    client: Client, picture_folder: Path, sent: Any, message: str
) -> None:
    answer = bring(client, *sent)
    assert answer.status_code == 400 and message in words(answer)
    assert not UploadedPicture.objects.exists() and (
        not picture_folder.exists() or stored_names(picture_folder) == []
    )


def test_an_upload_that_is_too_large_is_refused_unread(client: Client) -> None:
    answer = bring(client, ("kai.jpg", JPEG), CONTENT_LENGTH=str(limits.MAX_UPLOAD_BYTES + 1))
    assert answer.status_code == 413 and not UploadedPicture.objects.exists()


def test_more_pictures_than_are_taken_at_once_are_said(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardsdb.box.jobs.MAX_UPLOAD_FILES", 2)
    page = words(
        client.get(
            bring(client, *((f"{n}.jpg", coded(painted(size=(300, 400 + ord(n))))) for n in "abc"))[
                "Location"
            ]
        )
    )
    assert "c.jpg and what follows: at most 2 at once" in page and UploadedPicture.objects.count() == 2


def test_a_form_without_its_token_is_refused() -> None:
    assert bring(Client(enforce_csrf_checks=True), ("kai.jpg", JPEG)).status_code == 403


@pytest.mark.both_databases
def test_a_picture_is_cut_turned_and_put_elsewhere(client: Client) -> None:
    bring(client, ("kai.jpg", JPEG))
    address = reverse("picture", args=[only_picture().pk])
    assert 'value="Kai' in client.get(address).content.decode()
    values = {
        "game": "spycraft",
        "card": "lucky shot",
        "side": "back",
        "turn": "90",
        "mirrored": "on",
        "left": "10",
        "top": "2.5",
    }
    card = next(card for card in GAME.cards if card.code != "kai")
    answer = client.post(
        address,
        {
            **values,
            "card": card.code,
            "right": "",
            "bottom": "0",
            "fit": "whole",
            "edge": "included",
            "bleed": "3.175",
        },
    )
    assert answer.status_code == 302
    changed = only_picture()
    assert (changed.card_code, changed.side, changed.turn, changed.mirrored) == (card.code, "back", 90, True)
    assert (changed.crop, changed.fit, changed.edge, changed.bleed) == (
        [100, 25, 1000, 1000],
        "whole",
        "included",
        3_175,
    )
    page = client.get(address).content.decode()
    assert 'value="10"' in page and 'value="2.5"' in page


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"left": "60", "right": "60"}, "leave 2 per cent"),
        ({"left": "-1"}, "at most 98 per cent"),
        ({"top": "x"}, "at most 98 per cent"),
        ({"card": "Nobody"}, "is no card of Spycraft"),
        ({"card": ""}, "Say which card"),
        ({"game": "chess"}, "Choose one of the games"),
        ({"side": "inside"}, "Choose front, back or not used"),
        ({"edge": "included", "bleed": ""}, "how many millimetres of bleed"),
        ({"edge": "included", "bleed": "0"}, "how many millimetres of bleed"),
        ({"edge": "included", "bleed": "11"}, "how many millimetres of bleed"),
    ],
)
def test_a_change_that_cannot_be_is_said_and_changes_nothing(
    client: Client, change: dict[str, str], message: str
) -> None:
    bring(client, ("kai.jpg", JPEG))
    values = {
        "game": "spycraft",
        "card": "kai",
        "side": "front",
        "turn": "90",
        "fit": "fill",
        "edge": "mirrored",
        **change,
    }
    answer = client.post(reverse("picture", args=[only_picture().pk]), values)
    assert answer.status_code == 400 and message in words(answer)
    assert (only_picture().turn, only_picture().crop, only_picture().card_code) == (0, [], "kai")


def test_the_page_asks_the_database_no_more_for_more_pictures(client: Client) -> None:
    counts = []
    for n in range(3):
        bring(client, *((f"{n}{m}.jpg", coded(painted(size=(300 + n, 420 + m)))) for m in range(n * 2 + 1)))
        client.get(reverse("pictures"))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            client.get(reverse("pictures"))
        counts.append(len(queries))
    assert len(set(counts)) == 1


def test_printing_asks_once_for_all_pictures_of_a_game(client: Client) -> None:
    bring(client, ("kai.jpg", JPEG), ("back.jpg", OTHER))
    visitor = guest(client)
    with working_with(catalogue()), CaptureQueriesContext(connection) as queries:
        pictures = pictures_of(visitor, GAME)
    assert len(queries) == 1 and set(pictures) == {("kai", "front"), ("", "back")}
    assert pictures["kai", "front"].read() == path_of(pictures["kai", "front"].sha256).read_bytes()


def test_what_is_wrong_in_a_form_is_told_in_the_order_of_its_fields(client: Client) -> None:
    wrong = {"game": "nix", "use": "nix", "edge": "nix", "meant": "nix"}
    page = client.post("/pictures/", wrong).content.decode()
    told = ("one of the games", "art in its window", "outside the cut line", "what the pictures are for")
    places = [page.index(f"{words}.</li>") for words in told]
    assert places == sorted(places)


# -- other kinds, and zips ------------------------------------------------------------------


def test_what_was_taken_left_and_refused_is_counted(client: Client) -> None:
    answer = bring(
        client,
        ("kai.gif", coded(painted(size=(90, 120)), "GIF")),
        ("holiday.jpg", JPEG),
        ("li.svg", b"<svg/>"),
    )
    page = words(client.get(answer["Location"]))
    assert "2 pictures are kept. 1 could not be matched to a card." in page and "1 was refused." in page
    assert "li.svg is an SVG, which is not read here. Save it as PNG or JPEG and send that." in page
    assert "None were refused." in words(client.get(bring(client, ("bone.jpg", OTHER))["Location"]))


def test_a_zip_shows_what_is_in_it_before_anything_is_kept(client: Client) -> None:
    data = zipped(
        {"kai.gif": coded(painted(size=(90, 120)), "GIF"), "li.svg": b"<svg/>", "holiday.jpg": JPEG}
    )
    page = words(bring(client, ("scans.zip", data)))
    assert "What is in scans.zip" in page and "3 pictures: 1 taken (1 by id), 1 left, 1 refused." in page
    assert "Keep 1 picture" in page and not UploadedPicture.objects.exists()


@pytest.mark.parametrize("chosen", [{"use": "art"}, {"edge": "repeated"}, {"meant": "back"}, {}])
def test_what_was_chosen_of_pictures_and_holds_for_no_zip_is_told(
    client: Client, chosen: dict[str, str]
) -> None:
    sent = {
        "edge": "",
        "game": "spycraft",
        "files": SimpleUploadedFile("scans.zip", zipped({"kai.jpg": JPEG})),
    }
    page = words(client.post(reverse("pictures"), sent | chosen))
    assert "What is in scans.zip" in page and ("is not used for a zip" in page) == bool(chosen)


def test_a_zip_beside_pictures_is_asked_for_by_itself(client: Client) -> None:
    answer = bring(client, ("kai.jpg", JPEG), ("scans.zip", zipped({"li.jpg": OTHER})))
    assert answer.status_code == 400 and "Send a zip by itself" in words(answer)
    assert not UploadedPicture.objects.exists()


@pytest.mark.parametrize(("https", "megabytes"), [(False, "40 MB, 120 million"), (True, "5 MB, 25 million")])
def test_the_bounds_are_said_before_anything_is_sent(https: bool, megabytes: str, settings: Any) -> None:
    settings.HTTPS = https
    assert f"each at most {megabytes} pixels" in words(Client().get(reverse("pictures"), secure=https))


def test_a_public_site_takes_smaller_pictures_than_a_private_one(client: Client, settings: Any) -> None:
    large = JPEG + bytes(6 * limits.MEGABYTE)
    settings.HTTPS = True
    answer = bring(client, ("kai.jpg", large), secure=True)
    assert answer.status_code == 400 and "5 MB are the most" in words(answer)
    settings.HTTPS = False
    assert bring(client, ("kai.jpg", large)).status_code == 302 and only_picture().card_code == "kai"


def test_a_picture_that_came_before_gets_its_borders_colour_when_that_is_wished(client: Client) -> None:
    picture = Image.new("RGB", (300, 420), (200, 30, 60))
    picture.paste((0, 0, 0), (40, 40, 260, 380))
    bring(client, ("kai.png", coded(picture, "PNG")))
    UploadedPicture.objects.update(edge_colour="")
    fields = {"game": "spycraft", "card": "Kai", "side": "front", "fit": "fill", "edge": "colour"}
    client.post(reverse("picture", args=[only_picture().pk]), fields)
    red, green, blue = bytes.fromhex(only_picture().edge_colour[1:])
    assert (red, green, blue) == pytest.approx((200, 30, 60), abs=12)
