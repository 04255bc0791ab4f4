"""The queue of tasks. django-tasks keeps it, in the database or in the Redis of ``TASKS_URL``.

A task's argument is the key of a ``QueuedRow`` (only ``printing/tasks/jobs.py`` has such), from which a lost
queue can be rebuilt. The row is the truth, and the queue only says that it is there::

    WAITING --claim--> RUNNING --the task ends--> DONE, FAILED or CANCELLED
       ^                  |
       +-----put_back-----+  its worker was told to end (``claimed``), or died (``recover``)

Each step is one conditional update: only one worker does a task, however often the queue hands it out, and a
worker that lost its row notices at its next heartbeat. Tests of claiming and recovering:
``test_lost.py`` in ``tests/printing/tasks``, with Redis ``test_redis.py``.
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
# Time between taking a task from the queue and claiming its row, which is hardly more than importing its
# code.
STARTING = timedelta(seconds=20)
# A row queued this long ago that still waits is checked for being in the queue.
QUEUED = timedelta(seconds=10)
# Rows that one recovery checks, so that it ends soon.
BATCH = 100
# Files of Linux: the content of the first differs between machines, the number of the second between
# containers of one machine.
BOOT = Path("/proc/sys/kernel/random/boot_id")
PROCESSES = Path("/proc/self/ns/pid")
# Entries that are over or were never taken are deleted from the database's queue after this time. Rows that
# still wait are queued again.
RETENTION = timedelta(days=1)


def enqueue(task: Task[[int], None], key: int) -> str:
    """Put a task into the queue and return its id; "" if Redis does not answer or is full. The next recovery
    queues it then.
    """
    try:
        return task.enqueue(key).id
    except RedisError as error:
        log.warning("the queue of tasks takes nothing; what was asked for waits: %s", error)
        return ""


def is_queued(number: str) -> bool:
    """True if a worker will get this task, or has just taken it."""
    if not number:
        return False
    try:
        task = default_task_backend.get_result(number)
    except TaskResultDoesNotExist:
        return False
    except RedisError:
        # Unknown; assume it is queued, since a second task would be superfluous.
        return True
    # A task that was taken longer ago should have claimed its row; if the row still waits, its worker died.
    just_taken = task.started_at is not None and task.started_at > timezone.now() - STARTING
    return task.status == TaskResultStatus.READY or (task.status == TaskResultStatus.RUNNING and just_taken)


def forget_ended() -> None:
    """Delete old entries from the database's queue: finished ones, those of dead workers, and those never
    taken. Redis expires them by itself.
    """
    before = timezone.now() - RETENTION
    taken = Q(status=TaskResultStatus.RUNNING, started_at__lt=before)
    not_taken = Q(status=TaskResultStatus.READY, enqueued_at__lt=before)
    DBTaskResult.objects.filter(Q(finished_at__lt=before) | taken | not_taken).delete()


def _machine() -> str:
    """Return a name for the scope of process ids. The host name does not suffice: containers and cloned
    machines may have the same.
    """
    parts = [socket.gethostname()]
    with suppress(OSError):
        parts += [BOOT.read_text(), str(PROCESSES.stat().st_ino)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def lives(process: int) -> bool:
    """True if this machine has a process of this id, also one of another user."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _is_dead(worker: str) -> bool:
    """True if the worker's process is known to have ended; nothing is known of processes of other machines.

    ``worker`` is named as ``QueuedRows.claimed`` does: machine, process id and random letters, such as
    "8c23b46acb5708b8:4711:eN0uYcqO".
    """
    machine, _, rest = worker.partition(":")
    process = whole_number(rest.partition(":")[0])
    is_alive = lives(process) if process else False
    return machine == _machine() and not is_alive


class Lost(Exception):
    """The row is no longer this worker's."""


class QueuedRows:
    """The rows of one table, a ``QueuedRow``, with the task that does them.

    ``silent``: a worker without a heartbeat for this long counts as dead. ``abandoned``: called with the row
    of a dead worker, as a queryset, and its attempts; it puts the row back or gives it up. ``fresh``: column
    values of a row that is put back.
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
        """The rows that wait for a worker."""
        return self.rows.filter(state=RowState.WAITING)

    def running(self) -> QuerySet[Any]:
        """The rows that a worker has."""
        return self.rows.filter(state=RowState.RUNNING)

    def enqueue(self, row: Any) -> None:
        """Queue the task of a waiting row, and note its id."""
        number = enqueue(self.task, row.pk)
        queued = timezone.now() if number else None
        self.waiting().filter(pk=row.pk).update(task=number, queued=queued)

    def claim(self, key: int, worker: str) -> Any:
        """Give the row to this worker alone, and return it; None if it does not wait."""
        taken = {"state": RowState.RUNNING, "worker": worker, "heartbeat": timezone.now()}
        claimed = self.waiting().filter(pk=key).update(**taken, attempts=F("attempts") + 1)
        return self.rows.get(pk=key) if claimed else None

    @contextmanager
    def claimed(self, key: int) -> Iterator[Any]:
        """Claim a row for this process; the value of the ``with`` block is the row, None if another worker
        has it. If the process is told to end inside the block, the row waits again and this attempt does not
        count.
        """
        # The random letters tell two claims of one process apart.
        row = self.claim(key, f"{_machine()}:{os.getpid()}:{new_key()[:8]}")
        try:
            yield row
        except (SystemExit, KeyboardInterrupt):
            # The signal may have come in the middle of a query; that connection cannot be used again.
            if not connection.in_atomic_block:
                connection.close()
            if row and self.put_back(self.held(row), attempts=F("attempts") - 1):
                self.enqueue(row)
            raise

    def held(self, row: Any) -> QuerySet[Any]:
        """The row as a queryset, empty once this worker has lost it."""
        return self.running().filter(pk=row.pk, worker=row.worker)

    def put_back(self, rows: QuerySet[Any], **values: Any) -> int:
        """Make these rows wait for another worker, out of the queue for now; return their number."""
        reset = {"state": RowState.WAITING, "worker": "", "heartbeat": None, "task": "", "queued": None}
        return rows.update(**reset, **self.fresh, **values)

    def without_worker(self) -> Iterator[tuple[Any, QuerySet[Any]]]:
        """Yield (row, queryset) of each row whose worker is dead or silent. The queryset finds the row as
        long as its heartbeat is the one seen here: it is empty if the worker comes back meanwhile.
        """
        for row in self.running().only("worker", "heartbeat", "attempts"):
            if _is_dead(row.worker) or row.heartbeat is None or row.heartbeat < timezone.now() - self.silent:
                yield row, self.held(row).filter(heartbeat=row.heartbeat)

    def recover(self, as_worker: bool = True) -> None:
        """Put back or give up rows of dead workers, and queue waiting rows that are not in the queue.

        A worker renews ``queued`` of rows that it finds there, which tells the page of a waiting row that a
        worker is alive. Others call it with ``as_worker=False``.
        """
        for row, as_seen in self.without_worker():
            self.abandoned(as_seen, row.attempts)
        # Rows that are not in the queue (None), or whose place there was checked too long ago.
        is_late = Q(queued=None) | Q(queued__lt=timezone.now() - QUEUED)
        late = self.waiting().filter(is_late).order_by(F("queued").asc(nulls_first=True))
        still_queued = []
        for row in late.only("task")[:BATCH]:
            if not is_queued(row.task):
                self.enqueue(row)
            elif as_worker:
                still_queued.append(row.pk)
        if still_queued:
            self.waiting().filter(pk__in=still_queued).update(queued=timezone.now())
