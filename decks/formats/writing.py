"""The shared parts of the writers: parts of a deck as another tool names them, prints and faces of cards, and
clean text.

A list says more than its cards (name, notes, marks, unread lines: ``Extra``). A format has places for some of
it, writes some as lines of ours into its notes, and drops the rest as losses. ``note_lines`` writes those
lines and ``DeckNotes`` reads them back; keep the two in step, since files are kept for years.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from cardsdb.games.kit import (
    NO_MARKS,
    Card,
    Decklist,
    Entry,
    Game,
    Marks,
    Print,
    Prints,
    Section,
    count_of,
    fold,
    joined,
    some,
)
from cardsdb.games.kit.listtext.deck import lines_of, read_deck
from cardsdb.games.kit.listtext.line import MAX_LINE, MAX_WRITTEN, LineRefused, line_for, read_card_line
from cardsdb.games.kit.listtext.reading import Reading, Unread
from decks.formats.contract import Loss, settings_of


@dataclass(frozen=True)
class Part:
    """One part of the file: its name there, the sections that share it, and their entries."""

    name: str
    sections: tuple[Section, ...]
    entries: tuple[Entry, ...]

    def count(self, section: Section) -> int:
        """Return the copies of this section's cards in the part."""
        return count_of(entry for entry in self.entries if entry.section == section.slug)


def parts_of(
    game: Game, deck: Decklist, name_of: Callable[[Section], str], empty: Iterable[str] = ()
) -> tuple[Part, ...]:
    """Return the parts of the deck, named by ``name_of``, in the order of the game's sections, then unknown
    ones. A part without cards is left out unless its name is in ``empty``.
    """
    unknown = dict.fromkeys(entry.section for entry in deck if entry.section not in game.sections_by_slug)
    by_name: dict[str, list[Section]] = {}
    for section in (*game.sections, *(Section(slug, slug, ()) for slug in unknown)):
        by_name.setdefault(name_of(section), []).append(section)
    parts = []
    for name, sections in by_name.items():
        entries = tuple(entry for section in sections for entry in deck.in_section(section.slug))
        if entries or name in set(empty):
            parts.append(Part(name, tuple(sections), entries))
    return tuple(parts)


def in_parts(reading: Reading, parts: Iterable[Part]) -> Reading:
    """Return the reading with its entries in the order in which a file with these parts has them."""
    entries = tuple(entry for part in parts for entry in part.entries)
    return replace(reading, deck=replace(reading.deck, entries=entries))


def named_by(game: Game, format: str) -> Callable[[Section], str]:
    """Return a function that names a section in this format: by the game's ``exports``, else by its own
    name.
    """
    names: dict[str, str] = settings_of(game, format).get("sections", {})
    return lambda section: names.get(section.slug, section.name)


def fold_losses(parts: Iterable[Part]) -> tuple[Loss, ...]:
    """Return a loss for each section whose cards cannot be told from those of another section in the same
    part.

    One section of a part is no loss: the one with the part's name, else the one with most cards.
    """
    losses = []
    for part in parts:
        counts = {section: count for section in part.sections if (count := part.count(section))}
        home = max(counts, key=lambda s: (s.name.casefold() == part.name.casefold(), counts[s]), default=None)
        losses += [
            Loss("section_folded", f"{some(count, 'card')} of {s.name} folded into {part.name}.", s.slug)
            for s, count in counts.items()
            if s is not home
        ]
    return tuple(losses)


NO_PRINT = Print("")


def first_print(card: Card) -> Print:
    """Return the card's first print, blank if none is known."""
    return card.prints[0] if card.prints else NO_PRINT


def print_of(entry: Entry) -> Print:
    """Return the print that all copies of the line have, or the card's only print, else a blank one."""
    only = entry.card.prints[0] if len(entry.card.prints) == 1 else NO_PRINT
    return entry.card.print_called(entry.marks.prints.label) or only


