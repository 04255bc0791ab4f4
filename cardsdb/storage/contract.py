"""The interface of every store of files (``Store``), and the store that is a folder.

A store is a Django storage plus what Django lacks for large files. Names are chosen by our code, such as
``ab/abcd.small``. A file gets its name only when it is complete, so a reader never sees half of one. A store
that does not answer raises StoreAway (503), never OSError, which means that a file is missing.

``cardsdb/environment.py`` makes the four stores; ``cardsdb/box``, ``cardsdb/operate`` and ``printing/tasks``
use them. Tests: ``tests/cardsdb/storage/test_contract.py``.
"""

import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol, cast

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import FileSystemStorage, storages
from django.utils.deconstruct import deconstructible

from cardsdb.faults import SOON, Fault, Refused

# Bytes that are copied at once.
CHUNK = 1 << 20
# Ending of files that are still being written.
UNFINISHED = ".part"
AWAY = (
    "The place where this site stores its files does not answer just now. Nothing was changed; try again in a"
    " minute."
)


class StoreAway(Refused):
    """The store does not answer, or denies access."""

    def __init__(self) -> None:
        super().__init__(Fault("unavailable", AWAY), status=503, wait=SOON)


class StoredFile(NamedTuple):
    """A file of a store: name, bytes, and time of writing in seconds since 1970."""

    name: str
    size: int
    written: float


class Streamed(Protocol):
    """A file that is read once from beginning to end."""

    size: int

    def read(self, size: int = -1, /) -> bytes: ...

    def close(self) -> None: ...


class Store(Protocol):
    """A place for files. All methods that read raise FileNotFoundError for a missing file, and all methods
    raise StoreAway if the store does not answer.

    ``location``: the folder, or the prefix of names in the bucket. ``is_remote``: machines share it over the
    network.
    """

    is_remote: bool

    @property
    def location(self) -> str: ...

    def exists(self, name: str) -> bool: ...

    def sizes(self, names: Iterable[str]) -> dict[str, int]:
        """Return name -> number of bytes, of those files that exist.

        A remote store is asked once for all names with their common beginning, so ask for names that are
        alike, such as the parts of one picture. A file that was deleted in the last minute may still be
        included.
        """

    def read(self, name: str) -> bytes:
        """Return the content of a small file."""

    def open(self, name: str) -> Any:
        """Open a file for seeking. A large file of a remote store is copied to a temporary file on disk, not
        into memory.
        """

    def stream(self, name: str) -> Streamed:
        """Open a file to be passed on piece by piece."""

    def save(self, name: str, content: Any) -> str:
        """Store ``content`` under this name: all of it or nothing."""

    def writing(
        self, name: str, step: Callable[[], None] = lambda: None
    ) -> AbstractContextManager[IO[bytes]]:
        """A context manager with a file to write to; it is stored at the end of the block, or dropped if the
        block fails.

        Storing in a bucket may take a minute: ``step`` is called after every piece that is sent, and an
        exception from it undoes the storing. A folder stores by a rename, and never calls ``step``.
        """

    def delete(self, name: str) -> None:
        """Delete a file if it exists."""

    def files(self, beginning: str = "") -> Iterator[StoredFile]:
        """Yield the complete files whose names begin so."""

    def unfinished(self) -> Iterator[StoredFile]:
        """Yield files that are being written, or were when their process died."""

    def delete_unfinished(self, file: StoredFile) -> None:
        """Drop an unfinished file that is no longer written to."""


def store_of(name: str) -> Store:
    """Return the store of this name in STORAGES: ``pictures``, ``jobs``, ``waiting`` or ``bulk``."""
    return cast("Store", storages[name])


def ignore_only(*kinds: type[OSError]) -> Callable[[OSError], None]:
    """Return a handler (``onerror``) for ``os.walk``, which by default ignores all errors: with it, only
    errors of these kinds are ignored, others are raised.
    """

    def handler(error: OSError) -> None:
        if not isinstance(error, kinds):
            raise error

    return handler


@deconstructible
class FolderStore(FileSystemStorage):
    """A store in a folder: ``folder`` in ``VAR_DIR``, or the path in the setting named ``setting`` if that is
    filled.

    Files are readable by the site's user only. Settings are read at each use, so that tests can use a folder
    of their own.
    """

    is_remote = False

    def __init__(self, folder: str, setting: str = "") -> None:
        super().__init__(allow_overwrite=True)
        self.folder, self.setting = folder, setting

    @property
    def base_location(self) -> str:  # type: ignore[override]
        return str(getattr(settings, self.setting, "") or Path(settings.VAR_DIR) / self.folder)

    @property
    def location(self) -> str:  # type: ignore[override]
        return os.path.abspath(self.base_location)

    def url(self, name: str | None) -> str:
        raise NotImplementedError("only Cutout knows whose a file is")

    def sizes(self, names: Iterable[str]) -> dict[str, int]:
        found = {}
        for name in names:
            with suppress(FileNotFoundError, NotADirectoryError):
                found[name] = self._path(name).stat().st_size
        return found

    def read(self, name: str) -> bytes:
        return self._path(name).read_bytes()

    def stream(self, name: str) -> File:
        return File(self._path(name).open("rb"))

    def _save(self, name: str, content: Any) -> str:
        with self.writing(name) as file:
            content.seek(0)
            while data := content.read(CHUNK):
                file.write(data)
        return name

    @contextmanager
    def writing(self, name: str, step: Callable[[], None] = lambda: None) -> Iterator[IO[bytes]]:
        path = self._path(name)
        unfinished = path.with_name(f"{path.name}.{secrets.token_hex(4)}{UNFINISHED}")
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            # Readable by the site's user only (0o600), and never another writer's file (O_EXCL).
            with os.fdopen(os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            # This is done at once, so ``step`` is never called.
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)

    def delete(self, name: str) -> None:
        self._path(name).unlink(missing_ok=True)

    def files(self, beginning: str = "") -> Iterator[StoredFile]:
        return (file for file in self._all(beginning) if not file.name.endswith(UNFINISHED))

    def unfinished(self) -> Iterator[StoredFile]:
        return (file for file in self._all() if file.name.endswith(UNFINISHED))

    def delete_unfinished(self, file: StoredFile) -> None:
        self.delete(file.name)

    def _all(self, beginning: str = "") -> list[StoredFile]:
        """Return all files whose names begin so, sorted by name; links are followed. Files that vanish
        meanwhile are skipped, and a missing folder counts as empty.
        """
        found = []
        top = Path(self.location)
        # Only the folder in the beginning is walked: "ab" for "ab/ab12".
        start = top / beginning.rpartition("/")[0]
        for folder, _, names in os.walk(start, onerror=ignore_only(FileNotFoundError), followlinks=True):
            for path in (Path(folder, name) for name in names):
                inside = path.relative_to(top).as_posix()
                if inside.startswith(beginning):
                    with suppress(FileNotFoundError):
                        status = path.stat()
                        found.append(StoredFile(inside, status.st_size, status.st_mtime))
        return sorted(found)

    def _path(self, name: str) -> Path:
        return Path(self.path(name))
