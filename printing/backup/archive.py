"""A backup as a file: a zip with a file for each table, the kept files, the secret, and last the manifest
that says what there is.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from printing.backup.files import CHUNK, PICTURES, SECRET, Readable, is_kept

# One higher with each change of what a backup looks like.
FORM = 1
MANIFEST = "manifest.json"
MIN_SECRET = 32
DAMAGED = "{} is damaged: {}. Nothing was changed; take another backup."


# What a zip raises whose bytes are not what they were, and what reading a manifest does.
BROKEN = (
    BadZipFile,
    EOFError,
    KeyError,
    TypeError,
    AttributeError,
    ValueError,
    NotImplementedError,
    RuntimeError,
    struct.error,
    zlib.error,
)


class BackupRefused(Exception):
    """Why nothing was done, and what to do."""


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A table of a backup; ``digest`` is of its rows in any order."""

    columns: list[str]
    rows: int
    digest: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds. ``files`` are all of its files but the manifest, each with its SHA-256."""

    version: str
    made: str
    database: str
    migrations: list[list[str]]
    tables: dict[str, TableEntry] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    form: int = FORM


def rows_name(table: str) -> str:
    return f"rows/{table}.jsonl"


class BackupWriter:
    """Writes a backup into an open zip, piece by piece, and notes each in the manifest."""

    def __init__(self, archive: ZipFile, manifest: Manifest) -> None:
        self.archive, self.manifest = archive, manifest

    def add(self, name: str, pieces: Iterable[bytes], *, packed: bool = True) -> None:
        info = ZipInfo(name)
        info.compress_type = ZIP_DEFLATED if packed else ZIP_STORED
        digest = hashlib.sha256()
        with self.archive.open(info, "w", force_zip64=True) as member:
            for piece in pieces:
                digest.update(piece)
                member.write(piece)
        self.manifest.files[name] = digest.hexdigest()

    def add_file(self, name: str, opened: Callable[[], Readable]) -> None:
        """Nothing where the file was deleted meanwhile."""
        try:
            file = opened()
        except FileNotFoundError:
            return
        with closing(file):
            self.add(name, iter(lambda: file.read(CHUNK), b""), packed=not name.startswith(PICTURES))

    def end(self) -> None:
        self.archive.writestr(ZipInfo(MANIFEST), json.dumps(asdict(self.manifest), indent=1), ZIP_DEFLATED)


def open_backup(path: Path) -> tuple[ZipFile, Manifest]:
    """A backup and its manifest, once every byte of it was looked at. Raises BackupRefused."""
    try:
        archive = ZipFile(path)
    except FileNotFoundError:
        raise BackupRefused(f"{path} is not there.") from None
    except BROKEN as error:
        raise BackupRefused(DAMAGED.format(path, error)) from error
    try:
        manifest = _read(archive)
        _check(archive, manifest)
    except BaseException as error:
        archive.close()
        if isinstance(error, BROKEN):
            raise BackupRefused(DAMAGED.format(path, error)) from error
        raise
    return archive, manifest


def _read(archive: ZipFile) -> Manifest:
    values: dict[str, Any] = json.loads(archive.read(MANIFEST))
    if values["form"] != FORM:
        raise BackupRefused(
            f"The backup is of form {values['form']}, and this version reads {FORM}: use the version that"
            " made it."
        )
    tables = {name: TableEntry(**entry) for name, entry in values.pop("tables").items()}
    manifest = Manifest(tables=tables, **values)
    if not _all_words(manifest.migrations, 2):
        raise ValueError("its migrations are not pairs of app and name")
    if not _all_words([entry.columns for entry in tables.values()]):
        raise ValueError("the columns of its tables are not names")
    return manifest


def _all_words(lists: Any, length: int | None = None) -> bool:
    """Whether these are lists of words, each so long."""
    return isinstance(lists, list) and all(
        isinstance(words, list)
        and all(isinstance(word, str) for word in words)
        and length in (None, len(words))
        for words in lists
    )


def _check(archive: ZipFile, manifest: Manifest) -> None:
    if sorted(archive.namelist()) != sorted([*manifest.files, MANIFEST]):
        raise ValueError("it does not hold the files that its manifest names")
    known = {SECRET, *map(rows_name, manifest.tables)}
    if foreign := [name for name in manifest.files if name not in known and not is_kept(name)]:
        raise ValueError(f"{foreign[0]!r} is no file of a backup")
    if lacking := known - set(manifest.files):
        raise ValueError(f"{min(lacking)} is lacking")
    for name, wanted in manifest.files.items():
        with archive.open(name) as member:
            found = _sha256(member)
        if found != wanted:
            raise ValueError(f"{name} is not what was written")
    if not _is_secret(archive.read(SECRET)):
        raise ValueError(f"{SECRET} is no text of {MIN_SECRET} characters or more")


def _is_secret(content: bytes) -> bool:
    try:
        return len(content.decode()) >= MIN_SECRET
    except UnicodeDecodeError:
        return False


def _sha256(file: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while piece := file.read(CHUNK):
        digest.update(piece)
    return digest.hexdigest()
