"""The running site for a drill, started as ``make run`` starts it. It is prepared once, and copied for each
drill. ``tests/budgets`` and ``tests/many`` use it too.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import ROOT
from tests import on_postgresql as postgresql
from tests.many.machines import own_database
from tests.support.server import (
    PATIENCE,
    environment,
    free_port,
    granian_command,
    run_recipe,
    share_compiled_templates,
    wait_for,
)

DECK = {"game": "spycraft", "name": "Drill", "text": "Leaders:\n1 Li Cong\n1 Groundfire\n\nAgents:\n1 Kai"}
# The status if the connection broke or nothing came in time.
NOTHING = 0
# The statuses of honest answers.
ANSWERED = {200, 302, 304}
# The statuses of honest refusals.
REFUSED = {429, 503}
# What visitors read.
PAGES = (
    "/",
    "/cards/?q=game:spycraft+agent",
    "/cards/spycraft/kai/",
    "/decks/",
    "/api/v1/cards/?q=krypt",
    "/games/xfiles/",
)


def until(happens: Callable[[], bool], seconds: float = PATIENCE, pause: float = 0.2) -> bool:
    """Wait until the condition holds; return False if that takes longer than so many seconds."""
    end = time.monotonic() + seconds
    while not happens():
        if time.monotonic() >= end:
            return False
        time.sleep(pause)
    return True


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request: status (or NOTHING), body, and the seconds until it was complete."""

    status: int
    body: bytes
    seconds: float

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Asked:
    """A site as its visitors see it, at a port of this machine."""

    port: int

    def ask(
        self,
        path: str,
        method: str = "GET",
        body: object = None,
        sender: str = "127.0.0.1",
        patience: float = 60.0,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send one request from this loopback address; return the answer. ``patience`` is the time-out in
        seconds.
        """
        data = None if body is None else json.dumps(body).encode()
        began = time.monotonic()
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=patience, source_address=(sender, 0)
        )
        try:
            connection.request(method, path, data, {"Content-Type": "application/json", **(headers or {})})
            answer = connection.getresponse()
            return Answer(answer.status, answer.read(), time.monotonic() - began)
        except (OSError, http.client.HTTPException):
            return Answer(NOTHING, b"", time.monotonic() - began)
        finally:
            connection.close()


@dataclass
class Site(Asked):
    """A running site: its data folder and the server's process. Once it has ended, ``outlived`` is True if
    other processes of it had not.
    """

    var: Path
    server: subprocess.Popen[bytes]
    outlived: bool = False


@contextmanager
def started(command: Sequence[str], port: int, var: Path, given: Mapping[str, str]) -> Iterator[Site]:
    """Run the site by this command, with this environment, until the block ends."""
    # A process group of its own, so that processes which outlive the server can be ended too.
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = subprocess.Popen(command, cwd=ROOT, env=given, start_new_session=True, **quiet)
    site = Site(port, var, server)
    try:
        yield site
    finally:
        server.terminate()
        try:
            server.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            print("The server did not end by itself.", flush=True)
        # The worker takes a moment to notice that its server has ended.
        site.outlived = not until(lambda: not _is_left(server.pid), pause=0.1)
        with suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def _is_left(group: int) -> bool:
    """Return True while a process of the group lives."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def _prepare(given: Mapping[str, str]) -> None:
    command = [sys.executable, "manage.py", "prepare"]
    subprocess.run(command, cwd=ROOT, env=given, check=True, capture_output=True)


def prepared(folder: Path) -> Path:
    """Return a data folder with everything that a site needs, on SQLite. Made on the first call."""
    var = folder / "prepared"
    if not var.exists():
        var.mkdir()
        share_compiled_templates(var)
        _prepare(environment(var))
    return var


@contextmanager
def on_postgresql(folder: Path) -> Iterator[str]:
    """Yield the URL of a new PostgreSQL database that holds the cards of the prepared site; "" if no server
    answers.
    """
    if not postgresql.server():
        print("SKIPPED: no PostgreSQL server answers; set POSTGRESQL_URL.", flush=True)
        yield ""
        return
    with own_database() as address:
        # Files that ``prepare`` would write are in the prepared folder already; only the database is new.
        _prepare(environment(prepared(folder)) | {"DATABASE_URL": address})
        yield address


@contextmanager
def site(
    folder: Path,
    name: str,
    settings: Mapping[str, str] | None = None,
    *,
    workers: int | None = None,
    with_worker: bool = False,
) -> Iterator[Site]:
    """Run a copy of the prepared site with these settings, until the block ends. ``with_worker``: run all
    that ``make run`` starts, not only the server.
    """
    var = folder / name
    shutil.copytree(prepared(folder), var, symlinks=True, dirs_exist_ok=True)
    given = environment(var) | dict(settings or {})
    if "TASKS_URL" in given:
        # TASKS_URL adds an app, which needs its own tables.
        _prepare(given)
    with free_port() as port:
        command = ["sh", "-c", run_recipe(port, workers)] if with_worker else granian_command(port, workers)
        with started(command, port, var, given) as running:
            wait_for(port, running.server)
            yield running


def children(process: int) -> list[int]:
    """Return the process ids of this process's living children."""
    listed = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
    return [int(number) for number in listed.split()]
