"""Of the threads of a process one writes to SQLite, and the others wait for their turn. Processes take turns too."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillWaiting
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.db import connection
from django.db.utils import OperationalError
from django_tasks_db.utils import exclusive_transaction

from cardsdb.site.sqlite.base import DatabaseWrapper
from tests import ROOT

pytestmark = [pytest.mark.engine("sqlite"), pytest.mark.django_db]


@pytest.fixture
def writers(tmp_path: Path) -> Iterator[list[DatabaseWrapper]]:
    """Connections to one file, which any thread may use. SQLite itself lets none of them wait."""
    options = {"transaction_mode": "IMMEDIATE", "timeout": 30, "init_command": "PRAGMA journal_mode=WAL; PRAGMA busy_timeout=0"}
    values = {**connection.settings_dict, "NAME": tmp_path / "some.sqlite3", "OPTIONS": options}
    made = [DatabaseWrapper(values, f"writer {number}") for number in range(3)]
    for each in made:
        each.inc_thread_sharing()
        each.ensure_connection()
    yield made
    for each in made:
        each.close()


def begin(writer: DatabaseWrapper) -> None:
    writer.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)


def commit(writer: DatabaseWrapper) -> None:
    writer.commit()
    writer.set_autocommit(True)


def test_a_second_transaction_begins_when_the_first_ends(writers: list[DatabaseWrapper]) -> None:
    first, second, _ = writers
    begin(first)
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(begin, second)
        with pytest.raises(StillWaiting):
            waiting.result(timeout=0.05)
        commit(first)
        waiting.result(timeout=30)
    commit(second)


def test_the_engine_of_tasks_waits_its_turn_too(writers: list[DatabaseWrapper], monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine of tasks makes its own ``EXCLUSIVE``."""
    first, second, _ = writers
    begin(first)
    monkeypatch.setattr("django.db.transaction.get_connection", lambda using=None: second)

    def take() -> str:
        with exclusive_transaction():
            return str(second.transaction_mode)

    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(take)
        with pytest.raises(StillWaiting):
            waiting.result(timeout=0.05)
        commit(first)
        assert (waiting.result(timeout=30), second.transaction_mode) == ("EXCLUSIVE", "IMMEDIATE")
    begin(first)
    commit(first)


@pytest.mark.parametrize("end", ["rollback", "close"])
def test_a_transaction_that_fails_gives_its_turn_away(writers: list[DatabaseWrapper], end: str) -> None:
    first, second, _ = writers
    begin(first)
    getattr(first, end)()
    begin(second)
    commit(second)


def test_a_transaction_that_cannot_begin_gives_its_turn_away(writers: list[DatabaseWrapper]) -> None:
    """Another process has the database: its connection knows nothing of this one's turns."""
    first, second, elsewhere = writers
    elsewhere.cursor().execute("BEGIN IMMEDIATE")
    for writer in (first, second):
        with pytest.raises(OperationalError, match="locked"):
            begin(writer)
    elsewhere.cursor().execute("ROLLBACK")
    begin(first)
    commit(first)


def test_who_has_little_patience_is_refused_while_another_writes_and_is_patient_again_afterwards(writers: list[DatabaseWrapper]) -> None:
    first, second, _ = writers
    begin(first)
    with second.short_wait(0.02), pytest.raises(OperationalError, match="locked"):
        begin(second)
    second.close()
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(begin, second)
        with pytest.raises(StillWaiting):
            waiting.result(timeout=0.1)
        commit(first)
        waiting.result(timeout=30)
    commit(second)


