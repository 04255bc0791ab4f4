"""The differences of two states of a deck, as values and in words; and two people's changes merged."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from cardsdb.games.kit import Card, Decklist, Entry, Marks
from cardsdb.games.kit.model.decklist import NO_MARKS
from cardsdb.games.kit.model.marks import joined
from decks.core.content import DeckContent, written_json

# Identifies a line: its section, its card's code, and for a written-in card all that was written.
Key = tuple[str, str, str]
Value = TypeVar("Value")

MAX_WORDS = 12


@dataclass(frozen=True, slots=True)
class LineChange:
    """A card of which a section now holds more or fewer copies."""

    card: Card
    section: str
    before: int
    after: int

    @property
    def by(self) -> int:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class OtherChange:
    """Something else that changed.

    ``what``: name, format, house, notes, tags, details (one, named by ``key``), marks (of ``card`` in
    ``section``) or order (of the cards of one type in one section; ``before`` and ``after`` are None).
    """

    what: str
    before: Any = None
    after: Any = None
    key: str = ""
    card: Card | None = None
    section: str = ""

    def words(self) -> str:
        match self.what:
            case "name":
                return f"renamed “{self.after}”"
            case "format":
                return f"format {self.after}"
            case "tags":
                return _tags(self.before, self.after)
            case "details":
                return f"{self.key.replace('_', ' ')} {_or_none(self.before)} to {_or_none(self.after)}"
            case "marks":
                return self._marks()
            case "order":
                return "cards in another order"
            case _:
                what = "house rules" if self.what == "house" else self.what
                return f"{what} {'written' if not self.before else 'changed' if self.after else 'taken out'}"

    def _marks(self) -> str:
        name = self.card.name if self.card else ""
        parts = []
        if self.before.note != self.after.note:
            parts.append(f"note on {name} {'changed' if self.after.note else 'taken out'}")
        if self.before.tags != self.after.tags:
            parts.append(f"{name} {_tags(self.before.tags, self.after.tags)}")
        if self.before.keep != self.after.keep:
            parts.append(f"{name} {'kept in' if self.after.keep else 'no longer kept in'}")
        if self.before.prints != self.after.prints:
            several = len(self.after.prints.named) > 1
            parts.append(f"print{'s' if several else ''} of {name} {self.after.prints or 'left open'}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Difference:
    """All differences of two states. It is false if there are none."""

    lines: tuple[LineChange, ...] = ()
    others: tuple[OtherChange, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.lines or self.others)

    def came_in(self) -> Counter[tuple[str, str]]:
        """``identity`` of each card -> how many more copies there are in all sections together."""
        counts: Counter[tuple[str, str]] = Counter()
        for change in self.lines:
            counts[identity(change.card)] += change.by
        return +counts

    def words(self, most: int = MAX_WORDS) -> str:
        """``+2 Kai, -1 Termite``; beyond ``most`` changes the rest is counted. Empty if nothing differs."""
        names = [change.card.name for change in self.lines]
        parts = []
        for change in sorted(self.lines, key=lambda change: change.by < 0):
            where = f" ({change.section.replace('-', ' ')})" if names.count(change.card.name) > 1 else ""
            parts.append(f"{change.by:+d} {change.card.name}{where}")
        parts += [other.words() for other in self.others]
        if len(parts) > most:
            parts = [
                *parts[:most],
                f"{len(parts) - most} more changes" if len(parts) - most > 1 else "1 more change",
            ]
        return ", ".join(parts)


def difference(before: DeckContent, after: DeckContent) -> Difference:
    """The changes that turn ``before`` into ``after``."""
    old, new = gathered(before.deck), gathered(after.deck)
    lines = tuple(
        LineChange((new.get(key) or old[key]).card, key[0], _count(old, key), _count(new, key))
        for key in dict.fromkeys((*old, *new))
        if _count(old, key) != _count(new, key)
    )
    return Difference(lines, tuple(_others(before, after, old, new)))


def identity(card: Card) -> tuple[str, str]:
    """What makes two cards the same on paper: the code, and for a card that was written in all that was
    written.
    """
    return card.code, json.dumps(written_json(card), sort_keys=True) if card.written else ""


def gathered(deck: Decklist) -> dict[Key, Entry]:
    """Key -> line, in the deck's order; two lines of one card in one section become one."""
    lines: dict[Key, Entry] = {}
    for entry in deck:
        key = (entry.section, *identity(entry.card))
        same = lines.get(key)
        # The first line's marks are those of both, but each copy keeps its print.
        lines[key] = joined(same, replace(entry, marks=Marks(prints=entry.marks.prints))) if same else entry
    return lines


