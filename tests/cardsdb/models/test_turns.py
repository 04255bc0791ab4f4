"""Locks between processes that share a database: one migrates, the others wait. Short waits for SQLite's
writer.
"""

import sqlite3
import time
from contextlib import ExitStack, closing
from multiprocessing.connection import Connection

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from cardsdb.models.turns import alone, short_wait
from tests.support.processes import Child, answer, empty_site

pytestmark = pytest.mark.django_db
# Seconds; long enough for a process that does not wait to report.
MOMENT = 0.3


def migrate(pipe: Connection) -> None:
    pipe.recv()
    call_command("migrate", "sessions", verbosity=0)
    pipe.send("done")


def hold(pipe: Connection) -> None:
    with alone():
        pipe.send("held")
        pipe.recv()


def migrated() -> list[str]:
    return list(MigrationRecorder.Migration.objects.values_list("name", flat=True))


@pytest.fixture
def site(tmp_path):
    with empty_site(tmp_path) as site:
        yield site


@pytest.fixture
def start(site):
    """A function that starts a process with this work."""
    with ExitStack() as stack:

        def started(work: object) -> Child:
            process = Child(site, work)
            stack.callback(process.kill)
            return process

        yield started


def test_two_processes_that_migrate_an_empty_database_at_once_both_succeed(site, start):
    both = [start(migrate) for _ in range(2)]
    for process in both:
        process.say("go")
    assert [process.hear() for process in both] == ["done"] * 2
    assert answer(site, migrated) == ["0001_initial"]


def test_a_migrating_process_waits_for_the_one_that_holds_the_lock(start):
    holder, waiting = start(hold), start(migrate)
    assert holder.hear() == "held"
    waiting.say("go")
    assert not waiting.pipe.poll(MOMENT)
    holder.say("enough")
    assert waiting.hear() == "done"


def test_the_lock_of_a_killed_process_is_freed(start):
    holder = start(hold)
    assert holder.hear() == "held"
    holder.kill()
    assert start(hold).hear() == "held"


def write_after_a_short_wait() -> tuple[str, float, int]:
    """Return (the database's error, seconds waited, milliseconds that later statements wait)."""
    error_text, start = "", time.monotonic()
    try:
        with short_wait(), transaction.atomic():
            pass
    except OperationalError as error:
        error_text = str(error)
    waited = time.monotonic() - start
    with connection.cursor() as cursor:
        return error_text, waited, cursor.execute("PRAGMA busy_timeout").fetchone()[0]


@pytest.mark.engine("sqlite")
def test_a_short_wait_ends_early_and_later_waits_are_as_long_as_usual(site):
    with closing(sqlite3.connect(site.database, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("BEGIN IMMEDIATE")
        error_text, waited, patience = answer(site, write_after_a_short_wait)
        other.execute("ROLLBACK")
    # 10 seconds are the usual wait, of the settings; the short one is 0.1 seconds.
    assert (error_text, patience) == ("database is locked", 10_000) and waited < 9
    assert answer(site, write_after_a_short_wait)[0] == ""
