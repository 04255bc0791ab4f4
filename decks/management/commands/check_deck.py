"""The command ``check_deck``: judge the deck in a file or on standard input, or with ``--batch`` many decks.

Judging needs no database. The exit statuses in ``Command.help`` and the keys of JSON are documented in
docs/commands.md; scripts rely on both. Tests: ``tests/decks/management/commands/test_check_deck.py``.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import IO, Any

from django.core.management.base import CommandParser

from cardsdb.faults import Fault, Refused, error_list
from cardsdb.games.kit import plural
from cardsdb.games.kit.listtext.deck import MAX_BYTES
from cardsdb.management import FolderCommand, refuse
from cardsdb.site.decoding import read_json
from decks.check.pasted import repair_json, repairs_of
from decks.core.judging import Judged
from decks.formats.files import MAX_JSON_BYTES, text_or_refuse
from decks.importing.file_import import judge_sent


def read_list(path: str) -> str:
    """Return the text of the file, or of standard input for ``-``. Raise Refused if it cannot be read."""
    return text_or_refuse(read_bytes(path, MAX_BYTES))


def read_bytes(path: str, most: int) -> bytes:
    """Return the bytes of the file, or of standard input for ``-``. Raise Refused if it cannot be read.

    At most ``most + 1`` bytes are read, so the caller can tell that a file is too large.
    """
    try:
        if path == "-":
            return sys.stdin.buffer.read(most + 1)
        with Path(path).open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise Refused(Fault("unreadable_file", f"{path}: {error.strerror}.", "file")) from None


# Bytes of one line of JSON: a character may take twelve bytes as an escape (two of ``\uXXXX``), and the other
# fields need some room.
MAX_LINE = 12 * MAX_BYTES + 2_000
# The fields of a deck in JSON that say how it is judged.
JUDGED_BY = ("game", "format", "house")
# All its fields.
FIELDS = (*JUDGED_BY, "text")


def verdicts(path: str, defaults: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Judge every deck of a folder (a file each), or of a file or standard input (a line of JSON each), in
    order.

    ``defaults``: game, format and house rules for decks that name none. Every answer names its ``file`` or
    ``line``; a deck that cannot be judged has ``errors``. Raise Refused if nothing can be read.
    """
    try:
        if path == "-":
            yield from _lines(sys.stdin.buffer, defaults)
        elif Path(path).is_dir():
            yield from _files(Path(path), defaults)
        else:
            with Path(path).open("rb") as file:
                yield from _lines(file, defaults)
    except OSError as error:
        raise Refused(Fault("unreadable_file", f"{path}: {error.strerror}.", "file")) from None


