"""The worker process (``manage.py worker``).

It sends letters, recovers abandoned work, and starts a child process whenever tasks wait. The child runs the
queue's own command for up to MAX_TASKS tasks, then ends and so frees its memory::

    work_on       the loop of the worker: recover_all, then _started if a task waits
    _make_tasks   the child process: work_off, which also ``worker --once`` and tests call

Tests: ``tests/cardsdb/tasks/test_worker.py``; with Redis ``tests/printing/tasks/test_redis.py``.
"""

import gc
import logging
import multiprocessing
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkProcess
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import InterfaceError, OperationalError, close_old_connections, connections
from django.utils.module_loading import import_string
from django_tasks.signals import task_finished
from django_tasks_db.management.commands import db_worker
from django_tasks_db.models import DBTaskResult
from redis.exceptions import RedisError

from cardsdb.tasks.queue import QUEUE, RECOVERY_INTERVAL, forget_ended, lives
from cardsdb.watch import metrics

log = logging.getLogger(__name__)

# Seconds between two looks at the queue.
POLL_INTERVAL = 0.5
# Seconds between two deletions of the queue's old entries.
CLEAR_INTERVAL = 600.0
# Tasks that one child process does at most, because it keeps the memory that they used.
MAX_TASKS = 20
# Seconds for a task to finish after the child is told to end.
FINISH = 10.0
# Seconds for the child to put an unfinished task back after it is told a second time.
GRACE_PERIOD = 10.0


@contextmanager
def _going_on() -> Iterator[None]:
    """Log an exception from the block and pause, instead of raising it; the next round tries again. Most
    often a database or Redis does not answer, which must not stop other work.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, OperationalError | InterfaceError | RedisError):
            log.warning("what the worker needs does not answer, and is asked again: %s", error)
        else:
            log.exception("the worker goes on after an error")
        time.sleep(RECOVERY_INTERVAL)


def recover_all() -> int:
    """Call each function in CUTOUT_RECOVERIES; return the sum of the numbers that they return."""
    done = 0
    for path in settings.CUTOUT_RECOVERIES:
        with _going_on():
            done += import_string(path)() or 0
    return done


def waits() -> bool:
    """True if a task waits in the queue."""
    if settings.TASKS_URL:
        # django_rq cannot be imported without its settings, so it is imported here.
        return not import_string("django_rq.get_queue")(QUEUE).is_empty()
    return DBTaskResult.objects.ready().filter(queue_name=QUEUE).exists()


class _Tasks(db_worker.Command):
    """The queue's own command, without its logging configuration, which would replace the site's."""

    def configure_logging(self, verbosity: int) -> None: ...


def work_off(most: int | None = None) -> int:
    """Do waiting tasks, ``most`` at most, and return how many were done."""
    done: list[Any] = []

    def count(**sent: Any) -> None:
        # Signals pass keyword arguments.
        done.append(sent["task_result"].id)

    task_finished.connect(count)
    try:
        if waits():
            _run_queue(most)
    finally:
        task_finished.disconnect(count)
    return len(done)


def _run_queue(most: int | None) -> None:
    """Run the queue's own command until no task waits, or ``most`` are done."""
    if settings.TASKS_URL:
        # SimpleWorker works in this process: a killed child process could not put its row back.
        classes = {"worker_class": "rq.worker.SimpleWorker", "job_class": "django_tasks_rq.Job"}
        rqworker = import_string("django_rq.management.commands.rqworker.Command")()
        call_command(rqworker, QUEUE, burst=True, max_jobs=most, verbosity=0, **classes)
    else:
        once = {"batch": True, "startup_delay": False, "reload": False}
        call_command(_Tasks(), queue_name=QUEUE, max_tasks=most, **once)


def work_on(beside: int | None = None) -> None:
    """Work until told to end; with ``beside``, until the process of this id has ended."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    # Objects made between two searches for garbage, as in a server. manage.py sets a higher number, for
    # commands that end soon.
    gc.set_threshold(50_000)
    metrics.start(settings.VAR_DIR / "metrics", metrics.WORKER)
    process: ForkProcess | None = None
    # Times of the last recovery and deletion: long ago, so that both are due at once.
    recovered = cleared = -CLEAR_INTERVAL
    try:
        while beside is None or lives(beside):
            now = time.monotonic()
            if now - recovered >= RECOVERY_INTERVAL:
                close_old_connections()
                recover_all()
                metrics.write()
                recovered = now
            with _going_on():
                if now - cleared >= CLEAR_INTERVAL:
                    forget_ended()
                    cleared = now
                if (process is None or not process.is_alive()) and waits():
                    process = _started()
            time.sleep(POLL_INTERVAL)
    finally:
        if process:
            _stop(process)


def _end(number: int, frame: object) -> None:
    """End the worker on a signal. The SystemExit runs ``finally`` of ``work_on``, which stops the child."""
    sys.exit(0)


def _started() -> ForkProcess:
    """Start a child process that does tasks."""
    # A connection cannot be shared between two processes.
    connections.close_all()
    process = multiprocessing.get_context("fork").Process(target=_make_tasks, name="worker's tasks")
    process.start()
    return process


def _make_tasks() -> None:
    """Do tasks, as the child process; count them in metrics of its own."""
    with _going_on():
        metrics.start(settings.VAR_DIR / "metrics", metrics.TASKS)
        try:
            work_off(MAX_TASKS)
        finally:
            metrics.stop()


def _stop(process: ForkProcess) -> None:
    """End the child. The first signal lets it finish its task, the second makes it put the task back; then it
    is killed.

    Ctrl-C in a terminal reaches the child too, as one more signal, so there is no third.
    """
    for seconds in (FINISH, GRACE_PERIOD):
        process.terminate()
        process.join(seconds)
        if not process.is_alive():
            return
    process.kill()
