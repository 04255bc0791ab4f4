"""Where pictures lie: each distinct one once, named by the hash of its content, never by what it was called.

Beside a picture may lie what was made of it: ``.colour`` and ``.mask`` for printing, ``.small`` for pages. A file has its
name only when it is whole.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

from django.conf import settings

from cardsdb.site.errors import SOON
from cardsdb.site.faults import Fault, Refused

PARTS = ("", "colour", "mask", "small")
NAME = re.compile(r"([0-9a-f]{64})(?:\.(colour|mask|small))?")
NO_ROOM = "The pictures could not be stored, because the server has no room for them. Nothing was kept; try again later."


def folder() -> Path:
    """Where the files are."""
    return Path(settings.CUTOUT_PICTURES or settings.VAR_DIR / "pictures")


def path_of(sha256: str, part: str = "") -> Path:
    """The file of a picture, or of what was made of it."""
    return folder() / sha256[:2] / (f"{sha256}.{part}" if part else sha256)


# Files are written and taken away in fractions of a second; whoever waits longer is told to come again.
MAX_WAIT = 20
STEP = 0.05
BUSY = "The pictures of others are being stored just now, and it takes long. Nothing was changed; try again in a minute."


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Whoever adds pictures, or takes files away that nobody uses, does so alone: of two at once one would take what the other needs.

    Raises Refused: with 503 after MAX_WAIT, with 507 when nothing can be written.
    """
    try:
        folder().mkdir(parents=True, exist_ok=True)
        lock = (folder() / "lock").open("a")
    except OSError:
        raise Refused(Fault("no_room", NO_ROOM, "files"), status=507) from None
    with lock:
        _wait_for(lock)
        yield


def _wait_for(lock: IO[str]) -> None:
    until = time.monotonic() + MAX_WAIT
    while True:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise Refused(Fault("busy", BUSY, "files"), status=503, wait=SOON) from None
            time.sleep(STEP)


def keep(sha256: str, parts: Mapping[str, bytes]) -> list[Path]:
    """Write these parts of a picture, but for those that are there; the files that are new. Raises Refused when there is no room."""
    fresh: list[Path] = []
    try:
        for part, data in parts.items():
            path = path_of(sha256, part)
            if data and not path.exists():
                path.parent.mkdir(exist_ok=True)
                _write(path, data)
                fresh.append(path)
    except OSError:
        discard(fresh)
        raise Refused(Fault("no_room", NO_ROOM, "files"), status=507) from None
    return fresh


def discard(paths: list[Path]) -> None:
    """Take these files away again."""
    for path in paths:
        path.unlink(missing_ok=True)


def remove(sha256: str) -> None:
    """Take a picture away with all that was made of it."""
    discard([path_of(sha256, part) for part in PARTS])


def stored() -> Iterator[tuple[str, Path]]:
    """(hash, file) of all there is; for what no picture is called the hash is empty."""
    for path in sorted(folder().glob("*/*")):
        match = NAME.fullmatch(path.name)
        yield (match[1] if match and path.parent.name == path.name[:2] else ""), path


def is_unaltered(sha256: str) -> bool:
    """Whether the file is what was stored."""
    with path_of(sha256).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == sha256


def _write(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix="unfinished.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
