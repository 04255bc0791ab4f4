"""Tasks of the queue in Redis, taken and made by RQ."""

from __future__ import annotations

from collections.abc import Sequence
from types import FrameType
from typing import Any

from django_rq.workers import get_worker
from django_tasks_rq import Job
from rq.worker import SimpleWorker


class RedisWorker(SimpleWorker):
    """RQ's worker, but that a process which is told to end does so, though a task is under way."""

    made, told_to_end = 0, False

    def perform_job(self, *args: Any, **kwargs: Any) -> bool:
        self.made += 1
        return bool(super().perform_job(*args, **kwargs))

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        # What this raises in a task RQ counts as the task's failure; then the loop ends.
        self._stop_requested = self.told_to_end = True
        raise SystemExit(0)


def work_off(queues: Sequence[str]) -> int:
    """Make the tasks that wait in these queues; how many."""
    worker = get_worker(*queues, job_class=Job, worker_class=RedisWorker)
    if all(queue.is_empty() for queue in worker.queues):
        return 0
    worker.work(burst=True, logging_level="WARNING")
    if worker.told_to_end:
        raise SystemExit(0)
    return int(worker.made)
