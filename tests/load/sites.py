"""The sites that are loaded: each a data folder, and where it is PostgreSQL a database, that is seeded once and kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

from tests import ROOT
from tests.on_postgresql import server
from tests.support.server import PATIENCE, free_port, granian_command, wait_for

DATABASES = ("SQLite", "PostgreSQL")
NAME, SEEDED = "cutout_load", "visitors.json"


def environment(folder: Path, database: str) -> dict[str, str]:
    """This environment with that site's data. One address asks for all: its bounds are those of many."""
    env = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "CACHE_URL", "TASKS_URL")}
    env |= dict.fromkeys(("CUTOUT_READS_PER_MINUTE", "CUTOUT_WORKS_PER_MINUTE"), "100000000")
    if database == "PostgreSQL":
        env["DATABASE_URL"] = urlunsplit(urlsplit(server())._replace(path=f"/{NAME}"))
    return env | {"CUTOUT_VAR": str(folder / database.lower()), "DJANGO_SETTINGS_MODULE": "cardsdb.settings"}


def ready(folder: Path, database: str, decks: int, anew: bool = False) -> dict[str, str]:
    """The environment of the site, seeded if it is not yet."""
    env = environment(folder, database)
    var = Path(env["CUTOUT_VAR"])
    if anew or not (var / SEEDED).exists():
        shutil.rmtree(var, ignore_errors=True)
        if database == "PostgreSQL":
            with psycopg.connect(server(), autocommit=True) as connection:
                connection.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")
                connection.execute(f"CREATE DATABASE {NAME}")
        var.mkdir(parents=True)
        _run(env, "manage.py", "prepare")
        _run(env, "-m", "tests.load.seed", str(decks))
    _run(env, "manage.py", "prepare")
    return env


def _run(env: Mapping[str, str], *arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=dict(env), check=True, stdout=subprocess.DEVNULL)


@contextmanager
def serving(env: Mapping[str, str], processes: int, log: Path) -> Iterator[tuple[int, int]]:
    """The site as ``make run`` serves it; gives its port and the server's process id. What it says goes into ``log``."""
    with free_port() as port, log.open("ab") as said:
        running = subprocess.Popen(granian_command(port, processes), cwd=ROOT, env=dict(env), stdout=said, stderr=said)
        try:
            wait_for(port, running)
            yield port, running.pid
        finally:
            running.terminate()
            try:
                running.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                running.kill()


def megabytes(pid: int) -> float:
    """What the server and its processes hold in memory; what they share counts once."""
    kilobytes = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            if pid in (parent, int(path.parent.name)):
                rollup = (path.parent / "smaps_rollup").read_text()
                kilobytes += int(rollup.partition("\nPss:")[2].split()[0])
        except OSError:  # It ended meanwhile.
            continue
    return kilobytes / 1_024
