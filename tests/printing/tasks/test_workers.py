"""Who makes stored print jobs: one worker each of several real processes, whoever is killed is followed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from printing.models import PrintJob
from printing.tasks.worker import _Site, alone, wake, wake_for
from tests.decks.saving.test_two_writers import database
from tests.support.print_jobs import BIG, PAGES, asked, fresh, no_files_of_others, silence  # noqa: F401
from tests.support.server import ROOT

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
    asked(client)
    assert started == []
    settings.CUTOUT_PRINT_WORKER = "on-demand"
    row = asked(client)
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
            ended.wait(10)
            return 0

    settings.CUTOUT_PRINT_WORKER = "on-demand"
    monkeypatch.setattr("printing.tasks.worker._site", _Site())
    monkeypatch.setattr("printing.tasks.worker.subprocess.Popen", Child)
    wake()
    wake()
    assert len(started) == 1, "it is still at work"
    ended.set()
    end = time.monotonic() + 10
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

Environment = dict[str, str]

ASK = """
import django, sys; django.setup()
from django.http import QueryDict
from decks.identity.viewer import Viewer
from printing.request.print_request import PrintRequest
from printing.request.saved_settings import SavedSettings
from printing.tasks.jobs import ask
for number in range(int(sys.argv[1])):
    fields = QueryDict("game=spycraft&text=50+Kai%0A50+Li&copies=20&backs=long&paper=a4")
    print(ask(PrintRequest(fields, True, Viewer(browser=f"{number:064d}"), SavedSettings({}))).link)
"""
# A worker that is slow, so that all of them are at it at once, and that says which jobs it made.
WORK = """
import django, sys, time; django.setup()
from printing.tasks import jobs
from printing.exports import export
jobs.BETWEEN = 0.0
plain = export.write_sheets
def slowly(job, out, on_page):
    def told(page):
        time.sleep(float(sys.argv[1]))
        on_page(page)
    plain(job, out, told)
export.write_sheets = slowly
while (row := jobs.claim()) is not None:
    print(row.link, flush=True)
    jobs.work(row)
"""
TELL = """
import django, json; django.setup()
from printing.models import PrintJob
print(json.dumps([[row.link, row.state, row.attempts, row.pages_done, row.file] for row in PrintJob.objects.all()]))
"""
AGE = """
import django; django.setup()
from datetime import timedelta
from django.db.models import F
from printing.models import PrintJob
PrintJob.objects.filter(state="running").update(heartbeat=F("heartbeat") - timedelta(minutes=2))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Environment]:
    """The environment of a site with a database that is no test's transaction."""
    var, url = tmp_path_factory.mktemp("print_jobs"), os.environ.get("DATABASE_URL", "")
    given = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    given |= {"CUTOUT_VAR": str(var), "DJANGO_SETTINGS_MODULE": "cardsdb.settings"}
    with database(url) if url.startswith("postgres") else ExitStack() as own:
        environment = given | ({"DATABASE_URL": own} if isinstance(own, str) else {})
        for command in (["migrate", "-v0"], ["load_cards"]):
            subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True, capture_output=True)
        yield environment


def run(site: Environment, code: str, *arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, env=site, check=True, capture_output=True, text=True, timeout=120
    ).stdout


def start(site: Environment, pause: float) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", WORK, str(pause)], cwd=ROOT, env=site, stdout=subprocess.PIPE, text=True)


def told_of(site: Environment, link: str) -> list[Any]:
    """The job's state, attempts, pages done and file, as another process finds them."""
    (row,) = [row for row in json.loads(run(site, TELL)) if row[0] == link]
    return list(row)


def until(site: Environment, link: str, reached: Callable[[list[Any]], bool]) -> None:
    end = time.monotonic() + 60
    while not reached(told_of(site, link)):
        assert time.monotonic() < end, "the job does not get there"


@pytest.mark.django_db
def test_of_several_workers_at_once_each_job_has_one(site: Environment) -> None:
    links = set(run(site, ASK, "4").split())
    workers = [start(site, 0.003) for _ in range(2)]
    made = [worker.communicate(timeout=120)[0].split() for worker in workers]
    assert all(worker.returncode == 0 for worker in workers)
    assert sorted(link for links_of in made for link in links_of) == sorted(links)
    assert sum(bool(links_of) for links_of in made) > 1
    states = {row[0]: row for row in json.loads(run(site, TELL)) if row[0] in links}
    assert {(row[1], row[2], row[3]) for row in states.values()} == {("done", 1, PAGES)}
    kept = {path.name for path in (Path(site["CUTOUT_VAR"]) / "jobs").iterdir()}
    assert {row[4] for row in states.values()} <= kept and not [name for name in kept if name.endswith(".part")]


@pytest.mark.django_db
def test_a_job_whose_worker_is_killed_is_made_by_the_next(site: Environment) -> None:
    (link,) = run(site, ASK, "1").split()
    killed = start(site, 0.05)
    assert killed.stdout and killed.stdout.readline().strip() == link
    until(site, link, lambda row: row[3] > 0)
    killed.send_signal(signal.SIGKILL)
    killed.communicate(timeout=10)
    row = told_of(site, link)
    assert row[1] == "running" and 0 < row[3] < PAGES
    worker = ["manage.py", "print_worker", "--once"]
    said = subprocess.run([sys.executable, *worker], cwd=ROOT, env=site, check=True, capture_output=True, text=True).stdout
    assert said == "0 jobs made.\n"
    run(site, AGE)
    said = subprocess.run([sys.executable, *worker], cwd=ROOT, env=site, check=True, capture_output=True, text=True).stdout
    assert said == "1 job made.\n"
    assert told_of(site, link)[1:4] == ["done", 2, PAGES]


@pytest.mark.django_db
def test_a_worker_that_always_runs_makes_what_comes_and_ends_when_told(site: Environment) -> None:
    (link,) = run(site, ASK, "1").split()
    worker = subprocess.Popen([sys.executable, "manage.py", "print_worker"], cwd=ROOT, env=site, stdout=subprocess.PIPE)
    try:
        until(site, link, lambda row: row[1] == "done")
    finally:
        worker.terminate()
        worker.communicate(timeout=10)
    assert worker.returncode == 0
