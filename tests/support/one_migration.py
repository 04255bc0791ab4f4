"""Of several workers on SQLite one makes the test database by the migrations; the others copy it, which takes no time."""

from __future__ import annotations

import fcntl
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core import management
from django.db import connection


@pytest.fixture(scope="session")
def django_db_modify_db_settings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What pytest-django asks for before it makes the database."""
    if connection.vendor == "sqlite" and hasattr(request.config, "workerinput"):
        made, create = tmp_path_factory.getbasetemp().parent / "migrated.sqlite3", connection.creation.create_test_db

        def migrate_once(*args: Any, **kwargs: Any) -> Any:
            with mock.patch.object(management, "call_command", _copying(made)):
                return create(*args, **kwargs)

        connection.creation.create_test_db = migrate_once  # type: ignore[method-assign]


def _copying(made: Path) -> Any:
    plain = management.call_command

    def call_command(name: str, *args: Any, **kwargs: Any) -> Any:
        if name != "migrate":
            return plain(name, *args, **kwargs)
        with made.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            is_first = not made.exists()
            if is_first:
                plain(name, *args, **kwargs)
            connection.ensure_connection()
            with closing(sqlite3.connect(made)) as file:
                one, other = (connection.connection, file) if is_first else (file, connection.connection)
                one.backup(other)
        return None

    return call_command
