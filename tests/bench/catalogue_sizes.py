"""The catalogue at three sizes on both databases: each is loaded into a place of its own, measured there, and removed.

The largest, a million cards, is measured with ``BENCH_MILLION=1``: it takes some ten minutes and 10 GB of disk.
PostgreSQL is measured where ``tests.on_postgresql`` finds one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

from tests.bench.generator import write_game
from tests.on_postgresql import server

ROOT = Path(__file__).parent.parent.parent
SIZES = (100_000, *((1_000_000,) if os.environ.get("BENCH_MILLION") else ()))
DATABASE = "cutout_bench"


def run() -> None:
    for cards in (0, *SIZES):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder)
            if cards:
                write_game(path / "games", cards)
            env = {**os.environ, "BENCH_CARDS": str(cards), "CUTOUT_GAMES_PATH": str(path / "games") if cards else ""}
            _measure({**env, "CUTOUT_VAR": str(path / "sqlite"), "DATABASE_URL": ""}, "SQLite")
            if server():
                with _database(server()) as url:
                    _measure({**env, "CUTOUT_VAR": str(path / "postgresql"), "DATABASE_URL": url}, "PostgreSQL")


def _measure(env: Mapping[str, str], database: str) -> None:
    env = {key: value for key, value in env.items() if value} | {"BENCH_DATABASE": database, "DJANGO_SETTINGS_MODULE": "cardsdb.settings"}
    Path(env["CUTOUT_VAR"]).mkdir()
    python(env, "manage.py", "migrate", "--skip-checks", "-v0")
    python(env, "manage.py", "load_cards", "-v0", quiet=True)
    modules = ["search_paths", "list_pages", "starting"]
    if env["BENCH_CARDS"] == "100000":
        modules.append("importing")
    for module in modules:
        python(env, "-m", f"tests.bench.{module}")


def python(env: Mapping[str, str], *arguments: str, quiet: bool = False) -> None:
    """Run Python on a catalogue of its own: settings and games are read once a process."""
    sys.stdout.flush()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=dict(env), check=True, stdout=subprocess.DEVNULL if quiet else None)


@contextmanager
def _database(url: str) -> Iterator[str]:
    """A fresh database beside the given one."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {DATABASE}")
        try:
            yield urlunsplit(urlsplit(url)._replace(path=f"/{DATABASE}"))
        finally:
            connection.execute(f"DROP DATABASE {DATABASE} WITH (FORCE)")
