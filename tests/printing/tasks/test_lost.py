"""Stored print jobs that are cancelled, or whose worker is lost: none runs for ever, none is made twice, and
none leaves half a file. A journey through printing.tasks.jobs and cardsdb.tasks.queue.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from cardsdb.models import RowState
from cardsdb.tasks import queue
from cardsdb.tasks.worker import work_off
from printing.models import PrintJob
from printing.tasks import jobs
from printing.tasks.jobs import JOBS, work
from tests.support.pages import page
from tests.support.print_jobs import (  # noqa: F401
    claim,
    folder,
    fresh,
    no_files_of_others,
    silence,
    stored_job,
)


def said(client: Client, row: PrintJob) -> str:
    return page(client, f"/print/jobs/{row.link}/").text


def state(row: PrintJob) -> tuple[str, int]:
    return fresh(row).state, fresh(row).attempts


# -- cancelled -----------------------------------------------------------------------------


def test_a_job_that_waits_is_cancelled_and_made_again(client):
    row = stored_job(client, copies="1")
    client.post(f"/print/jobs/{row.link}/cancel/")
    work_off()
    assert state(row) == (RowState.CANCELLED, 0)
    again = client.post(f"/print/jobs/{row.link}/again/")
    assert again.status_code == 302 and row.link not in again["Location"]
    assert work_off() == 1


def test_a_job_that_runs_stops_at_its_next_page_when_cancelled(client, pen):
    row, made = stored_job(client), list[int]()

    def write(job: Any, out: Any, on_page: Any) -> None:
        for number in range(1, 10):
            if number == 3:
                client.post(f"/print/jobs/{row.link}/cancel/")
            on_page(number)
            made.append(number)

    pen(write)
    work(claim() or row, between=0)
    assert made == [1, 2] and fresh(row).state == RowState.CANCELLED and not list(folder().iterdir())


def test_a_job_that_is_cancelled_when_its_file_is_whole_leaves_none(client, pen):
    row = stored_job(client)
    pen(lambda *_: jobs.cancel(row))
    work(claim() or row)
    assert fresh(row).state == RowState.CANCELLED and not list(folder().iterdir())


@pytest.mark.parametrize("running", [False, True])
def test_what_is_under_way_is_not_asked_for_again(client, running):
    row = stored_job(client, copies="1")
    if running:
        claim()
    answer = client.post(f"/print/jobs/{row.link}/again/")
    assert row.link in answer["Location"] and PrintJob.objects.count() == 1


# -- lost ----------------------------------------------------------------------------------


def test_a_job_whose_worker_fell_silent_is_taken_once_more_and_then_has_failed(client):
    row = stored_job(client)
    first = claim()
    assert first and claim() is None
    silence(row)
    second = claim()
    assert second and (second.attempts, second.worker == first.worker) == (2, False)
    silence(row)
    assert claim() is None
    assert fresh(row).state == RowState.FAILED and "broken off twice" in fresh(row).error


def test_a_job_is_not_running_for_ever_where_no_worker_runs(client):
    row = stored_job(client)
    claim()
    silence(row)
    told = said(client, row)
    assert "It was interrupted and waits to start again" in told and "are made" not in told
    assert (*state(row), fresh(row).pages_done) == (RowState.WAITING, 1, 0)
    claim()
    silence(row)
    assert "broken off twice" in said(client, row)


def test_the_list_of_jobs_settles_them_too_and_nothing_that_lives(client):
    row = stored_job(client)
    claim()
    JOBS.recover()
    assert fresh(row).state == RowState.RUNNING
    silence(row)
    assert "Running" not in page(client, "/print/jobs/").text
    assert fresh(row).state == RowState.WAITING


@pytest.mark.parametrize("by_page", [True, False])
def test_a_worker_lives_that_makes_a_page_or_writes_for_long(client, pen, monkeypatch, by_page):
    row, seen = stored_job(client), list[str]()
    monkeypatch.setattr(jobs, "QUIET", 0)

    def write(job: Any, out: Any, on_page: Any) -> None:
        silence(row)
        on_page(1) if by_page else out.write(b"%")
        JOBS.recover()
        seen.append(fresh(row).state)

    pen(write)
    work(claim() or row, between=0)
    assert seen == [RowState.RUNNING]


def test_pages_that_ask_again_and_again_do_not_recover_each_time(client):
    row = stored_job(client)
    claim()
    silence(row)
    page(client, f"/print/jobs/{row.link}/")
    PrintJob.objects.update(state=RowState.RUNNING, heartbeat=timezone.now() - timedelta(hours=1))
    for address in (f"/print/jobs/{row.link}/", "/print/jobs/"):
        page(client, address)
    assert fresh(row).state == RowState.RUNNING


def test_a_worker_that_was_given_up_finishes_nothing(client):
    row = stored_job(client, copies="1")
    slow = claim()
    silence(row)
    quick = claim()
    assert slow and quick
    work(quick)
    done = fresh(row)
    work(slow)
    assert fresh(row).file == done.file and [path.name for path in folder().iterdir()] == [done.file]


def test_a_worker_that_is_told_to_stop_puts_its_job_back(client, pen):
    row = stored_job(client)

    def write(job: Any, out: Any, on_page: Any) -> None:
        raise SystemExit(0)

    pen(write)
    with pytest.raises(SystemExit):
        jobs.make_job.func(row.pk)
    assert state(row) == (RowState.WAITING, 0)
    pen(None)
    work_off()
    assert fresh(row).state == RowState.DONE


@pytest.mark.engine("postgresql")
@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_told_to_stop_in_the_middle_of_a_query_puts_its_job_back(client, pen):
    row = stored_job(client)

    def write(job: Any, out: Any, on_page: Any) -> None:
        assert connection.connection
        connection.connection.pgconn.send_query(b"SELECT pg_sleep(3)")
        raise SystemExit(0)

    pen(write)
    with pytest.raises(SystemExit):
        jobs.make_job.func(row.pk)
    assert state(row) == (RowState.WAITING, 0)


# -- the queue -----------------------------------------------------------------------------


def long_ago(row: PrintJob) -> None:
    PrintJob.objects.filter(pk=row.pk).update(queued=timezone.now() - 2 * queue.QUEUED)


def test_a_job_waits_in_the_queue_once_and_a_task_that_comes_twice_makes_it_once(client):
    row = stored_job(client, copies="1")
    long_ago(row)
    JOBS.recover()
    assert [task.args_kwargs["args"] for task in DBTaskResult.objects.all()] == [[row.pk]]
    JOBS.enqueue(row)
    assert work_off() == 2 and state(row) == (RowState.DONE, 1)


@pytest.mark.parametrize("was_queued", [True, False])
def test_a_job_that_no_worker_has_seen_for_a_while_says_that_none_runs_and_is_made_once_one_does(
    client, was_queued
):
    row, ago = stored_job(client, copies="1"), timezone.now() - jobs.UNSEEN - timedelta(seconds=1)
    PrintJob.objects.filter(pk=row.pk).update(queued=ago if was_queued else None, made=ago)
    assert jobs.is_unattended(fresh(row))
    if was_queued:
        assert all("The site's worker is not running" in said(client, row) for _ in range(2)), (
            "looking is no work"
        )
    jobs.recover()
    assert "Waiting for its turn" in said(client, row)
    assert work_off() == 1 and fresh(row).state == RowState.DONE


@pytest.mark.parametrize("lost", ["gone", "taken"])
def test_a_job_whose_task_was_lost_is_queued_again(client, lost):
    """The queue was emptied; or a worker took the task and was killed before it said so in the job."""
    row = stored_job(client, copies="1")
    if lost == "gone":
        DBTaskResult.objects.all().delete()
    else:
        DBTaskResult.objects.update(status="RUNNING", started_at=timezone.now() - timedelta(minutes=1))
    JOBS.recover()
    assert fresh(row).state == RowState.WAITING
    assert not DBTaskResult.objects.ready().exclude(pk=row.task or None).count()
    long_ago(row)
    jobs.recover()
    assert work_off() == 1 and fresh(row).state == RowState.DONE


def test_the_databases_queue_keeps_nothing_for_longer_than_a_day(client):
    ended, waiting = (stored_job(client, copies="1") for _ in range(2))
    work_off(1)
    queue.forget_ended()
    assert DBTaskResult.objects.count() == 2
    ago = timezone.now() - timedelta(days=1, seconds=1)
    DBTaskResult.objects.update(enqueued_at=ago)
    queue.forget_ended()
    left = [task.args_kwargs["args"] for task in DBTaskResult.objects.all()]
    assert left == [[ended.pk]], "it ended just now"
    DBTaskResult.objects.update(finished_at=ago)
    queue.forget_ended()
    assert not DBTaskResult.objects.exists()
    long_ago(waiting)
    jobs.recover()
    assert work_off() == 1 and fresh(waiting).state == RowState.DONE, (
        "what is still to be done comes in again"
    )
