"""Zip files: the same members give the same bytes, and no more than one member is held in memory at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import IO, NamedTuple
from zipfile import ZIP_STORED, ZipFile, ZipInfo

# Readable by all, writable by their owner, as Unix has it.
MODE = 0o644 << 16
UNIX = 3


class Member(NamedTuple):
    """One file of an archive: its bytes, or what writes them. Names are made of small letters, digits and ``-``: see ``naming``."""

    name: str
    data: bytes | Callable[[IO[bytes]], None]


def write_zip(members: Iterable[Member], out: IO[bytes]) -> None:
    """The archive, each member as it comes, into a file in which one can go back. Stored as they are: pictures are compressed already."""
    with ZipFile(out, "w", ZIP_STORED) as archive:
        for member in members:
            # No date: the same members give the same bytes.
            entry = ZipInfo(member.name)
            entry.external_attr, entry.create_system = MODE, UNIX
            with archive.open(entry, "w") as file:
                if callable(member.data):
                    member.data(file)
                else:
                    file.write(member.data)
