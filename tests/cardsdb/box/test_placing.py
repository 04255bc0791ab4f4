"""Placing pictures: storing, limits, and moving a browser's pictures into the account, also while others do
the same.
"""

import time
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError
from django.urls import reverse

from cardsdb.box import picture_store as storage
from cardsdb.box.intake import take
from cardsdb.box.picture_files.bounds import (
    MAX_OF_BROWSER,
    MAX_STORED_OF_BROWSER,
    MAX_UPLOAD_FILES,
    MEGABYTE,
)
from cardsdb.box.placing import add, claim_pictures, fits_on_site
from cardsdb.faults import Refused
from cardsdb.identity.viewer import Viewer
from cardsdb.models import UploadedPicture, owned_by
from cardsdb.models.box import Place
from tests.support.accounts import member
from tests.support.meanwhile import before_first, failing
from tests.support.pages import page, page_of
from tests.support.picture_pages import JPEG, OTHER, bring, only_picture
from tests.support.pictures import path_of, stored_names

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
BROWSER = Viewer(browser="ann's")
ONE, TWO = take(JPEG), take(OTHER)
KAI, TERMITE = Place("spycraft", "kai", "front"), Place("spycraft", "termite", "front")


@pytest.fixture
def both():
    """The same browser after logging in."""
    return Viewer(User.objects.create_user("ann").pk, browser=BROWSER.browser)


def places(of: Viewer) -> list[tuple[str, str]]:
    """Return (card code, side) of each picture of this visitor."""
    return sorted(UploadedPicture.objects.of(of).values_list("card_code", "side"))


def loose(owner: Viewer, number: int, **values: Any) -> None:
    """Create this many rows of pictures without a place and without files."""
    columns = {"game": "spycraft", "sha256": "0" * 64, "kind": "jpeg", "width": 9, "height": 9, "bytes": 1}
    columns |= owned_by(owner) | values
    rows = (UploadedPicture(label=f"{n}.jpg", **columns) for n in range(number))
    UploadedPicture.objects.bulk_create(rows)


# -- limits ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "size", "message"),
    [
        (MAX_OF_BROWSER - 1, 1, "b.jpg: 1 picture came, but there is room for 0 more, and 200 are the most"),
        (1, MAX_STORED_OF_BROWSER - ONE.bytes - 10, "b.jpg: 0.0 MB are needed, but there is room for 0.0 MB"),
    ],
    ids=["pictures", "bytes"],
)
def test_pictures_and_their_bytes_are_limited_but_a_stored_picture_may_come_again(
    settings, picture_folder, number, size, message
):
    settings.HTTPS = True
    add(BROWSER, ONE, "kai.jpg", KAI)
    loose(BROWSER, number, bytes=size)
    with pytest.raises(Refused, match=message):
        add(BROWSER, TWO, "b.jpg")
    assert add(BROWSER, ONE, "again.jpg") == (UploadedPicture.objects.get(label="kai.jpg"), False)
    assert stored_names(picture_folder) == [ONE.sha256]
    settings.HTTPS = False
    assert add(BROWSER, TWO, "b.jpg")[1]


@pytest.mark.both_databases
def test_a_full_site_says_so_and_keeps_nothing(client, settings, picture_folder):
    settings.CUTOUT_PICTURES_MEGABYTES = 0
    answer = page_of(bring(client, ("kai.jpg", JPEG)), status=507)
    assert "this site has no room left for pictures" in answer.text
    assert stored_names(picture_folder) == [] and not UploadedPicture.objects.exists()


def test_a_file_of_two_owners_takes_the_room_of_the_site_once(settings):
    settings.CUTOUT_PICTURES_MEGABYTES = 1
    add(BROWSER, ONE, "kai.jpg")
    add(Viewer(browser="bob's"), ONE, "mine.jpg")
    left = MEGABYTE - ONE.bytes
    assert fits_on_site(left) and not fits_on_site(left + 1)
    settings.CUTOUT_PICTURES_MEGABYTES = 0
    assert add(Viewer(browser="eve's"), ONE, "too.jpg")[1]


def test_a_failed_write_leaves_no_file_and_an_upload_restores_a_lost_file(
    picture_folder,
):
    with failing(DatabaseError("it is gone"), "INSERT"), pytest.raises(DatabaseError):
        add(BROWSER, ONE, "kai.jpg", KAI)
    assert stored_names(picture_folder) == []
    add(BROWSER, ONE, "kai.jpg", KAI)
    path_of(ONE.sha256).unlink()
    add(BROWSER, ONE, "kai.jpg", KAI)
    assert path_of(ONE.sha256).exists() and places(BROWSER) == [("kai", "front")]


