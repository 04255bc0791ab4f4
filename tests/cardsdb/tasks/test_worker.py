"""The worker goes on after what goes wrong, and ends with whoever started it."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError

from cardsdb.tasks import worker


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits, and none starts a process or hears signals."""
    monkeypatch.setattr(worker, "POLL_INTERVAL", 0.0)
    monkeypatch.setattr(worker, "RECOVERY_INTERVAL", 0.0)
    monkeypatch.setattr(worker, "close_old_connections", lambda: None)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(worker.counting, "start", lambda *_: None)
    monkeypatch.setattr(worker, "_started", lambda queue: pytest.fail("a process was started"))


def test_a_worker_ends_with_the_server_that_it_runs_beside() -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    call_command("worker", "--beside", str(ended.pid))


def test_a_process_that_took_much_memory_makes_room_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while tasks never cease to wait."""
    worked = list[Any]()

    def work_one(queues: Any) -> bool:
        monkeypatch.setattr(worker, "_memory", lambda: worker.MAX_GROWTH + 1_000)
        return worked.append(queues) or True

    monkeypatch.setattr(worker, "_memory", lambda: 1_000)
    monkeypatch.setattr(worker, "work_one", work_one)
    worker._work("default", os.getppid())
    assert worked == [("default",)]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OperationalError("no route"), "and is asked again: no route"),
        (KeyError("x"), "goes on after an error"),
    ],
)
def test_a_recovery_that_goes_wrong_stops_no_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception, said: str
) -> None:
    looked = list[str]()

    def wrong() -> None:
        looked.append("wrong")
        raise error

    def right() -> None:
        looked.append("right")
        raise SystemExit

    monkeypatch.setattr(worker, "QUEUES", ())
    monkeypatch.setattr(worker, "_recoveries", lambda: [wrong, right])
    with pytest.raises(SystemExit):
        worker.work_on()
    assert looked == ["wrong", "right"] and said in caplog.text


@pytest.mark.django_db
def test_the_command_says_how_much_was_done(capsys: Any) -> None:
    call_command("worker", "--once")
    assert capsys.readouterr().out == "0 tasks done.\n"
