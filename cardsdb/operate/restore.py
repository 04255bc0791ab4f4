"""Restoring a backup of ``backup.py`` into an empty database (SQLite or PostgreSQL) and an empty data folder.

``manage.py restore`` calls ``restore``. Everything is restored, or nothing. Keep this order:

1. ``open_backup`` checks every byte of the file.
2. ``_refuse_another_version`` and ``_refuse_what_is_not_empty``: nothing must be in the way.
3. Tables are made, as the backup's migrations made them.
4. ``_put_back`` writes rows and files in one transaction. If it fails, it deletes the files again.
5. ``_finish`` migrates the tables of an older backup.

The format, and what belongs into a backup, is defined in ``backup.py``. Tests:
``tests/cardsdb/operate/test_restore.py``; into an object store ``tests/cardsdb/box/test_two_machines.py``.
"""

import hashlib
import json
import os
import shutil
import struct
import zlib
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import IO, Any
from zipfile import BadZipFile, ZipFile

from django.apps import apps as apps_of_today
from django.apps.registry import Apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import JSONField, Model, Value

from cardsdb.box.picture_store import store as pictures
from cardsdb.models.turns import answer_of
from cardsdb.operate.backup import (
    AT_ONCE,
    FORMS,
    LEFT_OUT,
    MANIFEST,
    MIN_SECRET,
    PICTURES,
    SECRET,
    BackupRefused,
    Manifest,
    columns_of,
    folders,
    kept,
    kept_migrations,
    models_of,
    rows_name,
)
from cardsdb.storage.contract import CHUNK, FolderStore, Store, StoreAway, store_of

DAMAGED = "{} is damaged: {}. Nothing was changed; take another backup."
# Exceptions of reading a damaged zip file, or a manifest with wrong keys or types.
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
# Rows are written to the database as soon as AT_ONCE of them are read, or lines of so many bytes together.
MAX_BATCH_BYTES = 4_000_000
# Tables into which migrations write rows. A database with rows only in these counts as empty.
MADE_READY = {"django_migrations", "django_content_type", "auth_permission"}
# Files and folders in the data folder that are deleted, because ``prepare`` makes them again.
MADE_AGAIN = ("bulk", "cards", "prepared")


class NotFinished(Exception):
    """Everything was restored; the message says what remains to be done by hand."""


def restore(path: Path) -> Manifest:
    """Restore a backup, and return its manifest.

    Raises BackupRefused if something is wrong or in the way, and OSError, DatabaseError or StoreAway if
    writing fails. In these cases nothing was changed, except that empty tables may have been made. Raises
    NotFinished if all was restored but something remains to be done by hand.
    """
    archive, manifest = open_backup(path)
    with closing(archive):
        executor = MigrationExecutor(connection)
        targets, leaves = kept_migrations(manifest.migrations), executor.loader.graph.leaf_nodes()
        _refuse_another_version(executor, targets, manifest)
        secret = archive.read(SECRET).decode()
        if os.environ.get("SECRET_KEY", secret) != secret:
            raise BackupRefused(
                "SECRET_KEY is not that of the backup: unset it, or give it the value of the file secret_key"
                " in the backup."
            )
        _refuse_what_is_not_empty()
        # Tables are made as they were in the backup. Those of an older backup are migrated at the end.
        is_current = set(targets) == set(kept_migrations(leaves))
        executor.migrate(leaves if is_current else targets)
        apps = apps_of_today
        if not is_current:
            apps = MigrationExecutor(connection).loader.project_state(targets).apps
        _put_back(archive, manifest, apps)
    _finish(is_current)
    return manifest


def _finish(is_current: bool) -> None:
    """Delete files that are made again, and migrate the tables of an older backup. Raises NotFinished if one
    of these fails.
    """
    try:
        for name in MADE_AGAIN:
            place = Path(settings.VAR_DIR) / name
            shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
        bulk = store_of("bulk")
        for file in bulk.files():
            bulk.delete(file.name)
    except StoreAway:
        raise NotFinished(
            "All was restored, but the bucket may hold files of /bulk/ of before: delete them, then run"
            " prepare."
        ) from None
    except OSError as error:
        raise NotFinished(
            f"All was restored, but {error.filename} of before is in the way: delete it, then run manage.py"
            " prepare."
        ) from None
    try:
        if not is_current:
            call_command("migrate", verbosity=0)
    except DatabaseError as error:
        raise NotFinished(
            f"All was restored as it was, but not brought up to this version: {error}. Run manage.py migrate."
        ) from None