def _files(folder: Path, defaults: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the answer for each file of the folder, by name."""
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        with path.open("rb") as file:
            data = file.read(MAX_JSON_BYTES + 1)
        yield {"file": path.name} | _answer(partial(dict, text=data, filename=path.name), defaults)


def _lines(file: IO[bytes], defaults: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the answer for each line of JSON. A line longer than ``MAX_LINE`` gets errors."""
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        # Skip the rest of a line that is too long, so that the next read begins with the next deck. The rest
        # is empty at the end of the file.
        rest = line
        while len(rest) > MAX_LINE and not rest.endswith(b"\n"):
            rest = file.readline(MAX_LINE + 1)
        if line.strip():
            yield {"line": number} | _answer(partial(_fields_of, line), defaults)


def _fields_of(line: bytes) -> dict[str, Any]:
    """Return the fields in a line of JSON. Raise Refused if it is none."""
    if len(line) > MAX_LINE:
        raise Refused(Fault("too_large", f"The line is longer than {MAX_LINE:,} bytes.", "line"))
    try:
        values = read_json(line.decode("utf-8-sig"))
    except ValueError:
        values = None
    if (
        not isinstance(values, dict)
        or not all(isinstance(values.get(field, ""), str) for field in FIELDS)
        or "text" not in values
    ):
        sentence = (
            'Every line is one object of JSON with texts: {"game": "...", "format": "...", "text": "..."}.'
        )
        raise Refused(Fault("bad_json", sentence, "line"))
    return {field: values.get(field, "") for field in FIELDS}


def _answer(read: Callable[[], dict[str, Any]], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Judge the deck that ``read`` returns as fields, and return the verdict or ``errors``. ``text`` is text
    or the bytes of a file; a file has a ``filename`` too.
    """
    try:
        given = {field: value for field, value in read().items() if value}
        values = {field: defaults.get(field) or "" for field in FIELDS} | given
        data = values.pop("text")
        data = data.encode("utf-8", "replace") if isinstance(data, str) else data
        return judge_sent(data, **values).as_json()
    except Refused as refused:
        return {"errors": error_list(refused.faults)}


class Command(FolderCommand):
    help = (
        "Judge a deck. Exit status: 0 legal, 1 not legal, 2 could not be read. With --batch: 0, and 2 if a"
        " line could not be read."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", help="the list, or - for standard input; with --batch see there"
        )
        parser.add_argument("--game", default="", help="guessed from the list if left out")
        parser.add_argument("--format", default="")
        parser.add_argument("--house", default="", help="house rules, such as AG-3.at_least=40;AG-4.limit=4")
        parser.add_argument("--repair", action="store_true", help="look for the smallest repairs")
        parser.add_argument("--json", action="store_true")
        parser.add_argument(
            "--batch",
            action="store_true",
            help=(
                'FILE is a folder of lists, or has a line of JSON for each: {"game", "format", "house",'
                ' "text"}; so has the answer'
            ),
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["batch"]:
            self._judge_many(options)
            return
        try:
            data = read_bytes(options["file"], MAX_JSON_BYTES)
            asked = {field: options[field] for field in JUDGED_BY}
            sent = judge_sent(data, **asked, filename=options["file"])
        except Refused as refused:
            refuse(self, refused, options["json"])
        judged, foreign = sent
        nothing_read = bool(judged.unread) and judged.deck.is_blank
        repairs = repairs_of(judged) if options["repair"] else []
        if options["json"]:
            answer = sent.as_json()
            answer |= {"repairs": list(map(repair_json, repairs))} if options["repair"] else {}
            self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=1))
        elif nothing_read:
            self.stderr.write(
                f"Nothing of this list was read as {judged.game.name} cards."
                f" {_capitalised(judged.unread[0].place)}: {judged.unread[0].message}"
            )
        else:
            if foreign:
                self.stdout.write(foreign.words)
            self._write(judged)
            for place, repair in enumerate(repairs, 1):
                self.stdout.write(f"\nRepair {place}, then {repair.outcome}: {repair.words}")
                if others := repair.alternatives:
                    names = ", ".join(other.card.name for other in others)
                    self.stdout.write(f"  As good in place of {others[0].instead_of.name}: {names}")
        if nothing_read:
            sys.exit(2)
        sys.exit(0 if judged.verdict == "legal" else 1)

    def _judge_many(self, options: dict[str, Any]) -> None:
        """Write one line of JSON for each deck of a batch, and exit: 2 if one could not be read, else 0."""
        # One encoder for all answers, without the check for cycles, which no answer has: this is faster.
        as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode
        try:
            failed = 0
            for answer in verdicts(options["file"], options):
                failed += "errors" in answer
                self.stdout.write(as_json(answer))
        except Refused as refused:
            refuse(self, refused, options["json"])
        sys.exit(2 if failed else 0)

    def _write(self, judged: Judged) -> None:
        """Write the verdict in words."""
        total = judged.deck.size
        if judged.readings:
            self.stdout.write(judged.readings.words)
        if judged.opening:
            self.stdout.write(judged.opening)
        self.stdout.write(
            f"{judged.verdict_words.upper()}  {judged.game.name}, {judged.format.name}: {total}"
            f" {plural(total, 'card')}"
        )
        if judged.game_guessed:
            self.stdout.write(f"Guessed that it is for {judged.game.name}: {judged.game_guessed}.")
        for view in judged.violation_views():
            self.stdout.write(f"\n{view.severity_words}: {view.message} [{view.violation.code}]")
            if view.house:
                self.stdout.write(f"    {view.house}")
            if cited := view.citation:
                place = ", ".join(part for part in (view.document, view.place) if part)
                self.stdout.write(f"    {place} ({cited.certainty})")
            if view.repair:
                self.stdout.write(f"    Repair: {view.repair}")
        for unread in judged.unread:
            self.stdout.write(
                f"\n{_capitalised(unread.place)} was not read: {unread.text}\n    {unread.message}"
            )
            if unread.suggestions:
                offered = ", ".join(
                    f"{name} ({verdict})" if verdict else name for name, verdict in unread.offered
                )
                self.stdout.write(f"    Did you mean: {offered}?")
        for notice in judged.notices:
            self.stdout.write(f"\n{_capitalised(notice.place)}: {notice.message}")


def _capitalised(words: str) -> str:
    """Return the words with a capital first letter; ``str.capitalize`` would lower all others."""
    return f"{words[:1].upper()}{words[1:]}"
