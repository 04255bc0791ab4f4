"""Drill: the Redis for counts and tasks answers with errors. No visitor may see one, and prints asked for
meanwhile must be made once it works again.
"""

from __future__ import annotations

from pathlib import Path

from tests.drill.dead_worker import ask_for_job, state_of
from tests.drill.outcome import Outcome
from tests.drill.site import DECK, site, until
from tests.support.redis_server import FULL, REPLICA, WELL, Server

# Requests of each kind per fault.
ROUNDS = 10
# Seconds to wait for the prints.
PATIENCE = 90.0


def run(folder: Path) -> Outcome:
    outcome = Outcome("failing Redis")
    place = folder / "redis"
    place.mkdir()
    server = Server(place)
    addresses = {"CACHE_URL": server.url, "TASKS_URL": server.url}
    try:
        with site(folder, "failing_redis", addresses, with_worker=True) as running:
            jobs = [ask_for_job(running)]
            for how in (FULL, REPLICA):
                server.become(how)
                for number in range(ROUNDS):
                    outcome.note("a search", running.ask(f"/cards/?q=-name:{how[0]}{number}"))
                    outcome.note("a new deck", running.ask("/api/v1/decks/", "POST", DECK), 201)
                jobs.append(ask_for_job(running))
                if b"CACHE_URL fails" not in running.ask("/readyz").body:
                    outcome.wrong.append(f"/readyz does not say that the Redis is {how}")
            if b"cutout_shared_cache_failures_total 0.0" in running.ask("/metrics").body:
                outcome.wrong.append("no failure was counted")
            server.become(WELL)
            until(lambda: all(state_of(running, job) == "done" for job in jobs), PATIENCE, 0.5)
            outcome.lost = sum(state_of(running, job) != "done" for job in jobs)
            if outcome.lost:
                outcome.wrong.append(f"{outcome.lost} print jobs were not made")
    finally:
        server.stop()
    return outcome
