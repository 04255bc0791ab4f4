"""Write a deck from a file or standard input in another tool's format."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from cardsdb.errors import Refused
from decks.formats import FORMATS, Written, export
from decks.management.commands.check_deck import read_list
from decks.validation import game_or_refuse, read_text


class Command(BaseCommand):
    help = (
        "Convert a deck. What the other format cannot hold goes to standard error, one JSON object a line. "
        "Exit status: 0 written, 2 could not be read."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the list, or - for standard input")
        parser.add_argument("--game", required=True)
        parser.add_argument("--to", required=True, choices=sorted(FORMATS), metavar="FORMAT", help=", ".join(FORMATS))
        parser.add_argument("-o", dest="out", default="-", metavar="OUT", help="the file to write; standard output without it")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            game = game_or_refuse(options["game"])
            reading = read_text(game, read_list(options["file"]))
        except Refused as refused:
            for fault in refused.faults:
                self.stderr.write(fault.message)
            sys.exit(2)
        written = export(options["to"], game, reading)
        for loss in written.losses:
            self.stderr.write(json.dumps(asdict(loss), ensure_ascii=False))
        if reading.unread and not reading.deck.entries and not reading.deck.details:
            sys.exit(2)
        if options["out"] == "-":
            self._show(written)
        else:
            _store(written, Path(options["out"]))

    def _show(self, written: Written) -> None:
        """As bytes where the output takes them, since a format has its own encoding and line ends."""
        if raw := getattr(self.stdout, "buffer", None):
            raw.write(written.data)
            raw.flush()
        else:
            self.stdout.write(written.text, ending="")


def _store(written: Written, path: Path) -> None:
    try:
        path.write_bytes(written.data)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}.") from None