def with_marks_of(content: DeckContent, earlier: DeckContent) -> DeckContent:
    """The content, its unmarked lines with the marks that the same card had before in the same section, since
    many lists know no marks.

    A line that names a print keeps it.
    """
    marked = gathered(earlier.deck)
    entries = (
        (
            replace(
                entry,
                marks=replace(
                    marked[key].marks,
                    prints=entry.marks.prints or marked[key].marks.prints.resized(entry.count),
                ),
            )
            if key in marked and entry.marks.only_prints
            else entry
        )
        for key, entry in gathered(content.deck).items()
    )
    return replace(content, deck=replace(content.deck, entries=tuple(entries)))


def _others(
    before: DeckContent, after: DeckContent, old: dict[Key, Entry], new: dict[Key, Entry]
) -> Iterator[OtherChange]:
    plain = (
        ("name", before.deck.name, after.deck.name),
        ("format", before.format, after.format),
        ("house", before.house, after.house),
    )
    for what, was, now in (*plain, ("notes", before.notes, after.notes), ("tags", before.tags, after.tags)):
        if was != now:
            yield OtherChange(what, was, now)
    details = before.deck.details, after.deck.details
    for detail in sorted({*details[0], *details[1]}):
        if details[0].get(detail) != details[1].get(detail):
            yield OtherChange("details", details[0].get(detail), details[1].get(detail), detail)
    for key, entry in new.items():
        marks = old[key].marks if key in old else NO_MARKS
        if marks != entry.marks:
            yield OtherChange("marks", marks, entry.marks, card=entry.card, section=entry.section)
    # Most changes leave all cards where they were.
    if list(old) != list(new) and _order(old, new) != _order(new, old):
        yield OtherChange("order")


def _order(entries: Mapping[Key, Entry], others: Mapping[Key, Entry]) -> dict[tuple[str, str], list[Key]]:
    """(section, type) -> the cards that both have, in order. Pages order cards only within a type."""
    shown: dict[tuple[str, str], list[Key]] = {}
    for key, entry in entries.items():
        if key in others:
            shown.setdefault((entry.section, entry.card.type), []).append(key)
    return shown


def _count(entries: Mapping[Key, Entry], key: Key) -> int:
    return entries[key].count if key in entries else 0


def _or_none(value: object) -> str:
    return "none" if value is None else str(value)


def _tags(before: Iterable[str], after: Iterable[str]) -> str:
    new = [f"tagged “{tag}”" for tag in after if tag not in set(before)]
    gone = [f"no longer tagged “{tag}”" for tag in before if tag not in set(after)]
    return ", ".join((*new, *gone)) or "tags in another order"


# -- merging ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Conflict:
    """One thing that both people changed differently.

    ``what`` and its companions as in ``OtherChange``; ``card`` for copies of a card, of which the values
    are the numbers. A card that one took out and the other marked is a conflict of copies too.
    """

    what: str
    base: Any
    mine: Any
    theirs: Any
    key: str = ""
    card: Card | None = None
    section: str = ""

    def words(self) -> str:
        if self.card and self.what == "card":
            return (
                f"{self.card.name}: you have {self.mine or 'none'}, meanwhile it became"
                f" {self.theirs or 'none'}"
            )
        name = self.card.name if self.card else ""
        what = {
            "marks": f"the note on {name}",
            "print": f"the print of {name}",
            "details": self.key.replace("_", " "),
        }
        return (
            f"{what.get(self.what) or ('house rules' if self.what == 'house' else self.what)}: changed by"
            " both"
        )


