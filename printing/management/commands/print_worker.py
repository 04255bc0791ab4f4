"""Make the print jobs that wait."""

from __future__ import annotations

import signal
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from cardsdb.games.kit.model.text import plural
from printing.tasks.files import sweep
from printing.tasks.worker import alone, work_off, work_on


class Command(BaseCommand):
    help = "Make the big print jobs that people asked for, one after the other. Several may run at once; none makes another's job."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="end when no job waits")
        parser.add_argument("--alone", action="store_true", help="end when another that was told so runs on this machine")

    def handle(self, *args: Any, **options: Any) -> None:
        # A job that is under way is put back before the worker ends.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: sys.exit(0))
        if options["alone"]:
            with alone() as only:
                if only:
                    self._work(options["once"])
        else:
            self._work(options["once"])

    def _work(self, once: bool) -> None:
        if not once:
            work_on()
        sweep()
        done = work_off()
        self.stdout.write(f"{done} {plural(done, 'job')} made.")
