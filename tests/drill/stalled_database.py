"""Drill: PostgreSQL hangs: it accepts everything and answers nothing (``tests.support.swallowing``).

Meanwhile pages must get 503 within seconds, and what needs no database must be answered at once. Afterwards
all works again, and every acknowledged change is there.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.drill.greedy_address import visits
from tests.drill.outcome import Outcome
from tests.drill.site import PAGES, Answer, Site, on_postgresql, site, until
from tests.drill.writing import Writers
from tests.support.swallowing import Network

# Addresses that need no database.
ALIVE = ("/healthz", "/static/cutout/favicon.svg")
VISITORS = [f"127.0.0.{number}" for number in range(2, 42)]
WRITERS = 4
# Seconds before the database hangs, while it hangs, and until the site must work again.
BEFORE = 3.0
STALLED = 20.0
WELL = 15.0
# The longest that a page, and an address of ALIVE, may take meanwhile; generous, for machines with other
# work.
PAGE_MOST = 11.0
ALIVE_MOST = 2.0


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
        outcome.note(f"{page} before", running.ask(page))
    with Writers(running, WRITERS) as writers:
        time.sleep(BEFORE)
        network.swallows = True
        with ThreadPoolExecutor(2) as threads:
            reading = threads.submit(visits, running, VISITORS, STALLED, 0.5)
            alive = threads.submit(_ask_on, running, STALLED).result()
            pages = reading.result()
        network.swallows = False
        until(lambda: all(running.ask(page).status == 200 for page in PAGES for _ in range(4)), WELL, 0.5)
        for page in PAGES:
            outcome.note(f"{page} afterwards", running.ask(page))
        time.sleep(BEFORE)
    outcome.judge_visits(alive, ALIVE_MOST)
    outcome.name += f": {outcome.slowest:.2f} s for what needs none"
    outcome.judge_visits(pages, PAGE_MOST, {200, 503})
    writers.add_to(outcome)


def _ask_on(running: Site, seconds: float) -> list[Answer]:
    """Ask for ALIVE again and again for so many seconds; return the answers."""
    end, answers = time.monotonic() + seconds, list[Answer]()
    while time.monotonic() < end:
        answers += [running.ask(path) for path in ALIVE]
        time.sleep(0.2)
    return answers
