"""What lists say besides their cards: a format has places for some of it, writes some into notes, to be read
back, and drops the rest.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from cardsdb.games.kit import Card, Entry, Game, Marks
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.line import MAX_LINE, MAX_WRITTEN, LineRefused, line_for, read_card_line
from cardsdb.games.kit.listtext.reading import Reading, Unread
from cardsdb.games.kit.model.decklist import NO_MARKS, Prints
from cardsdb.games.kit.model.marks import joined
from cardsdb.games.kit.model.text import fold, some
from decks.formats.contract import Loss

# The kinds that a format holds if it has a place for everything but unread lines.
ALL_BUT_UNREAD = frozenset(
    {"name", "format", "house", "tags", "notes", "detail", "comment", "facts", "marks", "print"}
)
# In another tool's notes our lines stand below this one, the author's own above it.
OURS = "-- Cutout --"
# One of our lines, in files that must name a set for every card: the first set says nothing of the print
# there.
PRINTS_OPEN = "Prints: left open where no line here names one"


@dataclass(frozen=True, slots=True)
class Extra:
    """One thing a list says besides its cards. ``says`` are the lines that stand for it in notes; ``entry``
    is what marks are on.

    Kinds: name, format, house (rules), tags, notes, detail, comment, facts (of a card that is written in),
    marks (on a line), print (of a line that has no other marks) and line (one not read).
    """

    kind: str
    called: str
    says: tuple[str, ...]
    where: str = ""
    why: str = ""
    entry: Entry | None = None


def extras(game: Game, reading: Reading) -> Iterator[Extra]:
    """Everything a list says besides its cards, in the order in which it stands in notes."""
    deck = reading.deck
    if reading.notes:
        yield Extra("notes", "The notes", tuple(reading.notes.split("\n")))
    if deck.name:
        yield Extra("name", f"The name “{deck.name}”", (f"Name: {deck.name}",))
    if reading.format:
        yield Extra("format", f"The format “{reading.format}”", (f"Format: {reading.format}",))
    if reading.house:
        yield Extra("house", "The house rules", (f"House rules: {reading.house}",))
    if reading.tags:
        yield Extra("tags", f"The tags {', '.join(reading.tags)}", (f"Tags: {', '.join(reading.tags)}",))
    labels = {detail.key: detail.label for format in game.formats for detail in format.details}
    for key, value in deck.details.items():
        line = f"{labels.get(key, key)}: {value}"
        yield Extra("detail", f"“{line}”", (line,), key)
    if reading.comments:
        yield Extra(
            "comment",
            some(len(reading.comments), "comment"),
            tuple(f"Comment: {line}" for line in reading.comments),
        )
    for entry in deck:
        if entry.card.written and not entry.card.unknown:
            line = _on_one_line(game, replace(entry, marks=NO_MARKS))
            yield Extra(
                "facts",
                f"What the list says about {entry.card.name}",
                (f"Written in: {line}",),
                entry.card.name,
            )
    for entry in deck:
        if entry.marks != NO_MARKS:
            marked = _marked(game, entry)
            if entry.marks.only_prints:
                yield Extra(
                    "print",
                    f"The print {entry.marks.prints} of {entry.card.name}",
                    (marked,),
                    entry.card.name,
                    entry=entry,
                )
            else:
                yield Extra(
                    "marks",
                    f"Note, tags and marks of {entry.card.name}",
                    (marked,),
                    entry.card.name,
                    entry=entry,
                )
    for unread in reading.unread:
        lines = unread.text.split("\n")
        place = unread.place
        called = f"{place[:1].upper()}{place[1:]}, not read (“{' '.join(map(str.strip, lines))}”)"
        says = tuple(f"Not read: {line.strip()}" for line in lines)
        yield Extra("line", called, says, place, f" {unread.message}")


def _marked(game: Game, entry: Entry) -> str:
    return f"Marked: {_on_one_line(game, entry)}"


def _on_one_line(game: Game, entry: Entry) -> str:
    return " ".join(line.strip() for line in line_for(game, entry).split("\n"))


def note_lines(game: Game, reading: Reading, holds: Collection[str], more: Collection[str] = ()) -> list[str]:
    """The notes of a file: the author's own, then our lines for what the format has no other place for, and
    ``more`` of ours.

    The deck's entries stand in the order of the file (``in_parts``).
    """
    noted = [extra for extra in extras(game, reading) if extra.kind not in holds]
    own = [line for extra in noted if extra.kind == "notes" for line in extra.says]
    about = [
        line
        for extra in noted
        if extra.kind not in ("notes", "line") and not extra.entry
        for line in extra.says
    ]
    unread = [line for extra in noted if extra.kind == "line" for line in extra.says]
    ours = [
        *about,
        *_marked_lines(game, reading, [extra.entry for extra in noted if extra.entry]),
        *unread,
        *more,
    ]
    return [*own, *([OURS] if ours else []), *ours]


def _marked_lines(game: Game, reading: Reading, marked: Iterable[Entry]) -> list[str]:
    """The marked entries, and before each those of its card that stand above it: marks are read back in the
    order of the deck.
    """
    wanted = {id(entry) for entry in marked}
    lines: list[str] = []
    above: dict[str, list[str]] = {}
    for entry in reading.deck:
        waiting = above.setdefault(entry.card.code, [])
        waiting.append(_marked(game, entry))
        if id(entry) in wanted:
            lines += waiting
            waiting.clear()
    return lines


def extra_losses(game: Game, reading: Reading, holds: Collection[str], notes: str = "") -> tuple[Loss, ...]:
    """What a format loses that ``holds`` these kinds; ``notes`` names the place where it writes the rest, if
    it has one.
    """
    fate, outcome = (f"kept in {notes}", "kept") if notes else ("left out", "dropped")
    losses = [
        Loss(f"{extra.kind}_{outcome}", f"{extra.called}: {fate}.{extra.why}", extra.where)
        for extra in extras(game, reading)
        if extra.kind not in holds and not (notes and extra.kind == "notes")
    ]
    losses += [Loss("print_unknown", notice.message, notice.place) for notice in reading.notices]
    return tuple(losses)


MAX_NOTE_LINE = MAX_WRITTEN + 2 * MAX_LINE
_LINE = re.compile(
    r"(?P<key>Name|Format|House rules|Tags|Prints|Comment|Written in|Marked|Not read): (?P<value>.*)"
)


@dataclass(slots=True)
class DeckNotes:
    """What notes say of a deck.

    ``values``: name, format, house rules and tags as they stand; ``written`` by folded name, ``marked`` by
    code, both in the list's order.
    """

    notes: str = ""
    values: dict[str, str] = field(default_factory=dict)
    details: dict[str, int | str] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    written: dict[str, list[Card]] = field(default_factory=dict)
    marked: dict[str, list[Entry]] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)

    def leaves_open(self, card: Card, set_code: str) -> bool:
        """Whether the file names the card's first set only because it must name one."""
        return "Prints" in self.values and bool(card.prints) and fold(set_code) == fold(card.prints[0].set)

    def card(self, name: str) -> Card | None:
        """The next card written in by this name; once there is only one left, always that one."""
        cards = self.written.get(fold(name), [])
        return cards.pop(0) if len(cards) > 1 else next(iter(cards), None)

    def marks_of(self, card: Card, count: int) -> Marks:
        """The next marks on this card: those of so many copies, which may be several lines of the list."""
        waiting = self.marked.get(card.code)
        if not waiting:
            return NO_MARKS
        line = waiting.pop(0)
        while waiting and line.count + waiting[0].count <= count:
            line = joined(line, waiting.pop(0))
        prints = Prints.split((*line.marks.prints.groups(min(line.count, count)), ("", count - line.count)))
        return replace(line.marks, prints=prints)


