"""What stored print jobs take of the site: rows, places in the queue and room, of one visitor, of one address
and of all together.
"""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from cardsdb.models import RowState
from cardsdb.tasks.worker import work_off
from printing.exports import kinds
from printing.models import PrintJob
from printing.tasks import files, jobs
from printing.tasks.files import sweep, sweep_now_and_then
from printing.tasks.jobs import AT_ONE_ADDRESS, MAX_OPEN
from tests.support.print_jobs import BIG, claim, folder, fresh, no_files_of_others, path_of, stored_job  # noqa: F401

FEW = {"text": "1 Kai", "copies": "1"}
ELSEWHERE = {"REMOTE_ADDR": "198.51.100.7"}


def refused(client: Client, **extra: str) -> tuple[int, str]:
    """The answer to somebody who asks for a job: its status and its words."""
    answer = client.post("/print/jobs/", BIG | FEW, **extra)
    return answer.status_code, answer.content.decode()


def over_api(**extra: str) -> Any:
    """Asked for without an account, as by somebody new each time."""
    return Client(**extra).post(
        "/api/v1/sheets/", json.dumps(BIG | {"copies": "20"}), content_type="application/json"
    )


# -- rows -------------------------------------------------------------------------------------


def test_one_visitor_asks_for_so_many_jobs_a_day_however_they_end(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "MAX_A_DAY", 3)
    for _ in range(3):
        client.post(f"/print/jobs/{stored_job(client, **FEW).link}/cancel/")
    status, words = refused(client)
    assert status == 429 and "3 of your jobs were asked for within a day" in words and "1 Kai" in words
    assert PrintJob.objects.count() == 3
    again = client.post(f"/print/jobs/{PrintJob.objects.earliest('made').link}/again/")
    assert again.status_code == 429 and PrintJob.objects.count() == 3
    stored_job(Client(), **FEW)
    PrintJob.objects.update(made=timezone.now() - timedelta(days=1, seconds=1))
    stored_job(client, **FEW)


def test_whoever_is_somebody_new_each_time_is_bound_by_their_address(db: None) -> None:
    most = AT_ONE_ADDRESS * MAX_OPEN
    assert [over_api().status_code for _ in range(most)] == [202] * most
    answer = over_api()
    assert (answer.status_code, answer.json()[0]["code"]) == (429, "too_many_jobs")
    assert f"{most} jobs from your network are waiting or being made" in answer.json()[0]["message"]
    status, words = refused(Client())
    assert status == 429 and "from your network" in words, "pages and API draw on the same"
    assert over_api(**ELSEWHERE).status_code == 202
    assert PrintJob.objects.count() == most + 1


def test_an_address_is_kept_as_a_hash_and_not_as_itself(db: None) -> None:
    over_api(**ELSEWHERE)
    over_api()
    here, there = (row.sender for row in PrintJob.objects.order_by("pk"))
    assert here != there and len(here) == len(there) > 20
    assert ELSEWHERE["REMOTE_ADDR"] not in json.dumps(
        [row.request | {"sender": row.sender} for row in PrintJob.objects.all()]
    )


@pytest.mark.parametrize(("state", "days"), [("cancelled", 1), ("failed", 1), ("done", 7)])
def test_what_came_to_nothing_is_forgotten_after_a_day(client: Client, state: str, days: int) -> None:
    row = stored_job(client, **FEW)
    for passed, there in ((days * 24 - 1, True), (days * 24 + 1, False)):
        made = timezone.now() - timedelta(hours=passed)
        PrintJob.objects.filter(pk=row.pk).update(state=state, made=made, expires=made + timedelta(days=1))
        sweep()
        assert PrintJob.objects.filter(pk=row.pk).exists() == there


