"""Finish a deck from a file or standard input, so that it can be played."""

import json
import sys
from typing import Any

from django.core.management.base import CommandParser

from cardsdb.faults import Refused
from cardsdb.games.kit.complete.search import Wishes
from cardsdb.management import FolderCommand, refuse
from decks.check.completing import completed
from decks.formats.files import MAX_JSON_BYTES
from decks.importing.file_import import judge_sent
from decks.management.commands.check_deck import read_bytes


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
            asked = (options[name] for name in ("game", "format", "house"))
            judged = judge_sent(data, *asked, filename=options["file"]).judged
            answer = completed(judged, Wishes(options["like"], options["never"]))
        except Refused as refused:
            refuse(self, refused, options["json"])
        if options["json"]:
            self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=1))
        else:
            self.stdout.write("\n".join(answer["findings"][:1]))
            for one in answer["proposals"]:
                self.stdout.write(f"\n{one['name']}, then {one['verdict']}")
                for out in one["removed"]:
                    self.stdout.write(f"- {out['count']} {out['name']}: {out['to'] or 'out'} [{out['code']}]")
                for new in one["added"]:
                    self.stdout.write(f"+ {new['count']} {new['name']} ({new['role']}): {new['reason']}")
        sys.exit(any(one["verdict"] != "legal" for one in answer["proposals"]))
