"""How much of pictures is taken: colour profiles, pixels of one upload, bytes of all together; and what a
busy machine says.
"""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image

from cardsdb.box import intake
from cardsdb.box import picture_store as storage
from cardsdb.box.intake import take
from cardsdb.box.picture_files import bounds as limits
from cardsdb.box.picture_files.bounds import MAX_PROFILE, MEGABYTE, Allowance, Rejected
from cardsdb.box.placing import fits_on_site
from cardsdb.faults import Refused
from cardsdb.models import UploadedPicture
from tests.support.picture_pages import bring, member, words
from tests.support.pictures import (
    coded,
    painted,
    path_of,
    picture_folder,
    profile,
    see_through,
    store_picture,
    stored_names,
)
from tests.support.rendering import apart, card_on, picture_job
from tests.support.sheets import make_sheets

__all__ = ["picture_folder"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
KINDS = ("JPEG", "PNG", "WEBP")
JPEG = coded(painted(size=(300, 420)))


def wide_profile(size: int) -> bytes:
    """A colour profile of so many bytes: an ordinary one with something behind it that no reader looks at."""
    return size.to_bytes(4, "big") + profile()[4:] + bytes(size - len(profile()))


# -- colour profiles ----------------------------------------------------------------


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize("kind", KINDS)
def test_a_large_colour_profile_is_taken_and_the_picture_printed(kind: str) -> None:
    large = wide_profile(2 * MEGABYTE)
    ref = store_picture(coded(painted(), kind, icc_profile=large))
    made = picture_job(ref)
    data = make_sheets(made).data
    assert apart(card_on(data, made), painted()) < 6
    with Image.open(path_of(ref.sha256, "colour" if kind == "WEBP" else "")) as stored:
        assert stored.info["icc_profile"] == large


@pytest.mark.parametrize("kind", KINDS)
def test_a_colour_profile_that_is_too_large_is_called_that(kind: str) -> None:
    with pytest.raises(Rejected, match="colour profile of more than 4 MB") as refused:
        take(coded(painted(size=(60, 80)), kind, icc_profile=wide_profile(MAX_PROFILE + 1)))
    assert refused.value.code == "profile_too_large"


def test_a_small_copy_of_a_picture_with_a_large_profile_is_shown(client: Client) -> None:
    bring(client, ("kai.png", coded(painted(), "PNG", icc_profile=wide_profile(2 * MEGABYTE))))
    answer = client.get(reverse("picture_small", args=[UploadedPicture.objects.get().sha256]))
    assert answer.status_code == 200 and answer["Content-Type"] == "image/webp"


# -- pixels of one upload -----------------------------------------------------------


@pytest.mark.parametrize(
    "data", [JPEG, coded(see_through((300, 420)), "PNG"), coded(painted(size=(300, 420)), "WEBP")]
)
def test_pixels_are_counted_before_they_are_decoded(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "open", lambda *_, **__: pytest.fail("it was decoded"))
    with pytest.raises(Rejected, match="million pixels at once"):
        take(data, allowance=Allowance(300 * 420 - 1))


@pytest.mark.both_databases
def test_what_is_too_much_for_one_upload_is_named_and_the_rest_is_kept(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardsdb.box.jobs.Allowance", lambda pixels: Allowance(2 * 300 * 420 + 100))
    small = coded(painted(size=(9, 9)))
    answer = bring(
        client,
        *((f"{n}.jpg", coded(painted(size=(300, 420)), quality=80 + n)) for n in range(3)),
        ("small.jpg", small),
    )
    text = words(client.get(answer["Location"]))
    assert sorted(UploadedPicture.objects.values_list("label", flat=True)) == ["0.jpg", "1.jpg", "small.jpg"]
    assert "2.jpg would be more than" in text and "Send it next" in text


# -- a busy machine -----------------------------------------------------------------


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Somebody else's picture is being decoded, for longer than anybody waits."""
    monkeypatch.setattr(intake, "MAX_WAIT", 0.01)
    with intake.decoding():
        yield


def test_a_busy_machine_says_when_to_come_again_and_keeps_nothing(
    client: Client, picture_folder: Path, busy: None
) -> None:
    answer = bring(client, ("kai.jpg", JPEG))
    assert (answer.status_code, answer["Retry-After"]) == (503, "30")
    assert (
        "Try again in a minute" in words(answer)
        and not UploadedPicture.objects.exists()
        and not stored_names(picture_folder)
    )


def test_a_small_copy_waits_no_longer_either(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(client, ("kai.jpg", JPEG))
    monkeypatch.setattr(intake, "MAX_WAIT", 0.01)
    with intake.decoding():
        answer = client.get(reverse("picture_small", args=[UploadedPicture.objects.get().sha256]))
    assert answer.status_code == 503 and answer["Retry-After"]


def test_a_picture_that_cannot_be_decoded_gives_the_turn_back(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched, pytest.raises(Rejected):
        patched.setattr(intake, "_decoded", lambda *_: (_ for _ in ()).throw(limits.damaged("it is")))
        take(JPEG)
    monkeypatch.setattr(intake, "MAX_WAIT", 0.01)
    assert take(JPEG).width == 300


def test_a_lock_that_is_held_for_long_is_said_and_nothing_is_lost(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(client, ("kai.jpg", JPEG))
    picture = UploadedPicture.objects.get()
    monkeypatch.setattr(storage, "MAX_WAIT", 0.01)
    with (Path(storage.store().location) / "lock").open("a") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert bring(client, ("b.jpg", coded(painted(size=(90, 90))))).status_code == 503
        values = {
            "game": "spycraft",
            "card": "Kai",
            "side": "back",
            "turn": "90",
            "fit": "fill",
            "edge": "mirrored",
        }
        answer = client.post(reverse("picture", args=[picture.pk]), values)
        assert (answer.status_code, answer["Retry-After"]) == (503, "30")
        with pytest.raises(Refused) as caught, storage.locked():
            pass
        assert caught.value.headers == {"Retry-After": "30"}
    picture.refresh_from_db()
    assert (picture.turn, UploadedPicture.objects.count()) == (0, 1)


# -- everybody's together -----------------------------------------------------------


@pytest.mark.both_databases
def test_a_full_site_says_so_and_keeps_nothing(client: Client, settings: Any, picture_folder: Path) -> None:
    settings.CUTOUT_PICTURES_MEGABYTES = 0
    answer = bring(client, ("kai.jpg", JPEG))
    assert answer.status_code == 507 and "this site has no room left for pictures" in words(answer)
    assert stored_names(picture_folder) == [] and not UploadedPicture.objects.exists()


def test_a_file_of_two_owners_takes_room_once(client: Client, settings: Any) -> None:
    settings.CUTOUT_PICTURES_MEGABYTES = 1
    bring(client, ("kai.jpg", JPEG))
    left = MEGABYTE - UploadedPicture.objects.get().bytes
    bring(member(), ("mine.jpg", JPEG))
    assert fits_on_site(left) and not fits_on_site(left + 1)


def test_what_is_stored_already_needs_no_room(client: Client, settings: Any) -> None:
    bring(client, ("kai.jpg", JPEG))
    settings.CUTOUT_PICTURES_MEGABYTES = 0
    assert bring(member(), ("kai.jpg", JPEG)).status_code == 302


# -- many at once -------------------------------------------------------------------


def loose(owner: User, number: int) -> None:
    UploadedPicture.objects.bulk_create(
        UploadedPicture(
            owner=owner,
            game="spycraft",
            label=f"{n}.jpg",
            sha256="0" * 64,
            kind="jpeg",
            width=9,
            height=9,
            bytes=1,
        )
        for n in range(number)
    )


@pytest.mark.both_databases
def test_pictures_without_a_place_come_fifty_to_a_page_which_is_sent_whole() -> None:
    client = member()
    loose(User.objects.get(), 120)
    page = client.get(reverse("pictures"), {"page": 3})
    assert page.content.decode().count('name="side:') == 20
    pks = list(UploadedPicture.objects.values_list("pk", flat=True))[:50]
    cards = ["Kai", *[""] * 49]
    sent = {
        f"{name}:{pk}": value for pk, card in zip(pks, cards, strict=True) for name, value in _fields(card)
    }
    assert client.post(reverse("pictures_place"), sent).status_code == 302
    assert UploadedPicture.objects.exclude(side="").count() == 1


def _fields(card: str) -> tuple[tuple[str, str], ...]:
    return ("game", "spycraft"), ("card", card), ("side", "front" if card else "")


def test_a_form_of_too_many_fields_is_said_in_words() -> None:
    client = member()
    answer = client.post(reverse("pictures_place"), {f"side:{n}": "" for n in range(300)})
    assert answer.status_code == 413 and "200 fields" in words(answer)


def test_more_files_than_a_form_may_have_are_said_in_words(client: Client) -> None:
    files = [SimpleUploadedFile(f"{n}.jpg", b"x") for n in range(101)]
    answer = client.post(reverse("pictures"), {"game": "spycraft", "files": files})
    assert answer.status_code == 413 and f"at most {limits.MAX_UPLOAD_FILES} pictures" in words(answer)


def test_placing_nothing_says_what_to_do(client: Client) -> None:
    bring(client, ("IMG_1.jpg", JPEG))
    assert "choose front or back" in words(client.post(reverse("pictures_place"), {}, follow=True))
