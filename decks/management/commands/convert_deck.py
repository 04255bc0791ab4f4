"""The command ``convert_deck``: read a deck in any known file format and write it in another. Needs no
database.

What is lost goes to standard error, one JSON object a line. The exit statuses are documented in
docs/commands.md. Tests: ``tests/decks/management/commands/test_convert_deck.py``.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from cardsdb.box.comparing import texts_of_file
from cardsdb.box.reading.container import BadPackage
from cardsdb.faults import Refused, error_list
from cardsdb.games.kit import Game
from cardsdb.management import FolderCommand, refuse
from decks.core.judging import game_or_refuse
from decks.formats import FORMATS, export
from decks.formats.files import MAX_JSON_BYTES
from decks.importing.file_import import read_file
from decks.management.commands.check_deck import read_bytes


class Command(FolderCommand):
    help = (
        "Convert a deck. Losses go to standard error, one JSON object a line. Exit status: 0 written, 1 the"
        " file of --texts cannot be read or OUT cannot be written, 2 not read."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the deck, or - for standard input")
        parser.add_argument(
            "--game", default="", help="the game; without it the one that the file or its cards say"
        )
        parser.add_argument(
            "--from",
            dest="taken_for",
            default="",
            metavar="FORMAT",
            help="its format; without it the one that it looks like",
        )
        parser.add_argument(
            "--to", required=True, choices=sorted(FORMATS), metavar="FORMAT", help=", ".join(FORMATS)
        )
        parser.add_argument(
            "--texts",
            metavar="FILE",
            default="",
            help="a package or table with the texts of the cards, for formats that hold texts",
        )
        add_out(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            path = options["file"]
            game = game_or_refuse(options["game"]) if options["game"] else None
            data, name = read_bytes(path, MAX_JSON_BYTES), "" if path == "-" else Path(path).name
            read = read_file(game, data, name, options["taken_for"])
        except Refused as refused:
            refuse(self, refused)
        reading = read.reading
        written = export(options["to"], read.game, reading, self._texts(read.game, options["texts"]))
        for loss in error_list((*read.losses, *written.losses)):
            self.stderr.write(json.dumps(loss, ensure_ascii=False))
        if reading.unread and reading.deck.is_blank:
            sys.exit(2)
        if options["out"] != "-":
            store(Path(options["out"]), written.data)
        # Write bytes if the output takes them, since a format may have its own encoding and line ends.
        elif raw := getattr(self.stdout, "buffer", None):
            raw.write(written.data)
            raw.flush()
        else:
            self.stdout.write(written.text, ending="")

    def _texts(self, game: Game, file: str) -> Mapping[str, str]:
        """Return code -> text from the file; remarks on what was not understood go to standard error. Raise
        CommandError.
        """
        if not file:
            return {}
        texts, remarks = texts_in(game, file)
        for remark in remarks:
            self.stderr.write(
                json.dumps({"code": "not_understood", "message": remark, "where": file}, ensure_ascii=False)
            )
        return texts


def texts_in(game: Game, file: str) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """Return (code -> text, remarks on what was not understood) from a file of card texts. Raise
    CommandError.
    """
    try:
        return texts_of_file(game, Path(file))
    except BadPackage as bad:
        raise CommandError(bad.message) from None
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from None


def add_out(parser: CommandParser) -> None:
    """Add the option for the file to write."""
    words = "the file to write; standard output without it"
    parser.add_argument("-o", dest="out", default="-", metavar="OUT", help=words)


def store(path: Path, data: bytes) -> None:
    """Write the file. Raise CommandError if that fails."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}.") from None
