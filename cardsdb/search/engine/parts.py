"""A file of parts, one after another: each a length and so many bytes. What wrote them reads them in the same order.

A part is text or numbers; nothing in such a file is run. It begins with a key that says of what it is, and ends with a checksum.
"""

from __future__ import annotations

from array import array
from typing import BinaryIO
from zlib import crc32

# Bytes of a length and of the checksum.
LENGTH, CHECKSUM = 8, 4


class PartWriter:
    """Writes parts into a file."""

    def __init__(self, file: BinaryIO, key: bytes) -> None:
        self._file, self._checksum = file, 0
        self.add(key)

    def add(self, part: bytes | bytearray | array[int]) -> None:
        """Write one part."""
        length = memoryview(part).nbytes.to_bytes(LENGTH, "little")
        for piece in (length, part):
            self._file.write(piece)
            self._checksum = crc32(piece, self._checksum)

    def end(self) -> None:
        """Write the checksum of all parts, once they are there."""
        self._file.write(self._checksum.to_bytes(CHECKSUM, "little"))


class PartReader:
    """Reads them again. Everything raises ValueError for a file that is not whole, and ``__init__`` for one of another key."""

    def __init__(self, file: BinaryIO, size: int, key: bytes) -> None:
        """``size``: bytes of the file."""
        self._file, self._left, self._checksum = file, size - CHECKSUM, 0
        if self.text() != key:
            raise ValueError("The file is of something else.")

    def text(self) -> bytes:
        """The next part as bytes."""
        return self._bytes(int.from_bytes(self._bytes(LENGTH), "little"))

    def numbers(self, kind: str) -> array[int]:
        """The next part as an array of this type code."""
        numbers = array(kind)
        numbers.frombytes(self.text())
        return numbers

    def end(self) -> None:
        """Nothing may be left, and all parts must be as they were written."""
        if self._left or self._file.read() != self._checksum.to_bytes(CHECKSUM, "little"):
            raise ValueError("The file is damaged.")

    def _bytes(self, length: int) -> bytes:
        """The next bytes. A length beyond the file would ask for memory that nobody has."""
        self._left -= length
        data = self._file.read(length) if self._left >= 0 else b""
        if len(data) != length:
            raise ValueError("The file ends too soon.")
        self._checksum = crc32(data, self._checksum)
        return data
