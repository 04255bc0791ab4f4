"""An own picture is its owner's alone, whoever asks and however it is served."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from cardsdb.games import games
from decks.visitors import BROWSER, Visitor, hashed
from printing.models import UploadedPicture
from printing.pictures import files
from printing.pictures.own import pictures_of
from tests.made_pictures import coded, painted
from tests.picture_visits import bring, member, words

pytestmark = pytest.mark.django_db
GAME = games()["spycraft"]
JPEG = coded(painted(), quality=88)
OTHER = coded(painted(size=(300, 420)))


@pytest.fixture(autouse=True)
def shelf(settings: Any, tmp_path: Path) -> Path:
    settings.CUTOUT_PICTURES = str(tmp_path / "pictures")
    return tmp_path / "pictures"


def row() -> UploadedPicture:
    return UploadedPicture.objects.get()


def test_a_picture_is_its_owners_alone(client: Client) -> None:
    owner, stranger = member(), member("bob")
    bring(owner, ("kai.jpg", JPEG))
    picture = row()
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
        other.post(reverse("pictures_place"), {f"card:{picture.pk}": "lucky-shot", f"side:{picture.pk}": "back"})
        assert "Kai, front" not in words(other.get(reverse("pictures")))
    assert row().side == "front"
    assert pictures_of(Visitor(), GAME) == {} and pictures_of(Visitor(browser="0" * 64), GAME) == {}


def test_a_picture_is_served_so_that_nothing_in_it_runs(client: Client) -> None:
    bring(client, ("kai.jpg", JPEG))
    answer = client.get(reverse("picture_file", args=[row().sha256]))
    assert answer.content == files.path_of(row().sha256).read_bytes()
    assert answer["Content-Type"] == "image/jpeg" and answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer["Cache-Control"].startswith("private") and "Cookie" in answer["Vary"]
    small = client.get(reverse("picture_small", args=[row().sha256]))
    assert small["Content-Type"] == "image/webp" and len(small.content) < len(JPEG)


@pytest.mark.parametrize("address", ["0" * 64, "x", "0" * 63 + "g", "secret_key"])
def test_no_other_file_is_served(client: Client, address: str) -> None:
    bring(client, ("kai.jpg", JPEG))
    assert client.get(reverse("picture_file", args=[address])).status_code == 404


def test_what_a_browser_brought_goes_along_into_the_account(client: Client) -> None:
    bring(client, ("kai.jpg", JPEG), ("b.jpg", OTHER))
    user = User.objects.create_user("ann")
    browser = client.session[BROWSER]
    client.force_login(user)
    session = client.session
    session[BROWSER] = browser
    session.save()
    assert "pictures from before you logged in" in words(client.get(reverse("pictures")))
    client.post(reverse("pictures_take"))
    assert UploadedPicture.objects.of(Visitor(user.pk)).count() == 2
    assert UploadedPicture.objects.of(Visitor(browser=hashed(browser))).count() == 0
