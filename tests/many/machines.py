"""Two machines of one site: each a data folder, a server and a worker; shared are a PostgreSQL database, a
Redis and an object store.

``many`` starts all of it and stops it again. ``tests.drill`` uses ``own_database``.
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
from typing import NamedTuple
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
# Rate limits that are lifted, because tests ask more than a visitor may.
LIMITS = ("CUTOUT_READS_PER_MINUTE", "CUTOUT_WORKS_PER_MINUTE", "CUTOUT_DECKS_PER_DAY")


class Machine:
    """One machine. Each of its programs leads a process group, so that a signal reaches its children and
    nothing else.
    """

    def __init__(self, name: str, folder: Path, port: int, environment: Mapping[str, str]) -> None:
        self.port = port
        self.var = folder / name
        self.var.mkdir(exist_ok=True)
        self.environment = {**environment, "CUTOUT_VAR": str(self.var)}
        self._log = (folder / f"{name}.log").open("ab")
        self._running: list[subprocess.Popen[bytes]] = []

    def begin(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a management command; return its process."""
        return self._begin([sys.executable, "manage.py", *arguments])

    def start(self, processes: int | None = None) -> None:
        """Start the server (with this number of processes) and the worker; return once the server answers."""
        server = self._begin(granian_command(self.port, processes))
        self._running = [server, self.begin("worker")]
        wait_for(self.port, server)

    def kill(self) -> None:
        """Kill all processes at once, as if the power failed."""
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
            # A group's number is not reused while any of its processes lives.
            os.killpg(process.pid, number)
        for process in self._running:
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
        self._running = []


class Many(NamedTuple):
    """The running site: the port and the log of its proxy. ``seconds`` is the time from an empty database to
    the first answer through the proxy.
    """

    port: int
    machines: Sequence[Machine]
    log: Path
    seconds: float

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def many(folder: Path, port: int) -> Iterator[Many]:
    """Start two machines at the same time on an empty database, behind a proxy at this port. Everything is
    stopped afterwards.
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
        yield Many(port, machines, log, time.monotonic() - began)


@contextmanager
def own_bucket() -> Iterator[str]:
    """Yield the STORAGE_URL of an empty bucket in an object store of its own."""
    with object_store.own_server() as place:
        make_bucket = urllib.request.Request(f"http://{place}/{BUCKET}", method="PUT")
        urllib.request.urlopen(make_bucket, timeout=10).close()
        yield object_store.address_of(BUCKET, place)


@contextmanager
def own_database() -> Iterator[str]:
    """Yield the URL of an empty database, on the server of POSTGRESQL_URL or a local one. It is dropped
    afterwards.
    """
    server = on_postgresql.server()
    if not server:
        raise SystemExit("No PostgreSQL answers: start one, or set POSTGRESQL_URL.")
    name = f"cutout_many_{os.getpid()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            parts = urlsplit(server)
            # Built by hand: urlunsplit drops the two slashes, which libpq needs, if there is no host.
            query = f"?{parts.query}" if parts.query else ""
            yield f"{parts.scheme}://{parts.netloc}/{name}{query}"
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
