"""What pages cost the server, against a bare WSGI hello and an empty Django view of the same server.

Processor time of the server's processes, for it hardly depends on what else the machine does. "Kept" pages
are answered from memory; "made" ones carry a header that pages are never stored for, and so are made by
Django each time.
"""

from __future__ import annotations

import re
import socket
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.bench.bare_paths import HELLO
from tests.bench.goals import Result, result
from tests.support.server import serving

ROUNDS, REPEATS = 11, 300
# Microseconds of a page that no memory answers.
SLOW = 2_000.0
MADE = {"Authorization": "bench"}
COOKIES = {"Cookie": "consent=yes; theme=dark; _ga=GA1.2.3; csrftoken=abcdefghijklmnopqrstuvwxyzABCDEF"}
CARD, SEARCH = "/cards/spycraft/li/", "/cards/?q=krypt+craft%3E%3D4"


@dataclass(frozen=True)
class Request:
    """What is asked, as bytes."""

    path: str
    headers: dict[str, str]

    @property
    def spelt(self) -> bytes:
        headers = {"Host": "127.0.0.1", "Accept-Encoding": "gzip", **self.headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"GET {self.path} HTTP/1.1\r\n{lines}\r\n".encode()


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


def run() -> Iterator[Result]:
    with (
        tempfile.TemporaryDirectory() as var,
        serving(Path(var), 1, "tests.bench.bare:application") as (port, server),
        closing(Viewer(port)) as visitor,
    ):
        costs = _costs(_requests(visitor), visitor, server)
    for name, cost in costs.items():
        if name != "hello":
            yield result(f"1.{name}", cost, costs["hello"])


def _requests(visitor: Viewer) -> dict[str, Request]:
    _, head, alone = visitor.ask(Request(CARD, {}).spelt)
    cookie, form = {"Cookie": "bench=1"}, {"Cookie": _csrf(visitor)}
    for others in (cookie, form):
        assert visitor.ask(Request(CARD, others).spelt)[2] == alone, "the page is the same for everyone"
    tag = re.search(r"^etag: (.*?)\r?$", head, re.IGNORECASE | re.MULTILINE)
    assert tag, head
    return {
        "hello": Request(HELLO, {}),
        "card": Request(CARD, {}),
        "search": Request(SEARCH, {}),
        "cookie": Request(CARD, cookie),
        "csrf": Request(CARD, form),
        "unchanged": Request(CARD, {**form, "If-None-Match": tag[1]}),
    }


def _csrf(visitor: Viewer) -> str:
    """The cookie that a page with a form leaves behind."""
    _, head, _ = visitor.ask(Request("/check/", {}).spelt)
    return f"csrftoken={head.partition('csrftoken=')[2].partition(';')[0]}"


def _costs(requests: dict[str, Request], visitor: Viewer, server: int) -> dict[str, float]:
    """Name -> microseconds a request, the middle one of rounds in which all take turns."""
    found: dict[str, list[float]] = {name: [] for name in requests}
    for _ in range(ROUNDS):
        for name, request in requests.items():
            spelt = request.spelt
            status, _, _ = visitor.ask(spelt)
            assert status == (304 if name == "unchanged" else 200), (name, status)
            # A page that is made anew takes long: fewer of it say as much.
            before = processor_time(server)
            visitor.ask(spelt)
            repeats = REPEATS if processor_time(server) - before < SLOW else REPEATS // 15
            before = processor_time(server)
            for _ in range(repeats):
                visitor.ask(spelt)
            found[name].append((processor_time(server) - before) / repeats)
    return {name: median(costs) for name, costs in found.items()}