def read_notes(game: Game, notes: str) -> DeckNotes:
    """Read the notes of a file: our own lines stand below the line ``OURS``, the author's notes above it."""
    lines = [line.rstrip() for line in notes.split("\n")]
    place = max((number for number, line in enumerate(lines) if line.strip() == OURS), default=len(lines))
    deck_notes = DeckNotes()
    rest = [
        *lines[:place],
        *(line for line in lines[place + 1 :] if line and not _read(game, line.strip(), deck_notes)),
    ]
    deck_notes.notes = "\n".join(rest).strip("\n")
    return deck_notes


def _read(game: Game, line: str, notes: DeckNotes) -> bool:
    """Read one of our lines into ``notes``; False for a line that is none of ours."""
    match = _LINE.fullmatch(line) if len(line) <= MAX_NOTE_LINE else None
    if not match:
        details: Mapping[str, int | str] = read_deck(game, line).deck.details if len(line) <= MAX_LINE else {}
        notes.details.update(details)
        return bool(details)
    key, value = match["key"], match["value"].strip()
    if key == "Comment":
        notes.comments.append(value)
    elif key == "Not read":
        notes.unread.append(
            Unread(
                0,
                value[:MAX_LINE],
                "unknown_card",
                "The file keeps it as a line that was not read.",
                where="the notes",
            )
        )
    elif key in ("Written in", "Marked"):
        try:
            card = read_card_line(game, value, ())
        except LineRefused:
            return False
        if key == "Marked":
            notes.marked.setdefault(card.card.code, []).append(Entry(card.card, card.copies, "", card.marks))
        else:
            notes.written.setdefault(fold(card.card.name), []).append(card.card)
    else:
        notes.values.setdefault(key, value)
    return True


def tags_of(text: str) -> tuple[str, ...]:
    """The tags of a text such as ``a, b``."""
    return tuple(dict.fromkeys(tag for tag in map(str.strip, text.split(",")) if tag))