def print_losses(deck: Decklist) -> tuple[Loss, ...]:
    """Return the loss of formats that must name a set: lines without a chosen print get the first one."""
    names = {
        entry.card.name
        for entry in deck
        if not entry.marks.prints and len({p.set for p in entry.card.prints}) > 1
    }
    message = (
        f"{some(len(names), 'card')} printed in several sets, none of them asked for: the first is written."
    )
    return (Loss("print_chosen", message),) if names else ()


def number_losses(deck: Decklist) -> tuple[Loss, ...]:
    """Return the losses of formats that name only the set, for prints that the set does not determine."""
    return tuple(
        Loss(
            "print_number",
            f"{entry.card.name}: the file names the set, not the number of {entry.marks.prints}.",
            entry.card.name,
        )
        for entry in deck
        if (chosen := entry.card.print_called(label := entry.marks.prints.label))
        and entry.card.print_meant(chosen.set, "") != label
    )


def alike_losses(game: Game, deck: Iterable[Entry]) -> tuple[Loss, ...]:
    """Return the losses of formats that know a card only by its name, for names that several cards have."""
    by_name: dict[str, list[Card]] = {}
    for entry in deck:
        by_name.setdefault(fold(entry.card.name), []).append(entry.card)
    losses = []
    for name, cards in by_name.items():
        bearers = {card.code for card in (*cards, *game.name_index.called(name)) if fold(card.name) == name}
        if len(bearers) > 1:
            shown = cards[0].name
            message = f"{len(bearers)} cards are called {shown}; the file does not say which is meant."
            losses.append(Loss("name_ambiguous", message, shown))
    return tuple(losses)


def name_in(game: Game, card: Card) -> str:
    """Return the name of the card in a file, with its set where several cards have that name."""
    return card.name if card.written else game.name_index.label(card)


# (code, type, facts or print): see ``face_of``.
Face: TypeAlias = tuple[str, str, str]


def face_of(card: Card) -> Face:
    """Return a key that is equal for cards that look the same. Written-in cards of one name may differ in
    facts, other cards in their print.
    """
    return card.code, card.type, str(sorted(card.facts.items())) if card.written else first_print(card).label


def faces_of(entries: Iterable[Entry]) -> dict[Face, Card]:
    """Return face -> card for the different faces of these entries, in order."""
    faces: dict[Face, Card] = {}
    for entry in entries:
        faces.setdefault(face_of(entry.card), entry.card)
    return faces


# Copies in a file of a format that writes every copy by itself.
MAX_COPIES = 1_000


def bounded(deck: Decklist) -> tuple[Decklist, tuple[Loss, ...]]:
    """Return the deck cut to its first ``MAX_COPIES`` copies, and the loss if it had more."""
    if deck.size <= MAX_COPIES:
        return deck, ()
    entries, left = [], MAX_COPIES
    for entry in deck:
        if count := min(entry.count, left):
            entries.append(replace(entry, count=count))
        left -= count
    message = f"{deck.size:,} cards: this format writes every copy, so the file has the first {MAX_COPIES:,}."
    return replace(deck, entries=tuple(entries)), (Loss("too_many_cards", message),)


# -- what a list says besides its cards -------------------------------------------------------

# The kinds of extras of formats that have a place for everything but unread lines.
ALL_BUT_UNREAD = frozenset(
    {"name", "format", "house", "tags", "notes", "detail", "comment", "facts", "marks", "print"}
)
# In the notes of another tool's file this line stands between the author's notes and ours.
OURS = "-- Cutout --"
# A line of ours in formats that must name a set for every card: a card's first set is no choice of a print.
PRINTS_OPEN = "Prints: left open where no line here names one"


