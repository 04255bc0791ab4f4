"""What pages cost the server, against a bare WSGI hello and an empty Django view of the same server.

Processor time of the server's processes, for it hardly depends on what else the machine does. "Kept"
pages are answered from memory; "made" ones carry a cookie, and so are made by Django each time.
"""

from __future__ import annotations

import os
import re
import socket
import tempfile
import urllib.parse
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from cardsdb.games import games
from tests.bench.bare_paths import EMPTY, HELLO, SAME
from tests.bench.timing import table
from tests.support.server import serving

ROUNDS, SHORT, LONG = 15, 40, 300
COOKIE = {"Cookie": "bench=1"}
CARD, SEARCH, SUGGEST = "/cards/spycraft/li/", "/cards/?q=krypt+craft%3E%3D4", "/search/suggest/?q=kry"


@dataclass(frozen=True)
class Request:
    """What is asked, as bytes, and how often in a row."""

    path: str
    headers: dict[str, str]
    body: str = ""
    repeats: int = SHORT

    @property
    def spelt(self) -> bytes:
        headers = {"Host": "127.0.0.1", "Accept-Encoding": "gzip", **self.headers}
        if self.body:
            headers |= {"Content-Length": str(len(self.body)), "Content-Type": "application/x-www-form-urlencoded"}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"{'POST' if self.body else 'GET'} {self.path} HTTP/1.1\r\n{lines}\r\n{self.body}".encode()


class Viewer:
    """One connection that is kept; as thin as can be, so that the server is what is measured."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, request: bytes) -> tuple[int, str, bytes]:
        """(status, headers, body) of an answer that states its length, or has none."""
        self._socket.sendall(request)
        received = b""
        while b"\r\n\r\n" not in received:
            received += self._more()
        head, _, body = received.partition(b"\r\n\r\n")
        status, length = int(head[9:12]), re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        while status != 304 and len(body) < (int(length[1]) if length else 0):
            body += self._more()
        return status, head.decode("latin-1"), body

    def _more(self) -> bytes:
        part = self._socket.recv(1 << 16)
        assert part, "the server closed the connection"
        return part

    def close(self) -> None:
        self._socket.close()


def processor_time(server: int) -> float:
    """Microseconds that the server and its workers have worked so far."""
    return sum(int(path.read_text().split()[0]) for path in _threads(server)) / 1_000


def _threads(server: int) -> Iterator[Path]:
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:  # It ended meanwhile.
            continue
        if server in (parent, int(stat.parent.name)):
            yield from stat.parent.glob("task/*/schedstat")


def run() -> None:
    # One visitor asks more here in a minute than a visitor may.
    os.environ |= {"CUTOUT_READS_PER_MINUTE": "1000000", "CUTOUT_WORKS_PER_MINUTE": "1000000"}
    with (
        tempfile.TemporaryDirectory() as var,
        serving(Path(var), 1, "tests.bench.bare:application") as (port, server),
        closing(Viewer(port)) as visitor,
    ):
        costs = _costs(_requests(visitor), visitor, server)
    rows = []
    for name, cost in costs.items():
        against = [cost / costs[base] for base in ("bare hello", "bare hello with the card page's bytes", "empty Django view")]
        rows.append([name, f"{cost:.0f}", *(f"{ratio:.2f}" for ratio in against)])
    table("Pages, server's processor time a request", ["page", "µs", "/ hello", "/ hello, same bytes", "/ empty view"], rows)


def _requests(visitor: Viewer) -> dict[str, Request]:
    etag = visitor.ask(Request(CARD, {}).spelt)[1].lower().partition("etag: ")[2].partition("\r\n")[0]
    found = {
        "bare hello": Request(HELLO, {}, repeats=LONG),
        "bare hello with the card page's bytes": Request(SAME + CARD, {}, repeats=LONG),
        "empty Django view": Request(EMPTY, {}, repeats=LONG),
        "card page, kept": Request(CARD, {}, repeats=LONG),
        "card page, kept, unchanged (304)": Request(CARD, {"If-None-Match": etag}, repeats=LONG),
        "search page, kept": Request(SEARCH, {}, repeats=LONG),
        "autocomplete, kept": Request(SUGGEST, {}, repeats=LONG),
        "card page, made": Request(CARD, COOKIE),
        "search page, made": Request(SEARCH, COOKIE),
        "autocomplete, made": Request(SUGGEST, COOKIE),
        "home, made": Request("/", COOKIE),
        "rules, made": Request("/games/spycraft/rules/", COOKIE),
    }
    starter = next(s for s in games()["spycraft"].starters if s.format == "agency")
    token, cookie = _csrf(visitor)
    form = urllib.parse.urlencode({"csrfmiddlewaretoken": token, "game": "spycraft", "text": starter.text})
    return found | {"check a list of 54": Request("/check/", {"Cookie": f"csrftoken={cookie}"}, form)}


def _csrf(visitor: Viewer) -> tuple[str, str]:
    """A form's token and the cookie that goes with it."""
    _, head, body = visitor.ask(Request("/check/", {"Accept-Encoding": "identity"}).spelt)
    cookie = head.partition("csrftoken=")[2].partition(";")[0]
    return body.decode().partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0], cookie


def _costs(requests: dict[str, Request], visitor: Viewer, server: int) -> dict[str, float]:
    """Name -> microseconds a request, the middle one of rounds in which all take turns."""
    found: dict[str, list[float]] = {name: [] for name in requests}
    for _ in range(ROUNDS):
        for name, request in requests.items():
            spelt = request.spelt
            status, _, _ = visitor.ask(spelt)
            assert status in (200, 304), (name, status)
            before = processor_time(server)
            for _ in range(request.repeats):
                visitor.ask(spelt)
            found[name].append((processor_time(server) - before) / request.repeats)
    return {name: median(costs) for name, costs in found.items()}
