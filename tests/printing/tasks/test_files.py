"""Files of stored jobs go: after a day, with their jobs, with their owners' accounts, also where no worker
comes by.
"""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from cardsdb.tasks.worker import work_off
from printing.models import PrintJob
from printing.tasks import files
from printing.tasks.files import sweep, sweep_now_and_then
from tests.support.print_jobs import folder, no_files_of_others, stored_job  # noqa: F401

FEW = {"text": "1 Kai", "copies": "1"}


def old(name: str) -> Path:
    """A file of the day before yesterday."""
    path = folder() / name
    path.write_bytes(b"old")
    then = (timezone.now() - timedelta(days=2)).timestamp()
    os.utime(path, (then, then))
    return path


@pytest.mark.parametrize("address", ["/print/jobs/", "/print/jobs/new"])
def test_files_go_also_where_no_worker_comes_by(
    client: Client, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_swept", [-1e9])
    path = old("a.pdf")
    if address.endswith("new"):
        stored_job(client, **FEW)
    else:
        client.get(address)
    assert not path.exists()
    again = old("b.pdf")
    client.get("/print/jobs/")
    assert again.exists(), "not at every page"


def test_half_a_file_goes_as_soon_as_nobody_writes_it_any_more() -> None:
    halves = {}
    for minutes in (5, 20):
        halves[minutes] = folder() / f"{minutes}.pdf.part"
        halves[minutes].write_bytes(b"half")
        then = (timezone.now() - timedelta(minutes=minutes)).timestamp()
        os.utime(halves[minutes], (then, then))
    sweep()
    assert {minutes: path.exists() for minutes, path in halves.items()} == {5: True, 20: False}


def test_a_sweep_takes_so_much_away_and_no_more(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_SWEPT", 2)
    monkeypatch.setattr(files, "_swept", [float("inf")])
    paths = [old(f"{number}.pdf") for number in range(3)]
    for _ in range(3):
        stored_job(client, **FEW)
        PrintJob.objects.update(state="cancelled")
    PrintJob.objects.update(made=timezone.now() - timedelta(days=8))
    sweep()
    assert (sum(path.exists() for path in paths), PrintJob.objects.count()) == (1, 1)
    sweep()
    assert (sum(path.exists() for path in paths), PrintJob.objects.count()) == (0, 0)


def test_a_file_that_another_sweep_takes_meanwhile_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_swept", [-1e9])
    (folder() / "gone.pdf").symlink_to(folder() / "nothing")
    sweep_now_and_then()


@pytest.mark.parametrize("how", ["row", "rows", "account"])
def test_a_file_goes_with_its_job_however_that_goes(
    client: Client, how: str, django_user_model: Any, django_capture_on_commit_callbacks: Any
) -> None:
    user = django_user_model.objects.create_user("somebody")
    client.force_login(user)
    row = stored_job(client, **FEW)
    work_off()
    files = [path for path in folder().iterdir() if path.suffix == ".pdf"]
    assert len(files) == 1
    with django_capture_on_commit_callbacks(execute=True):
        match how:
            case "row":
                PrintJob.objects.get(pk=row.pk).delete()
            case "rows":
                PrintJob.objects.all().delete()
            case _:
                user.delete()
    assert not files[0].exists() and not PrintJob.objects.exists()
