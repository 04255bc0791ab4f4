"""What one server process holds in memory: before it was asked for much, after searches, after what a heavy
hour asks.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote

from tests.load.generator import asking
from tests.load.mix import KINDS, Evening, Kind, Sent, asked
from tests.load.sites import Running, in_memory, serving

HEADER = ("| when | resident | its own |", "|---|---|---|")
# Requests, and how many of them a second: a heavy hour in two minutes.
SEARCHES, MIXED, A_SECOND = 300, 1_500, 12
FIELDS = ("craft", "combat", "cost", "expense", "level", "initiative")


class Held(NamedTuple):
    """Megabytes of the process: resident, and those that it shares with no other."""

    resident: float
    own: float


def memory(env: Mapping[str, str], evening: Evening) -> Iterator[str]:
    """What one process of the site of this environment holds at each moment, as lines of a table."""
    chance = random.Random(1)
    searches = [Kind("search", 1, 0.4, lambda chance, evening, who: Sent(_search(chance)))]
    yield from HEADER
    with serving(env, 1) as site:
        for when, kinds, number in (
            ("idle, one page answered", KINDS[:1], 1),
            (f"after {SEARCHES} searches", searches, SEARCHES),
            (f"after {MIXED:,} requests of the mix", KINDS, MIXED),
        ):
            _ask(site, evening, kinds, number, chance)
            held = _held(site)
            yield f"| {when} | {held.resident:.0f} | {held.own:.0f} |"


def _search(chance: random.Random) -> str:
    """One that hardly anybody asked before."""
    conditions = [
        f"{field}{chance.choice(('>=', '<='))}{chance.randint(0, 9)}" for field in chance.sample(FIELDS, 2)
    ]
    return f"/cards/?q={quote(' or '.join(conditions))}"


def _ask(site: Running, evening: Evening, kinds: Sequence[Kind], number: int, chance: random.Random) -> None:
    answers = asyncio.run(
        asking(site.port, A_SECOND, number / A_SECOND, lambda: asked(chance, evening, kinds), chance)
    )
    assert not answers.errors and not answers.refused, answers.wrong


def _held(site: Running) -> Held:
    """Of the server and what it has started the largest: its one process that answers."""
    largest = max(in_memory(site.machines[0].pids[:1]), key=lambda told: told["Rss"])
    return Held(largest["Rss"], largest["Private_Clean"] + largest["Private_Dirty"])
