"""Stored print jobs that are cancelled, whose worker is lost, whose time is over: none runs for ever, and
none leaves half a file.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from cardsdb.models import RowState
from cardsdb.tasks import queue
from cardsdb.tasks.worker import work_off
from printing.exports import kinds
from printing.models import PrintJob
from printing.tasks import jobs
from printing.tasks.files import sweep
from printing.tasks.jobs import JOBS, work
from tests.support.print_jobs import (  # noqa: F401
    BIG,
    PAGES,
    claim,
    folder,
    fresh,
    no_files_of_others,
    path_of,
    silence,
    stored_job,
)


def test_a_job_that_waits_is_cancelled_and_made_again(client: Client) -> None:
    row = stored_job(client, copies="1")
    client.post(f"/print/jobs/{row.link}/cancel/")
    work_off()
    assert fresh(row).state == RowState.CANCELLED and fresh(row).attempts == 0
    again = client.post(f"/print/jobs/{row.link}/again/")
    assert again.status_code == 302 and row.link not in again["Location"]
    assert work_off() == 1


def test_a_job_that_runs_stops_at_its_next_page_when_cancelled(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, made = stored_job(client), []
    monkeypatch.setattr(jobs, "BETWEEN", 0.0)

    def write(job: Any, out: Any, on_page: Any) -> None:
        for page in range(1, 10):
            if page == 3:
                client.post(f"/print/jobs/{row.link}/cancel/")
            on_page(page)
            made.append(page)

    monkeypatch.setattr(kinds, "write_sheets", write)
    work_off()
    assert made == [1, 2] and fresh(row).state == RowState.CANCELLED
    assert list(folder().iterdir()) == []


def test_a_done_job_stays_done(client: Client) -> None:
    row = stored_job(client, copies="1")
    work_off()
    client.post(f"/print/jobs/{row.link}/cancel/")
    assert fresh(row).state == RowState.DONE


def test_a_job_whose_worker_fell_silent_is_taken_once_more_and_then_has_failed(client: Client) -> None:
    row = stored_job(client)
    first = claim()
    assert first and claim() is None
    silence(row)
    second = claim()
    assert second and (second.attempts, second.worker == first.worker) == (2, False)
    silence(row)
    assert claim() is None
    assert fresh(row).state == RowState.FAILED and "broken off twice" in fresh(row).error


def test_a_job_is_not_running_for_ever_where_no_worker_runs(client: Client) -> None:
    row = stored_job(client)
    claim()
    silence(row)
    page = client.get(f"/print/jobs/{row.link}/").content.decode()
    assert "It was broken off and waits to be begun again" in page and "are made" not in page
    assert (fresh(row).state, fresh(row).pages_done, fresh(row).attempts) == (RowState.WAITING, 0, 1)
    claim()
    silence(row)
    assert b"broken off twice" in client.get(f"/print/jobs/{row.link}/").content


def test_a_worker_that_was_given_up_finishes_nothing(client: Client) -> None:
    row = stored_job(client, copies="1")
    slow = claim()
    silence(row)
    quick = claim()
    assert slow and quick
    work(quick)
    done = fresh(row)
    work(slow)
    assert fresh(row).file == done.file and [path.name for path in folder().iterdir()] == [done.file]


def test_a_worker_that_is_told_to_stop_puts_its_job_back(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = stored_job(client)

    def write(job: Any, out: Any, on_page: Any) -> None:
        raise SystemExit(0)

    with monkeypatch.context() as patched:
        patched.setattr(kinds, "write_sheets", write)
        with pytest.raises(SystemExit):
            jobs.make_job.func(row.pk)
    assert (fresh(row).state, fresh(row).attempts) == (RowState.WAITING, 0)
    work_off()
    assert fresh(row).state == RowState.DONE


@pytest.mark.engine("postgresql")
@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_told_to_stop_in_the_middle_of_a_query_puts_its_job_back(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = stored_job(client)

    def write(job: Any, out: Any, on_page: Any) -> None:
        assert connection.connection
        connection.connection.pgconn.send_query(b"SELECT pg_sleep(3)")
        raise SystemExit(0)

    monkeypatch.setattr(kinds, "write_sheets", write)
    with pytest.raises(SystemExit):
        jobs.make_job.func(row.pk)
    assert (fresh(row).state, fresh(row).attempts) == (RowState.WAITING, 0)


def test_a_file_is_kept_for_a_day_and_a_job_for_a_week(client: Client) -> None:
    row = stored_job(client, copies="1")
    work_off()
    path = path_of(fresh(row))
    assert path
    sweep()
    assert path.exists()
    PrintJob.objects.filter(pk=row.pk).update(expires=timezone.now() - timedelta(seconds=1))
    assert client.get(f"/print/jobs/{row.link}/file/").status_code == 404
    assert "no longer kept" in client.get(f"/print/jobs/{row.link}/").content.decode()
    assert not path.exists(), "what the page says is gone is gone"
    sweep()
    assert PrintJob.objects.filter(pk=row.pk).exists()
    PrintJob.objects.filter(pk=row.pk).update(made=timezone.now() - timedelta(days=8))
    sweep()
    assert client.get(f"/print/jobs/{row.link}/").status_code == 404


def test_a_sanity_check_finds_a_job_without_a_worker_and_lets_it_wait_again(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    row = stored_job(client)
    claim()
    call_command("sanity_check")
    silence(row)
    with pytest.raises(CommandError, match="1 thing wrong"):
        call_command("sanity_check")
    call_command("sanity_check", fix=True)
    assert f"print job {row.link}: stuck" in capsys.readouterr().out and fresh(row).state == RowState.WAITING


def test_nothing_is_settled_that_lives(client: Client) -> None:
    row = stored_job(client)
    claim()
    JOBS.recover()
    assert fresh(row).state == RowState.RUNNING


def test_pages_that_ask_again_and_again_do_not_recover_each_time(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, asked = stored_job(client), list[str]()
    PrintJob.objects.update(queued=timezone.now() - 2 * queue.QUEUED)
    monkeypatch.setattr(jobs, "_recovered", [-jobs.RECOVERY_INTERVAL])
    monkeypatch.setattr(queue, "is_queued", lambda number: bool(asked.append(number)) or True)
    for _ in range(3):
        client.get(f"/print/jobs/{row.link}/")
        client.get("/print/jobs/")
    assert asked == [fresh(row).task]


def test_the_list_of_jobs_settles_them_too(client: Client) -> None:
    row = stored_job(client)
    claim()
    silence(row)
    assert b"Running" not in client.get("/print/jobs/").content
    assert fresh(row).state == RowState.WAITING
