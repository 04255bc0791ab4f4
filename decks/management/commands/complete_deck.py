"""Finish a deck from a file or standard input, so that it can be played."""

import json
import sys
from typing import Any

from django.core.management.base import CommandParser

from cardsdb.faults import Refused
from cardsdb.management import FolderCommand, refuse
from decks.check.completing import completed
from decks.formats.files import MAX_JSON_BYTES
from decks.importing.file_import import judge_sent
from decks.management.commands.check_deck import read_bytes


class Command(FolderCommand):
    help = (
        "Propose ways to finish a deck so that it can be played. Exit status: 0 every proposal is legal, 1 one is not,"
        " 2 could not be read, or nothing says what the cards of its format are for."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the list, or - for standard input")
        parser.add_argument("--game", default="", help="guessed from the list if left out")
        parser.add_argument("--format", default="")
        parser.add_argument("--house", default="", help="house rules, such as AG-3.at_least=60")
        parser.add_argument("--like", default="", metavar="STARTER", help="the slug of a starter to be like")
        parser.add_argument(
            "--never",
            action="append",
            default=[],
            metavar="CARD",
            help="a card to leave out, by name or code",
        )
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            data, asked = (
                read_bytes(options["file"], MAX_JSON_BYTES),
                (options[key] for key in ("game", "format", "house")),
            )
            judged = judge_sent(data, *asked, filename=options["file"]).judged
            answer = completed(judged, options["like"], options["never"])
        except Refused as refused:
            refuse(self, refused, options["json"])
        if options["json"]:
            self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=1))
        else:
            for finding in answer["findings"][:1]:
                self.stdout.write(finding)
            for one in answer["proposals"]:
                self.stdout.write(f"\n{one['name']}, then {one['verdict']}. {one['help']}".rstrip())
                for out in one["removed"]:
                    where = (
                        f"moves from {out['section']} to {out['to']}"
                        if out["to"]
                        else f"comes out of {out['section']}"
                    )
                    self.stdout.write(f"- {out['count']} {out['name']} {where} [{out['code']}]")
                names = {need["slug"]: need["name"] for need in one["needs"]}
                for each in one["added"]:
                    self.stdout.write(
                        f"+ {each['count']} {each['name']} ({names[each['role']]}: {each['reason']})"
                    )
        sys.exit(any(one["verdict"] != "legal" for one in answer["proposals"]))
