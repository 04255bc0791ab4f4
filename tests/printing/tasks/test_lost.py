"""Stored print jobs that are cancelled, or whose worker dies: none runs for ever, none is made twice, and
none leaves an unfinished file. These tests go through printing.tasks.jobs and cardsdb.tasks.queue.
"""

from datetime import timedelta

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
from tests.support.print_jobs import claim, folder, fresh, silence, stored_job


def words_of(client: Client, row: PrintJob) -> str:
    """The words on the page of a job."""
    return page(client, f"/print/jobs/{row.link}/").text


def state(row: PrintJob) -> tuple[str, int]:
    """The job's (state, attempts) as they are stored now."""
    return fresh(row).state, fresh(row).attempts


# -- cancelled -----------------------------------------------------------------------------


def test_a_waiting_job_can_be_cancelled_and_asked_for_again(client):
    row = stored_job(client, copies="1")
    client.post(f"/print/jobs/{row.link}/cancel/")
    work_off()
    assert state(row) == (RowState.CANCELLED, 0)
    again = client.post(f"/print/jobs/{row.link}/again/")
    assert again.status_code == 302 and row.link not in again["Location"]
    assert work_off() == 1


def test_a_running_job_that_is_cancelled_stops_at_its_next_page(client, pen):
    row, pages = stored_job(client), list[int]()

    def write(job, out, on_page):
        for number in range(1, 10):
            if number == 3:
                client.post(f"/print/jobs/{row.link}/cancel/")
            on_page(number)
            pages.append(number)

    pen(write)
    work(claim())
    assert pages == [1, 2] and fresh(row).state == RowState.CANCELLED and not list(folder().iterdir())


def test_a_job_that_is_cancelled_once_its_file_is_written_leaves_no_file(client, pen):
    row = stored_job(client)
    pen(lambda *_: jobs.cancel(row))
    work(claim())
    assert fresh(row).state == RowState.CANCELLED and not list(folder().iterdir())


def test_an_open_job_is_not_stored_again(client):
    row = stored_job(client, copies="1")
    for _ in ("waiting", "running"):
        answer = client.post(f"/print/jobs/{row.link}/again/")
        assert row.link in answer["Location"] and PrintJob.objects.count() == 1
        claim()


# -- lost workers --------------------------------------------------------------------------


def test_a_job_whose_worker_fell_silent_is_claimed_once_more_and_then_fails(client):
    row = stored_job(client)
    first = claim()
    assert first and claim() is None
    silence(row)
    second = claim()
    assert second and (second.attempts, second.worker == first.worker) == (2, False)
    silence(row)
    assert claim() is None
    assert fresh(row).state == RowState.FAILED and "broken off twice" in fresh(row).error


def test_pages_recover_a_job_if_its_worker_is_gone_but_not_at_each_request(client):
    row = stored_job(client)
    claim()
    JOBS.recover()
    assert fresh(row).state == RowState.RUNNING, "its worker lives"
    silence(row)
    words = words_of(client, row)
    assert "It was interrupted and waits to start again" in words and "are made" not in words
    assert (*state(row), fresh(row).pages_done) == (RowState.WAITING, 1, 0)
    PrintJob.objects.update(state=RowState.RUNNING, heartbeat=timezone.now() - timedelta(hours=1))
    for address in (f"/print/jobs/{row.link}/", "/print/jobs/"):
        page(client, address)
    assert fresh(row).state == RowState.RUNNING
    silence(row)
    assert "Running" not in page(client, "/print/jobs/").text and fresh(row).state == RowState.WAITING


@pytest.mark.parametrize("by_page", [True, False])
def test_a_worker_that_finishes_a_page_or_writes_bytes_counts_as_alive(client, pen, monkeypatch, by_page):
    row, seen = stored_job(client), list[str]()
    monkeypatch.setattr(jobs, "QUIET", 0)

    def write(job, out, on_page):
        silence(row)
        on_page(1) if by_page else out.write(b"%")
        JOBS.recover()
        seen.append(fresh(row).state)

    pen(write)
    work(claim())
    assert seen == [RowState.RUNNING]


def test_a_worker_that_lost_its_job_does_not_replace_its_file(client):
    row = stored_job(client, copies="1")
    slow = claim()
    silence(row)
    quick = claim()
    work(quick)
    done = fresh(row)
    work(slow)
    assert fresh(row).file == done.file and [path.name for path in folder().iterdir()] == [done.file]


def test_a_worker_that_is_told_to_stop_puts_its_job_back(client, pen):
    row = stored_job(client)

    def write(job, out, on_page):
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
def test_a_worker_that_is_told_to_stop_during_a_query_puts_its_job_back(client, pen):
    row = stored_job(client)

    def write(job, out, on_page):
        assert connection.connection
        connection.connection.pgconn.send_query(b"SELECT pg_sleep(3)")
        raise SystemExit(0)

    pen(write)
    with pytest.raises(SystemExit):
        jobs.make_job.func(row.pk)
    assert state(row) == (RowState.WAITING, 0)


# -- the queue -----------------------------------------------------------------------------


def long_ago(row: PrintJob) -> None:
    """Make the job look as if it was queued so long ago that it must be queued again."""
    PrintJob.objects.filter(pk=row.pk).update(queued=timezone.now() - 2 * queue.QUEUED)


def test_a_job_has_one_task_and_a_second_does_not_make_it_twice(client):
    row = stored_job(client, copies="1")
    long_ago(row)
    JOBS.recover()
    assert [task.args_kwargs["args"] for task in DBTaskResult.objects.all()] == [[row.pk]]
    JOBS.enqueue(row)
    assert work_off() == 2 and state(row) == (RowState.DONE, 1)


@pytest.mark.parametrize("was_queued", [True, False])
def test_a_job_that_no_worker_has_seen_says_that_none_runs_until_one_does(client, was_queued):
    row, ago = stored_job(client, copies="1"), timezone.now() - jobs.UNSEEN - timedelta(seconds=1)
    PrintJob.objects.filter(pk=row.pk).update(queued=ago if was_queued else None, made=ago)
    # Looking at the page twice shows that looking itself does not count as a worker.
    assert all("The site's worker is not running" in words_of(client, row) for _ in range(2))
    jobs.recover()
    assert "Waiting for its turn" in words_of(client, row)


@pytest.mark.parametrize("lost", ["gone", "taken"])
def test_a_job_whose_task_was_lost_is_queued_again(client, lost):
    """``gone``: the queue was emptied. ``taken``: a worker took the task and died before it claimed
    the job.
    """
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


def test_tasks_in_the_database_are_deleted_after_a_day(client):
    ended, waiting = (stored_job(client, copies="1") for _ in range(2))
    work_off(1)
    queue.forget_ended()
    assert DBTaskResult.objects.count() == 2
    ago = timezone.now() - timedelta(days=1, seconds=1)
    DBTaskResult.objects.update(enqueued_at=ago)
    queue.forget_ended()
    left = [task.args_kwargs["args"] for task in DBTaskResult.objects.all()]
    assert left == [[ended.pk]], "it was queued long ago, but ended just now"
    DBTaskResult.objects.update(finished_at=ago)
    queue.forget_ended()
    assert not DBTaskResult.objects.exists()
    long_ago(waiting)
    jobs.recover()
    assert work_off() == 1 and fresh(waiting).state == RowState.DONE, "a waiting job is queued again"
