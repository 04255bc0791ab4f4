"""The contract of file formats: what a format must provide, the values that formats, readers and writers
exchange, and the names that other tools give a game and its sections (the game's ``exports``).

- To write: ``Reading`` (a list as read from text) -> ``FileFormat.write`` -> ``Body`` -> ``export`` in
  ``__init__.py`` -> ``Written``. Writing never fails: what a format cannot hold is reported as a ``Loss``.
- To read: bytes -> a ``parse`` function -> ``Parsed`` (rows as the file has them) -> ``placing.py`` ->
  ``ReadFile``. Reading never guesses: what cannot be placed is reported too, and lines that name no known
  card stay word for word. Only a file that is not of the format at all raises ``Unreadable``.

To add a format: write a module with a ``FileFormat`` that reads and writes. In ``__init__.py`` add it to
``FORMATS``, its ending to ``_ENDINGS``, and the sign by which it is recognised: for XML its root to
``_ROOTS``, else a test in ``format_of``. Add its name to ``docs/commands.md`` and, if it holds all of a
list or its sections, to ``HOLD_ALL`` or ``HOLD_SECTIONS`` in ``tests/support/deck_files.py``. The
API, the page of files and the importer then offer it by themselves, for ``FORMATS`` and ``CHOICES`` serve
both directions; a format that is only written would need a list of its own in ``__init__.py``. A plain-text
format has no sign: its ``read`` is that of ``text``, and where a test over ``HOLD_ALL`` makes an exception
for ``text``, it needs the same one.

Tests: ``test_contract.py``; ``test_writing.py`` and ``test_files.py`` go through every format. Exceptions by
name stand in ``test_writing.py``, ``test_prints.py`` and ``tests/decks/pages/test_sharing.py``.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from cardsdb.faults import Fault, Refused
from cardsdb.games import games
from cardsdb.games.kit import NO_MARKS, Decklist, Game, Marks, fold, listed, slugify
from cardsdb.games.kit.listtext.guess import Guess, game_of_most
from cardsdb.games.kit.listtext.reading import Reading, Unread, heading_of
from cardsdb.games.kit.model.text import table_beside

# The content of programs.toml: how the files of other programs look.
PROGRAMS: Mapping[str, Any] = table_beside(__file__, "programs")

# Something that is lost or moved to another place when a file is written or read. ``where`` is ``line 7``, a
# section, a detail or a card; empty for the whole list.
Loss: TypeAlias = Fault
# Code of a card -> its text.
Texts: TypeAlias = Mapping[str, str]
# Slug -> game.
Games: TypeAlias = Mapping[str, Game]
# (text of a file, losses).
Body: TypeAlias = tuple[str, tuple[Loss, ...]]


class Unreadable(Refused):
    """A file that cannot be read at all. ``message`` says what to do, ``where`` is the place of the fault."""

    def __init__(self, code: str, message: str, where: str = "file") -> None:
        super().__init__(Fault(code, message, where), status=413 if code == "too_large" else 400)
        self.code, self.message, self.where = code, message, where


@dataclass(frozen=True)
class ReadFile:
    """A file read as a deck of ``game``.

    - losses: what was set aside or moved;
    - format: the name of the ``FileFormat``, such as "o8d", not of the deck's format;
    - dialect: the program that wrote the file, such as "Moxfield"; empty if that does not show;
    - text: the list itself if the file is plain text.
    """

    game: Game
    reading: Reading
    losses: tuple[Loss, ...] = ()
    format: str = ""
    dialect: str = ""
    text: str = ""


@dataclass(frozen=True)
class FileFormat:
    """A file format. ``name`` is its word for the command line and the API, ``title`` is for people.

    - suffix: the end of a file's name, such as ".o8d";
    - write: (game, reading) -> (text, losses);
    - with_texts: the same with the texts of cards, None if the format has no place for them;
    - read: (game or None, bytes, file name, games) -> ReadFile. If the game is None, ``read`` finds out for
      which of the games the file is. It raises Unreadable for a bad file.
    """

    name: str
    title: str
    suffix: str
    content_type: str
    write: Callable[[Game, Reading], Body]
    read: Callable[[Game | None, bytes, str, Games], ReadFile]
    encoding: str = "utf-8"
    with_texts: Callable[[Game, Reading, Texts], Body] | None = None


@dataclass(frozen=True)
class Written:
    """A deck as a file. ``text`` includes the format's line ends; ``data`` is the text in its encoding."""

    filename: str
    content_type: str
    text: str
    losses: tuple[Loss, ...]
    encoding: str = "utf-8"

    @property
    def data(self) -> bytes:
        return self.text.encode(self.encoding, "replace")


