"""A file of any program as a deck that its author can still change: its list as our text, its notes and tags,
and the losses.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any, NamedTuple

from cardsdb.catalogue.as_json import picked
from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused, error_list
from cardsdb.games.kit import Game, plural, some
from cardsdb.games.kit.listtext.deck import ListTooLarge, read_deck
from cardsdb.games.kit.listtext.reading import Notice, Reading, Unread
from cardsdb.games.kit.listtext.rewriting import KEEP_UNKNOWN, with_corrections
from cardsdb.games.kit.model.marks import has_control
from decks.core.judging import (
    Judged,
    OwnLookup,
    game_of,
    game_or_refuse,
    judge_text,
    no_own_cards,
    with_comments,
)
from decks.core.used_format import LeagueLookup, format_or_refuse, no_leagues
from decks.formats import FORMATS, Loss, ReadFile, Unreadable, format_of, read_any
from decks.formats.files import text_or_refuse
from decks.formats.writing import cleaned

# Codes of faults that reading the list again finds again.
_FOUND_AGAIN = ("unknown_card", "ambiguous")
# Unread lines that the report names; all of them are listed where they can be corrected.
MAX_UNREAD_REPORTED = 20
# Losses that a sentence about a file names.
MAX_NAMED = 3


def in_list(line: Unread | Notice) -> str:
    """The place of a line in the list as our text has it."""
    return f"line {line.line} of the list"


class OurText(NamedTuple):
    """The list of a file as our text. ``unread``: the line of it -> what the file's reader said of that line,
    with its place in the file.

    ``rewritten``: its lines are not those of the file.
    """

    text: str
    unread: Mapping[int, Unread]
    rewritten: bool = True

    def placed(self, judged: Judged) -> Judged:
        """The verdict on this text, every line in the words and at the place of the file."""
        if not self.rewritten:
            return judged
        notices = tuple(replace(one, where=in_list(one)) for one in judged.reading.notices)
        reading = replace(judged.reading, unread=tuple(map(self._placed, judged.unread)), notices=notices)
        return replace(judged, reading=reading)

    def _placed(self, line: Unread) -> Unread:
        told = self.unread.get(line.line)
        if told is None:
            return replace(line, where=in_list(line))
        if told.code in (*_FOUND_AGAIN, line.code) and told.code != "bad_count":
            return replace(line, where=told.where)
        return replace(line, code=told.code, message=told.message, where=told.where)


def as_text(read: ReadFile, *, whole: bool = False) -> OurText:
    """The list as our text, with every unread line in its place, so that it can be corrected there.

    ``whole``: with the name, the notes and the tags, for which a form has fields of its own.
    """
    if read.text:
        return OurText(read.text, {}, rewritten=False)
    reading: Reading = cleaned(read.reading)
    game, written = read.game, replace(reading, unread=())
    if not whole:
        deck = replace(reading.deck, name="")
        written = replace(written, deck=deck, notes="", comments=(), tags=())
    lines: list[str] = []
    numbered: dict[int, Unread] = {}

    def add(unread: Iterable[Unread]) -> None:
        for line in unread:
            numbered[len(lines) + 1] = line
            lines.extend(line.text.split("\n"))

    # Lines above the first heading belong where their cards' types do.
    add(line for line in reading.unread if line.section not in game.sections_by_slug)
    lines += [""] if lines else []
    lines += FORMATS["text"].write(game, written)[0].strip("\n").split("\n")
    for section in game.sections:
        if of_section := [line for line in reading.unread if line.section == section.slug]:
            lines += ["", f"{section.name}:"]
            add(of_section)
    _keep_refused(game, lines, numbered)
    return OurText("\n".join(lines).strip("\n") + "\n", numbered)


def _keep_refused(game: Game, lines: list[str], numbered: Mapping[int, Unread]) -> None:
    """Write 0 copies where a line that the file's reader refused would be read in a list, as “2x Kai” of a
    broken count would.
    """
    refused = {number for number, line in numbered.items() if line.code not in _FOUND_AGAIN}
    if not refused:
        return
    try:
        again = {line.line for line in read_deck(game, "\n".join(lines)).unread}
    except ListTooLarge:
        return
    for number in refused - again:
        name = lines[number - 1].partition(" ")[2].replace("|", "¦").strip()
        lines[number - 1] = f"0 {name or '(no name)'}"


def reading_losses(read: ReadFile, *, whole: bool = False) -> tuple[Loss, ...]:
    """The losses of single rows. ``whole``: as in ``as_text``."""
    losses = []
    if count := 0 if whole else len(read.reading.comments):
        message = f"{some(count, 'comment')} {plural(count, 'was', 'were')} put into the notes."
        losses.append(Loss("comments_moved", message))
    if not read.text:
        losses += [Loss("set_aside", notice.message, notice.place) for notice in read.reading.notices]
    return tuple(losses)


class FileList(NamedTuple):
    """The list in a file: what was read, its text, and all that was lost."""

    read: ReadFile
    written: OurText
    losses: tuple[Loss, ...]

    @classmethod
    def of(cls, read: ReadFile, *, whole: bool = False) -> "FileList":
        losses = (*read.losses, *reading_losses(read, whole=whole))
        return cls(read, as_text(read, whole=whole), losses)

    @property
    def game(self) -> Game:
        return self.read.game

    @property
    def text(self) -> str:
        return self.written.text

    @property
    def taken_for(self) -> str:
        """``OCTGN``, ``Plain text, as Arena writes it``."""
        title, dialect = FORMATS[self.read.format].title, self.read.dialect
        return f"{title}, as {dialect} writes it" if dialect else title

    @property
    def words(self) -> str:
        """``Read as a file of Cockatrice. 2 things were set aside: ...``"""
        told = [f"Read as a file of {self.taken_for}."]
        told += [one.message + (f" ({one.where})" if one.where else "") for one in self.losses[:MAX_NAMED]]
        if more := self.losses[MAX_NAMED:]:
            told.append(f"And {some(len(more), 'thing')} more.")
        return " ".join(told)

    def as_json(self) -> dict[str, Any]:
        return {"taken_for": self.taken_for, "losses": error_list(self.losses)}


class FileImport(NamedTuple):
    """A file that was read and judged. Its text is the whole list, with the lines that were not understood.
    Nothing is stored.
    """

    of_file: FileList
    judged: Judged
    filename: str = ""

    @property
    def reading(self) -> Reading:
        return self.of_file.read.reading

    @property
    def name(self) -> str:
        """The deck's name; in formats without names that of the file, without its ending."""
        file = PurePath(self.filename.replace("\\", "/")).name.partition(".")[0].replace("_", " ")
        return " ".join((self.reading.deck.name or file).split())

    @property
    def notes(self) -> str:
        """The author's notes and the file's comments, which a deck has no other place for."""
        return with_comments(self.reading.notes, self.reading)

    def as_json(self) -> dict[str, Any]:
        read = self.of_file.read
        return {
            "taken_for": picked(read, "format", "dialect") | {"title": FORMATS[read.format].title},
            "game": read.game.slug,
            "name": self.name,
            "notes": self.notes,
            "tags": list(self.reading.tags),
            "house": self.judged.house,
            "text": self.of_file.text,
            "losses": error_list(self.of_file.losses),
            "report": self.judged.as_json(),
        }


