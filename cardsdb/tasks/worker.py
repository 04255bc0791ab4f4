"""The worker: a process that sends letters and looks after work that was left, and begins another for the
tasks that wait, which are made by the queue's own command.
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

# Seconds: between two looks at the queue, and between two clearings of it.
POLL_INTERVAL, CLEAR_INTERVAL = 0.5, 600.0
# Tasks that a process makes at most: it keeps the memory that they took, the next begins without.
MAX_TASKS = 20
# Seconds in which a task that is told to end may still be finished, and those to put it back then.
FINISH, GRACE_PERIOD = 10.0, 10.0


@contextmanager
def _going_on() -> Iterator[None]:
    """Log what goes wrong within, most often a database or a Redis that does not answer, and pause: it is
    tried again the next time and stops nothing else.
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
    """Call what every worker calls every few seconds; return the sum of what these made, where they
    tell it.
    """
    done = 0
    for path in settings.CUTOUT_RECOVERIES:
        with _going_on():
            done += import_string(path)() or 0
    return done


def waits() -> bool:
    """Return whether a task waits in the queue."""
    if settings.TASKS_URL:
        # Without that setting it cannot be imported.
        return not import_string("django_rq.get_queue")(QUEUE).is_empty()
    return DBTaskResult.objects.ready().filter(queue_name=QUEUE).exists()


class _Tasks(db_worker.Command):
    """The queue's own command, which writes into the log as the site's settings have it: what fails."""

    def configure_logging(self, verbosity: int) -> None: ...


def work_off(most: int | None = None) -> int:
    """Make the tasks that wait, so many at most; return how many were made."""
    made: list[Any] = []

    def count(**sent: Any) -> None:
        made.append(sent["task_result"].id)

    task_finished.connect(count)
    try:
        if not waits():
            pass
        elif settings.TASKS_URL:
            # In this process: one that is killed could not put its work back.
            classes = {"worker_class": "rq.worker.SimpleWorker", "job_class": "django_tasks_rq.Job"}
            rqworker = import_string("django_rq.management.commands.rqworker.Command")()
            call_command(rqworker, QUEUE, burst=True, max_jobs=most, verbosity=0, **classes)
        else:
            once = {"batch": True, "startup_delay": False, "reload": False}
            call_command(_Tasks(), queue_name=QUEUE, max_tasks=most, **once)
    finally:
        task_finished.disconnect(count)
    return len(made)


def work_on(beside: int | None = None) -> None:
    """Work for ever, or until the process of this number has ended."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    # As a server does. A command that soon ends looks for rubbish more seldom (manage.py).
    gc.set_threshold(50_000)
    metrics.start(settings.VAR_DIR / "metrics", metrics.WORKER)
    process: ForkProcess | None = None
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
    sys.exit(0)


def _started() -> ForkProcess:
    # A connection that two processes hold is good for neither.
    connections.close_all()
    process = multiprocessing.get_context("fork").Process(target=_make_tasks, name="worker's tasks")
    process.start()
    return process


def _make_tasks() -> None:
    with _going_on():
        metrics.start(settings.VAR_DIR / "metrics", metrics.TASKS)
        try:
            work_off(MAX_TASKS)
        finally:
            metrics.stop()


def _stop(process: ForkProcess) -> None:
    """End the process. Told once, it ends after its task; told twice, it puts the task back. A terminal
    has told it too, so it is not told a third time while it does that.
    """
    for seconds in (FINISH, GRACE_PERIOD):
        process.terminate()
        process.join(seconds)
        if not process.is_alive():
            return
    process.kill()
