"""Who makes stored print jobs: one worker each of several real processes, whoever is killed is followed."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from django.core.management import call_command
from django.db.models import F
from django.http import QueryDict
from django.test import Client
from django.utils import timezone

from cardsdb.identity.viewer import Viewer
from printing.exports import export
from printing.job.job import Job
from printing.models import PrintJob
from printing.request.print_request import PrintFields, PrintRequest
from printing.tasks import jobs
from printing.tasks.worker import _Site, alone, wake, wake_for
from tests import ROOT
from tests.support.print_jobs import fresh, no_files_of_others, stored_job  # noqa: F401
from tests.support.processes import Child, Site, answer, copied_site

# -- who works --------------------------------------------------------------------------


def test_the_site_starts_a_worker_when_there_is_work(client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []

    class Child:
        def __init__(self, command: list[str], **_: Any) -> None:
            started.append(command)

        def poll(self) -> int:
            return 0

        def wait(self) -> int:
            return 0

    monkeypatch.setattr("printing.tasks.worker.subprocess.Popen", Child)
    stored_job(client)
    assert started == []
    settings.CUTOUT_PRINT_WORKER = "on-demand"
    row = stored_job(client)
    assert [command[-3:] for command in started] == [["print_worker", "--once", "--alone"]]
    wake_for(row)
    assert len(started) == 1
    PrintJob.objects.filter(pk=row.pk).update(made=timezone.now() - timedelta(minutes=1))
    with alone():
        wake_for(fresh(row))
    assert len(started) == 1, "somebody is at work, and comes to this job"
    monkeypatch.setattr("printing.tasks.worker._site.started", -1e9)
    wake_for(fresh(row))
    wake_for(fresh(row))
    assert len(started) == 2


def test_a_worker_that_has_ended_is_followed_by_another(client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """However short its work was: nobody need look at a page for the next job to be made."""
    ended, started = threading.Event(), []

    class Child:
        def __init__(self, *_: Any, **__: Any) -> None:
            started.append(self)

        def poll(self) -> int | None:
            return 0 if ended.is_set() else None

        def wait(self) -> int:
            ended.wait(60)
            return 0

    settings.CUTOUT_PRINT_WORKER = "on-demand"
    monkeypatch.setattr("printing.tasks.worker._site", _Site())
    monkeypatch.setattr("printing.tasks.worker.subprocess.Popen", Child)
    wake()
    wake()
    assert len(started) == 1, "it is still at work"
    ended.set()
    end = time.monotonic() + 60
    while len(started) < 2:
        assert time.monotonic() < end, "what came while it ended is looked for by another"
    wake()
    assert len(started) == 3


def test_a_site_with_workers_of_its_own_starts_none(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("printing.tasks.worker.subprocess.Popen", None)
    settings.CUTOUT_PRINT_WORKER = "separate"
    wake()


def test_the_sites_own_worker_is_one_on_a_machine(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr("printing.tasks.worker.PATIENCE", 0.0)
    with alone() as first, alone() as second:
        assert (first, second) == (True, False)
    with alone() as third:
        assert third


# -- real processes -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with django_db_blocker.unblock(), copied_site(tmp_path_factory.mktemp("print_jobs")) as site:
        yield site


# Of 500 cards on both sides of the paper.
PAGES = 2 * -(-100 * 5 // 9)


def ask_for(count: int) -> list[str]:
    """The links of so many jobs of many pages, each of another browser."""
    fields = QueryDict("game=spycraft&text=50+Kai%0A50+Li&copies=5&backs=long&paper=a4")
    viewers = [Viewer(browser=f"{number:064d}") for number in range(count)]
    return [jobs.ask(PrintRequest.parse(PrintFields(fields, True, viewer))).link for viewer in viewers]


def work_slowly(pipe: Connection, pause: float) -> None:
    """A worker that is slow, so that all of them are at it at once, and that says which jobs it made."""
    plain = export.write_sheets

    def slowly(job: Job, out: BinaryIO, on_page: Callable[[int], None]) -> None:
        def tell(page: int) -> None:
            time.sleep(pause)
            on_page(page)

        plain(job, out, tell)

    export.write_sheets = slowly
    jobs.BETWEEN = 0.0
    while (row := jobs.claim()) is not None:
        pipe.send(row.link)
        jobs.work(row)
    pipe.send(None)


def work_once() -> str:
    """What the command says."""
    output = io.StringIO()
    call_command("print_worker", "--once", stdout=output)
    return output.getvalue()


def stored_jobs() -> list[tuple[str, str, int, int, str]]:
    """Link, state, attempts, pages done and file of all jobs."""
    return [(row.link, row.state, row.attempts, row.pages_done, row.file) for row in PrintJob.objects.all()]


def grow_silent() -> None:
    PrintJob.objects.filter(state="running").update(heartbeat=F("heartbeat") - timedelta(minutes=2))


def state_of(site: Site, link: str) -> tuple[str, str, int, int, str]:
    """The job as another process finds it."""
    (row,) = [row for row in answer(site, stored_jobs) if row[0] == link]
    return row


def until(site: Site, link: str, reached: Callable[[tuple[str, str, int, int, str]], bool]) -> None:
    end = time.monotonic() + 60
    while not reached(state_of(site, link)):
        assert time.monotonic() < end, "the job does not get there"
        time.sleep(0.3)


@pytest.mark.django_db
def test_of_several_workers_at_once_each_job_has_one(site: Site) -> None:
    links = answer(site, ask_for, 4)
    workers = [Child(site, work_slowly, 0.01) for _ in range(2)]
    made = [list(iter(worker.hear, None)) for worker in workers]
    assert all(worker.end() == 0 for worker in workers)
    assert sorted(link for links_of in made for link in links_of) == sorted(links)
    assert sum(bool(links_of) for links_of in made) > 1
    states = {row[0]: row for row in answer(site, stored_jobs) if row[0] in links}
    assert {(row[1], row[2], row[3]) for row in states.values()} == {("done", 1, PAGES)}
    names = {path.name for path in (site.var / "jobs").iterdir()}
    assert {row[4] for row in states.values()} <= names and not [name for name in names if name.endswith(".part")]


@pytest.mark.django_db
def test_a_job_whose_worker_is_killed_is_made_by_the_next(site: Site) -> None:
    (link,) = answer(site, ask_for, 1)
    killed = Child(site, work_slowly, 0.05)
    assert killed.hear() == link
    until(site, link, lambda row: row[3] > 0)
    killed.kill()
    row = state_of(site, link)
    assert row[1] == "running" and 0 < row[3] < PAGES
    assert answer(site, work_once) == "0 jobs made.\n"
    answer(site, grow_silent)
    assert answer(site, work_once) == "1 job made.\n"
    assert state_of(site, link)[1:4] == ("done", 2, PAGES)


@pytest.mark.django_db
def test_a_worker_that_always_runs_makes_what_comes_and_ends_when_told(site: Site) -> None:
    (link,) = answer(site, ask_for, 1)
    command = [sys.executable, "manage.py", "print_worker"]
    worker = subprocess.Popen(command, cwd=ROOT, env=site.environment(), stdout=subprocess.PIPE)
    try:
        until(site, link, lambda row: row[1] == "done")
    finally:
        worker.terminate()
        worker.communicate(timeout=10)
    assert worker.returncode == 0