def read_file(game: Game | None, data: bytes, filename: str = "", format: str = "") -> ReadFile:
    """Read a file of this format, by default of whichever it looks like. Raises Refused with what is wrong
    with it.
    """
    if format and format not in FORMATS:
        sentence = f"There is no file format “{format[:40]}”. Formats: {', '.join(FORMATS)}."
        raise Refused(Fault("unknown_format", sentence, "from"))
    return read_any(game, data, filename, format, games())


def import_file(
    game: Game | None,
    data: bytes,
    filename: str = "",
    taken_for: str = "",
    format: str = "",
    leagues: LeagueLookup = no_leagues,
    own: OwnLookup = no_own_cards,
) -> FileImport:
    """Read and judge a file. ``taken_for``: its file format, by default the one it looks like. Raises
    Refused.
    """
    read = read_file(game, data, filename, taken_for)
    file = FileList.of(read)
    chosen = format_or_refuse(read.game, format)
    judged = judge_text(read.game, file.text, chosen, own(read.game), leagues=leagues)
    return FileImport(file, file.written.placed(judged), filename)


def foreign_list(data: bytes, filename: str = "", game: str = "") -> FileList | None:
    """The list that another program's file holds, with name, notes and the lines of unknown cards; None for
    plain text, which is read line by line.

    ``game``: a slug, or empty where the file says it. Raises Refused for a file that is damaged, too large or
    no deck.
    """
    try:
        format = format_of(data, filename)
    except Unreadable as error:
        if error.code == "not_a_deck" and _is_text(data):
            return None  # A list may be called “MZ”, as programs begin.
        where = "text" if error.where == "file" else error.where
        raise Refused(Fault(error.code, error.message, where)) from None
    if format == "text" or not data.strip():
        return None
    chosen = game_or_refuse(game, games()) if game else None
    return FileList.of(read_file(chosen, data, filename, format), whole=True)


