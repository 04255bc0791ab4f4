"""Deletion of the files of stored jobs: after a day, with their jobs, and with the accounts of their owners,
even on a site without a worker.
"""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from cardsdb.models import RowState
from cardsdb.tasks.worker import work_off
from printing.models import PrintJob
from printing.tasks.files import MAX_SWEPT, sweep, sweep_now_and_then
from tests.support.pages import page
from tests.support.print_jobs import folder, fresh, path_of, stored_job

FEW = {"text": "1 Kai", "copies": "1"}


def old(name: str, **ago: int) -> Path:
    """A file in the folder of jobs, written two days ago, or as long ago as ``timedelta(**ago)``."""
    path = folder() / name
    path.write_bytes(b"old")
    then = (timezone.now() - timedelta(**(ago or {"days": 2}))).timestamp()
    os.utime(path, (then, then))
    return path


def done(client: Client) -> tuple[PrintJob, Path]:
    """A finished job and its file."""
    row = stored_job(client, **FEW)
    work_off()
    return fresh(row), path_of(fresh(row))


@pytest.mark.parametrize(
    "ask", [lambda client: stored_job(client, **FEW), lambda client: client.get("/print/jobs/")]
)
def test_requests_for_jobs_delete_old_files_but_not_each_of_them(client, ask):
    path = old("a.pdf")
    ask(client)
    assert not path.exists()
    again = old("b.pdf")
    ask(client)
    assert again.exists()


def test_an_unfinished_file_is_deleted_once_it_stops_growing():
    growing, abandoned = old("a.pdf.part", minutes=14), old("b.pdf.part", minutes=16)
    sweep()
    assert growing.exists() and not abandoned.exists()


def old_rows(number: int) -> None:
    """Store this number of cancelled jobs of last week."""
    made = timezone.now() - timedelta(days=8)
    rows = (PrintJob(browser="e" * 64, state=RowState.CANCELLED, made=made) for _ in range(number))
    PrintJob.objects.bulk_create(rows)


def test_each_sweep_deletes_a_bounded_number_until_nothing_old_is_left_and_then_they_pause():
    old_rows(MAX_SWEPT + 1)
    paths = [old(f"{number}.pdf") for number in range(MAX_SWEPT + 1)]
    for left in (1, 0):
        sweep_now_and_then()
        assert (sum(path.exists() for path in paths), PrintJob.objects.count()) == (left, left)
    old_rows(1)
    sweep_now_and_then()
    assert PrintJob.objects.count() == 1


def test_a_file_that_another_sweep_deletes_meanwhile_is_no_error():
    # A broken link is listed by the folder but cannot be read, like a file that was just deleted.
    (folder() / "gone.pdf").symlink_to(folder() / "nothing")
    sweep_now_and_then()


@pytest.mark.parametrize(
    ("state", "days"), [(RowState.CANCELLED, 1), (RowState.FAILED, 1), (RowState.DONE, 7)]
)
def test_rows_are_deleted_after_a_week_or_without_a_file_after_a_day(client, state, days):
    row = stored_job(client, **FEW)
    for hours, is_kept in ((days * 24 - 1, True), (days * 24 + 1, False)):
        made = timezone.now() - timedelta(hours=hours)
        PrintJob.objects.filter(pk=row.pk).update(state=state, made=made, expires=made + timedelta(days=1))
        sweep()
        assert PrintJob.objects.filter(pk=row.pk).exists() == is_kept


def test_a_file_is_kept_for_a_day_and_deleted_once_its_page_says_so(client):
    row, path = done(client)
    sweep()
    assert path.exists()
    PrintJob.objects.filter(pk=row.pk).update(expires=timezone.now() - timedelta(seconds=1))
    assert client.get(f"/print/jobs/{row.link}/file/").status_code == 404
    assert "no longer kept" in page(client, f"/print/jobs/{row.link}/").text and not path.exists()


def test_a_finished_file_can_be_deleted_on_its_page_and_made_again(client):
    row, path = done(client)
    address = f"/print/jobs/{row.link}/"
    assert page(client, address).has("button", text="Delete this file")
    client.post(f"{address}cancel/")
    assert fresh(row).state == RowState.DONE and not path.exists()
    gone = page(client, address)
    assert gone.has("button", text="Make it again") and not gone.has("button", text="Delete this file")
    assert row.link not in client.post(f"{address}again/")["Location"]


@pytest.mark.parametrize("how", ["row", "rows", "account"])
def test_a_file_is_deleted_with_its_job_however_that_is_deleted(
    client, how, django_user_model, django_capture_on_commit_callbacks
):
    user = django_user_model.objects.create_user("somebody")
    client.force_login(user)
    row, path = done(client)
    to_delete = {"row": PrintJob.objects.get(pk=row.pk), "rows": PrintJob.objects.all(), "account": user}
    with django_capture_on_commit_callbacks(execute=True):
        to_delete[how].delete()
    assert not path.exists() and not PrintJob.objects.exists()
