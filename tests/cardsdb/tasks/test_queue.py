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
def ended_process():
    """The id of a process of this machine that has ended."""
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def test_only_workers_of_this_machine_are_known_to_be_dead(ended_process, monkeypatch, tmp_path):
    """The host name does not identify a machine: several containers may share it."""

    def without_worker() -> list[PrintJob]:
        return [row for row, _ in JOBS.without_worker()]

    # A job of a living worker remains.
    with JOBS.claimed(new_job()) as row:
        this_machine = row.worker.partition(":")[0]
    left_here = JOBS.claim(new_job(), f"{this_machine}:{ended_process}:x")
    JOBS.claim(new_job(), f"{socket.gethostname()}:{ended_process}:x")
    assert without_worker() == [left_here]
    # A container with processes of its own is another machine.
    monkeypatch.setattr(queue, "PROCESSES", tmp_path)
    assert without_worker() == []
