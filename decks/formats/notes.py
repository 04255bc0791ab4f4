"""The ``Extra``s of a list, all that it says besides its cards, in the notes of other tools' files.

Writers call ``note_lines`` for the notes of their file, and ``extra_losses`` to report what they leave out::

    Strong in Craft.                            the author's notes
    -- Cutout --                                ``OURS``: our lines follow, one for each extra
    Name: Nine Tiger
    Written in: 1 Made Up | agent | Craft: 3
    Not read: 3 Nobody Knows

``placing.py`` reads them back with ``DeckNotes``. Files are kept for years, so ``DeckNotes`` must go on
reading every line that was ever written. Tests: ``test_writing.py`` and ``test_prints.py`` in
``tests/decks/formats``.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from cardsdb.games.kit import NO_MARKS, Card, Decklist, Entry, Game, Marks, Prints, fold, joined, some
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.line import MAX_LINE, MAX_WRITTEN, LineRefused, line_for, read_card_line
from cardsdb.games.kit.listtext.reading import Reading, Unread
from decks.formats.contract import Loss
from decks.formats.writing import Part, in_parts

# The kinds of extras of formats that have a place for everything but unread lines.
ALL_BUT_UNREAD = frozenset(
    {"name", "format", "house", "tags", "notes", "detail", "comment", "facts", "marks", "print"}
)
# In the notes of another tool's file this line stands between the author's notes and ours.
OURS = "-- Cutout --"
# A line of ours in formats that must name a set for every card: where the author chose no print, the file
# names the set of the first one, and this line says so.
PRINTS_OPEN = "Prints: left open where no line here names one"
# Characters of a line of ours: a card that was written in, with its marks and the words before it.
MAX_NOTE_LINE = MAX_WRITTEN + 2 * MAX_LINE
# A line of ours for an extra. A detail has the game's own word as its key, such as "Hand: 5" in SpyNet, so
# ``DeckNotes`` reads it as a line of a list.
_LINE = re.compile(
    r"(?P<key>Name|Format|House rules|Tags|Prints|Comment|Written in|Marked|Not read): (?P<value>.*)"
)


# -- the extras of a list -----------------------------------------------------------------------


class Extra(NamedTuple):
    """One thing that a list says besides its cards: ``Extra("name", "The name “Nine Tiger”", ("Name: Nine
    Tiger",))``.

    - kind: name, format, house (rules), tags, notes, detail, comment, facts (of a written-in card), marks (of
      a line), print (of a line without other marks), line (unread);
    - title: what messages call it; lines: how notes say it;
    - place: the place that a loss names; reason: only of an unread line.
    """

    kind: str
    title: str
    lines: tuple[str, ...]
    place: str = ""
    reason: str = ""


def extras(game: Game, reading: Reading, holds: Collection[str]) -> list[Extra]:
    """Return the extras for which a format has no place, in the order of their lines in notes. ``holds``: the
    kinds for which it has one.
    """
    deck = reading.deck
    found = (
        *_of_list(game, reading),
        *_of_written_cards(game, deck),
        *_of_marks(game, deck, holds),
        *_of_unread(reading.unread),
    )
    return [extra for extra in found if extra.kind not in holds]


def _of_list(game: Game, reading: Reading) -> Iterator[Extra]:
    """Yield what the list says of the whole deck."""
    deck, tags = reading.deck, ", ".join(reading.tags)
    format_name = next((each.name for each in game.formats if each.slug == reading.format), reading.format)
    if reading.notes:
        yield Extra("notes", "The notes", tuple(reading.notes.split("\n")))
    for kind, title, key, value in (
        ("name", f"The name “{deck.name}”", "Name", deck.name),
        ("format", f"The format “{format_name}”", "Format", reading.format),
        ("house", "The house rules", "House rules", reading.house),
        ("tags", f"The tags {tags}", "Tags", tags),
    ):
        if value:
            yield Extra(kind, title, (f"{key}: {value}",))
    labels = {detail.key: detail.label for format in game.formats for detail in format.details}
    for key, stated in deck.details.items():
        line = f"{labels.get(key, key)}: {stated}"
        yield Extra("detail", f"“{line}”", (line,), key)
    if comments := reading.comments:
        lines = tuple(f"Comment: {comment}" for comment in comments)
        yield Extra("comment", some(len(comments), "comment"), lines)


def _of_written_cards(game: Game, deck: Decklist) -> Iterator[Extra]:
    """Yield the cards that the list describes itself."""
    for entry in deck:
        card = entry.card
        if card.written and not card.unknown:
            line = f"Written in: {_on_one_line(game, replace(entry, marks=NO_MARKS))}"
            yield Extra("facts", f"What the list says about {card.name}", (line,), card.name)


def _of_marks(game: Game, deck: Decklist, holds: Collection[str]) -> Iterator[Extra]:
    """Yield the marks of lines, of kinds that the format does not hold.

    ``DeckNotes.take_marks`` gives the marks to the rows of a card in the file's order. So a marked line is
    preceded by the lines of that card above it which have no marks, and lines after the last mark are left
    out. ``1 Eve``, ``1 Eve (TRU) 154 ^keep``, ``1 Eve`` in three sections become one extra that says
    ``Marked: 1 Eve``, ``Marked: 1 Eve (TRU) 154 ^keep``.
    """
    # Code of a card -> its lines since the last marked one.
    since_marked: dict[str, list[Entry]] = {}
    for entry in deck:
        marks, card = entry.marks, entry.card
        entries = since_marked.setdefault(card.code, [])
        entries.append(entry)
        kind, title = "marks", "Note, tags and marks"
        if marks.only_prints:
            kind, title = "print", f"The print {marks.prints}"
        if marks != NO_MARKS and kind not in holds:
            lines = tuple(f"Marked: {_on_one_line(game, each)}" for each in entries)
            yield Extra(kind, f"{title} of {card.name}", lines, card.name)
            entries.clear()


def _of_unread(unread: Iterable[Unread]) -> Iterator[Extra]:
    """Yield the lines that were not read. One from a table or from JSON may have line ends in it."""
    for fault in unread:
        rows, place = [row.strip() for row in fault.text.split("\n")], fault.place
        title = f"{place[:1].upper()}{place[1:]}, not read (“{' '.join(rows)}”)"
        yield Extra("line", title, tuple(f"Not read: {row}" for row in rows), place, f" {fault.message}")


def _on_one_line(game: Game, entry: Entry) -> str:
    return " ".join(map(str.strip, line_for(game, entry).split("\n")))


def note_lines(
    game: Game, reading: Reading, parts: Iterable[Part], holds: Collection[str] = (), more: Iterable[str] = ()
) -> list[str]:
    """Return the lines of a file's notes: the author's, then ``OURS``, our lines for extras without another
    place in the format, and ``more``. Without the latter two, ``OURS`` is left out.
    """
    authors, ours = list[str](), list[str]()
    for extra in extras(game, in_parts(reading, parts), holds):
        (authors if extra.kind == "notes" else ours).extend(extra.lines)
    ours += more
    return [*authors, OURS, *ours] if ours else authors


def extra_losses(game: Game, reading: Reading, holds: Collection[str], notes: str = "") -> tuple[Loss, ...]:
    """Return the losses of extras in a format that ``holds`` these kinds. ``notes``: the name of the field
    that keeps the rest, empty if there is none.
    """
    if notes:
        # The author's notes are in that field as well, so they are not lost.
        holds, fate, outcome = (*holds, "notes"), f"kept in {notes}", "kept"
    else:
        fate, outcome = "left out", "dropped"
    losses = [
        Loss(f"{extra.kind}_{outcome}", f"{extra.title}: {fate}.{extra.reason}", extra.place)
        for extra in extras(game, reading, holds)
    ]
    losses += [Loss("print_unknown", notice.message, notice.place) for notice in reading.notices]
    return tuple(losses)


# -- notes read back ----------------------------------------------------------------------------


class DeckNotes:
    """The notes of a file, read back: the author's above the line ``OURS``, ours below it.

    - notes: the author's lines, also those added below ours;
    - values: "Name", "Format", "House rules", "Tags", "Prints" -> text; details: key -> value;
    - written: folded name -> the cards that lines ``Written in:`` describe ("made up" -> [Made Up]);
    - marked: code -> the entries of lines ``Marked:`` ("eve" -> [1 Eve, 1 Eve (TRU) 154 ^keep]).

    ``take_card`` and ``take_marks`` take out of the latter two: call them once for each row, in the file's
    order.
    """

    def __init__(self, game: Game, notes: str) -> None:
        self.game = game
        self.values: dict[str, str] = {}
        self.details: dict[str, int | str] = {}
        self.comments: list[str] = []
        self.written: dict[str, list[Card]] = {}
        self.marked: dict[str, list[Entry]] = {}
        self.unread: list[Unread] = []
        lines = [line.rstrip() for line in notes.split("\n")]
        # The last line OURS counts, because the author's notes may contain one, too.
        border = max((index for index, line in enumerate(lines) if line.strip() == OURS), default=len(lines))
        authors = lines[:border]
        for line in lines[border + 1 :]:
            # A line that is none of ours was added by the author in the other program.
            if line and not self._read(line.strip()):
                authors.append(line)
        self.notes = "\n".join(authors).strip("\n")

    def _read(self, line: str) -> bool:
        """Read a line of ours. Return False if it is none."""
        match = _LINE.fullmatch(line) if len(line) <= MAX_NOTE_LINE else None
        if not match:
            # It may be a detail, as in a list.
            details = read_deck(self.game, line).deck.details if len(line) <= MAX_LINE else {}
            self.details.update(details)
            return bool(details)
        key, value = match["key"], match["value"].strip()
        if key == "Comment":
            self.comments.append(value)
        elif key == "Not read":
            message = "The file keeps it as a line that was not read."
            self.unread.append(Unread(0, value[:MAX_LINE], "unknown_card", message, where="the notes"))
        elif key in ("Written in", "Marked"):
            try:
                copies, card, _, marks = read_card_line(self.game, value, ())
            except LineRefused:
                return False
            if key == "Marked":
                self.marked.setdefault(card.code, []).append(Entry(card, copies, "", marks))
            else:
                self.written.setdefault(fold(card.name), []).append(card)
        else:
            self.values.setdefault(key, value)
        return True

    def leaves_open(self, card: Card, set_code: str) -> bool:
        """True if the file names this set only because its format must name one: it has ``PRINTS_OPEN``, and
        the set is that of the card's first print.
        """
        return "Prints" in self.values and bool(card.prints) and fold(set_code) == fold(card.prints[0].set)

    def take_card(self, name: str) -> Card | None:
        """Take out and return the next card written in by this name, the last one again and again; None if
        there is none.

        A list may write in two cards of one name with different facts, each for its own row.
        """
        cards = self.written.get(fold(name))
        if not cards:
            return None
        return cards.pop(0) if len(cards) > 1 else cards[0]

    def take_marks(self, card: Card, count: int) -> Marks:
        """Take out and return the marks of the next row of this card, which has ``count`` copies.

        Programs may join rows, so as many ``Marked`` lines are joined as fit into the count. With the lines
        ``1 Eve`` and ``1 Eve (TRU) 154 ^keep``::

            take_marks(eve, 1) -> no marks; the next take_marks(eve, 1) -> keep, TRU 154
            take_marks(eve, 3) -> keep, TRU 154 ×1: the third copy has no chosen print
        """
        lines = self.marked.get(card.code)
        if not lines:
            return NO_MARKS
        row = lines.pop(0)
        while lines and row.count + lines[0].count <= count:
            row = joined(row, lines.pop(0))
        chosen = row.marks.prints.groups(min(row.count, count))
        without_print = ("", count - row.count)
        return replace(row.marks, prints=Prints.split((*chosen, without_print)))
