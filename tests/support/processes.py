"""Child processes for tests of concurrent access, and databases that they share with the test.

A test's own database connection is inside a transaction that no other process sees. So ``copied_site`` copies
the test database, and each ``Child`` is forked and works on that copy. On SQLite the copy is a file, on
PostgreSQL a new database.
"""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.db import connection, connections

# Seconds to wait for a child.
PATIENCE = 60.0
FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True, slots=True)
class Site:
    """A data folder, and the name of a database (a path for SQLite)."""

    var: Path
    database: str

    def environment(self) -> dict[str, str]:
        """Return the environment variables for a new program that works on this site."""
        others = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        if connection.vendor == "sqlite":
            return others | {"CUTOUT_VAR": str(self.var)}
        url = urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{self.database}"))
        return others | {"CUTOUT_VAR": str(self.var), "DATABASE_URL": url}


@contextmanager
def copied_site(var: Path) -> Iterator[Site]:
    """Copy the test database; yield a site that uses the copy. The copy is deleted afterwards."""
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        with closing(sqlite3.connect(var / "cutout.sqlite3")) as copy:
            connection.connection.backup(copy)
        yield Site(var, str(var / "cutout.sqlite3"))
        return
    original = connection.settings_dict["NAME"]
    connection.close()  # PostgreSQL does not copy a database that has connections.
    with _new_database(f"{original}_copy", f'TEMPLATE "{original}"') as name:
        yield Site(var, name)


@contextmanager
def _new_database(name: str, options: str = "") -> Iterator[str]:
    """Create a database on the PostgreSQL server, yield its name, and delete it."""
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}" {options}')
    try:
        yield name
    finally:
        with connection._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def empty_site(var: Path) -> Iterator[Site]:
    """Yield a site with an empty database. It is deleted afterwards."""
    if connection.vendor == "sqlite":
        yield Site(var, str(var / "cutout.sqlite3"))
        return
    with _new_database(f"{connection.settings_dict['NAME']}_empty") as name:
        yield Site(var, name)


class Child:
    """A forked process that calls ``work(pipe, *arguments)``. ``say`` and ``hear`` talk to it through the
    pipe.
    """

    def __init__(self, site: Site, work: Callable[..., None], *arguments: Any) -> None:
        self.pipe, theirs = FORK.Pipe()
        self.process = FORK.Process(target=_work, args=(site, theirs, work, arguments))
        self.process.start()
        theirs.close()

    def hear(self) -> Any:
        """Return the next object that the child sends. Raises EOFError if it ends first."""
        assert self.pipe.poll(PATIENCE), "the process says nothing"
        return self.pipe.recv()

    def say(self, word: Any) -> None:
        """Send an object to the child."""
        self.pipe.send(word)

    def end(self) -> int | None:
        """Wait for the child to end; return its exit status."""
        self.process.join(PATIENCE)
        return self.process.exitcode

    def kill(self) -> None:
        self.process.kill()
        self.process.join(PATIENCE)


def _work(site: Site, pipe: Connection, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """Connect the forked process to the site's own database and data folder, then do its work."""
    # The inherited connection belongs to the parent. It is kept referenced, because closing it here would
    # close the parent's too.
    inherited = connections["default"]
    del connections["default"]
    connections.settings["default"]["NAME"] = site.database
    settings.VAR_DIR = site.var
    work(pipe, *arguments)
    connections["default"].close()
    assert inherited


def answer(site: Site, ask: Callable[..., Any], *arguments: Any) -> Any:
    """Return what the function returns when it runs in a child process on this site."""
    child = Child(site, lambda pipe: pipe.send(ask(*arguments)))
    try:
        return child.hear()
    finally:
        child.end()
