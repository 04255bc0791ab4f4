"""How long pages take on a running site, against the same server's page that needs neither database nor template."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

from cardsdb.games import games
from tests.bench.timing import table

ROOT = Path(__file__).parent.parent.parent
TRIVIAL = "/games.css"
PAGES = {
    "home": "/",
    "card list, 50 rows": "/cards/?game=spycraft&type=agent",
    "search": "/cards/?q=krypt+craft%3E%3D4",
    "card": "/cards/spycraft/li/",
    "rules": "/games/spycraft/rules/",
    "API: cards": "/api/v1/cards/?q=craft%3E%3D4",
}
ROUNDS = 60


@contextmanager
def site() -> Iterator[int]:
    """The site with one worker and a database of its own; gives its port."""
    with tempfile.TemporaryDirectory() as var, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        env = {**os.environ, "CUTOUT_VAR": var}
        subprocess.run([sys.executable, "manage.py", "prepare"], cwd=ROOT, env=env, check=True, capture_output=True)
        free.close()
        granian = [
            str(Path(sys.executable).parent / "granian"),
            "--interface",
            "wsgi",
            "--port",
            str(port),
            "--no-ws",
            "--log-level",
            "error",
        ]
        server = subprocess.Popen([*granian, "cardsdb.wsgi:application"], cwd=ROOT, env=env)
        try:
            for _ in range(100):
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    break
                except OSError:
                    time.sleep(0.1)
            yield port
        finally:
            server.terminate()
            server.wait(timeout=10)


def run() -> None:
    starter = next(s for s in games()["spycraft"].starters if s.format == "agency")
    with site() as port:
        connection = http.client.HTTPConnection("127.0.0.1", port)

        def seconds(method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None) -> float:
            start = time.perf_counter()
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            answer.read()
            assert answer.status in (200, 302), (path, answer.status)
            return time.perf_counter() - start

        form = {"Content-Type": "application/x-www-form-urlencoded"}
        asked = {name: ("GET", path, None, None) for name, path in PAGES.items()}
        token, cookie = _csrf(connection)
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": token, "game": "spycraft", "text": starter.text})
        asked["check a list of 54"] = ("POST", "/check/", body, {**form, "Cookie": f"csrftoken={cookie}"})
        rows = []
        for name, request in asked.items():
            ours, trivial = [], []
            for _ in range(ROUNDS):
                ours.append(seconds(*request))
                trivial.append(seconds("GET", TRIVIAL))
            mine, base = median(ours) * 1000, median(trivial) * 1000
            rows.append([name, f"{mine:.1f}", f"{quantiles(ours, n=20)[-1] * 1000:.1f}", f"{base:.1f}", f"{mine / base:.1f}"])
    table(f"Pages, one worker, one visitor, against {TRIVIAL}", ["page", "p50 ms", "p95 ms", "trivial ms", "ratio"], rows)


def _csrf(connection: http.client.HTTPConnection) -> tuple[str, str]:
    """A form token and the cookie that goes with it."""
    connection.request("GET", "/check/")
    answer = connection.getresponse()
    page = answer.read().decode()
    cookie = (answer.getheader("Set-Cookie") or "").split("csrftoken=")[1].split(";")[0]
    return page.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0], cookie
