"""The queue of tasks: django-tasks keeps it, in the database or in the Redis of ``TASKS_URL``.

A task's one argument is the key of a row of ours, which says what is to be done and how far it is. So the queue holds nothing that
cannot be put into it again, and a task that comes twice finds its row done or in other hands, and ends.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from django_tasks import TaskResultStatus, default_task_backend
from django_tasks.base import Task
from django_tasks.exceptions import TaskResultDoesNotExist

log = logging.getLogger(__name__)

# What may take minutes, and what nobody should wait behind it. Each has a process of the worker.
LONG, SOON = "default", "soon"
QUEUES = (LONG, SOON)
# Between the taking of a task and its first word in its row lies no more than importing what it needs.
STARTING = timedelta(seconds=20)
# How long the database's queue keeps what is over.
KEPT = timedelta(days=1)


def away() -> tuple[type[Exception], ...]:
    """What a Redis raises that does not answer, or takes nothing: it is full, only to be read, or not for us. It is imported by those
    alone whose task could not be queued."""
    from redis.exceptions import RedisError

    return (RedisError,)


def enqueue(task: Task[[int], None], key: int) -> str:
    """Put a task into the queue; its number there, or nothing while the queue does not answer. Then the next look does it."""
    try:
        return task.enqueue(key).id
    except away() as error:
        log.warning("the queue of tasks takes nothing; what was asked for waits: %s", error)
        return ""


def is_queued(number: str) -> bool:
    """Whether a worker will come to this task, or has just taken it."""
    if not number:
        return False
    try:
        task = default_task_backend.get_result(number)
    except TaskResultDoesNotExist:
        return False
    except away():
        # Nobody knows; a second task would be too many rather than too few.
        return True
    just_taken = task.started_at is not None and task.started_at > timezone.now() - STARTING
    return task.status == TaskResultStatus.READY or (task.status == TaskResultStatus.RUNNING and just_taken)


def forget_ended() -> None:
    """Delete from the database's queue what is over, and what a worker took that is no more. Redis does so by itself."""
    from django_tasks_db.models import DBTaskResult

    before = timezone.now() - KEPT
    over = Q(finished_at__lt=before) | Q(status=TaskResultStatus.RUNNING, started_at__lt=before)
    DBTaskResult.objects.filter(over).delete()
