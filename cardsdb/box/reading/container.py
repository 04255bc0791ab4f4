"""Open an uploaded package (folder, zip, tgz or single file) and read its files one at a time, with limits on
everything.

Input is hostile. Nothing is written to a name that the package chose, and sizes are counted while unpacking,
because what an archive says about itself may be false. Every failure becomes ``BadPackage``. The files' bytes
are read as text or XML in ``contents.py``; ``formats.py`` and ``packed_games.py`` know what they mean.
Tests: ``tests/cardsdb/box/reading/test_container.py``.
"""

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
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar

from cardsdb.faults import Fault, Refused

T = TypeVar("T")
MEGABYTE = 1024 * 1024
# Files of a package.
MAX_FILES = 20_000
# Characters of a file's name.
MAX_NAME = 300
# Bytes of a zip's central directory, which lists its files; and the least that one entry takes: its fixed
# part ("central directory header", section 4.3.12 of PKWARE's APPNOTE).
MAX_LIST = 6 * MEGABYTE
_MIN_LISTED = 46
# The first bytes of a zip's first file, and of a gzip.
ZIP = b"PK\x03\x04"
GZIP = b"\x1f\x8b"
# Bytes of all headers of a tar (one before each file), and of one of them.
MAX_HEADERS = 32 * MEGABYTE
MAX_HEADER = 64 * 1024
# Bytes of one card file.
MAX_TEXT_FILE = 64 * MEGABYTE
# Bytes that are read to tell the kind of a file.
BEGINNING = 2_000
# XML elements of a whole package: each takes far more time and memory than a character.
MAX_ELEMENTS = 2_000_000
# Bytes of a whole package from a visitor, unpacked.
MAX_SENT = 512 * MEGABYTE
# Bytes of a whole package from the operator of the site, unpacked.
MAX_LOCAL = 8192 * MEGABYTE
# A file of more than LARGE bytes that unpacks to more than MAX_RATIO times its packed size is no card file
# but a zip bomb.
MAX_RATIO = 200
LARGE = 8 * MEGABYTE
# Endings of picture files that ``cardsdb/box/picture_files`` reads, and of those that it refuses by name.
_READ = "jpe?g|jpe|jfif|a?png|webp|avif|hei[cf]|hif|gif|tiff?|bmp|dib"
_REFUSED = (
    "svgz?|jxl|jp2|j2k|jpx|psd|xcf|kra|eps|ai|pdf|ico|tga|pcx|p[bgnp]m|qoi|dng|cr[23]|nef|arw|orf|rw2|raf"
)
PICTURES = re.compile(rf"\.(?:{_READ}|{_REFUSED})$", re.IGNORECASE)
# Files that operating systems add to archives.
_LITTER = re.compile(r"(?:^|/)(?:__MACOSX/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\.git/|\._)", re.IGNORECASE)
# What the libraries for archives raise for damaged files, in two groups: their own errors, and built-in ones.
_BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, struct.error),
    *(EOFError, NotImplementedError, RuntimeError, ValueError, LookupError, OverflowError, OSError),
)


class BadPackage(Refused, ValueError):
    """A file that is not taken. ``code`` is for programs, the message says what to do, ``where`` is the file
    or field.
    """

    def __init__(self, code: str, message: str, where: str = "file") -> None:
        super().__init__(Fault(code, message, where))
        self.code, self.message = code, message


@contextmanager
def _undamaged(message: str, where: str = "file") -> Iterator[None]:
    """Raise BadPackage with this message for any error that a damaged archive causes inside the block."""
    try:
        yield
    except BadPackage:
        # It is a ValueError too, but already says what is wrong.
        raise
    except _BROKEN as error:
        raise BadPackage("damaged", message, where) from error


class Member(NamedTuple):
    """A file of a package, and a function that opens it. ``packed``: the bytes that it takes in the package;
    in a tar, a folder or a single file this is its unpacked size (``_tarred`` checks the ratio of a tar).
    """

    packed: int
    open: Callable[[], AbstractContextManager[IO[bytes]]]


