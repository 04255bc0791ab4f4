"""What is counted while the site works. Nothing is, and nothing is imported for it, until the server or a
worker says ``start``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cardsdb.watch.counters import Counters

_counters: Counters | None = None
# What processes are that count: one that answers requests, one that looks after a worker, and one that makes
# what a worker makes.
SERVER, WORKER, TASKS = "server", "worker", "tasks"


class Answered(NamedTuple):
    """One request that Django answered. ``view``: the name of its address, never the address; ``seconds``
    until the answer was made.
    """

    view: str
    status: int
    seconds: float
    queries: int
    slow_queries: int


def start(folder: Path, role: str) -> None:
    """Count from now on, in a file of this folder that other processes read. ``role``: SERVER, WORKER or
    TASKS. A process that was forked says so anew, else it counts what the other counts.
    """
    global _counters
    from cardsdb.watch.counters import Counters

    _counters = Counters(folder, role)


def stop() -> None:
    """Count no more."""
    global _counters
    if _counters:
        _counters.close()
    _counters = None


def counters() -> Counters | None:
    """What counts in this process; None where nothing does."""
    return _counters


def answered(request: Answered) -> None:
    if _counters:
        _counters.answered(request)


def refused(code: str, status: int) -> None:
    """A request was refused, for a fault of this code."""
    if _counters:
        _counters.refused(code, status)


def happened(what: str, number: float = 1) -> None:
    """Something of ``counters.EVENTS`` happened, so often."""
    if _counters:
        _counters.happened(what, number)


def made(kind: str, seconds: float, pages: int) -> None:
    """A file to print was made: sheets or another kind, in so many seconds, with so many pages."""
    if _counters:
        _counters.made(kind, seconds, pages)
