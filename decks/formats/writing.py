"""The shared half of the writers: the parts of a deck as another tool names them, prints and faces of cards,
text that any file can hold, and all that lists say besides their cards: a format has places for some of it,
writes some into notes, which are read back here, and drops the rest.
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
    """One part of the file: its name there, the sections that go into it, and their entries."""

    name: str
    sections: tuple[Section, ...]
    entries: tuple[Entry, ...]

    def count(self, section: Section) -> int:
        """The copies of a section's cards in it."""
        return count_of(entry for entry in self.entries if entry.section == section.slug)


def parts_of(
    game: Game, deck: Decklist, name_of: Callable[[Section], str], empty: Iterable[str] = ()
) -> tuple[Part, ...]:
    """The deck's parts in the order of the game's sections, then of those that only the deck names; the parts
    named in ``empty`` stand even without cards.
    """
    unknown = dict.fromkeys(entry.section for entry in deck if entry.section not in game.sections_by_slug)
    by_name: dict[str, list[Section]] = {}
    for section in (*game.sections, *(Section(slug, slug, ()) for slug in unknown)):
        by_name.setdefault(name_of(section), []).append(section)
    parts = (
        Part(
            name,
            tuple(sections),
            tuple(entry for section in sections for entry in deck.in_section(section.slug)),
        )
        for name, sections in by_name.items()
    )
    return tuple(part for part in parts if part.entries or part.name in set(empty))


def in_parts(reading: Reading, parts: Iterable[Part]) -> Reading:
    """The reading, its entries in the order in which a file with these parts has them."""
    return replace(
        reading, deck=replace(reading.deck, entries=tuple(entry for part in parts for entry in part.entries))
    )


def named_by(game: Game, format: str) -> Callable[[Section], str]:
    """A section's name in this format: the one the game gives in ``exports``, else the section's own."""
    names: dict[str, str] = settings_of(game, format).get("sections", {})
    return lambda section: names.get(section.slug, section.name)


def fold_losses(parts: Iterable[Part]) -> tuple[Loss, ...]:
    """A loss for each section that shares a part of the file with another one and cannot be told from it
    there.

    One section is at home in the part and no loss: the one that has the part's name, else the largest.
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
    """The card's first print, blank if none is known."""
    return card.prints[0] if card.prints else NO_PRINT


def print_of(entry: Entry) -> Print:
    """The print that all of the line is, or the only one there is; else a blank one."""
    card = entry.card
    return card.print_called(entry.marks.prints.label) or (
        card.prints[0] if len(card.prints) == 1 else NO_PRINT
    )


def print_losses(deck: Decklist) -> tuple[Loss, ...]:
    """The loss of formats that must name a set: a line that does not say which print is meant gets the first
    one.
    """
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
    """The losses of formats that name the set alone: prints of which the set has another of the same card."""
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
    """The losses of formats that know a card by its name alone: the names that several cards bear."""
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
    """The name by which a file tells the card from others of its name: with the set, where there are such."""
    return card.name if card.written else game.name_index.label(card)


Face: TypeAlias = tuple[str, str, str]


def face_of(card: Card) -> Face:
    """A key that is equal for cards that look alike; cards written in by one name may differ in their facts,
    others in their print.
    """
    return card.code, card.type, str(sorted(card.facts.items())) if card.written else first_print(card).label


def faces_of(entries: Iterable[Entry]) -> dict[Face, Card]:
    """The different cards of these entries, in their order."""
    faces: dict[Face, Card] = {}
    for entry in entries:
        faces.setdefault(face_of(entry.card), entry.card)
    return faces


MAX_COPIES = 1_000


def bounded(deck: Decklist) -> tuple[Decklist, tuple[Loss, ...]]:
    """The deck with its first ``MAX_COPIES`` copies, and the loss if there were more."""
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

# The kinds that a format holds if it has a place for everything but unread lines.
ALL_BUT_UNREAD = frozenset(
    {"name", "format", "house", "tags", "notes", "detail", "comment", "facts", "marks", "print"}
)
# In another tool's notes our lines stand below this one, the author's own above it.
OURS = "-- Cutout --"
# One of our lines, in files that must name a set for every card: the first set says nothing of the print
# there.
PRINTS_OPEN = "Prints: left open where no line here names one"


class Extra(NamedTuple):
    """One thing a list says besides its cards. ``says`` are the lines that stand for it in notes.

    Kinds: name, format, house (rules), tags, notes, detail, comment, facts (of a card that is written in),
    marks (on a line), print (of a line that has no other marks) and line (one not read).
    """

    kind: str
    called: str
    says: tuple[str, ...]
    where: str = ""
    why: str = ""


def extras(game: Game, reading: Reading, holds: Collection[str]) -> list[Extra]:
    """Everything a list says besides its cards that a format with places for these kinds does not hold, in
    the order in which it stands in notes.
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
    # Marks are read back in the order of the deck, so before each stand the lines of its card above it.
    above: dict[str, list[Entry]] = {}
    for entry in deck:
        marks, name = entry.marks, entry.card.name
        kind, called = (
            ("print", f"The print {marks.prints}") if marks.only_prints else ("marks", "Note, tags and marks")
        )
        waiting = above.setdefault(entry.card.code, [])
        waiting.append(entry)
        if marks != NO_MARKS and kind not in holds:
            says = tuple(f"Marked: {_on_one_line(game, one)}" for one in waiting)
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
    """The notes of a file with these parts: the author's own, then our lines for what the format has no other
    place for, and ``more`` of ours.
    """
    noted = extras(game, in_parts(reading, parts), holds)
    own = [line for extra in noted if extra.kind == "notes" for line in extra.says]
    ours = [*(line for extra in noted if extra.kind != "notes" for line in extra.says), *more]
    return [*own, *([OURS] if ours else []), *ours]


def extra_losses(game: Game, reading: Reading, holds: Collection[str], notes: str = "") -> tuple[Loss, ...]:
    """The losses of a format that ``holds`` these kinds; ``notes`` names the place where it writes the rest,
    if it has one.
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
    """The notes of a file about a deck: our own lines stand below the line ``OURS``, the author's notes above
    it.

    ``values``: name, format, house rules and tags as they stand; ``written`` by folded name, ``marked`` by
    code, both in the list's order.
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
        """Read one of our lines; False for a line that is none of ours."""
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
        """True if the file names the card's first set only because it must name one."""
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


# -- free text -------------------------------------------------------------------

# Characters that XML forbids, lone surrogates, and marks that reverse or isolate text.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def fit(text: str) -> str:
    """The text as one line that every format can hold; � replaces characters that none can."""
    return _UNFIT.sub("\ufffd", re.sub(r"[\r\n]+", " ", text))


def fit_lines(text: str) -> str:
    """The text in its lines, each as every format can hold it."""
    return "\n".join(map(fit, lines_of(text)))


def cleaned(value: Any, name: str = "") -> Any:
    """A reading with every free text within made fit for files, equal to it if all of it was; cards of the
    catalogue are. Notes and unread lines keep their lines.
    """
    if isinstance(value, str):
        return (fit_lines if name in ("notes", "text") else fit)(value)
    if type(value) is tuple:
        return tuple(map(cleaned, value))
    if isinstance(value, Mapping):
        return {key: cleaned(one) for key, one in value.items()}
    if is_dataclass(value) and not (isinstance(value, Card) and not value.written):
        values = {one.name: getattr(value, one.name) for one in fields(value)}
        fitted = {key: cleaned(one, key) for key, one in values.items()}
        return replace(value, **fitted) if fitted != values else value  # type: ignore[type-var]
    return value
