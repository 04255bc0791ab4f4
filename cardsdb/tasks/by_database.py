"""Tasks of the database's queue, taken and made by the engine's own worker."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence

from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

# What ends a process ends the engine's task only, which counts it among its failures.
ENDS = ("builtins.SystemExit", "builtins.KeyboardInterrupt")


class DatabaseWorker(Worker):
    """The engine's worker, but that a process which is told to end does so, though a task is under way."""

    def run_task(self, db_task_result: DBTaskResult) -> None:
        super().run_task(db_task_result)
        if db_task_result.exception_class_path in ENDS:
            raise SystemExit(0)


def work_one(queues: Sequence[str]) -> bool:
    """Make the first task of these queues, if one waits."""
    # To look takes no lock; to take a task locks the database for a moment.
    if not DBTaskResult.objects.ready().filter(queue_name__in=queues).exists():
        return False
    DatabaseWorker(
        queue_names=list(queues),
        excluded_queue_names=[],
        interval=0.1,
        batch=True,
        backend_name="default",
        startup_delay=False,
        max_tasks=1,
        worker_id=f"{socket.gethostname()[:40]}:{os.getpid()}",
    ).run()
    return True
