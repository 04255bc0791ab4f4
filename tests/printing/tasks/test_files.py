"""Files of stored jobs go: after a day, with their jobs, with their owners' accounts, also where no worker
comes by.
"""

from __future__ import annotations

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
from tests.support.print_jobs import (  # noqa: F401
    folder,
    fresh,
    no_files_of_others,
    path_of,
    stored_job,
)

FEW = {"text": "1 Kai", "copies": "1"}


def old(name: str, **ago: int) -> Path:
    """A file of the day before yesterday, or of so long ago."""
    path = folder() / name
    path.write_bytes(b"old")
    then = (timezone.now() - timedelta(**(ago or {"days": 2}))).timestamp()
    os.utime(path, (then, then))
    return path


def done(client: Client) -> tuple[PrintJob, Path]:
    """A finished job and its file."""
    row = stored_job(client, **FEW)
    work_off()
    path = path_of(fresh(row))
    assert path
    return fresh(row), path


@pytest.mark.parametrize("asks", [False, True])
def test_files_go_also_where_no_worker_comes_by(client, asks):
    path = old("a.pdf")
    if asks:
        stored_job(client, **FEW)
    else:
        client.get("/print/jobs/")
    assert not path.exists()
    again = old("b.pdf")
    client.get("/print/jobs/")
    assert again.exists(), "not at every page"


def test_half_a_file_goes_as_soon_as_nobody_writes_it_any_more():
    young, left = old("a.pdf.part", minutes=14), old("b.pdf.part", minutes=16)
    sweep()
    assert young.exists() and not left.exists()


def old_rows(number: int) -> None:
    """So many jobs of last week that came to nothing."""
    made = timezone.now() - timedelta(days=8)
    rows = (PrintJob(browser="e" * 64, state=RowState.CANCELLED, made=made) for _ in range(number))
    PrintJob.objects.bulk_create(rows)


def test_a_sweep_takes_so_much_away_and_no_more():
    old_rows(MAX_SWEPT + 1)
    paths = [old(f"{number}.pdf") for number in range(MAX_SWEPT + 1)]
    for left in (1, 0):
        assert sweep() == bool(left)
        assert (sum(path.exists() for path in paths), PrintJob.objects.count()) == (left, left)


def test_sweeps_follow_each_other_until_nothing_old_is_left_and_then_are_not_done_at_every_page():
    old_rows(MAX_SWEPT + 1)
    for left in (1, 0):
        sweep_now_and_then()
        assert PrintJob.objects.count() == left
    old_rows(1)
    sweep_now_and_then()
    assert PrintJob.objects.count() == 1


def test_a_file_that_another_sweep_takes_meanwhile_is_no_error():
    (folder() / "gone.pdf").symlink_to(folder() / "nothing")
    sweep_now_and_then()


@pytest.mark.parametrize(
    ("state", "days"), [(RowState.CANCELLED, 1), (RowState.FAILED, 1), (RowState.DONE, 7)]
)
def test_what_came_to_nothing_is_forgotten_after_a_day_and_any_job_after_a_week(client, state, days):
    row = stored_job(client, **FEW)
    for passed, there in ((days * 24 - 1, True), (days * 24 + 1, False)):
        made = timezone.now() - timedelta(hours=passed)
        PrintJob.objects.filter(pk=row.pk).update(state=state, made=made, expires=made + timedelta(days=1))
        sweep()
        assert PrintJob.objects.filter(pk=row.pk).exists() == there


def test_a_file_is_kept_for_a_day_and_what_the_page_says_is_gone_is_gone(client):
    row, path = done(client)
    sweep()
    assert path.exists()
    PrintJob.objects.filter(pk=row.pk).update(expires=timezone.now() - timedelta(seconds=1))
    assert client.get(f"/print/jobs/{row.link}/file/").status_code == 404
    assert "no longer kept" in page(client, f"/print/jobs/{row.link}/").text and not path.exists()


def test_a_finished_file_is_deleted_from_its_page_and_made_again(client):
    row, path = done(client)
    assert page(client, f"/print/jobs/{row.link}/").has("button", text="Delete this file")
    assert client.post(f"/print/jobs/{row.link}/cancel/").status_code == 302
    assert fresh(row).state == RowState.DONE and not path.exists()
    gone = page(client, f"/print/jobs/{row.link}/")
    assert "The file is no longer kept" in gone.text and gone.has("button", text="Make it again")
    assert not gone.has("button", text="Delete this file")
    assert client.get(f"/print/jobs/{row.link}/file/").status_code == 404
    again = client.post(f"/print/jobs/{row.link}/again/")
    assert again.status_code == 302 and row.link not in again["Location"]


@pytest.mark.parametrize("how", ["row", "rows", "account"])
def test_a_file_goes_with_its_job_however_that_goes(
    client, how, django_user_model, django_capture_on_commit_callbacks
):
    user = django_user_model.objects.create_user("somebody")
    client.force_login(user)
    row, path = done(client)
    gone = {"row": PrintJob.objects.get(pk=row.pk), "rows": PrintJob.objects.all(), "account": user}
    with django_capture_on_commit_callbacks(execute=True):
        gone[how].delete()
    assert not path.exists() and not PrintJob.objects.exists()
