"""``make drill``: run all drills, or those named (``python -m tests.drill kills``), and print one table row
for each: how many requests were sent, answered and refused, and what was lost. Exit status 1 if anything was
wrong.
"""

from __future__ import annotations

import sys
import tempfile
from importlib import import_module
from pathlib import Path

from tests.drill.outcome import HEADS, row

# The drills: modules of this folder with ``run(folder)``, which returns an Outcome.
DRILLS: tuple[str, ...] = (
    "full_disk",
    "failing_redis",
    "dead_worker",
    "greedy_address",
    "slow_senders",
    "stalled_database",
    "kills",
)


def main(names: list[str]) -> int:
    is_wrong = False
    with tempfile.TemporaryDirectory(prefix="cutout-drill-") as folder:
        print(row(HEADS), flush=True)
        for name in names or DRILLS:
            outcome = import_module(f"tests.drill.{name}").run(Path(folder))
            is_wrong = is_wrong or bool(outcome.wrong)
            print(row(outcome.cells()), flush=True)
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
