"""Drill: processes of the server are killed again and again while decks are written. Every acknowledged
change must be there, and no deck may be half written.

Runs on SQLite, and on PostgreSQL if a server answers.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

from tests.drill.outcome import Outcome
from tests.drill.site import NOTHING, REFUSED, Site, on_postgresql, site, until
from tests.drill.writing import Writers

KILLS = 8
WRITERS = 6
# Seconds between the kills. The server gives up if a process dies within 5.5 seconds of its start; the oldest
# of two is killed each time, so each lives for 7.
PAUSE = 3.5


def run(folder: Path) -> Outcome:
    outcome = Outcome("kills")
    with site(folder, "kills-sqlite") as running:
        _killed(running, "SQLite", outcome)
    with on_postgresql(folder) as address:
        if address:
            with site(folder, "kills-postgresql", {"DATABASE_URL": address}) as running:
                _killed(running, "PostgreSQL", outcome)
    return outcome


def _killed(running: Site, engine: str, outcome: Outcome) -> None:
    """Run writers, kill processes, and add what was lost or wrong to the outcome."""
    with Writers(running, WRITERS) as writers:
        for _ in range(KILLS):
            time.sleep(PAUSE)
            os.kill(_oldest(running), signal.SIGKILL)
        time.sleep(PAUSE)
    until(lambda: running.ask("/").status == 200)
    outcome.name += f", {writers.answers[200]} changes on {engine}"
    writers.add_to(outcome)
    # A killed process answers nothing.
    if errors := set(writers.answers) - {NOTHING, 200, 201} - REFUSED:
        outcome.wrong.append(f"{engine}: writers were answered {errors}")
    if not writers.answers[200]:
        outcome.wrong.append(f"{engine}: nothing was written")


def _oldest(running: Site) -> int:
    """Return the process id of the server's oldest child that answers requests."""
    command = ["ps", "-o", "pid=,args=", "--sort=start_time,pid", "--ppid", str(running.server.pid)]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return next(int(line.split()[0]) for line in listing.splitlines() if "resource_tracker" not in line)
