"""The queue tells a worker that is gone from one that lives, and of other machines it knows nothing.

What becomes of a row whose worker is gone is seen where rows are: ``tests/printing/tasks/test_lost.py``, with
Redis ``test_redis.py`` beside it.
"""

from __future__ import annotations

import socket
import subprocess

import pytest

from cardsdb.tasks import queue
from printing.models import PrintJob
from printing.tasks.jobs import JOBS

pytestmark = pytest.mark.django_db


def new_job() -> int:
    return PrintJob.objects.create(browser="b").pk


@pytest.fixture
def this_machine():
    """The name of this machine in the names of its workers; the job of a worker that lives is left behind."""
    with JOBS.claimed(new_job()) as row:
        return row.worker.partition(":")[0]


@pytest.fixture
def ended_process():
    """The number of a process of this machine that has ended."""
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


@pytest.fixture
def left_here(this_machine, ended_process):
    """A job whose worker ended on this machine."""
    return JOBS.claim(new_job(), f"{this_machine}:{ended_process}:x")


def jobs_without_worker() -> list[PrintJob]:
    return [row for row, _ in JOBS.without_worker()]


def test_only_workers_of_this_machine_are_known_to_be_dead(left_here, ended_process):
    """A machine is more than its host name, which several containers may share."""
    JOBS.claim(new_job(), f"{socket.gethostname()}:{ended_process}:x")
    assert jobs_without_worker() == [left_here]


def test_a_container_with_processes_of_its_own_is_another_machine(left_here, monkeypatch, tmp_path):
    assert jobs_without_worker() == [left_here]
    monkeypatch.setattr(queue, "PROCESSES", tmp_path)
    assert jobs_without_worker() == []
