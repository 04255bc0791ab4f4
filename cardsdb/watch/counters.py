"""The counters themselves: Prometheus' own, in the memory of each process, which writes them whole to a small
file of its own now and then.

A process takes the file of one that has ended, and goes on from what that had counted, or makes a new one. So
a folder has as many files as there were processes at a time, and their sum does not fall when one ends. What
cannot be written, as on a full disk, stays in memory: that costs counts, and nothing else.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer
from typing import IO, Any

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics
from prometheus_client.metrics_core import Metric

from cardsdb.watch.counting import WORKER, Answered

# Seconds: pages are made in milliseconds, sheets in seconds.
BUCKETS = (0.005, 0.02, 0.05, 0.1, 0.3, 0.8, 2.5, 10.0)
OF_FILES = (0.1, 0.5, 2.0, 10.0, 60.0, 300.0)
# What is counted besides requests: name -> what it says.
EVENTS = {
    "logins": "Log-ins",
    "failed_logins": "Log-ins with a wrong name, password or passkey",
    "judged_decks": "Decks that were judged",
    "shared_cache_failures": (
        "Times that the shared cache failed, and a process counted for itself for some seconds"
    ),
    "sent_letters": "Letters that were handed to the mail server",
}
# Names an address that is none.
NO_VIEW = "none"
# Seconds after which a count stands in the file at the latest.
EVERY = 2.0

# When a counter was made says nothing here: another process may have begun it.
disable_created_metrics()


def _taken(folder: Path, role: str) -> tuple[Path, IO[str]]:
    """A file that no living process counts in, and the lock that says that this one does; it says whose it
    is, too.
    """
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    while True:
        lock = (folder / f"{number}.lock").open("a+")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            number += 1
            continue
        with suppress(OSError):
            lock.truncate(0)
            os.write(lock.fileno(), f"{socket.gethostname()} {os.getpid()} {role}".encode())
        return folder / f"{number}.json", lock


def _read(path: Path) -> list[Metric]:
    """The metrics of this file; none if it cannot be read."""
    with suppress(OSError, ValueError, TypeError):
        found = []
        for name, says, kind, samples in json.loads(path.read_bytes()):
            found.append(Metric(name, says, kind))
            for sample, labels, value in samples:
                found[-1].add_sample(sample, labels, value)
        return found
    return []


def _added(metrics: Iterable[Metric]) -> list[Metric]:
    """The sums of those of one name, labels by labels."""
    sums: dict[str, tuple[Metric, dict[Any, float]]] = {}
    for metric in metrics:
        _, values = sums.setdefault(metric.name, (Metric(metric.name, metric.documentation, metric.type), {}))
        for sample in metric.samples:
            key = sample.name, tuple(sample.labels.items())
            values[key] = values.get(key, 0.0) + sample.value
    for metric, values in sums.values():
        for (name, labels), value in values.items():
            metric.add_sample(name, dict(labels), value)
    return [metric for metric, _ in sums.values()]


class Counters:
    """All counters of one process. Safe for threads. A forked process must begin with some of its own
    (``counting.start``).
    """

    def __init__(self, folder: Path, role: str) -> None:
        self.folder = folder
        self.path: Path | None = None
        self._writing, self._is_due = Lock(), False
        with suppress(OSError):
            self.path, self._lock = _taken(folder, role)
        self._before = _read(self.path) if self.path else []
        self._registry = CollectorRegistry()
        mine: dict[str, Any] = {"registry": self._registry}
        self._requests = Counter(
            "cutout_requests", "Requests that Django answered", ("view", "status"), **mine
        )
        self._seconds = Histogram(
            "cutout_request_seconds", "Seconds until an answer was made", ("view",), buckets=BUCKETS, **mine
        )
        self._queries = Counter("cutout_queries", "Queries of requests", ("view",), **mine)
        self._slow = Counter(
            "cutout_slow_queries",
            "Queries of requests that took longer than CUTOUT_SLOW_QUERY_MS",
            ("view",),
            **mine,
        )
        self._refused = Counter(
            "cutout_refused",
            "Requests that were refused, by the code of the fault",
            ("code", "status"),
            **mine,
        )
        self._events = {name: Counter(f"cutout_{name}", says, **mine) for name, says in EVENTS.items()}
        self._made = Histogram(
            "cutout_file_seconds", "Seconds for a file to print", ("kind",), buckets=OF_FILES, **mine
        )
        self._pages = Counter("cutout_file_pages", "Pages of files to print", ("kind",), **mine)
        self._of_view: dict[str, tuple[Any, Any, Any]] = {}
        self._of_status: dict[tuple[str, int], Any] = {}

    def refused(self, code: str, status: int) -> None:
        self._refused.labels(code, str(status)).inc()
        self._write_soon()

    def happened(self, what: str, number: float) -> None:
        self._events[what].inc(number)
        self._write_soon()

    def answered(self, request: Answered) -> None:
        view, group = request.view or NO_VIEW, request.status // 100
        # Looked up by hand: the library's way to a counter with labels costs as much as all the rest.
        if (of_view := self._of_view.get(view)) is None:
            of_view = self._of_view[view] = (
                self._seconds.labels(view),
                self._queries.labels(view),
                self._slow.labels(view),
            )
        if (count := self._of_status.get((view, group))) is None:
            count = self._of_status[view, group] = self._requests.labels(view, f"{group}xx")
        count.inc()
        of_view[0].observe(request.seconds)
        if request.queries:
            of_view[1].inc(request.queries)
        if request.slow_queries:
            of_view[2].inc(request.slow_queries)
        self._write_soon()

    def made(self, kind: str, seconds: float, pages: int) -> None:
        self._made.labels(kind).observe(seconds)
        self._pages.labels(kind).inc(pages)
        self._write_soon()

    def _write_soon(self) -> None:
        if not self._is_due:
            # A process that ends waits for it. Where no thread can be begun the next count tries again.
            with suppress(RuntimeError):
                Timer(EVERY, self.write).start()
                self._is_due = True

    def write(self) -> None:
        """Write all that was counted here, whole or not at all."""
        self._is_due = False
        with self._writing, suppress(OSError):
            if self.path is None:
                return
            counted = [
                [one.name, one.documentation, one.type, [sample[:3] for sample in one.samples]]
                for one in self.own()
            ]
            new = self.path.with_suffix(".new")
            new.write_text(json.dumps(counted), encoding="utf-8")
            new.replace(self.path)

    def own(self) -> list[Metric]:
        """The metrics of this process, with those of processes whose file it took."""
        return _added([*self._before, *self._registry.collect()])

    def close(self) -> None:
        """Write for the last time, and leave the file to another process."""
        self.write()
        with self._writing:
            if self.path:
                self._lock.close()
                self.path = None

    # -- what all processes have counted whose files lie beside this one's: a collector of Prometheus' library ----------

    def collect(self) -> Iterable[Metric]:
        # What is told once stays in the sum when this process is killed.
        self.write()
        others = (path for path in sorted(self.folder.glob("*.json")) if path != self.path)
        return _added([*self.own(), *(metric for path in others for metric in _read(path))])

    def workers(self) -> int:
        """The number of workers of this folder that live."""
        return sum(role == WORKER for _, _, role in self._living())

    def processes(self) -> Iterator[int]:
        """The numbers of the processes of this machine that count in this folder."""
        return (int(number) for host, number, _ in self._living() if host == socket.gethostname())

    def _living(self) -> Iterator[list[str]]:
        """Host, number and role of each process that counts in this folder."""
        for path in sorted(self.folder.glob("*.lock")):
            with suppress(OSError), path.open() as lock:
                try:
                    fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
                except BlockingIOError:
                    if len(whose := lock.read().split()) == 3:
                        yield whose
