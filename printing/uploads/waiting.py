"""Files that wait between their dry run and the word of their owner to take them in: a day at most, opened for that owner alone."""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core import signing

from cardsdb.identity.viewer import Viewer, hashed
from cardsdb.site.faults import Fault, Refused

SALT = "printing.uploads.waiting"
A_DAY = 24 * 60 * 60
MEGABYTE = 1024 * 1024
# Of one file, and of all that wait.
MAX_FILE, MAX_WAITING = 100 * MEGABYTE, 2_000 * MEGABYTE
FULL = "Too many files wait to be taken in just now. Try again in some hours."
GONE = "The file is here no longer: it waits for a day. Send it again."
_NAME = re.compile(r"[A-Za-z0-9_-]{22}")


def folder() -> Path:
    return Path(settings.VAR_DIR) / "waiting"


def keep(viewer: Viewer, file: IO[bytes], name: str) -> str:
    """Store the file and return what its owner opens it by. Raises Refused where there is no room."""
    clear()
    place = secrets.token_urlsafe(16)
    try:
        folder().mkdir(parents=True, exist_ok=True)
        if sum(path.stat().st_size for path in folder().iterdir()) > MAX_WAITING:
            raise Refused(Fault("busy", FULL, "file"), status=503, wait=A_DAY // 24)
        file.seek(0)
        with (folder() / place).open("xb") as out:
            shutil.copyfileobj(file, out)
    except OSError:
        (folder() / place).unlink(missing_ok=True)
        raise Refused(Fault("no_room", "The file cannot be stored just now: this machine has no room left.", "file"), status=507) from None
    return signing.dumps([place, name[:120], _of(viewer)], salt=SALT)


@contextlib.contextmanager
def opened(viewer: Viewer, token: str) -> Iterator[tuple[IO[bytes], str]]:
    """The file and its name. Raises Refused if it is gone, or is somebody else's."""
    place, name = _read(viewer, token)
    try:
        file = (folder() / place).open("rb")
    except OSError:
        raise Refused(Fault("gone", GONE, "file"), status=410) from None
    with file:
        yield file, name


def drop(viewer: Viewer, token: str) -> None:
    """Delete a file that was taken in, or is not wanted."""
    with contextlib.suppress(Refused, OSError):
        (folder() / _read(viewer, token)[0]).unlink()


def clear() -> None:
    """Delete the files that waited for more than a day."""
    with contextlib.suppress(OSError):
        for path in folder().iterdir():
            if path.stat().st_mtime < time.time() - A_DAY:
                path.unlink(missing_ok=True)


def _read(viewer: Viewer, token: str) -> tuple[str, str]:
    try:
        said: Any = signing.loads(token, salt=SALT, max_age=A_DAY)
        place, name, owner = map(str, said)
    except (signing.BadSignature, ValueError, TypeError):
        raise Refused(Fault("gone", GONE, "file"), status=410) from None
    if owner != _of(viewer) or not _NAME.fullmatch(place):
        raise Refused(Fault("gone", GONE, "file"), status=410)
    return place, name


def _of(viewer: Viewer) -> str:
    return hashed(f"account {viewer.user_id}" if viewer.user_id else f"browser {viewer.browser}")
