"""Backups: the whole site in one zip file, taken while the site runs.

The rows are all of one moment (``snapshot``)::

    secret_key                        the site's secret
    games/..., formats/..., own/...   files of the data folder that cannot be made again
    pictures/...                      uploaded pictures
    rows/django_content_type.jsonl    a line for each row: [1, "admin", "logentry"]
    manifest.json                     counts and checksums of all this (``Manifest``)

The command ``backup`` calls ``take``; ``restore.py`` reads the file, and uses the functions here that say
what a backup holds. If you change the format, raise ``FORM``, add it to ``FORMS``, and keep reading older
backups. The functions on ``last_backup.json`` serve the doctor's checks, and ``project`` the version.
Tests: ``test_backup.py`` and ``test_restore.py`` in ``tests/cardsdb/operate``.
"""

import hashlib
import json
import os
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from django.apps import apps as apps_of_today
from django.apps.registry import Apps
from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model
from django.utils import timezone

from cardsdb.box.picture_store import NAME
from cardsdb.box.picture_store import store as pictures
from cardsdb.models import UploadedPicture
from cardsdb.models.turns import answer_of
from cardsdb.storage.contract import CHUNK, ignore_only

# The version of the format.
FORM = 2
# The versions that can be restored. In the first, ``tables`` of the manifest had digests too.
FORMS = (1, FORM)
MANIFEST = "manifest.json"
SECRET = "secret_key"  # noqa: S105 (its file's name)
# Characters of the secret; restoring refuses a shorter one as damaged.
MIN_SECRET = 32
# Beginning of the names of pictures, in a backup.
PICTURES = "pictures/"
# Rows that are in memory at a time, here and in ``restore.py``. They may be long: the list of a print job has
# up to 760 kB.
AT_ONCE = 100
# Apps of the task queue. They are not kept, because their tasks are queued again (cardsdb/tasks/queue.py),
# and which of them are installed depends on TASKS_URL.
QUEUE_APPS = {"django_tasks_database", "django_rq"}
# Tables that are not kept: mails that wait would be sent a second time. ``restore.py`` fills all others.
LEFT_OUT = {"cardsdb_letter"}
# The file in the data folder that says when the last backup was made.
NOTE = "last_backup.json"
EXISTS = "{} is there already: name a file that is not."


class BackupRefused(Exception):
    """Nothing was done; the message says why and what to do."""


@dataclass(frozen=True)
class Manifest:
    """The description of a backup, stored in it as JSON::

        {"version": "0.1.0", "made": "2026-11-30T17:55:08.865519+00:00", "database": "sqlite",
         "migrations": [["admin", "0003_logentry_add_action_flag_choices"], ...],
         "tables": {"auth_permission": {"columns": ["id", "name", ...], "rows": 164}, ...},
         "files": {"secret_key": "4da5d489...", "rows/auth_permission.jsonl": "...", ...}, "form": 2}

    ``version``: that of Cutout. ``migrations``: the last ones of each app, which made the tables. ``files``:
    the SHA-256 of all files but the manifest itself.
    """

    version: str
    made: str
    database: str
    migrations: list[list[str]]
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    form: int = FORM

    @property
    def size(self) -> tuple[int, int]:
        """The number of rows, and of files besides those of tables."""
        rows = sum(table["rows"] for table in self.tables.values())
        return rows, len(self.files) - len(self.tables)


# -- the record of the last backup ---------------------------------------------------------


class LastBackup(NamedTuple):
    """When the last backup was made, its path, and its size in bytes."""

    made: datetime
    file: str
    bytes: int


def note_backup(file: Path) -> None:
    """Record in the data folder that a backup was made just now."""
    made = {"made": timezone.now().isoformat(), "file": str(file.resolve()), "bytes": file.stat().st_size}
    Path(settings.VAR_DIR, NOTE).write_text(json.dumps(made), encoding="utf-8")


def last_backup() -> LastBackup | None:
    """Return the last backup recorded in this data folder; None without one, or for a damaged record."""
    with suppress(OSError, KeyError, TypeError, ValueError):
        note = json.loads(Path(settings.VAR_DIR, NOTE).read_text(encoding="utf-8"))
        return LastBackup(datetime.fromisoformat(note["made"]), note["file"], note["bytes"])
    return None


