"""Stored print jobs as tests ask for them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from printing.models import PrintJob
from printing.tasks.files import folder
from printing.tasks.jobs import SILENT

# 2,000 cards on both sides of the paper.
BIG = {"game": "spycraft", "text": "50 Kai\n50 Li", "copies": "20", "backs": "long", "paper": "a4"}
PAGES = 2 * -(-100 * 20 // 9)


@pytest.fixture(autouse=True)
def no_files_of_others(db: None) -> Iterator[None]:
    """In every module that imports it a test begins with an empty folder of jobs."""
    for path in folder().iterdir():
        path.unlink()
    yield


def stored_job(client: Client, **fields: str) -> PrintJob:
    answer = client.post("/print/jobs/", BIG | fields)
    assert answer.status_code == 302, answer.content
    return PrintJob.objects.get(link=answer["Location"].split("/")[-2])


def fresh(row: PrintJob) -> PrintJob:
    return PrintJob.objects.get(pk=row.pk)


def silence(row: PrintJob) -> None:
    """As if its worker had been killed a while ago."""
    PrintJob.objects.filter(pk=row.pk).update(heartbeat=timezone.now() - SILENT - timedelta(seconds=1))
