"""The server, started with the flags of ``make run`` in front of a tiny site, survives slow clients, idle
connections and killed workers, and ends when told to.
"""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from threading import Thread

import pytest

from tests import ROOT
from tests.support.server import PATIENCE, free_port, granian_command, wait_for

SMALL = "tests.support.small_site:application"
# More slow senders than both workers have threads, and enough idle connections to stop a server without
# limits.
SENDERS, IDLE = 60, 140


@pytest.fixture(scope="module")
def port():
    """The port of a server that the tests share."""
    with server_of_its_own() as (port, _):
        yield port


def ask(port: int, body: bytes | None = None) -> tuple[int, str]:
    """Return status and body of the answer. The small site answers with its process id and the length of the
    body it got.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("POST" if body else "GET", "/", body)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def send_slowly(port: int, senders: ExitStack) -> None:
    """Open connections that each send the first byte of a long body, and stay open until the block ends."""
    for _ in range(SENDERS):
        sender = senders.enter_context(socket.create_connection(("127.0.0.1", port)))
        sender.sendall(b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\nx")


def test_pages_are_answered_while_many_send_their_bodies_slowly(port):
    with ExitStack() as senders:
        send_slowly(port, senders)
        time.sleep(0.5)
        assert [ask(port)[0] for _ in range(8)] == [200] * 8
        assert {ask(port, b"a deck")[0] for _ in range(4)} <= {200, 503}
    assert eventually(lambda: ask(port, b"a deck")[0] == 200)


def test_pages_are_answered_beside_idle_connections(port):
    with ExitStack() as idle:
        for _ in range(IDLE):
            idle.enter_context(socket.create_connection(("127.0.0.1", port)))
        assert [ask(port)[0] for _ in range(8)] == [200] * 8


def test_a_killed_worker_is_replaced_and_the_site_answers_all_along(port):
    assert eventually(lambda: len(workers_of(port)) == 2)
    killed = workers_of(port).pop()
    os.kill(killed, signal.SIGKILL)
    assert eventually(lambda: len(workers_of(port) - {killed}) == 2)


def workers_of(port: int) -> set[int]:
    """Return the process ids of the server's workers: enough requests to meet each of them."""
    return {int(ask(port)[1].split()[0]) for _ in range(40)}


# -- its end ----------------------------------------------------------------------------

# Seconds that the server gives its workers to end; more with ``make run``.
TIME_TO_END = "2"
ENDED = 30


@contextmanager
def server_of_its_own() -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Start a server. Yield its port and its process, which leads a process group; end them all
    afterwards.
    """
    with free_port() as free:
        command = granian_command(free, application=SMALL)
        command[command.index("--workers-kill-timeout") + 1] = TIME_TO_END
        server = subprocess.Popen(command, cwd=ROOT, start_new_session=True)
        try:
            wait_for(free, server)
            yield free, server
        finally:
            with suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def ends(server: subprocess.Popen[bytes]) -> bool:
    """Tell the whole process group to end; return True if it does and no process of it is left."""
    os.killpg(server.pid, signal.SIGTERM)
    try:
        server.wait(timeout=ENDED)
        os.killpg(server.pid, 0)
    except ProcessLookupError:
        return True
    except subprocess.TimeoutExpired:
        pass
    return False


@pytest.mark.parametrize("moment", [0.0, 0.001, 0.002, 0.004, 0.006, 0.008])
def test_a_server_ends_after_its_workers_were_killed(moment):
    with server_of_its_own() as (port, server):
        for worker in workers_of(port):
            os.kill(worker, signal.SIGKILL)
        time.sleep(moment)
        assert ends(server)


def test_a_server_ends_under_load():
    with server_of_its_own() as (port, server):
        load = [Thread(target=_asks_on, args=(port,), daemon=True) for _ in range(16)]
        for thread in load:
            thread.start()
        assert eventually(lambda: ask(port)[0] == 200)
        assert ends(server)


def _asks_on(port: int) -> None:
    with suppress(OSError, http.client.HTTPException):
        while True:
            ask(port, b"a deck" * 10_000)


def test_a_server_ends_while_many_send_slowly():
    with server_of_its_own() as (port, server), ExitStack() as senders:
        send_slowly(port, senders)
        assert ends(server)


def test_a_starting_server_prints_nothing():
    with free_port() as free:
        server = subprocess.Popen(
            granian_command(free, application=SMALL),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        wait_for(free, server)
        assert ask(free)[0] == 200
        server.terminate()
        assert server.communicate(timeout=PATIENCE)[0] == b""


def eventually(happens: Callable[[], bool]) -> bool:
    """Return True once the condition holds, False if it never does. Broken connections are tried again."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            if happens():
                return True
        except (OSError, http.client.HTTPException):
            pass  # The killed worker had accepted this connection.
        time.sleep(0.1)
    return False
