"""One address asks with 200 connections at once for pages that are made anew each time, and for nothing else;
five others read on.

They are answered within a second, and it is the greedy one that is told to come again.
"""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.drill.outcome import Outcome
from tests.drill.site import NOTHING, Answer, Site, site

GREEDY, OTHERS = "127.0.0.2", [f"127.0.0.{number}" for number in range(11, 16)]
CONNECTIONS, SECONDS, MOST = 200, 12.0, 40_000
# A greedy program that is refused asks again after so long, without looking at Retry-After.
PAUSE = 0.05
PAGES = (
    "/",
    "/cards/?q=game:spycraft+agent",
    "/cards/spycraft/kai/",
    "/decks/",
    "/api/v1/cards/?q=krypt",
    "/games/xfiles/",
)
# What a visitor reads in a page, and waits for at most.
READS, PATIENCE = 0.25, 1.0
# As every site has them: the limits that tests lift.
LIMITS = {"CUTOUT_READS_PER_MINUTE": "600", "CUTOUT_WORKS_PER_MINUTE": "60"}
ANSWERED, REFUSED = {200, 302, 304}, {429, 503}


def run(folder: Path) -> Outcome:
    with site(folder, "greedy", LIMITS) as running:
        for page in PAGES:
            running.ask(page)
        told: Any = multiprocessing.get_context("fork").Queue()
        greedy = multiprocessing.get_context("fork").Process(target=_ask_on, args=(running.port, told))
        greedy.start()
        try:
            others = visits(running, OTHERS, SECONDS)
            asked = Counter(told.get(timeout=60))
        finally:
            greedy.kill()
            greedy.join()
    return _judged(others, asked)


def visits(running: Site, senders: list[str], seconds: float, pages: tuple[str, ...] = PAGES) -> list[Answer]:
    """What these addresses are answered that read one page after another for so long."""
    until, answers = time.monotonic() + seconds, list[Answer]()

    def read(sender: str, shift: int) -> None:
        for number in itertools.count(shift):
            if time.monotonic() > until:
                return
            answers.append(running.ask(pages[number % len(pages)], sender=sender, patience=20))
            time.sleep(READS)

    threads = [threading.Thread(target=read, args=(sender, shift)) for shift, sender in enumerate(senders)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def _judged(others: list[Answer], asked: Counter[int]) -> Outcome:
    told = Counter(answer.status for answer in others)
    refused = sum(asked[status] for status in REFUSED)
    found = Outcome(
        f"greedy_address: {asked[200]} of its pages made",
        asked=len(others) + asked.total(),
        answered=sum(told[status] for status in ANSWERED) + asked[200],
        refused=refused + sum(told[status] for status in REFUSED),
        slowest=max(answer.seconds for answer in others),
    )
    if set(told) - ANSWERED:
        found.wrong.append(f"of {len(others)} visits of others {dict(told)}")
    if found.slowest > PATIENCE:
        found.wrong.append(
            f"{sum(answer.seconds > PATIENCE for answer in others)} visits of others took more than"
            f" {PATIENCE:.0f} s"
        )
    if not asked[429]:
        found.wrong.append(f"the greedy address was never told that it asks too much: {dict(asked)}")
    return found


def _ask_on(port: int, told: Any) -> None:
    told.put(dict(asyncio.run(_asked_at_once(port))))


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
    """The status; NOTHING where the connection broke, or nothing came in time."""
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
