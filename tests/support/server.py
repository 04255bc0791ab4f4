"""The site's real server (granian), started with the same command line as ``make run``.

``serving`` prepares and runs the whole site; the other functions are its parts, which the drills and
``tests.many`` use too. The flags are read from the Makefile, so the tests always run what users run.
"""

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
# Seconds to wait for a server to start or stop.
PATIENCE = 120.0


def run_recipe(port: int, workers: int | None = None) -> str:
    """Return the shell command with which ``make run`` starts the prepared site: the worker, restarted
    whenever it dies, and the server.
    """
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = re.search(r"^\t@(until (?:.*\\\n)*.*)", makefile, re.MULTILINE)
    assert recipe, "the Makefile starts the site in another way than is understood here"
    given = dict(re.findall(r"^(\w+) \?= (.*)$", makefile, re.MULTILINE)) | {"PORT": str(port)}
    given |= {"BIN": str(Path(sys.executable).parent), "MANAGE": f"{sys.executable} manage.py"}
    if workers:
        given["WORKERS"] = str(workers)
    # Join continued lines, replace $(NAME) by its value, and $$ by the $ that the shell sees.
    joined = recipe[1].replace("\\\n", " ")
    return re.sub(r"\$\((\w+)\)", lambda match: given[match[1]], joined).replace("$$", "$")


def granian_command(port: int, workers: int | None = None, application: str = SITE) -> list[str]:
    """Return the server's part of that command, with this port and number of worker processes, serving
    ``application``.
    """
    command = shlex.split(run_recipe(port, workers).partition("exec ")[2])
    assert command[1:3] == ["-m", "cardsdb.serve"] and command[-1] == SITE, command
    return [*command[:-1], application]


def environment(var: Path) -> dict[str, str]:
    """Return this environment with another data folder, and so another database, and with rate limits that
    tests do not reach.
    """
    others = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    if address := os.environ.get("CUTOUT_TEST_DATABASE"):
        others["DATABASE_URL"] = address
    limits = dict.fromkeys(("CUTOUT_READS_PER_MINUTE", "CUTOUT_WORKS_PER_MINUTE"), "1000000")
    return others | limits | {"CUTOUT_VAR": str(var)}


def manage(var: Path, *arguments: str) -> None:
    """Run a management command on the site's data. Raises CalledProcessError if it fails."""
    subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment(var),
        check=True,
        capture_output=True,
    )


def share_compiled_templates(var: Path) -> None:
    """Let the site use the templates that were compiled before, which saves two seconds. The file names
    contain a hash of the source, so old files do no harm.
    """
    shared = Path(os.environ.get("CUTOUT_VAR", ROOT / "var")) / "templates"
    shared.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        (var / "templates").symlink_to(shared)


@contextmanager
def serving(var: Path) -> Iterator[tuple[int, int]]:
    """Prepare and run the site; yield its port and the server's process id."""
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
    """Yield a port that no other program can take while the block runs.

    On Linux a socket that never listens holds the port with SO_REUSEPORT, and granian's workers bind it too.
    On other systems the port is released before it is yielded, so there another program could take it.
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
    """Wait until the server accepts connections; fail if it ends or takes too long."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        assert server.poll() is None, "the server stopped by itself"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"no answer within {PATIENCE:.0f} seconds")
