"""The server that the site runs: granian, which ends when it is told to.

Granian's handler of a signal sets an event that the main thread waits for, and takes the event's lock for
that. If a worker has ended just now, the thread may hold that lock, and then waits for itself for ever; or it
clears the event before it looks at what was told. So here another thread sets the event, and again until the
process has ended. A worker that is only starting has this handler still, and ends at once.
"""

import os
import time
from threading import Thread
from typing import Any

from granian.cli import entrypoint
from granian.server import Server

# Seconds between two tellings.
AGAIN = 0.5
_end = Server.signal_handler_interrupt


def _end_surely(server: Server, *signal: Any) -> None:
    if os.getpid() != server.pid:
        os._exit(0)
    Thread(target=_tell, args=(server,), daemon=True).start()


def _tell(server: Server) -> None:
    while True:
        _end(server)
        time.sleep(AGAIN)


if __name__ == "__main__":
    Server.signal_handler_interrupt = _end_surely  # type: ignore[method-assign]
    entrypoint()