def test_sweeps_follow_each_other_until_nothing_old_is_left(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        client.post(f"/print/jobs/{stored_job(client, **FEW).link}/cancel/")
    monkeypatch.setattr(files, "_swept", [-1e9])
    monkeypatch.setattr(files, "MAX_SWEPT", 2)
    PrintJob.objects.update(made=timezone.now() - timedelta(days=8))
    left = []
    for _ in range(3):
        sweep_now_and_then()
        left.append(PrintJob.objects.count())
    assert left == [1, 0, 0]
    client.post(f"/print/jobs/{stored_job(client, **FEW).link}/cancel/")
    PrintJob.objects.update(made=timezone.now() - timedelta(days=8))
    sweep_now_and_then()
    assert PrintJob.objects.count() == 1, "then not at every page"


def test_of_all_visitors_so_many_jobs_are_stored_and_those_without_a_file_give_way(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_ROWS", 3)
    done = stored_job(client, **FEW)
    work_off()
    cancelled, waiting = stored_job(client, **FEW), stored_job(client, **FEW)
    client.post(f"/print/jobs/{cancelled.link}/cancel/")
    new = stored_job(Client(), **FEW)
    assert set(PrintJob.objects.values_list("pk", flat=True)) == {done.pk, waiting.pk, new.pk}
    status, words = refused(Client())
    assert status == 503 and "Too many files" in words, "nobody's file and nobody's turn is taken away"
    PrintJob.objects.filter(pk=done.pk).update(expires=timezone.now() - timedelta(seconds=1))
    stored_job(Client(), **FEW)
    assert not PrintJob.objects.filter(pk=done.pk).exists()


# -- room -------------------------------------------------------------------------------------


def test_what_one_address_keeps_leaves_room_for_others(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = stored_job(client, **FEW)
    work_off()
    path = path_of(fresh(row))
    assert path and fresh(row).size == path.stat().st_size
    monkeypatch.setattr(files, "MAX_BYTES_OF_ONE", fresh(row).size)
    for somebody in (client, Client()):
        status, words = refused(somebody)
        assert status == 429 and "take all the room" in words
    assert PrintJob.objects.count() == 1
    stored_job(Client(**ELSEWHERE), **FEW)
    PrintJob.objects.filter(pk=row.pk).update(expires=timezone.now() - timedelta(seconds=1))
    stored_job(client, **FEW)


def test_an_account_does_not_get_more_room_at_another_address(
    client: Client, django_user_model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(django_user_model.objects.create_user("somebody"))
    stored_job(client, **FEW)
    work_off()
    monkeypatch.setattr(files, "MAX_BYTES_OF_ONE", 1)
    assert refused(client, **ELSEWHERE)[0] == 429


def test_what_waited_while_the_room_went_is_not_begun(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, begun = stored_job(client, **FEW), []
    monkeypatch.setattr(kinds, "write_sheets", lambda *_: begun.append(1))
    (folder() / "of_others.pdf").write_bytes(b"x" * 1000)
    monkeypatch.setattr(files, "MAX_BYTES", 1000)
    work_off()
    assert fresh(row).state == RowState.FAILED and "the server has no room" in fresh(row).error
    assert begun == [] and [path.name for path in folder().iterdir()] == ["of_others.pdf"]


@pytest.mark.parametrize("bound", ["MAX_BYTES", "MAX_BYTES_OF_ONE"])
def test_a_file_takes_no_more_than_the_room_that_is_left(
    client: Client, bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = stored_job(client, **FEW), stored_job(client, **FEW)
    sizes, plain = [], Path.unlink

    def unlink(path: Path, missing_ok: bool = False) -> None:
        if path.suffix == ".part" and path.exists():
            sizes.append(path.stat().st_size)
        plain(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink)
    jobs.work(claim() or first)
    left = fresh(first).size // 2
    monkeypatch.setattr(files, bound, fresh(first).size + left)
    work_off()
    assert [fresh(row).state for row in (first, second)] == [RowState.DONE, RowState.FAILED]
    assert "the server has no room" in fresh(second).error
    assert len(sizes) == 1 and sizes[0] <= left
    assert [path.name for path in folder().iterdir()] == [fresh(first).file]
