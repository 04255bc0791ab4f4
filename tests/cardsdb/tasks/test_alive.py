"""Whether a worker has died is known at once where its file is seen, and not guessed where it is not."""

from __future__ import annotations

import multiprocessing
import os
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from cardsdb.tasks.alive import RETENTION, alive, forget_dead, is_dead


@pytest.fixture(autouse=True)
def var(settings: Any, tmp_path: Path) -> Path:
    settings.VAR_DIR = tmp_path
    return tmp_path


def one_that_was_killed() -> str:
    def live(pipe: Connection) -> None:
        with alive() as name:
            pipe.send(name)
            pipe.recv()

    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=live, args=(theirs,))
    process.start()
    name: str = ours.recv()
    assert not is_dead(name)
    process.kill()
    process.join()
    return name


def test_one_that_is_at_work_is_not_dead_and_leaves_nothing(var: Path) -> None:
    with alive() as one, alive() as other:
        assert one != other and not is_dead(one) and not is_dead(other)
    assert list((var / "workers").iterdir()) == []


def test_one_that_was_killed_is_dead_at_once() -> None:
    assert is_dead(one_that_was_killed())


@pytest.mark.parametrize("name", ["elsewhere:1:abc", "", "../../etc/passwd", "x" * 500])
def test_one_of_whom_nothing_is_seen_is_not_called_dead(name: str) -> None:
    assert not is_dead(name)


def test_the_files_of_the_dead_go_after_a_while(var: Path) -> None:
    path = var / "workers" / one_that_was_killed()
    forget_dead()
    assert path.exists()
    then = time.time() - RETENTION - 1
    os.utime(path, (then, then))
    with alive() as name:
        os.utime(var / "workers" / name, (then, then))
        forget_dead()
        assert not path.exists() and not is_dead(name)
