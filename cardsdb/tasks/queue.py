"""The queue of tasks: django-tasks keeps it, in the database or in the Redis of ``TASKS_URL``.

A task's one argument is the key of a row of ours, which says what is to be done and how far it is. So the
queue holds nothing that cannot be put into it again. A row waits, one worker at a time has it, and it is put
back or given up when that worker is gone. Each step is one conditional update, so that whatever the queue
hands out, and how often, one worker does what a row says, and one that lost it (cancelled, or taken by
another after a silence) notices at its next heartbeat and stops.
"""

import hashlib
import logging
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.models import F, Model, Q, QuerySet
from django.utils import timezone
from django_tasks import TaskResultStatus, default_task_backend
from django_tasks.base import Task
from django_tasks.exceptions import TaskResultDoesNotExist
from django_tasks_db.models import DBTaskResult
from redis.exceptions import RedisError

from cardsdb.games.kit import whole_number
from cardsdb.identity.viewer import new_key
from cardsdb.models.site import RowState

log = logging.getLogger(__name__)

QUEUE = "default"
# Seconds between two recoveries of work that was left.
RECOVERY_INTERVAL = 2.0
# Between the taking of a task and its first word in its row lies no more than importing what it needs.
STARTING = timedelta(seconds=20)
# A row that was put into the queue so long ago, and still waits, is looked for there; so many at a time.
QUEUED, BATCH = timedelta(seconds=10), 100
# They tell machines and containers apart, where there are any.
BOOT, PROCESSES = Path("/proc/sys/kernel/random/boot_id"), Path("/proc/self/ns/pid")
# How long the database's queue keeps what is over, or waits. What is still to be done is put into it again.
RETENTION = timedelta(days=1)


def enqueue(task: Task[[int], None], key: int) -> str:
    """Put a task into the queue; return its number there, or nothing while a Redis does not answer or takes
    nothing. Then the next recovery does it.
    """
    try:
        return task.enqueue(key).id
    except RedisError as error:
        log.warning("the queue of tasks takes nothing; what was asked for waits: %s", error)
        return ""


def is_queued(number: str) -> bool:
    """Return whether a worker will come to this task, or has just taken it."""
    if not number:
        return False
    try:
        task = default_task_backend.get_result(number)
    except TaskResultDoesNotExist:
        return False
    except RedisError:
        # It is not known; a second task would be too many rather than too few.
        return True
    just_taken = task.started_at is not None and task.started_at > timezone.now() - STARTING
    return task.status == TaskResultStatus.READY or (task.status == TaskResultStatus.RUNNING and just_taken)


def forget_ended() -> None:
    """Delete from the database's queue what is over, what a worker took that is no more, and what no worker
    takes. Redis does so by itself.
    """
    before = timezone.now() - RETENTION
    taken = Q(status=TaskResultStatus.RUNNING, started_at__lt=before)
    not_taken = Q(status=TaskResultStatus.READY, enqueued_at__lt=before)
    DBTaskResult.objects.filter(Q(finished_at__lt=before) | taken | not_taken).delete()


def _machine() -> str:
    """Return a name for those among whom the number of this process is its own: containers and cloned
    machines may have the same host name.
    """
    told = [socket.gethostname()]
    with suppress(OSError):
        told += [BOOT.read_text(), str(PROCESSES.stat().st_ino)]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:16]


def lives(process: int) -> bool:
    """Return whether a process of this machine is there; another user's is."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _is_dead(worker: str) -> bool:
    """Return whether the process of this name is known to have ended: of other machines nothing is known."""
    machine, _, rest = worker.partition(":")
    process = whole_number(rest.partition(":")[0])
    return machine == _machine() and not (process and lives(process))


class Lost(Exception):
    """The row is no longer this worker's."""


class QueuedRows:
    """The rows of one table, a ``QueuedRow``, and the task that does them.

    ``silent``: a worker of which nothing else is known, and that says nothing for so long, is gone.
    ``abandoned``: called with rows whose worker is gone and the attempts that they had; it puts them back or
    gives them up. ``fresh``: columns of a row that was put back.
    """

    def __init__(
        self,
        model: type[Model],
        task: Task[[int], None],
        silent: timedelta,
        abandoned: Callable[[QuerySet[Any], int], object],
        fresh: Mapping[str, Any],
    ) -> None:
        self.rows: QuerySet[Any] = model._default_manager.all()
        self.task, self.silent, self.abandoned, self.fresh = task, silent, abandoned, fresh

    def waiting(self) -> QuerySet[Any]:
        return self.rows.filter(state=RowState.WAITING)

    def running(self) -> QuerySet[Any]:
        return self.rows.filter(state=RowState.RUNNING)

    def enqueue(self, row: Any) -> None:
        number = enqueue(self.task, row.pk)
        waiting = self.rows.filter(pk=row.pk, state=RowState.WAITING)
        waiting.update(task=number, queued=timezone.now() if number else None)

    def claim(self, key: int, worker: str) -> Any:
        """Take the row of this key for this worker alone; None when it does not wait."""
        taken = {"state": RowState.RUNNING, "worker": worker, "heartbeat": timezone.now()}
        claimed = self.waiting().filter(pk=key).update(**taken, attempts=F("attempts") + 1)
        return self.rows.get(pk=key) if claimed else None

    @contextmanager
    def claimed(self, key: int) -> Iterator[Any]:
        """``claim`` for this process. When it is told to end meanwhile the row waits again, and this attempt
        does not count.
        """
        row = self.claim(key, f"{_machine()}:{os.getpid()}:{new_key()[:8]}")
        try:
            yield row
        except (SystemExit, KeyboardInterrupt):
            # In the middle of a query a connection takes no other.
            if not connection.in_atomic_block:
                connection.close()
            if row and self.put_back(self.held(row), attempts=F("attempts") - 1):
                self.enqueue(row)
            raise

    def held(self, row: Any) -> QuerySet[Any]:
        """The row, as long as the worker has it that took it."""
        return self.running().filter(pk=row.pk, worker=row.worker)

    def put_back(self, rows: QuerySet[Any], **values: Any) -> int:
        """Let these rows wait for another worker, and to be queued; how many."""
        anew = {"state": RowState.WAITING, "worker": "", "heartbeat": None, "task": "", "queued": None}
        return rows.update(**anew, **self.fresh, **values)

    def without_worker(self) -> Iterator[tuple[Any, QuerySet[Any]]]:
        """Each row whose worker is gone, and the same as a query for as long as it is so: a worker that came
        back keeps it.
        """
        for row in self.running().only("worker", "heartbeat", "attempts"):
            if _is_dead(row.worker) or row.heartbeat is None or row.heartbeat < timezone.now() - self.silent:
                yield row, self.held(row).filter(heartbeat=row.heartbeat)

    def recover(self, as_worker: bool = True) -> None:
        """Put back or give up rows whose worker is gone, and put into the queue what waits and is not there.
        A worker leaves a sign at what is there: ``queued`` is anew, so that a page about a row that waits
        tells that a worker lives.
        """
        for row, as_seen in self.without_worker():
            self.abandoned(as_seen, row.attempts)
        late = Q(queued=None) | Q(queued__lt=timezone.now() - QUEUED)
        found = []
        for row in (
            self.waiting().filter(late).order_by(F("queued").asc(nulls_first=True)).only("task")[:BATCH]
        ):
            if not is_queued(row.task):
                self.enqueue(row)
            elif as_worker:
                found.append(row.pk)
        if found:
            self.waiting().filter(pk__in=found).update(queued=timezone.now())
