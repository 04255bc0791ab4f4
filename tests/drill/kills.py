"""The processes of the server are killed again and again while decks are written: what was acknowledged is
there, and no half of a deck.

On SQLite, and on PostgreSQL where one answers.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

from tests.drill.outcome import Outcome
from tests.drill.site import Site, on_postgresql, site
from tests.drill.writing import Writers
from tests.support.server import PATIENCE

KILLS, WRITERS = 8, 6
# Seconds between the kills. The server gives up where a process dies within 5.5 seconds of its start, so it
# is the turn of two.
PAUSE = 3.5


def run(folder: Path) -> Outcome:
    found = Outcome("kills")
    with site(folder, "kills-sqlite") as running:
        _killed(running, "SQLite", found)
    with on_postgresql(folder) as address:
        if address:
            with site(folder, "kills-postgresql", {"DATABASE_URL": address}) as running:
                _killed(running, "PostgreSQL", found)
    return found


def _killed(running: Site, engine: str, found: Outcome) -> None:
    with Writers(running, WRITERS) as writers:
        for _ in range(KILLS):
            time.sleep(PAUSE)
            os.kill(_oldest(running), signal.SIGKILL)
        time.sleep(PAUSE)
    until = time.monotonic() + PATIENCE
    while running.ask("/").status != 200 and time.monotonic() < until:
        time.sleep(0.2)
    lost = writers.lost()
    found.name += f", {sum(deck.acknowledged for deck in writers.decks)} changes on {engine}"
    found.wrong += [f"{engine}: {one}" for one in lost]
    found.lost += len(lost)
    found.asked += writers.asked
    found.refused += writers.refused
    found.answered += writers.answers[200] + writers.answers[201]
    if errors := {
        status: count for status, count in writers.answers.items() if status not in (0, 200, 201, 429, 503)
    }:
        found.wrong.append(f"{engine}: writers were answered {errors}")
    if not writers.answers[200]:
        found.wrong.append(f"{engine}: nothing was written")


def _oldest(running: Site) -> int:
    """The process that has answered for longest, a child of the server's own."""
    command = ["ps", "-o", "pid=,args=", "--sort=start_time,pid", "--ppid", str(running.server.pid)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return next(int(line.split()[0]) for line in told.splitlines() if "resource_tracker" not in line)
