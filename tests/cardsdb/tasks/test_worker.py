"""The worker goes on after what goes wrong, and ends with whoever started it."""

from __future__ import annotations

import signal
import socket
import subprocess
from pathlib import Path
from typing import Any
from unittest.mock import Mock, call

import pytest
from django.core.management import call_command
from django.db import OperationalError

from cardsdb.tasks import queue, worker


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits, and none starts a process or hears signals."""
    monkeypatch.setattr(worker, "POLL_INTERVAL", 0.0)
    monkeypatch.setattr(worker, "RECOVERY_INTERVAL", 0.0)
    monkeypatch.setattr(worker, "close_old_connections", lambda: None)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(worker.metrics, "start", lambda *_: None)
    monkeypatch.setattr(worker, "_started", lambda: pytest.fail("a process was started"))


def test_a_worker_ends_with_the_server_that_it_runs_beside() -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    call_command("worker", "--beside", str(ended.pid))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OperationalError("no route"), "and is asked again: no route"),
        (KeyError("x"), "goes on after an error"),
    ],
)
def test_a_recovery_that_goes_wrong_stops_no_other(
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    said: str,
) -> None:
    looked = list[str]()

    def wrong() -> None:
        looked.append("wrong")
        raise error

    def right() -> None:
        looked.append("right")
        raise SystemExit

    settings.CUTOUT_RECOVERIES = ["wrong", "right"]
    monkeypatch.setattr(worker, "import_string", {"wrong": wrong, "right": right}.__getitem__)
    with pytest.raises(SystemExit):
        worker.work_on()
    assert looked == ["wrong", "right"] and said in caplog.text


@pytest.mark.parametrize("step", ["forget_ended", "waits", "_started"])
def test_a_worker_goes_on_whatever_goes_wrong(
    monkeypatch: pytest.MonkeyPatch, settings: Any, caplog: pytest.LogCaptureFixture, step: str
) -> None:
    """A table that is not there yet, or no memory for another process."""
    tried = list[str]()

    def wrong() -> None:
        if tried:
            raise SystemExit
        tried.append(step)
        raise OSError("no memory")

    settings.CUTOUT_RECOVERIES = []
    monkeypatch.setattr(worker, "forget_ended", lambda: None)
    monkeypatch.setattr(worker, "waits", lambda: True)
    monkeypatch.setattr(worker, step, wrong)
    if step != "_started":
        monkeypatch.setattr(worker, "_started", lambda: None)
    with pytest.raises(SystemExit):
        worker.work_on()
    assert tried and "OSError: no memory" in caplog.text


def test_what_goes_wrong_in_the_process_that_makes_tasks_is_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def wrong(most: int) -> None:
        raise OperationalError("no route")

    monkeypatch.setattr(worker, "work_off", wrong)
    worker._make_tasks()
    assert "and is asked again: no route" in caplog.text


def test_of_workers_elsewhere_it_is_not_known_that_they_ended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A container has numbers of its own for its processes, and perhaps the host name of another."""
    ended = subprocess.Popen(["true"])
    ended.wait()
    assert queue._is_dead(f"{queue._machine()}:{ended.pid}:x")
    assert not queue._is_dead(f"{socket.gethostname()}:{ended.pid}:x")
    here = queue._machine()
    monkeypatch.setattr(queue, "PROCESSES", tmp_path)
    assert not queue._is_dead(f"{here}:{ended.pid}:x")


def test_a_process_that_puts_its_task_back_is_not_disturbed() -> None:
    """A terminal tells both processes to end, so that the first word of the worker is the second."""
    process = Mock(is_alive=lambda: True)
    worker._stop(process)
    assert process.mock_calls == [
        call.terminate(),
        call.join(10),
        call.terminate(),
        call.join(10),
        call.kill(),
    ]


@pytest.mark.django_db
def test_the_command_says_how_much_was_done(capsys: Any) -> None:
    call_command("worker", "--once")
    assert capsys.readouterr().out == "0 tasks done.\n"
