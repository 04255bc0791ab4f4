"""Uploaded files that wait between their preview and the owner's decision to take them in.

``keep`` stores a file and returns a signed token, which the page carries in its form; ``opened`` reads the
file back, for the same owner only. Its name in the store is ``OWNER.PLACE``: a hash of the owner, and random.
Tokens hold for a day; ``clear`` deletes older files whenever another one is stored, and weekly (``manage.py
clear_browsers``). Files of the same owner, or a full store, end a wait early.

Called by ``jobs.py`` and ``printing/web/own_views.py``. Tests: ``tests/cardsdb/box/test_waiting.py``; with
its pages ``tests/printing/web/test_own_views.py``.
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

# Another salt would make the tokens in open pages useless, so it keeps the name of a module of earlier
# releases.
SALT = "printing.uploads.waiting"
# Seconds that a token holds and a file may wait.
A_DAY = 24 * 60 * 60
MEGABYTE = 1024 * 1024
# Bytes of one file. The page refuses a larger one before it has arrived; nothing here checks it again.
MAX_FILE = 400 * MEGABYTE
# Bytes of all waiting files together.
MAX_WAITING = 4_000 * MEGABYTE
# Files of one owner that may wait; a further one replaces the oldest.
MAX_OF_OWNER = 2
# Seconds after which a waiting file may be deleted to make room when the store is full.
A_WHILE = 15 * 60
FULL = "Too many files wait to be taken in just now. Try again in a quarter of an hour."
GONE = "The file is no longer here: files wait for a day at most, and newer ones replace them. Send it again."


def store() -> Store:
    """The store of waiting files."""
    return store_of("waiting")


def keep(viewer: Viewer, file: IO[bytes], name: str, wanted: Iterable[str] = ()) -> str:
    """Store the file and return the token by which its owner opens it. Raises Refused if there is no room.

    ``wanted``: tokens of files, of any owner, that queued jobs still need; these are never deleted for a
    newer file.
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
    """Open a file: (file, its original name). Raises Refused if it is gone or belongs to another owner."""
    stored, name = _stored_as(token, _of(viewer))
    try:
        file = store().open(stored)
    except OSError:
        raise _gone() from None
    with file:
        yield file, name


def size_of(viewer: Viewer, token: str) -> tuple[int, str]:
    """Return (bytes, name) of a file without opening it. Raises Refused like ``opened``."""
    stored, name = _stored_as(token, _of(viewer))
    sizes = store().sizes([stored])
    if stored not in sizes:
        raise _gone()
    return sizes[stored], name


def drop(viewer: Viewer, token: str) -> None:
    """Delete a file that was taken in or is not wanted any more."""
    with contextlib.suppress(Refused, OSError):
        store().delete(_stored_as(token, _of(viewer))[0])


def clear() -> None:
    """Delete files older than a day, and unfinished writes older than A_WHILE."""
    with contextlib.suppress(OSError, StoreAway):
        for file in store().files():
            if file.written < time.time() - A_DAY:
                store().delete(file.name)
        for file in store().unfinished():
            if file.written < time.time() - A_WHILE:
                store().delete_unfinished(file)


def _make_room(owner: str, wanted: Iterable[str]) -> None:
    """Delete the owner's oldest files beyond MAX_OF_OWNER; if the store is full, also others' files that have
    waited A_WHILE. Raises Refused (503) if that is not enough.

    The new file is not counted, since its size is not known: the store may exceed MAX_WAITING by one file.
    """
    spared = set()
    for token in wanted:
        with contextlib.suppress(Refused):
            spared.add(_stored_as(token)[0])
    files = sorted(store().files(), key=lambda file: (file.written, file.name))
    # Files that may be deleted, oldest first, and those of them that are the owner's.
    loose = [file for file in files if file.name not in spared]
    mine = [file for file in loose if file.name.startswith(f"{owner}.")]
    # The new file will be one of MAX_OF_OWNER.
    gone = mine[: max(0, len(mine) + 1 - MAX_OF_OWNER)]
    total = sum(file.size for file in files) - sum(file.size for file in gone)
    for file in loose:
        if total > MAX_WAITING and file not in gone and file.written <= time.time() - A_WHILE:
            gone.append(file)
            total -= file.size
    for file in gone:
        store().delete(file.name)
    if total > MAX_WAITING:
        raise Refused(Fault("busy", FULL, "file"), status=503, wait=A_WHILE)


def _stored_as(token: str, asks: str = "") -> tuple[str, str]:
    """Return (name in the store, original name). Raises Refused if the token is invalid or too old, or if
    ``asks`` is given and is not its owner.
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
    """The owner's part of stored names: a hash, so that the store's file names tell no account or browser."""
    return hashed(f"account {viewer.user_id}" if viewer.user_id else f"browser {viewer.browser}")
