"""Stored print jobs that have ended, or have not yet: files are deleted by their asker, none counts that is
gone, none is made twice.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from cardsdb.models import RowState
from cardsdb.tasks.worker import work_off
from printing.models import PrintJob
from printing.tasks import jobs
from tests.support.print_jobs import BIG, claim, folder, fresh, no_files_of_others, path_of, stored_job  # noqa: F401

FEW = {"text": "1 Kai", "copies": "1"}


def over_api() -> Any:
    return Client().post(
        "/api/v1/sheets/", json.dumps(BIG | {"copies": "20"}), content_type="application/json"
    )


# -- files that are gone ------------------------------------------------------------------


def test_files_that_are_gone_take_nobodys_room(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_FILES", 1)
    row = stored_job(client, **FEW)
    work_off()
    assert client.post("/print/jobs/", BIG | FEW).status_code == 429
    (folder() / fresh(row).file).unlink()
    stored_job(client, **FEW)


def test_a_finished_file_is_deleted_from_its_page(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_FILES", 1)
    row = stored_job(client, **FEW)
    work_off()
    path = path_of(fresh(row))
    assert path and "Delete this file" in client.get(f"/print/jobs/{row.link}/").content.decode()
    assert client.post(f"/print/jobs/{row.link}/cancel/").status_code == 302
    page = client.get(f"/print/jobs/{row.link}/").content.decode()
    assert (
        not path.exists()
        and "The file is no longer kept" in page
        and "Make it again" in page
        and "Delete this file" not in page
    )
    assert client.get(f"/print/jobs/{row.link}/file/").status_code == 404
    again = client.post(f"/print/jobs/{row.link}/again/")
    assert again.status_code == 302 and row.link not in again["Location"]


def test_a_finished_file_is_deleted_over_the_api(db: None) -> None:
    job = over_api().json()
    key = {"X-Job-Key": job["key"]}
    work_off()
    done = Client().get(job["address"], headers=key).json()
    assert done["state"] == "done" and done["file"]
    assert Client().delete(job["address"]).status_code == 404
    deleted = Client().delete(job["address"], headers=key).json()
    assert (deleted["state"], deleted["file"]) == ("done", "")
    assert list(folder().iterdir()) == [] and Client().get(done["file"], headers=key).status_code == 404


# -- never twice, and one of two -----------------------------------------------------------


@pytest.mark.parametrize("state", ["waiting", "running"])
def test_what_is_under_way_is_not_asked_for_again(client: Client, state: str) -> None:
    row = stored_job(client, **FEW)
    if state == "running":
        claim()
    answer = client.post(f"/print/jobs/{row.link}/again/")
    assert row.link in answer["Location"] and PrintJob.objects.count() == 1


def test_of_two_that_ask_at_once_for_the_last_place_one_has_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored_job(client, **FEW)
    counted, answers = jobs._counted_with, []

    def another_comes(row: PrintJob) -> Any:
        """Between the row and its being counted the other is stored and counted."""
        if not answers:
            answers.append(None)
            answers[0] = client.post("/print/jobs/", BIG | FEW).status_code
        return counted(row)

    monkeypatch.setattr(jobs, "_counted_with", another_comes)
    answers.append(client.post("/print/jobs/", BIG | FEW).status_code)
    assert sorted(answers) == [302, 429]
    assert PrintJob.objects.filter(state=RowState.WAITING).count() == 2


# -- when to come again ---------------------------------------------------------------------


def test_whoever_is_refused_is_told_when_to_come_again(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_OPEN_OF_ALL", 0)
    busy = over_api()
    assert busy.status_code == 503 and int(busy["Retry-After"]) > 0
    monkeypatch.undo()
    monkeypatch.setattr(jobs, "MAX_A_DAY", 0)
    monkeypatch.setattr(jobs, "AT_ONE_ADDRESS", 1)
    monkeypatch.setattr(jobs, "MAX_OPEN", 5)
    assert over_api().status_code == 429
    monkeypatch.setattr(jobs, "MAX_A_DAY", 1)
    assert over_api().status_code == 202
    PrintJob.objects.update(made=timezone.now() - timedelta(hours=23))
    tomorrow = over_api()
    assert tomorrow.status_code == 429 and 3000 < int(tomorrow["Retry-After"]) <= 3600


def test_a_page_that_refuses_says_so_too(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_OPEN_OF_ALL", 0)
    answer = client.post("/print/jobs/", BIG | FEW)
    assert answer.status_code == 503 and int(answer["Retry-After"]) > 0
