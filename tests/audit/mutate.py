"""How much of a broken judge, broken permissions or broken reading of lists do the tests notice? ``make mutate`` says it in per cent.

mutmut breaks a copy of the code in ``var/mutate`` in small ways, one at a time, and runs the tests that reach the place. A sample of the
ways is tried, always the same one, so that it ends within half an hour on two cores; ``python -m tests.audit.mutate 1000`` tries more.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests import ROOT

SAMPLE, SEED, GOAL = 60, 7, 85
# What is broken, and the tests that should notice.
PLACES = {
    "cardsdb/games/kit/rules": ("tests/cardsdb/games/kit/rules", "tests/cardsdb/games/test_games.py"),
    "cardsdb/games/kit/listtext": ("tests/cardsdb/games/kit/listtext",),
    "cardsdb/identity": ("tests/decks/core/test_permissions.py", "tests/cardsdb/site/test_pages_of_all_visitors.py"),
    "decks/models/deck.py": ("tests/decks/core/test_permissions.py", "tests/house/test_permissions.py"),
}
BUILT_OF = ("cardsdb", "decks", "printing", "templates", "tests", "docs", "manage.py", "pyproject.toml", "requirements.txt", "Makefile")


def prepared(folder: Path, source: str, tests: tuple[str, ...]) -> None:
    """A copy of the repository with mutmut's settings for one place."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in BUILT_OF:
        origin = ROOT / name
        copy = shutil.copytree if origin.is_dir() else shutil.copy
        copy(origin, folder / name, **({"ignore": shutil.ignore_patterns("__pycache__")} if origin.is_dir() else {}))
    lines = ["[mutmut]", f"source_paths={source}", "also_copy=", *(f"    {name}" for name in BUILT_OF)]
    lines += ["pytest_add_cli_args_test_selection=", *(f"    {test}" for test in tests if (ROOT / test).exists())]
    lines += ["pytest_add_cli_args=", "    -p", "    no:cacheprovider", "    -m", "    not browser"]
    (folder / "setup.cfg").write_text("\n".join(lines) + "\n", encoding="utf-8")


def mutmut(folder: Path, *words: str) -> str:
    command = [sys.executable, "-m", "mutmut", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def score(folder: Path, source: str, sample: int) -> tuple[int, list[str]]:
    """How many ways were tried, and the names of those that no test noticed."""
    mutmut(folder, "run", "--max-children", "1", "no.such.name")
    names = sorted(re.findall(r"^\s*(\S+__mutmut_\d+):", mutmut(folder, "results", "--all", "true"), re.MULTILINE))
    chosen = random.Random(SEED).sample(names, min(sample, len(names)))
    mutmut(folder, "run", "--max-children", "2", *chosen)
    outcomes = dict(re.findall(r"^\s*(\S+__mutmut_\d+): (.*)$", mutmut(folder, "results", "--all", "true"), re.MULTILINE))
    noticed = ("killed", "timeout", "caught by type check")
    return len(chosen), [f"{name}: {outcomes.get(name)}" for name in chosen if outcomes.get(name) not in noticed]


def main() -> int:
    sample = int(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE
    total, lived = 0, []
    for source, tests in PLACES.items():
        folder = ROOT / "var" / "mutate"
        prepared(folder, source, tests)
        tried, unnoticed = score(folder, source, sample)
        print(f"{source}: {tried - len(unnoticed)} of {tried} noticed", *unnoticed, sep="\n  ", flush=True)
        total, lived = total + tried, lived + unnoticed
    per_cent = 100 * (total - len(lived)) // max(total, 1)
    print(f"{per_cent} % of {total} noticed; the goal is {GOAL} %")
    return int(per_cent < GOAL)


if __name__ == "__main__":
    sys.exit(main())
