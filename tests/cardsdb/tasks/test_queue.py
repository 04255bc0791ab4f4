"""Of a worker that is gone it is known on its own machine alone."""

import socket
import subprocess

import pytest

from cardsdb.tasks import queue
from printing.models import PrintJob
from printing.tasks.jobs import JOBS


@pytest.mark.django_db
def test_of_workers_elsewhere_it_is_not_known_that_they_ended(monkeypatch, tmp_path):
    """A container has numbers of its own for its processes, and perhaps the host name of another."""
    ended = subprocess.Popen(["true"])
    ended.wait()
    with JOBS.claimed(PrintJob.objects.create(browser="b").pk) as row:
        here = row.worker.partition(":")[0]
    rows = {
        machine: JOBS.claim(PrintJob.objects.create(browser="b").pk, f"{machine}:{ended.pid}:x")
        for machine in (here, socket.gethostname())
    }
    assert [row for row, _ in JOBS.without_worker()] == [rows[here]]
    monkeypatch.setattr(queue, "PROCESSES", tmp_path)
    assert list(JOBS.without_worker()) == []