class Files:
    """The files of an open package, read one at a time. Close it, or use it as a context manager.

    ``names``: all files but those of operating systems; ``pictures``: those of them that are pictures by
    their ending. ``most``: bytes that may be unpacked in total. ``outer`` and ``within``: for a zip inside
    this package, such as a spreadsheet, the outer package and the inner zip's path in it (``cards.xlsx/``);
    it shares the outer one's limits.
    """

    def __init__(
        self,
        members: Mapping[str, Member],
        most: int,
        close: Callable[[], object] = lambda: None,
        outer: "Files | None" = None,
        within: str = "",
    ) -> None:
        self._members, self._most, self.close, self._within = members, most, close, within
        # Unpacked bytes and XML elements of each file read so far; reading a file again counts once.
        self._sizes: dict[str, int] = outer._sizes if outer else {}
        self._elements: dict[str, int] = outer._elements if outer else {}
        self.names = tuple(name for name in members if not _LITTER.search(name))
        self.pictures = tuple(filter(PICTURES.search, self.names))

    def ending(self, *ends: str) -> tuple[str, ...]:
        """The names of files that end in one of these."""
        return tuple(name for name in self.names if name.casefold().endswith(ends))

    def packed(self, name: str) -> int:
        """Return the bytes that a file takes in the package (``Member.packed``)."""
        return self._members[name].packed

    def text_file(self, name: str) -> bytes:
        """Return a card file's bytes. Raises BadPackage, also for too many XML elements in total."""
        data = self.read(name, MAX_TEXT_FILE)
        if name.casefold().endswith(".xml"):
            # Start tags are counted as "<" minus "</": <x><y/></x> has 3 - 1 = 2 elements. In UTF-16 "</" is
            # not found, so end tags count too, which is on the safe side.
            self._elements[self._within + name] = data.count(b"<") - data.count(b"</")
            if sum(self._elements.values()) > MAX_ELEMENTS:
                message = (
                    f"{name}: the package has more than {MAX_ELEMENTS:,} elements, which no cards need. Send"
                    " its sets one after another."
                )
                raise BadPackage("too_large", message, name)
        return data

    def beginning(self, name: str) -> bytes:
        """Return the first bytes of a file, which tell its kind. Raises BadPackage."""
        return self._first(name, BEGINNING)

    def _first(self, name: str, size: int) -> bytes:
        """Return at most ``size`` bytes of a file. Raises BadPackage."""
        message = f"{name} is damaged or cannot be unpacked. Save or download the package again."
        with _undamaged(message, name), self._members[name].open() as file:
            return file.read(size)

    def read(self, name: str, most: int) -> bytes:
        """Return all bytes of a file. Raises BadPackage if it has more than ``most``, or is damaged."""
        # One byte more than allowed shows that a file is too large.
        data = self._first(name, most + 1)
        if len(data) > most:
            raise BadPackage(
                "too_large",
                f"{name} has more than {most // MEGABYTE} MB unpacked, which no file of cards needs.",
                name,
            )
        _check_ratio(name, len(data), self.packed(name), "memory", name)
        self._sizes[self._within + name] = len(data)
        _check_total(sum(self._sizes.values()), self._most)
        return data

    def inside(self, name: str) -> "Files":
        """Open a zip that is a file of this package and counts towards its limits. Raises BadPackage."""
        return _zipped(BytesIO(self.text_file(name)), self._most, self, f"{self._within}{name}/")

    def __enter__(self) -> "Files":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_folder(folder: Path) -> Files:
    """Open the files below a folder. Links are not followed."""
    members = _checked((path.relative_to(folder).as_posix(), path) for path in _below(folder))
    return Files(
        {name: Member(path.stat().st_size, partial(_open, path)) for name, path in members.items()},
        MAX_LOCAL,
    )


def _open(path: Path) -> IO[bytes]:
    return path.open("rb")


