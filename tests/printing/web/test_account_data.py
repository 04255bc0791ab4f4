"""The print shop's part of an account: it is in the account's export, and deleted with the account."""

import io
import json
import tracemalloc
import zipfile

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from PIL import Image

from cardsdb.box.intake import take
from cardsdb.box.placing import add
from cardsdb.box.texts import box_of, save_text
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnText, UploadedPicture
from cardsdb.models.box import Place
from decks.accounts.kinds import account_files
from printing.models import PastPrint, PrinterCalibration
from tests.support.made_decks import named_deck
from tests.support.pages import page
from tests.support.pictures import CANARY, coded, painted, path_of, picture_with_notes, stored_names

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.usefixtures("own_folders")]
SPYCRAFT = games()["spycraft"]
PASSWORD = "a quiet field at noon"
KAI = Place("spycraft", "kai", "front")


def bring_everything(viewer: Viewer, words: str) -> UploadedPicture:
    """Store an own text, a choice, a printer and a picture for this account. Return the picture."""
    save_text(viewer, SPYCRAFT, "kai", words)
    box_of(viewer).ownchoices.create(game="spycraft", entry=words, card_code="kai")
    PrinterCalibration.objects.create(owner_id=viewer.user_id, name=words, paper="a4", x=250)
    scan = take(picture_with_notes("JPEG", picture=painted(size=(90 + len(words), 120))))
    return add(viewer, scan, "scan of kai.jpg", KAI, turn=90, edge="included", bleed=3_175)[0]


@pytest.fixture
def trent():
    """Another account with the same kinds of things."""
    other = Viewer(User.objects.create_user("Trent").pk)
    bring_everything(other, "Trent's own.")
    return other


def archive_of(viewer: Viewer) -> zipfile.ZipFile:
    """The export of an account."""
    archive = zipfile.ZipFile(io.BytesIO(b"".join(account_files(viewer.user_id))))
    assert archive.testzip() is None
    return archive


def test_the_export_has_everything_of_the_account_and_nothing_of_others(viewer, trent):
    """That no column of a row is missing is tested in tests/decks/accounts/test_kinds.py."""
    row = bring_everything(viewer, "Hers.")
    archive = archive_of(viewer)
    for name, field in (("texts", "text"), ("choices", "entry"), ("printers", "name")):
        assert [row[field] for row in json.loads(archive.read(f"{name}.json"))] == ["Hers."], name
    (listed,) = json.loads(archive.read("pictures.json"))
    assert listed["file"] == "pictures/001-spycraft-kai-front.jpg"
    columns = [listed[name] for name in ("label", "card_code", "turn", "bleed")]
    assert columns == ["scan of kai.jpg", "kai", 90, 3_175]
    stored = archive.read(listed["file"])
    assert stored == path_of(row.sha256).read_bytes() and CANARY not in stored
    assert [name for name in archive.namelist() if name.startswith("pictures/")] == [listed["file"]]
    assert "pictures.json" in archive.read("about.txt").decode()


def test_a_picture_whose_file_is_missing_is_listed_without_a_file(viewer):
    path_of(bring_everything(viewer, "Hers.").sha256).unlink()
    assert json.loads(archive_of(viewer).read("pictures.json"))[0]["file"] == ""


def test_the_export_has_one_picture_at_a_time_in_memory(viewer, own_folders):
    noise = Image.effect_noise((800, 800), 90)
    for turn in range(12):
        add(viewer, take(coded(noise.rotate(turn), "PNG", compress_level=1)), "x.png")
    size = sum(path.stat().st_size for path in own_folders.rglob("*") if path.is_file())
    tracemalloc.start()
    sent = sum(map(len, account_files(viewer.user_id)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sent > size and peak < size / 2


@pytest.mark.both_databases
def test_deleting_an_account_deletes_its_things_with_their_files(
    client, trent, own_folders, django_capture_on_commit_callbacks
):
    mallory = User.objects.create_user("Mallory", password=PASSWORD)
    client.force_login(mallory)
    bring_everything(Viewer(mallory.pk), "Hers.")
    client.get(f"/print/sheets.pdf?deck={named_deck(client, 'Dragons', '2 Kai').link}")
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    kinds = [kind.text for kind in page(client, reverse("account_delete")).one("dl").all("div")]
    assert {"Your pictures 1 picture", "Your words on cards 1 text", "Your printers 1 printer"} <= {*kinds}
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("account_delete"), {"sure": "yes"})
    for rows in (UploadedPicture, PrinterCalibration, OwnBox):
        assert [row.owner_id for row in rows.objects.all()] == [trent.user_id]
    assert OwnText.objects.count() == 1 and not PastPrint.objects.exists()
    assert len(stored_names(own_folders / "pictures")) == 1