# Characters of a deck's name in the name of its file.
MAX_STEM = 60


def file_stem(game: Game, deck: Decklist) -> str:
    """Return the name of the deck's file without its ending, such as ``spycraft-night-watch``. It has only
    characters that every system takes.
    """
    return f"{game.slug}-{slugify(deck.name)[:MAX_STEM].strip('-') or 'deck'}"


def settings_of(game: Game, format: str) -> Mapping[str, Any]:
    """Return what the game's folder says about one format (``exports``), empty for nothing."""
    return game.exports.get(format, {})


@dataclass(frozen=True)
class Place:
    """A place in a file: line and column from 1, or 0 if unknown."""

    line: int
    column: int = 0

    def __str__(self) -> str:
        return self.of("")

    def of(self, field: str) -> str:
        """Return the place in words, with a field's name: ``line 7, column 3 (qty)``. Empty if the line is
        unknown.
        """
        column = f", column {self.column}" if self.column else ""
        name = f" ({field[:40]})" if field else ""
        return f"line {self.line}{column}{name}" if self.line else ""


NOWHERE = Place(0)
_LINE_END = re.compile(r"\r\n|\r|\n")


class Lines:
    """The lines of a text, for finding the places of characters."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(text))]

    def place(self, at: int) -> Place:
        """Return the place of the character at this index."""
        # The number of lines that begin at or before it.
        line = bisect_right(self._starts, at)
        return Place(line, at - self._starts[line - 1] + 1)


# -- the contents of files before they are read for a game -----------------------------


@dataclass(frozen=True)
class Row:
    """Some copies of a card, word for word as the file names them.

    - count: as written there, such as "2x", read by ``copies_of``; empty if there is none;
    - part: the part of the file that the row is in, such as a heading or zone;
    - set, number: the print; id: the card's id in that tool; code: its code in our catalogue;
    - facts: for a card that the list writes in, else None;
    - place: where the row is in the file; count_at: where its count is, in words.
    """

    place: Place
    count: str
    name: str
    part: str = ""
    set: str = ""
    number: str = ""
    id: str = ""
    code: str = ""
    type: str = ""
    facts: tuple[tuple[str, object], ...] | None = None
    marks: Marks = NO_MARKS
    count_at: str = ""

    @property
    def where(self) -> str:
        """The row's place in words."""
        return str(self.place)

    @property
    def text(self) -> str:
        """The row as a person would write it: ``2 Kai (ON) 12``."""
        extras = f" ({self.set})" + (f" {self.number}" if self.number else "") if self.set else ""
        return f"{self.count or 1} {self.name}{extras}"


# The arguments of ``LeftOut.add`` for a row whose count is 0.
NO_COPIES = "no_copies", "a row of 0 copies"
# Ways of writing a number of copies: 2, 2x, x2, ×2, 2.0.
_COPIES = re.compile(r"(?:[xX×]\s?)?(?P<count>\d{1,4})(?:\s?[xX×ｘＸ]|\.0+)?")


