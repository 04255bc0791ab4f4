"""Drill: PostgreSQL hangs: it accepts everything and answers nothing (``tests.support.swallowing``).

Meanwhile pages must get 503 within seconds, and what needs no database must be answered at once. Afterwards
all works again, and every acknowledged change is there.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.drill.outcome import Outcome
from tests.drill.site import PAGES, Answer, Site, on_postgresql, site
from tests.drill.writing import Writers
from tests.support.swallowing import Network

# Addresses that need no database.
ALIVE = ("/healthz", "/static/cutout/favicon.svg")
VISITORS, WRITERS = 40, 4
# Seconds before the database hangs, while it hangs, and until the site must work again.
BEFORE, STALLED, WELL = 3.0, 20.0, 15.0
# The longest that a page, and an address of ALIVE, may take meanwhile; generous, for machines with other
# work.
PAGE_MOST, ALIVE_MOST = 11.0, 2.0


def run(folder: Path) -> Outcome:
    """Run the site on a database that it reaches through the swallowing network."""
    outcome = Outcome("stalled_database")
    with on_postgresql(folder) as address:
        if not address:
            outcome.name += " (skipped)"
            return outcome
        with psycopg.connect(address) as connection:
            reached = connection.info.host, connection.info.port
        parts = urlsplit(address)
        with Network(reached).running() as network:
            place = f"{parts.netloc.rpartition('@')[0]}@127.0.0.1:{network.port}".removeprefix("@")
            through = f"{parts.scheme}://{place}{parts.path}?sslmode=disable&gssencmode=disable"
            with site(folder, "stalled", {"DATABASE_URL": through}) as running:
                _drill(running, network, outcome)
    return outcome


def _drill(running: Site, network: Network, outcome: Outcome) -> None:
    """Let the database hang for STALLED seconds while visitors read and writers write; note everything in the
    outcome.
    """
    for page in (*PAGES, *ALIVE):
        if running.ask(page).status != 200:
            outcome.wrong.append(f"{page} is not answered before")
    with Writers(running, WRITERS) as writers:
        time.sleep(BEFORE)
        network.swallows = True
        pages, alive = _visited(running, time.monotonic() + STALLED)
        network.swallows = False
        began = time.monotonic()
        while (
            any(running.ask(page).status != 200 for page in PAGES for _ in range(4))
            and time.monotonic() < began + WELL
        ):
            time.sleep(0.5)
        outcome.wrong += [
            f"{page} is not answered afterwards" for page in PAGES if running.ask(page).status != 200
        ]
        time.sleep(BEFORE)
    lost = writers.lost()
    outcome.wrong += lost
    outcome.lost = len(lost)
    if odd := {answer.status for answer in pages} - {200, 503}:
        outcome.wrong.append(f"pages were answered {odd}")
    if (slowest := max(answer.seconds for answer in pages)) > PAGE_MOST:
        outcome.wrong.append(f"a page took {slowest:.1f} s")
    outcome.wrong += [
        f"{path} was answered {status} after {seconds:.1f} s"
        for path, status, seconds in alive
        if status != 200 or seconds > ALIVE_MOST
    ]
    outcome.asked = len(pages) + len(alive) + writers.asked
    outcome.refused = sum(answer.status == 503 for answer in pages) + writers.refused
    outcome.answered = outcome.asked - outcome.refused
    outcome.slowest = slowest
    outcome.name += f": {max(seconds for *_, seconds in alive):.2f} s for what needs none"


def _visited(running: Site, until: float) -> tuple[list[Answer], list[tuple[str, int, float]]]:
    """Until this moment, let many visitors ask for pages, and ask for ALIVE. Return the answers to pages, and
    (path, status, seconds) for ALIVE.
    """
    pages: list[Answer] = []
    alive: list[tuple[str, int, float]] = []

    def read(shift: int) -> None:
        number = shift
        while time.monotonic() < until:
            pages.append(running.ask(PAGES[number % len(PAGES)], sender=f"127.0.0.{2 + number % 200}"))
            number += 1
            time.sleep(0.5)

    threads = [threading.Thread(target=read, args=(number,)) for number in range(VISITORS)]
    for thread in threads:
        thread.start()
    while time.monotonic() < until:
        for path in ALIVE:
            answer = running.ask(path)
            alive.append((path, answer.status, answer.seconds))
        time.sleep(0.2)
    for thread in threads:
        thread.join()
    return pages, alive