class Extra(NamedTuple):
    """One thing that a list says besides its cards. ``called``: its name in messages; ``says``: the lines for
    it in notes; ``why``: for an unread line the reason.

    Kinds: name, format, house (rules), tags, notes, detail, comment, facts (of a written-in card), marks (of
    a line), print (of a line without other marks), line (unread).
    """

    kind: str
    called: str
    says: tuple[str, ...]
    where: str = ""
    why: str = ""


def extras(game: Game, reading: Reading, holds: Collection[str]) -> list[Extra]:
    """Return the extras that a format which ``holds`` these kinds has no place for, in the order of the
    notes.
    """
    deck, tags = reading.deck, ", ".join(reading.tags)
    found = [Extra("notes", "The notes", tuple(reading.notes.split("\n")))] if reading.notes else []
    for kind, called, key, value in (
        ("name", f"The name “{deck.name}”", "Name", deck.name),
        ("format", f"The format “{reading.format}”", "Format", reading.format),
        ("house", "The house rules", "House rules", reading.house),
        ("tags", f"The tags {tags}", "Tags", tags),
    ):
        found += [Extra(kind, called, (f"{key}: {value}",))] if value else []
    labels = {detail.key: detail.label for format in game.formats for detail in format.details}
    for key, stated in deck.details.items():
        line = f"{labels.get(key, key)}: {stated}"
        found.append(Extra("detail", f"“{line}”", (line,), key))
    if comments := reading.comments:
        says = tuple(f"Comment: {line}" for line in comments)
        found.append(Extra("comment", some(len(comments), "comment"), says))
    for entry in deck:
        if entry.card.written and not entry.card.unknown:
            line, name = _on_one_line(game, replace(entry, marks=NO_MARKS)), entry.card.name
            found.append(Extra("facts", f"What the list says about {name}", (f"Written in: {line}",), name))
    # Marks are read back in the deck's order, so the unmarked lines of a card (by code) precede a marked one.
    above: dict[str, list[Entry]] = {}
    for entry in deck:
        marks, name = entry.marks, entry.card.name
        kind, called = (
            ("print", f"The print {marks.prints}") if marks.only_prints else ("marks", "Note, tags and marks")
        )
        waiting = above.setdefault(entry.card.code, [])
        waiting.append(entry)
        if marks != NO_MARKS and kind not in holds:
            says = tuple(f"Marked: {_on_one_line(game, line)}" for line in waiting)
            found.append(Extra(kind, f"{called} of {name}", says, name))
            waiting.clear()
    for unread in reading.unread:
        lines, place = [*map(str.strip, unread.text.split("\n"))], unread.place
        called = f"{place[:1].upper()}{place[1:]}, not read (“{' '.join(lines)}”)"
        says = tuple(f"Not read: {line}" for line in lines)
        found.append(Extra("line", called, says, place, f" {unread.message}"))
    return [extra for extra in found if extra.kind not in holds]


def _on_one_line(game: Game, entry: Entry) -> str:
    return " ".join(map(str.strip, line_for(game, entry).split("\n")))


def note_lines(
    game: Game, reading: Reading, parts: Iterable[Part], holds: Collection[str] = (), more: Iterable[str] = ()
) -> list[str]:
    """Return the lines of a file's notes: the author's, then ours for what the format has no other place for,
    then ``more``.
    """
    noted = extras(game, in_parts(reading, parts), holds)
    own = [line for extra in noted if extra.kind == "notes" for line in extra.says]
    ours = [*(line for extra in noted if extra.kind != "notes" for line in extra.says), *more]
    return [*own, *([OURS] if ours else []), *ours]


def extra_losses(game: Game, reading: Reading, holds: Collection[str], notes: str = "") -> tuple[Loss, ...]:
    """Return the losses of extras in a format that ``holds`` these kinds. ``notes``: the name of the field
    that keeps the rest, empty if there is none.
    """
    fate, outcome = (f"kept in {notes}", "kept") if notes else ("left out", "dropped")
    lost = (
        Loss(f"{extra.kind}_{outcome}", f"{extra.called}: {fate}.{extra.why}", extra.where)
        for extra in extras(game, reading, (*holds, *(["notes"] if notes else ())))
    )
    return (*lost, *(Loss("print_unknown", notice.message, notice.place) for notice in reading.notices))


