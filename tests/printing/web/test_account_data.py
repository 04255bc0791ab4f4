"""What an account has of printing is in its export, and goes with it."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from PIL import Image

from cardsdb.box import picture_store as storage
from cardsdb.box.intake import take
from cardsdb.box.placing import add
from cardsdb.box.texts import box_of, save_text
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnText, UploadedPicture
from decks.accounts.kinds import account_files
from printing.models import PrinterCalibration
from tests.support.pages import page
from tests.support.pictures import (
    CANARY,
    coded,
    painted,
    path_of,
    picture_folder,
    picture_with_notes,
    stored_names,
)

__all__ = ["picture_folder"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
PASSWORD = "a quiet field at noon"


@pytest.fixture
def mallory(client: Client) -> User:
    user = User.objects.create_user("Mallory", password=PASSWORD)
    client.force_login(user)
    return user


def picture_of(user: User) -> UploadedPicture:
    """A picture, words on a card and a printer of this user."""
    save_text(Viewer(user.pk), games()["spycraft"], "kai", "Hers alone.")
    PrinterCalibration.objects.create(owner=user, name="In the cellar", paper="a4", x=250)
    place = ("spycraft", "kai", "front")
    return add(
        Viewer(user.pk),
        take(picture_with_notes("JPEG")),
        "scan of kai.jpg",
        place,
        turn=90,
        edge="included",
        bleed=3_175,
    )[0]


def archive_of(user: User) -> zipfile.ZipFile:
    archive = zipfile.ZipFile(io.BytesIO(b"".join(account_files(user.pk))))
    assert archive.testzip() is None
    return archive


def test_the_export_has_pictures_words_and_printers_and_nobody_elses(mallory: User) -> None:
    picture_of(mallory)
    trent = User.objects.create_user("Trent")
    save_text(Viewer(trent.pk), games()["spycraft"], "kai", "Trent's.")
    add(Viewer(trent.pk), take(coded(painted(size=(90, 90)))), "trent.jpg")
    box_of(Viewer(trent.pk)).ownchoices.create(game="spycraft", entry="trent's", card_code="kai")
    box_of(Viewer(mallory.pk)).ownchoices.create(game="spycraft", entry="hers", card_code="kai")
    archive = archive_of(mallory)
    (listed,) = json.loads(archive.read("pictures.json"))
    assert listed["file"] == "pictures/001-spycraft-kai-front.jpg"
    assert (listed["label"], listed["card_code"], listed["turn"], listed["bleed"]) == (
        "scan of kai.jpg",
        "kai",
        90,
        3_175,
    )
    stored = archive.read(listed["file"])
    assert stored == take(picture_with_notes("JPEG")).data and CANARY not in stored
    assert [text["text"] for text in json.loads(archive.read("texts.json"))] == ["Hers alone."]
    assert [choice["entry"] for choice in json.loads(archive.read("choices.json"))] == ["hers"]
    assert [printer["name"] for printer in json.loads(archive.read("printers.json"))] == ["In the cellar"]
    assert [name for name in archive.namelist() if name.startswith("pictures/")] == [listed["file"]]
    assert "pictures.json" in archive.read("about.txt").decode()


def test_a_picture_whose_file_is_lost_is_listed_without_it(mallory: User) -> None:
    path_of(picture_of(mallory).sha256).unlink()
    archive = archive_of(mallory)
    assert json.loads(archive.read("pictures.json"))[0]["file"] == ""
    assert not [name for name in archive.namelist() if name.startswith("pictures/")]


def test_the_export_holds_one_picture_at_a_time(mallory: User) -> None:
    noise = Image.effect_noise((800, 800), 90)
    for turn in range(12):
        add(Viewer(mallory.pk), take(coded(noise.rotate(turn), "PNG", compress_level=1)), "x.png")
    size = sum(path.stat().st_size for path in Path(storage.store().location).rglob("*") if path.is_file())
    tracemalloc.start()
    sent = sum(map(len, account_files(mallory.pk)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sent > size and peak < size / 2


@pytest.mark.both_databases
def test_deleting_the_account_says_so_and_takes_them_with_their_files(
    client: Client, mallory: User, picture_folder: Path, django_capture_on_commit_callbacks: Any
) -> None:
    picture_of(mallory)
    trent = User.objects.create_user("Trent")
    add(Viewer(trent.pk), take(coded(painted(size=(90, 90)))), "trent.jpg")
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    kinds = [kind.text for kind in page(client, reverse("account_delete")).one("dl").all("div")]
    assert {"Your pictures 1 picture", "Your words on cards 1 text", "Your printers 1 printer"} <= {*kinds}
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("account_delete"), {"sure": "yes"})
    assert [picture.owner for picture in UploadedPicture.objects.all()] == [trent]
    assert len(stored_names(picture_folder)) == 1
    assert (
        not OwnText.objects.exists()
        and not OwnBox.objects.exists()
        and not PrinterCalibration.objects.exists()
    )
