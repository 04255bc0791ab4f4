"""Tasks of the queue in Redis, taken and made by RQ."""

from __future__ import annotations

from collections.abc import Sequence
from types import FrameType

from django_rq.workers import get_worker
from django_tasks_rq import Job
from rq.worker import SimpleWorker


class RedisWorker(SimpleWorker):
    """RQ's worker, but that a process which is told to end does so, though a task is under way."""

    told_to_end = False

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        # What this raises in a task RQ counts as the task's failure; then the loop ends.
        self._stop_requested = self.told_to_end = True
        raise SystemExit(0)


def work_one(queues: Sequence[str]) -> bool:
    """Make the first task of these queues, if one waits."""
    worker = get_worker(*queues, job_class=Job, worker_class=RedisWorker)
    if all(queue.is_empty() for queue in worker.queues):
        return False
    made: bool = worker.work(burst=True, max_jobs=1, logging_level="WARNING")
    if worker.told_to_end:
        raise SystemExit(0)
    return made
