"""The worker continues after errors, and ends with the process that it runs beside."""

import gc
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock, call

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection

from cardsdb.tasks import worker
from cardsdb.tasks.queue import enqueue
from cardsdb.watch import metrics
from printing.tasks.jobs import JOBS
from tests.support.meanwhile import failing

DOWN = OperationalError("no route")


@pytest.fixture(autouse=True)
def at_once(settings, tmp_path, monkeypatch):
    """No test sleeps, and signal handlers and other changes to the process are undone."""
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    heard = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    rubbish = gc.get_threshold()
    yield
    for number, handler in heard.items():
        signal.signal(number, handler)
    gc.set_threshold(*rubbish)
    metrics.stop()


def test_a_worker_ends_with_the_server_that_it_runs_beside():
    ended = subprocess.Popen(["true"])
    ended.wait()
    call_command("worker", "--beside", str(ended.pid))


# -- recoveries -------------------------------------------------------------------------


def test_a_failing_recovery_stops_no_other(settings, caplog, monkeypatch):
    recoveries = {
        "down": Mock(side_effect=DOWN),
        "odd": Mock(side_effect=KeyError("x")),
        "right": Mock(return_value=3),
    }
    settings.CUTOUT_RECOVERIES = [*recoveries]
    monkeypatch.setattr(worker, "import_string", recoveries.get)
    assert worker.recover_all() == 3
    assert [recovery.call_count for recovery in recoveries.values()] == [1, 1, 1]
    assert "and is asked again: no route" in caplog.text and "goes on after an error" in caplog.text


# The worker closes connections inside a transaction, and on PostgreSQL a test's connection is one.
@pytest.mark.engine("sqlite")
@pytest.mark.django_db
@pytest.mark.parametrize("beginning", ["DELETE", "SELECT"])
def test_a_worker_continues_after_database_errors(settings, caplog, beginning):
    """The database fails when the queue is cleared or checked, then the worker is told to end."""
    settings.CUTOUT_RECOVERIES = []
    outcomes: Iterator[BaseException] = iter((DOWN, DOWN, SystemExit()))

    def asked(execute: Any, sql: str, *of: Any) -> Any:
        if sql.startswith(beginning):
            raise next(outcomes, SystemExit())
        return execute(sql, *of)

    with connection.execute_wrapper(asked), pytest.raises(SystemExit):
        worker.work_on()
    assert caplog.text.count("and is asked again: no route") == 2


@pytest.mark.engine("sqlite")
@pytest.mark.django_db
def test_a_worker_continues_if_no_process_can_be_started(settings, caplog, monkeypatch):
    settings.CUTOUT_RECOVERIES = []
    enqueue(JOBS.task, 1)
    outcomes: Iterator[BaseException] = iter((OSError("no memory"), SystemExit()))

    def started() -> None:
        raise next(outcomes, SystemExit())

    monkeypatch.setattr(worker, "_started", started)
    with pytest.raises(SystemExit):
        worker.work_on()
    assert "OSError: no memory" in caplog.text


@pytest.mark.django_db
def test_errors_of_the_task_process_are_logged(caplog):
    with failing(DOWN) as asked:
        worker._make_tasks()
    assert asked and "and is asked again: no route" in caplog.text


def test_a_process_gets_two_signals_with_time_after_each_before_it_is_killed():
    """A terminal signals both processes, so the worker's first signal is the second that its child gets."""
    process = Mock(is_alive=lambda: True)
    worker._stop(process)
    waits = [call.terminate(), call.join(10)]
    assert process.mock_calls == [*waits, *waits, call.kill()]
