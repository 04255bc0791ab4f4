"""Picture files: stored once by content, deleted with their last owner, checked and repaired; and small
copies made by a worker.
"""

import os
import shutil
from contextlib import nullcontext
from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from PIL import Image

from cardsdb.box import intake
from cardsdb.box import picture_store as storage
from cardsdb.box.intake import take
from cardsdb.box.placing import add
from cardsdb.faults import Refused
from cardsdb.identity.viewer import Viewer
from cardsdb.models import UploadedPicture
from cardsdb.tasks.worker import work_off
from decks.accounts.kinds import delete_user
from tests.support.accounts import member
from tests.support.pages import page, page_of
from tests.support.picture_pages import JPEG, OTHER, bring, only_picture
from tests.support.pictures import (
    CANARY,
    coded,
    painted,
    path_of,
    picture_with_notes,
    profile,
    stored_names,
)

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
ANN = Viewer(browser="ann's")
HOSTILE_NAMES = (
    "../../x.php",
    ".htaccess",
    "index.html",
    "x.svg",
    "a\x00b.jpg",
    "<script>alert(1)</script>.jpg",
    "C:\\con.jpg",
)


def small(client: Client, sha256: str) -> Any:
    return client.get(reverse("picture_small", args=[sha256]))


# -- one file for each content ---------------------------------------------------------


def test_a_stored_file_never_has_the_name_that_a_visitor_gave_it(client, picture_folder):
    bring(client, *((name, JPEG) for name in HOSTILE_NAMES))
    assert stored_names(picture_folder) == [only_picture().sha256]
    scripts = page(client, reverse("pictures")).all("script", src=False)
    assert not any("alert(1)" in script.text for script in scripts)


def test_a_picture_of_two_people_is_one_file_which_goes_with_the_last(
    picture_folder, django_capture_on_commit_callbacks
):
    ann, bob = member(), member("bob")
    for client in (ann, bob):
        bring(client, ("kai.jpg", JPEG))
    assert small(ann, UploadedPicture.objects.first().sha256).status_code == 200
    assert len(stored_names(picture_folder)) == 2
    with django_capture_on_commit_callbacks(execute=True):
        ann.post(reverse("picture_delete", args=[UploadedPicture.objects.earliest("pk").pk]))
    assert len(stored_names(picture_folder)) == 2
    with django_capture_on_commit_callbacks(execute=True):
        delete_user(User.objects.get(username="bob").pk)
    assert stored_names(picture_folder) == [] and not UploadedPicture.objects.exists()


# -- a machine that is busy or full ----------------------------------------------------


def test_a_busy_machine_answers_with_retry_after_and_keeps_nothing(client, picture_folder, impatient):
    bring(client, ("kai.jpg", JPEG))
    with intake.decoding():
        answer = bring(client, ("other.jpg", OTHER))
        copy = small(client, only_picture().sha256)
    assert "Try again in a minute" in page_of(answer, status=503).text and answer["Retry-After"] == "30"
    assert (copy.status_code, copy["Retry-After"]) == (503, "30")
    assert stored_names(picture_folder) == [only_picture().sha256]


def test_a_lock_held_for_too_long_is_refused_and_nothing_is_lost(client, impatient):
    bring(client, ("kai.jpg", JPEG))
    address = reverse("picture", args=[only_picture().pk])
    shape = {"turn": "90", "fit": "fill", "edge": "mirrored"}
    with storage.locked():
        answers = [
            bring(client, ("b.jpg", OTHER)),
            client.post(address, {"game": "spycraft", "card": "Kai", "side": "back", **shape}),
        ]
        # Neither can the browser's pictures move to an account.
        client.force_login(User.objects.create_user("ann"))
        answers.append(client.post(reverse("account_take"), {"kind": "pictures"}))
    for answer in answers:
        assert "Nothing was changed" in page_of(answer, status=503).text and answer["Retry-After"] == "30"
    assert (only_picture().turn, only_picture().side, only_picture().owner) == (0, "front", None)


def test_a_full_disk_is_reported_and_leaves_nothing(client, picture_folder, full_disk):
    assert "has no room" in page_of(bring(client, ("kai.jpg", JPEG)), status=507).text
    assert stored_names(picture_folder) == [] and not UploadedPicture.objects.exists()


@pytest.mark.both_databases
@pytest.mark.engine("postgresql")
@pytest.mark.django_db(transaction=True)
def test_machines_that_share_only_a_database_add_pictures_one_after_the_other(bucket, impatient):
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [storage.LOCK])
            with pytest.raises(Refused) as caught, storage.locked():
                pass
            cursor.execute("COMMIT")
    finally:
        other.close()
    assert caught.value.status == 503
    with storage.locked():
        pass


