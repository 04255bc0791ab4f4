"""The site counts while it works: Prometheus' own counters, in the memory of each process. A server and a
worker write theirs whole to a small file now and then, in the form that Prometheus reads.

A process takes the file of one that has ended, and goes on from what that had counted, or makes a new one. So
a folder has as many files as there were processes at a time, and their sum does not fall when one ends. What
cannot be written, as on a full disk, stays in memory: that costs counts, and nothing else.
"""

import fcntl
import os
import socket
import time
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread, main_thread
from types import SimpleNamespace
from typing import IO, Any

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

# When a counter was made says nothing here: another process may have begun it.
disable_created_metrics()

# What processes are that count: one that answers requests, one that looks after a worker, and one that makes
# what a worker makes.
SERVER, WORKER, TASKS = "server", "worker", "tasks"
# Seconds after which a count stands in the file at the latest.
EVERY = 2.0
# Names an address that is none.
NO_VIEW = "none"

_registry = CollectorRegistry()
_here: dict[str, Any] = {"registry": _registry}
_requests = Counter("cutout_requests", "Requests that Django answered", ("view", "status"), **_here)
# Seconds: pages are made in milliseconds, sheets in seconds.
_seconds = Histogram(
    "cutout_request_seconds",
    "Seconds until an answer was made",
    ("view",),
    buckets=(0.005, 0.02, 0.05, 0.1, 0.3, 0.8, 2.5, 10.0),
    **_here,
)
_queries = Counter("cutout_queries", "Queries of requests", ("view",), **_here)
_slow = Counter(
    "cutout_slow_queries",
    "Queries of requests that took longer than CUTOUT_SLOW_QUERY_MS",
    ("view",),
    **_here,
)
_refused = Counter(
    "cutout_refused", "Requests that were refused, by the code of the fault", ("code", "status"), **_here
)
_file_seconds = Histogram(
    "cutout_file_seconds",
    "Seconds for a file to print",
    ("kind",),
    buckets=(0.1, 0.5, 2.0, 10.0, 60.0, 300.0),
    **_here,
)
_file_pages = Counter("cutout_file_pages", "Pages of files to print", ("kind",), **_here)
LOGINS = Counter("cutout_logins", "Log-ins", **_here)
FAILED_LOGINS = Counter("cutout_failed_logins", "Log-ins with a wrong name, password or passkey", **_here)
JUDGED_DECKS = Counter("cutout_judged_decks", "Decks that were judged", **_here)
SHARED_CACHE_FAILURES = Counter(
    "cutout_shared_cache_failures",
    "Times that the shared cache failed, and a process counted for itself for some seconds",
    **_here,
)
SENT_LETTERS = Counter("cutout_sent_letters", "Letters that were handed to the mail server", **_here)


def answered(view: str, status: int, seconds: float, queries: int, slow_queries: int) -> None:
    """Count a request that Django answered. ``view``: the name of its address, never the address; ``seconds``
    until the answer was made.
    """
    view = view or NO_VIEW
    _requests.labels(view, f"{status // 100}xx").inc()
    _seconds.labels(view).observe(seconds)
    _queries.labels(view).inc(queries)
    _slow.labels(view).inc(slow_queries)


def refused(code: str, status: int) -> None:
    """Count a request that was refused, for a fault of this code."""
    _refused.labels(code, str(status)).inc()


def made(kind: str, seconds: float, pages: int) -> None:
    """Count a file to print that was made: sheets or another kind, in so many seconds, with so many pages."""
    _file_seconds.labels(kind).observe(seconds)
    _file_pages.labels(kind).inc(pages)


