"""The same file brought again is the same picture: its places stay, nothing is stored twice."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from cardsdb.box.placing import claim_pictures
from cardsdb.identity.viewer import Viewer
from cardsdb.models import UploadedPicture
from tests.support.guests import guest
from tests.support.picture_pages import JPEG, OTHER, bring, words
from tests.support.pictures import path_of, picture_folder

__all__ = ["picture_folder"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def places() -> list[tuple[str, str]]:
    return sorted(UploadedPicture.objects.values_list("card_code", "side"))


def page_after(client: Client, *sent: tuple[str, bytes], **how: Any) -> str:
    answer = bring(client, *sent, **how)
    assert answer.status_code == 302
    return words(client.get(answer["Location"]))


@pytest.mark.both_databases
def test_brought_again_a_picture_is_said_to_be_there_and_keeps_its_place(client: Client) -> None:
    bring(client, ("kai.jpg", JPEG), ("termite.jpg", OTHER))
    UploadedPicture.objects.update(crop=[10, 10, 990, 990])
    page = page_after(client, ("kai.jpg", JPEG), ("termite.jpg", OTHER), edge="none")
    assert places() == [("kai", "front"), ("termite", "front")]
    assert (
        "2 pictures were already yours" in page
        and "Not used yet" not in page.split("You have")[0].split("Bring pictures")[0]
    )
    assert set(UploadedPicture.objects.values_list("edge", flat=True)) == {"mirrored"}
    assert [row.crop for row in UploadedPicture.objects.all()] == [[10, 10, 990, 990]] * 2


def test_what_is_called_otherwise_this_time_is_still_the_same_picture(client: Client) -> None:
    bring(client, ("kai.jpg", JPEG))
    assert "1 picture was already yours" in page_after(client, ("IMG_0001.jpg", JPEG))
    assert places() == [("kai", "front")]


def test_one_that_was_used_nowhere_comes_to_the_place_that_its_new_name_says(client: Client) -> None:
    bring(client, ("IMG_0001.jpg", JPEG))
    page_after(client, ("kai.jpg", JPEG))
    assert places() == [("kai", "front")]


def test_one_picture_for_two_cards_has_two_places(client: Client) -> None:
    bring(client, ("kai.jpg", JPEG))
    assert "1 picture is kept" in page_after(client, ("termite.jpg", JPEG))
    assert places() == [("kai", "front"), ("termite", "front")]
    assert "2 pictures were already yours" in page_after(client, ("kai.jpg", JPEG), ("termite.jpg", JPEG))


def test_the_same_file_twice_in_one_upload_is_one_picture(client: Client) -> None:
    page = page_after(client, ("kai.jpg", JPEG), ("kai (1).jpg", JPEG))
    assert places() == [("kai", "front")] and "1 picture is kept. 1 picture was already yours" in page


def test_a_file_that_came_twice_is_asked_about_once(client: Client) -> None:
    page = page_after(client, ("IMG_0001.jpg", JPEG), ("IMG_0002.jpg", JPEG))
    assert "1 picture was already yours" in page and "1 could not be matched to a card" in page


def test_with_no_room_left_the_same_picture_may_still_be_brought(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(client, ("kai.jpg", JPEG))
    monkeypatch.setattr("cardsdb.box.placing.MAX_PICTURES", 1)
    assert "1 picture was already yours" in page_after(client, ("kai.jpg", JPEG))


def test_a_file_that_was_lost_comes_back_by_bringing_it_again(client: Client) -> None:
    bring(client, ("kai.jpg", JPEG))
    path = path_of(UploadedPicture.objects.get().sha256)
    path.unlink()
    bring(client, ("kai.jpg", JPEG))
    assert path.exists() and places() == [("kai", "front")]


def test_a_browsers_pictures_that_its_account_has_already_are_not_taken_twice(
    client: Client, django_user_model: Any
) -> None:
    bring(client, ("kai.jpg", JPEG), ("termite.jpg", OTHER))
    account = django_user_model.objects.create_user("ann")
    logged_in = Client()
    logged_in.force_login(account)
    bring(logged_in, ("kai.jpg", JPEG))
    assert claim_pictures(Viewer(account.pk, browser=guest(client).browser)) == 1
    assert places() == [("kai", "front"), ("termite", "front")]
    assert path_of(UploadedPicture.objects.get(card_code="kai").sha256).exists()


# -- what all have in common that are put in place ----------------------------------------------


@pytest.mark.both_databases
def test_the_bleed_of_all_that_are_put_in_place_is_said_once(client: Client) -> None:
    bring(client, ("IMG_1.jpg", JPEG), ("IMG_2.jpg", OTHER), edge="none")
    first, second = UploadedPicture.objects.order_by("pk")
    one = {f"card:{first.pk}": "kai", f"side:{first.pk}": "front"}
    client.post(reverse("pictures_place"), {**one, "edge": "included", "bleed": "3.175"})
    first.refresh_from_db()
    assert (first.card_code, first.edge, first.bleed) == ("kai", "included", 3_175)
    two = {f"card:{second.pk}": "termite", f"side:{second.pk}": "front"}
    page = words(
        client.post(reverse("pictures_place"), {**two, "edge": "included", "bleed": ""}, follow=True)
    )
    second.refresh_from_db()
    assert "how many millimetres of bleed" in page and second.side == ""
    client.post(reverse("pictures_place"), {**two, "edge": "", "bleed": "3.175"})
    second.refresh_from_db()
    assert (second.card_code, second.edge, second.bleed) == ("termite", "none", 0)
