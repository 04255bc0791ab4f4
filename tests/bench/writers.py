"""Row 16: eight visitors who change decks of their own at once, on SQLite, through the server's two
processes.

By the clock: what is asked is how long people wait. Whatever else the machine does is in these figures.
"""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles

from cardsdb.games import games
from tests.bench.goals import Result, result
from tests.support.server import serving

WRITERS, CHANGES = 8, 60


def run() -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as var, serving(Path(var)) as (port, _):
        writers = [_Writer(port) for _ in range(WRITERS)]
        for writer in writers:
            writer.change()
        threads = [threading.Thread(target=writer.run) for writer in writers]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        whole = time.perf_counter() - start
        for writer in writers:
            writer.has_all_its_changes()
    waits = [wait * 1_000 for writer in writers for wait in writer.waits]
    assert len(waits) == WRITERS * CHANGES
    yield result("16.rate", len(waits) / whole)
    yield result("16.tail", quantiles(waits, n=100)[-1], median(waits))


class _Writer:
    """A program that has a deck and its key."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=60)
        self.waits: list[float] = []
        starter = next(one for one in games()["spycraft"].starters if one.slug == "nine-tiger")
        made = self._ask(
            "POST", "/api/v1/decks/", {"game": "spycraft", "name": "Bench", "text": starter.text}
        )
        self._key, self._address = made["edit_key"], f"/api/v1/decks/{made['id']}/"
        self._text, self._done = made["text"], 0

    def change(self) -> None:
        self._ask("PATCH", self._address, {"take" if self._done % 2 else "add": {"card": "kai"}})
        self._done += 1

    def run(self) -> None:
        for _ in range(CHANGES):
            start = time.perf_counter()
            self.change()
            self.waits.append(time.perf_counter() - start)

    def has_all_its_changes(self) -> None:
        deck = self._ask("GET", self._address, None)
        assert deck["revision"] == self._done and (deck["text"] == self._text) == (self._done % 2 == 0), deck

    def _ask(self, method: str, path: str, body: object) -> dict[str, object]:
        headers = {"Content-Type": "application/json"} | (
            {"X-Deck-Key": self._key} if hasattr(self, "_key") else {}
        )
        self._connection.request(method, path, json.dumps(body) if body else None, headers)
        answer = self._connection.getresponse()
        told = answer.read()
        assert answer.status in (200, 201), (answer.status, told[:300])
        return json.loads(told)
