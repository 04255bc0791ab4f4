"""The files of pictures: each distinct one is stored once, named by the hash of its content, never by its owner's file name.

Beside a picture there may be files made of it: ``.colour`` and ``.mask`` for printing, ``.small`` for pages. A file gets its
name when it is whole.
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
    """The folder of the files."""
    return Path(settings.CUTOUT_PICTURES or settings.VAR_DIR / "pictures")


def path_of(sha256: str, part: str = "") -> Path:
    """The path of a picture, or of a part that was made of it."""
    return folder() / sha256[:2] / (f"{sha256}.{part}" if part else sha256)


# Seconds. Files are written and removed in fractions of a second; a request that waits longer is refused.
MAX_WAIT = 20
STEP = 0.05
BUSY = "The pictures of others are being stored just now, and it takes long. Nothing was changed; try again in a minute."


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """A lock for adding pictures and for removing unused files: a second request might remove what the first is about to use.

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
    """Write the parts of a picture that are not stored yet. Returns the new files. Raises Refused when there is no room."""
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
    """Delete these files."""
    for path in paths:
        path.unlink(missing_ok=True)


def remove(sha256: str) -> None:
    """Delete a picture with all that was made of it."""
    discard([path_of(sha256, part) for part in PARTS])


def stored() -> Iterator[tuple[str, Path]]:
    """(hash, file) of every file in the folder; the hash is empty for a file whose name is not that of a picture."""
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
