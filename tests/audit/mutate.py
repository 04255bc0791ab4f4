"""``make mutate``: how many small breaks of judging, of permissions and of list reading do the tests
notice, in per cent?

A fixed sample of mutations is tried in each place; ``make mutate SAMPLE=1000`` tries more. Exit status
1 if a place is below the goal. ``tests.audit.broken`` does the work. Tests: ``tests/house/test_audit.py``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests import ROOT

if TYPE_CHECKING:
    import libcst

    from tests.audit.broken import Way

# Mutations per place.
SAMPLE = 150
# The per cent of them that tests must notice.
GOAL = 85
# Per cent by which a smaller sample may be worse by chance.
CHANCE = 5
# Options of pytest: no report, no plugins that these tests do not need, no cache.
QUIETLY = (
    "-o",
    "addopts=--ds=tests.settings -p no:schemathesis -p no:anyio",
    "-qq",
    "-p",
    "no:cacheprovider",
)


def every_function(function: libcst.FunctionDef) -> bool:
    return True


def asks_who(function: libcst.FunctionDef) -> bool:
    """Return True if the function is told who asks, or finds it out: it takes a viewer or an owner, or its
    name says so.
    """
    names = {parameter.name.value for parameter in function.params.params}
    return bool(names & {"viewer", "owner"}) or function.name.value.endswith(
        ("viewer_of", "owner_of", "browser_of", "hashed")
    )


class Place(NamedTuple):
    """Code to break (files or folders), the tests that should notice, and which functions are meant."""

    name: str
    code: tuple[str, ...]
    tests: tuple[str, ...]
    is_meant: Callable[[libcst.FunctionDef], bool] = every_function

    def files(self) -> list[Path]:
        """Return the Python files to break."""
        return [
            file
            for place in self.code
            for file in (sorted((ROOT / place).rglob("*.py")) if (ROOT / place).is_dir() else [ROOT / place])
        ]


KIT, KIT_TESTS = "cardsdb/games/kit", "tests/cardsdb/games/kit"
PERMISSIONS = (
    "cardsdb/identity/viewer.py",
    "cardsdb/models/audit.py",
    "cardsdb/models/box.py",
    "cardsdb/models/owned.py",
    "cardsdb/models/site.py",
    "decks/models/deck.py",
    "decks/models/league.py",
    "decks/models/people.py",
    "decks/models/values.py",
)
PLACES = (
    Place("judging", (f"{KIT}/rules",), (f"{KIT_TESTS}/rules",)),
    Place("reading of lists", (f"{KIT}/listtext",), (f"{KIT_TESTS}/listtext",)),
    Place("permissions", PERMISSIONS, ("tests/house/test_row_access.py", "tests/cardsdb/identity"), asks_who),
)


def score(place: Place, sample: int) -> tuple[int, list[Way]]:
    """Return (number of ways tried, ways that no test noticed)."""
    # Imported here, because mutmut is installed only for this command.
    from tests.audit.broken import Trial, broken, imported_broken

    sources, ways = broken(place.files(), sample, place.is_meant)
    trial = Trial(ways, os.cpu_count() or 1)
    with imported_broken(sources):
        status = pytest.main([*QUIETLY, *place.tests], plugins=[trial])
    if status:
        raise SystemExit(f"The tests of {place.name} could not be run.")
    return len(ways), trial.unnoticed


def main(words: list[str]) -> int:
    """Try the named place in this process, or each place in a process of its own; return the exit status."""
    sample = next((int(word) for word in words if word.isdecimal()), SAMPLE)
    named = [place for place in PLACES if place.name in words]
    if not named:
        again = [sys.executable, "-m", "tests.audit.mutate"]
        return max([subprocess.call([*again, place.name, str(sample)], cwd=ROOT) for place in PLACES])
    (place,) = named
    tried, unnoticed = score(place, sample)
    noticed, goal = tried - len(unnoticed), GOAL if sample >= SAMPLE else GOAL - CHANCE
    for way in unnoticed:
        print(f"  unnoticed: {way.change}")
    print(
        f"{place.name}: tests notice {noticed} of {tried} ways of breaking it,"
        f" {100 * noticed // max(tried, 1)} %; the goal is {goal} %"
    )
    return int(100 * noticed < goal * tried)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
