"""The drill on two machines: one machine is killed while visitors work, later answers only 503, then returns.

It passes if nothing acknowledged is lost and no visitor gets an error of the site. In every part, writers add
cards to decks, readers open pages, and prints wait for a worker. Run by ``python -m tests.many drill``.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from typing import Any

from tests.drill.dead_worker import ask_for_job, state_of
from tests.drill.outcome import row
from tests.drill.site import PAGES, Answer, Asked, until
from tests.drill.writing import Writers
from tests.many.machines import Many
from tests.support.proxies import Site as BusySite

# Seconds of each part of the drill.
PART = 10.0
# Seconds until every print must be finished. A worker of another machine counts as dead after a minute.
MADE = 180.0
WRITERS = 4
READERS = 4
PRINTS = 4


class Drill(Asked):
    """The site as its visitors see it, through the proxy: counts the answers in each part."""

    def __init__(self, site: Many) -> None:
        super().__init__(site.port)
        self.victim = site.machines[1]
        self.part = "both"
        # (part, method, status) -> number of answers.
        self.answers: Counter[tuple[str, str, int]] = Counter()
        self.writers = Writers(self, WRITERS)
        self._over = threading.Event()
        self._lock = threading.Lock()

    def run(self) -> list[str]:
        """Run the drill; return one sentence for each thing that was lost or wrong."""
        with ThreadPoolExecutor(READERS) as readers, self.writers:
            for _ in range(READERS):
                readers.submit(self._read)
            time.sleep(PART)
            prints = [ask_for_job(self) for _ in range(PRINTS)]
            time.sleep(1)
            self.part = "one dead"
            self.victim.kill()
            time.sleep(PART)
            self.part = "one busy"
            with BusySite(is_busy=True).running(self.victim.port):
                time.sleep(PART / 2)
            # Its port is closed again until the machine has started.
            self.part = "one dead"
            self.victim.start()
            self.part = "both again"
            time.sleep(PART)
            self._over.set()
        until(lambda: all(state_of(self, job) not in ("waiting", "running") for job in prints), MADE, 0.5)
        states = [state_of(self, job) for job in prints]
        not_made = [f"a print is {state}" for state in states if state != "done"]
        return [*self._errors(), *self.writers.lost(), *not_made]

    def ask(self, path: str, method: str = "GET", *more: Any, **how: Any) -> Answer:
        """Send a request; count and return the answer."""
        answer = super().ask(path, method, *more, **how)
        with self._lock:
            self.answers[self.part, method, answer.status] += 1
        return answer

    def report(self) -> Iterator[str]:
        """Yield the number of answers by part, method and status, one line each."""
        for (part, method, status), count in sorted(self.answers.items()):
            yield row((part, method, f"{status}: {count}"), (10, 5, 0))

    def _read(self) -> None:
        for page in cycle(PAGES):
            if self._over.is_set():
                return
            self.ask(page)

    def _errors(self) -> Iterator[str]:
        """Yield the statuses that must not occur. For a request that changes something, a 502 of the proxy is
        allowed while its machine is killed, and a 503 while its machine is busy; nginx asks the other machine
        only for requests that read.
        """
        for (part, method, status), count in self.answers.items():
            was_cut_off = method != "GET" and (part, status) in {("one dead", 502), ("one busy", 503)}
            if not 200 <= status < 300 and not was_cut_off:
                yield f"{part}: {method} was answered {status} {count} times"
