"""Judge a deck from a file or standard input."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from cardsdb.errors import Fault, Refused, error_list
from cardsdb.games.kit.decktext import MAX_BYTES
from decks.reading_files import text_of
from decks.validation import Judged, format_or_refuse, game_or_refuse, judge_text


def read_list(path: str) -> str:
    """The text of FILE, or of standard input for ``-``. Raises Refused."""
    try:
        data = sys.stdin.buffer.read(MAX_BYTES + 1) if path == "-" else _start_of(Path(path))
    except OSError as error:
        raise Refused(Fault("unreadable_file", f"{path}: {error.strerror}.", "file")) from None
    return text_of(data)


def _start_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


class Command(BaseCommand):
    help = "Judge a deck. Exit status: 0 legal, 1 not legal, 2 could not be read."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the list, or - for standard input")
        parser.add_argument("--game", required=True)
        parser.add_argument("--format", default="")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            game = game_or_refuse(options["game"])
            format = format_or_refuse(game, options["format"])
            judged = judge_text(game, read_list(options["file"]), format)
        except Refused as refused:
            self._refuse(refused, options["json"])
            sys.exit(2)
        nothing_read = bool(judged.unread) and not judged.deck.entries and not judged.deck.details
        if options["json"]:
            self.stdout.write(json.dumps(judged.as_json(), ensure_ascii=False, indent=1))
        elif nothing_read:
            self.stderr.write(
                f"Nothing of this list was read as {game.name} cards. Line {judged.unread[0].line}: {judged.unread[0].message}"
            )
        else:
            self._write(judged)
        if nothing_read:
            sys.exit(2)
        sys.exit(0 if judged.verdict == "legal" else 1)

    def _refuse(self, refused: Refused, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(error_list(refused.faults), ensure_ascii=False, indent=1))
        else:
            for fault in refused.faults:
                self.stderr.write(fault.message)

    def _write(self, judged: Judged) -> None:
        total = judged.deck.size
        self.stdout.write(
            f"{judged.verdict_words.upper()}  {judged.game.name}, {judged.format.name}: {total} card{'' if total == 1 else 's'}"
        )
        for finding in judged.findings():
            self.stdout.write(f"\n{finding.severity_words}: {finding.message} [{finding.violation.code}]")
            if cited := finding.citation:
                place = ", ".join(part for part in (finding.document, cited.place) if part)
                self.stdout.write(f"    {place} ({cited.certainty})")
            if finding.repair:
                self.stdout.write(f"    Repair: {finding.repair}")
        for unread in judged.unread:
            self.stdout.write(f"\nLine {unread.line} was not read: {unread.text}\n    {unread.message}")
            if unread.suggestions:
                self.stdout.write(f"    Did you mean: {', '.join(unread.suggestions)}?")
        for notice in judged.notices:
            self.stdout.write(f"\nLine {notice.line}: {notice.message}")
