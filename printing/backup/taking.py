"""Taking a backup while the site runs."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZipFile

from django.apps import apps
from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model
from django.utils import timezone

from cardsdb.models import UploadedPicture
from printing.backup.archive import MIN_SECRET, BackupRefused, BackupWriter, Manifest, TableEntry, rows_name
from printing.backup.files import SECRET, kept_files, kept_folders
from printing.backup.rows import RowTally, columns_of, kept_migrations, line_of, models_of, rows_of
from printing.doctor.machine import project


def take(path: Path) -> tuple[Manifest, list[str]]:
    """Write a backup, which only its owner reads. Also returns the pictures whose files were not there.
    Raises BackupRefused, OSError.
    """
    executor = MigrationExecutor(connection)
    leaves = executor.loader.graph.leaf_nodes()
    if executor.migration_plan(leaves):
        raise BackupRefused("The database is not of this version: run manage.py migrate first.")
    if path.exists():
        raise BackupRefused(f"{path} is there already: name a file that is not.")
    if path.parent.resolve() in {folder.resolve() for _, folder in kept_folders()}:
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
                lost = _write(BackupWriter(archive, manifest))
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(unfinished, path)
        except FileExistsError:
            raise BackupRefused(f"{path} is there already: name a file that is not.") from None
    finally:
        Path(unfinished).unlink(missing_ok=True)
    return manifest, lost


def _write(writer: BackupWriter) -> list[str]:
    writer.add(SECRET, [settings.SECRET_KEY.encode()])
    # Files before the rows that name them, so that few are deleted in between; and again those that came
    # meanwhile.
    _add_files(writer)
    with snapshot():
        for model in models_of(apps):
            tally = RowTally()
            table = model._meta.db_table
            writer.add(rows_name(table), _lines(model, tally))
            writer.manifest.tables[table] = TableEntry(columns_of(model), tally.rows, tally.digest)
        _add_files(writer)
        names = {name.rpartition("/")[2] for name in writer.manifest.files}
        pictures = UploadedPicture.objects.all_owners("whether each has its file").order_by()
        lost = [
            sha256 for sha256 in pictures.values_list("sha256", flat=True).distinct() if sha256 not in names
        ]
    writer.end()
    return sorted(lost)


def _lines(model: type[Model], tally: RowTally) -> Iterator[bytes]:
    for row in rows_of(model, columns_of(model)):
        tally.add(row)
        yield line_of(row)


def _add_files(writer: BackupWriter) -> None:
    for name, opened in kept_files():
        if name not in writer.manifest.files:
            writer.add_file(name, opened)


@contextmanager
def snapshot() -> Iterator[None]:
    """Within it the database is read as it was at one moment, and others go on writing."""
    with _reading(), transaction.atomic():
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            # The first reading decides which moment it is.
            cursor.execute("SELECT 1 FROM django_migrations")
            cursor.fetchall()
        yield


@contextmanager
def _reading() -> Iterator[None]:
    """Within it SQLite's transactions wait for no writer and keep none waiting, as PostgreSQL's do."""
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    usual, connection.transaction_mode = connection.transaction_mode, "DEFERRED"  # type: ignore[attr-defined]
    try:
        yield
    finally:
        connection.transaction_mode = usual  # type: ignore[attr-defined]
