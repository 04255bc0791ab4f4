"""Lists in files: one of another program, turned into our text, or many, judged one after the other with only
one in memory.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused, error_list
from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.deck import MAX_BYTES
from cardsdb.games.kit.model.marks import has_control
from cardsdb.games.kit.model.text import some
from cardsdb.site.decoding import read_json
from decks.core.judging import game_or_refuse, judge_any
from decks.formats import Loss, Unreadable, format_of
from decks.formats.files import MAX_JSON_BYTES, text_or_refuse
from decks.importing.file_import import OurText, as_text, kind_of_file, read_file, reading_losses


@dataclass(frozen=True, slots=True)
class ForeignList:
    """The list in a file of another program: as our text, with name, notes and the lines that nobody knows;
    what it was, what was lost.
    """

    game: Game
    written: OurText
    taken_for: str
    losses: tuple[Loss, ...]

    @property
    def text(self) -> str:
        return self.written.text

    @property
    def words(self) -> str:
        """``Read as a file of Cockatrice. 2 things were set aside: ...``"""
        said = " ".join(
            f"{loss.message} ({loss.where})" if loss.where else loss.message for loss in self.losses[:3]
        )
        more = f" And {some(len(self.losses) - 3, 'thing')} more." if len(self.losses) > 3 else ""
        return f"Read as a file of {self.taken_for}." + (f" {said}{more}" if said else "")

    def as_json(self) -> dict[str, Any]:
        return {"taken_for": self.taken_for, "losses": error_list(self.losses)}


def foreign_list(data: bytes, filename: str = "", game: str = "") -> ForeignList | None:
    """The list that another program's file holds; None for plain text, which is read line by line.

    ``game``: a slug, or empty where the file says it. Raises Refused for a file that is damaged, too large or
    no deck.
    """
    try:
        format = format_of(data, filename)
    except Unreadable as error:
        if error.code == "not_a_deck" and _is_text(data):
            return None  # A list may be called “MZ”, as programs begin.
        raise Refused(
            Fault(error.code, error.message, "text" if error.where == "file" else error.where)
        ) from None
    if format == "text" or not data.strip():
        return None
    read = read_file(game_or_refuse(game, games()) if game else None, data, filename, format)
    losses = (*read.losses, *reading_losses(read, whole=True))
    return ForeignList(read.game, as_text(read, whole=True), kind_of_file(read), losses)


def _is_text(data: bytes) -> bool:
    """Whether these bytes are text that people write, whatever they begin with."""
    try:
        return not has_control(data.decode("utf-8-sig").replace("\r", "").replace("\n", " "))
    except UnicodeDecodeError:
        return False


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
        yield {"file": path.name} | _answer(partial(_whole, data, path.name), usual)


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


def _whole(data: bytes, filename: str) -> dict[str, Any]:
    foreign = foreign_list(data, filename)
    return (
        {"text": text_or_refuse(data)}
        if foreign is None
        else {"text": foreign.text, "game": foreign.game.slug, "file": foreign}
    )


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
        judged = judge_any(values["text"], values["game"], values["format"], values["house"])
        if foreign := values.get("file"):
            return foreign.written.placed(judged).as_json() | {"of_file": foreign.as_json()}
        return judged.as_json()
    except Refused as refused:
        return {"errors": error_list(refused.faults)}
