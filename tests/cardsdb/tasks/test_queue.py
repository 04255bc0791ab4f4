"""The queue recognises dead workers of this machine, and assumes nothing about other machines.

What happens to their rows is tested with these: ``tests/printing/tasks/test_lost.py``, and ``test_redis.py``
with Redis.
"""

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
    """This machine's name within the names of workers. A job of a living worker remains."""
    with JOBS.claimed(new_job()) as row:
        return row.worker.partition(":")[0]


@pytest.fixture
def ended_process():
    """The id of a process of this machine that has ended."""
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


@pytest.fixture
def left_here(this_machine, ended_process):
    """A job whose worker has ended on this machine."""
    return JOBS.claim(new_job(), f"{this_machine}:{ended_process}:x")


def jobs_without_worker() -> list[PrintJob]:
    return [row for row, _ in JOBS.without_worker()]


def test_only_workers_of_this_machine_are_known_to_be_dead(left_here, ended_process):
    """The host name does not identify a machine: several containers may share it."""
    JOBS.claim(new_job(), f"{socket.gethostname()}:{ended_process}:x")
    assert jobs_without_worker() == [left_here]


def test_a_container_with_processes_of_its_own_is_another_machine(left_here, monkeypatch, tmp_path):
    assert jobs_without_worker() == [left_here]
    monkeypatch.setattr(queue, "PROCESSES", tmp_path)
    assert jobs_without_worker() == []
