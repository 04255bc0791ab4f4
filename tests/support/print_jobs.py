"""Print jobs in the database and their files: asked for, claimed by a worker, or abandoned by one."""

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

# 2,000 cards on both sides of the paper.
BIG = {"game": "spycraft", "text": "50 Kai\n50 Li", "copies": "20", "backs": "long", "paper": "a4"}
# Nine cards a page, rounded up, on two sides.
PAGES = 2 * -(-100 * 20 // 9)


def folder() -> Path:
    """Return the folder that holds the files of jobs, created if needed."""
    path = Path(store().location)
    path.mkdir(parents=True, exist_ok=True)
    return path


def waiting_folder() -> Path:
    """Return the folder that holds uploaded files until their owner accepts them."""
    return Path(waiting.store().location)


def path_of(row: PrintJob) -> Path | None:
    """Return the path of the job's finished file, or None if it is not kept."""
    name = file_of(row)
    return folder() / name if name else None


@pytest.fixture(autouse=True)
def no_files_of_others(db):
    """Empty the folder of jobs, and forget when it was last swept, before each test of a module that imports
    this.
    """
    files._swept[0], jobs._recovered[0] = -files.SWEEP, -jobs.RECOVERY_INTERVAL
    for path in folder().iterdir():
        path.unlink()
    yield


def stored_job(client: Client, **fields: str) -> PrintJob:
    """Ask for a big print, with changed fields, and return the job."""
    answer = client.post("/print/jobs/", BIG | fields)
    assert answer.status_code == 302, answer.content
    return PrintJob.objects.get(link=answer["Location"].split("/")[-2])


def claim() -> PrintJob | None:
    """Take the oldest waiting job as a worker on another machine would; None if no job waits."""
    JOBS.recover()
    keys = JOBS.waiting().order_by("made", "pk").values_list("pk", flat=True)
    return JOBS.claim(keys[0], f"elsewhere:1:{new_key()[:8]}") if keys else None


def fresh(row: PrintJob) -> PrintJob:
    """Return the row as the database has it now."""
    return PrintJob.objects.get(pk=row.pk)


def silence(row: PrintJob) -> None:
    """Make the job look as if its worker was killed a while ago."""
    jobs._recovered[0] = -jobs.RECOVERY_INTERVAL
    PrintJob.objects.filter(pk=row.pk).update(heartbeat=timezone.now() - SILENT - timedelta(seconds=1))


def more_like(row: PrintJob, number: int, **values: Any) -> None:
    """Store this many copies of the job, with some columns changed."""
    columns = ("owner_id", "browser", "request", "sender", "state", "file", "size", "expires", "made")
    like = {name: getattr(row, name) for name in columns} | values
    PrintJob.objects.bulk_create(PrintJob(**like) for _ in range(number))
