"""A figure in the table of budgets, and the means to measure it: fresh processes, and copies of a prepared
site. All modules of this folder use it.

Run as a program, it calls one function of a module beside it and prints the result as JSON (``apart``).
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import django

from cardsdb.games import games
from tests import ROOT
from tests.drill.site import prepared
from tests.support.paper_war import write_game
from tests.support.server import environment

# The deck that all rows use: 46 lines of Spycraft.
STARTER = next(one for one in games()["spycraft"].starters if one.slug == "nine-tiger").text
DECK = {"game": "spycraft", "name": "Budget", "text": STARTER, "visibility": "public"}


@dataclass(frozen=True, slots=True)
class Line:
    """One figure. ``value`` is None if it cannot be measured here; ``budget`` is None if the figure is only
    shown. The budget is a maximum, or a minimum with ``at_least``.
    """

    what: str
    value: float | None
    budget: float | None = None
    unit: str = "ms"
    at_least: bool = False
    note: str = ""

    @property
    def is_held(self) -> bool:
        if self.value is None or self.budget is None:
            return True
        return self.value >= self.budget if self.at_least else self.value <= self.budget

    @property
    def cells(self) -> tuple[str, ...]:
        """(what, measured value, budget, held or not)"""
        if self.value is None:
            return self.what, "not measured here", "", self.note
        budget = "" if self.budget is None else f"{'>=' if self.at_least else '<='} {self.budget:,g}"
        held = "told" if self.budget is None else "held" if self.is_held else "NOT HELD"
        # Three digits are enough.
        digits = 0 if self.value >= 100 else 1 if self.value >= 10 else 2
        return self.what, f"{self.value:,.{digits}f} {self.unit}", budget, f"{held}  {self.note}".rstrip()


def milliseconds(
    work: Callable[[], Any], rounds: int, clock: Callable[[], float] = time.process_time
) -> float:
    """Return the median of so many rounds, by default in processor time of this process."""
    found = []
    for _ in range(rounds):
        began = clock()
        work()
        found.append((clock() - began) * 1_000)
    return median(found)


def place(folder: Path, name: str = "", invented: int = 0) -> dict[str, str]:
    """Return the environment for a program on the prepared site, or on a copy of it called ``name`` with this
    number of invented cards.
    """
    given = environment(prepared(folder)) | {"DJANGO_SETTINGS_MODULE": "cardsdb.settings"}
    if not name:
        return given
    there = folder / name
    given |= {"CUTOUT_VAR": str(there)}
    if invented:
        given |= {"CUTOUT_GAMES_PATH": str(folder / f"games-{invented}")}
    if not there.exists():
        shutil.copytree(prepared(folder), there, symlinks=True)
        if invented:
            write_game(folder / f"games-{invented}", invented)
            program([sys.executable, "manage.py", "load_cards", "-v0"], given)
    return given


def program(command: list[str], env: dict[str, str]) -> str:
    """Run a program and return its output. Raises CalledProcessError if it fails."""
    return subprocess.run(command, cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout


def apart(function: str, env: dict[str, str], *arguments: object) -> Any:
    """Return the result of a function ("module.name" of this package) that runs in a fresh process with
    Django set up. Arguments arrive as strings.
    """
    command = [sys.executable, "-W", "ignore", "-m", "tests.budgets.measuring", function]
    told = program([*command, *(str(argument) for argument in arguments)], env)
    return json.loads(told.splitlines()[-1])


if __name__ == "__main__":
    django.setup()
    room, _, function = sys.argv[1].rpartition(".")
    print(json.dumps(getattr(import_module(f"tests.budgets.{room}"), function)(*sys.argv[2:])))
