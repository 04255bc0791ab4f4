"""How the site is at this moment, in numbers for Prometheus: what waits, what failed, how old the catalogue
is, what the processes hold.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from django.db.models import Count, Min
from django.utils import timezone
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric

from cardsdb.catalogue.current import held_edition
from cardsdb.models import Edition, Letter, RowState
from cardsdb.watch import counting
from printing.doctor.backups import last_backup
from printing.models import PrintJob

PAGE = os.sysconf("SC_PAGE_SIZE")


def exposition() -> bytes:
    """All counters of all processes, and the numbers of this moment, as Prometheus reads them."""
    registry = CollectorRegistry()
    counters = counting.counters()
    if counters:
        registry.register(counters)
    registry.register(SiteNow(counters.processes() if counters else ()))
    return generate_latest(registry)


class SiteNow:
    """A collector of Prometheus' library. ``processes``: the numbers of those whose memory is told."""

    def __init__(self, processes: Iterable[int]) -> None:
        self.processes = processes

    def describe(self) -> Iterable[Metric]:
        """Nothing: the library would ask for all numbers once only to learn their names."""
        return ()

    def collect(self) -> Iterator[Metric]:
        now = timezone.now()
        jobs = GaugeMetricFamily(
            "cutout_print_jobs", "Print jobs that are stored, by their state", labels=["state"]
        )
        states = dict(
            PrintJob.objects.all_owners("counted for the operator")
            .order_by()
            .values_list("state")
            .annotate(Count("pk"))
        )
        for state in RowState:
            jobs.add_metric([state.value], states.get(state.value, 0))
        yield jobs
        waiting = (
            PrintJob.objects.all_owners("how long the first has waited")
            .filter(state=RowState.WAITING)
            .aggregate(first=Min("made"))["first"]
        )
        yield _gauge(
            "cutout_oldest_waiting_job_seconds",
            "For how long the first of the print jobs has waited",
            _since(waiting, now),
        )
        letters = Letter.objects.aggregate(number=Count("pk"), first=Min("due"))
        yield _gauge("cutout_letters", "Letters that wait for the mail server", letters["number"])
        yield _gauge(
            "cutout_oldest_letter_seconds",
            "For how long the first letter is due",
            _since(letters["first"], now),
        )
        edition = Edition.objects.current()
        yield _gauge("cutout_edition", "The number of the edition in the database", edition.number)
        yield _gauge(
            "cutout_edition_age_seconds", "Seconds since that edition was made", _since(edition.made, now)
        )
        yield _gauge(
            "cutout_snapshot_edition",
            "The edition in the memory of the process that answers this; 0 for none",
            held_edition(),
        )
        if backup := last_backup():
            yield _gauge(
                "cutout_backup_age_seconds", "Seconds since the last backup", _since(backup.made, now)
            )
        memory = GaugeMetricFamily("cutout_memory_bytes", "Memory that a process holds (RSS)", labels=["pid"])
        for number in self.processes:
            if held := _memory(number):
                memory.add_metric([str(number)], held)
        yield memory


def _gauge(name: str, says: str, value: float) -> Metric:
    return GaugeMetricFamily(name, says, value=value)


def _since(moment: datetime | None, now: datetime) -> float:
    return max(0.0, (now - moment).total_seconds()) if moment else 0.0


def _memory(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]) * PAGE
    except (OSError, IndexError, ValueError):
        return 0