@pytest.fixture
def readable_by_all() -> Iterator[Path]:
    """A folder that nobody is kept out of, as the folders of a test are not."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


def test_a_queue_that_somebody_else_made_can_be_waited_in(writers: list[DatabaseWrapper], readable_by_all: Path) -> None:
    """A command that its owner ran as root, beside a server that is not root."""
    first = writers[0]
    queue = Path(shutil.copy(os.devnull, readable_by_all / "some.sqlite3.queue"))
    queue.chmod(0o444)
    first.settings_dict = first.settings_dict | {"NAME": readable_by_all / "some.sqlite3"}
    first._take_turn()
    user = os.geteuid()
    os.seteuid(user or 65_534)
    try:
        with first._alone_asking(time.monotonic() + 5):
            pass
    finally:
        os.seteuid(user)
        first._end_turn()


def test_a_queue_that_cannot_be_joined_is_a_fault_of_the_database(writers: list[DatabaseWrapper], tmp_path: Path) -> None:
    first = writers[0]
    first.settings_dict = first.settings_dict | {"NAME": tmp_path / "nowhere" / "some.sqlite3"}
    with pytest.raises(OperationalError, match=r"some\.sqlite3\.queue: No such file"):
        begin(first)
    # Its turn was given away.
    begin(writers[1])
    commit(writers[1])


# Begins a transaction and never ends it. "asks" is told when SQLite has the question, "writes" when it has answered.
ELSEWHERE = """
import sys, time
from django.conf import settings
from django.db import connection
backend, options = "cardsdb.site.sqlite", {"transaction_mode": "IMMEDIATE", "timeout": 30}
settings.configure(DATABASES={"default": {"ENGINE": backend, "NAME": sys.argv[1], "OPTIONS": options}})
connection.ensure_connection()
connection.connection.set_trace_callback(lambda statement: print("asks", flush=True))
connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
print("writes", flush=True)
time.sleep(60)
"""


@contextmanager
def asking_elsewhere(writer: DatabaseWrapper) -> Iterator[Callable[[], str]]:
    """Another process that asks for its turn; gives what reads the next word that it tells. It is killed at the end."""
    command = [sys.executable, "-c", ELSEWHERE, str(writer.settings_dict["NAME"])]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "asks\n"
        try:
            yield process.stdout.readline
        finally:
            process.kill()


def test_a_process_that_asked_first_writes_before_the_next_thread_here(writers: list[DatabaseWrapper]) -> None:
    first, second, _ = writers
    begin(first)
    with asking_elsewhere(first) as next_word, ThreadPoolExecutor() as threads:
        waiting = threads.submit(begin, second)
        commit(first)
        # By then the other writes, and SQLite lets the second not wait.
        with pytest.raises(OperationalError, match="locked"):
            waiting.result(timeout=30)
        assert next_word() == "writes\n"


def test_a_process_that_dies_while_it_asks_keeps_nobody_waiting(writers: list[DatabaseWrapper]) -> None:
    first, _, elsewhere = writers
    elsewhere.cursor().execute("BEGIN IMMEDIATE")
    with asking_elsewhere(first):
        pass
    elsewhere.cursor().execute("ROLLBACK")
    with first.short_wait(1):
        begin(first)
    commit(first)


def test_who_has_little_patience_does_not_wait_for_a_process_that_asks(writers: list[DatabaseWrapper]) -> None:
    first, _, elsewhere = writers
    elsewhere.cursor().execute("BEGIN IMMEDIATE")
    with asking_elsewhere(first), first.short_wait(0.02):
        start = time.monotonic()
        with pytest.raises(OperationalError, match="locked"):
            begin(first)
        assert time.monotonic() - start < 10
    elsewhere.cursor().execute("ROLLBACK")


def test_who_only_reads_sees_one_state_while_another_writes(writers: list[DatabaseWrapper]) -> None:
    reader, writer, _ = writers
    with writer.cursor() as cursor:
        cursor.execute("CREATE TABLE thing (number integer)")

    def count() -> int:
        with reader.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM thing")
            return int(cursor.fetchone()[0])

    with reader.reading():
        begin(reader)
        before = count()
        begin(writer)
        with writer.cursor() as cursor:
            cursor.execute("INSERT INTO thing VALUES (1)")
        commit(writer)
        assert count() == before == 0
        commit(reader)
    assert count() == 1
