"""Judge a deck from a file or standard input, or many of them, one after the other."""

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
    """The text of FILE, or of standard input for ``-``. Raises Refused."""
    return text_or_refuse(read_bytes(path, MAX_BYTES))


def read_bytes(path: str, most: int) -> bytes:
    """The bytes of FILE, or of standard input for ``-``; one more than ``most`` of a larger one. Raises
    Refused.
    """
    try:
        if path == "-":
            return sys.stdin.buffer.read(most + 1)
        with Path(path).open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise Refused(Fault("unreadable_file", f"{path}: {error.strerror}.", "file")) from None


# A text may be twelve times as long in JSON, where every letter may be written as an escape.
MAX_LINE = 12 * MAX_BYTES + 2_000
FIELDS = ("game", "format", "house", "text")


def verdicts(path: str, usual: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Judge what FILE, a folder of files or standard input (``-``) holds, in order.

    ``usual``: game, format and house rules of lists that name none, else guessed. Every answer has the
    ``line`` or ``file`` that it is for. A list that cannot be judged gets ``errors``. Raises Refused if there
    is nothing to read.
    """
    try:
        if path == "-":
            yield from _lines(sys.stdin.buffer, usual)
        elif Path(path).is_dir():
            yield from _files(Path(path), usual)
        else:
            with Path(path).open("rb") as file:
                yield from _lines(file, usual)
    except OSError as error:
        raise Refused(Fault("unreadable_file", f"{path}: {error.strerror}.", "file")) from None


def _files(folder: Path, usual: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        with path.open("rb") as file:
            data = file.read(MAX_JSON_BYTES + 1)
        yield {"file": path.name} | _answer(partial(dict, text=data, filename=path.name), usual)


def _lines(file: IO[bytes], usual: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        whole = line
        # The rest of a line beyond the bound is skipped, so that the next line is the next deck.
        while len(line) > MAX_LINE and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE + 1)
            if not line:
                break
        if whole.strip():
            yield {"line": number} | _answer(partial(_list_of, whole), usual)


def _list_of(line: bytes) -> dict[str, Any]:
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


def _answer(read: Callable[[], dict[str, Any]], usual: Mapping[str, Any]) -> dict[str, Any]:
    try:
        values = {field: usual.get(field) or "" for field in FIELDS} | {
            key: value for key, value in read().items() if value
        }
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
            asked = {field: options[field] for field in FIELDS[:3]}
            sent = judge_sent(data, **asked, filename=options["file"])
        except Refused as refused:
            refuse(self, refused, options["json"])
        judged, foreign = sent
        nothing_read = bool(judged.unread) and judged.deck.is_blank
        # Judging and repairing a file need no database.
        repairs = repairs_of(judged) if options["repair"] else []
        if options["json"]:
            answer = sent.as_json()
            answer |= {"repairs": list(map(repair_json, repairs))} if options["repair"] else {}
            self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=1))
        elif nothing_read:
            self.stderr.write(
                f"Nothing of this list was read as {judged.game.name} cards."
                f" {_begun(judged.unread[0].place)}: {judged.unread[0].message}"
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
        sys.exit(2 if nothing_read else 0 if judged.verdict == "legal" else 1)

    def _judge_many(self, options: dict[str, Any]) -> None:
        # Made once, and without a look for circles, which no answer has.
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
            self.stdout.write(f"\n{_begun(unread.place)} was not read: {unread.text}\n    {unread.message}")
            if unread.suggestions:
                offered = ", ".join(f"{word} ({then})" if then else word for word, then in unread.offered)
                self.stdout.write(f"    Did you mean: {offered}?")
        for notice in judged.notices:
            self.stdout.write(f"\n{_begun(notice.place)}: {notice.message}")


def _begun(words: str) -> str:
    """The words as a sentence begins."""
    return f"{words[:1].upper()}{words[1:]}"
