"""Say what is right with the site and what is not, each with what to do. Exit status 1 when something is
wrong.
"""

from __future__ import annotations

import json
import textwrap
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from cardsdb.games.kit.model.text import plural
from printing.doctor.checks import CHECKS
from printing.doctor.diagnosis import State, examined

SIGNS = {State.RIGHT: "  ", State.UNUSUAL: "? ", State.WRONG: "! "}


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
        found = dict(examined(CHECKS))
        faults = sum(one.state == State.WRONG for one in found.values())
        if options["json"]:
            listed = [{"name": name, **one._asdict()} for name, one in found.items()]
            self.stdout.write(
                json.dumps({"right": not faults, "checks": listed}, indent=1, ensure_ascii=False)
            )
        else:
            for name, one in found.items():
                words = f"{one.found}. To do: {one.remedy}." if one.remedy else one.found
                self.stdout.write(
                    textwrap.fill(
                        words, 100, initial_indent=f"{SIGNS[one.state]}{name:16}", subsequent_indent=" " * 18
                    )
                )
        if faults:
            raise CommandError(f"{faults} {plural(faults, 'thing')} wrong.")
