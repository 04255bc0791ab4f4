"""The sites that are loaded: each a data folder, and where it is PostgreSQL a database, that is seeded once
and kept.

A site on two machines is that of PostgreSQL, its pictures in an object store and its queue and counts in a
Redis, behind nginx.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit, urlunsplit

import psycopg

from tests import ROOT
from tests.many.machines import NAMES, Machine, own_bucket
from tests.many.proxy import proxy_before
from tests.on_postgresql import server
from tests.support.redis_server import Server as Redis
from tests.support.server import free_port

DATABASES = ("SQLite", "PostgreSQL")
NAME, SEEDED = "cutout_load", "visitors.json"
LIMITS = ("CUTOUT_READS_PER_MINUTE", "CUTOUT_WORKS_PER_MINUTE")


def environment(folder: Path, database: str) -> dict[str, str]:
    """This environment with that site's data. Each visitor has an address, as behind a proxy, and bounds that
    they do not reach.
    """
    env = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DATABASE_URL", "CACHE_URL", "TASKS_URL", "STORAGE_URL")
    }
    env |= dict.fromkeys(LIMITS, "100000000") | {"CUTOUT_BEHIND_PROXY": "1"}
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


def _run(env: Mapping[str, str], *arguments: str) -> bytes:
    """What this program says."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=dict(env), check=True, stdout=subprocess.PIPE
    ).stdout


class Running(NamedTuple):
    """A site that answers at this port, made of these machines."""

    port: int
    machines: list[Machine]

    def work(self) -> Mapping[str, Any]:
        """What the workers were asked for and made (tests/load/work.py); it is forgotten then."""
        found: Mapping[str, Any] = json.loads(_run(self.machines[0].environment, "-m", "tests.load.work"))
        return found

    def megabytes(self) -> float:
        """What servers and workers hold in memory; what they share counts once."""
        return sum(told["Pss"] for machine in self.machines for told in in_memory(machine.pids))


def need_connections(processes: int) -> None:
    """Raises SystemExit where PostgreSQL has fewer connections than so many server processes may take
    (docs/operate.md).
    """
    with psycopg.connect(server()) as connection:
        (most,) = connection.execute("SELECT current_setting('max_connections')::int").fetchone() or (0,)
    if most < (wanted := 30 * processes + 20):
        raise SystemExit(
            f"PostgreSQL gives {most} connections; {processes} processes want {wanted}: raise"
            " max_connections."
        )


@contextmanager
def serving(env: Mapping[str, str], processes: int, number: int = 1) -> Iterator[Running]:
    """The site of ``ready`` on so many machines, 1 or 2, each with a server as ``make run`` has it, of so
    many processes, and a worker.
    """
    site = Path(env["CUTOUT_VAR"])
    if "DATABASE_URL" in env:
        need_connections(processes * number)
    with ExitStack() as stack:
        port = stack.enter_context(free_port())
        if number == 1:
            machines = [Machine(site.name, site.parent, port, env)]
        else:
            folder = site.parent / "many"
            folder.mkdir(exist_ok=True)
            redis = Redis(folder)
            stack.callback(redis.stop)
            bucket = stack.enter_context(own_bucket())
            _fill(bucket, site / "pictures")
            shared = {
                "CACHE_URL": f"{redis.url}?db=0",
                "TASKS_URL": f"{redis.url}?db=1",
                "STORAGE_URL": bucket,
            }
            shared["SECRET_KEY"] = (site / "secret_key").read_text()
            machines = [
                Machine(name, folder, stack.enter_context(free_port()), {**env, **shared}) for name in NAMES
            ]
            for machine in machines:
                _run(machine.environment, "manage.py", "prepare")
        for machine in machines:
            stack.callback(machine.stop)
            machine.start(processes)
        if number > 1:
            stack.enter_context(
                proxy_before(
                    [machine.port for machine in machines], folder, port, sender="$http_x_forwarded_for"
                )
            )
        running = Running(port, machines)
        # What an evening before left.
        running.work()
        yield running


def _fill(bucket: str, folder: Path) -> None:
    """Bring a folder's pictures into an empty bucket."""
    where = urlsplit(bucket)
    place = where.netloc.rpartition("@")[2] + where.path
    for path in (path for path in folder.rglob("*") if path.parent != folder and path.is_file()):
        name = f"http://{place}/pictures/{path.relative_to(folder)}"
        sent = urllib.request.Request(
            name, path.read_bytes(), {"Content-Type": "application/octet-stream"}, method="PUT"
        )
        urllib.request.urlopen(sent, timeout=10).close()


def in_memory(pids: Collection[int]) -> Iterator[dict[str, float]]:
    """Of each of these processes, and of each that they have started, megabytes by what the system calls
    them: ``Rss``, ``Pss``.
    """
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            if parent in pids or int(path.parent.name) in pids:
                lines = (path.parent / "smaps_rollup").read_text().splitlines()[1:]
                yield {
                    name: int(rest.split()[0]) / 1_024
                    for name, _, rest in (line.partition(":") for line in lines)
                }
        except OSError:  # It ended meanwhile.
            continue
