"""Processes of their own, forked off with all that is loaded, on a copy of the test database that is no
test's transaction.
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

PATIENCE = 60.0
FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True, slots=True)
class Site:
    """A data folder and the name of a database."""

    var: Path
    database: str

    def environment(self) -> dict[str, str]:
        """For a program that is started anew on the same data."""
        others = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        if connection.vendor == "sqlite":
            return others | {"CUTOUT_VAR": str(self.var)}
        url = urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{self.database}"))
        return others | {"CUTOUT_VAR": str(self.var), "DATABASE_URL": url}


@contextmanager
def copied_site(var: Path) -> Iterator[Site]:
    """A site whose database holds what the test database does; it is gone afterwards."""
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        with closing(sqlite3.connect(var / "cutout.sqlite3")) as copy:
            connection.connection.backup(copy)
        yield Site(var, str(var / "cutout.sqlite3"))
        return
    original = connection.settings_dict["NAME"]
    connection.close()  # A database that somebody is connected to is not copied.
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{original}_copy" TEMPLATE "{original}"')
    try:
        yield Site(var, f"{original}_copy")
    finally:
        with connection._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{original}_copy" WITH (FORCE)')


@contextmanager
def empty_site(var: Path) -> Iterator[Site]:
    """A site whose database has no tables yet; it is gone afterwards."""
    if connection.vendor == "sqlite":
        yield Site(var, str(var / "cutout.sqlite3"))
        return
    name = f"{connection.settings_dict['NAME']}_empty"
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
    try:
        yield Site(var, name)
    finally:
        with connection._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


class Child:
    """A process that calls ``work(pipe, *arguments)``; what it sends through its pipe is heard here, and the
    other way round.
    """

    def __init__(self, site: Site, work: Callable[..., None], *arguments: Any) -> None:
        self.pipe, theirs = FORK.Pipe()
        self.process = FORK.Process(target=_work, args=(site, theirs, work, arguments))
        self.process.start()
        theirs.close()

    def hear(self) -> Any:
        """The next thing it sends. Raises EOFError when it ends without."""
        assert self.pipe.poll(PATIENCE), "the process says nothing"
        return self.pipe.recv()

    def say(self, word: Any) -> None:
        self.pipe.send(word)

    def end(self) -> int | None:
        """Its exit status, once it has ended."""
        self.process.join(PATIENCE)
        return self.process.exitcode

    def kill(self) -> None:
        self.process.kill()
        self.process.join(PATIENCE)


def _work(site: Site, pipe: Connection, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    # Held until the end, unclosed: it is the other process that talks to the database through it.
    inherited = connections["default"]
    del connections["default"]
    connections.settings["default"]["NAME"] = site.database
    settings.VAR_DIR = site.var
    work(pipe, *arguments)
    connections["default"].close()
    assert inherited


def answer(site: Site, ask: Callable[..., Any], *arguments: Any) -> Any:
    """What the function returns in a process of its own."""
    child = Child(site, lambda pipe: pipe.send(ask(*arguments)))
    try:
        return child.hear()
    finally:
        child.end()
