"""Who makes stored print jobs: one worker each of several real processes, whoever is killed is followed;
nothing asked for is lost.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from multiprocessing.connection import Connection
from typing import Any, BinaryIO

import pytest
from django.http import QueryDict
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from redis.exceptions import ConnectionError

from cardsdb.identity.viewer import Viewer
from cardsdb.models import RowState
from cardsdb.tasks import queue, worker
from cardsdb.tasks.queue import forget_ended
from printing.exports import kinds
from printing.job.job import Job
from printing.models import PrintJob
from printing.request.print_request import PrintFields, PrintRequest
from printing.tasks import jobs
from tests.support.print_jobs import fresh, no_files_of_others, stored_job  # noqa: F401
from tests.support.processes import Child, Site, answer, copied_site

FEW = {"text": "1 Kai", "copies": "1"}

# -- the queue --------------------------------------------------------------------------


def long_ago(row: PrintJob) -> None:
    PrintJob.objects.filter(pk=row.pk).update(queued=timezone.now() - 2 * queue.QUEUED)


def test_a_job_waits_in_the_queue_once(client: Client) -> None:
    row = stored_job(client, **FEW)
    long_ago(row)
    jobs.JOBS.recover()
    assert [task.args_kwargs["args"] for task in DBTaskResult.objects.all()] == [[row.pk]]


def test_a_job_that_no_worker_has_seen_for_a_while_says_that_none_runs_and_is_made_once_one_does(
    client: Client,
) -> None:
    row = stored_job(client, **FEW)
    PrintJob.objects.filter(pk=row.pk).update(queued=timezone.now() - jobs.UNSEEN - timedelta(seconds=1))
    jobs._recovered[0] = -queue.RECOVERY_INTERVAL
    page = f"/print/jobs/{row.link}/"
    assert all("This waits for a worker" in client.get(page).content.decode() for _ in range(2)), (
        "looking is no work"
    )
    worker.recover_all()
    assert "Waiting for its turn" in client.get(page).content.decode()
    assert worker.work_off() == 1 and fresh(row).state == RowState.DONE


def test_a_job_that_was_never_queued_and_that_nobody_takes_says_so_too(client: Client) -> None:
    row = stored_job(client, **FEW)
    PrintJob.objects.filter(pk=row.pk).update(
        queued=None, made=timezone.now() - jobs.UNSEEN - timedelta(seconds=1)
    )
    assert jobs.is_unattended(fresh(row))


@pytest.mark.parametrize("lost", ["gone", "taken"])
def test_a_job_whose_task_was_lost_is_queued_again(client: Client, lost: str) -> None:
    """The queue was emptied; or a worker took the task and was killed before it said so in the job."""
    row = stored_job(client, **FEW)
    if lost == "gone":
        DBTaskResult.objects.all().delete()
    else:
        DBTaskResult.objects.update(status="RUNNING", started_at=timezone.now() - timedelta(minutes=1))
    jobs.JOBS.recover()
    assert (
        fresh(row).state == RowState.WAITING
        and not DBTaskResult.objects.ready().exclude(pk=row.task or None).count()
    )
    long_ago(row)
    worker.recover_all()
    assert worker.work_off() == 1 and fresh(row).state == RowState.DONE


def test_the_databases_queue_keeps_nothing_for_longer_than_a_day(client: Client) -> None:
    ended, waiting = stored_job(client, **FEW), stored_job(client, **FEW)
    worker.work_off(1)
    forget_ended()
    assert DBTaskResult.objects.count() == 2
    ago = timezone.now() - timedelta(days=1, seconds=1)
    DBTaskResult.objects.update(enqueued_at=ago)
    forget_ended()
    assert [task.args_kwargs["args"] for task in DBTaskResult.objects.all()] == [[ended.pk]], (
        "it ended just now"
    )
    DBTaskResult.objects.update(finished_at=ago)
    forget_ended()
    assert not DBTaskResult.objects.exists()
    long_ago(waiting)
    worker.recover_all()
    assert worker.work_off() == 1 and fresh(waiting).state == RowState.DONE, (
        "what is still to be done comes into it again"
    )


def test_a_task_that_comes_twice_makes_its_job_once(client: Client) -> None:
    row = stored_job(client, **FEW)
    jobs.JOBS.enqueue(row)
    assert worker.work_off() == 2
    assert (fresh(row).state, fresh(row).attempts) == (RowState.DONE, 1)


def test_a_task_that_fails_is_in_the_log_with_what_went_wrong(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(row: PrintJob) -> None:
        raise ValueError("the pen is broken")

    stored_job(client, **FEW)
    monkeypatch.setattr(jobs, "work", fails)
    worker.work_off()
    assert "ValueError: the pen is broken" in caplog.text


def test_a_queue_that_does_not_answer_is_no_error_and_gets_the_job_later(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise ConnectionError

    with monkeypatch.context() as broken:
        broken.setattr("django_tasks_db.backend.DatabaseBackend.enqueue", away)
        row = stored_job(client, **FEW)
        assert client.get(f"/print/jobs/{row.link}/").status_code == 200
    assert not DBTaskResult.objects.exists()
    worker.recover_all()
    assert worker.work_off() == 1 and fresh(row).state == RowState.DONE


# -- real processes -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    with django_db_blocker.unblock(), copied_site(tmp_path_factory.mktemp("print_jobs")) as site:
        yield site


# Of 500 cards on both sides of the paper.
PAGES = 2 * -(-100 * 5 // 9)


def ask_for(count: int) -> list[str]:
    """The links of so many jobs of many pages, each of another browser."""
    fields = QueryDict("game=spycraft&text=50+Kai%0A50+Li&copies=5&backs=long&paper=a4")
    viewers = [Viewer(browser=f"{number:064d}") for number in range(count)]
    return [jobs.ask(PrintRequest.parse(PrintFields(fields, True, viewer))).link for viewer in viewers]


def slowly(pause: float) -> None:
    """Have this process take its time for each page."""
    plain = kinds.write_sheets

    def write(job: Job, out: BinaryIO, on_page: Callable[[int], None]) -> None:
        def tell(page: int) -> None:
            time.sleep(pause)
            on_page(page)

        plain(job, out, tell)

    kinds.write_sheets = write
    jobs.BETWEEN = 0.0


def work_slowly(pipe: Connection) -> None:
    """A worker that is slow, so that all of them are at it at once, and that says which jobs it made."""
    slowly(0.01)
    work = jobs.work

    def told(row: PrintJob) -> None:
        pipe.send(row.link)
        work(row)

    jobs.work = told
    worker.work_off()
    pipe.send(None)


def work_on(pipe: Connection) -> None:
    """The worker that always runs, with its processes, and a job that lasts some seconds."""
    slowly(0.02)
    worker.POLL_INTERVAL = worker.RECOVERY_INTERVAL = 0.05
    worker.FINISH = 0.5
    worker.work_on()


def stored_jobs() -> list[tuple[str, str, int, int, str, str]]:
    """Link, state, attempts, pages done, file and worker of all jobs."""
    return [
        (row.link, row.state, row.attempts, row.pages_done, row.file, row.worker)
        for row in PrintJob.objects.all()
    ]


def state_of(site: Site, link: str) -> tuple[str, str, int, int, str, str]:
    """The job as another process finds it."""
    (row,) = [row for row in answer(site, stored_jobs) if row[0] == link]
    return row


def until(
    site: Site, link: str, reached: Callable[[tuple[str, str, int, int, str, str]], bool]
) -> tuple[str, str, int, int, str, str]:
    end = time.monotonic() + 60
    while not reached(row := state_of(site, link)):
        assert time.monotonic() < end, "the job does not get there"
        time.sleep(0.1)
    return row


@pytest.mark.django_db
def test_of_several_workers_at_once_each_job_has_one(site: Site) -> None:
    links = answer(site, ask_for, 4)
    workers = [Child(site, work_slowly) for _ in range(2)]
    made = [list(iter(one.hear, None)) for one in workers]
    assert all(one.end() == 0 for one in workers)
    assert sorted(link for links_of in made for link in links_of) == sorted(links)
    assert sum(bool(links_of) for links_of in made) > 1
    states = {row[0]: row for row in answer(site, stored_jobs) if row[0] in links}
    assert {(row[1], row[2], row[3]) for row in states.values()} == {("done", 1, PAGES)}
    names = {path.name for path in (site.var / "jobs").iterdir()}
    assert {row[4] for row in states.values()} <= names and not [
        name for name in names if name.endswith(".part")
    ]


@pytest.mark.django_db
def test_a_job_whose_worker_is_killed_is_taken_up_at_once_and_one_that_is_told_to_end_puts_it_back(
    site: Site,
) -> None:
    (link,) = answer(site, ask_for, 1)
    working = Child(site, work_on)
    try:
        row = until(site, link, lambda row: row[3] > 0)
        killed = int(row[5].split(":")[1])
        os.kill(killed, signal.SIGKILL)
        died = time.monotonic()
        row = until(site, link, lambda row: row[2] == 2)
        assert (
            time.monotonic() - died < jobs.SILENT.total_seconds() / 4 and int(row[5].split(":")[1]) != killed
        )
        row = until(site, link, lambda row: row[3] > 0)
        assert row[1] == "running"
    finally:
        working.process.terminate()
    assert working.end() == 0
    assert state_of(site, link)[1:4] == ("waiting", 1, 0)