def copies_of(count: str) -> tuple[int, str]:
    """Return (copies, assumption): the copies that a count states, -1 if it is no number, and a sentence if
    something was assumed, else "".

    ``"2x" -> (2, 'the count “2x” was taken for 2')``
    """
    if not count.strip():
        return 1, "no count is given; one copy was assumed"
    match = _COPIES.fullmatch(count.strip())
    if match is None:
        return -1, ""
    copies, typed = int(match["count"]), count.strip()
    return copies, "" if typed.isdecimal() else f"the count “{typed[:20]}” was taken for {copies}"


@dataclass(frozen=True)
class Parsed:
    """The content of a whole file, before it is read for a game. ``game`` is a slug, ``format`` the deck's
    format as the file names it, ``house`` its house rules (``AG-4.limit=4``); each is empty if the file does
    not say it.

    ``notes_field``: the text of the format's field for notes, which may hold lines of ours beside the
    author's (``notes.DeckNotes``).
    """

    rows: tuple[Row, ...]
    game: str = ""
    name: str = ""
    format: str = ""
    house: str = ""
    notes: str = ""
    notes_field: str = ""
    tags: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    details: Mapping[str, int | str] = field(default_factory=dict)
    losses: tuple[Loss, ...] = ()
    dialect: str = ""
    unread: tuple[Unread, ...] = ()


def merged(rows: list[Row]) -> tuple[Row, ...]:
    """Return the rows, those alike in name, part, print and ids as one row with the sum of their counts, at
    the place of the first: 1 Kai, 1 Li Cong, 1 Kai -> 2 Kai, 1 Li Cong. For formats that write every copy.

    The counts must be whole numbers. Marks and facts of all rows but the first would be lost.
    """
    found: dict[tuple[str, ...], Row] = {}
    for row in rows:
        key = (row.name, row.part, row.set, row.number, row.id, row.code)
        same = found.get(key)
        found[key] = replace(same, count=str(int(same.count) + int(row.count))) if same else row
    return tuple(found.values())


# -- what other tools call a game and its sections -------------------------------------------------

# Characters of a card's name.
MAX_NAME = 200
# Names of a file that are looked up to find its game.
MAX_NAMES_TRIED = 500


def game_called(format: str, word: str) -> str:
    """Return the slug of the game that a tool calls by this word, empty if there is none."""
    if not word:
        return ""
    for slug, game in games().items():
        settings = settings_of(game, format)
        names = (slug, game.name, str(settings.get("game", "")), str(settings.get("title", "")))
        if fold(word) in map(fold, names):
            return slug
    return ""


def game_of_names(names: Iterable[str], among: Games) -> Guess:
    """Return the guess which of these games has most of these names as cards. ``decided`` makes a game of
    it.
    """
    tried = tuple(name for name in names if len(name) <= MAX_NAME)[:MAX_NAMES_TRIED]
    return game_of_most(
        among.values(), lambda game: sum(bool(game.name_index.find(name).cards) for name in tried)
    )


def decided(guess: Guess, what: str) -> Game:
    """Return the game of a guess. Raise Unreadable if the names belong to no game, or to several equally
    well. ``what``: "list" or "file" in the message.
    """
    if guess.game:
        return guess.game
    if not guess.candidates:
        here = listed(tuple(game.name for game in games().values()))
        sentence = (
            f"The list names no card of the games here: {here}. If it is for one of them, choose the game"
            " and correct the lines."
        )
        raise Unreadable("foreign_game", sentence)
    alike = " or ".join(game.name for game in guess.candidates)
    sentence = f"The {what} may be for {alike}. Choose the game it is for."
    raise Unreadable("unknown_game", sentence, "game")


def sections_named(game: Game, format: str, part: str) -> tuple[str, ...]:
    """Return the slugs of the sections that a part of a file may stand for: those to which the game gives
    this name in this format (``exports``), else the one with this heading, else none.
    """
    names: Mapping[str, str] = settings_of(game, format).get("sections", {})
    named = tuple(slug for slug, word in names.items() if fold(word) == fold(part))
    if named:
        return named
    # (slug of the section, empty for the whole deck; ...) if the words are a heading.
    heading = heading_of(game, part)
    return (heading[0],) if heading and heading[0] else ()
