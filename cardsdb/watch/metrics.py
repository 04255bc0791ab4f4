"""Metrics for Prometheus, counted in memory and written to small files that any process can add up.

Each server, worker and task process writes its counts to a file of its own, in Prometheus' text format, every
few seconds. A new process takes over the file of one that has ended and continues its counts. So there are
only as many files as processes at a time, and sums never fall. If the disk is full, counts stay in memory and
may be lost; nothing else fails.

Rooms of all three apps count here; ``cardsdb/operate/status.py`` shows the sums. A new metric is declared
among those below and named in ``start`` too, which sets it to zero.
Tests: ``tests/cardsdb/watch/test_metrics.py``.
"""

import fcntl
import os
import socket
import time
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Lock, Thread, main_thread
from types import SimpleNamespace
from typing import IO, Any

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

# Times of creation mean nothing here, since another process may have begun the count.
disable_created_metrics()

# Roles of processes: one that answers requests, the worker, and the worker's child that does tasks.
SERVER, WORKER, TASKS = "server", "worker", "tasks"
# Seconds between two writings of the file.
EVERY = 2.0
# The name of the view for an address that leads nowhere.
NO_VIEW = "none"

_registry = CollectorRegistry()
_counter, _histogram = partial(Counter, registry=_registry), partial(Histogram, registry=_registry)
_requests = _counter("cutout_requests", "Requests that Django answered", ("view", "status"))
# Buckets are upper bounds in seconds. Pages take milliseconds, sheets take seconds.
_seconds = _histogram(
    "cutout_request_seconds",
    "Seconds until an answer was made",
    ("view",),
    buckets=(0.005, 0.02, 0.05, 0.1, 0.3, 0.8, 2.5, 10.0),
)
_queries = _counter("cutout_queries", "Queries of requests", ("view",))
_slow = _counter(
    "cutout_slow_queries", "Queries of requests that took longer than CUTOUT_SLOW_QUERY_MS", ("view",)
)
_refused = _counter(
    "cutout_refused", "Requests that were refused, by the code of the fault", ("code", "status")
)
_file_seconds = _histogram(
    "cutout_file_seconds",
    "Seconds for a file to print",
    ("kind",),
    buckets=(0.1, 0.5, 2.0, 10.0, 60.0, 300.0),
)
_file_pages = _counter("cutout_file_pages", "Pages of files to print", ("kind",))
LOGINS = _counter("cutout_logins", "Log-ins")
FAILED_LOGINS = _counter("cutout_failed_logins", "Log-ins with a wrong name, password or passkey")
JUDGED_DECKS = _counter("cutout_judged_decks", "Decks that were judged")
SHARED_CACHE_FAILURES = _counter(
    "cutout_shared_cache_failures",
    "Times that the shared cache failed, and a process counted for itself for some seconds",
)
SENT_LETTERS = _counter("cutout_sent_letters", "Letters that were handed to the mail server")


def answered(view: str, status: int, seconds: float, queries: int, slow_queries: int) -> None:
    """Count an answered request. ``view``: name of its URL pattern, never the address; ``seconds``: time to
    the answer.
    """
    view = view or NO_VIEW
    _requests.labels(view, f"{status // 100}xx").inc()
    _seconds.labels(view).observe(seconds)
    _queries.labels(view).inc(queries)
    _slow.labels(view).inc(slow_queries)


def refused(code: str, status: int) -> None:
    """Count a refused request, by the code of its fault."""
    _refused.labels(code, str(status)).inc()


def made(kind: str, seconds: float, pages: int) -> None:
    """Count a file to print: its kind, seconds and pages."""
    _file_seconds.labels(kind).observe(seconds)
    _file_pages.labels(kind).inc(pages)


