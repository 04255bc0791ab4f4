"""Requests at a rate that does not wait for the answers, as people do not: what comes late is waited for from
when it was due.

It shares the processors with the server, so it does as little as it can: 0.3 ms of one a request, which is
measured as it goes.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median, quantiles

from tests.load.mix import Asked

# Seconds after which whoever asked has gone; connections at once, beyond which nobody asks any more.
PATIENCE, MAX_OPEN = 10.0, 1_500
# Seconds without a request after which a connection is asked no more: the server closes it after ten.
MAX_IDLE = 5.0


@dataclass
class Answers:
    """What came of one span of time. ``waits``: milliseconds of each answer of success, and ``of_kinds`` by
    what was asked; ``refused``: those of each 429 and 503; ``states``: how often each status came, 0 where
    none did; ``at``: for each request (seconds into the span, milliseconds, status).
    """

    rate: float
    seconds: float
    waits: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    states: Counter[int] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    of_kinds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    at: list[tuple[float, float, int]] = field(default_factory=list)

    def add(self, kind: str, status: int, due: float, wait: float) -> None:
        self.states[status] += 1
        self.at.append((due, wait, status))
        if status in (429, 503):
            self.refused.append(wait)
        elif 200 <= status < 400:
            self.waits.append(wait)
            self.of_kinds[kind].append(wait)
        else:
            self.wrong[f"{kind} {status or 'no answer'}"] += 1

    @property
    def answered(self) -> float:
        """Requests a second that were answered with success."""
        return len(self.waits) / self.seconds

    @property
    def slowest(self) -> list[tuple[str, float]]:
        """The three kinds that take longest: (kind, milliseconds in which half of them were answered)."""
        return sorted(
            ((kind, median(waits)) for kind, waits in self.of_kinds.items()), key=lambda one: -one[1]
        )[:3]

    @property
    def errors(self) -> int:
        """Answers that are none of success, and no refusal either; and none at all."""
        return sum(self.wrong.values())

    def wait(self, hundredth: int) -> float:
        """Milliseconds in which so many of a hundred were answered with success."""
        return quantiles(self.waits, n=100)[hundredth - 1] if len(self.waits) > 1 else float("inf")


class _Connection:
    """One that is kept: it asks, and reads an answer whole."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.asked = 0.0
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, data: bytes) -> int:
        """The answer's status. Raises OSError or EOFError when there is none."""
        if time.perf_counter() - self.asked > MAX_IDLE:
            self.close()
        self.asked = time.perf_counter()
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        assert self.reader
        self.writer.write(data)
        head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        status, _, length = int(head[9:12]), *head.partition(b"\r\ncontent-length:")[1:]
        if length:
            await self.reader.readexactly(int(length.partition(b"\r\n")[0]))
        elif b"\r\ntransfer-encoding: chunked" in head:
            while size := int(await self.reader.readuntil(b"\r\n"), 16):
                await self.reader.readexactly(size + 2)
            await self.reader.readexactly(2)
        if b"\r\nconnection: close" in head:
            self.close()
        return status

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


async def asking(
    port: int, rate: float, seconds: float, following: Callable[[], Asked], chance: random.Random
) -> Answers:
    """Ask at this rate for so long, and wait for the answers, ``PATIENCE`` at most."""
    answers, idle, open_now = Answers(rate, seconds), deque[_Connection](), set[asyncio.Task[None]]()
    begin = time.perf_counter()

    async def one(asked: Asked, due: float) -> None:
        connection = idle.pop() if idle else _Connection(port)
        status = 0
        try:
            async with asyncio.timeout(PATIENCE):
                status = await connection.ask(asked.data)
            idle.append(connection)
        except (OSError, EOFError, TimeoutError, ValueError):
            connection.close()
        answers.add(asked.kind, status, due, (time.perf_counter() - begin - due) * 1_000)

    due = 0.0
    while (due := due + chance.expovariate(rate)) < seconds:
        if (early := due - (time.perf_counter() - begin)) > 0:
            await asyncio.sleep(early)
        asked = following()
        if len(open_now) >= MAX_OPEN:
            answers.add(asked.kind, 0, due, 0.0)
            continue
        task = asyncio.create_task(one(asked, due))
        open_now.add(task)
        task.add_done_callback(open_now.discard)
    if open_now:
        await asyncio.wait(open_now)
    for connection in idle:
        connection.close()
    return answers
