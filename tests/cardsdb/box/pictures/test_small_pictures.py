"""Small copies of uploaded pictures are made by a worker, so that the page that shows them need not."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from django.test import Client
from django.urls import reverse

from cardsdb.box import picture_store as small_pictures
from cardsdb.box import picture_store as storage
from cardsdb.models import UploadedPicture
from cardsdb.tasks.worker import work_off
from tests.support.picture_pages import bring, member
from tests.support.pictures import coded, painted, path_of, picture_folder

__all__ = ["picture_folder"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("picture_folder")]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pictures of which copies were made, in order."""
    pictures, plain = list[str](), storage.keep

    def keep(sha256: str, parts: Mapping[str, bytes]) -> list[str]:
        pictures.extend([sha256] * ("small" in parts))
        return plain(sha256, parts)

    monkeypatch.setattr(storage, "keep", keep)
    return pictures


def bring_three(client: Client) -> list[str]:
    """Three pictures, newest first."""
    assert (
        bring(
            client, *((f"{side}.jpg", coded(painted(size=(side, 420)))) for side in (300, 310, 320))
        ).status_code
        == 302
    )
    return list(UploadedPicture.objects.order_by("-pk").values_list("sha256", flat=True))


def test_a_worker_makes_the_copies_and_the_page_none(client: Client, made: list[str]) -> None:
    pictures = bring_three(client)
    assert made == [] and work_off() == 1 and made == pictures
    assert client.get(reverse("picture_small", args=[pictures[0]]))["Content-Type"] == "image/webp"
    assert made == pictures


def test_a_page_that_comes_first_makes_its_own(client: Client, made: list[str]) -> None:
    pictures = bring_three(client)
    assert client.get(reverse("picture_small", args=[pictures[1]])).status_code == 200
    work_off()
    assert made == [pictures[1], pictures[0], pictures[2]]


def test_many_are_made_some_at_a_time_and_one_that_fails_stops_no_other(
    client: Client, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(small_pictures, "BATCH", 1)
    pictures = bring_three(client)
    path_of(pictures[1]).unlink()
    assert work_off() == 3
    assert [path_of(picture, "small").exists() for picture in pictures] == [True, False, True]


def test_of_many_pictures_the_newest_alone_are_asked_for(
    client: Client, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bring_three(client)
    work_off()
    bring(client, ("mine.jpg", coded(painted(size=(400, 560)))))
    asked, plain = set[str](), storage.has
    monkeypatch.setattr(storage, "has", lambda *of: asked.add(of[0]) or plain(*of))
    monkeypatch.setattr(small_pictures, "ENOUGH", 2)
    work_off()
    newest = list(UploadedPicture.objects.order_by("-pk").values_list("sha256", flat=True))
    assert made[3:] == newest[:1] and asked == set(newest[:3])


def test_only_their_owners_pictures_are_made(client: Client, made: list[str]) -> None:
    others = bring_three(member())
    work_off()
    made.clear()
    path_of(others[0], "small").unlink()
    bring(client, ("mine.jpg", coded(painted(size=(400, 560)))))
    work_off()
    assert len(made) == 1 and made[0] not in others
