"""A site for a drill, as ``make run`` serves it: prepared once, and copied for each."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import ROOT
from tests.support.server import PATIENCE, environment, free_port, granian_command, manage, run_recipe, share_compiled_templates, wait_for

DECK = {"game": "spycraft", "name": "Drill", "text": "Leaders:\n1 Li Cong\n1 Groundfire\n\nAgents:\n1 Kai"}
NOTHING = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, NOTHING where the connection broke or nothing came in time; the body; seconds until it was there."""

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
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=patience, source_address=(sender, 0))
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
def site(
    folder: Path, name: str, settings: Mapping[str, str] | None = None, *, workers: int | None = None, with_worker: bool = False
) -> Iterator[Site]:
    """A copy of the prepared site with these settings beside those of tests, running until the drill ends. ``with_worker``: all that
    ``make run`` starts, in a group of the server's own."""
    var = folder / name
    shutil.copytree(prepared(folder), var, symlinks=True, dirs_exist_ok=True)
    with free_port() as port:
        given = environment(var) | dict(settings or {})
        if settings:
            # An app that a setting adds has tables of its own.
            subprocess.run([sys.executable, "manage.py", "prepare"], cwd=ROOT, env=given, check=True, capture_output=True)
        command = ["sh", "-c", run_recipe(port, workers)] if with_worker else granian_command(port, workers)
        quiet = subprocess.DEVNULL
        server = subprocess.Popen(command, cwd=ROOT, env=given, stdout=quiet, stderr=quiet, start_new_session=with_worker)
        try:
            wait_for(port, server)
            yield Site(port, var, server)
        finally:
            if server.poll() is None:
                server.terminate()
                try:
                    server.wait(timeout=PATIENCE)
                except subprocess.TimeoutExpired:
                    server.kill()
                    server.wait()
            until = time.monotonic() + PATIENCE
            while with_worker and _is_left(server.pid) and time.monotonic() < until:
                time.sleep(0.1)


def _is_left(group: int) -> bool:
    """A process of the group lives: the worker looks now and then whether its server does."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def children(process: int) -> list[int]:
    """The numbers of the processes that this one started, and that live."""
    return [int(number) for number in Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()]
