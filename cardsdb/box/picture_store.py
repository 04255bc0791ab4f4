"""Store the files of own pictures, each distinct file once, named by the SHA-256 of its content.

Parts derived from a picture lie beside it: ``.colour`` and ``.mask`` for printing, ``.small`` for web pages.
All are in the store ``pictures`` (``cardsdb.storage``), where a file gets its name only when it is complete.
Hold ``locked()`` while you add files together with their database rows, or remove unused ones: otherwise one
request could delete a file that another is about to use.

``placing.py`` and ``taking_in.py`` write; pages, printing and ``cardsdb/operate`` read.
Tests: ``tests/cardsdb/box/test_picture_store.py``.
"""

import hashlib
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BytesIO
from itertools import islice
from pathlib import Path

from django.conf import settings
from django.core.files import locks
from django.core.files.base import ContentFile
from django.db import connection, transaction
from django_tasks import task
from PIL import Image

from cardsdb.box.intake import decoding
from cardsdb.box.picture_files.ref import PictureRef, name_of
from cardsdb.box.pixels import border_of, in_srgb
from cardsdb.faults import SOON, Fault, Refused
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Everyone, UploadedPicture
from cardsdb.models.turns import answer_of
from cardsdb.storage.contract import Store, StoredFile, store_of
from cardsdb.tasks.queue import enqueue

# Parts of a picture: the file itself, and what is derived from it. NAME lists them too.
PARTS = ("", "colour", "mask", "small")
# The name of a part's file: hash, and the part behind a dot. It lies in a folder named by the first two
# digits of the hash: "ab/ab12...", "ab/ab12....small".
NAME = re.compile(r"(?P<sha256>[0-9a-f]{64})(?:\.(?P<part>colour|mask|small))?")
NO_ROOM = (
    "The pictures could not be stored, because the server has no room for them. Nothing was kept; try again"
    " later."
)
# Seconds that a request waits for the lock. Holders need fractions of a second.
MAX_WAIT = 20
# Seconds between two tries to take the lock.
PAUSE = 0.05
BUSY = (
    "The pictures of others are being stored just now, and it takes long. Nothing was changed; try again in a"
    " minute."
)
# Key of the advisory lock in PostgreSQL ("Cutp" in ASCII); it must be the same on all machines, and none
# that ``cardsdb/models/turns.py`` takes.
LOCK = 0x43757470
# Greatest width or height of a small copy, in pixels.
SMALL = 480
# Its quality as WebP, of 100.
SMALL_QUALITY = 80
# Copies that one task makes before other tasks get their turn.
BATCH = 20
# The task stops after this many pictures in a row that have their copy: older ones then have theirs, or a
# page makes it.
ENOUGH = 60


def store() -> Store:
    """The store of picture files."""
    return store_of("pictures")


@contextmanager
def locked() -> Iterator[None]:
    """Hold the lock for adding picture files and removing unused ones, across processes and machines. It lies
    in a place that all users of the store share::

        picture files      database     lock
        in a folder        either       the file ``lock`` in that folder
        in an object store PostgreSQL   in the database, since several machines may use both
        in an object store SQLite       the file ``lock`` in VAR_DIR: one machine alone uses SQLite's database

    Raises Refused: 503 after MAX_WAIT seconds, 507 if the disk cannot be written.
    """
    by_database = store().is_remote and connection.vendor == "postgresql"
    lock = _lock_in_database if by_database else _lock_in_folder
    with lock() as try_to_lock:
        _wait_until(try_to_lock)
        yield


def _wait_until(try_to_lock: Callable[[], bool]) -> None:
    """Call this function until it returns True. Raises Refused (503) after MAX_WAIT seconds."""
    give_up_at = time.monotonic() + MAX_WAIT
    while not try_to_lock():
        if time.monotonic() > give_up_at:
            raise Refused(Fault("busy", BUSY, "files"), status=503, wait=SOON)
        time.sleep(PAUSE)


@contextmanager
def _lock_in_folder() -> Iterator[Callable[[], bool]]:
    """Yield a function that tries to take the lock of all processes that share a folder, without waiting, and
    returns True if it did. At the end of the block the file is closed, which frees the lock.
    """
    # The location in an object store is no folder of this machine.
    folder = Path(settings.VAR_DIR if store().is_remote else store().location)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock_file = (folder / "lock").open("a")
    except OSError:
        raise Refused(Fault("no_room", NO_ROOM, "files"), status=507) from None
    with lock_file:
        yield lambda: locks.lock(lock_file, locks.LOCK_EX | locks.LOCK_NB)


@contextmanager
def _lock_in_database() -> Iterator[Callable[[], bool]]:
    """Yield a function that tries to take the lock of all machines that share a database, as
    ``_lock_in_folder``. PostgreSQL frees it when the transaction ends, also if the process dies.
    """

    def try_to_lock() -> bool:
        (is_mine,) = answer_of("SELECT pg_try_advisory_xact_lock(%s)", LOCK)
        return bool(is_mine)

    with transaction.atomic():
        yield try_to_lock


def has(sha256: str, part: str = "") -> bool:
    """True if a picture, or a part derived from it, is stored."""
    return store().exists(name_of(sha256, part))


