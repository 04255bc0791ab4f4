"""Time two things in turn, and print tables."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any


def in_turn(
    ours: Callable[[], Any], baseline: Callable[[], Any], rounds: int, clock: Callable[[], float] = time.process_time
) -> tuple[float, float]:
    """Median seconds of each, measured A B A B, so that a slow moment of the machine meets both."""
    a, b = [], []
    for _ in range(rounds):
        for function, found in ((ours, a), (baseline, b)):
            gc.collect()
            start = clock()
            function()
            found.append(clock() - start)
    return median(a), median(b)


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table in plain text, numbers to the right."""
    print(f"\n{title}")
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    for row in (head, ["-" * width for width in widths], *rows):
        print(
            "  ".join(
                cell.ljust(width) if not column else cell.rjust(width) for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
        )
