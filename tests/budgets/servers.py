"""Rows 8, 10, 11 and 13 of ``docs/speed.md``: a running site's memory, its start, and how it serves many
people at once. Called by the rows of ``__main__.py``.
"""

from __future__ import annotations

import random
import re
import resource
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

from cardsdb.games import games
from tests.budgets.measuring import DECK, STARTER, Line, milliseconds, place, program
from tests.drill import greedy_address
from tests.drill.site import Site, children, on_postgresql, site, started, until
from tests.support.server import environment, free_port, run_recipe

# Repetitions of a command.
ROUNDS = 5
# Requests of a heavy hour.
HOUR = 1_500
# Programs that write at the same time, and the changes that each makes.
WRITERS = 8
CHANGES = 60


def heavy_hour(folder: Path) -> Iterator[Line]:
    """Row 8: the memory of the only server process after as many requests as a heavy hour brings."""
    chance, codes = random.Random(1), [card.code for card in games()["spycraft"].cards]
    fields = ("craft", "combat", "cost", "expense", "level", "initiative")
    with site(folder, "hour", workers=1) as running:
        deck = _Writer(running)
        pages = (
            "/",
            "/games/xfiles/",
            "/decks/",
            "/decks/?q=signal",
            "/search/suggest/?q=ka",
            f"/decks/{deck.link}/",
        )
        prints = [f"/print/{page}?deck={deck.link}&paper=a4" for page in ("", "sheets.pdf")]
        for _ in range(HOUR):
            search = f"{chance.choice(fields)}>={chance.randint(0, 9)} or {chance.choice(fields)}<=3"
            # Path to read -> its share in per cent; the empty path stands for a change and a check of a deck.
            shares = {
                f"/cards/?{urlencode({'q': search})}": 24,
                f"/cards/spycraft/{chance.choice(codes)}/": 18,
                chance.choice(pages): 40,
                chance.choice(prints): 4,
                "": 14,
            }
            (path,) = chance.choices([*shares], [*shares.values()])
            if path:
                answer = running.ask(path)
                assert answer.status in (200, 302), (path, answer)
            else:
                deck.change()
                running.ask("/api/v1/decks/validate/", "POST", {"game": "spycraft", "text": STARTER})
        states = [Path(f"/proc/{pid}/status").read_text("ascii") for pid in children(running.server.pid)]
    # The memory in kB of each process; one that just ended has none.
    held = max(int(kB) for state in states for kB in re.findall(r"VmRSS:\s+(\d+)", state))
    yield Line("a server process after a heavy hour", held / 1_024, 250, "MB")


def commands(folder: Path) -> Iterator[Line]:
    """Row 10: how long two commands take, and ``make run`` until the first page."""
    path, env = folder / "deck.txt", place(folder)
    path.write_text(STARTER, encoding="utf-8")
    for name, budget, more in (("check_deck", 900, []), ("print_deck", 1_200, ["-o", f"{folder}/deck.pdf"])):
        command = [sys.executable, "manage.py", name, str(path), "--game", "spycraft", *more]
        before = _worked()
        took = milliseconds(partial(program, command, env), ROUNDS, time.monotonic)
        worked = (_worked() - before) / ROUNDS * 1_000
        yield Line(name, took, budget, note=f"{worked:.0f} ms of the processor")
    var, before = folder / "fresh", _worked()
    var.mkdir()
    with free_port() as port:
        recipe, began = f"{sys.executable} manage.py prepare && {{ {run_recipe(port)}; }}", time.monotonic()
        with started(["sh", "-c", recipe], port, var, environment(var)) as running:
            assert until(lambda: running.ask("/").status == 200, 600, 0.05), "the server does not answer"
            took = time.monotonic() - began
    note = f"{_worked() - before:.1f} s of the processor"
    yield Line("make run, installed, to the first page", took, 10, "s", note=note)


def _worked() -> float:
    """Return the processor seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def writers(folder: Path) -> Iterator[Line]:
    """Row 11: programs that change decks at the same time."""
    yield from _written(folder, "SQLite", {})
    with on_postgresql(folder) as address:
        if address:
            yield from _written(folder, "PostgreSQL", {"DATABASE_URL": address})
        else:
            yield Line("PostgreSQL", None)


def _written(folder: Path, name: str, settings: dict[str, str]) -> Iterator[Line]:
    """Yield the lines for one database: lost changes, changes per second, slowest change."""
    with site(folder, f"writers-{name}", settings) as running, ThreadPoolExecutor(WRITERS) as threads:
        found = [_Writer(running) for _ in range(WRITERS)]
        began = time.monotonic()
        waits = sorted(wait for of_one in threads.map(_Writer.write, found) for wait in of_one)
        took = time.monotonic() - began
        lost = sum(writer.lost for writer in found)
    yield Line(f"{name}, changes lost", lost, 0, "")
    note = f"a change takes {median(waits) * 1_000:.0f} ms"
    yield Line(f"{name}, changes a second", len(waits) / took, 80, "/s", at_least=True, note=note)
    yield Line(f"{name}, the slowest", waits[-1], 2, "s")


class _Writer:
    """A program with a deck and its edit key, which adds a card and removes it again."""

    def __init__(self, running: Site) -> None:
        self._site = running
        made = running.ask("/api/v1/decks/", "POST", DECK).json
        self.link, self._text, self._done = made["id"], made["text"], 0
        self._key = {"X-Deck-Key": made["edit_key"]}

    def change(self) -> float:
        """Make a change; return the seconds until it is acknowledged."""
        body = {"take" if self._done % 2 else "add": {"card": "kai"}}
        answer = self._site.ask(f"/api/v1/decks/{self.link}/", "PATCH", body, headers=self._key)
        assert answer.status == 200, answer
        self._done += 1
        return answer.seconds

    def write(self) -> list[float]:
        return [self.change() for _ in range(CHANGES)]

    @property
    def lost(self) -> int:
        """The number of acknowledged changes that the deck's history lacks."""
        deck = self._site.ask(f"/api/v1/decks/{self.link}/").json
        # After an even number of changes, every added card is removed again.
        assert (deck["text"] == self._text) == (self._done % 2 == 0), deck
        return self._done - int(deck["revision"])


def greedy(folder: Path) -> Iterator[Line]:
    """Row 13: the drill ``greedy_address``."""
    outcome = greedy_address.run(folder)
    yield Line("the slowest of five people", outcome.slowest, 1, "s")
    yield Line("what else was wrong", len(outcome.wrong), 0, "", note="; ".join(outcome.wrong))
