"""Those who save decks on SQLite take turns; whoever cannot have one goes on without."""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from django.core.files import locks
from django.db import transaction

from decks.saving import save as turn
from decks.saving.save import one_at_a_time, saving
from tests.support.processes import Child, Site, empty_site

pytestmark = [pytest.mark.engine("sqlite"), pytest.mark.django_db]
# Long enough for a process that does not wait to say so.
MOMENT = 0.3


@pytest.fixture
def site(tmp_path):
    with empty_site(tmp_path) as site:
        yield site


@pytest.fixture(params=[90.0])
def patient(monkeypatch, request):
    """Waits for a turn so many seconds; at first longer than one waits for the word of a process."""
    monkeypatch.setattr(turn, "PATIENCE", request.param)


def saves(pipe: Connection) -> None:
    with saving():
        pipe.send("saves")
        pipe.recv()


def saves_within(pipe: Connection) -> None:
    with transaction.atomic(), saving():
        pipe.send("saves")


def child(site: Site, stack: ExitStack, work: Any) -> Child:
    made = Child(site, work)
    stack.callback(made.kill)
    return made


def test_who_saves_begins_when_the_turn_of_another_has_ended(site, patient):
    with ExitStack() as stack:
        with one_at_a_time(f"{site.database}.saving"):
            waiting = child(site, stack, saves)
            assert not waiting.pipe.poll(MOMENT)
        assert waiting.hear() == "saves"


def test_a_turn_ends_with_the_process_that_has_it(site, patient):
    with ExitStack() as stack:
        first = child(site, stack, saves)
        assert first.hear() == "saves"
        first.kill()
        assert child(site, stack, saves).hear() == "saves"


def test_who_writes_already_waits_for_no_turn(site, patient):
    """Its holder may wait for the database, and they would wait for one another."""
    with ExitStack() as stack:
        stack.enter_context(one_at_a_time(f"{site.database}.saving"))
        waiting = child(site, stack, saves)
        assert child(site, stack, saves_within).hear() == "saves"
        assert not waiting.pipe.poll()


def test_a_transaction_that_fails_gives_its_turn_away(tmp_path):
    path = tmp_path / "saving"
    with pytest.raises(ZeroDivisionError), one_at_a_time(str(path)):
        raise ZeroDivisionError
    with path.open() as file:
        assert locks.lock(file, locks.LOCK_EX | locks.LOCK_NB)


@pytest.mark.parametrize("patient", [0.02], indirect=True)
def test_who_has_waited_long_enough_goes_on_without(tmp_path, patient):
    path, reached = tmp_path / "saving", []
    with one_at_a_time(str(path)):
        with one_at_a_time(str(path)):
            reached.append("saves")
        with path.open() as file:
            assert not locks.lock(file, locks.LOCK_EX | locks.LOCK_NB), "the first has its turn still"
    assert reached


def test_a_file_that_cannot_be_made_keeps_nobody_from_saving(tmp_path):
    reached = []
    with one_at_a_time(str(tmp_path / "nowhere" / "saving")):
        reached.append("saves")
    assert reached


@pytest.fixture
def readable_by_all():
    """A folder that nobody is kept out of, as the folders of a test are not."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


def test_a_file_that_somebody_else_made_can_be_waited_for(readable_by_all):
    """A command that its owner ran as root, beside a server that is not root."""
    path = Path(shutil.copy(os.devnull, readable_by_all / "saving"))
    path.chmod(0o444)
    user = os.geteuid()
    os.seteuid(user or 65_534)
    try:
        with one_at_a_time(str(path)), path.open() as file:
            assert not locks.lock(file, locks.LOCK_EX | locks.LOCK_NB)
    finally:
        os.seteuid(user)
