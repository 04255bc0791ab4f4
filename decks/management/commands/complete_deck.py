"""The command ``complete_deck``: propose cards that complete the deck in a file or on standard input. Needs
no database. Tests: ``tests/decks/management/commands/test_complete_deck.py``.
"""

import json
import sys
from typing import Any

from django.core.management.base import CommandParser

from cardsdb.faults import Refused
from cardsdb.games.kit.complete.search import Wishes
from cardsdb.management import FolderCommand, refuse
from decks.check.completion import completed
from decks.formats.files import MAX_JSON_BYTES
from decks.importing.file_import import judge_sent
from decks.management.commands.check_deck import JUDGED_BY, read_bytes


class Command(FolderCommand):
    help = (
        "Finish a deck so that it can be played. Exit status: 0 legal, 1 a proposal is not legal, 2 not read."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the list, or - for standard input")
        for name in ("--game", "--format", "--house", "--like"):
            parser.add_argument(name, default="")
        parser.add_argument("--never", nargs="*", default=(), metavar="CODE")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            data = read_bytes(options["file"], MAX_JSON_BYTES)
            asked = {field: options[field] for field in JUDGED_BY}
            judged = judge_sent(data, **asked, filename=options["file"]).judged
            answer = completed(judged, Wishes(options["like"], options["never"]))
        except Refused as refused:
            refuse(self, refused, options["json"])
        if options["json"]:
            self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=1))
        else:
            for proposal in answer["proposals"]:
                self.stdout.write(f"// {proposal['name']}, then {proposal['verdict']}\n{proposal['text']}")
        sys.exit(any(proposal["verdict"] != "legal" for proposal in answer["proposals"]))
