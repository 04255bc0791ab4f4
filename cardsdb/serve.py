"""The server that the site runs: granian, which ends when it is told to.

The Makefile and the Containerfile start it: ``python -m cardsdb.serve ... cardsdb.wsgi:application``, with
granian's own options. Tests: ``tests/house/test_server_drills.py``.

A workaround: granian's own signal handler sets an event on which the main thread waits, and takes the event's
lock for that. If a worker ends at that moment, the main thread may hold the lock already, and waits for
itself for ever; or it clears the event before reading it. So here another thread sets the event, again and
again until the process has ended. A worker that is still starting has the same handler, and exits at once.
"""

import os
import time
from threading import Thread
from typing import Any

from granian.cli import entrypoint
from granian.server import Server

# Seconds between two attempts to end the server.
AGAIN = 0.5
# Granian's own handler, which sets the event.
_end = Server.signal_handler_interrupt


def _end_surely(server: Server, *signal: Any) -> None:
    """Replace granian's signal handler: end a starting worker at once, and the server from another thread."""
    # A worker is a fork of the server, with its object but not its process id.
    if os.getpid() != server.pid:
        os._exit(0)
    Thread(target=_keep_ending, args=(server,), daemon=True).start()


def _keep_ending(server: Server) -> None:
    while True:
        _end(server)
        time.sleep(AGAIN)


if __name__ == "__main__":
    Server.signal_handler_interrupt = _end_surely  # type: ignore[method-assign]
    entrypoint()
