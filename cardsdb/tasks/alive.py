"""Who is at work says so by a lock on a file, which the system lets go when its process ends, however it
ends.

So on one machine, or in one folder of several, it is known at once that a worker died. Where the file is not
to be seen nothing is known, and whoever asks goes by how long the worker has been silent.
"""

from __future__ import annotations

import fcntl
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from cardsdb.identity.viewer import new_key

# Seconds for which the file of a process that ended is kept.
RETENTION = 3600.0


def _folder() -> Path:
    path = Path(settings.VAR_DIR) / "workers"
    path.mkdir(parents=True, exist_ok=True)
    return path


@contextmanager
def alive() -> Iterator[str]:
    """A new name for this process at one piece of work; within it others see that it lives."""
    name = f"{socket.gethostname()[:40].replace(os.sep, '-')}:{os.getpid()}:{new_key()[:8]}"
    path = _folder() / name
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield name
        finally:
            path.unlink(missing_ok=True)


def is_dead(name: str) -> bool:
    """Whether the process that worked under this name is known to have ended. No, also where nothing is known
    of it.
    """
    try:
        with (_folder() / Path(name).name).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def forget_dead() -> None:
    """Delete the files of those that ended long ago, and whose work was taken up since."""
    before = time.time() - RETENTION
    for path in _folder().iterdir():
        if path.stat().st_mtime < before and is_dead(path.name):
            path.unlink(missing_ok=True)
