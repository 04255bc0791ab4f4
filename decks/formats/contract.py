"""The contract of file formats: the parts of a format, a deck written as a file, a file read as a deck, and
places in a file.

A format never fails on a deck: what it cannot hold is reported as a ``Loss``. It reads leniently and never
guesses: what it cannot place is reported too, and lines that name no known card stay word for word. Only a
file that is not of the format at all is ``Unreadable``.

A new format is a module with a ``FileFormat``, which reads as well as writes; its line in ``FORMATS``, its
ending and the sign by which it is known in ``__init__.py``; its name in
``tests/decks/formats/test_writing.py`` and in ``docs/commands.md``. A format that is plain text has no sign:
its ``read`` is that of ``text``, and those tests name it beside ``text``.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import NO_MARKS, Decklist, Game, Marks, slugify
from cardsdb.games.kit.listtext.reading import Reading, Unread
from cardsdb.games.kit.model.text import table_beside

# How the files of other programs look.
PROGRAMS: Mapping[str, Any] = table_beside(__file__, "programs")

# Something of the list that the file does not say, or that it says in another place than where it belongs:
# ``where`` is ``line 7``, a section, a detail or a card; empty for the whole list.
Loss: TypeAlias = Fault
Texts: TypeAlias = Mapping[str, str]
# Slug -> game.
Games: TypeAlias = Mapping[str, Game]
Body: TypeAlias = tuple[str, tuple[Loss, ...]]


class Unreadable(Refused):
    """A file that cannot be read at all: a code, a sentence that says what to do, and the place."""

    def __init__(self, code: str, message: str, where: str = "file") -> None:
        super().__init__(Fault(code, message, where), status=413 if code == "too_large" else 400)
        self.code, self.message, self.where = code, message, where


@dataclass(frozen=True)
class ReadFile:
    """A file as a deck: its game, what it says, what was set aside or put elsewhere, and the format and
    dialect it was read as.

    ``text`` is the list as it was read, if the file is a list.
    """

    game: Game
    reading: Reading
    losses: tuple[Loss, ...] = ()
    format: str = ""
    dialect: str = ""
    text: str = ""


@dataclass(frozen=True)
class FileFormat:
    """One file format: ``name`` is the word of the command line and the API, ``title`` is for people.

    ``write`` turns a game and a reading into the file's text and its losses; ``with_texts`` does so where the
    file has a place for the text of a card, with those of some: code -> text. ``read`` turns the file's bytes
    and name into a deck of that game, or if it is None of the one of these games that the file is for; raises
    Unreadable.
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
    """A deck as a file. Line ends are part of ``text``; ``data`` is the text in the format's encoding."""

    filename: str
    content_type: str
    text: str
    losses: tuple[Loss, ...]
    encoding: str = "utf-8"

    @property
    def data(self) -> bytes:
        return self.text.encode(self.encoding, "replace")


MAX_STEM = 60


def file_stem(game: Game, deck: Decklist) -> str:
    """``spycraft-night-watch``: the name of a deck's files, in plain letters, so that every system takes
    it.
    """
    return f"{game.slug}-{slugify(deck.name)[:MAX_STEM].strip('-') or 'deck'}"


def settings_of(game: Game, format: str) -> Mapping[str, Any]:
    """The settings that the game has for one format; empty if it has none."""
    return game.exports.get(format, {})


_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Place:
    """A line, and the column if it is known; 0 stands for what is not."""

    line: int
    column: int = 0

    def __str__(self) -> str:
        return self.of("")

    def of(self, field: str) -> str:
        """``line 7, column 3 (qty)``: the place of what is called so there; empty where no line is known."""
        column = f", column {self.column}" if self.column else ""
        name = f" ({field[:40]})" if field else ""
        return f"line {self.line}{column}{name}" if self.line else ""


NOWHERE = Place(0)


class Lines:
    """The lines of a text, to tell the places of its characters."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(text))]

    def place(self, at: int) -> Place:
        """The place of the character with this index."""
        line = bisect_right(self._starts, at)
        return Place(line, at - self._starts[line - 1] + 1)


# -- the contents of files before they are read for a game -----------------------------


@dataclass(frozen=True)
class Row:
    """Some copies of a card as a file names it, word for word, at this place in the file; ``count_at``: where
    the count stands, in words.

    ``id`` is the card's in that tool, ``code`` the one in our catalogue. ``facts`` are those of a card that
    the list writes in, None for any other.
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
        """The row as a line that a person would write."""
        extras = f" ({self.set})" + (f" {self.number}" if self.number else "") if self.set else ""
        return f"{self.count or 1} {self.name}{extras}"


# The loss of a row whose count is 0, as ``LeftOut`` takes it.
NO_COPIES = "no_copies", "a row of 0 copies"
# Ways in which programs and people write whole numbers: 2, 2x, x2, ×2, 2.0.
_COPIES = re.compile(r"(?:[xX×]\s?)?(?P<count>\d{1,4})(?:\s?[xX×ｘＸ]|\.0+)?")


def copies_of(count: str) -> tuple[int, str]:
    """The copies that a count states, -1 if it is no number; and in words what was assumed, empty if nothing
    was.
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
    """A whole file. ``game`` is the slug of the game it is for, empty if it does not say; ``details`` stand
    by key.

    ``notes_field`` is the text of the format's field for notes, which holds our lines beside the author's
    (see ``writing.DeckNotes``).
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
    """The rows with equal ones added up, each at the place of the first. Their counts are whole numbers."""
    found: dict[tuple[str, ...], Row] = {}
    for row in rows:
        key = (row.name, row.part, row.set, row.number, row.id, row.code)
        same = found.get(key)
        found[key] = replace(same, count=str(int(same.count) + int(row.count))) if same else row
    return tuple(found.values())
