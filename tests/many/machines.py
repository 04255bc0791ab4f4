"""Two machines of one site: each a data folder, a server and a worker of its own; one PostgreSQL, one Redis,
one object store.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from tests import ROOT, on_postgresql
from tests.many.proxy import proxy_before
from tests.support import object_store
from tests.support.redis_server import Server as Redis
from tests.support.server import PATIENCE, free_port, granian_command, wait_for

NAMES = ("one", "two")
BUCKET = "cutout"
# Tests ask more in a minute than a visitor may.
LIMITS = ("CUTOUT_READS_PER_MINUTE", "CUTOUT_WORKS_PER_MINUTE", "CUTOUT_DECKS_PER_DAY")


class Machine:
    """One of them. What it runs are groups of processes of their own, so that nobody else is meant by a
    signal for them.
    """

    def __init__(self, name: str, folder: Path, port: int, environment: Mapping[str, str]) -> None:
        self.port = port
        self.var = folder / name
        self.var.mkdir(exist_ok=True)
        self.environment = {**environment, "CUTOUT_VAR": str(self.var)}
        self._log = (folder / f"{name}.log").open("ab")
        self._running: list[subprocess.Popen[bytes]] = []

    def begin(self, *arguments: str) -> subprocess.Popen[bytes]:
        """A management command, begun."""
        return self._begin([sys.executable, "manage.py", *arguments])

    def start(self, processes: int | None = None) -> None:
        """Start the server, of so many processes where that is said, and the worker; the server answers
        then.
        """
        server = self._begin(granian_command(self.port, processes))
        self._running = [server, self.begin("worker")]
        wait_for(self.port, server)

    def kill(self) -> None:
        """As when its plug is pulled: nothing of it says good-bye."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _begin(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            cwd=ROOT,
            env=self.environment,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )

    def _end(self, number: signal.Signals) -> None:
        for process in self._running:
            # Its group lives as long as any of its processes, and is nobody else's meanwhile.
            os.killpg(process.pid, number)
        for process in self._running:
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
        self._running = []


class Many:
    """The whole of it. ``seconds`` says how long it took from an empty database to the first answer through
    the proxy.
    """

    def __init__(self, url: str, machines: Sequence[Machine], log: Path) -> None:
        self.url, self.machines, self.log = url, machines, log
        self.seconds = 0.0


@contextmanager
def many(folder: Path, port: int) -> Iterator[Many]:
    """Two machines that were started at once on an empty database, behind a proxy at this port; all of it is
    gone afterwards.
    """
    began = time.monotonic()
    with ExitStack() as stack:
        redis = Redis(folder)
        stack.callback(redis.stop)
        common = {
            **os.environ,
            "DATABASE_URL": stack.enter_context(own_database()),
            "CACHE_URL": f"{redis.url}?db=0",
            "TASKS_URL": f"{redis.url}?db=1",
            "STORAGE_URL": stack.enter_context(own_bucket()),
            "SECRET_KEY": secrets.token_urlsafe(64),
            "CUTOUT_BEHIND_PROXY": "1",
        }
        common |= dict.fromkeys(LIMITS, "1000000")
        machines = [Machine(name, folder, stack.enter_context(free_port()), common) for name in NAMES]
        preparing = [machine.begin("prepare") for machine in machines]
        statuses = [process.wait() for process in preparing]
        if any(statuses):
            raise SystemExit("\n".join((folder / f"{name}.log").read_text() for name in NAMES))
        for machine in machines:
            stack.callback(machine.stop)
            machine.start()
        log = stack.enter_context(proxy_before([machine.port for machine in machines], folder, port))
        running = Many(f"http://127.0.0.1:{port}", machines, log)
        running.seconds = time.monotonic() - began
        yield running


@contextmanager
def own_bucket() -> Iterator[str]:
    """The address of an empty bucket, in an object store of its own."""
    with object_store.own_server() as place:
        urllib.request.urlopen(
            urllib.request.Request(f"http://{place}/{BUCKET}", method="PUT"), timeout=10
        ).close()
        yield object_store.address_of(BUCKET, place)


@contextmanager
def own_database() -> Iterator[str]:
    """The address of an empty database of the PostgreSQL at POSTGRESQL_URL, or of whatever server this
    machine runs.
    """
    server = on_postgresql.server()
    if not server:
        raise SystemExit("No PostgreSQL answers: start one, or set POSTGRESQL_URL.")
    name = f"cutout_many_{os.getpid()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            parts = urlsplit(server)
            # Put together by hand: without a host urlunsplit leaves out the two slashes that libpq wants.
            yield f"{parts.scheme}://{parts.netloc}/{name}{'?' * bool(parts.query)}{parts.query}"
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
