"""All that a package comes in: a folder, a zip, a tgz or a single file, read a file at a time and only so
far.

Nothing is ever unpacked to names that the package chose. Sizes are measured while bytes are unpacked, since
what an archive says of itself may be false.
"""

from __future__ import annotations

import gzip
import lzma
import os
import re
import stat
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Protocol

from cardsdb.faults import Fault, Refused

MEGABYTE = 1024 * 1024
MAX_FILES = 20_000
MAX_NAME = 300
# Of a zip's list of its files; of a tar's headers, of which each stands before its file, and of one such
# header.
MAX_LIST, MAX_HEADERS, MAX_HEADER = 6 * MEGABYTE, 32 * MEGABYTE, 64 * 1024
# Of one file of cards, and of one picture.
MAX_TEXT_FILE, MAX_PICTURE = 64 * MEGABYTE, 25 * MEGABYTE
# Elements of XML, of a whole package: each takes far more time and memory than letters.
MAX_ELEMENTS = 2_000_000
# Unpacked, of a whole package: from a visitor, and from whoever runs the site.
MAX_SENT, MAX_LOCAL = 512 * MEGABYTE, 8192 * MEGABYTE
# More than so many times its packed size is no card file, once it is large.
MAX_RATIO, LARGE = 200, 8 * MEGABYTE
PICTURES = re.compile(r"\.(?:jpe?g|png|webp)$", re.IGNORECASE)
# What systems add to archives by themselves.
_LITTER = re.compile(r"(?:^|/)(?:__MACOSX/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\.git/|\._)", re.IGNORECASE)
_CHUNK = MEGABYTE
_BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, struct.error),
    *(EOFError, NotImplementedError, RuntimeError, ValueError, LookupError, OverflowError),
)


class BadPackage(Refused, ValueError):
    """A file that is not taken: a code for programs, a sentence that says what to do, and the place in it."""

    def __init__(self, code: str, message: str, where: str = "file") -> None:
        super().__init__(Fault(code, message, where))
        self.code, self.message, self.where = code, message, where


class _Store(Protocol):
    """Tells where the bytes are."""

    @property
    def names(self) -> tuple[str, ...]: ...

    def open(self, name: str) -> IO[bytes]: ...

    def packed(self, name: str) -> int: ...

    def close(self) -> None: ...


class Files:
    """The files of a package. ``most``: how many bytes of its files may be unpacked."""

    def __init__(self, store: _Store, most: int, outer: Files | None = None, within: str = "") -> None:
        self._store, self._most, self._within = store, most, within
        # What was unpacked of each file; reading it again costs nothing more.
        self._sizes: dict[str, int] = outer._sizes if outer else {}
        self._elements: dict[str, int] = outer._elements if outer else {}
        self.names = tuple(name for name in store.names if not _LITTER.search(name))

    @property
    def pictures(self) -> tuple[str, ...]:
        return tuple(name for name in self.names if PICTURES.search(name))

    def ending(self, *ends: str) -> tuple[str, ...]:
        """The files whose names end so."""
        return tuple(name for name in self.names if name.casefold().endswith(ends))

    def named(self, name: str) -> tuple[str, ...]:
        """The files of this name, in whichever folder."""
        return tuple(path for path in self.names if path.rpartition("/")[2].casefold() == name)

    def packed(self, name: str) -> int:
        """Return how many bytes of the package a file takes."""
        return self._store.packed(name)

    def text_file(self, name: str) -> bytes:
        """All of a file of cards. Raises BadPackage, also for more elements of XML than a package of cards
        has.
        """
        data = self.read(name, MAX_TEXT_FILE)
        if name.casefold().endswith(".xml"):
            # What begins something and ends nothing; in UTF-16 what ends something too.
            self._elements[self._within + name] = data.count(b"<") - data.count(b"</")
            if sum(self._elements.values()) > MAX_ELEMENTS:
                message = (
                    f"{name}: the package has more than {MAX_ELEMENTS:,} elements, which no cards need. Send"
                    " its sets one after another."
                )
                raise BadPackage("too_large", message, name)
        return data

    def beginning(self, name: str, size: int = 2_000) -> bytes:
        """The first bytes of a file, by which its kind is known. Raises BadPackage."""
        try:
            with self._store.open(name) as file:
                return file.read(size)
        except (*_BROKEN, OSError) as error:
            raise _damaged(name) from error

    def read(self, name: str, most: int) -> bytes:
        """All of a file. Raises BadPackage for one of more than ``most`` bytes, or that is damaged."""
        try:
            with self._store.open(name) as file:
                data = file.read(most + 1)
        except (*_BROKEN, OSError) as error:
            raise _damaged(name) from error
        if len(data) > most:
            raise BadPackage(
                "too_large",
                f"{name} has more than {most // MEGABYTE} MB unpacked, which no file of cards needs.",
                name,
            )
        if len(data) > LARGE and len(data) > MAX_RATIO * max(self._store.packed(name), 1):
            raise BadPackage(
                "bomb",
                f"{name} is {MAX_RATIO} times as large unpacked as packed. Such files only fill memory.",
                name,
            )
        self._sizes[self._within + name] = len(data)
        if sum(self._sizes.values()) > self._most:
            raise BadPackage(
                "too_large", "The package is too large unpacked. Send its sets one after another."
            )
        return data

    def inside(self, name: str) -> Files:
        """The files of a zip that lies in the package. What is unpacked of them counts as the package's.
        Raises BadPackage.
        """
        return Files(ZipStore(BytesIO(self.text_file(name))), self._most, self, f"{self._within}{name}/")

    def close(self) -> None:
        self._store.close()

    def __enter__(self) -> Files:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_folder(folder: Path) -> Files:
    """The files below a folder; links are not followed."""
    return Files(_Folder(folder), MAX_LOCAL)