def _refuse_another_version(
    executor: MigrationExecutor, targets: list[tuple[str, str]], manifest: Manifest
) -> None:
    """Raise BackupRefused if this version does not have the backup's migrations (``targets``), or if the
    database has newer tables.
    """
    unknown = [f"{app} {name}" for app, name in targets if (app, name) not in executor.loader.graph.nodes]
    if unknown:
        raise BackupRefused(
            f"Cutout {manifest.version} made the backup, with tables that this version does not know"
            f" ({unknown[0]}): restore it with that version."
        )
    if any(backwards for _, backwards in executor.migration_plan(targets)):
        raise BackupRefused(
            "The backup is older than the tables of this database: give a database without tables."
        )


def _refuse_what_is_not_empty() -> None:
    """Raise BackupRefused if the data folder or the bucket has files, or a table has rows."""
    if not_empty := in_the_way():
        raise BackupRefused(
            f"{not_empty[0]} holds files already: restore into an empty data folder (CUTOUT_VAR,"
            " CUTOUT_PICTURES, STORAGE_URL)."
        )
    for table in sorted({*connection.introspection.table_names()} - MADE_READY):
        quoted = connection.ops.quote_name(table)
        row = answer_of(f"SELECT 1 FROM {quoted} LIMIT 1")  # noqa: S608  # nosemgrep: raw-query (quoted)
        if row:
            raise BackupRefused(
                f"The database has rows already (in {table}): restore into an empty one (DATABASE_URL,"
                " CUTOUT_VAR)."
            )


def _put_back(archive: ZipFile, manifest: Manifest, apps: Apps) -> None:
    """Write the rows, the files and the secret of a backup, or none of them."""
    written: list[str] = []
    try:
        with transaction.atomic():
            # Checked again, because another process may have written while the tables were made.
            _refuse_what_is_not_empty()
            _add_rows(archive, manifest, apps)
            for name in manifest.files:
                if is_kept(name):
                    # Added before writing, so that a partly written file is deleted too.
                    written.append(name)
                    with archive.open(name) as content:
                        put_back(name, content)
            if "SECRET_KEY" not in os.environ:
                # This replaces the secret that was generated when the command started.
                with archive.open(SECRET) as content, FolderStore("").writing(SECRET) as file:
                    shutil.copyfileobj(content, file)
    except BaseException:
        for store, inner in map(_place_of, written):
            store.delete(inner)
        raise


# -- writing rows -------------------------------------------------------------------------


def _add_rows(archive: ZipFile, manifest: Manifest, apps: Apps) -> None:
    """Fill the empty tables with the rows of the backup. ``apps``: the models as of the backup's migrations.
    Raises BackupRefused if tables, columns, values or numbers of rows differ from the manifest.
    """
    models = {model._meta.db_table: model for model in models_of(apps)}
    columns = {table: sorted(columns_of(model)) for table, model in models.items()}
    kept_tables = {table: entry for table, entry in manifest.tables.items() if table not in LEFT_OUT}
    if columns != {table: sorted(entry["columns"]) for table, entry in kept_tables.items()}:
        raise BackupRefused(
            "The backup has other tables or columns than its migrations make. Nothing was changed; take"
            " another backup."
        )
    # The backup has the rows of these tables too, with the primary keys that other rows refer to.
    for table in MADE_READY & set(models):
        models[table]._base_manager.all()._raw_delete(connection.alias)
    for table, model in models.items():
        try:
            with archive.open(rows_name(table)) as lines:
                add_lines(model, manifest.tables[table]["columns"], lines)
        except (ValueError, ValidationError) as error:
            raise BackupRefused(f"A row of {table} cannot be read: {error}. Nothing was changed.") from None
    # Foreign keys are checked only now, because tables are filled in any order. Sequences are set so that
    # later rows get new primary keys.
    connection.check_constraints()
    for statement in connection.ops.sequence_reset_sql(no_style(), list(models.values())):
        answer_of(statement)
    for table, model in models.items():
        found, wanted = model._base_manager.count(), manifest.tables[table]["rows"]
        if found != wanted:
            raise BackupRefused(
                f"{table}: the {found} rows read back are not the {wanted} written. Nothing was changed."
            )


def add_lines(model: type[Model], columns: Sequence[str], lines: Iterable[bytes]) -> None:
    """Add rows to a table exactly as they were, without setting times anew or sending signals. Each line is a
    JSON list of a row's values in the order of ``columns``. Raises ValueError or ValidationError.
    """
    named = {field.attname: field for field in model._meta.concrete_fields}
    batch: list[Model] = []
    size = 0
    for line in lines:
        values = json.loads(line)
        if len(values) != len(columns):
            raise ValueError(f"a row of {model._meta.db_table} has {len(values)} values, not {len(columns)}")
        batch.append(
            model(**{name: _value(named[name], value) for name, value in zip(columns, values, strict=True)})
        )
        size += len(line)
        if len(batch) == AT_ONCE or size > MAX_BATCH_BYTES:
            model._base_manager.bulk_create(batch)
            batch, size = [], 0
    model._base_manager.bulk_create(batch)


