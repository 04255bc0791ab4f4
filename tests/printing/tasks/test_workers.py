"""Stored print jobs with several real worker processes: each job has one worker, and a killed worker is
replaced. These tests go through cardsdb.tasks.worker and printing.tasks.jobs.
"""

import math
import os
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import BinaryIO

import pytest
from django.http import QueryDict

from cardsdb.identity.viewer import Viewer
from cardsdb.tasks import worker
from printing.exports import kinds
from printing.job.job import Job
from printing.models import PrintJob
from printing.request.print_request import PrintFields, PrintRequest
from printing.tasks import jobs
from tests.support.processes import Child, Site, answer, copied_site


@pytest.fixture(scope="module")
def site(django_db_setup, django_db_blocker, tmp_path_factory):
    with django_db_blocker.unblock(), copied_site(tmp_path_factory.mktemp("print_jobs")) as site:
        yield site


# Pages of two copies of 100 cards, nine on a sheet, on both sides of the paper.
PAGES = 2 * math.ceil(100 * 2 / 9)


def ask_for(count: int, copies: int = 5) -> list[str]:
    """Store this number of long jobs, each of another browser, and return their links."""
    fields = QueryDict(f"game=spycraft&text=50+Kai%0A50+Li&copies={copies}&backs=long&paper=a4")
    viewers = [Viewer(browser=f"{number:064d}") for number in range(count)]
    sent = [PrintFields(fields, pasted=True, viewer=viewer) for viewer in viewers]
    return [jobs.ask(PrintRequest.parse(one)).link for one in sent]


def slowly(pause: float) -> None:
    """Make this process pause for so many seconds at each page."""
    plain = kinds.write_sheets

    def write(job: Job, out: BinaryIO, on_page: Callable[[int], None]) -> None:
        def tell(page: int) -> None:
            time.sleep(pause)
            on_page(page)

        plain(job, out, tell)

    kinds.write_sheets = write


def work_slowly(pipe: Connection) -> None:
    """A worker that sends the link of each job that it makes. It is slow, so that several workers overlap."""
    slowly(0.01)
    work = jobs.work

    def send_and_work(row: PrintJob) -> None:
        pipe.send(row.link)
        work(row)

    jobs.work = send_and_work
    worker.work_off()
    pipe.send(None)


def work_on(pipe: Connection) -> None:
    """The permanent worker with its child processes, at a job that takes some seconds."""
    slowly(0.02)
    worker.POLL_INTERVAL = worker.RECOVERY_INTERVAL = 0.05
    worker.FINISH = 0.5
    worker.work_on()


def stored(link: str) -> PrintJob:
    return PrintJob.objects.get(link=link)


def until(site: Site, link: str, reached: Callable[[PrintJob], bool]) -> PrintJob:
    """Wait until the job has reached a state, and return it."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        row = answer(site, stored, link)
        if reached(row):
            return row
        time.sleep(0.1)
    raise AssertionError("the job does not get there")


@pytest.mark.django_db
def test_several_workers_at_once_make_each_job_once(site):
    links = answer(site, ask_for, 4, 2)
    workers = [Child(site, work_slowly) for _ in range(2)]
    # Each worker sends its links, and None at the end.
    first, second = (list(iter(child.hear, None)) for child in workers)
    assert all(child.end() == 0 for child in workers)
    assert sorted(first + second) == sorted(links)
    assert first and second, "each worker had work"
    rows = [answer(site, stored, link) for link in links]
    assert {(row.state, row.attempts, row.pages_done) for row in rows} == {("done", 1, PAGES)}
    names = {path.name for path in (site.var / "jobs").iterdir()}
    assert {row.file for row in rows} <= names
    assert not any(name.endswith(".part") for name in names)


@pytest.mark.django_db
def test_a_killed_worker_is_replaced_and_an_ended_one_puts_its_job_back(site):
    (link,) = answer(site, ask_for, 1)
    working = Child(site, work_on)
    try:
        first = until(site, link, lambda row: row.pages_done > 0)
        # The worker's name is "machine:process id:key".
        os.kill(int(first.worker.split(":")[1]), signal.SIGKILL)
        died = time.monotonic()
        second = until(site, link, lambda row: row.attempts == 2)
        assert time.monotonic() - died < jobs.SILENT.total_seconds() / 4 and second.worker != first.worker
        assert until(site, link, lambda row: row.pages_done > 0).state == "running"
    finally:
        working.process.terminate()
    assert working.end() == 0
    row = answer(site, stored, link)
    assert (row.state, row.attempts, row.pages_done) == ("waiting", 1, 0)