def open_file(file: IO[bytes], name: str, most: int = MAX_SENT) -> Files:
    """A file as a package: an archive by its first bytes, whatever it is called; else itself. Raises
    BadPackage.
    """
    file.seek(0)
    begin = file.read(4)
    file.seek(0)
    if not begin:
        raise BadPackage("empty", "The file is empty.")
    if begin == b"PK\x03\x04" and not name.casefold().endswith(".xlsx"):
        return Files(ZipStore(file), most)
    if begin[:2] == b"\x1f\x8b":
        return Files(_Tgz(file, most), most)
    return Files(_Single(file, plain_name(name)), most)


def plain_name(name: str) -> str:
    """A file's name without folders and without what cannot be shown."""
    return (
        "".join(char for char in name.replace("\\", "/").rpartition("/")[2] if char.isprintable())[:80]
        or "file"
    )


def _damaged(name: str) -> BadPackage:
    return BadPackage(
        "damaged", f"{name} is damaged or cannot be unpacked. Save or download the package again.", name
    )


def _too_many() -> BadPackage:
    return BadPackage("too_many", f"The package has more than {MAX_FILES:,} files. Send a part of it.")


def _checked(names: Iterable[str]) -> Iterator[str]:
    """The names, with / between folders. Raises BadPackage for those that lead elsewhere, and for too
    many.
    """
    seen: set[str] = set()
    for number, original in enumerate(names):
        if number >= MAX_FILES:
            raise _too_many()
        name = original.replace("\\", "/").removeprefix("./")
        shown = "".join(char if char.isprintable() else "?" for char in original)[:80]
        if "\0" in name or not name.isprintable() or len(name) > MAX_NAME:
            raise BadPackage("bad_name", f"The package has a file whose name cannot be used: {shown}.", shown)
        if name.startswith("/") or re.match("[A-Za-z]:", name) or ".." in name.split("/"):
            raise BadPackage(
                "bad_name",
                f"The package has a file that would lie outside of it: {shown}. Pack it again.",
                shown,
            )
        if name in seen:
            raise BadPackage(
                "bad_name", f"The package has two files of the same name: {shown}. Pack it again.", shown
            )
        seen.add(name)
        yield name


class _Folder:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.names = tuple(_checked(self._walked()))

    def _walked(self) -> Iterator[str]:
        for root, folders, files in os.walk(self._folder):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(files):
                path = Path(root, name)
                if not path.is_symlink() and path.is_file():
                    yield path.relative_to(self._folder).as_posix()

    def open(self, name: str) -> IO[bytes]:
        return (self._folder / name).open("rb")

    def packed(self, name: str) -> int:
        return (self._folder / name).stat().st_size

    def close(self) -> None:
        """Nothing is open."""


class _Single:
    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file, self.names = file, (name,)

    def open(self, name: str) -> IO[bytes]:
        self._file.seek(0)
        return _Unclosed(self._file)  # type: ignore[return-value]

    def packed(self, name: str) -> int:
        return self._file.seek(0, os.SEEK_END)

    def close(self) -> None:
        """The file belongs to the caller."""


