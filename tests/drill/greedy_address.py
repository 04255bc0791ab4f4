"""Drill: one address asks with 200 connections at once for pages that no cache has; five other visitors
read on.

The others must be answered within a second, and the greedy address must be told to slow down (429).
"""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.drill.outcome import Outcome
from tests.drill.site import NOTHING, PAGES, REFUSED, Answer, Site, site

# The addresses from which the requests come.
GREEDY = "127.0.0.2"
OTHERS = [f"127.0.0.{number}" for number in range(11, 16)]
# Connections at once, seconds, and the most requests of the greedy address.
CONNECTIONS = 200
SECONDS = 12.0
MOST = 40_000
# Seconds after which a refused greedy program asks again; it ignores Retry-After.
PAUSE = 0.05
# Seconds between the pages of a visitor, and the longest that a page may take.
READS = 0.25
PATIENCE = 1.0
# The default limits, which tests lift otherwise.
LIMITS = {"CUTOUT_READS_PER_MINUTE": "600", "CUTOUT_WORKS_PER_MINUTE": "60"}


def run(folder: Path) -> Outcome:
    with site(folder, "greedy", LIMITS) as running:
        for page in PAGES:
            running.ask(page)
        fork = multiprocessing.get_context("fork")
        statuses: Any = fork.Queue()
        greedy = fork.Process(target=_ask_on, args=(running.port, statuses))
        greedy.start()
        try:
            others = visits(running, OTHERS, SECONDS)
            asked = Counter(statuses.get(timeout=60))
        finally:
            greedy.kill()
            greedy.join()
    return _judged(others, asked)


def visits(running: Site, senders: Sequence[str], seconds: float, pause: float = READS) -> list[Answer]:
    """Return the answers to visitors at these addresses, who each read one of PAGES after another for so many
    seconds, with a pause between them.
    """
    end, answers = time.monotonic() + seconds, list[Answer]()

    def read(shift: int) -> None:
        for page in itertools.islice(itertools.cycle(PAGES), shift, None):
            if time.monotonic() > end:
                return
            answers.append(running.ask(page, sender=senders[shift], patience=20))
            time.sleep(pause)

    with ThreadPoolExecutor(len(senders)) as threads:
        list(threads.map(read, range(len(senders))))
    return answers


def _judged(others: list[Answer], asked: Counter[int]) -> Outcome:
    """Return the outcome: what the others and the greedy address (status -> number) were answered."""
    outcome = Outcome(f"greedy_address: {asked[200]} of its pages made", asked.total(), asked[200])
    outcome.refused = sum(asked[status] for status in REFUSED)
    outcome.judge_visits(others, PATIENCE)
    if not asked[429]:
        outcome.wrong.append(f"the greedy address was never told that it asks too much: {dict(asked)}")
    return outcome


def _ask_on(port: int, statuses: Any) -> None:
    """The greedy process: ask, and put status -> number into the queue."""
    statuses.put(dict(asyncio.run(_asked_at_once(port))))


async def _asked_at_once(port: int) -> Counter[int]:
    answers, numbers, until = Counter[int](), iter(range(MOST)), time.monotonic() + SECONDS

    async def ask_on() -> None:
        for number in numbers:
            if time.monotonic() > until:
                return
            status = await _asked(port, f"/cards/?view=faces&q=-name:x{number}", until + 10)
            answers[status] += 1
            await asyncio.sleep(0 if status == 200 else PAUSE)

    await asyncio.gather(*(ask_on() for _ in range(CONNECTIONS)))
    return answers


async def _asked(port: int, path: str, until: float) -> int:
    """Return the status of one request; NOTHING if the connection broke or no answer came in time."""
    try:
        async with asyncio.timeout(max(0.1, until - time.monotonic())):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(GREEDY, 0))
            try:
                writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
                answer = await reader.read()
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return NOTHING
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/") else NOTHING
