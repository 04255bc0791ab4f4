"""Where rows are measured: data folders of their own, each made once a run, and processes that measure
there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

from tests import ROOT
from tests.bench.generator import write_game
from tests.bench.goals import Result, results_of_json
from tests.on_postgresql import server

CARDS, DATABASE = 100_000, "cutout_bench"


class Place(Enum):
    """The catalogue as it is; with an invented game beside it; with very many decks."""

    REAL, LARGE, DECKS = "real", "large", "decks"


def measured(place: Place, modules: Sequence[str], folder: Path, database: str) -> Iterator[Result]:
    """What these modules measure there, line by line. ``database``: empty for SQLite; nothing is measured
    where it is not installed.
    """
    if not modules or (database and not server()):
        return
    env = _environment(place, folder, database)
    _make(place, env, Path(env["CUTOUT_VAR"]))
    for module in modules:
        command = [sys.executable, "-W", "ignore", "-m", "tests.bench.measure", module]
        with subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout
            # Servers that it starts say this and that between.
            for line in running.stdout:
                if line.startswith("{"):
                    yield from results_of_json([json.loads(line)])
        if running.returncode:
            raise SystemExit(f"{module} stopped with {running.returncode}")


def _environment(place: Place, folder: Path, database: str) -> dict[str, str]:
    env = {
        key: value
        for key, value in os.environ.items()
        if key not in ("DATABASE_URL", "CUTOUT_GAMES_PATH", "PYTHONDONTWRITEBYTECODE")
    }
    # What starts is compiled at its first start, as on a machine that has served before.
    env["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    env |= {"CUTOUT_VAR": str(folder / f"{place.value}{database}"), "BENCH_DATABASE": database}
    env |= {"DJANGO_SETTINGS_MODULE": "cardsdb.settings"}
    if place is Place.LARGE:
        env["CUTOUT_GAMES_PATH"] = str(folder / "games")
        if not (folder / "games").exists():
            write_game(folder / "games", CARDS)
    if database:
        with psycopg.connect(server(), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {DATABASE}")
        env["DATABASE_URL"] = urlunsplit(urlsplit(server())._replace(path=f"/{DATABASE}"))
    return env


def _make(place: Place, env: Mapping[str, str], var: Path) -> None:
    var.mkdir()
    steps = (
        [["manage.py", "prepare"]]
        if place is Place.REAL
        else [["manage.py", "migrate", "-v0"], ["manage.py", "load_cards", "-v0"]]
    )
    if place is Place.DECKS:
        steps.append(
            ["-c", "import django; django.setup(); from tests.bench import many_decks; many_decks.make()"]
        )
    for step in steps:
        subprocess.run(
            [sys.executable, *step], cwd=ROOT, env=dict(env), check=True, stdout=subprocess.DEVNULL
        )
