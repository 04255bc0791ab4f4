"""Stored print jobs: one worker makes each, whoever is killed is followed, only the asker sees it, and none runs for ever."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from cardsdb.games.kit import Card, Game
from printing import stored_jobs
from printing.models import PrintJob
from printing.models.jobs import JobState
from printing.options import read_options
from printing.print_workers import alone, wake, wake_for, work_off
from printing.sheets import Job
from printing.stored_jobs import BIG_SIDES, MOST_OPEN, SILENT, claim, file_of, folder, is_big, settle, sweep, work
from tests.serving import ROOT
from tests.test_decks_two_writers import database

# 1,600 cards on both sides of the paper.
BIG = {"game": "spycraft", "text": "50 Kai\n50 Li", "copies": "20", "backs": "long", "paper": "a4"}
PAGES = 2 * -(-100 * 20 // 9)


@pytest.fixture
def clean(db: None) -> Iterator[None]:
    """No files of other tests."""
    for path in folder().iterdir():
        path.unlink()
    yield


def asked(client: Client, **fields: str) -> PrintJob:
    answer = client.post("/print/jobs/", BIG | fields)
    assert answer.status_code == 302, answer.content
    return PrintJob.objects.get(link=answer["Location"].split("/")[-2])


def fresh(row: PrintJob) -> PrintJob:
    return PrintJob.objects.get(pk=row.pk)


def silence(row: PrintJob) -> None:
    """As if its worker had been killed a while ago."""
    PrintJob.objects.filter(pk=row.pk).update(heartbeat=timezone.now() - SILENT - timedelta(seconds=1))


# -- which prints become jobs -----------------------------------------------------------


@pytest.mark.django_db
def test_a_small_print_is_made_at_once_and_a_big_one_offered_as_a_job(client: Client) -> None:
    small, big = (client.post("/print/", BIG | {"copies": copies}).content.decode() for copies in ("1", "20"))
    assert "Download the sheets" in small and "/print/jobs/&quot;" not in small
    assert f"Make {PAGES} pages" in big and "Download the sheets" not in big
    assert client.post("/print/sheets.pdf", BIG | {"copies": "1"}).content.startswith(b"%PDF")
    assert f"Make {PAGES} pages".encode() in client.post("/print/sheets.pdf", BIG).content
    assert not PrintJob.objects.exists()


def test_sheets_of_drawn_cards_are_made_at_once_up_to_four_hundred_sides(sixth_game: Game) -> None:
    card = Card("deaddrop", "a", "A", "parcel", {"weight": 3})
    options = read_options({"backs": "long"})
    assert [is_big(Job(sixth_game, ((card, 9 * sheets),), options=options)) for sheets in (200, 201)] == [False, True]


@pytest.mark.django_db
def test_a_small_print_that_is_asked_for_as_a_job_is_one(client: Client, clean: None) -> None:
    row = asked(client, copies="1", backs="none")
    assert work_off() == 1 and 0 < fresh(row).pages < BIG_SIDES


# -- from asking to the file ------------------------------------------------------------


def test_a_job_is_made_and_fetched(client: Client, clean: None) -> None:
    row = asked(client)
    page = client.get(f"/print/jobs/{row.link}/")
    assert (row.state, row.pages) == (JobState.WAITING, PAGES)
    assert b"Waiting for its turn" in page.content and b'hx-trigger="every 2s"' in page.content and b'http-equiv="refresh"' in page.content
    assert client.get(f"/print/jobs/{row.link}/file/").status_code == 404
    assert work_off() == 1
    page = client.get(f"/print/jobs/{row.link}/")
    assert b"every 2s" not in page.content and b'http-equiv="refresh"' not in page.content
    file: Any = client.get(f"/print/jobs/{row.link}/file/")
    data = b"".join(file.streaming_content)
    assert data.startswith(b"%PDF") and data.rstrip().endswith(b"%%EOF")
    assert (file["Cache-Control"], file["Content-Type"]) == ("private, no-store", "application/pdf")
    assert file["Content-Disposition"] == 'attachment; filename="spycraft-cards.pdf"'


def test_the_file_of_a_job_has_the_bytes_of_the_same_print_made_at_once(client: Client, clean: None) -> None:
    fields = {"copies": "1", "text": "12 Kai"}
    row = asked(client, **fields)
    work_off()
    path = file_of(fresh(row))
    assert path and path.read_bytes() == client.post("/print/sheets.pdf", BIG | fields).content


def test_progress_is_told_while_pages_are_made(client: Client, clean: None, monkeypatch: pytest.MonkeyPatch) -> None:
    row, seen = asked(client), []
    monkeypatch.setattr(stored_jobs, "BETWEEN", 0.0)

    def write(job: Any, out: Any, on_page: Any) -> None:
        for page in range(1, 4):
            on_page(page)
            seen.append(client.get(f"/print/jobs/{row.link}/", headers={"HX-Request": "true"}).content.decode())

    monkeypatch.setitem(stored_jobs.OUTPUTS, "sheets", stored_jobs.OUTPUTS["sheets"]._replace(write=write))
    work_off()
    assert [f"{page} of {PAGES} pages are made" in text for page, text in zip((1, 2, 3), seen, strict=True)] == [True] * 3
    assert all("<html" not in text for text in seen)


def test_half_a_file_has_no_address_and_leaves_nothing(client: Client, clean: None, monkeypatch: pytest.MonkeyPatch) -> None:
    row, there = asked(client), []

    def write(job: Any, out: Any, on_page: Any) -> None:
        out.write(b"%PDF half")
        there.append(([path.suffix for path in folder().iterdir()], client.get(f"/print/jobs/{row.link}/file/").status_code))
        raise OSError("the disk is full")

    monkeypatch.setitem(stored_jobs.OUTPUTS, "sheets", stored_jobs.OUTPUTS["sheets"]._replace(write=write))
    work_off()
    assert there == [([".part"], 404)]
    assert list(folder().iterdir()) == []
    ended = fresh(row)
    assert ended.state == JobState.FAILED and "Something went wrong here" in ended.error and "disk" not in ended.error


def test_a_job_that_cannot_be_printed_says_why(client: Client, clean: None) -> None:
    row = asked(client)
    row.request["fields"] = row.request["fields"].replace("Kai", "Nobody+Knows")
    row.save()
    work_off()
    assert fresh(row).state == JobState.FAILED and "Nobody Knows" in client.get(f"/print/jobs/{row.link}/").content.decode()


# -- whose it is ------------------------------------------------------------------------


def test_to_all_but_its_asker_there_is_nothing(client: Client, clean: None, django_user_model: Any) -> None:
    row, stranger, member = asked(client), Client(), Client()
    member.force_login(django_user_model.objects.create_user("somebody"))
    work_off()
    for other in (stranger, member):
        assert other.get("/print/jobs/").status_code == 200 and row.link not in other.get("/print/jobs/").content.decode()
        assert [other.get(f"/print/jobs/{row.link}/{part}").status_code for part in ("", "file/")] == [404, 404]
        assert [other.post(f"/print/jobs/{row.link}/{part}/").status_code for part in ("cancel", "again")] == [404, 404]
    assert row.link in client.get("/print/jobs/").content.decode()


def test_a_job_prints_what_its_asker_may_see_and_no_more(client: Client, clean: None) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Mine", "text": "4 Kai"})
    link = made["Location"].split("/")[2]
    row = _asked_for_deck(client, link)
    stranger = Client()
    assert stranger.post("/print/jobs/", {"deck": link, "paper": "a4"}).status_code == 404
    work_off()
    assert fresh(row).state == JobState.DONE
    again = _asked_for_deck(client, link)
    PrintJob.objects.filter(pk=again.pk).update(request={**again.request, "browser": ""})
    work_off()
    assert fresh(again).state == JobState.FAILED and "no longer there" in fresh(again).error


def _asked_for_deck(client: Client, link: str) -> PrintJob:
    return PrintJob.objects.get(link=client.post("/print/jobs/", {"deck": link, "paper": "a4"})["Location"].split("/")[-2])


def test_one_visitor_has_two_jobs_at_once_and_others_are_not_kept_waiting(client: Client, clean: None) -> None:
    rows = [asked(client) for _ in range(MOST_OPEN)]
    refused = client.post("/print/jobs/", BIG)
    assert refused.status_code == 429 and "are waiting or being made" in refused.content.decode()
    assert "50 Kai" in refused.content.decode()
    asked(Client())
    client.post(f"/print/jobs/{rows[0].link}/cancel/")
    asked(client)
    assert PrintJob.objects.count() == MOST_OPEN + 2


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/print/jobs/", "/print/jobs/abc/cancel/", "/print/jobs/abc/again/", "/print/presets/"])
def test_what_changes_something_needs_the_forms_token(address: str) -> None:
    assert Client(enforce_csrf_checks=True).post(address, BIG).status_code == 403


# -- cancelling, losing, expiring ---------------------------------------------------------


def test_a_job_that_waits_is_cancelled_and_made_again(client: Client, clean: None) -> None:
    row = asked(client, copies="1")
    client.post(f"/print/jobs/{row.link}/cancel/")
    assert fresh(row).state == JobState.CANCELLED and work_off() == 0
    again = client.post(f"/print/jobs/{row.link}/again/")
    assert again.status_code == 302 and row.link not in again["Location"]
    assert work_off() == 1


def test_a_job_that_runs_stops_at_its_next_page_when_cancelled(client: Client, clean: None, monkeypatch: pytest.MonkeyPatch) -> None:
    row, made = asked(client), []
    monkeypatch.setattr(stored_jobs, "BETWEEN", 0.0)

    def write(job: Any, out: Any, on_page: Any) -> None:
        for page in range(1, 10):
            if page == 3:
                client.post(f"/print/jobs/{row.link}/cancel/")
            on_page(page)
            made.append(page)

    monkeypatch.setitem(stored_jobs.OUTPUTS, "sheets", stored_jobs.OUTPUTS["sheets"]._replace(write=write))
    work_off()
    assert made == [1, 2] and fresh(row).state == JobState.CANCELLED
    assert list(folder().iterdir()) == []


def test_a_done_job_stays_done(client: Client, clean: None) -> None:
    row = asked(client, copies="1")
    work_off()
    client.post(f"/print/jobs/{row.link}/cancel/")
    assert fresh(row).state == JobState.DONE


def test_a_job_whose_worker_fell_silent_is_taken_once_more_and_then_has_failed(client: Client, clean: None) -> None:
    row = asked(client)
    first = claim()
    assert first and claim() is None
    silence(row)
    second = claim()
    assert second and (second.attempts, second.worker == first.worker) == (2, False)
    silence(row)
    assert claim() is None
    assert fresh(row).state == JobState.FAILED and "broken off twice" in fresh(row).error


def test_a_job_is_not_running_for_ever_where_no_worker_runs(client: Client, clean: None) -> None:
    row = asked(client)
    claim()
    silence(row)
    assert b"begins again by itself" in client.get(f"/print/jobs/{row.link}/").content
    claim()
    silence(row)
    assert b"broken off twice" in client.get(f"/print/jobs/{row.link}/").content


def test_a_worker_that_was_given_up_finishes_nothing(client: Client, clean: None) -> None:
    row = asked(client, copies="1")
    slow = claim()
    silence(row)
    quick = claim()
    assert slow and quick
    work(quick)
    done = fresh(row)
    work(slow)
    assert fresh(row).file == done.file and [path.name for path in folder().iterdir()] == [done.file]


def test_a_worker_that_is_told_to_stop_puts_its_job_back(client: Client, clean: None, monkeypatch: pytest.MonkeyPatch) -> None:
    row = asked(client)

    def write(job: Any, out: Any, on_page: Any) -> None:
        raise SystemExit(0)

    with monkeypatch.context() as told:
        told.setitem(stored_jobs.OUTPUTS, "sheets", stored_jobs.OUTPUTS["sheets"]._replace(write=write))
        with pytest.raises(SystemExit):
            work_off()
    assert (fresh(row).state, fresh(row).attempts) == (JobState.WAITING, 0)
    assert work_off() == 1


def test_a_file_is_kept_for_a_day_and_a_job_for_a_week(client: Client, clean: None) -> None:
    row = asked(client, copies="1")
    work_off()
    path = file_of(fresh(row))
    assert path
    sweep()
    assert path.exists()
    PrintJob.objects.filter(pk=row.pk).update(expires=timezone.now() - timedelta(seconds=1))
    assert client.get(f"/print/jobs/{row.link}/file/").status_code == 404
    assert "deleted after a day" in client.get(f"/print/jobs/{row.link}/").content.decode()
    assert not path.exists(), "what the page says is gone is gone"
    sweep()
    assert PrintJob.objects.filter(pk=row.pk).exists()
    PrintJob.objects.filter(pk=row.pk).update(made=timezone.now() - timedelta(days=8))
    sweep()
    assert client.get(f"/print/jobs/{row.link}/").status_code == 404


def test_nothing_is_settled_that_lives(client: Client, clean: None) -> None:
    row = asked(client)
    claim()
    settle()
    assert fresh(row).state == JobState.RUNNING


# -- who works --------------------------------------------------------------------------


def test_the_site_starts_a_worker_when_there_is_work(client: Client, clean: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []

    class Child:
        def __init__(self, command: list[str], **_: Any) -> None:
            started.append(command)

        def wait(self) -> int:
            return 0

    monkeypatch.setattr("printing.print_workers.subprocess.Popen", Child)
    asked(client)
    assert started == []
    settings.CUTOUT_PRINT_WORKER = "on-demand"
    row = asked(client)
    assert [command[-3:] for command in started] == [["print_worker", "--once", "--alone"]]
    monkeypatch.setattr("printing.print_workers._started", [-1e9])
    wake_for(row)
    assert len(started) == 1
    PrintJob.objects.filter(pk=row.pk).update(made=timezone.now() - timedelta(minutes=1))
    wake_for(fresh(row))
    wake_for(fresh(row))
    assert len(started) == 2


def test_a_site_with_workers_of_its_own_starts_none(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("printing.print_workers.subprocess.Popen", None)
    settings.CUTOUT_PRINT_WORKER = "separate"
    wake()


def test_the_sites_own_worker_is_one_on_a_machine(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr("printing.print_workers.PATIENCE", 0.0)
    with alone() as first, alone() as second:
        assert (first, second) == (True, False)
    with alone() as third:
        assert third


# -- real processes -----------------------------------------------------------------------

Environment = dict[str, str]

ASK = """
import django, sys; django.setup()
from django.http import QueryDict
from decks.visitors import Visitor
from printing.page.asking import Asking
from printing.page.remembered import Remembered
from printing.stored_jobs import ask
for number in range(int(sys.argv[1])):
    fields = QueryDict("game=spycraft&text=50+Kai%0A50+Li&copies=20&backs=long&paper=a4")
    print(ask(Asking(fields, True, Visitor(browser=f"{number:064d}"), Remembered({}))).link)
"""
# A worker that is slow, so that all of them are at it at once, and that says which jobs it made.
WORK = """
import django, sys, time; django.setup()
from printing import stored_jobs
stored_jobs.BETWEEN = 0.0
plain = stored_jobs.OUTPUTS["sheets"]
def slowly(job, out, on_page):
    def told(page):
        time.sleep(float(sys.argv[1]))
        on_page(page)
    plain.write(job, out, told)
stored_jobs.OUTPUTS["sheets"] = plain._replace(write=slowly)
while (row := stored_jobs.claim()) is not None:
    print(row.link, flush=True)
    stored_jobs.work(row)
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
