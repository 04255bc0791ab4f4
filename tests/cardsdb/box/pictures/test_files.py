"""The files of own pictures: named by their content alone, one for all owners, gone with the last, and looked
after.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from cardsdb.models import UploadedPicture
from decks.accounts.kinds import delete_user
from tests.support.picture_pages import JPEG, OTHER, bring, member, only_picture, words
from tests.support.pictures import CANARY, path_of, picture_folder, picture_with_notes, stored_names

__all__ = ["picture_folder"]

HOSTILE_NAMES = (
    "../../x.php",
    ".htaccess",
    "index.html",
    "x.svg",
    "a\x00b.jpg",
    "<script>alert(1)</script>.jpg",
    "C:\\con.jpg",
)
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_what_a_file_is_called_names_nothing_in_the_folder(
    client: Client, picture_folder: Path, name: str
) -> None:
    bring(client, (name, JPEG))
    assert stored_names(picture_folder) == [only_picture().sha256] and re.fullmatch(
        "[0-9a-f]{64}", only_picture().sha256
    )
    assert "<script>" not in client.get(reverse("pictures")).content.decode().replace(
        "<script src", ""
    ).replace("<script defer", "")


def test_the_stored_file_says_nothing_of_its_maker(client: Client, picture_folder: Path) -> None:
    bring(client, ("kai.jpg", picture_with_notes("JPEG")))
    assert all(CANARY not in path.read_bytes() for path in picture_folder.rglob("*") if path.is_file())


def test_a_picture_of_two_people_is_one_file_which_goes_with_the_last(
    picture_folder: Path, django_capture_on_commit_callbacks: Any
) -> None:
    ann, bob = member(), member("bob")
    for client in (ann, bob):
        bring(client, ("kai.jpg", JPEG))
    assert len(stored_names(picture_folder)) == 1
    first, second = UploadedPicture.objects.order_by("pk")
    for client, picture, left in ((ann, first, 1), (bob, second, 0)):
        with django_capture_on_commit_callbacks(execute=True):
            client.post(reverse("picture_delete", args=[picture.pk]))
        assert len(stored_names(picture_folder)) == left


def test_pictures_go_with_their_account(
    picture_folder: Path, django_capture_on_commit_callbacks: Any
) -> None:
    client = member()
    bring(client, ("kai.jpg", JPEG))
    client.get(reverse("picture_small", args=[only_picture().sha256]))
    assert len(stored_names(picture_folder)) == 2
    with django_capture_on_commit_callbacks(execute=True):
        delete_user(User.objects.get().pk)
    assert stored_names(picture_folder) == []


def test_there_is_a_bound_on_pictures_and_on_their_bytes(
    client: Client, picture_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardsdb.box.placing.MAX_PICTURES", 1)
    bring(client, ("kai.jpg", JPEG))
    assert "b.jpg: 1 picture came, but there is room for 0 more" in words(bring(client, ("b.jpg", OTHER)))
    monkeypatch.setattr("cardsdb.box.placing.MAX_PICTURES", 9)
    monkeypatch.setattr("cardsdb.box.placing.MAX_STORED", len(JPEG) + 10)
    assert "b.jpg: 0.0 MB are needed, but there is room for 0.0 MB more" in words(
        bring(client, ("b.jpg", OTHER))
    )
    assert UploadedPicture.objects.count() == len(stored_names(picture_folder)) == 1


def test_a_full_disk_is_said_and_leaves_nothing(
    client: Client, picture_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []

    def full(file: int) -> None:
        begun.extend(
            path.suffix for path in picture_folder.rglob("*") if path.stat().st_size and path.is_file()
        )
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("cardsdb.storage.contract.os.fsync", full)
    answer = bring(client, ("kai.jpg", JPEG))
    assert answer.status_code == 507 and "has no room" in words(answer) and begun == [".part"]
    assert stored_names(picture_folder) == [] and not UploadedPicture.objects.exists()


def test_a_row_that_cannot_be_written_leaves_no_file(
    client: Client, picture_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "cardsdb.box.placing._make_room",
        lambda *_: (_ for _ in ()).throw(RuntimeError("the database is gone")),
    )
    with pytest.raises(RuntimeError):
        bring(client, ("kai.jpg", JPEG))
    assert stored_names(picture_folder) == []


def test_a_sound_folder_is_said_to_be_sound(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    bring(client, ("kai.jpg", JPEG))
    call_command("sanity_check")
    assert "Nothing is wrong" in capsys.readouterr().out


@pytest.mark.both_databases
@pytest.mark.parametrize("harm", ["missing", "altered", "orphaned", "stray"])
def test_a_harmed_folder_is_found_and_mended_where_it_can_be(
    client: Client, picture_folder: Path, harm: str, capsys: Any
) -> None:
    bring(client, ("kai.jpg", JPEG))
    path = path_of(only_picture().sha256)
    match harm:
        case "missing":
            path.unlink()
        case "altered":
            path.write_bytes(JPEG[:-100])
        case "orphaned":
            UploadedPicture.objects.all()._raw_delete(using="default")  # type: ignore[attr-defined]
        case "stray":
            shutil.copy(path, path.with_name("unfinished.x"))
    with pytest.raises(CommandError):
        call_command("sanity_check")
    assert harm in capsys.readouterr().out
    with pytest.raises(CommandError) if harm in ("missing", "altered") else _nothing():
        call_command("sanity_check", fix=True)
    left = UploadedPicture.objects.count(), len(stored_names(picture_folder))
    assert left == {"missing": (1, 0), "altered": (1, 1), "orphaned": (0, 0), "stray": (1, 1)}[harm]


def test_half_a_picture_of_a_process_that_died_is_found_and_removed_when_it_is_old(
    picture_folder: Path, capsys: Any
) -> None:
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


class _nothing:
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...