class CountsFile:
    """The file of this process in a folder that other processes read, and what they wrote there. A collector
    of Prometheus' library.
    """

    def __init__(self, folder: Path, role: str) -> None:
        self.folder, self.writing, self.written = folder, Lock(), b""
        self.path: Path | None = None
        with suppress(OSError):
            self.path, self.lock = _taken(folder, role)
        self.before = _read(self.path) if self.path else []

    def own(self) -> list[Metric]:
        """Return the metrics of this process, with those of processes whose file it took."""
        return _added([*self.before, *_registry.collect()])

    def write(self) -> None:
        """Write all that was counted here, whole or not at all."""
        with self.writing, suppress(OSError):
            counted = generate_latest(SimpleNamespace(collect=self.own))
            if self.path and counted != self.written:
                new = self.path.with_suffix(".new")
                new.write_bytes(counted)
                new.replace(self.path)
                self.written = counted

    def close(self) -> None:
        """Write for the last time, and leave the file to another process."""
        self.write()
        with self.writing:
            if self.path:
                self.lock.close()
                self.path = None

    def collect(self) -> Iterable[Metric]:
        """Return the sums over all processes whose files lie in the folder."""
        # What is told once stays in the sum when this process is killed.
        self.write()
        others = (path for path in sorted(self.folder.glob("*.prom")) if path != self.path)
        return _added([*self.own(), *(metric for path in others for metric in _read(path))])

    def workers(self) -> int:
        """Return the number of workers of this folder that live."""
        return sum(role == WORKER for _, _, role in self._living())

    def processes(self) -> list[int]:
        """Return the numbers of the processes of this machine that count in this folder."""
        return [int(number) for host, number, _ in self._living() if host == socket.gethostname()]

    def _living(self) -> Iterable[list[str]]:
        """Yield host, number and role of each process that counts in this folder."""
        for path in sorted(self.folder.glob("*.lock")):
            with suppress(OSError), path.open() as lock:
                try:
                    fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
                except BlockingIOError:
                    if len(whose := lock.read().split()) == 3:
                        yield whose


def _taken(folder: Path, role: str) -> tuple[Path, IO[str]]:
    """Return a file that no living process counts in, and the lock that says that this one does; it says
    whose it is, too.
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
        return folder / f"{number}.prom", lock


def _read(path: Path) -> list[Metric]:
    """Return the metrics of this file; none if it cannot be read."""
    with suppress(OSError, ValueError):
        return list(text_string_to_metric_families(path.read_text(encoding="utf-8")))
    return []


def _added(metrics: Iterable[Metric]) -> list[Metric]:
    """Return the sums of those of one name, labels by labels."""
    named: dict[str, Metric] = {}
    sums: defaultdict[str, defaultdict[Any, float]] = defaultdict(lambda: defaultdict(float))
    for metric in metrics:
        named.setdefault(metric.name, Metric(metric.name, metric.documentation, metric.type))
        for sample in metric.samples:
            sums[metric.name][sample.name, tuple(sorted(sample.labels.items()))] += sample.value
    for name, values in sums.items():
        for (sample_name, labels), value in values.items():
            named[name].add_sample(sample_name, dict(labels), value)
    return list(named.values())


_file: CountsFile | None = None


def start(folder: Path, role: str, every: float = EVERY) -> None:
    """Count from nothing, and write to a file of this folder from now on. ``role``: SERVER, WORKER or TASKS.
    A process that was forked says so anew, else it tells what the other counted too; one that forks others,
    the worker, has no thread for it and calls ``write``.
    """
    global _file
    for metric in (_requests, _seconds, _queries, _slow, _refused, _file_seconds, _file_pages):
        metric.clear()
    for event in (LOGINS, FAILED_LOGINS, JUDGED_DECKS, SHARED_CACHE_FAILURES, SENT_LETTERS):
        event.reset()
    _file = CountsFile(folder, role)
    if role != WORKER:
        # A server waits for the last writing when it ends; what makes tasks writes by itself then (``stop``).
        Thread(target=_write_on, args=(_file, every), daemon=role == TASKS).start()


def write() -> None:
    """Write what this process counted, if it has a file."""
    if _file:
        _file.write()


def _write_on(file: CountsFile, every: float) -> None:
    while file is _file and main_thread().is_alive():
        time.sleep(every)
        file.write()


def stop() -> None:
    """Write no more."""
    global _file
    if _file:
        _file.close()
    _file = None


def counts_file() -> CountsFile | None:
    """Return the file in which this process counts; None where it writes none."""
    return _file
