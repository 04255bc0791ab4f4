"""Print a deck from a file or standard input to a PDF."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from cardsdb.errors import Refused
from decks.management.commands.check_deck import read_list
from printing import geometry
from printing.jobs import job_for, pasted_list, refused
from printing.sheets import DEFAULTS, CannotPrint, make_sheets


class Command(BaseCommand):
    help = "Print a deck as proxy sheets of true size. Exit status: 0 printed, 2 not."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the list, or - for standard input")
        parser.add_argument("--game", required=True)
        parser.add_argument("--format", default="")
        parser.add_argument("-o", "--output", required=True, metavar="OUT.pdf")
        parser.add_argument("--paper", default=DEFAULTS["paper"], help=", ".join(geometry.PAPERS))
        parser.add_argument("--trim", default="", help=f"{', '.join(geometry.TRIMS)} or WIDTHxHEIGHT in mm; the game's own unless told")
        parser.add_argument("--gap", default=DEFAULTS["gap"], help="between cards, in mm")
        parser.add_argument("--marks", default=DEFAULTS["marks"], help="crop marks, yes or no")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            asked = pasted_list(options["game"], read_list(options["file"]), options["format"])
            job = job_for(asked, {name: options[name] for name in DEFAULTS})
            made = make_sheets(job)
            Path(options["output"]).write_bytes(made.data)
        except CannotPrint as error:
            self._stop(refused(error))
        except Refused as error:
            self._stop(error)
        except OSError as error:
            self.stderr.write(f"{options['output']}: {error.strerror}.")
            sys.exit(2)
        else:
            self.stdout.write(f"{options['output']}: {job.summary()}")

    def _stop(self, error: Refused) -> None:
        for fault in error.faults:
            self.stderr.write(f"{fault.where}: {fault.message}" if fault.where else fault.message)
        sys.exit(2)
