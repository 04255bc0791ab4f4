"""``manage.py worker``: do the work that requests leave behind. The loop is in tasks/worker.py; tests:
``test_worker.py`` and ``test_letters.py`` in ``tests/cardsdb/tasks``.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from cardsdb.games.kit import some
from cardsdb.tasks.worker import recover_all, work_off, work_on


class Command(BaseCommand):
    help = (
        "Do what requests leave to be done: big prints, large files, letters. Several may run at once; none"
        " does another's work."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="end when nothing waits")
        parser.add_argument(
            "--beside", metavar="PID", type=int, help="end when the process of this number has ended"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["once"]:
            return work_on(options["beside"])
        done = 0
        while made := recover_all() + work_off():
            done += made
        self.stdout.write(f"{some(done, 'task')} done.")
        return None