def project() -> dict[str, Any]:
    """Return the table ``project`` of pyproject.toml: ``version``, ``requires-python`` and more."""
    text = (settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8")
    found: dict[str, Any] = tomllib.loads(text)["project"]
    return found


# -- what a backup holds ------------------------------------------------------------------


def models_of(apps: Apps) -> list[type[Model]]:
    """Return the models whose rows are kept in a backup."""
    found = []
    for model in apps.get_models(include_auto_created=True):
        meta = model._meta
        is_left_out = meta.app_label in QUEUE_APPS or meta.db_table in LEFT_OUT
        # A proxy has no table; an unmanaged one is not made by our migrations.
        if meta.managed and not meta.proxy and not is_left_out:
            found.append(model)
    return found


def kept_migrations(migrations: Iterable[Sequence[str]]) -> list[tuple[str, str]]:
    """Return the migrations, pairs of app and name, that a backup depends on."""
    return [(app, name) for app, name in migrations if app not in QUEUE_APPS]


def columns_of(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


def rows_name(table: str) -> str:
    return f"rows/{table}.jsonl"


def folders() -> dict[str, Path]:
    """Return name in a backup -> folder, of those that are kept: games, formats and own texts that operators
    put into the data folder, and uploaded pictures unless these are in an object store.
    """
    of_operators = {name: Path(settings.VAR_DIR) / name for name in ("games", "formats", "own")}
    return of_operators if pictures().is_remote else {"pictures": Path(pictures().location), **of_operators}


def kept() -> Iterator[tuple[str, Path]]:
    """Yield (name in a backup, path) of each kept folder and each file in it: ("games", .../games),
    ("games/mine/game.toml", .../games/mine/game.toml).
    """
    for name, top in folders().items():
        for path in _paths_below(top):
            yield (Path(name) / path.relative_to(top)).as_posix(), path


def _paths_below(top: Path) -> Iterator[Path]:
    """Yield a folder, and all folders and files below it. Symbolic links are followed, except those that lead
    back to a folder above. Paths that are deleted meanwhile, or cannot be read, are skipped.
    """
    onerror = ignore_only(FileNotFoundError, NotADirectoryError, PermissionError)
    for root, subfolders, files in os.walk(top, onerror=onerror, followlinks=True):
        folder = Path(root)
        above = {parent.resolve() for parent in (folder, *folder.parents)}
        # Changing the list in place tells os.walk which folders to enter.
        subfolders[:] = sorted(name for name in subfolders if (folder / name).resolve() not in above)
        paths = [folder, *(folder / name for name in sorted(files))]
        yield from (path for path in paths if path.is_dir() or path.is_file())


def _is_picture(name: str) -> bool:
    """True for an uploaded picture or a version for printing; small copies are made again."""
    match = NAME.fullmatch(name.rpartition("/")[2])
    return match is not None and match["part"] != "small"


# -- taking it ----------------------------------------------------------------------------


def take(path: Path) -> tuple[Manifest, list[str]]:
    """Write a backup to a new file, which only its owner can read. Return its manifest, and the SHA-256 of
    uploaded pictures whose files were missing. Raises BackupRefused or OSError.
    """
    executor = MigrationExecutor(connection)
    leaves = executor.loader.graph.leaf_nodes()
    if executor.migration_plan(leaves):
        raise BackupRefused("The database is not of this version: run manage.py migrate first.")
    _refuse_path(path)
    if len(settings.SECRET_KEY) < MIN_SECRET:
        raise BackupRefused(
            f"The site's secret has less than {MIN_SECRET} characters: delete secret_key in the data folder"
            " and start the site again."
        )
    manifest = Manifest(
        project()["version"],
        timezone.now().isoformat(),
        connection.vendor,
        sorted(map(list, kept_migrations(leaves))),
    )
    with _new_file(path) as file, ZipFile(file, "w") as archive:
        lost_pictures = _write(archive, manifest)
    return manifest, lost_pictures


def _refuse_path(path: Path) -> None:
    """Raise BackupRefused if this file is there, or would lie among the files that the backup holds."""
    if path.exists():
        raise BackupRefused(EXISTS.format(path))
    if path.parent.resolve() in {inner.resolve() for _, inner in kept() if inner.is_dir()}:
        raise BackupRefused(
            f"{path} would lie among the files that the backup holds: name a file in another folder."
        )


@contextmanager
def _new_file(path: Path) -> Iterator[IO[bytes]]:
    """Yield a temporary file, readable by its owner only, which gets its name at the end of the block. Raises
    BackupRefused if another file has that name by then.
    """
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        try:
            # Unlike renaming it, linking it never replaces another file.
            os.link(unfinished, path)
        except FileExistsError:
            raise BackupRefused(EXISTS.format(path)) from None
    finally:
        Path(unfinished).unlink(missing_ok=True)


def _write(archive: ZipFile, manifest: Manifest) -> list[str]:
    """Write all parts of a backup, completing the manifest, which comes last. Return the SHA-256 of pictures
    without a file.
    """
    _add(archive, manifest, SECRET, [settings.SECRET_KEY.encode()])
    # Files are copied before the rows that name them, so that few of them are deleted in between. Those that
    # came meanwhile are added after the rows.
    _add_files(archive, manifest)
    with snapshot():
        for model in models_of(apps_of_today):
            table, columns = model._meta.db_table, columns_of(model)
            rows = _add(archive, manifest, rows_name(table), _lines(model, columns))
            manifest.tables[table] = {"columns": columns, "rows": rows}
        _add_files(archive, manifest)
        lost_pictures = _pictures_without_file(manifest)
    archive.writestr(ZipInfo(MANIFEST), json.dumps(asdict(manifest), indent=1), ZIP_DEFLATED)
    return lost_pictures


def _pictures_without_file(manifest: Manifest) -> list[str]:
    """Return the SHA-256 of uploaded pictures whose files are not in the backup."""
    # The file of an uploaded picture is called by its SHA-256.
    names = {name.rpartition("/")[2] for name in manifest.files}
    pictures_of_all = UploadedPicture.objects.all_owners("whether each has its file")
    hashes = pictures_of_all.order_by().values_list("sha256", flat=True).distinct()
    return sorted(set(hashes) - names)


def _add(archive: ZipFile, manifest: Manifest, name: str, pieces: Iterable[bytes]) -> int:
    """Add a file with this content to the archive, and its checksum to the manifest. Return the number of its
    pieces.
    """
    info, digest, pieces_so_far = ZipInfo(name), hashlib.sha256(), 0
    # Pictures are compressed already. The length is not known beforehand, so the entry must allow for 4 GB.
    info.compress_type = ZIP_STORED if name.startswith(PICTURES) else ZIP_DEFLATED
    with archive.open(info, "w", force_zip64=True) as member:
        for piece in pieces:
            digest.update(piece)
            member.write(piece)
            pieces_so_far += 1
    manifest.files[name] = digest.hexdigest()
    return pieces_so_far


def _lines(model: type[Model], columns: Sequence[str]) -> Iterator[bytes]:
    """Yield each row of a table as a line, with its values in the order of the columns; rows are in any
    order.
    """
    for row in model._base_manager.order_by().values_list(*columns).iterator(chunk_size=AT_ONCE):
        yield line_of(row)


def line_of(row: Sequence[Any]) -> bytes:
    return json.dumps(row, default=_text).encode() + b"\n"


def _text(value: object) -> str:
    """Return a value that JSON lacks as text, from which its field can read it."""
    # A datetime is a date too.
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, UUID | Decimal):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be stored in a backup")


def _add_files(archive: ZipFile, manifest: Manifest) -> None:
    """Add the kept files that are not in the archive yet, skipping any that is deleted meanwhile."""
    for name, open_it in kept_files():
        if name not in manifest.files:
            with suppress(FileNotFoundError), closing(open_it()) as file:
                # Pieces of CHUNK bytes, until ``read`` returns b"".
                pieces = iter(partial(file.read, CHUNK), b"")
                _add(archive, manifest, name, pieces)


def kept_files() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield (name in a backup, function that opens it) of each kept file. Opening raises FileNotFoundError
    for a file that was deleted meanwhile.
    """
    for name, path in kept():
        if not path.is_dir() and (_is_picture(name) or not name.startswith(PICTURES)):
            yield name, partial(path.open, "rb")
    if pictures().is_remote:
        for file in pictures().files():
            if _is_picture(file.name):
                yield f"{PICTURES}{file.name}", partial(pictures().stream, file.name)


@contextmanager
def snapshot() -> Iterator[None]:
    """Inside the ``with`` block, read the database as it was at one moment, while others go on writing."""
    connection.ensure_connection()
    # Django begins a transaction on SQLite with BEGIN and this mode. The site's mode (settings.py) is
    # IMMEDIATE, which takes the lock of writers; with DEFERRED the transaction neither waits for writers nor
    # blocks them. PostgreSQL's never does, and the attribute means nothing there.
    usual_mode = getattr(connection, "transaction_mode", None)
    connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                # The first statement of the transaction; it has no answer.
                answer_of("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            # The first query determines the moment.
            UploadedPicture.objects.all_owners("the first reading").exists()
            yield
    finally:
        connection.transaction_mode = usual_mode  # type: ignore[attr-defined]
