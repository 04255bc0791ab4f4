"""The worker: a process for each queue, and one that looks after them and after work that was left."""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from multiprocessing.context import ForkProcess

from django.conf import settings
from django.db import InterfaceError, OperationalError, close_old_connections, connections
from django.utils.module_loading import import_string

from cardsdb.tasks.alive import forget_dead
from cardsdb.tasks.queue import QUEUES, away, forget_ended
from cardsdb.watch import counting

log = logging.getLogger(__name__)

# Seconds: between two looks at an empty queue, between two recoveries of work that was left, between two
# clearings.
POLL_INTERVAL, RECOVERY_INTERVAL, CLEAR_INTERVAL = 0.5, 2.0, 600.0
# Kilobytes that a process may grow by until another takes its place.
MAX_GROWTH = 200_000
# Seconds that a process has to put its work back when the worker ends.
GRACE_PERIOD = 10.0

_FORK = multiprocessing.get_context("fork")


def recover_all() -> None:
    """Have everybody put back what was left."""
    for recover in _recoveries():
        recover()


def _recoveries() -> list[Callable[[], None]]:
    return [import_string(path) for path in settings.CUTOUT_RECOVERIES]


def work_one(queues: Sequence[str]) -> bool:
    """Make the first task of these queues, if one waits. One at a time, for between two a process that has
    grown makes room for another.
    """
    engine = "by_redis" if settings.TASKS_URL else "by_database"
    return bool(import_string(f"cardsdb.tasks.{engine}.work_one")(queues))


def work_off(queues: Sequence[str] = QUEUES) -> int:
    """Make the tasks that wait; how many."""
    done = 0
    while work_one(queues):
        done += 1
    return done


def work_on(beside: int | None = None) -> None:
    """Work for ever, or until the process of this number has ended."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    # As a server does. A command that soon ends looks for rubbish more seldom (manage.py).
    gc.set_threshold(50_000)
    counting.start(settings.VAR_DIR / "metrics", counting.WORKER)
    processes: dict[str, ForkProcess] = {}
    recovered = cleared = -CLEAR_INTERVAL
    try:
        while beside is None or _lives(beside):
            if time.monotonic() - recovered >= RECOVERY_INTERVAL:
                for recover in _recoveries():
                    _patiently(recover)
                recovered = time.monotonic()
            if time.monotonic() - cleared >= CLEAR_INTERVAL:
                _patiently(_clear)
                cleared = time.monotonic()
            # After the first recovery, which imports what its tasks need: each process has that without
            # loading it again.
            for queue in QUEUES:
                if queue not in processes or not processes[queue].is_alive():
                    processes[queue] = _started(queue)
            time.sleep(POLL_INTERVAL)
    finally:
        _stop(processes.values())


def _lives(process: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(process, 0)
        return True
    return False


def _end(number: int, frame: object) -> None:
    """A task that is under way is put back, and then the process ends."""
    sys.exit(0)


def _started(queue: str) -> ForkProcess:
    # A connection that two processes hold is good for neither.
    connections.close_all()
    process = _FORK.Process(target=_work, args=(queue, os.getpid()), name=f"worker of {queue}")
    process.start()
    return process


def _work(queue: str, parent: int) -> None:
    """Make the tasks of one queue, as long as the process lives that looks after this one, and until a task
    took much memory: this process would keep it, the next begins without.
    """
    counting.start(settings.VAR_DIR / "metrics", counting.TASKS)
    most = _memory() + MAX_GROWTH
    while os.getppid() == parent and _memory() < most:
        if not _patiently(lambda: work_one((queue,))):
            time.sleep(POLL_INTERVAL)


def _memory() -> int:
    """The most that this process ever had, in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1 if sys.platform == "linux" else 1024)


def _stop(processes: Collection[ForkProcess]) -> None:
    for process in processes:
        process.terminate()
    until = time.monotonic() + GRACE_PERIOD
    for process in processes:
        process.join(max(0.0, until - time.monotonic()))
        if process.is_alive():
            process.kill()


def _patiently(act: Callable[[], bool | None]) -> bool | None:
    """What it returns. What goes wrong here, most often a database or a Redis that does not answer, is tried
    again.
    """
    try:
        close_old_connections()
        return act()
    except Exception as error:
        if isinstance(error, (OperationalError, InterfaceError, *away())):
            log.warning("what the worker needs does not answer, and is asked again: %s", error)
        else:
            log.exception("the worker goes on after an error")
        time.sleep(RECOVERY_INTERVAL)
    return None


def _clear() -> None:
    forget_ended()
    forget_dead()
