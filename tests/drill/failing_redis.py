"""Drill: the Redis for counts and tasks answers with errors. No visitor may see one, and prints asked for
meanwhile must be made once it works again.
"""

from __future__ import annotations

import time
from pathlib import Path

from tests.drill.dead_worker import ask_for_job, state_of
from tests.drill.outcome import Outcome
from tests.drill.site import DECK, Site, site
from tests.support.redis_server import FULL, REPLICA, WELL, Server

# Requests of each kind per fault, and seconds to wait for the prints.
ROUNDS, PATIENCE = 10, 90.0


def run(folder: Path) -> Outcome:
    outcome = Outcome("failing Redis")
    place = folder / "redis"
    place.mkdir()
    server = Server(place)
    try:
        with site(
            folder, "failing_redis", {"CACHE_URL": server.url, "TASKS_URL": server.url}, with_worker=True
        ) as running:
            jobs = [ask_for_job(running)]
            for how in (FULL, REPLICA):
                server.become(how)
                for number in range(ROUNDS):
                    _asked(running, outcome, f"/cards/?q=-name:{how[0]}{number}")
                    _asked(running, outcome, "/api/v1/decks/", DECK, 201)
                jobs.append(ask_for_job(running))
                if b"CACHE_URL fails" not in running.ask("/readyz").body:
                    outcome.wrong.append(f"/readyz does not say that the Redis is {how}")
            if b"cutout_shared_cache_failures_total 0.0" in running.ask("/metrics").body:
                outcome.wrong.append("no failure was counted")
            server.become(WELL)
            until = time.monotonic() + PATIENCE
            while jobs and time.monotonic() < until:
                jobs = [job for job in jobs if state_of(running, job) != "done"]
                time.sleep(0.5)
            outcome.lost = len(jobs)
            if jobs:
                outcome.wrong.append(f"{len(jobs)} print jobs were not made")
    finally:
        server.stop()
    return outcome


def _asked(running: Site, outcome: Outcome, path: str, body: object = None, wanted: int = 200) -> None:
    """Send a request and note in the outcome whether its status was the wanted one."""
    answer = running.ask(path, "POST" if body else "GET", body)
    outcome.asked += 1
    outcome.slowest = max(outcome.slowest, answer.seconds)
    if answer.status == wanted:
        outcome.answered += 1
    else:
        outcome.wrong.append(f"{path} was answered {answer.status}")
