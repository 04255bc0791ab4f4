"""The drill on two machines: one machine is killed while visitors work, later answers only 503, then returns.

It passes if nothing acknowledged is lost and no visitor gets an error of the site. In every part, writers add
cards to decks, readers open pages, and prints wait for a worker.
"""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.drill.site import DECK, PAGES
from tests.drill.writing import ADDED, Deck
from tests.many.machines import Many
from tests.support.proxies import Site as BusySite

# Seconds: of each part of the drill, and until every print must be finished. A worker of another machine
# counts as dead after a minute.
PART, MADE = 10.0, 180.0
WRITERS, READERS, PRINTS = 4, 4, 4
PRINT = {"game": "spycraft", "text": "50 Kai\n50 Li", "copies": "20", "backs": "long"}

Answer = tuple[int, Any]


class Drill:
    """Counts the answers in each part, and notes what the site acknowledged."""

    def __init__(self, site: Many) -> None:
        self.site = site
        self.part = "both"
        self.answers: Counter[tuple[str, str, int]] = Counter()
        self.decks: list[Deck] = []
        self._over = threading.Event()
        self._lock = threading.Lock()

    def run(self) -> list[str]:
        """Run the drill; return one sentence for each thing that was lost or wrong."""
        threads = [threading.Thread(target=work) for work in [self._write] * WRITERS + [self._read] * READERS]
        for thread in threads:
            thread.start()
        time.sleep(PART)
        prints = [self.ask("POST", "/api/v1/sheets/", PRINT) for _ in range(PRINTS)]
        time.sleep(1)
        victim = self.site.machines[1]
        self.part = "one dead"
        victim.kill()
        time.sleep(PART)
        self.part = "one busy"
        with BusySite(is_busy=True).running(victim.port):
            time.sleep(PART / 2)
        # Its port is closed again until the machine has started.
        self.part = "one dead"
        victim.start()
        self.part = "both again"
        time.sleep(PART)
        self._over.set()
        for thread in threads:
            thread.join()
        return [*self._errors(), *self._lost_changes(), *self._lost_prints(prints)]

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """Send a request; return (status, parsed JSON). The status is 0 if the connection broke."""
        data = None if body is None else json.dumps(body).encode()
        sent = urllib.request.Request(
            self.site.url + path, data, {"Content-Type": "application/json", **headers}, method=method
        )
        try:
            with urllib.request.urlopen(sent, timeout=60) as answer:
                found = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            found = error.code, error.read()
        except OSError:
            found = 0, b""
        with self._lock:
            self.answers[self.part, method, found[0]] += 1
        return found[0], _json(found[1])

    def report(self) -> list[str]:
        """Return the number of answers by part, method and status, one line each."""
        return [
            f"{part:10} {method:5} {status}: {count}"
            for (part, method, status), count in sorted(self.answers.items())
        ]

    def _write(self) -> None:
        while not self._over.is_set():
            status, made = self.ask("POST", "/api/v1/decks/", DECK)
            if status != 201:
                continue
            deck = Deck(f"/api/v1{made['url']}", made["edit_key"])
            self.decks.append(deck)
            while not self._over.is_set() and deck.acknowledged + deck.unanswered < ADDED:
                one_more = {"add": {"card": "kai", "count": 1}}
                status, _ = self.ask("PATCH", deck.address, one_more, **{"X-Deck-Key": deck.key})
                deck.acknowledged += status == 200
                deck.unanswered += status != 200

    def _read(self) -> None:
        number = 0
        while not self._over.is_set():
            self.ask("GET", PAGES[number % len(PAGES)])
            number += 1

    def _errors(self) -> list[str]:
        """Return the statuses that must not occur. For a request that changes something, a 502 of the
        proxy is allowed while its machine is killed, and a 503 while its machine is busy; nginx asks
        the other machine only for requests that read.
        """
        bad = Counter[tuple[str, str, int]]()
        for (part, method, status), count in self.answers.items():
            was_cut_off = method != "GET" and (part, status) in {("one dead", 502), ("one busy", 503)}
            if not 200 <= status < 300 and not was_cut_off:
                bad[part, method, status] += count
        return [
            f"{part}: {method} was answered {status} {count} times"
            for (part, method, status), count in bad.items()
        ]

    def _lost_changes(self) -> list[str]:
        """Return a sentence for each deck with fewer cards than acknowledged, or more than were ever sent."""
        lost = []
        for deck in self.decks:
            status, stored = self.ask("GET", deck.address, **{"X-Deck-Key": deck.key})
            lines = stored["lines"] if status == 200 else []
            kai = sum(line["count"] for line in lines if line["card"].endswith("kai"))
            if not 1 + deck.acknowledged <= kai <= 1 + deck.acknowledged + deck.unanswered:
                lost.append(
                    f"{deck.address} has {kai} Kai, {deck.acknowledged} were added and acknowledged,"
                    f" {deck.unanswered} unanswered ({status})"
                )
        return lost

    def _lost_prints(self, prints: list[Answer]) -> list[str]:
        """Wait for the prints; return a sentence for each that was not made or whose file is gone."""
        lost = [f"a print was answered {status}" for status, _ in prints if status != 202]
        for job in (job for status, job in prints if status == 202):
            state: dict[str, Any] = {}

            def is_over(state: dict[str, Any] = state, job: Any = job) -> bool:
                state.update(self.ask("GET", job["address"], **{"X-Job-Key": job["key"]})[1])
                return state["state"] not in ("waiting", "running")

            if not _until(is_over, MADE) or state["state"] != "done":
                lost.append(f"a print is {state['state']}: {state.get('error')}")
            elif self.ask("GET", state["file"], **{"X-Job-Key": job["key"]})[0] != 200:
                lost.append("a print's file is gone")
        return lost


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return {}


def _until(is_so: Callable[[], bool], seconds: float) -> bool:
    """Wait until the condition holds; return False if it takes longer than this."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if is_so():
            return True
        time.sleep(0.5)
    return False