def _below(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, sorted, without links and hidden folders."""
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths = (Path(root, name) for name in sorted(files))
        yield from (path for path in paths if not path.is_symlink() and path.is_file())


def _begin(file: IO[bytes]) -> bytes:
    """Return the first four bytes, and rewind the file."""
    file.seek(0)
    begin = file.read(4)
    file.seek(0)
    return begin


def is_archive(file: IO[bytes]) -> bool:
    """True if a file is a zip or a gzip, by its first bytes."""
    return (begin := _begin(file)) == ZIP or begin[:2] == GZIP


def open_file(file: IO[bytes], name: str, most: int = MAX_SENT) -> Files:
    """Open an uploaded file as a package: a zip or tgz by its first bytes, else a package of this one file,
    which stays open. Raises BadPackage.
    """
    begin = _begin(file)
    if not begin:
        raise BadPackage("empty", "The file is empty.")
    if begin == ZIP and not name.casefold().endswith(".xlsx"):
        return _zipped(file, most)
    if begin[:2] == GZIP:
        return _tarred(file, most)

    def again() -> AbstractContextManager[IO[bytes]]:
        file.seek(0)
        return nullcontext(file)

    size = file.seek(0, os.SEEK_END)
    return Files({plain_name(name): Member(size, again)}, most)


@contextmanager
def opened(path: Path) -> Iterator[Files]:
    """Open a local file or folder as a package, for commands. Raises BadPackage and OSError."""
    if path.is_dir():
        yield open_folder(path)
    else:
        with path.open("rb") as file, open_file(file, path.name, MAX_LOCAL) as files:
            yield files


def plain_name(name: str) -> str:
    """Return a file's name without folders and unprintable characters."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(filter(str.isprintable, last))[:80] or "file"


def _too_many() -> BadPackage:
    return BadPackage("too_many", f"The package has more than {MAX_FILES:,} files. Send a part of it.")


def _check_total(size: int, most: int) -> None:
    """Raise BadPackage if all unpacked bytes together are more than ``most``."""
    if size > most:
        raise BadPackage("too_large", "The package is too large unpacked. Send its sets one after another.")


def _check_ratio(called: str, size: int, packed: int, fills: str, where: str = "file") -> None:
    """Raise BadPackage for a bomb: a large file of ``size`` bytes that takes far fewer ``packed``. ``called``
    and ``fills`` ("memory", "disks") are words of the message.
    """
    if size > LARGE and size > MAX_RATIO * max(packed, 1):
        message = f"{called} is {MAX_RATIO} times as large unpacked as packed. Such files only fill {fills}."
        raise BadPackage("bomb", message, where)


def _checked(members: Iterable[tuple[str, T]]) -> dict[str, T]:
    """Return the members by name, with / between folders: ``.\\a\\kai.png`` -> ``a/kai.png``. Raises
    BadPackage for names that lead outside, duplicate names, and too many files.
    """
    checked: dict[str, T] = {}
    for original, member in members:
        if len(checked) >= MAX_FILES:
            raise _too_many()
        name = original.replace("\\", "/").removeprefix("./")
        shown = "".join(char if char.isprintable() else "?" for char in original)[:80]
        wrong = ""
        if not name.isprintable() or len(name) > MAX_NAME:
            wrong = f"a file whose name cannot be used: {shown}."
        elif name.startswith("/") or re.match("[A-Za-z]:", name) or ".." in name.split("/"):
            wrong = f"a file that would lie outside of it: {shown}. Pack it again."
        elif name in checked:
            wrong = f"two files of the same name: {shown}. Pack it again."
        if wrong:
            raise BadPackage("bad_name", f"The package has {wrong}", shown)
        checked[name] = member
    return checked


def _zipped(file: IO[bytes], most: int, outer: Files | None = None, within: str = "") -> Files:
    """Return the files of a zip. Raises BadPackage for one that is damaged, has a password or links, or has
    names that lead outside.
    """
    with _undamaged("The archive is damaged. Save or download it again."):
        # Opening a zip reads its whole directory into memory, so its size is checked before: the stated one,
        # and the least that the stated number of files takes, since either may be false.
        end = zipfile._EndRecData(file)  # type: ignore[attr-defined]
        size, entries = zipfile._ECD_SIZE, zipfile._ECD_ENTRIES_TOTAL  # type: ignore[attr-defined]
        if end and max(end[size], end[entries] * _MIN_LISTED) > MAX_LIST:
            raise _too_many()
        archive = zipfile.ZipFile(file)
    if len(archive.filelist) > MAX_FILES:
        raise _too_many()
    files = _checked((member.filename, member) for member in archive.filelist if not member.is_dir())
    for name, member in files.items():
        # "External file attributes" (APPNOTE 4.4.15): the upper 16 bits are the file's mode in Unix.
        if stat.S_ISLNK(member.external_attr >> 16):
            raise BadPackage("link", f"{name} is a link to another file. Pack the file itself.", name)
        # "General purpose bit flag" (APPNOTE 4.4.4): bit 0 says that the file is encrypted.
        if member.flag_bits & 1:
            raise BadPackage("encrypted", f"{name} is locked with a password. Pack it without one.", name)
    members = {
        name: Member(member.compress_size, partial(archive.open, member)) for name, member in files.items()
    }
    return Files(members, most, archive.close, outer, within)


class _Headers:
    """A tar's file as ``tarfile`` uses it while it lists the members: ``read``, ``seek`` and ``tell``. Each
    read is bounded, and so are all together, since a header may claim any size.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._left = file, MAX_HEADERS
        self.seek, self.tell = file.seek, file.tell

    def read(self, size: int = -1) -> bytes:
        self._left -= size
        if not 0 <= size <= MAX_HEADER or self._left < 0:
            raise BadPackage("bad_name", "The archive has a file whose name has no end. Pack it again.")
        return self._file.read(size)


def _listed(archive: tarfile.TarFile) -> Iterator[tuple[str, tarfile.TarInfo]]:
    """Yield (name, member) of the files of a tar. Raises BadPackage for too many members, and for one that
    leads back to an earlier one (which would loop for ever).
    """
    # The offset of the last member so far.
    end = -1
    for number, member in enumerate(archive):
        if number >= MAX_FILES:
            raise _too_many()
        if member.size < 0 or member.offset <= end:
            wrong = "a file in it has a negative size, or its list of files leads back to an earlier file"
            raise BadPackage("damaged", f"The archive is damaged: {wrong}. Pack it again.")
        end = member.offset
        if not member.isdir():
            yield member.name, member


def _tarred(file: IO[bytes], most: int) -> Files:
    """Return the files of a gzipped tar. It is unpacked once into a nameless temporary file, so that its
    files can be read in any order.
    """
    with (
        ExitStack() as open_files,
        _undamaged("The archive is damaged, or no tar in gzip. Save or download it again."),
    ):
        plain = open_files.enter_context(tempfile.TemporaryFile())
        total = 0
        with gzip.GzipFile(fileobj=file) as packed:
            while chunk := packed.read(MEGABYTE):
                total += len(chunk)
                _check_total(total, most)
                plain.write(chunk)
        # ``file`` was read to its end, so its position is the packed size.
        _check_ratio("The package", total, file.tell(), "disks")
        plain.seek(0)
        # The list of members is read through ``_Headers``, which bounds it. After that ``fileobj`` becomes
        # the plain file, from which ``extractfile`` reads the members.
        headers: Any = _Headers(plain)
        archive = open_files.enter_context(closing(tarfile.open(fileobj=headers, mode="r:")))  # noqa: SIM115
        files = _checked(_listed(archive))
        archive.fileobj = plain
        for name, member in files.items():
            if not member.isreg():
                raise BadPackage(
                    "link", f"{name} is a link or a device, no file. Pack the file itself.", name
                )
        members = {
            name: Member(member.size, partial(archive.extractfile, member))  # type: ignore[arg-type]
            for name, member in files.items()
        }
        # The archive and the temporary file stay open until the package is closed.
        return Files(members, most, open_files.pop_all().close)
