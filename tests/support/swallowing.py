"""A TCP proxy between the site and PostgreSQL that can swallow all data, as a hanging server or network
would: it still accepts data, and nothing arrives.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Network:
    """Listens at ``port`` and connects to ``server``. While ``swallows`` is True, data is dropped; a
    connection that lost data stays dead.
    """

    server: tuple[str, int]
    port: int = 0
    swallows: bool = False
    _open: list[socket.socket] = field(default_factory=list)
    _threads: list[threading.Thread] = field(default_factory=list)

    @contextmanager
    def running(self) -> Iterator[Network]:
        with socket.create_server(("127.0.0.1", 0), backlog=200) as listening:
            self.port = listening.getsockname()[1]
            taking = self._begin(self._take, listening)
            try:
                yield self
            finally:
                # Shutting a socket down wakes the threads that wait in accept or recv; closing it would not.
                _end(listening)
                taking.join()
                for connection in self._open:
                    _end(connection)
                for thread in self._threads:
                    thread.join()
                for connection in self._open:
                    connection.close()

    def _begin(self, work: Callable[..., None], *arguments: Any) -> threading.Thread:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        thread.start()
        return thread

    def _take(self, listening: socket.socket) -> None:
        """Accept connections, and pass data on in both directions for each."""
        with contextlib.suppress(OSError):
            while True:
                client, _ = listening.accept()
                self._open.append(client)
                server = self._reached()
                self._open.append(server)
                broken = threading.Event()
                self._threads += [
                    self._begin(self._pass_on, *ends, broken) for ends in ((client, server), (server, client))
                ]

    def _reached(self) -> socket.socket:
        """Return a new connection to the server."""
        host, port = self.server
        if not host.startswith("/"):
            return socket.create_connection(self.server)
        # The host is a folder: PostgreSQL listens at a Unix socket in it.
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{host}/.s.PGSQL.{port}")
        return server

    def _pass_on(self, here: socket.socket, there: socket.socket, broken: threading.Event) -> None:
        """Copy data from ``here`` to ``there`` until one end closes; drop it once the connection is
        broken.
        """
        with contextlib.suppress(OSError):
            while data := here.recv(65_536):
                if self.swallows:
                    broken.set()
                if not broken.is_set():
                    there.sendall(data)
        _end(here)
        _end(there)


def _end(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
