"""Restoring a backup into an empty database and an empty data folder: all of it, or nothing."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from django.apps import apps as current
from django.apps.registry import Apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.storage import storages
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from cardsdb.storage.contract import StoreAway
from printing.backup.archive import BackupRefused, Manifest, open_backup, rows_name
from printing.backup.files import SECRET, in_the_way, is_kept, put_back, take_away, write_new
from printing.backup.rows import (
    LEFT_OUT,
    RowTally,
    add_lines,
    columns_of,
    kept_migrations,
    models_of,
    rows_of,
)

# What Django writes into a database that it makes ready.
MADE_READY = {"django_migrations", "django_content_type", "auth_permission"}
# What is made again from what was restored.
MADE_AGAIN = ("bulk", "cards", "prepared")


class NotFinished(Exception):
    """Everything was restored; what is to be done by hand."""


def restore(path: Path) -> Manifest:
    """Bring back a backup. Raises BackupRefused when something is in the way or wrong; then nothing was
    changed but empty tables made. Raises NotFinished when all was restored and something remains to be
    done.
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
        is_current = set(targets) == set(kept_migrations(leaves))
        executor.migrate(leaves if is_current else targets)
        apps = current if is_current else MigrationExecutor(connection).loader.project_state(targets).apps
        _put_back(archive, manifest, apps)
    _finish(is_current)
    return manifest


def _finish(is_current: bool) -> None:
    """What comes after everything was restored. Raises NotFinished."""
    try:
        for name in MADE_AGAIN:
            place = Path(settings.VAR_DIR) / name
            shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
        for file in storages["bulk"].files():  # type: ignore[attr-defined]
            storages["bulk"].delete(file.name)
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
    unknown = [f"{app} {name}" for app, name in targets if (app, name) not in executor.loader.graph.nodes]
    if unknown:
        raise BackupRefused(
            f"Cutout {manifest.version} made the backup, which is newer ({unknown[0]}): restore it with that"
            " version."
        )
    if any(backwards for _, backwards in executor.migration_plan(targets)):
        raise BackupRefused(
            "The backup is older than the tables of this database: give a database without tables."
        )


def _refuse_what_is_not_empty() -> None:
    if folders := in_the_way():
        raise BackupRefused(
            f"{folders[0]} holds files already: restore into an empty data folder (CUTOUT_VAR,"
            " CUTOUT_PICTURES, STORAGE_URL)."
        )
    with connection.cursor() as cursor:
        for table in sorted({*connection.introspection.table_names(cursor)} - MADE_READY):
            cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")  # noqa: S608  # nosemgrep: raw-query (a name, quoted)
            if cursor.fetchone():
                raise BackupRefused(
                    f"The database has rows already (in {table}): restore into an empty one (DATABASE_URL,"
                    " CUTOUT_VAR)."
                )


def _put_back(archive: ZipFile, manifest: Manifest, apps: Apps) -> None:
    written: list[str] = []
    try:
        with transaction.atomic():
            _refuse_what_is_not_empty()
            _add_rows(archive, manifest, apps)
            for name in manifest.files:
                if is_kept(name):
                    written.append(name)
                    with archive.open(name) as content:
                        put_back(name, content)
            if "SECRET_KEY" not in os.environ:
                _put_secret(archive)
    except BaseException:
        for name in written:
            take_away(name)
        raise


def _add_rows(archive: ZipFile, manifest: Manifest, apps: Apps) -> None:
    models = {model._meta.db_table: model for model in models_of(apps)}
    made = {table: sorted(columns_of(model)) for table, model in models.items()}
    if made != {
        table: sorted(entry.columns) for table, entry in manifest.tables.items() if table not in LEFT_OUT
    }:
        raise BackupRefused(
            "The backup has other tables or columns than its migrations make. Nothing was changed; take"
            " another backup."
        )
    for table in MADE_READY & set(models):
        models[table]._base_manager.all()._raw_delete(connection.alias)
    for table, model in models.items():
        try:
            with archive.open(rows_name(table)) as lines:
                add_lines(model, manifest.tables[table].columns, lines)
        except (ValueError, ValidationError) as error:
            raise BackupRefused(f"A row of {table} cannot be read: {error}. Nothing was changed.") from None
    connection.check_constraints()
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(models.values())):
            cursor.execute(statement)
    for table, model in models.items():
        _compare(model, manifest.tables[table], same=manifest.database == connection.vendor)


def _compare(model: Any, entry: Any, *, same: bool) -> None:
    """Read back what was written: each row of the same database, and how many there are in another."""
    tally = RowTally()
    for row in rows_of(model, entry.columns):
        tally.add(row)
    if tally.rows != entry.rows or (same and tally.digest != entry.digest):
        raise BackupRefused(
            f"{model._meta.db_table}: the {tally.rows} rows read back are not the {entry.rows} written."
            " Nothing was changed."
        )


def _put_secret(archive: ZipFile) -> None:
    """In place of the one that was made when this command started."""
    path = Path(settings.VAR_DIR) / SECRET
    fresh = path.with_name(f"{SECRET}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    with archive.open(SECRET) as content:
        write_new(fresh, content)
    fresh.replace(path)
