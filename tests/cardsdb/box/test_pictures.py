"""Own pictures are visible to their owner alone; pictures of a package are each taken or reported."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from cardsdb.box.package_pictures import NAMELESS, place_pictures
from cardsdb.box.picture_files.bounds import PRIVATE
from cardsdb.box.pictures import pictures_of
from cardsdb.box.reading.rows import Columns
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models.box import Place
from cardsdb.site.sharing import FILE_POLICY
from printing.management.commands.print_deck import brought
from tests.support.accounts import member
from tests.support.packages import package, zipped
from tests.support.pages import page
from tests.support.picture_pages import JPEG, bring, only_picture
from tests.support.pictures import coded, painted, path_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
GAME = games()["spycraft"]


# -- own pictures ------------------------------------------------------------------------


def test_a_picture_is_its_owners_alone(client):
    owner, staff = member(), Client()
    bring(owner, ("kai.jpg", JPEG))
    picture = only_picture()
    addresses = [
        reverse("picture_file", args=[picture.sha256]),
        reverse("picture_small", args=[picture.sha256]),
        reverse("picture", args=[picture.pk]),
    ]
    staff.force_login(User.objects.create_superuser("root"))
    assert [owner.get(address).status_code for address in addresses] == [200, 200, 200]
    for other in (member("bob"), client, staff):
        assert [other.get(address).status_code for address in addresses] == [404, 404, 404]
        assert other.post(reverse("picture_delete", args=[picture.pk])).status_code == 404
        fields = {f"card:{picture.pk}": "lucky-shot", f"side:{picture.pk}": "back"}
        other.post(reverse("pictures_place"), fields)
        assert "Kai, front" not in page(other, reverse("pictures")).text
    assert only_picture().side == "front"
    assert pictures_of(Viewer(), GAME) == {} and pictures_of(Viewer(browser="0" * 64), GAME) == {}


def test_a_picture_is_served_so_that_nothing_in_it_runs(client):
    bring(client, ("kai.jpg", JPEG))
    answer = client.get(reverse("picture_file", args=[only_picture().sha256]))
    assert answer.content == path_of(only_picture().sha256).read_bytes()
    assert answer["Content-Type"] == "image/jpeg" and answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == FILE_POLICY


def test_no_shared_cache_keeps_a_picture_and_its_small_copy_takes_less(client):
    bring(client, ("kai.jpg", JPEG))
    answer = client.get(reverse("picture_file", args=[only_picture().sha256]))
    assert answer["Cache-Control"].startswith("private") and "Cookie" in answer["Vary"]
    small = client.get(reverse("picture_small", args=[only_picture().sha256]))
    assert small["Content-Type"] == "image/webp" and len(small.content) < len(JPEG)


@pytest.mark.parametrize("address", ["0" * 64, "x", "0" * 63 + "g", "secret_key"])
def test_no_other_file_is_served(client, address):
    bring(client, ("kai.jpg", JPEG))
    assert client.get(reverse("picture_file", args=[address])).status_code == 404


# -- pictures of a package -------------------------------------------------------------


def test_every_picture_of_a_package_that_is_not_taken_is_reported(tmp_path):
    still = painted(size=(50, 70))
    gif, moving = coded(still, "GIF"), coded(still, "GIF", save_all=True, append_images=[still.rotate(180)])
    sent = {
        "kai.gif": gif,
        "Kai.bmp": gif,
        "termite.heif": moving,
        "li.png": coded(painted(), "PNG")[:900],
        "holiday.gif": gif,
        "a.svg": b"<svg",
        "notes.txt": b"Kai",
    }
    (tmp_path / "mine.zip").write_bytes(zipped(sent))
    found = brought(GAME, "", str(tmp_path / "mine.zip"), tmp_path)
    assert found.remarks[0] == "6 pictures: 2 taken (2 by id), 2 left, 2 refused" and found.lacks
    assert set(found.pictures) == {("kai", "front"), ("termite", "front")}
    # What was changed in a picture that is taken is reported too.
    assert {remark.partition(":")[0] for remark in found.remarks[1:]} == {*sent} - {"kai.gif", "notes.txt"}
    assert f"holiday.gif: {NAMELESS}" in found.remarks


def test_a_picture_that_is_too_large_is_refused_and_the_others_are_taken():
    large, small = coded(painted(size=(50, 70)), "BMP"), coded(painted("1", (50, 70)), "GIF")
    sent = package(zipped({"kai.bmp": large, "termite.gif": small}), "mine.zip")
    placed = place_pictures(sent, GAME, Columns({}))
    kai, termite = (Place("spycraft", code, "front") for code in ("kai", "termite"))
    bounds = PRIVATE._replace(bytes=3_000)
    assert placed.read_or_refuse(sent, kai, bounds) is None
    assert placed.read_or_refuse(sent, termite, bounds)
    assert (placed.refused, list(placed.places)) == (1, [termite])
    (problem,) = placed.problems
    assert problem.file == "kai.bmp" and problem.reason.startswith("The picture has")
