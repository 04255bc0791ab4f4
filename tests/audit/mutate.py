"""How much of broken judging, broken permissions or broken reading of lists do the tests notice? ``make
mutate`` says it in per cent.

Of the ways in which mutmut breaks a place a sample is tried, always the same one; ``make mutate SAMPLE=1000``
tries more. Exit status 1 where a place is below the goal.
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

SAMPLE, GOAL = 150, 85
# By so many per cent a smaller sample may be worse by chance.
CHANCE = 5
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
    """Whether it is told who asks, or finds it out."""
    names = {parameter.name.value for parameter in function.params.params}
    return bool(names & {"viewer", "owner"}) or function.name.value.endswith(
        ("viewer_of", "owner_of", "browser_of", "hashed")
    )


class Place(NamedTuple):
    """What is broken, files or folders, and the tests that should notice."""

    name: str
    code: tuple[str, ...]
    tests: tuple[str, ...]
    is_meant: Callable[[libcst.FunctionDef], bool] = every_function

    def files(self) -> list[Path]:
        return [
            file
            for one in self.code
            for file in (sorted((ROOT / one).rglob("*.py")) if (ROOT / one).is_dir() else [ROOT / one])
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
)
PLACES = (
    Place("judging", (f"{KIT}/rules",), (f"{KIT_TESTS}/rules",)),
    Place("reading of lists", (f"{KIT}/listtext",), (f"{KIT_TESTS}/listtext",)),
    Place("permissions", PERMISSIONS, ("tests/house/test_whose_rows.py", "tests/cardsdb/identity"), asks_who),
)


def score(place: Place, sample: int) -> tuple[int, list[Way]]:
    """How many ways were tried, and those that no test noticed."""
    # Only where mutmut is installed, which the other tests do without.
    from tests.audit.broken import Trial, broken, imported_broken

    sources, ways = broken(place.files(), sample, place.is_meant)
    trial = Trial(ways, os.cpu_count() or 1)
    with imported_broken(sources):
        status = pytest.main([*QUIETLY, *place.tests], plugins=[trial])
    if status:
        raise SystemExit(f"The tests of {place.name} could not be run.")
    return len(ways), trial.unnoticed


def main(words: list[str]) -> int:
    """All places, each in a process of its own; or the one that is named."""
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
