"""Stored print jobs as tests ask for them."""

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
PAGES = 2 * -(-100 * 20 // 9)


def folder() -> Path:
    """The folder in which the files of jobs lie."""
    path = Path(store().location)
    path.mkdir(parents=True, exist_ok=True)
    return path


def waiting_folder() -> Path:
    """The folder in which files wait for their owner's word."""
    return Path(waiting.store().location)


def path_of(row: PrintJob) -> Path | None:
    """The finished file, as long as it is kept."""
    name = file_of(row)
    return folder() / name if name else None


@pytest.fixture(autouse=True)
def no_files_of_others(db):
    """In every module that imports it a test begins with an empty folder of jobs, and in a process that has
    swept and recovered nothing yet.
    """
    files._swept[0], jobs._recovered[0] = -files.SWEEP, -jobs.RECOVERY_INTERVAL
    for path in folder().iterdir():
        path.unlink()
    yield


def stored_job(client: Client, **fields: str) -> PrintJob:
    answer = client.post("/print/jobs/", BIG | fields)
    assert answer.status_code == 302, answer.content
    return PrintJob.objects.get(link=answer["Location"].split("/")[-2])


def claim() -> PrintJob | None:
    """The oldest job that waits, taken as by a worker on another machine, of which nothing is known here but
    what it says.
    """
    JOBS.recover()
    keys = JOBS.waiting().order_by("made", "pk").values_list("pk", flat=True)
    return JOBS.claim(keys[0], f"elsewhere:1:{new_key()[:8]}") if keys else None


def fresh(row: PrintJob) -> PrintJob:
    return PrintJob.objects.get(pk=row.pk)


def silence(row: PrintJob) -> None:
    """As if its worker had been killed a while ago, and nobody had looked since."""
    jobs._recovered[0] = -jobs.RECOVERY_INTERVAL
    PrintJob.objects.filter(pk=row.pk).update(heartbeat=timezone.now() - SILENT - timedelta(seconds=1))


def more_like(row: PrintJob, number: int, **values: Any) -> None:
    """So many more jobs as this one is, but for these columns."""
    columns = ("owner_id", "browser", "request", "sender", "state", "file", "size", "expires", "made")
    like = {name: getattr(row, name) for name in columns} | values
    PrintJob.objects.bulk_create(PrintJob(**like) for _ in range(number))
