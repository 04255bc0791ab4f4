"""Every store of files can do this, whether a folder or a part of a bucket: Django's storage, and what it
lacks for files of any size.

A name is of our own making, such as ``ab/abcd.small``. A file gets its name when it is whole: no reader ever
sees half of one. A store that does not answer raises StoreAway, a refusal with 503; never an OSError, which
says that a file is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import IO, Any, NamedTuple, Protocol

from cardsdb.faults import SOON, Fault, Refused

CHUNK = 1 << 20
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
