"""Say what is right with the site and what is not, each with what to do. Exit status 1 when something is
wrong.
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
    # What they find is said below.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="answer in JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        found = examined(SITE)
        faults = sum(one.level == ERROR for one in found)
        if options["json"]:
            listed = [
                {"name": one.obj, "state": STATES[one.level][1], "found": one.msg, "remedy": one.hint or ""}
                for one in found
            ]
            tell(self, {"right": not faults, "checks": listed})
        else:
            for one in found:
                words = f"{one.msg}. To do: {one.hint}." if one.hint else str(one.msg)
                begin = f"{STATES[one.level][0]}{one.obj:16}"
                self.stdout.write(textwrap.fill(words, 100, initial_indent=begin, subsequent_indent=" " * 18))
        if faults:
            raise CommandError(f"{some(faults, 'thing')} wrong.")