def _value(field: Any, value: object) -> object:
    """Return the value of a column from its JSON, as its field needs it: "2026-11-30" as a date. Raises
    ValidationError.
    """
    # In a JSONField that cannot be NULL, None means JSON's null. Django would write a plain None as NULL.
    if value is None and isinstance(field, JSONField) and not field.null:
        return Value(None, JSONField())
    return field.to_python(value)


# -- reading the file ---------------------------------------------------------------------


def open_backup(path: Path) -> tuple[ZipFile, Manifest]:
    """Open a backup and check every byte of it. Return the archive, which the caller must close, and the
    manifest. Raises BackupRefused.
    """
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
    """Return the manifest of a backup. Raises BackupRefused if its format is unknown, and one of BROKEN if
    its values have wrong types.
    """
    values: dict[str, Any] = json.loads(archive.read(MANIFEST))
    if values["form"] not in FORMS:
        raise BackupRefused(
            f"The backup is of form {values['form']}, and this version reads {max(FORMS)}: use the version"
            " that made it."
        )
    manifest = Manifest(**values)
    # JSON may hold anything here, whatever the annotations of ``Manifest`` say.
    if not _all_words(manifest.migrations, 2):
        raise ValueError("its migrations are not pairs of app and name")
    if not _all_words([entry["columns"] for entry in manifest.tables.values()]):
        raise ValueError("the columns of its tables are not names")
    if not all(type(entry["rows"]) is int for entry in manifest.tables.values()):
        raise ValueError("the rows of its tables are not counted")
    return manifest


def _all_words(lists: Any, length: int | None = None) -> bool:
    """True for a list of lists of strings, each of ``length`` strings if that is given."""
    if not isinstance(lists, list):
        return False
    for words in lists:
        if not isinstance(words, list) or length not in (None, len(words)):
            return False
        if not all(isinstance(word, str) for word in words):
            return False
    return True


def _check(archive: ZipFile, manifest: Manifest) -> None:
    """Raise ValueError unless the files of a backup are exactly those of its manifest, with the right
    checksums and allowed names, and its secret is valid.
    """
    if sorted(archive.namelist()) != sorted([*manifest.files, MANIFEST]):
        raise ValueError("it does not hold the files that its manifest names")
    known = {SECRET, *map(rows_name, manifest.tables)}
    if foreign := [name for name in manifest.files if name not in known and not is_kept(name)]:
        raise ValueError(f"{foreign[0]!r} is no file of a backup")
    if lacking := known - set(manifest.files):
        raise ValueError(f"{min(lacking)} is missing")
    for name, wanted in manifest.files.items():
        with archive.open(name) as member:
            digest = hashlib.file_digest(member, "sha256")  # type: ignore[arg-type]
        if digest.hexdigest() != wanted:
            raise ValueError(f"{name} is not what was written")
    secret = archive.read(SECRET)
    # Bytes that are not UTF-8 are missing in the text, which then differs.
    text = secret.decode(errors="ignore")
    if len(text) < MIN_SECRET or text.encode() != secret:
        raise ValueError(f"{SECRET} is not a text of {MIN_SECRET} characters or more")


def is_kept(name: str) -> bool:
    """True for the name of a file in a kept folder, or of a picture, such as ``games/mine/game.toml``. False
    for ``secret_key``, and for a name that leads out of its folder (``pictures/../../out``) or is written in
    another way than paths are (``games//mine``).
    """
    first, *rest = PurePosixPath(name).parts or ("",)
    is_known = first in folders() or name.startswith(PICTURES)
    is_plain = ".." not in rest and "\0" not in name and PurePosixPath(name).as_posix() == name
    return is_known and bool(rest) and is_plain


# -- writing files ------------------------------------------------------------------------


def _place_of(name: str) -> tuple[Store, str]:
    """Return the store that a kept file belongs to, and its name there."""
    first, _, rest = name.partition("/")
    return (pictures() if first == "pictures" else FolderStore(first)), rest


def put_back(name: str, content: IO[bytes]) -> None:
    """Write a kept file into its store. Raises OSError or StoreAway."""
    store, inner = _place_of(name)
    with store.writing(inner) as file:
        shutil.copyfileobj(content, file, CHUNK)


def in_the_way() -> list[str]:
    """Return the paths of kept folders that are not empty, and a name for the bucket if that is not empty, as
    subjects of a sentence: "/srv/var/games", "The bucket of STORAGE_URL". The lock file of the picture store
    does not count.
    """
    not_empty = set()
    for name, path in kept():
        is_lock = name.startswith(PICTURES) and path.name == "lock"
        if path.is_file() and not is_lock:
            not_empty.add(name.partition("/")[0])
    found = [str(folder) for name, folder in folders().items() if name in not_empty or folder.is_file()]
    has_objects = pictures().is_remote and any(pictures().files())
    return [*found, "The bucket of STORAGE_URL"] if has_objects else found