class SentList(NamedTuple):
    """A list that was sent, judged; ``of_file``: the file of another program that it stood in, if it did."""

    judged: Judged
    of_file: FileList | None = None

    def as_json(self) -> dict[str, Any]:
        return self.judged.as_json() | ({"of_file": self.of_file.as_json()} if self.of_file else {})


def judge_sent(
    data: bytes,
    game: str = "",
    format: str = "",
    house: str = "",
    leagues: LeagueLookup = no_leagues,
    own: OwnLookup = no_own_cards,
    filename: str = "",
) -> SentList:
    """Judge a list, or the file of another program that holds one; slugs, or empty where they are guessed.
    ``own``: further cards that it may name.

    Raises OpenGame where the list leaves the game open, and Refused, as ``foreign_list`` and ``judge_text``
    do, and for unknown slugs.
    """
    file = foreign_list(data, filename, game)
    text = file.text if file else text_or_refuse(data)
    chosen, why = (file.game, "") if file else game_of(text, game, games())
    judged = judge_text(chosen, text, format_or_refuse(chosen, format), own(chosen), house, leagues)
    judged = replace(judged, game_guessed=why)
    return SentList(file.written.placed(judged) if file else judged, file)


def _is_text(data: bytes) -> bool:
    """True for bytes that are text as people write it, whatever they begin with."""
    try:
        return not has_control(data.decode("utf-8-sig").replace("\r", "").replace("\n", " "))
    except UnicodeDecodeError:
        return False


def loss_report(losses: Sequence[Loss], judged: Judged | None) -> list[Loss]:
    """The report: what was lost from the file, what was set aside in its list, and which lines were not
    read.
    """
    if judged is None:
        return list(losses)
    aside = [Loss("set_aside", one.message, one.where or in_list(one)) for one in judged.notices]
    unread = [
        Loss("not_read", f"“{one.text[:80]}” was not read: {one.message}", one.where or in_list(one))
        for one in judged.unread
    ]
    if (more := len(unread) - MAX_UNREAD_REPORTED) > 0:
        message = f"… and {some(more, 'line')} more that {plural(more, 'was', 'were')} not read."
        unread[MAX_UNREAD_REPORTED:] = [Loss("not_read", message)]
    return [*losses, *aside, *unread]


def with_unknown_kept(game: Game, text: str, unread: tuple[Unread, ...]) -> str:
    """The list in which every line of an unknown card is marked as one, so that it is kept."""
    return with_corrections(game, text, {line.line: KEEP_UNKNOWN for line in unread if line.may_stay_unknown})
