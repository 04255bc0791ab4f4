"""Drill: 60 connections send their bodies byte by byte and 140 send nothing, while five visitors read and two
programs save. None of these may be refused or wait long.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from tests.drill.greedy_address import OTHERS, visits
from tests.drill.outcome import Outcome
from tests.drill.site import Site, site
from tests.drill.writing import Writers

# The address of the slow connections, and how many send slowly and not at all.
SLOW = "127.0.0.3"
SENDERS = 60
IDLE = 140
# Seconds: of the drill, and the longest that a visit may take.
SECONDS = 12.0
PATIENCE = 1.0
# The start of a request whose body of 100,000 bytes never gets complete.
HEAD = (
    b"POST /api/v1/decks/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length:"
    b" 100000\r\n\r\n{"
)


def run(folder: Path) -> Outcome:
    with site(folder, "slow") as running, ExitStack() as opened:
        for page in ("/", "/decks/"):
            running.ask(page)
        senders = [opened.enter_context(_connected(running)) for _ in range(SENDERS)]
        for _ in range(IDLE):
            opened.enter_context(_connected(running))
        over = threading.Event()
        slow = threading.Thread(target=_send_slowly, args=(senders, over))
        slow.start()
        try:
            time.sleep(1.0)
            with Writers(running, 2) as writers:
                others = visits(running, OTHERS, SECONDS)
        finally:
            over.set()
            slow.join()
        outcome = Outcome(f"slow_senders: {writers.saved} saves")
        writers.add_to(outcome)
    outcome.judge_visits(others, PATIENCE)
    if not writers.saved or writers.answers.total() > writers.saved:
        outcome.wrong.append(f"those who saved were answered {dict(writers.answers)}")
    return outcome


def _connected(running: Site) -> socket.socket:
    """Return a new connection from the slow address."""
    return socket.create_connection(("127.0.0.1", running.port), timeout=10, source_address=(SLOW, 0))


def _send_slowly(senders: list[socket.socket], over: threading.Event) -> None:
    """Send one byte on each connection twice a second. Connections that the server closed are skipped."""
    for sender in senders:
        sender.sendall(HEAD)
    while not over.wait(0.5):
        for sender in senders:
            with contextlib.suppress(OSError):
                sender.sendall(b" ")