# -- moving pictures to the account ----------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_pictures_that_the_account_has_already_are_deleted_without_a_deadlock(both):
    for owner in (BROWSER, Viewer(both.user_id)):
        add(owner, ONE, "kai.jpg", KAI)
    add(BROWSER, TWO, "termite.jpg", TERMITE)
    began = time.monotonic()
    assert claim_pictures(both) == 1
    # Deleting a file takes the lock of stored pictures; if the caller still held it, this would wait in vain.
    assert time.monotonic() - began < storage.MAX_WAIT / 2
    assert places(Viewer(both.user_id)) == [("kai", "front"), ("termite", "front")]
    assert UploadedPicture.objects.count() == 2 and path_of(ONE.sha256).exists()


@pytest.mark.both_databases
def test_no_picture_is_placed_while_others_move_to_the_account(both, impatient):
    account = Viewer(both.user_id)
    add(BROWSER, ONE, "kai.jpg", KAI)

    def add_meanwhile() -> None:
        with pytest.raises(Refused, match="being stored just now"):
            add(account, TWO, "other.jpg", KAI)

    with before_first("UPDATE", add_meanwhile):
        assert claim_pictures(both) == 1
    add(account, TWO, "other.jpg", KAI)
    assert sorted(UploadedPicture.objects.of(account).values_list("label", "side")) == [
        ("kai.jpg", ""),
        ("other.jpg", "front"),
    ]


@pytest.mark.both_databases
def test_a_picture_deleted_while_it_moves_to_the_account_stays_deleted(both):
    add(BROWSER, ONE, "kai.jpg", KAI)
    add(BROWSER, TWO, "b.jpg")
    with before_first("UPDATE", lambda: UploadedPicture.objects.filter(label="kai.jpg").delete()):
        assert claim_pictures(both) == 1
    assert (only_picture().label, only_picture().owner_id) == ("b.jpg", both.user_id)


# -- the page for pictures without a place ---------------------------------------------


@pytest.mark.both_databases
def test_pictures_without_a_place_come_fifty_to_a_page_which_is_sent_whole():
    client = member()
    loose(Viewer(User.objects.get().pk), 120)
    last = page(client, reverse("pictures"), {"page": "3"})
    assert sum(field["name"].startswith("side:") for field in last.all("select")) == 20
    sent = {}
    first, *others = UploadedPicture.objects.values_list("pk", flat=True)[:50]
    for pk in (first, *others):
        sent |= {f"game:{pk}": "spycraft", f"card:{pk}": "", f"side:{pk}": ""}
    sent |= {f"card:{first}": "Kai", f"side:{first}": "front"}
    assert client.post(reverse("pictures_place"), sent).status_code == 302
    assert UploadedPicture.objects.exclude(side="").count() == 1


def test_too_many_or_too_few_fields_of_a_form_are_refused_in_words(client):
    files = [SimpleUploadedFile(f"{n}.jpg", b"x") for n in range(101)]
    answer = client.post(reverse("pictures"), {"game": "spycraft", "files": files})
    assert f"at most {MAX_UPLOAD_FILES} pictures" in page_of(answer, status=413).text
    bring(client, ("IMG_1.jpg", JPEG))
    answer = client.post(reverse("pictures_place"), {f"side:{n}": "" for n in range(300)})
    assert "200 fields" in page_of(answer, status=413).text
    answer = client.post(reverse("pictures_place"), {}, follow=True)
    assert "choose front or back" in page_of(answer).text


@pytest.mark.both_databases
def test_one_bleed_applies_to_all_pictures_that_are_placed_together(client):
    bring(client, ("IMG_1.jpg", JPEG), ("IMG_2.jpg", OTHER), edge="none")
    first, second = UploadedPicture.objects.order_by("pk")

    def place(row: UploadedPicture, edge: str, bleed: str) -> tuple[str, str, int]:
        """Put a picture on a card by the form; return its side, edge and bleed then."""
        fields = {f"card:{row.pk}": "kai", f"side:{row.pk}": "front", "edge": edge, "bleed": bleed}
        answer = client.post(reverse("pictures_place"), fields, follow=True)
        row.refresh_from_db()
        assert ("how many millimetres of bleed" in page_of(answer).text) == (edge == "included" and not bleed)
        return row.side, row.edge, row.bleed

    assert place(first, "included", "3.175") == ("front", "included", 3_175)
    assert place(second, "included", "") == ("", "none", 0)
    assert place(second, "", "3.175") == ("front", "none", 0)
