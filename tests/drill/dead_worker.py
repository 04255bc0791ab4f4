"""Drill: the worker is killed with all its processes while it makes a print. ``make run`` must start another,
which makes the print.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tests.drill.outcome import Outcome
from tests.drill.site import Asked, Site, children, site, until

# A print that is too big to be made within a request.
BIG = {"game": "spycraft", "text": "50 Kai\n50 Li", "copies": "20", "backs": "long", "paper": "a4"}


class Job(NamedTuple):
    """A print job: the address of its state, and the key to it."""

    address: str
    key: str


def run(folder: Path) -> Outcome:
    outcome = Outcome("dead worker")
    with site(folder, "dead_worker", with_worker=True) as running:
        job = ask_for_job(running)
        outcome.asked, outcome.answered = 1, 1
        if not until(lambda: state_of(running, job) == "running"):
            outcome.wrong.append("no worker took the print")
        killed = _worker(running)
        for process in killed:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        if len(killed) < 2:
            outcome.wrong.append("the worker was not found")
        if not until(lambda: state_of(running, job) == "done"):
            outcome.wrong.append(f"the print is {state_of(running, job)}")
            outcome.lost = 1
        if set(_worker(running)) & set(killed):
            outcome.wrong.append("the worker was not killed")
    if running.outlived:
        outcome.wrong.append("the worker did not end with the server")
    return outcome


def ask_for_job(running: Asked) -> Job:
    """Ask for a print that becomes a job; return the job."""
    answer = running.ask("/api/v1/sheets/", "POST", BIG)
    assert answer.status == 202, (answer.status, answer.body[:400])
    return Job(answer.json["address"], answer.json["key"])


def state_of(running: Asked, job: Job) -> str:
    """Return the job's state, such as "running" or "done"."""
    return str(running.ask(job.address, headers={"X-Job-Key": job.key}).json["state"])


def _worker(running: Site) -> list[int]:
    """Return the process ids of the worker, its main process first, without the shell that restarts it."""
    found = []
    for child in children(running.server.pid):
        for process in (child, *children(child)):
            # Arguments are separated by NUL bytes.
            words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
            if b"worker" in words and b"--beside" in words and b"sh" not in words[0]:
                found += [process, *children(process)]
    return list(dict.fromkeys(found))
