"""On SQLite, processes that save decks take turns; after waiting too long, a save goes on without one."""

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

from decks.saving import turn
from decks.saving.turn import one_at_a_time, saving
from tests.support.processes import Child, Site, empty_site

pytestmark = [pytest.mark.engine("sqlite"), pytest.mark.django_db]
# Seconds in which a process that does not wait would have begun.
MOMENT = 0.3


@pytest.fixture
def site(tmp_path):
    with empty_site(tmp_path) as site:
        yield site


@pytest.fixture(params=[90.0])
def patient(monkeypatch, request):
    """Sets the seconds to wait for a turn, by default longer than these tests wait for a process."""
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


def test_a_save_begins_when_the_turn_before_it_ends(site, patient):
    with ExitStack() as stack:
        with one_at_a_time(f"{site.database}.saving"):
            waiting = child(site, stack, saves)
            assert not waiting.pipe.poll(MOMENT)
        assert waiting.hear() == "saves"


def test_a_turn_ends_when_its_process_is_killed(site, patient):
    with ExitStack() as stack:
        first = child(site, stack, saves)
        assert first.hear() == "saves"
        first.kill()
        assert child(site, stack, saves).hear() == "saves"


def test_a_save_within_a_transaction_does_not_wait_for_a_turn(site, patient):
    """The holder of the turn may be waiting for this transaction, so waiting would be a deadlock."""
    with ExitStack() as stack:
        stack.enter_context(one_at_a_time(f"{site.database}.saving"))
        waiting = child(site, stack, saves)
        assert child(site, stack, saves_within).hear() == "saves"
        assert not waiting.pipe.poll()


def test_a_turn_ends_when_its_block_fails(tmp_path):
    path = tmp_path / "saving"
    with pytest.raises(ZeroDivisionError), one_at_a_time(str(path)):
        raise ZeroDivisionError
    with path.open() as file:
        assert locks.lock(file, locks.LOCK_EX | locks.LOCK_NB)


@pytest.mark.parametrize("patient", [0.02], indirect=True)
def test_after_waiting_too_long_a_save_goes_on_without_a_turn(tmp_path, patient):
    path, reached = tmp_path / "saving", []
    with one_at_a_time(str(path)):
        with one_at_a_time(str(path)):
            reached.append("saves")
        with path.open() as file:
            assert not locks.lock(file, locks.LOCK_EX | locks.LOCK_NB), "the first has its turn still"
    assert reached


def test_saving_works_if_the_lock_file_cannot_be_created(tmp_path):
    reached = []
    with one_at_a_time(str(tmp_path / "nowhere" / "saving")):
        reached.append("saves")
    assert reached


@pytest.fixture
def readable_by_all():
    """A folder that every user may read and write, unlike the folders of pytest."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


def test_a_lock_file_of_another_user_can_be_locked(readable_by_all):
    """For example one made by a command that root ran beside a server that does not run as root."""
    path = Path(shutil.copy(os.devnull, readable_by_all / "saving"))
    path.chmod(0o444)
    user = os.geteuid()
    os.seteuid(user or 65_534)
    try:
        with one_at_a_time(str(path)), path.open() as file:
            assert not locks.lock(file, locks.LOCK_EX | locks.LOCK_NB)
    finally:
        os.seteuid(user)
