"""Every store of files can do this, whether a folder or a part of a bucket: Django's storage, and what it
lacks for files of any size; and the store that is a folder, of this machine or shared by several.

A name is of our own making, such as ``ab/abcd.small``. A file gets its name when it is whole: no reader ever
sees half of one. A store that does not answer raises StoreAway, a refusal with 503; never an OSError, which
says that a file is not there.
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

CHUNK = 1 << 20
# Of a file that is not whole yet.
UNFINISHED = ".part"
AWAY = (
    "The place where this site stores its files does not answer just now. Nothing was changed; try again in a"
    " minute."
)


class StoreAway(Refused):
    """The store does not answer, or refuses us."""

    def __init__(self) -> None:
        super().__init__(Fault("unavailable", AWAY), status=503, wait=SOON)


class StoredFile(NamedTuple):
    """A file of a store: its name, its bytes, and when it was written, in seconds since 1970."""

    name: str
    size: int
    written: float


class Streamed(Protocol):
    """A file that is read from its beginning to its end, once."""

    size: int

    def read(self, size: int = -1, /) -> bytes: ...

    def close(self) -> None: ...


class Store(Protocol):
    """A place for files. Whatever reads raises FileNotFoundError for one that is not there.

    ``location``: the folder, or what the names begin with in the bucket. ``is_remote``: whether machines
    share it over the network.
    """

    is_remote: bool

    @property
    def location(self) -> str: ...

    def exists(self, name: str) -> bool: ...

    def sizes(self, names: Iterable[str]) -> dict[str, int]:
        """The bytes of those of these files that are there, asked for together where their names begin alike.

        A file that was deleted within the last minute may be among them.
        """

    def read(self, name: str) -> bytes:
        """All of a small file."""

    def open(self, name: str) -> Any:
        """A file in which one can seek: a large one stands on this machine's disk while it is open, never in
        memory.
        """

    def stream(self, name: str) -> Streamed:
        """A file that is sent on as it comes."""

    def save(self, name: str, content: Any) -> str:
        """Store what is there already: all of it, or nothing."""

    def writing(
        self, name: str, step: Callable[[], None] = lambda: None
    ) -> AbstractContextManager[IO[bytes]]:
        """A file to write to, which is stored when the block ends, and is gone when the block fails.

        ``step`` is called now and then while it is stored, which may take a minute; what it raises undoes the
        storing.
        """

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""

    def files(self, beginning: str = "") -> Iterator[StoredFile]:
        """The whole files whose names begin so."""

    def unfinished(self) -> Iterator[StoredFile]:
        """Files that are being stored, or were when a process died."""

    def delete_unfinished(self, file: StoredFile) -> None:
        """Give up a file that is no longer written to."""


def store_of(name: str) -> Store:
    """The store that the settings give this name: ``pictures``, ``jobs``, ``waiting`` or ``bulk``."""
    return cast("Store", storages[name])


def unless(*kinds: type[OSError]) -> Callable[[OSError], None]:
    """Return what raises an error that ``os.walk`` meets, which would pass over it, unless it is of these
    kinds.
    """

    def told(error: OSError) -> None:
        if not isinstance(error, kinds):
            raise error

    return told


@deconstructible
class FolderStore(FileSystemStorage):
    """``folder``: a folder in ``VAR_DIR``, or a path. ``setting``: the name of a setting that may name
    another.

    Files are for the site's user alone. The settings are looked up each time, so that a test can have a
    folder of its own.
    """

    is_remote = False

    def __init__(self, folder: str, setting: str = "") -> None:
        super().__init__()
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

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name

    @contextmanager
    def writing(self, name: str, step: Callable[[], None] = lambda: None) -> Iterator[IO[bytes]]:
        path = self._path(name)
        unfinished = path.with_name(f"{path.name}.{secrets.token_hex(4)}{UNFINISHED}")
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with os.fdopen(os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)

    def delete(self, name: str) -> None:
        self._path(name).unlink(missing_ok=True)

    def files(self, beginning: str = "") -> Iterator[StoredFile]:
        return (one for one in self._all(beginning) if not one.name.endswith(UNFINISHED))

    def unfinished(self) -> Iterator[StoredFile]:
        return (one for one in self._all() if one.name.endswith(UNFINISHED))

    def delete_unfinished(self, file: StoredFile) -> None:
        self.delete(file.name)

    def _all(self, beginning: str = "") -> list[StoredFile]:
        """Return the files whose names begin so, by name, and those that links lead to. Others may delete
        some meanwhile; the folder may not be there yet.
        """
        found = []
        top = Path(self.location)
        inside = os.walk(
            top / beginning.rpartition("/")[0], onerror=unless(FileNotFoundError), followlinks=True
        )
        for folder, _, names in inside:
            for path in (Path(folder, name) for name in names):
                if (name := path.relative_to(top).as_posix()).startswith(beginning):
                    with suppress(FileNotFoundError):
                        status = path.stat()
                        found.append(StoredFile(name, status.st_size, status.st_mtime))
        return sorted(found)

    def _path(self, name: str) -> Path:
        return Path(self.path(name))