MAX_NOTE_LINE = MAX_WRITTEN + 2 * MAX_LINE
_LINE = re.compile(
    r"(?P<key>Name|Format|House rules|Tags|Prints|Comment|Written in|Marked|Not read): (?P<value>.*)"
)


class DeckNotes:
    """The notes of a file, read back: the author's above the line ``OURS``, ours below it. ``values``:
    "Name", "Format", "House rules", "Tags" -> text; ``written``: folded name -> written-in cards; ``marked``:
    code -> marked entries, both in the order of the list.
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
        place = max((number for number, line in enumerate(lines) if line.strip() == OURS), default=len(lines))
        others = (line for line in lines[place + 1 :] if line and not self._read(line.strip()))
        self.notes = "\n".join([*lines[:place], *others]).strip("\n")

    def _read(self, line: str) -> bool:
        """Read a line of ours. Return False if it is none."""
        match = _LINE.fullmatch(line) if len(line) <= MAX_NOTE_LINE else None
        if not match:
            details = read_deck(self.game, line).deck.details if len(line) <= MAX_LINE else {}
            self.details.update(details)
            return bool(details)
        key, value = match["key"], match["value"].strip()
        if key == "Comment":
            self.comments.append(value)
        elif key == "Not read":
            why = "The file keeps it as a line that was not read."
            self.unread.append(Unread(0, value[:MAX_LINE], "unknown_card", why, where="the notes"))
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
        """True if the file names the card's first set only because its format must name one."""
        return "Prints" in self.values and bool(card.prints) and fold(set_code) == fold(card.prints[0].set)

    def card(self, name: str) -> Card | None:
        """Return the next card written in by this name, or the last one again."""
        cards = self.written.get(fold(name), [])
        return cards.pop(0) if len(cards) > 1 else next(iter(cards), None)

    def marks_of(self, card: Card, count: int) -> Marks:
        """Return the next marks on this card, for ``count`` copies. These may be several lines of the list,
        which are joined.
        """
        waiting = self.marked.get(card.code)
        if not waiting:
            return NO_MARKS
        line = waiting.pop(0)
        while waiting and line.count + waiting[0].count <= count:
            line = joined(line, waiting.pop(0))
        prints = Prints.split((*line.marks.prints.groups(min(line.count, count)), ("", count - line.count)))
        return replace(line.marks, prints=prints)


# -- free text -------------------------------------------------------------------

# Characters that XML forbids, lone surrogates, and marks that change the direction of text.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def fit(text: str) -> str:
    """Return the text as one line that every format can hold, with � for characters that none can."""
    return _UNFIT.sub("\ufffd", re.sub(r"[\r\n]+", " ", text))


def fit_lines(text: str) -> str:
    """Return the text with each of its lines made to ``fit``."""
    return "\n".join(map(fit, lines_of(text)))


def cleaned(value: Any, name: str = "") -> Any:
    """Return a reading with every free text in it made to ``fit``, equal to the given one if all of it did.
    Notes and unread lines keep their line ends; the catalogue's cards are clean already.
    """
    if isinstance(value, str):
        return (fit_lines if name in ("notes", "text") else fit)(value)
    if type(value) is tuple:
        return tuple(map(cleaned, value))
    if isinstance(value, Mapping):
        return {key: cleaned(part) for key, part in value.items()}
    if is_dataclass(value) and not (isinstance(value, Card) and not value.written):
        values = {field.name: getattr(value, field.name) for field in fields(value)}
        fitted = {key: cleaned(part, key) for key, part in values.items()}
        return replace(value, **fitted) if fitted != values else value  # type: ignore[type-var]
    return value
