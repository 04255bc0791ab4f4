"""A site for a drill, as ``make run`` serves it: prepared once, and copied for each."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
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
    manage,
    run_recipe,
    share_compiled_templates,
    wait_for,
)

DECK = {"game": "spycraft", "name": "Drill", "text": "Leaders:\n1 Li Cong\n1 Groundfire\n\nAgents:\n1 Kai"}
NOTHING = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, NOTHING where the connection broke or nothing came in time; the body; seconds until it was
    there.
    """

    status: int
    body: bytes
    seconds: float

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Site:
    """A running site: its port, its data folder, the process of the server."""

    port: int
    var: Path
    server: subprocess.Popen[bytes]

    def ask(
        self,
        path: str,
        method: str = "GET",
        body: object = None,
        sender: str = "127.0.0.1",
        patience: float = 60.0,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """The answer to one request, from that loopback address."""
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


def prepared(folder: Path) -> Path:
    """A data folder with all that a site needs, on SQLite, made on the first call."""
    var = folder / "prepared"
    if not var.exists():
        var.mkdir()
        share_compiled_templates(var)
        manage(var, "prepare")
    return var


@contextmanager
def on_postgresql(folder: Path) -> Iterator[str]:
    """The address of a database of its own on the PostgreSQL of POSTGRESQL_URL, or of whatever server this
    machine runs, with the cards of the prepared site. Empty, and said so, where none answers.
    """
    if not postgresql.server():
        print("SKIPPED: no PostgreSQL server answers; set POSTGRESQL_URL.", flush=True)
        yield ""
        return
    with own_database() as address:
        # Whatever it wrote into its folder stands in that of the prepared site already, but for what belongs
        # to the database.
        given = environment(prepared(folder)) | {"DATABASE_URL": address}
        subprocess.run(
            [sys.executable, "manage.py", "prepare"], cwd=ROOT, env=given, check=True, capture_output=True
        )
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
    """A copy of the prepared site with these settings beside those of tests, running until the drill ends.
    ``with_worker``: all that ``make run`` starts, in a group of the server's own.
    """
    var = folder / name
    shutil.copytree(prepared(folder), var, symlinks=True, dirs_exist_ok=True)
    with free_port() as port:
        given = environment(var) | dict(settings or {})
        if "TASKS_URL" in given:
            # An app that it adds has tables of its own.
            subprocess.run(
                [sys.executable, "manage.py", "prepare"], cwd=ROOT, env=given, check=True, capture_output=True
            )
        command = ["sh", "-c", run_recipe(port, workers)] if with_worker else granian_command(port, workers)
        # In a group of its own, so that a process which outlives the server is ended too.
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        server = subprocess.Popen(command, cwd=ROOT, env=given, start_new_session=True, **quiet)
        try:
            wait_for(port, server)
            yield Site(port, var, server)
        finally:
            if server.poll() is None:
                server.terminate()
                try:
                    server.wait(timeout=PATIENCE)
                except subprocess.TimeoutExpired:
                    print("The server did not end by itself.", flush=True)
            until = time.monotonic() + PATIENCE
            while with_worker and _is_left(server.pid) and time.monotonic() < until:
                time.sleep(0.1)
            if not with_worker:
                with suppress(ProcessLookupError):
                    os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def _is_left(group: int) -> bool:
    """True while a process of the group lives: the worker looks now and then if its server does."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def children(process: int) -> list[int]:
    """The numbers of the processes that this one started, and that live."""
    return [
        int(number)
        for number in Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    ]
