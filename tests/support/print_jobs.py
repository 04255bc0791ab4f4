"""Store print jobs, act as a worker or as a dead one, and find the files of jobs."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from cardsdb.box import waiting
from cardsdb.identity.viewer import new_key
from printing.models import PrintJob
from printing.tasks import files, jobs
from printing.tasks.files import file_of, store
from printing.tasks.jobs import JOBS, SILENT

# A print so big that it becomes a job: 2,000 cards, nine on a sheet, on both sides of the paper.
BIG = {"game": "spycraft", "text": "50 Kai\n50 Li", "copies": "20", "backs": "long", "paper": "a4"}
PAGES = 2 * -(-100 * 20 // 9)


def folder() -> Path:
    """The folder of the files of jobs."""
    path = Path(store().location)
    path.mkdir(parents=True, exist_ok=True)
    return path


def waiting_folder() -> Path:
    """The folder of uploads that wait for their owner's decision."""
    return Path(waiting.store().location)


def path_of(row: PrintJob) -> Path | None:
    """The path of a job's finished file; None if there is none."""
    name = file_of(row)
    return folder() / name if name else None


@pytest.fixture(autouse=True)
def no_files_of_others(db):
    """Begin each test of a module that imports this with an empty folder of jobs, and as if this process had
    not yet swept files and recovered jobs.
    """
    files._swept[0], jobs._recovered[0] = -files.SWEEP, -jobs.RECOVERY_INTERVAL
    for path in folder().iterdir():
        path.unlink()
    yield


def stored_job(client: Client, **fields: str) -> PrintJob:
    """Ask for the print BIG, with these fields changed, and return its job."""
    answer = client.post("/print/jobs/", BIG | fields)
    assert answer.status_code == 302, answer.content
    return PrintJob.objects.get(link=answer["Location"].split("/")[-2])


def claim() -> PrintJob | None:
    """Claim the oldest waiting job as a worker on another machine, whose process cannot be seen from here."""
    JOBS.recover()
    keys = JOBS.waiting().order_by("made", "pk").values_list("pk", flat=True)
    return JOBS.claim(keys[0], f"elsewhere:1:{new_key()[:8]}") if keys else None


def fresh(row: PrintJob) -> PrintJob:
    """The job as it is stored now."""
    return PrintJob.objects.get(pk=row.pk)


def silence(row: PrintJob) -> None:
    """Make the job look as if its worker died a while ago, and let the next look at jobs recover it."""
    jobs._recovered[0] = -jobs.RECOVERY_INTERVAL
    PrintJob.objects.filter(pk=row.pk).update(heartbeat=timezone.now() - SILENT - timedelta(seconds=1))


def more_like(row: PrintJob, number: int, **values: Any) -> None:
    """Store this number of copies of a job, with these columns changed."""
    columns = ("owner_id", "browser", "request", "sender", "state", "file", "size", "expires", "made")
    like = {name: getattr(row, name) for name in columns} | values
    PrintJob.objects.bulk_create(PrintJob(**like) for _ in range(number))
