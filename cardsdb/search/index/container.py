"""The file an index is kept in: named sections one after another, mapped into memory and never read whole.

Every process maps the same pages, so a second worker costs no second copy; opening takes the same time
however many cards there are; nothing in it is locked, because nothing in it ever changes. The header is
written last, so that a file that was cut off or is something else is told by its first and last bytes.
"""

from __future__ import annotations

import json
import mmap
import os
import shutil
import struct
import tempfile
import zlib
from array import array
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import IO, Literal, Self

MAGIC = b"CUTOUTIX"
# Raised whenever what stands in the sections changes its meaning.
FORMAT = 2
# Magic, format, check sum of the directory, edition, where the directory begins, how long it is.
_HEADER = struct.Struct("<8sIIQQQ")
_ALIGNED = 8


class IndexUnreadable(Exception):
    """The file is missing, cut off, of another format or edition, or no index at all. The message is a sentence."""


class Writer:
    """Writes a container beside its place and moves it there when it is whole; on an error nothing is left behind."""

    def __init__(self, path: Path, edition: int) -> None:
        self.path = path
        self.edition = edition
        self.sections: dict[str, tuple[int, int]] = {}

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        handle, self._name = tempfile.mkstemp(prefix=f"{self.path.name}.", suffix=".part", dir=self.path.parent)
        self._file = os.fdopen(handle, "wb")
        self._file.write(bytes(_HEADER.size))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            if kind is None:
                self._finish()
                os.chmod(self._name, 0o644)
                os.replace(self._name, self.path)
        finally:
            self._file.close()
            Path(self._name).unlink(missing_ok=True)

    def _finish(self) -> None:
        start = self._aligned()
        directory = json.dumps(self.sections).encode()
        self._file.write(directory)
        self._file.seek(0)
        self._file.write(_HEADER.pack(MAGIC, FORMAT, zlib.crc32(directory), self.edition, start, len(directory)))
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def _aligned(self) -> int:
        self._file.write(bytes(-self._file.tell() % _ALIGNED))
        return self._file.tell()

    def begin(self) -> int:
        """Where the next section will stand in the file."""
        return self._aligned()

    def add(self, name: str, data: bytes | bytearray | memoryview | array[int]) -> None:
        """A section from memory."""
        start = self._aligned()
        self._file.write(data)
        self.sections[name] = (start, self._file.tell() - start)

    def add_pieces(self, name: str, pieces: Iterable[bytes]) -> None:
        """A section from many pieces, one directly behind the other."""
        start = self._aligned()
        self._file.writelines(pieces)
        self.sections[name] = (start, self._file.tell() - start)

    def add_file(self, name: str, file: IO[bytes]) -> None:
        """A section from a file, read from its beginning."""
        start = self._aligned()
        file.seek(0)
        shutil.copyfileobj(file, self._file, 1 << 20)
        self.sections[name] = (start, self._file.tell() - start)


class Container:
    """A container mapped into memory. ``data`` is the whole file: places in it are counted from its beginning."""

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                self.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise IndexUnreadable(f"The index {path} cannot be opened: {error}. Load the cards again to make it.") from None
        self.view = memoryview(self.data)
        self.edition, self._sections = self._directory(path)

    def _directory(self, path: Path) -> tuple[int, dict[str, tuple[int, int]]]:
        again = "Load the cards again to make it anew."
        if len(self.data) < _HEADER.size or self.data[: len(MAGIC)] != MAGIC:
            raise IndexUnreadable(f"{path} is no index of cards. {again}")
        _, format, check, edition, start, length = _HEADER.unpack_from(self.data)
        if format != FORMAT:
            raise IndexUnreadable(f"The index {path} is of format {format}, and this program reads format {FORMAT}. {again}")
        directory = self.data[start : start + length]
        if start + length != len(self.data) or zlib.crc32(directory) != check:
            raise IndexUnreadable(f"The index {path} is cut off or damaged. {again}")
        return edition, {name: (int(at), int(size)) for name, (at, size) in json.loads(directory).items()}

    def __contains__(self, name: str) -> bool:
        return name in self._sections

    def names(self) -> Iterable[str]:
        return self._sections

    def start_of(self, name: str) -> int:
        """Where in the file a section begins."""
        return self._sections[name][0]

    def section(self, name: str) -> memoryview:
        """The bytes of a section, not copied."""
        start, length = self._sections[name]
        return self.view[start : start + length]

    def numbers(self, name: str, kind: Literal["I", "Q"]) -> memoryview:
        """A section as numbers: ``I`` of 4 bytes, ``Q`` of 8."""
        return self.section(name).cast(kind)