# -- checking and repairing ------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("harm", "left"),
    [
        ("missing", (1, 0)),
        ("altered", (1, 1)),
        ("orphaned", (0, 0)),
        ("stray", (1, 1)),
    ],
)
def test_a_damaged_folder_is_reported_and_repaired_where_possible(client, picture_folder, harm, left, capsys):
    bring(client, ("kai.jpg", JPEG))
    call_command("sanity_check")
    assert "Nothing is wrong" in capsys.readouterr().out
    path = path_of(only_picture().sha256)
    match harm:
        case "missing":
            path.unlink()
        case "altered":
            path.write_bytes(JPEG[:-100])
        case "orphaned":
            UploadedPicture.objects.all()._raw_delete(using="default")
        case "stray":
            shutil.copy(path, path.with_name("unfinished.x"))
    with pytest.raises(CommandError):
        call_command("sanity_check")
    assert harm in capsys.readouterr().out
    with pytest.raises(CommandError) if harm in ("missing", "altered") else nullcontext():
        call_command("sanity_check", fix=True)
    assert (UploadedPicture.objects.count(), len(stored_names(picture_folder))) == left


def test_an_old_half_written_picture_is_reported_and_removed(picture_folder, capsys):
    half = picture_folder / "ab" / f"{'ab' * 32}.0a0b.part"
    half.parent.mkdir(parents=True)
    half.write_bytes(JPEG[:100])
    call_command("sanity_check", fix=True)
    assert half.exists()
    os.utime(half, (0, 0))
    with pytest.raises(CommandError):
        call_command("sanity_check")
    assert f"pictures/ab/{half.name}: a stray file, half of one" in capsys.readouterr().out
    call_command("sanity_check", fix=True)
    assert not half.exists()


def test_files_whose_names_begin_alike_are_asked_for_together(asked):
    there, gone = (["ab" + f"{number:062x}" for number in numbers] for numbers in (range(3), range(3, 6)))
    alone = "cd" + "0" * 62
    for sha256 in (*there, alone):
        storage.keep(sha256, {"": b"a"})
    storage.keep(gone[0], {"small": b"b"})
    asked.clear()
    assert storage.lacking([*there, *gone, alone]) == set(gone)
    assert asked == ["ListObjectsV2", "ListObjectsV2"]


# -- small copies ----------------------------------------------------------------------


def with_copy(pictures: list[str]) -> list[bool]:
    return [storage.has(picture, "small") for picture in pictures]


def test_a_worker_makes_small_copies_and_a_page_that_comes_first_makes_its_own(client):
    bring(client, *((f"{side}.jpg", coded(painted(size=(side, 42)))) for side in (30, 31, 32)))
    pictures = list(UploadedPicture.objects.order_by("-pk").values_list("sha256", flat=True))
    assert with_copy(pictures) == [False] * 3
    assert small(client, pictures[1])["Content-Type"] == "image/webp"
    assert with_copy(pictures) == [False, True, False]
    path_of(pictures[2]).unlink()
    # A failure stops no other copy.
    assert work_off() == 1 and with_copy(pictures) == [True, True, False]


def stored_of(owner: Viewer, number: int) -> list[str]:
    """Store so many pictures of this owner; return their hashes, oldest first."""
    taken = (take(coded(painted(size=(9, 9 + height)), "PNG")) for height in range(number))
    return [add(owner, picture, "one.png")[0].sha256 for picture in taken]


def test_many_small_copies_are_made_in_batches_for_their_owner_alone(monkeypatch):
    monkeypatch.setattr(storage, "BATCH", 2)
    add(Viewer(browser="bob's"), take(JPEG), "theirs.jpg")
    mine = stored_of(ANN, 3)
    storage.queue_small_copies(ANN)
    assert work_off() == 2 and with_copy([*mine, take(JPEG).sha256]) == [True, True, True, False]


def test_the_worker_stops_after_a_run_of_pictures_that_have_their_copy(monkeypatch):
    monkeypatch.setattr(storage, "ENOUGH", 2)
    pictures = stored_of(ANN, 4)
    for sha256 in pictures[1:3]:
        storage.keep(sha256, {"small": b"made"})
    storage.queue_small_copies(ANN)
    work_off()
    assert with_copy(pictures) == [False, True, True, True]
    # A copy that is lacking ends the run, so older pictures are checked as well.
    path_of(pictures[2], "small").unlink()
    storage.queue_small_copies(ANN)
    work_off()
    assert with_copy(pictures) == [True] * 4


def test_a_small_copy_has_neither_notes_nor_profile(client):
    bring(client, ("kai.png", picture_with_notes("PNG", icc_profile=profile())))
    content = small(client, only_picture().sha256).content
    with Image.open(BytesIO(content)) as copy:
        assert copy.format == "WEBP" and max(copy.size) == storage.SMALL and "icc_profile" not in copy.info
    assert CANARY not in content