@dataclass(frozen=True, slots=True)
class Merged:
    """Two people's changes in one. Where they contradict each other, ``content`` has mine and ``conflicts``
    both.
    """

    content: DeckContent
    conflicts: tuple[Conflict, ...] = ()


def merge(base: DeckContent, mine: DeckContent, theirs: DeckContent) -> Merged:
    """Three-way merge: what only one of the two changed since ``base`` is taken from that one."""
    conflicts: list[Conflict] = []

    def settled(what: str, values: tuple[Value, Value, Value], **where: Any) -> Value:
        was, one, other = values
        if one != other and was not in (one, other):
            conflicts.append(Conflict(what, was, one, other, **where))
        return other if one == was else one

    old, own, new = gathered(base.deck), gathered(mine.deck), gathered(theirs.deck)
    entries = []
    for key in _merged_order(list(old), list(own), list(new)):
        entry = own.get(key) or new.get(key) or old[key]
        where: dict[str, Any] = {"card": entry.card, "section": entry.section}
        counts = (_count(old, key), _count(own, key), _count(new, key))
        clashes = len(conflicts)
        count = settled("card", counts, **where)
        was = old[key].marks if key in old else NO_MARKS
        marks = (was, *(side[key].marks if key in side else was for side in (own, new)))
        if not count and clashes == len(conflicts) and key in old and (marks[1] != was or marks[2] != was):
            conflicts.append(Conflict("card", *counts, **where))
        if count:
            note = settled("marks", (marks[0].note, marks[1].note, marks[2].note), **where)
            tags = _merged_tags(marks[0].tags, marks[1].tags, marks[2].tags)
            keep = marks[2].keep if marks[1].keep == marks[0].keep else marks[1].keep
            prints = settled("print", (marks[0].prints, marks[1].prints, marks[2].prints), **where)
            entries.append(replace(entry, count=count, marks=Marks(note, tags, keep, prints.resized(count))))
    all_details = [side.deck.details for side in (base, mine, theirs)]
    details = {}
    for name in dict.fromkeys(name for side in all_details for name in side):
        value = settled(
            "details",
            (all_details[0].get(name), all_details[1].get(name), all_details[2].get(name)),
            key=name,
        )
        if value is not None:
            details[name] = value
    content = DeckContent(
        Decklist(
            tuple(entries), details, settled("name", (base.deck.name, mine.deck.name, theirs.deck.name))
        ),
        settled("format", (base.format, mine.format, theirs.format)),
        settled("house", (base.house, mine.house, theirs.house)),
        settled("notes", (base.notes, mine.notes, theirs.notes)),
        _merged_tags(base.tags, mine.tags, theirs.tags),
    )
    return Merged(content, tuple(conflicts))


def _merged_tags(base: tuple[str, ...], mine: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[str, ...]:
    """Tags never conflict: each is there or not, and the side that changed that decides."""
    return tuple(
        tag for tag in _merged_order(base, mine, theirs) if (tag in mine) + (tag in theirs) > (tag in base)
    )


def _merged_order(base: Iterable[Any], mine: Iterable[Any], theirs: Iterable[Any]) -> list[Any]:
    """All keys in the order of the side that changed it, mine if both did; the other side's additions come
    last.
    """
    base, mine, theirs = list(base), list(mine), list(theirs)
    leader = mine
    if mine == base or (
        theirs != base
        and [key for key in mine if key in set(base)] == [key for key in base if key in set(mine)]
    ):
        leader = theirs
    return list(dict.fromkeys((*leader, *mine, *theirs, *base)))
