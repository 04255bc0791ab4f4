"""``manage.py doctor``: list what is right and wrong with the site, each fault with its remedy. Exits with 1
if anything is wrong. The checks are in operate/checks.py, tests in ``tests/cardsdb/operate/test_checks.py``.
"""

import textwrap
from typing import Any

from django.core.checks import ERROR, INFO, WARNING
from django.core.management.base import BaseCommand, CommandError, CommandParser

from cardsdb.games.kit import some
from cardsdb.management import tell
from cardsdb.operate.checks import SITE, examined

STATES = {INFO: ("  ", "right"), WARNING: ("? ", "unusual"), ERROR: ("! ", "wrong")}


class Command(BaseCommand):
    help = (
        "Say on one screen what is right with the site and what is not, each with what to do. What people"
        " stored: see sanity_check."
    )
    # They are run and reported in ``handle``.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="answer in JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        found = examined(SITE)
        faults = sum(check.level == ERROR for check in found)
        if options["json"]:
            listed = [
                {
                    "name": check.obj,
                    "state": STATES[check.level][1],
                    "found": check.msg,
                    "remedy": check.hint or "",
                }
                for check in found
            ]
            tell(self, {"right": not faults, "checks": listed})
        else:
            for check in found:
                words = f"{check.msg}. To do: {check.hint}." if check.hint else str(check.msg)
                begin = f"{STATES[check.level][0]}{check.obj:16}"
                self.stdout.write(textwrap.fill(words, 100, initial_indent=begin, subsequent_indent=" " * 18))
        if faults:
            raise CommandError(f"{some(faults, 'thing')} wrong.")
