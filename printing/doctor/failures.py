"""What failed of late, and what waits: of people's things no more than how many, and what a program said went
wrong.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db.models import Count
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from cardsdb.models import Letter, RowState
from cardsdb.watch import counting
from printing.models import PrintJob

MAX_SHOWN = 10
LATELY = timedelta(days=7)


class Failure(NamedTuple):
    """When something failed (unknown of letters that wait for their next try), what it was, and what was said
    of it.
    """

    when: datetime | None
    what: str
    said: str


class Waiting(NamedTuple):
    """What is under way. ``workers`` are those of this machine that live; None where nothing counts them."""

    waiting_jobs: int
    running_jobs: int
    letters: int
    workers: int | None


def waiting() -> Waiting:
    states = dict(
        PrintJob.objects.all_owners("counted for the operator")
        .order_by()
        .values_list("state")
        .annotate(Count("pk"))
    )
    counters = counting.counters()
    workers = counters.workers() if counters else None
    return Waiting(
        states.get(RowState.WAITING, 0), states.get(RowState.RUNNING, 0), Letter.objects.count(), workers
    )


def failures() -> list[Failure]:
    """The latest first: print jobs, tasks and letters that failed, or fail and are tried again, in the last
    week.
    """
    since = timezone.now() - LATELY
    jobs = (
        PrintJob.objects.all_owners("why some failed, for the operator")
        .filter(state=RowState.FAILED, made__gt=since)
        .order_by("-made")
        .values_list("made", "error")
    )
    found = [Failure(when, "print job", said) for when, said in jobs[:MAX_SHOWN]]
    if not settings.TASKS_URL:
        tasks = DBTaskResult.objects.filter(status="FAILED", finished_at__gt=since).order_by("-finished_at")
        for when, path, error in tasks.values_list("finished_at", "task_path", "exception_class_path")[
            :MAX_SHOWN
        ]:
            found.append(Failure(when, f"task {path.rpartition('.')[2]}", error.rpartition(".")[2]))
    if tried := Letter.objects.filter(attempts__gt=0).count():
        found.append(Failure(None, "letters", f"{tried} could not be sent yet, and are tried again"))
    oldest = timezone.now() - LATELY
    return sorted(found, key=lambda failure: failure.when or oldest, reverse=True)[:MAX_SHOWN]
