"""Pictures, files that wait and files of jobs in an object store: two machines with nothing in common but it
and a database.
"""

from __future__ import annotations

import io
import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from cardsdb.box import picture_store as storage
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.models import OwnText, UploadedPicture
from cardsdb.operate.backup import kept_files
from cardsdb.operate.restore import in_the_way, is_kept, put_back
from cardsdb.storage import object_store
from cardsdb.tasks.worker import work_off
from printing.models import PrintJob
from printing.tasks.jobs import JOBS
from printing.web import own_views
from tests.support.object_store import address_of, use_stores
from tests.support.packages import octgn_set, zipped
from tests.support.picture_pages import JPEG, bring, only_picture, words
from tests.support.pictures import coded, painted, see_through
from tests.support.print_jobs import stored_job

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

SEE_THROUGH = coded(see_through(), "WEBP", lossless=True)


@pytest.fixture
def other(bucket: str, settings: Any, tmp_path: Path) -> Any:
    """Called, the site goes on as on another machine, with an empty data folder."""
    settings.VAR_DIR = tmp_path / "one"

    def machine() -> Path:
        settings.VAR_DIR = tmp_path / "other"
        settings.VAR_DIR.mkdir()
        return Path(settings.VAR_DIR)

    return machine


def names(store: str) -> list[str]:
    return [file.name for file in storages[store].files()]  # type: ignore[attr-defined]


def test_a_picture_brought_to_one_machine_is_shown_and_printed_by_another(client: Client, other: Any) -> None:
    bring(client, ("kai.jpg", JPEG))
    picture, folder = only_picture(), other()
    assert client.get(reverse("picture_file", args=[picture.sha256])).content == JPEG
    assert client.get(reverse("picture_small", args=[picture.sha256])).content[8:12] == b"WEBP"
    answer = client.post("/print/sheets.pdf", {"game": "spycraft", "text": "1 Kai", "pictures": "yes"})
    assert answer.status_code == 200 and JPEG in b"".join(answer)
    assert [path for path in folder.rglob("*") if path.is_file()] == []
    assert names("pictures") == [f"{picture.sha256[:2]}/{picture.sha256}{part}" for part in ("", ".small")]


def test_a_picture_goes_with_all_that_was_made_of_it(
    client: Client, other: Any, django_capture_on_commit_callbacks: Any
) -> None:
    bring(client, ("kai.webp", SEE_THROUGH))
    picture = only_picture()
    client.get(reverse("picture_small", args=[picture.sha256]))
    assert len(names("pictures")) == 4
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("picture_delete", args=[picture.pk]))
    assert names("pictures") == []


def test_a_job_made_by_one_machine_is_fetched_from_another(client: Client, other: Any) -> None:
    row = stored_job(client, text="1 Kai", copies="1")
    work_off()
    other()
    answer = client.get(f"/print/jobs/{row.link}/file/")
    content = b"".join(answer.streaming_content)
    assert (
        content.startswith(b"%PDF")
        and int(answer["Content-Length"]) == len(content) == PrintJob.objects.get().size
    )
    assert (
        answer["Cache-Control"] == "private, no-store"
        and Client().get(f"/print/jobs/{row.link}/file/").status_code == 404
    )
    client.post(f"/print/jobs/{row.link}/cancel/")
    assert names("jobs") == []


def test_a_file_that_waits_is_taken_in_by_another_machine(client: Client, other: Any) -> None:
    card = next(card for card in games()["spycraft"].cards if card.facts.get("octgn_id"))
    package = zipped({"Sets/One/set.xml": octgn_set([(card, "Zeppelin.")])})
    seen = client.post("/own/", {"file": SimpleUploadedFile("spy.o8g", package)}).content.decode()
    assert "1 would be added" in seen and len(names("waiting")) == 1
    other()
    token = re.search(r'name="token" value="([^"]+)"', seen)
    assert token
    client.post("/own/add/", {"token": token[1], "game": "spycraft", "do": "add"})
    assert OwnText.objects.get().text == "Zeppelin." and names("waiting") == []


def test_files_of_one_beginning_are_asked_for_together(bucket: str) -> None:
    there, gone = (["ab" + f"{number:062x}" for number in numbers] for numbers in (range(20), range(20, 40)))
    alone = "cd" + "0" * 62
    for sha256 in (*there, alone):
        storage.keep(sha256, {"": b"a"})
    storage.keep(gone[0], {"small": b"b"})
    asked, client = list[str](), storages["pictures"].client
    client.meta.events.register(
        "before-call.s3", lambda model, **of: asked.append(model.name), unique_id="asked"
    )
    try:
        assert storage.lacking([*there, *gone, alone]) == set(gone)
    finally:
        client.meta.events.unregister("before-call.s3", unique_id="asked")
    assert asked == ["ListObjectsV2", "ListObjectsV2"]