def lacking(pictures: Iterable[str]) -> set[str]:
    """Return those of these hashes whose picture is not stored.

    An object store is asked for all names with the same two first digits at once: at most 256 requests while
    it has fewer than 250,000 files (1,000 names per answer).
    """
    wanted = set(pictures)
    if not store().is_remote:
        return {sha256 for sha256 in wanted if not has(sha256)}
    existing: set[str] = set()
    for first_digits in {sha256[:2] for sha256 in wanted}:
        existing.update(file.name for file in store().files(f"{first_digits}/"))
    return {sha256 for sha256 in wanted if name_of(sha256) not in existing}


def read(sha256: str, part: str = "") -> bytes:
    """Return the bytes of a picture, or of a part derived from it. Raises FileNotFoundError."""
    return store().read(name_of(sha256, part))


def keep(sha256: str, parts: Mapping[str, bytes]) -> list[str]:
    """Write the parts of a picture that are not stored yet, and return the names of the new files. Raises
    Refused if there is no room; then none of them stays.
    """
    new_files: list[str] = []
    try:
        for part, data in parts.items():
            name = name_of(sha256, part)
            if data and not store().exists(name):
                store().save(name, ContentFile(data))
                new_files.append(name)
    except OSError:
        discard(new_files)
        raise Refused(Fault("no_room", NO_ROOM, "files"), status=507) from None
    except Refused:
        # StoreAway: the store does not answer, so deleting may fail as well.
        with suppress(Refused):
            discard(new_files)
        raise
    return new_files


def discard(names: Iterable[str]) -> None:
    """Delete these files."""
    for name in names:
        store().delete(name)


def remove(sha256: str) -> None:
    """Delete a picture with all its parts."""
    discard(name_of(sha256, part) for part in PARTS)


def hash_in(name: str) -> str:
    """Return the picture's hash from the name of its file or of one of its parts; "" for any other file."""
    folder, _, file = name.rpartition("/")
    match = NAME.fullmatch(file)
    return match["sha256"] if match and folder == name[:2] else ""


def stored() -> Iterator[tuple[str, StoredFile]]:
    """Yield (hash, file) of every file in the store's folders; the hash is "" for any other name."""
    return ((hash_in(file.name), file) for file in store().files() if "/" in file.name)


def is_unaltered(sha256: str) -> bool:
    """True if the file still has the content it was stored with. Raises FileNotFoundError."""
    return hashlib.sha256(read(sha256)).hexdigest() == sha256


# -- small copies ------------------------------------------------------------------------


def small_copy(picture: UploadedPicture | PictureRef) -> bytes:
    """Return the small copy as WebP, made and stored at the first call. Raises OSError if the picture's file
    is gone, Refused on a busy machine.
    """
    sha256 = picture.sha256
    with suppress(FileNotFoundError):
        return read(sha256, "small")
    # One at a time in each process, as in ``intake``: a decoded picture takes 100 MB. Another request may
    # have made the copy during the wait.
    with decoding():
        with suppress(FileNotFoundError):
            return read(sha256, "small")
        copy = _reduced(read(sha256), picture.kind)
        keep(sha256, {"small": copy})
    return copy


def _reduced(data: bytes, kind: str) -> bytes:
    """Return a picture as WebP with at most SMALL pixels on each side."""
    with Image.open(BytesIO(data), formats=[kind]) as opened:
        opened.draft("RGB", (SMALL, SMALL))
        # The copy gets no colour profile, so its colours must be sRGB.
        copy = in_srgb(opened)
    copy.thumbnail((SMALL, SMALL))
    out = BytesIO()
    copy.save(out, "WEBP", quality=SMALL_QUALITY)
    return out.getvalue()


def edge_colour_of(picture: UploadedPicture) -> str:
    """Return the border colour of a picture stored before borders were recorded; "" if it has none."""
    with suppress(OSError, Refused), Image.open(BytesIO(small_copy(picture))) as small:
        return border_of(small).colour
    return ""


def queue_small_copies(owner: Viewer | Everyone) -> None:
    """Queue a task that makes the small copies missing for this owner's pictures."""
    newest = UploadedPicture.objects.of(owner).order_by("-pk").values_list("pk", flat=True).first()
    if newest is not None:
        enqueue(make_small_copies, newest)


@task
def make_small_copies(key: int) -> None:
    """Make the missing small copies of the pictures of one owner, from the picture with this primary key to
    the oldest. After BATCH copies the rest is queued as a new task.
    """
    pictures = UploadedPicture.objects.all_owners("a worker makes their small copies")
    if (picture := pictures.filter(pk=key).first()) is None:
        return
    owner = {name: getattr(picture, name) for name in ("owner", "browser", "everyone")}
    without_copy = _without_copy(pictures.filter(**owner, pk__lte=key).order_by("-pk"))
    for row in islice(without_copy, BATCH):
        with suppress(Refused, OSError):
            small_copy(row)
    # The iterator goes on where the batch ended.
    if more := next(without_copy, None):
        enqueue(make_small_copies, more.pk)


def _without_copy(pictures: Iterable[UploadedPicture]) -> Iterator[UploadedPicture]:
    """Yield pictures without a small copy, until ENOUGH in a row have one. Each takes a request to the store,
    which would be slow for an owner of thousands.
    """
    in_a_row = 0
    for picture in pictures:
        if not has(picture.sha256, "small"):
            in_a_row = 0
            yield picture
            continue
        in_a_row += 1
        if in_a_row == ENOUGH:
            return
