"""The files of pictures: each distinct one is stored once, named by the hash of its content, never by its
owner's file name.

Beside a picture there may be files made of it: ``.colour`` and ``.mask`` for printing, ``.small`` for pages.
They lie in the store ``pictures`` (cardsdb.storage), where a file gets its name when it is whole.
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

from cardsdb.box.intake import border_of, decoding, in_srgb
from cardsdb.box.picture_files.ref import PictureRef, name_of
from cardsdb.faults import SOON, Fault, Refused
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Everyone, UploadedPicture
from cardsdb.models.turns import answer_of
from cardsdb.storage.contract import Store, StoredFile, store_of
from cardsdb.tasks.queue import enqueue

PARTS = ("", "colour", "mask", "small")
NAME = re.compile(r"([0-9a-f]{64})(?:\.(colour|mask|small))?")
NO_ROOM = (
    "The pictures could not be stored, because the server has no room for them. Nothing was kept; try again"
    " later."
)


def store() -> Store:
    """Return where the files lie."""
    return store_of("pictures")


# Seconds. Files are written and removed in fractions of a second; a request that waits longer is refused.
MAX_WAIT = 20
STEP = 0.05
BUSY = (
    "The pictures of others are being stored just now, and it takes long. Nothing was changed; try again in a"
    " minute."
)
# The number of the lock in PostgreSQL, the same for all machines.
LOCK = 0x43757470


@contextmanager
def locked() -> Iterator[None]:
    """A lock for adding pictures and for removing unused files: a second request might remove what the first
    is about to use.

    Raises Refused: with 503 after MAX_WAIT, with 507 when nothing can be written.
    """
    by_database = store().is_remote and connection.vendor == "postgresql"
    with _lock_in_database() if by_database else _lock_in_folder() as is_mine:
        until = time.monotonic() + MAX_WAIT
        while not is_mine():
            if time.monotonic() > until:
                raise Refused(Fault("busy", BUSY, "files"), status=503, wait=SOON)
            time.sleep(STEP)
        yield


@contextmanager
def _lock_in_folder() -> Iterator[Callable[[], bool]]:
    """The lock of processes that share a folder, as a function that tries to take it."""
    folder = Path(settings.VAR_DIR if store().is_remote else store().location)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("a")
    except OSError:
        raise Refused(Fault("no_room", NO_ROOM, "files"), status=507) from None
    with lock:
        yield lambda: locks.lock(lock, locks.LOCK_EX | locks.LOCK_NB)


@contextmanager
def _lock_in_database() -> Iterator[Callable[[], bool]]:
    """The lock of machines that share a database, and no folder, as a function that tries to take it. It is
    free when the transaction ends, also when the process dies.
    """
    with transaction.atomic():
        yield lambda: answer_of("SELECT pg_try_advisory_xact_lock(%s)", LOCK)[0]


def has(sha256: str, part: str = "") -> bool:
    """Say whether a picture, or a part that was made of it, is stored."""
    return store().exists(name_of(sha256, part))


def lacking(pictures: Iterable[str]) -> set[str]:
    """Those of these pictures, by their hashes, that are not stored. An object store is asked for those whose
    names begin alike together: at most 256 times, as long as it has fewer than 250,000 files.
    """
    wanted = set(pictures)
    if not store().is_remote:
        return {sha256 for sha256 in wanted if not has(sha256)}
    there = {file.name for begin in {sha256[:2] for sha256 in wanted} for file in store().files(f"{begin}/")}
    return {sha256 for sha256 in wanted if name_of(sha256) not in there}


def read(sha256: str, part: str = "") -> bytes:
    """The bytes of a picture, or of a part that was made of it. Raises FileNotFoundError."""
    return store().read(name_of(sha256, part))


def keep(sha256: str, parts: Mapping[str, bytes]) -> list[str]:
    """Write the parts of a picture that are not stored yet. Returns the names of the new files. Raises
    Refused when there is no room.
    """
    fresh: list[str] = []
    try:
        for part, data in parts.items():
            name = name_of(sha256, part)
            if data and not store().exists(name):
                store().save(name, ContentFile(data))
                fresh.append(name)
    except OSError:
        discard(fresh)
        raise Refused(Fault("no_room", NO_ROOM, "files"), status=507) from None
    except Refused:
        with suppress(Refused):
            discard(fresh)
        raise
    return fresh


def discard(names: Iterable[str]) -> None:
    """Delete these files."""
    for name in names:
        store().delete(name)


def remove(sha256: str) -> None:
    """Delete a picture with all that was made of it."""
    discard(name_of(sha256, part) for part in PARTS)


def hash_in(name: str) -> str:
    """The hash of the picture that a file in the store is, or belongs to; empty for any other file."""
    folder, _, file = name.rpartition("/")
    match = NAME.fullmatch(file)
    return match[1] if match and folder == name[:2] else ""


def stored() -> Iterator[tuple[str, StoredFile]]:
    """(hash, file) of every file in the folders of the store; the hash is empty for a file whose name is not
    that of a picture.
    """
    return ((hash_in(file.name), file) for file in store().files() if "/" in file.name)


def is_unaltered(sha256: str) -> bool:
    """Say whether the file is what was stored. Raises FileNotFoundError."""
    return hashlib.sha256(read(sha256)).hexdigest() == sha256


# Pixels: the greatest width or height of a copy.
SMALL = 480


def small_copy(picture: UploadedPicture | PictureRef) -> bytes:
    """The small copy, a WebP. Raises OSError for a picture whose file is gone, and Refused on a busy
    machine.
    """
    sha256, out = picture.sha256, BytesIO()
    with suppress(FileNotFoundError):
        return read(sha256, "small")
    # One at a time in each process, as at the upload: a decoded picture takes a hundred megabytes.
    with decoding():
        with suppress(FileNotFoundError):
            return read(sha256, "small")
        with Image.open(BytesIO(read(sha256)), formats=[picture.kind]) as opened:
            opened.draft("RGB", (SMALL, SMALL))
            # The copy has no profile.
            copy = in_srgb(opened)
        copy.thumbnail((SMALL, SMALL))
        copy.save(out, "WEBP", quality=80)
        keep(sha256, {"small": out.getvalue()})
    return out.getvalue()


def edge_colour_of(picture: UploadedPicture) -> str:
    """The colour of its border, of a picture that came before any was noted; empty where none is seen."""
    with suppress(OSError, Refused), Image.open(BytesIO(small_copy(picture))) as small:
        return border_of(small).colour
    return ""


# Copies that are made before others' prints have their turn.
BATCH = 20
# So many have their copies, one after the other from the newest: then older ones have theirs, or a page makes
# it.
ENOUGH = 60


def queue_small_copies(owner: Viewer | Everyone) -> None:
    """Have a worker make the small copies that this owner's pictures lack."""
    newest = UploadedPicture.objects.of(owner).order_by("-pk").values_list("pk", flat=True).first()
    if newest is not None:
        enqueue(make_small_copies, newest)


@task
def make_small_copies(key: int) -> None:
    """Make the small copies that this picture and older ones of its owner lack, until many have theirs; the
    rest after what else waits by then.
    """
    pictures = UploadedPicture.objects.all_owners("a worker makes their small copies")
    if (picture := pictures.filter(pk=key).first()) is None:
        return
    owner = {name: getattr(picture, name) for name in ("owner", "browser", "everyone")}
    lacking = _without_copy(pictures.filter(**owner, pk__lte=key).order_by("-pk"))
    for one in islice(lacking, BATCH):
        with suppress(Refused, OSError):
            small_copy(one)
    if more := next(lacking, None):
        enqueue(make_small_copies, more.pk)


def _without_copy(pictures: Iterable[UploadedPicture]) -> Iterator[UploadedPicture]:
    """Those without a small copy, as far as ``ENOUGH``. A store is asked for each, which takes long for an
    owner of thousands.
    """
    have = 0
    for one in pictures:
        if not has(one.sha256, "small"):
            have = 0
            yield one
        elif (have := have + 1) == ENOUGH:
            return
