"""Files that wait between their dry run and the word of their owner to take them in: a day at most, opened
for that owner alone.
"""

import contextlib
import secrets
import time
from collections.abc import Iterable, Iterator
from typing import IO

from django.core import signing
from django.core.files.base import File

from cardsdb.faults import Fault, Refused
from cardsdb.identity.viewer import Viewer, hashed
from cardsdb.storage.contract import Store, StoreAway, store_of

SALT = "printing.uploads.waiting"
A_DAY = 24 * 60 * 60
MEGABYTE = 1024 * 1024
# Of one file, and of all that wait.
MAX_FILE, MAX_WAITING = 400 * MEGABYTE, 4_000 * MEGABYTE
# Of one owner so many wait; a new one takes the place of the oldest.
MAX_OF_OWNER = 2
# Seconds. Where all places are taken, a file that waited longer than this makes room.
A_WHILE = 15 * 60
FULL = "Too many files wait to be taken in just now. Try again in a quarter of an hour."
GONE = "The file is here no longer: it waits for a day at most, and newer ones take its place. Send it again."


def store() -> Store:
    """Return where the files lie."""
    return store_of("waiting")


def keep(viewer: Viewer, file: IO[bytes], name: str, wanted: Iterable[str] = ()) -> str:
    """Store the file and return what its owner opens it by. Raises Refused where there is no room.

    ``wanted``: tokens of the files, of any owner, that a job waits to take in, and that give no place to a
    newer one.
    """
    clear()
    owner, place = _of(viewer), secrets.token_urlsafe(16)
    try:
        _make_room(owner, wanted)
        store().save(f"{owner}.{place}", File(file))
    except OSError:
        message = "The file cannot be stored just now: this machine has no room left."
        raise Refused(Fault("no_room", message, "file"), status=507) from None
    return signing.dumps([place, name[:120], owner], salt=SALT)


@contextlib.contextmanager
def opened(viewer: Viewer, token: str) -> Iterator[tuple[IO[bytes], str]]:
    """The file and its name. Raises Refused if it is gone, or is another owner's."""
    stored, name = _stored_as(token, _of(viewer))
    try:
        file = store().open(stored)
    except OSError:
        raise _gone() from None
    with file:
        yield file, name


def size_of(viewer: Viewer, token: str) -> tuple[int, str]:
    """Return how many bytes a file has, and its name. A store is asked for no more than that. Raises
    Refused as ``opened``.
    """
    stored, name = _stored_as(token, _of(viewer))
    for size in store().sizes([stored]).values():
        return size, name
    raise _gone()


def drop(viewer: Viewer, token: str) -> None:
    """Delete a file that was taken in, or is not wanted."""
    with contextlib.suppress(Refused, OSError):
        store().delete(_stored_as(token, _of(viewer))[0])


def clear() -> None:
    """Delete the files that waited for more than a day."""
    with contextlib.suppress(OSError, StoreAway):
        for file in store().files():
            if file.written < time.time() - A_DAY:
                store().delete(file.name)
        for file in store().unfinished():
            if file.written < time.time() - A_WHILE:
                store().delete_unfinished(file)


def _make_room(owner: str, wanted: Iterable[str]) -> None:
    """Delete older files of this owner, and of others where all places are taken. Raises Refused where there
    is no room.
    """
    spared = set()
    for token in wanted:
        with contextlib.suppress(Refused):
            spared.add(_stored_as(token)[0])
    # Those that may go, the oldest first.
    there = sorted(store().files(), key=lambda file: (file.written, file.name))
    loose = [file for file in there if file.name not in spared]
    mine = [file for file in loose if file.name.startswith(f"{owner}.")]
    gone = mine[: max(0, len(mine) + 1 - MAX_OF_OWNER)]
    total = sum(file.size for file in there) - sum(file.size for file in gone)
    for file in loose:
        if total > MAX_WAITING and file not in gone and file.written <= time.time() - A_WHILE:
            gone.append(file)
            total -= file.size
    for file in gone:
        store().delete(file.name)
    if total > MAX_WAITING:
        raise Refused(Fault("busy", FULL, "file"), status=503, wait=A_WHILE)


def _stored_as(token: str, asks: str = "") -> tuple[str, str]:
    """The name in the store and the one that its owner gave it. Raises Refused if it is gone, or is not
    of the owner who ``asks``.
    """
    try:
        place, name, owner = signing.loads(token, salt=SALT, max_age=A_DAY)
    except signing.BadSignature:
        raise _gone() from None
    if asks not in ("", owner):
        raise _gone()
    return f"{owner}.{place}", name


def _gone() -> Refused:
    return Refused(Fault("gone", GONE, "file"), status=410)


def _of(viewer: Viewer) -> str:
    return hashed(f"account {viewer.user_id}" if viewer.user_id else f"browser {viewer.browser}")
