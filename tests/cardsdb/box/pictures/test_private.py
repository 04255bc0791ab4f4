"""An own picture is its owner's alone, whoever asks and however it is served."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from cardsdb.box import picture_store as storage
from cardsdb.box import placing as pictures
from cardsdb.box.intake import take
from cardsdb.box.pictures import pictures_of
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import UploadedPicture
from cardsdb.site.sharing import FILE_POLICY
from tests.support.guests import guest
from tests.support.picture_pages import JPEG, OTHER, bring, member, only_picture, words
from tests.support.pictures import path_of, picture_folder

__all__ = ["picture_folder"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
GAME = games()["spycraft"]


def test_a_picture_is_its_owners_alone(client: Client) -> None:
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
        other.post(
            reverse("pictures_place"), {f"card:{picture.pk}": "lucky-shot", f"side:{picture.pk}": "back"}
        )
        assert "Kai, front" not in words(other.get(reverse("pictures")))
    assert only_picture().side == "front"
    assert pictures_of(Viewer(), GAME) == {} and pictures_of(Viewer(browser="0" * 64), GAME) == {}


def test_a_picture_is_served_so_that_nothing_in_it_runs(client: Client) -> None:
    bring(client, ("kai.jpg", JPEG))
    answer = client.get(reverse("picture_file", args=[only_picture().sha256]))
    assert answer.content == path_of(only_picture().sha256).read_bytes()
    assert answer["Content-Type"] == "image/jpeg" and answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == FILE_POLICY
    assert answer["Cache-Control"].startswith("private") and "Cookie" in answer["Vary"]
    small = client.get(reverse("picture_small", args=[only_picture().sha256]))
    assert small["Content-Type"] == "image/webp" and len(small.content) < len(JPEG)


@pytest.mark.parametrize("address", ["0" * 64, "x", "0" * 63 + "g", "secret_key"])
def test_no_other_file_is_served(client: Client, address: str) -> None:
    bring(client, ("kai.jpg", JPEG))
    assert client.get(reverse("picture_file", args=[address])).status_code == 404


# -- what a browser brought goes along into the account ------------------------------


def logged_in(client: Client) -> Viewer:
    """The same browser, now with an account."""
    user = User.objects.create_user("ann")
    client.force_login(user)
    return Viewer(user.pk, browser=guest(client).browser)


@pytest.mark.both_databases
def test_what_a_browser_brought_goes_along_into_the_account(client: Client) -> None:
    bring(client, ("kai.jpg", JPEG), ("b.jpg", OTHER))
    both = logged_in(client)
    client.post(reverse("account_take"), {"kind": "pictures"})
    assert UploadedPicture.objects.of(Viewer(both.user_id)).count() == 2
    assert UploadedPicture.objects.of(Viewer(browser=both.browser)).count() == 0


@pytest.mark.both_databases
def test_nobody_puts_a_picture_anywhere_while_others_go_along(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(client, ("kai.jpg", JPEG))
    both, tried = logged_in(client), []
    left = pictures.room_left

    def add_meanwhile(visitor: Viewer) -> tuple[int, int]:
        monkeypatch.setattr(pictures, "room_left", left)
        with pytest.raises(Refused, match="being stored just now"):
            pictures.add(Viewer(both.user_id), take(OTHER), "other.jpg", ("spycraft", "kai", "front"))
        tried.append(visitor)
        return left(visitor)

    monkeypatch.setattr(storage, "MAX_WAIT", 0.01)
    monkeypatch.setattr(pictures, "room_left", add_meanwhile)
    assert pictures.claim_pictures(both) == 1 and tried
    pictures.add(Viewer(both.user_id), take(OTHER), "other.jpg", ("spycraft", "kai", "front"))
    assert sorted(UploadedPicture.objects.of(both).values_list("label", "side")) == [
        ("kai.jpg", ""),
        ("other.jpg", "front"),
    ]


def test_pictures_that_cannot_go_along_now_stay_and_it_is_said_when_to_come_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(client, ("kai.jpg", JPEG))
    both = logged_in(client)
    monkeypatch.setattr(storage, "MAX_WAIT", 0.01)
    with storage.locked():
        answer = client.post(reverse("account_take"), {"kind": "pictures"})
    assert (answer.status_code, answer["Retry-After"]) == (503, "30") and "Nothing was changed" in words(
        answer
    )
    assert UploadedPicture.objects.of(Viewer(browser=both.browser)).count() == 1


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_what_the_account_has_already_is_given_up_without_waiting_for_itself(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(client, ("kai.jpg", JPEG))
    both = logged_in(client)
    pictures.add(Viewer(both.user_id), take(JPEG), "kai.jpg", ("spycraft", "kai", "front"))
    locked, inside = storage.locked, []

    @contextlib.contextmanager
    def locked_once() -> Iterator[None]:
        assert not inside, "whoever holds the lock waits for it in vain"
        with locked():
            inside.append(True)
            yield
            inside.pop()

    monkeypatch.setattr(storage, "locked", locked_once)
    assert pictures.claim_pictures(both) == 0
    assert only_picture().owner_id == both.user_id and path_of(only_picture().sha256).exists()


@pytest.mark.both_databases
def test_a_picture_that_is_deleted_while_it_goes_along_is_gone(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(client, ("kai.jpg", JPEG), ("b.jpg", OTHER))
    both = logged_in(client)
    update = QuerySet.update

    def deleted_before(rows: Any, **values: Any) -> int:
        monkeypatch.setattr(QuerySet, "update", update)
        rows.delete()
        return update(rows, **values)

    monkeypatch.setattr(QuerySet, "update", deleted_before)
    assert pictures.claim_pictures(both) == 1 and only_picture().owner_id == both.user_id
