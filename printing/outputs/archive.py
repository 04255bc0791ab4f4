"""Zip files that are written while they are sent: the same members give the same bytes, and no more than one is held at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import SEEK_SET, BytesIO
from typing import IO, NamedTuple, cast
from zipfile import ZIP_STORED, ZipFile, ZipInfo

# Readable by all, writable by their owner, as Unix has it.
MODE = 0o644 << 16
UNIX = 3


class Member(NamedTuple):
    """One file of an archive. Names are made of small letters, digits, ``-``, ``.`` and one ``/`` at most: see ``naming``."""

    name: str
    data: bytes


class _Tape:
    """A file that is taken away piece by piece: one can go back within what was not yet taken."""

    def __init__(self) -> None:
        self._taken, self._kept = 0, BytesIO()

    def write(self, data: bytes) -> int:
        return self._kept.write(data)

    def tell(self) -> int:
        return self._taken + self._kept.tell()

    def seek(self, offset: int, whence: int = SEEK_SET) -> int:
        return self._taken + self._kept.seek(offset - self._taken, whence)

    def flush(self) -> None:
        """Nothing is held back."""

    def take(self) -> bytes:
        data, self._kept = self._kept.getvalue(), BytesIO()
        self._taken += len(data)
        return data


def zipped(members: Iterable[Member]) -> Iterator[bytes]:
    """The archive, a piece for each member. Members are stored as they are: pictures are compressed already."""
    tape = _Tape()
    with ZipFile(cast(IO[bytes], tape), "w", ZIP_STORED) as archive:
        for member in members:
            # No date: the same members give the same bytes.
            entry = ZipInfo(member.name)
            entry.external_attr, entry.create_system = MODE, UNIX
            archive.writestr(entry, member.data)
            yield tape.take()
    yield tape.take()
