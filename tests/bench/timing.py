"""Processor time of things measured in turn, the database's own included."""

from __future__ import annotations

import ctypes
import gc
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

# As Linux has it in its linux/prctl.h.
PR_SET_CHILD_SUBREAPER = 36


def cpu() -> float:
    """Seconds that this process has worked so far; with PostgreSQL on this machine also those of the process
    that answers it.
    """
    return time.process_time() + _backend()


def _backend() -> float:
    from django.db import connection

    if connection.vendor != "postgresql" or connection.connection is None:
        return 0.0
    stat = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")
    return int(stat.read_text().split()[0]) / 1e9 if stat.exists() else 0.0


def in_turn(
    ways: Mapping[str, Callable[[], Any]], rounds: int, clock: Callable[[], float] = time.process_time
) -> dict[str, float]:
    """Median seconds of each way, measured A B C A B C, so that a slow moment of the machine meets all of
    them.
    """
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            gc.collect()
            start = clock()
            way()
            found[name].append(clock() - start)
    return {name: median(times) for name, times in found.items()}


def times(number: int, way: Callable[[], Any]) -> Callable[[], None]:
    """The way so many times in a row."""

    def repeated() -> None:
        for _ in range(number):
            way()

    return repeated


def command_seconds(command: Sequence[str], env: Mapping[str, str] | None = None) -> float:
    """Processor seconds of a command and all that it started. No other program may run for this process
    meanwhile.
    """
    if sys.platform == "linux":
        # What the command leaves behind, as browsers do, becomes this process's to wait for, and counts.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    before = children_seconds()
    subprocess.run(
        command, env=dict(env or os.environ), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    return children_seconds() - before


def children_seconds() -> float:
    """Processor seconds of all processes that this one has started and waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
