"""Many decks, one after the other: lines of JSON or files of a folder in, one verdict each out. Nothing is kept in memory."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import IO, Any

from cardsdb.games.kit.listtext.deck import MAX_BYTES
from cardsdb.site.faults import Fault, Refused, error_list
from cardsdb.site.strict_json import read_json
from decks.core.judging import format_or_refuse, game_or_refuse, judge_text
from decks.formats.decoding import text_or_refuse

# The text in JSON may be twelve times its length, where every letter is written as an escape.
MAX_LINE = 12 * MAX_BYTES + 2_000
FIELDS = ("game", "format", "house", "text")


def verdicts(path: str, usual: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Judge what FILE, a folder of files or standard input (``-``) holds, in order.

    ``usual``: game, format and house rules of those that name none. Every answer says which it is to: ``line``
    or ``file``. What cannot be judged is answered with ``errors``. Raises Refused if there is nothing to read.
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
            data = file.read(MAX_BYTES + 1)
        yield {"file": path.name} | _answer(partial(_whole, data), usual)


def _lines(file: IO[bytes], usual: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        whole = line
        # What is beyond the bound is read past, so that the next line is the next deck.
        while len(line) > MAX_LINE and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE + 1)
            if not line:
                break
        if whole.strip():
            yield {"line": number} | _answer(partial(_asked, whole), usual)


def _whole(data: bytes) -> dict[str, Any]:
    return {"text": text_or_refuse(data)}


def _asked(line: bytes) -> dict[str, Any]:
    if len(line) > MAX_LINE:
        raise Refused(Fault("too_large", f"The line is longer than {MAX_LINE:,} bytes.", "line"))
    try:
        asked = read_json(line.decode("utf-8-sig"))
    except ValueError:
        asked = None
    if not isinstance(asked, dict) or not all(isinstance(asked.get(field, ""), str) for field in FIELDS) or "text" not in asked:
        sentence = 'Every line is one object of JSON with texts: {"game": "...", "format": "...", "text": "..."}.'
        raise Refused(Fault("bad_json", sentence, "line"))
    return asked


def _answer(read: Callable[[], dict[str, Any]], usual: Mapping[str, Any]) -> dict[str, Any]:
    try:
        asked = {field: usual.get(field) or "" for field in FIELDS} | {key: value for key, value in read().items() if value}
        game = game_or_refuse(asked["game"])
        return judge_text(game, asked["text"], format_or_refuse(game, asked["format"]), house=asked["house"]).as_json()
    except Refused as refused:
        return {"errors": error_list(refused.faults)}
