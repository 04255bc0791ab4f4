"""The workers that make stored jobs: the site's own, which runs while there is work, or ones that always run."""

from __future__ import annotations

import fcntl
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import OperationalError, close_old_connections
from django.utils import timezone

from printing.models import JobState, PrintJob
from printing.tasks.files import LOCK, folder, sweep_now_and_then
from printing.tasks.jobs import SILENT, claim, work

log = logging.getLogger(__name__)

# Seconds: between looks at an empty queue, until a worker that found another one gives up, between two starts for one job's page.
NAP, PATIENCE, AGAIN = 2.0, 5.0, 10.0


def work_off() -> int:
    """Make all jobs that wait. Returns how many."""
    done = 0
    while (row := claim()) is not None:
        work(row)
        done += 1
    return done


def work_on() -> None:
    """Make jobs for ever."""
    while True:
        try:
            close_old_connections()
            sweep_now_and_then()
            work_off()
        except OperationalError:
            log.warning("the database does not answer; trying again", exc_info=True)
        time.sleep(NAP)


@contextmanager
def alone() -> Iterator[bool]:
    """Whether this process is the only worker of the site on this machine. It waits a little for another that is about to end."""
    until = time.monotonic() + PATIENCE
    with (folder() / LOCK).open("w") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                yield True
                return
            except BlockingIOError:
                if time.monotonic() > until:
                    break
                time.sleep(0.2)
        yield False


def _somebody_works() -> bool:
    """Whether the site's own worker runs on this machine, so that no other need be started."""
    with (folder() / LOCK).open("w") as lock:
        try:
            # A shared lock, so that two processes that look at once do not take each other for a worker. Closing the file frees it.
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


class _Site:
    """The worker that this process started last."""

    def __init__(self) -> None:
        self.starting = threading.Lock()
        self.child: subprocess.Popen[bytes] | None = None
        # Whether a job came while the worker ran: it may have looked at the queue for the last time just before.
        self.more = False
        self.started = -AGAIN

    def works(self) -> bool:
        return self.child is not None and self.child.poll() is None

    def start(self) -> None:
        """Start one, or another after the one that is still at work."""
        with self.starting:
            if self.works():
                self.more = True
                return
            self.more, self.started = False, time.monotonic()
            command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "print_worker", "--once", "--alone"]
            child = subprocess.Popen(command, cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)  # noqa: S603
            self.child = child
        threading.Thread(target=self._follow, args=(child,), daemon=True).start()

    def _follow(self, child: subprocess.Popen[bytes]) -> None:
        """Wait for the process, so that it does not stay as a zombie, and start another for jobs that came while it ended."""
        child.wait()
        with self.starting:
            more = self.more and self.child is child
        if more:
            self.start()


_site = _Site()


def wake() -> None:
    """Start the site's own worker, unless the settings say that other workers run.

    It is a process of its own, because drawing a long job in this one would make every page wait.
    """
    if settings.CUTOUT_PRINT_WORKER == "on-demand":
        _site.start()


def wake_for(row: PrintJob) -> None:
    """Start a worker for a job that waits too long: its worker was killed, or the site was restarted."""
    waits = row.state == JobState.WAITING and timezone.now() - row.made > SILENT / 10
    if waits and time.monotonic() - _site.started > AGAIN and not _site.works() and not _somebody_works():
        wake()