class _Unclosed:
    """A file that stays open when one reader is done with it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def read(self, size: int = -1) -> bytes:
        return self._file.read(size)

    def __enter__(self) -> _Unclosed:
        return self

    def __exit__(self, *_: object) -> None:
        """Left open."""


class ZipStore:
    """The files of a zip. Raises BadPackage for one that is damaged, locked, or leads elsewhere."""

    def __init__(self, file: IO[bytes]) -> None:
        try:
            # Its list of files is read whole as soon as it is opened.
            end = zipfile._EndRecData(file)  # type: ignore[attr-defined]
            if end and max(end[zipfile._ECD_SIZE], end[zipfile._ECD_ENTRIES_TOTAL] * 46) > MAX_LIST:  # type: ignore[attr-defined]
                raise _too_many()
            self._archive = zipfile.ZipFile(file)
        except BadPackage:
            raise
        except (*_BROKEN, OSError) as error:
            raise BadPackage("damaged", "The archive is damaged. Save or download it again.") from error
        if len(self._archive.filelist) > MAX_FILES:
            raise _too_many()
        members = [member for member in self._archive.infolist() if not member.is_dir()]
        names = tuple(_checked(member.filename for member in members))
        for member, name in zip(members, names, strict=True):
            if stat.S_ISLNK(member.external_attr >> 16):
                raise BadPackage("link", f"{name} is a link to another file. Pack the file itself.", name)
            if member.flag_bits & 1:
                raise BadPackage("encrypted", f"{name} is locked with a password. Pack it without one.", name)
        self._members = dict(zip(names, members, strict=True))
        self.names = names

    def open(self, name: str) -> IO[bytes]:
        return self._archive.open(self._members[name])

    def packed(self, name: str) -> int:
        return self._members[name].compress_size

    def close(self) -> None:
        self._archive.close()


class _Headers:
    """A tar while its files are listed: of each only the header is read, which may say that it is as large as
    the tar itself.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._left = file, MAX_HEADERS
        self.seek, self.tell = file.seek, file.tell

    def read(self, size: int = -1) -> bytes:
        self._left -= size
        if not 0 <= size <= MAX_HEADER or self._left < 0:
            raise BadPackage("bad_name", "The archive has a file whose name has no end. Pack it again.")
        return self._file.read(size)


def _members(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """All that is in a tar, folders too. Raises BadPackage for too many, and for one that leads back to an
    earlier one.
    """
    end = -1
    for number, member in enumerate(archive):
        if number >= MAX_FILES:
            raise _too_many()
        if member.size < 0 or member.offset <= end:
            raise BadPackage(
                "damaged", "The archive is damaged: a file in it has less than no bytes. Pack it again."
            )
        end = member.offset
        yield member


class _Tgz:
    """A tar in gzip. It is unpacked once into a file without a name, so that its files can be read in any
    order.
    """

    def __init__(self, file: IO[bytes], most: int) -> None:
        self._plain = tempfile.TemporaryFile()  # noqa: SIM115  closed by ``close``
        try:
            total = 0
            with gzip.GzipFile(fileobj=file) as packed:
                while chunk := packed.read(_CHUNK):
                    total += len(chunk)
                    if total > most:
                        raise BadPackage(
                            "too_large", "The package is too large unpacked. Send its sets one after another."
                        )
                    self._plain.write(chunk)
            self._size = max(file.tell(), 1)
            if total > LARGE and total > MAX_RATIO * self._size:
                raise BadPackage(
                    "bomb",
                    f"The package is {MAX_RATIO} times as large unpacked as packed. Such files only fill"
                    " disks.",
                )
            self._plain.seek(0)
            headers: Any = _Headers(self._plain)
            self._archive = tarfile.open(fileobj=headers, mode="r:")  # noqa: SIM115
            members = [member for member in _members(self._archive) if not member.isdir()]
            self._archive.fileobj = self._plain
            self.names = tuple(_checked(member.name for member in members))
            for member, name in zip(members, self.names, strict=True):
                if not member.isreg():
                    raise BadPackage(
                        "link", f"{name} is a link or a device, no file. Pack the file itself.", name
                    )
            self._members = dict(zip(self.names, members, strict=True))
        except BadPackage:
            self._plain.close()
            raise
        except (*_BROKEN, OSError) as error:
            self._plain.close()
            raise BadPackage(
                "damaged", "The archive is damaged, or no tar in gzip. Save or download it again."
            ) from error

    def open(self, name: str) -> IO[bytes]:
        opened = self._archive.extractfile(self._members[name])
        assert opened is not None, "what is no file was refused when it was listed"
        return opened

    def packed(self, name: str) -> int:
        return self._members[name].size

    def close(self) -> None:
        self._archive.close()
        self._plain.close()


@contextmanager
def opened(path: Path) -> Iterator[Files]:
    """A file or a folder of this machine as a package. Raises BadPackage and OSError."""
    if path.is_dir():
        yield open_folder(path)
    else:
        with path.open("rb") as file, open_file(file, path.name, MAX_LOCAL) as files:
            yield files
