"""``make load``: how many requests a second the site holds, on each database, with one process and with two,
on one machine and on two.

Each is asked more and more until it is full: some wait longer than ``MAX_WAIT``, or are refused. Then it is
asked twice that, and then half of what it held: how long it takes until nobody waits for a second any more.

python -m tests.load                            all of it, as a table
python -m tests.load --ready                    the sites alone, which takes two minutes each and is done once
python -m tests.load --write                    all of it, and its lines into the table of docs/speed.md
python -m tests.load --memory                   what one server process holds in memory
python -m tests.load --databases PostgreSQL --machines 2 --processes 1 --seconds 3
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from cardsdb.games import games
from tests import ROOT
from tests.load.generator import Answers, asking
from tests.load.memory import memory
from tests.load.mix import Evening, asked, new_pictures
from tests.load.sites import DATABASES, SEEDED, Running, ready, serving
from tests.on_postgresql import server

# Requests a second, one step after the other.
RATES = (10, 20, 30, 40, 60, 90, 130, 180, 250, 350, 500, 700, 1_000)
# Milliseconds that one of a hundred may wait while the site is not full.
MAX_WAIT = 800.0
# More than are sent on one evening, so that each is new.
PICTURES = 150
# Milliseconds; whoever waits longer feels it.
SLOW = 1_000.0
HEADER = (
    (
        "| database | machines | processes | held a second | p50 | p99 | asked beyond it | answered | refused"
        " | within | errors | back after | jobs | memory |"
    ),
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
)
PAGE, SECTION = ROOT / "docs/speed.md", "## What a site holds"


@dataclass
class Capacity:
    """What one site held (the last step that it did), what came beyond it, and after how many seconds it was
    as before. ``work``: what its workers were asked for and made.
    """

    database: str
    machines: int
    processes: int
    held: Answers
    beyond: Answers
    back: float
    work: Mapping[str, Any]
    memory: float

    def as_row(self) -> str:
        errors = self.held.errors + self.beyond.errors
        refused = sorted(self.beyond.refused)
        slowest = f"{refused[int(len(refused) * 0.99)]:.0f} ms" if refused else "-"
        cells = (
            self.database, self.machines, self.processes,
            f"{self.held.answered:.0f}", f"{self.held.wait(50):.0f} ms", f"{self.held.wait(99):.0f} ms",
            f"{self.beyond.rate:.0f}", f"{self.beyond.answered:.0f}", f"{len(refused) / self.beyond.seconds:.0f}", slowest, errors,
            f"{self.back:.1f} s", f"{self.work['made']} of {self.work['asked']}, {self.work['slowest']:.0f} s", f"{self.memory:.0f} MB",
        )  # fmt: skip
        return "| " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.load", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--databases", nargs="+", choices=DATABASES, default=list(DATABASES))
    parser.add_argument(
        "--machines", nargs="+", type=int, choices=(1, 2), default=[1, 2], help="two share PostgreSQL"
    )
    parser.add_argument(
        "--processes", nargs="+", type=int, default=[1, 2], help="of the server on each machine"
    )
    parser.add_argument("--seconds", type=float, default=6.0, help="of each step")
    parser.add_argument("--decks", type=int, default=100_000, help="of a site that is seeded now")
    parser.add_argument("--folder", type=Path, default=ROOT / "var/load", help="where the sites are kept")
    parser.add_argument("--ready", action="store_true", help="make the sites ready, and ask nothing of them")
    parser.add_argument("--anew", action="store_true", help="seed the sites anew")
    parser.add_argument(
        "--memory",
        action="store_true",
        help="what one process on SQLite holds in memory, in place of all that",
    )
    parser.add_argument("--write", action="store_true", help="put its lines into the table of docs/speed.md")
    chosen = parser.parse_args()
    if chosen.memory:
        env = ready(chosen.folder, "SQLite", chosen.decks, chosen.anew)
        for line in memory(env, _evening(Path(env["CUTOUT_VAR"]))):
            print(line, flush=True)
        return
    rows = [*HEADER]
    for database in chosen.databases:
        if database == "PostgreSQL" and not server():
            print("No PostgreSQL server answers; set POSTGRESQL_URL to load the site on it too.")
            continue
        began = time.monotonic()
        env = ready(chosen.folder, database, chosen.decks, chosen.anew)
        print(f"{database}: made ready in {time.monotonic() - began:.0f} s", flush=True)
        evening = _evening(Path(env["CUTOUT_VAR"]))
        for machines, processes in [] if chosen.ready else product(chosen.machines, chosen.processes):
            # SQLite is a file of one machine.
            if machines == 1 or database != "SQLite":
                with serving(env, processes, machines) as site:
                    rows.append(_capacity(database, processes, site, evening, chosen.seconds).as_row())
    if not chosen.ready:
        print("\n".join(rows))
    if chosen.write:
        PAGE.write_text(with_rows(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")


def _evening(var: Path) -> Evening:
    cards = [f"{game.slug}/{card.code}" for game in games().values() for card in game.cards]
    starters = [
        starter.text for game in games().values() for starter in game.starters if game.slug == "spycraft"
    ]
    return Evening(
        cards, starters, json.loads((var / SEEDED).read_text()), new_pictures(random.Random(), PICTURES)
    )


def _capacity(database: str, processes: int, site: Running, evening: Evening, seconds: float) -> Capacity:
    chance, machines = random.Random(processes), len(site.machines)

    def ask(what: str, rate: float, lasting: float) -> Answers:
        began = time.process_time()
        answers = asyncio.run(asking(site.port, rate, lasting, lambda: asked(chance, evening), chance))
        _say(
            f"{database}, {machines} x {processes}, {what}", answers, (time.process_time() - began) / lasting
        )
        return answers

    ask("warm-up", RATES[0], seconds)
    held = None
    for rate in RATES:
        answers = ask("step", rate, seconds)
        if not _holds(answers):
            break
        held = answers
    # Not even the first: then that is what is shown.
    held = held or answers
    beyond = ask("beyond", 2 * rate, 1.5 * seconds)
    after = ask("after", held.rate / 2, seconds)
    back = max(
        (due + wait / 1_000 for due, wait, status in after.at if wait > SLOW or not 200 <= status < 400),
        default=0.0,
    )
    memory = site.megabytes()
    return Capacity(database, machines, processes, held, beyond, back, site.work(), memory)


def _holds(answers: Answers) -> bool:
    return not answers.errors and not answers.refused and answers.wait(99) <= MAX_WAIT


def _say(what: str, answers: Answers, generator: float) -> None:
    states = ", ".join(f"{count} x {status or 'none'}" for status, count in sorted(answers.states.items()))
    wrong = (
        f"; {', '.join(f'{count} x {name}' for name, count in answers.wrong.most_common(4))}"
        if answers.wrong
        else ""
    )
    waits = f"p50 {answers.wait(50):.0f} ms, p99 {answers.wait(99):.0f} ms"
    said = f"{what}: {answers.rate:.0f} a second, {answers.answered:.0f} answered, {waits}; {states}{wrong}"
    slowest = ", ".join(f"{kind} {wait:.0f} ms" for kind, wait in answers.slowest)
    print(
        f"{said}; slowest: {slowest}; the generator takes {100 * generator:.0f}% of a processor", flush=True
    )


def with_rows(page: str, rows: Iterable[str]) -> str:
    """The page with these lines in the place of those that its table has of the same sites."""
    before, found, after = page.partition(SECTION)
    table = re.search(r"^\| database \|.*?(?=^(?!\|)|\Z)", after, re.DOTALL | re.MULTILINE)
    assert found and table, f"docs/speed.md has no section {SECTION!r} with a table"
    lines = {_site(row): row for row in (*table[0].splitlines(), *rows) if row not in HEADER}
    whole = "\n".join([*HEADER, *(lines[site] for site in sorted(lines))]) + "\n"
    return before + found + after[: table.start()] + whole + after[table.end() :]


def _site(row: str) -> tuple[int, ...]:
    """By which lines are known and ordered: the database, machines and processes of one."""
    database, *numbers = (cell.strip() for cell in row.split("|")[1:4])
    return DATABASES.index(database), *map(int, numbers)


if __name__ == "__main__":
    main()
