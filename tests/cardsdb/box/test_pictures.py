"""Own pictures are visible to their owner alone; pictures of a package are each taken or reported."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from cardsdb.box.picture_files.bounds import PRIVATE
from cardsdb.box.pictures import NAMELESS, pictures_of, place_pictures
from cardsdb.box.reading.rows import Columns
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.site.sharing import FILE_POLICY
from printing.management.commands.print_deck import brought
from tests.support.accounts import member
from tests.support.packages import package, zipped
from tests.support.pages import page
from tests.support.picture_pages import JPEG, bring, only_picture
from tests.support.pictures import coded, painted, path_of

GAME = games()["spycraft"]


# -- own pictures ------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.one_database
def test_a_picture_is_its_owners_alone(client):
    owner, stranger = member(), member("bob")
    bring(owner, ("kai.jpg", JPEG))
    picture = only_picture()
    addresses = [
        reverse("picture_file", args=[picture.sha256]),
        reverse("picture_small", args=[picture.sha256]),
        reverse("picture", args=[picture.pk]),
    ]
    staff = Client()
    staff.force_login(User.objects.create_superuser("root"))
    assert [owner.get(address).status_code for address in addresses] == [200, 200, 200]
    for other in (stranger, client, staff):
        assert [other.get(address).status_code for address in addresses] == [404, 404, 404]
        assert other.post(reverse("picture_delete", args=[picture.pk])).status_code == 404
        fields = {f"card:{picture.pk}": "lucky-shot", f"side:{picture.pk}": "back"}
        other.post(reverse("pictures_place"), fields)
        assert "Kai, front" not in page(other, reverse("pictures")).text
    assert only_picture().side == "front"
    assert pictures_of(Viewer(), GAME) == {} and pictures_of(Viewer(browser="0" * 64), GAME) == {}


@pytest.mark.django_db
@pytest.mark.one_database
def test_a_picture_is_served_so_that_nothing_in_it_runs(client):
    bring(client, ("kai.jpg", JPEG))
    answer = client.get(reverse("picture_file", args=[only_picture().sha256]))
    assert answer.content == path_of(only_picture().sha256).read_bytes()
    assert answer["Content-Type"] == "image/jpeg" and answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == FILE_POLICY
    assert answer["Cache-Control"].startswith("private") and "Cookie" in answer["Vary"]
    small = client.get(reverse("picture_small", args=[only_picture().sha256]))
    assert small["Content-Type"] == "image/webp" and len(small.content) < len(JPEG)


@pytest.mark.django_db
@pytest.mark.one_database
@pytest.mark.parametrize("address", ["0" * 64, "x", "0" * 63 + "g", "secret_key"])
def test_no_other_file_is_served(client, address):
    bring(client, ("kai.jpg", JPEG))
    assert client.get(reverse("picture_file", args=[address])).status_code == 404


# -- pictures of a package -------------------------------------------------------------


def test_every_picture_of_a_package_that_is_not_taken_is_reported(tmp_path):
    gif = coded(painted(size=(50, 70)), "GIF")
    refused = {
        "a.jxl": b"\xff\x0a",
        "a.psd": b"8BPS",
        "a.pdf": b"%PDF",
        "a.ico": b"\0\0\1\0",
        "a.svg": b"<svg",
        "a.jp2": b"\xff\x4f\xff\x51",
    }
    moving = coded(
        painted(size=(50, 70)), "GIF", save_all=True, append_images=[painted(size=(50, 70)).rotate(180)]
    )
    others = {
        "kai.gif": gif,
        "Kai.bmp": gif,
        "termite.heif": moving,
        "li.png": coded(painted(), "PNG")[:900],
        "holiday.gif": gif,
        "notes.txt": b"Kai",
    }
    (tmp_path / "mine.zip").write_bytes(zipped(others | refused))
    found = brought(GAME, "", str(tmp_path / "mine.zip"), tmp_path)
    assert found.remarks[0] == "11 pictures: 2 taken (2 by id), 2 left, 7 refused" and found.lacks
    assert set(found.pictures) == {("kai", "front"), ("termite", "front")}
    assert {remark.partition(":")[0] for remark in found.remarks[1:]} == {
        *("Kai.bmp", "holiday.gif", "termite.heif", "li.png"),
        *refused,
    }
    assert f"holiday.gif: {NAMELESS}" in found.remarks


def test_a_picture_that_is_too_large_is_refused_and_the_others_are_taken():
    sent = package(
        zipped(
            {
                "kai.bmp": coded(painted(size=(50, 70)), "BMP"),
                "termite.gif": coded(painted("1", (50, 70)), "GIF"),
            }
        ),
        "mine.zip",
    )
    placed = place_pictures(sent, GAME, Columns({}))
    taken = {place[1]: placed.take(sent, place, PRIVATE._replace(bytes=3_000)) for place in [*placed.places]}
    assert taken.pop("kai") is None and taken["termite"] and placed.refused == 1
    assert [place[1] for place in placed.places] == ["termite"]
    assert [(problem.file, problem.reason[:15]) for problem in placed.problems] == [
        ("kai.bmp", "The picture has")
    ]
