"""Start the site as ``make run`` does: granian with the flags read from the Makefile."""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests import ROOT

SITE = "cardsdb.wsgi:application"
# Seconds to wait for the server to start or stop.
PATIENCE = 120.0


def run_recipe(port: int, workers: int | None = None) -> str:
    """The shell command of ``make run`` after the site is prepared: it runs the worker, again whenever it is
    killed, and the server.
    """
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = re.search(r"^\t@(until (?:.*\\\n)*.*)", makefile, re.MULTILINE)
    assert recipe, "the Makefile starts the site in another way than is understood here"
    given = dict(re.findall(r"^(\w+) \?= (.*)$", makefile, re.MULTILINE)) | {"PORT": str(port)}
    given |= {"BIN": str(Path(sys.executable).parent), "MANAGE": f"{sys.executable} manage.py"}
    if workers:
        given["WORKERS"] = str(workers)
    return re.sub(r"\$\((\w+)\)", lambda match: given[match[1]], recipe[1].replace("\\\n", " ")).replace(
        "$$", "$"
    )


def granian_command(port: int, workers: int | None = None, application: str = SITE) -> list[str]:
    """The command line of the server in ``make run`` with this port and number of workers."""
    command = shlex.split(run_recipe(port, workers).partition("exec ")[2])
    assert command[1:3] == ["-m", "cardsdb.serve"] and command[-1] == SITE, command
    return [*command[:-1], application]


def environment(var: Path) -> dict[str, str]:
    """The environment variables for a site with its own data folder and database. Limits of requests are
    lifted, because tests send more than a visitor may.
    """
    others = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    if address := os.environ.get("CUTOUT_TEST_DATABASE"):
        others["DATABASE_URL"] = address
    limits = dict.fromkeys(("CUTOUT_READS_PER_MINUTE", "CUTOUT_WORKS_PER_MINUTE"), "1000000")
    return others | limits | {"CUTOUT_VAR": str(var)}


def manage(var: Path, *arguments: str) -> None:
    """Run a management command on the site's data."""
    subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment(var),
        check=True,
        capture_output=True,
    )


def share_compiled_templates(var: Path) -> None:
    """Let sites share one folder of compiled templates, because compiling takes two seconds. That is safe:
    the name of a compiled file depends on all that it was made from.
    """
    (shared := Path(os.environ.get("CUTOUT_VAR", ROOT / "var")) / "templates").mkdir(
        parents=True, exist_ok=True
    )
    with suppress(FileExistsError):
        (var / "templates").symlink_to(shared)


@contextmanager
def serving(var: Path) -> Iterator[tuple[int, int]]:
    """Prepare and serve the site. Yields (port, process id of the server)."""
    share_compiled_templates(var)
    manage(var, "prepare")
    with free_port() as port:
        server = subprocess.Popen(granian_command(port), cwd=ROOT, env=environment(var))
        try:
            wait_for(port, server)
            yield port, server.pid
        finally:
            server.terminate()
            server.wait(timeout=PATIENCE)


@contextmanager
def free_port() -> Iterator[int]:
    """Find a free port and reserve it until the server has bound it.

    On Linux granian's workers bind the port with SO_REUSEPORT, and so does the socket here, which never
    listens. Other programs therefore cannot get the port. On other systems the socket must be closed first.
    """
    with socket.socket() as held:
        if sys.platform == "linux":
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        if sys.platform != "linux":
            held.close()
        yield port


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        assert server.poll() is None, "the server stopped by itself"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"no answer within {PATIENCE:.0f} seconds")
