"""Large files of own texts: compared and taken in by a worker, with progress, to be cancelled, and all or
nothing.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from cardsdb.box import comparing, texts
from cardsdb.box import jobs as box_jobs
from cardsdb.games import games
from cardsdb.models import OwnBox, OwnText, RowState
from cardsdb.tasks.worker import work_off
from printing.models import PrintJob
from printing.tasks import jobs
from printing.web import own_views
from tests.support.print_jobs import fresh, silence, waiting_folder

pytestmark = pytest.mark.django_db
CARDS = games()["spycraft"].cards[:4]
TABLE = "\n".join(
    ["id,text", *(f"{card.code},Zeppelin {number}." for number, card in enumerate(CARDS)), "nobody,Lost."]
).encode()


@pytest.fixture(autouse=True)
def only_two_rows_at_once(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(own_views, "MAX_ROWS_AT_ONCE", 2)
    monkeypatch.setattr(jobs, "BETWEEN", 0.0)
    for module in (comparing, box_jobs):
        monkeypatch.setattr(module, "EVERY", 1)


def sent(client: Client, data: bytes = TABLE) -> PrintJob:
    """The job that looks at a file."""
    answer = client.post("/own/", {"file": SimpleUploadedFile("mine.csv", data), "game": "spycraft"})
    assert answer.status_code == 302, answer.content.decode()
    return PrintJob.objects.get(link=answer["Location"].split("/")[-2])


def kept(client: Client, look: PrintJob) -> PrintJob:
    """The job that takes in what another looked at."""
    answer = client.post("/own/add/", {"token": look.request["token"], "game": "spycraft", "do": "add"})
    return PrintJob.objects.get(link=answer["Location"].split("/")[-2])


def page(client: Client, row: PrintJob, **headers: str) -> str:
    return client.get(f"/own/jobs/{row.link}/", headers=headers).content.decode()


def is_waiting() -> bool:
    return bool(list(waiting_folder().iterdir()))


def test_a_large_file_of_no_known_game_is_asked_about_at_once(client: Client) -> None:
    data = b"name,text\n" + b"Qqq,Zzz\n" * 5
    answer = client.post("/own/", {"file": SimpleUploadedFile("mine.csv", data)})
    assert answer.status_code == 400 and "No row of it is a card of a game" in answer.content.decode()
    assert not PrintJob.objects.exists()


def test_a_large_file_is_looked_at_and_taken_in_by_a_worker(client: Client) -> None:
    look = sent(client)
    assert "Waiting for its turn" in page(client, look) and 'http-equiv="refresh"' in page(client, look)
    assert work_off() == 1
    shown = page(client, look)
    assert (
        "4 would be added" in shown
        and "Zeppelin" in shown
        and "“nobody” is no card" in shown
        and not OwnText.objects.exists()
    )
    keep = kept(client, look)
    assert work_off() == 1
    assert "4 cards of Spycraft added, 0 changed, 0 left alone." in page(client, keep)
    assert OwnText.objects.count() == 4 and not is_waiting()
    assert not PrintJob.objects.filter(pk=look.pk).exists()


def test_a_large_file_that_no_worker_has_seen_for_a_while_says_that_none_runs(client: Client) -> None:
    look = sent(client)
    PrintJob.objects.update(queued=timezone.now() - jobs.UNSEEN - timedelta(seconds=1))
    assert "This waits for a worker" in page(client, look)


def test_a_file_of_many_bytes_is_a_job_however_few_its_rows(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_views, "MAX_ROWS_AT_ONCE", 1_000)
    for bound in ("MAX_AT_ONCE", "MAX_UNPACKED_AT_ONCE"):
        with monkeypatch.context() as bounds:
            bounds.setattr(own_views, bound, 20)
            assert sent(client).state == RowState.WAITING


def test_its_progress_moves_and_is_shown(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    look, seen = sent(client), list[tuple[int, int]]()
    read = comparing._read

    def watched(*args: Any) -> None:
        seen.append((fresh(look).pages_done, fresh(look).pages))
        if len(seen) == 4:
            assert "4 of 5 rows are compared" in page(client, look, **{"HX-Request": "true"})
        read(*args)

    monkeypatch.setattr(comparing, "_read", watched)
    work_off()
    assert seen == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]
    assert client.get(f"/own/jobs/{look.link}/", headers={"HX-Request": "true"})["HX-Refresh"] == "true"


def test_the_progress_of_taking_in_counts_pictures_too(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = sent(client)
    work_off()
    keep, read, shown = kept(client, look), comparing._read, list[str]()

    def watched(*args: Any) -> None:
        shown.append(page(client, keep, **{"HX-Request": "true"}))
        read(*args)

    monkeypatch.setattr(comparing, "_read", watched)
    work_off()
    assert "1 of 5 rows and pictures are done" in shown[0]


@pytest.mark.parametrize("keep", [False, True])
def test_one_that_is_cancelled_meanwhile_stops_and_keeps_nothing(
    client: Client, monkeypatch: pytest.MonkeyPatch, keep: bool
) -> None:
    row = sent(client)
    if keep:
        work_off()
        row = kept(client, row)
    read, compared = comparing._read, list[int]()

    def cancelled(*args: Any) -> None:
        compared.append(1)
        client.post(f"/print/jobs/{row.link}/cancel/")
        read(*args)

    monkeypatch.setattr(comparing, "_read", cancelled)
    work_off()
    assert len(compared) == 1 and fresh(row).state == RowState.CANCELLED and not OwnText.objects.exists()
    assert "Cancelled. Nothing was kept." in page(client, row) and is_waiting()


def test_one_that_is_cancelled_when_all_is_written_keeps_nothing(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = sent(client)
    work_off()
    kept(client, look)
    move, written = jobs._move, list[int]()

    def cancelled(rows: Any, state: RowState, **values: Any) -> int:
        written.append(OwnText.objects.count())
        return 0 if state == RowState.DONE else move(rows, state, **values)

    monkeypatch.setattr(jobs, "_move", cancelled)
    work_off()
    assert 4 in written and not OwnText.objects.exists()


def test_one_whose_worker_is_killed_half_way_leaves_nothing_and_is_done_by_the_next(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = sent(client)
    work_off()
    keep = kept(client, look)
    with monkeypatch.context() as killed:
        create, calls = type(OwnText.objects).bulk_create, list[int]()

        def half(manager: Any, rows: list[OwnText], **kwargs: Any) -> None:
            calls.append(len(create(manager, rows[:2], **kwargs)))
            raise SystemExit

        killed.setattr(type(OwnText.objects), "bulk_create", half)
        work_off(1)
    assert calls == [2] and not OwnText.objects.exists()
    assert "broken off" not in page(client, keep) and fresh(keep).state == RowState.WAITING
    PrintJob.objects.filter(pk=keep.pk).update(state=RowState.RUNNING, attempts=1)
    silence(keep)
    assert "broken off and waits" in page(client, keep)
    work_off()
    assert OwnText.objects.count() == 4 and fresh(keep).state == RowState.DONE


def test_a_file_that_is_refused_when_it_is_kept_waits_on(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = sent(client)
    work_off()
    monkeypatch.setattr(texts, "MAX_TEXTS", 3)
    keep = kept(client, look)
    work_off()
    shown = page(client, keep)
    assert "You have room for 3 texts" in shown and "Check it again" in shown and is_waiting()
    monkeypatch.undo()
    client.post("/own/add/", {"token": keep.request["token"], "game": "spycraft", "do": "add"})
    assert OwnText.objects.count() == 4


def test_a_file_that_cannot_be_read_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_views, "MAX_AT_ONCE", 20)
    look = sent(client, TABLE + b'\n"never closed,' + b"x" * 200_000)
    work_off()
    assert "is no row of a table" in page(client, look) and fresh(look).state == RowState.FAILED


def test_only_who_sent_it_sees_how_far_it_is(client: Client) -> None:
    client.force_login(User.objects.create_user("ada"))
    look = sent(client)
    work_off()
    stranger = Client()
    assert stranger.get(f"/own/jobs/{look.link}/").status_code == 404
    assert stranger.post(f"/print/jobs/{look.link}/cancel/").status_code == 404
    assert "Zeppelin" in page(client, look) and b"Looking at" not in client.get("/print/jobs/").content
    assert (
        client.get(f"/print/jobs/{look.link}/", follow=True).redirect_chain[0][0] == f"/own/jobs/{look.link}/"
    )


def test_what_was_told_of_a_file_goes_with_it(client: Client) -> None:
    look = sent(client)
    work_off()
    client.post("/own/add/", {"token": look.request["token"], "do": "forget"})
    assert not PrintJob.objects.exists() and not is_waiting() and not OwnBox.objects.exists()


def test_a_large_file_whose_game_nobody_knows_asks_for_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_views, "MAX_AT_ONCE", 20)
    gulls = b"Name,Type\n" + b"".join(b"Gull %d,Agent\n" % number for number in range(4))
    answer = client.post("/own/", {"file": SimpleUploadedFile("gulls.csv", gulls)})
    row = PrintJob.objects.get(link=answer["Location"].split("/")[-2])
    work_off()
    shown = page(client, row)
    assert "Say which game it is" in shown and shown.count('name="game"') == 1 and is_waiting()
    again = client.post("/own/add/", {"token": row.request["token"], "game": "spycraft", "do": "look"})
    work_off()
    assert "Make 4 cards" in client.get(again["Location"]).content.decode()
