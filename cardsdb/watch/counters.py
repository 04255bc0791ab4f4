"""The counters themselves: Prometheus' own, in files that all processes of a site write, each its own, and whoever asks reads together."""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, values
from prometheus_client.metrics_core import Metric
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector

from cardsdb.watch.counting import WORKER, Answered

# Seconds: pages are made in milliseconds, sheets in seconds.
BUCKETS = (0.005, 0.02, 0.05, 0.1, 0.3, 0.8, 2.5, 10.0)
OF_FILES = (0.1, 0.5, 2.0, 10.0, 60.0, 300.0)
# What is counted besides requests: name -> what it says.
EVENTS = {
    "logins": "Log-ins",
    "failed_logins": "Log-ins with a wrong name, password or passkey",
    "judged_decks": "Decks that were judged",
    "sent_letters": "Letters that were handed to the mail server",
}
# The folder of what groups have counted that have ended.
ENDED = "ended"
# Names an address that is none.
NO_VIEW = "none"

# The files that this process holds until it ends, so that others see that it lives.
_alive: dict[Path, int] = {}


def files_of(folder: Path, group: str) -> Path:
    """The folder for this group of processes. Those of groups of which no process lives any more are added up in one.

    A sum that fell when a server or a worker ends would be taken for a restart of all, and what is left of it for new.
    """
    folder.mkdir(parents=True, exist_ok=True)
    mine = folder / f"{socket.gethostname()[:40].replace(os.sep, '-')}-{group}"
    # Until the lock is let go nobody takes a folder for a dead one that is just being made.
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for other in folder.iterdir():
            if other.is_dir() and other.name != ENDED and other not in _alive and not _lives(other):
                _add(other, folder / ENDED)
                shutil.rmtree(other, ignore_errors=True)
        mine.mkdir(exist_ok=True)
        if mine not in _alive:
            _alive[mine] = os.open(mine / "alive", os.O_WRONLY | os.O_CREAT, 0o600)
            fcntl.flock(_alive[mine], fcntl.LOCK_SH)
    return mine


def _add(dead: Path, ended: Path) -> None:
    """Add what a group has counted to what all have that ended. A file that cannot be read is passed over."""
    ended.mkdir(exist_ok=True)
    for kind in ("counter", "histogram"):
        sums = defaultdict[str, float](float)
        whole, new = ended / f"{kind}_0.db", ended / f"new-{kind}"
        for path in (whole, *dead.glob(f"{kind}_*.db")):
            with suppress(OSError, RuntimeError, ValueError, struct.error):
                for key, value, *_ in list(MmapedDict.read_all_values_from_file(str(path))):  # type: ignore[no-untyped-call]
                    sums[key] += value
        new.unlink(missing_ok=True)
        file = MmapedDict(str(new))  # type: ignore[no-untyped-call]
        for key, value in sums.items():
            file.write_value(key, value, 0.0)  # type: ignore[no-untyped-call]
        file.close()  # type: ignore[no-untyped-call]
        new.replace(whole)


def _lives(folder: Path) -> bool:
    try:
        with (folder / "alive").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


class Counters:
    """All counters of one process, in files of a folder of ``files_of``. Safe for threads; a forked process goes on in files of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # As the library looks for them when it makes a counter and when it first counts in a new process.
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
        values.ValueClass = values.MultiProcessValue()  # type: ignore[assignment, no-untyped-call]
        mine: dict[str, Any] = {"registry": CollectorRegistry()}
        self._requests = Counter("cutout_requests", "Requests that Django answered", ("view", "status"), **mine)
        self._seconds = Histogram("cutout_request_seconds", "Seconds until an answer was made", ("view",), buckets=BUCKETS, **mine)
        self._queries = Counter("cutout_queries", "Queries of requests", ("view",), **mine)
        self._slow = Counter("cutout_slow_queries", "Queries of requests that took longer than CUTOUT_SLOW_QUERY_MS", ("view",), **mine)
        self.refused = Counter("cutout_refused", "Requests that were refused, by the code of the fault", ("code", "status"), **mine)
        kept = Counter("cutout_kept_pages", "Finished pages sent from memory, without Django", ("status",), **mine)
        self._kept = (kept.labels("200"), kept.labels("304"))
        self.events = {name: Counter(f"cutout_{name}", says, **mine) for name, says in EVENTS.items()}
        self._made = Histogram("cutout_file_seconds", "Seconds for a file to print", ("kind",), buckets=OF_FILES, **mine)
        self._pages = Counter("cutout_file_pages", "Pages of files to print", ("kind",), **mine)
        self._of_view: dict[str, tuple[Any, Any, Any]] = {}
        self._of_status: dict[tuple[str, int], Any] = {}

    def kept_pages(self, whole: int, not_modified: int) -> None:
        for counter, number in zip(self._kept, (whole, not_modified), strict=True):
            if number:
                counter.inc(number)

    def answered(self, request: Answered) -> None:
        view, group = request.view or NO_VIEW, request.status // 100
        # Looked up by hand: the library's way to a counter with labels costs as much as all the rest.
        if (of_view := self._of_view.get(view)) is None:
            of_view = self._of_view[view] = self._seconds.labels(view), self._queries.labels(view), self._slow.labels(view)
        if (count := self._of_status.get((view, group))) is None:
            count = self._of_status[view, group] = self._requests.labels(view, f"{group}xx")
        count.inc()
        of_view[0].observe(request.seconds)
        if request.queries:
            of_view[1].inc(request.queries)
        if request.slow_queries:
            of_view[2].inc(request.slow_queries)

    def made(self, kind: str, seconds: float, pages: int) -> None:
        self._made.labels(kind).observe(seconds)
        self._pages.labels(kind).inc(pages)

    @cached_property
    def everybodys(self) -> CountersOfAll:
        """What all processes have counted whose folders lie beside this one's."""
        return CountersOfAll(self.folder.parent)


class CountersOfAll:
    """A collector of Prometheus' library: the sums over all files of a site."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def collect(self) -> Iterable[Metric]:
        # Nobody who starts meanwhile adds one file to another that is read as well.
        with (self.folder / "lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH)
            files = [str(path) for path in sorted(self.folder.glob("*/*.db"))]
            merged: Iterable[Metric] = MultiProcessCollector.merge(files)
            return merged

    def workers(self) -> int:
        """How many workers of this folder live; each is a group of its own."""
        return sum(_lives(path) for path in self.folder.iterdir() if path.name.rpartition("-")[0].endswith(f"-{WORKER}"))

    def processes(self) -> Iterator[int]:
        """The numbers of the processes of this machine that count, in which folder ever."""
        host = socket.gethostname()[:40].replace(os.sep, "-")
        for number in sorted({int(path.stem.rpartition("_")[2]) for path in self.folder.glob(f"{host}-*/counter_*.db")}):
            if Path(f"/proc/{number}").exists():
                yield number
