"""Machines that start at once on one database: one makes the tables, the others wait for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db.migrations.recorder import MigrationRecorder

from cardsdb.site.turns import alone
from tests.support.processes import Child, Site, answer, empty_site

pytestmark = pytest.mark.django_db
# Long enough for a process that does not wait to say so.
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
def site(tmp_path: Path) -> Iterator[Site]:
    with empty_site(tmp_path) as site:
        yield site


@pytest.fixture
def children() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def child(site: Site, children: ExitStack, work: object) -> Child:
    one = Child(site, work)  # type: ignore[arg-type]
    children.callback(one.kill)
    return one


def test_two_processes_that_migrate_an_empty_database_at_once_both_succeed(site: Site, children: ExitStack) -> None:
    both = [child(site, children, migrate) for _ in range(2)]
    for one in both:
        one.say("go")
    assert [one.hear() for one in both] == ["done"] * 2
    assert answer(site, migrated) == ["0001_initial"]


def test_who_migrates_waits_for_who_holds_the_turn(site: Site, children: ExitStack) -> None:
    holder, waiting = child(site, children, hold), child(site, children, migrate)
    assert holder.hear() == "held"
    waiting.say("go")
    assert not waiting.pipe.poll(MOMENT)
    holder.say("enough")
    assert waiting.hear() == "done"


def test_a_turn_ends_with_the_process_that_was_killed_in_it(site: Site, children: ExitStack) -> None:
    holder = child(site, children, hold)
    assert holder.hear() == "held"
    holder.kill()
    assert child(site, children, hold).hear() == "held"