def test_a_large_file_that_waits_is_not_fetched_to_learn_its_size(
    client: Client, bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_views, "MAX_AT_ONCE", 10)
    monkeypatch.setattr(object_store.ObjectStore, "_open", lambda *of: pytest.fail("it was fetched"))
    answer = client.post("/own/", {"file": SimpleUploadedFile("cards.csv", b"name,text\nKai,Zeppelin.\n")})
    assert answer.status_code == 302 and PrintJob.objects.get().request["title"] == "Looking at cards.csv"


@pytest.mark.both_databases
@pytest.mark.engine("postgresql")
@pytest.mark.django_db(transaction=True)
def test_machines_without_a_common_folder_add_pictures_one_after_the_other(
    bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "MAX_WAIT", 0.01)
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


def test_what_is_harmed_in_the_store_is_found_and_mended_where_it_can_be(client: Client, other: Any) -> None:
    bring(client, ("kai.jpg", JPEG))
    pictures: Any = storages["pictures"]
    with pytest.raises(CommandError):
        pictures.save(f"ab/{'ab' * 32}", ContentFile(b"nobody's"))
        call_command("sanity_check", stdout=(said := io.StringIO()))
    assert said.getvalue().count("an orphaned file") == 1
    call_command("sanity_check", fix=True, stdout=io.StringIO())
    sha256 = only_picture().sha256
    pictures.save(f"{sha256[:2]}/{sha256}", ContentFile(b"altered"))
    with pytest.raises(CommandError):
        call_command("sanity_check", stdout=(said := io.StringIO()))
    assert "altered" in said.getvalue() and len(names("pictures")) == 1


def test_a_backup_reads_pictures_from_the_store_and_puts_them_back_into_it(
    client: Client, other: Any
) -> None:
    bring(client, ("kai.jpg", JPEG))
    client.get(reverse("picture_small", args=[only_picture().sha256]))
    name = names("pictures")[0]
    ((kept, opened),) = kept_files()
    with closing(opened()) as file:
        assert (kept, file.read()) == (f"pictures/{name}", JPEG)
    assert in_the_way() == ["The bucket of STORAGE_URL"]
    for stored in names("pictures"):
        storages["pictures"].delete(stored)
    assert in_the_way() == [] and is_kept(kept) and not is_kept("pictures/../secret_key")
    put_back(kept, io.BytesIO(JPEG))
    assert storage.read(only_picture().sha256) == JPEG and list(other().rglob("*")) == []


# -- away -------------------------------------------------------------------------------


@pytest.fixture
def away(other: Any, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Called, the store is away."""

    monkeypatch.setattr(object_store, "TRIES", 1)

    def leave() -> None:
        use_stores(settings, address_of("bucket", "127.0.0.1:9"))

    return leave


def test_while_the_store_is_away_pictures_are_neither_taken_in_nor_lost(client: Client, away: Any) -> None:
    bring(client, ("kai.jpg", JPEG))
    picture = only_picture()
    away()
    for address in ("picture_file", "picture_small"):
        answer = client.get(reverse(address, args=[picture.sha256]))
        assert (answer.status_code, answer["Retry-After"]) == (
            503,
            "30",
        ) and "does not answer just now" in words(answer)
    assert bring(client, ("other.jpg", coded(painted(size=(90, 90))))).status_code == 503
    answer = client.post("/print/sheets.pdf", {"game": "spycraft", "text": "1 Kai", "pictures": "yes"})
    assert answer.status_code == 503 and "does not answer just now" in words(answer)
    assert UploadedPicture.objects.count() == 1
    with pytest.raises(CommandError, match="does not answer"):
        call_command("sanity_check", stdout=io.StringIO())


@pytest.mark.both_databases
def test_while_the_store_is_away_a_job_is_tried_again_then_fails_with_the_reason_and_other_pages_go_on(
    client: Client, away: Any
) -> None:
    row = stored_job(client, text="1 Kai", copies="1")
    away()
    work_off()
    assert PrintJob.objects.get().state == "waiting"
    JOBS.recover()
    work_off()
    row = PrintJob.objects.get()
    assert row.state == "failed" and "does not answer just now" in row.error
    assert (
        client.get(f"/print/jobs/{row.link}/").status_code
        == client.get("/print/jobs/").status_code
        == client.get("/").status_code
        == 200
    )
    assert (
        client.post("/print/jobs/", {"game": "spycraft", "text": "1 Kai", "copies": "1"}).status_code == 503
    )
