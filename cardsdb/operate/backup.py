"""The whole site in one file, taken while it runs: a zip with the rows of each table as lines of JSON, the
same from every database, the kept files of the data folder, the secret, and last a manifest that says what
there is.
"""

import hashlib
import json
import os
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from django.apps import apps as current
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
from cardsdb.storage.contract import CHUNK, unless

# One higher with each change of what a backup looks like. Of the first, tables had digests too.
FORM, FORMS = 2, (1, 2)
MANIFEST = "manifest.json"
SECRET = "secret_key"  # noqa: S105 (its file's name)
MIN_SECRET = 32
PICTURES = "pictures/"
# Rows may be long: a print job's list has up to 760 kB.
AT_ONCE = 100
# The apps of the queue of tasks, which holds nothing that is not put into it again (cardsdb/tasks/queue.py).
# Which of them there are is up to TASKS_URL.
QUEUE_APPS = {"django_tasks_database", "django_rq"}
# Letters that wait would be sent again.
LEFT_OUT = {"cardsdb_letter"}
NOTE = "last_backup.json"


class BackupRefused(Exception):
    """The reason that nothing was done, and what to do."""


@dataclass(frozen=True)
class Manifest:
    """The contents of a backup. ``tables``: of each its ``columns`` and how many ``rows``; ``files`` are all
    of its files but the manifest, each with its SHA-256.
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
        """Return the numbers of rows, and of files that are no tables."""
        rows = sum(table["rows"] for table in self.tables.values())
        return rows, len(self.files) - len(self.tables)


class LastBackup(NamedTuple):
    """The moment when it was made, its file, and the bytes that it had."""

    made: datetime
    file: str
    bytes: int


def note_backup(file: Path) -> None:
    """Note in the data folder that a backup was made just now."""
    made = {"made": timezone.now().isoformat(), "file": str(file.resolve()), "bytes": file.stat().st_size}
    Path(settings.VAR_DIR, NOTE).write_text(json.dumps(made), encoding="utf-8")


def last_backup() -> LastBackup | None:
    """Return the last backup that was made of this data folder's site on this machine; None for none that is
    noted.
    """
    with suppress(OSError, KeyError, TypeError, ValueError):
        noted = json.loads(Path(settings.VAR_DIR, NOTE).read_text(encoding="utf-8"))
        return LastBackup(datetime.fromisoformat(noted["made"]), noted["file"], noted["bytes"])
    return None


def project() -> dict[str, Any]:
    """Return the Cutout that runs, as its pyproject.toml has it: ``version``, ``requires-python``."""
    text = (settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8")
    found: dict[str, Any] = tomllib.loads(text)["project"]
    return found


# -- what a backup holds ------------------------------------------------------------------


def models_of(apps: Apps) -> list[type[Model]]:
    """Return the tables whose rows are kept."""
    every = [model._meta for model in apps.get_models(include_auto_created=True)]
    kept = (meta for meta in every if meta.app_label not in QUEUE_APPS and meta.db_table not in LEFT_OUT)
    return [meta.model for meta in kept if meta.managed and not meta.proxy]


def kept_migrations(migrations: Iterable[Sequence[str]]) -> list[tuple[str, str]]:
    """Return those that a backup depends on."""
    return [(app, name) for app, name in migrations if app not in QUEUE_APPS]


def columns_of(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


def rows_name(table: str) -> str:
    return f"rows/{table}.jsonl"


def folders() -> dict[str, Path]:
    """Return name in a backup -> folder: the games, formats and own texts that operators put there, and
    people's pictures, unless these lie in an object store.
    """
    kept = {name: Path(settings.VAR_DIR) / name for name in ("games", "formats", "own")}
    return kept if pictures().is_remote else {"pictures": Path(pictures().location), **kept}


def kept() -> Iterator[tuple[str, Path]]:
    """Yield each kept folder and each file in it, by its name in a backup, and those that links lead to. What
    is deleted meanwhile, or is for others' eyes, is passed over, and so is a link that leads back to where it
    stands.
    """
    passed_over = unless(FileNotFoundError, NotADirectoryError, PermissionError)
    for name, top in folders().items():
        for folder, inside, files in os.walk(top, onerror=passed_over, followlinks=True):
            here = Path(folder)
            above = {one.resolve() for one in (here, *here.parents)}
            inside[:] = sorted(one for one in inside if (here / one).resolve() not in above)
            for path in (here, *(here / one for one in sorted(files))):
                if path.is_dir() or path.is_file():
                    yield (Path(name) / path.relative_to(top)).as_posix(), path


def _is_picture(name: str) -> bool:
    """Return whether it is a whole picture or what printing needs of one; small copies are made again."""
    match = NAME.fullmatch(name.rpartition("/")[2])
    return match is not None and match[2] != "small"


# -- taking it ----------------------------------------------------------------------------


def take(path: Path) -> tuple[Manifest, list[str]]:
    """Write a backup, which only its owner reads. Also returns the pictures whose files were not there.
    Raises BackupRefused, OSError.
    """
    executor = MigrationExecutor(connection)
    leaves = executor.loader.graph.leaf_nodes()
    if executor.migration_plan(leaves):
        raise BackupRefused("The database is not of this version: run manage.py migrate first.")
    there = f"{path} is there already: name a file that is not."
    if path.exists():
        raise BackupRefused(there)
    if path.parent.resolve() in {place.resolve() for _, place in kept() if place.is_dir()}:
        raise BackupRefused(
            f"{path} would lie among the files that the backup holds: name a file in another folder."
        )
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
    # It gets its name when it is whole, and takes none from another.
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w+b") as file:
            with ZipFile(file, "w") as archive:
                lost = _write(archive, manifest)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(unfinished, path)
        except FileExistsError:
            raise BackupRefused(there) from None
    finally:
        Path(unfinished).unlink(missing_ok=True)
    return manifest, lost


def _write(archive: ZipFile, manifest: Manifest) -> list[str]:
    _add(archive, manifest, SECRET, [settings.SECRET_KEY.encode()])
    # Files before the rows that name them, so that few are deleted in between; and again those that came
    # meanwhile.
    _add_files(archive, manifest)
    with snapshot():
        for model in models_of(current):
            table, columns = model._meta.db_table, columns_of(model)
            entry = manifest.tables[table] = {"columns": columns, "rows": 0}
            _add(archive, manifest, rows_name(table), _lines(model, entry))
        _add_files(archive, manifest)
        names = {name.rpartition("/")[2] for name in manifest.files}
        rows = UploadedPicture.objects.all_owners("whether each has its file")
        lost = sorted(set(rows.order_by().values_list("sha256", flat=True).distinct()) - names)
    archive.writestr(ZipInfo(MANIFEST), json.dumps(asdict(manifest), indent=1), ZIP_DEFLATED)
    return lost


def _add(archive: ZipFile, manifest: Manifest, name: str, pieces: Iterable[bytes]) -> None:
    info, digest = ZipInfo(name), hashlib.sha256()
    info.compress_type = ZIP_STORED if name.startswith(PICTURES) else ZIP_DEFLATED
    with archive.open(info, "w", force_zip64=True) as member:
        for piece in pieces:
            digest.update(piece)
            member.write(piece)
    manifest.files[name] = digest.hexdigest()


def _lines(model: type[Model], entry: dict[str, Any]) -> Iterator[bytes]:
    """Yield each row as a line: its values in the order of the columns, the rows in any order."""
    for row in model._base_manager.order_by().values_list(*entry["columns"]).iterator(chunk_size=AT_ONCE):
        entry["rows"] += 1
        yield line_of(row)


def line_of(row: Sequence[Any]) -> bytes:
    return json.dumps(row, default=_text).encode() + b"\n"


def _text(value: object) -> str:
    if isinstance(value, date):  # And so are times of a day.
        return value.isoformat()
    if isinstance(value, UUID | Decimal):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be stored in a backup")


def _add_files(archive: ZipFile, manifest: Manifest) -> None:
    """Add the files that the backup does not hold yet; none that was deleted meanwhile."""
    for name, opened in kept_files():
        if name not in manifest.files:
            with suppress(FileNotFoundError), closing(opened()) as file:
                _add(archive, manifest, name, iter(lambda file=file: file.read(CHUNK), b""))


def kept_files() -> Iterator[tuple[str, Any]]:
    """Yield (name in a backup, what opens it) of each file. Opening raises FileNotFoundError for one that was
    deleted meanwhile.
    """
    for name, path in kept():
        if not path.is_dir() and (not name.startswith(PICTURES) or _is_picture(name)):
            yield name, lambda path=path: path.open("rb")
    if pictures().is_remote:
        for file in filter(lambda file: _is_picture(file.name), pictures().files()):
            yield f"{PICTURES}{file.name}", lambda name=file.name: pictures().stream(name)


@contextmanager
def snapshot() -> Iterator[None]:
    """Read the database within the block as it was at one moment, while others go on writing."""
    connection.ensure_connection()
    # SQLite's transactions wait for no writer then and keep none waiting, as PostgreSQL's do.
    usual = getattr(connection, "transaction_mode", None)
    connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                answer_of("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            # The first reading decides which moment it is.
            UploadedPicture.objects.all_owners("the first reading").exists()
            yield
    finally:
        connection.transaction_mode = usual  # type: ignore[attr-defined]
