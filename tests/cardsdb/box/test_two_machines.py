"""Two machines that share only an object store and a database: pictures and backups. A journey through
``cardsdb/box``, ``cardsdb/storage``, ``cardsdb/operate`` and ``printing``. Further journeys, of waiting files
and jobs: ``tests/house/test_two_machines.py``.
"""

import io
from contextlib import closing
from pathlib import Path

import pytest
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.urls import reverse

from cardsdb.box import picture_store as storage
from cardsdb.models import UploadedPicture
from cardsdb.operate.backup import kept_files
from cardsdb.operate.restore import in_the_way, is_kept, put_back
from cardsdb.storage.object_store import Patience
from cardsdb.tasks.worker import work_off
from printing.models import PrintJob
from printing.tasks.jobs import JOBS
from tests.support.object_store import address_of, use_stores
from tests.support.pages import page_of
from tests.support.picture_pages import JPEG, OTHER, bring, only_picture
from tests.support.print_jobs import stored_job

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

SHEETS = "/print/sheets.pdf", {"game": "spycraft", "text": "1 Kai", "pictures": "yes"}


@pytest.fixture
def other(bucket, settings, tmp_path):
    """A function that continues the test as on another machine, with an empty data folder."""
    settings.VAR_DIR = tmp_path / "one"

    def machine() -> Path:
        settings.VAR_DIR = tmp_path / "other"
        settings.VAR_DIR.mkdir()
        return Path(settings.VAR_DIR)

    return machine


def names(store: str) -> list[str]:
    return [file.name for file in storages[store].files()]


def test_a_backup_reads_pictures_from_the_store_and_puts_them_back_into_it(client, other):
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


# -- while the store is away ------------------------------------------------------------


@pytest.fixture
def leave(other, settings):
    """A function that takes the store away."""
    return lambda: use_stores(settings, address_of("bucket", "127.0.0.1:9"), Patience(tries=1))


def test_while_the_store_is_away_pictures_are_neither_taken_in_nor_lost(client, leave):
    bring(client, ("kai.jpg", JPEG))
    picture = only_picture()
    leave()
    for answer in (
        client.get(reverse("picture_file", args=[picture.sha256])),
        client.get(reverse("picture_small", args=[picture.sha256])),
        bring(client, ("other.jpg", OTHER)),
        client.post(*SHEETS),
    ):
        assert "does not answer just now" in page_of(answer, status=503).text
        assert answer["Retry-After"] == "30"
    assert UploadedPicture.objects.count() == 1
    with pytest.raises(CommandError, match="does not answer"):
        call_command("sanity_check", stdout=io.StringIO())


@pytest.mark.both_databases
def test_while_the_store_is_away_a_job_is_tried_again_then_fails_with_the_reason_and_other_pages_go_on(
    client, leave
):
    row = stored_job(client, text="1 Kai", copies="1")
    leave()
    work_off()
    assert PrintJob.objects.get().state == "waiting"
    JOBS.recover()
    work_off()
    row = PrintJob.objects.get()
    assert row.state == "failed" and "does not answer just now" in row.error
    addresses = f"/print/jobs/{row.link}/", "/print/jobs/", "/"
    assert [client.get(address).status_code for address in addresses] == [200, 200, 200]
    again = client.post("/print/jobs/", {"game": "spycraft", "text": "1 Kai", "copies": "1"})
    assert again.status_code == 503