class CountsFile:
    """The metrics file of this process, in a folder with those of others. A collector in the sense of
    Prometheus' library.

    The file N.prom is owned by the process that has locked N.lock, which contains host, process id and role::

        0.lock   "vm 4711 server", locked by process 4711
        0.prom   its counts: cutout_requests_total{status="2xx",view="card"} 1.0
        1.lock   "vm 4712 worker", no longer locked: 4712 has ended, and the next new process takes 1.prom

    ``path`` is None without such a file: on a full disk, or once it was closed.
    """

    def __init__(self, folder: Path, role: str) -> None:
        self.folder, self.writing = folder, Lock()
        # The content of the file when this process last wrote it.
        self.written = b""
        self.path: Path | None = None
        with suppress(OSError):
            self.path, self.lock = _taken(folder, role)
        # The counts of the processes that had the file before.
        self.before = _read(self.path) if self.path else []

    def own(self) -> list[Metric]:
        """The metrics of this process, including those taken over with its file."""
        return _added([*self.before, *_registry.collect()])

    def write(self) -> None:
        """Write the file, if anything has changed; readers never see half of it."""
        with self.writing, suppress(OSError):
            counted = generate_latest(SimpleNamespace(collect=self.own))
            if self.path and counted != self.written:
                new = self.path.with_suffix(".new")
                new.write_bytes(counted)
                new.replace(self.path)
                self.written = counted

    def close(self) -> None:
        """Write a last time, and leave the file to another process."""
        self.write()
        with self.writing:
            if self.path:
                self.lock.close()
                self.path = None

    def collect(self) -> Iterable[Metric]:
        """The sums over all processes with a file in the folder."""
        # Write first: what was once reported must stay in the sum if this process is killed.
        self.write()
        others = (path for path in sorted(self.folder.glob("*.prom")) if path != self.path)
        return _added([*self.own(), *(metric for path in others for metric in _read(path))])

    def workers(self) -> int:
        """The number of living workers."""
        return sum(role == WORKER for _, _, role in self._living())

    def processes(self) -> list[int]:
        """The ids of the processes of this machine that count in this folder."""
        return [int(number) for host, number, _ in self._living() if host == socket.gethostname()]

    def _living(self) -> Iterable[list[str]]:
        """Yield [host, process id, role] of each living process: one whose lock cannot be taken. A lock that
        was taken by this look is given back when its file is closed.
        """
        for path in sorted(self.folder.glob("*.lock")):
            with suppress(OSError), path.open() as lock:
                try:
                    fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
                except BlockingIOError:
                    owner = lock.read().split()
                    # The words are incomplete while the owner writes them, or if the disk was full.
                    if len(owner) == 3:
                        yield owner


def _taken(folder: Path, role: str) -> tuple[Path, IO[str]]:
    """Take a file that no living process has; return (path of the file, the lock, to be kept open)."""
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    while (lock := _locked(folder / f"{number}.lock")) is None:
        number += 1
    with suppress(OSError):
        lock.truncate(0)
        os.write(lock.fileno(), f"{socket.gethostname()} {os.getpid()} {role}".encode())
    return folder / f"{number}.prom", lock


def _locked(path: Path) -> IO[str] | None:
    """Open and lock a file; None if a living process has locked it."""
    lock = path.open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    return lock


def _read(path: Path) -> list[Metric]:
    """Return the metrics of a file; [] if it cannot be read."""
    with suppress(OSError, ValueError):
        return list(text_string_to_metric_families(path.read_text(encoding="utf-8")))
    return []


def _added(metrics: Iterable[Metric]) -> list[Metric]:
    """Return the sums of metrics with the same name and labels: of two files with
    ``cutout_logins_total 2.0`` and ``cutout_logins_total 3.0`` one metric with ``cutout_logins_total 5.0``.
    """
    by_name: dict[str, Metric] = {}
    # Name of the metric -> (name of a sample, its sorted labels) -> sum.
    sums: defaultdict[str, defaultdict[Any, float]] = defaultdict(lambda: defaultdict(float))
    for metric in metrics:
        by_name.setdefault(metric.name, Metric(metric.name, metric.documentation, metric.type))
        for sample in metric.samples:
            sums[metric.name][sample.name, tuple(sorted(sample.labels.items()))] += sample.value
    for name, values in sums.items():
        for (sample_name, labels), value in values.items():
            by_name[name].add_sample(sample_name, dict(labels), value)
    return list(by_name.values())


_file: CountsFile | None = None


def start(folder: Path, role: str) -> None:
    """Set the metrics of this process to zero, and let it add its counts to those in a file of this folder.
    ``role``: SERVER, WORKER or TASKS.

    A forked process must call this, else it would count the parent's numbers again. Other roles than WORKER
    get a thread that writes every few seconds. The worker forks, which is unsafe beside threads, so it calls
    ``write`` itself.
    """
    global _file
    for metric in (_requests, _seconds, _queries, _slow, _refused, _file_seconds, _file_pages):
        metric.clear()
    for event in (LOGINS, FAILED_LOGINS, JUDGED_DECKS, SHARED_CACHE_FAILURES, SENT_LETTERS):
        event.reset()
    _file = CountsFile(folder, role)
    if role != WORKER:
        # A server's thread is waited for at exit, so it writes last counts; a task process calls ``stop`` for
        # that.
        Thread(target=_write_on, args=(_file,), daemon=role == TASKS).start()


def write() -> None:
    """Write the counts of this process, if it has a file."""
    if _file:
        _file.write()


def _write_on(file: CountsFile) -> None:
    """Write the file again and again, until it is given up or the main thread has ended."""
    while file is _file and main_thread().is_alive():
        time.sleep(EVERY)
        file.write()


def stop() -> None:
    """Write a last time and give the file up."""
    global _file
    if _file:
        _file.close()
    _file = None


def counts_file() -> CountsFile | None:
    """The file of this process; None if it writes none."""
    return _file
