"""A deck as its rules see it: entries in sections, the prints that each asks for, a few details, and changes
of it card by card.

Everything here is a value that does not change. What people write of a deck beside its cards, such as notes
and tags as text, is read and written by ``marks.py``; a deck that is kept, with its settings, is
``decks.core.content.DeckContent``. ``test_decklist.py`` tests decks and their changes, ``test_prints.py`` the
prints; ``tests/cardsdb/games/kit/repair`` tells of changes that no longer fit.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, TypeAlias

from cardsdb.games.kit.model.cards import Card

# (label of a print, copies): the label is ``TRU 154`` or a set alone. The empty label stands for copies that
# may be of any print.
Group: TypeAlias = tuple[str, int]
# A print with its number, as ``Prints`` writes it.
_COUNTED = re.compile(r"(?P<label>.+?) ×(?P<copies>[0-9]{1,2})")


@dataclass(frozen=True)
class Prints:
    """The prints that a line names, each with the number of copies that are to be of it, in the order of the
    author. False if it names none, so that any print will do.

    ``TRU 154`` has the number 0: all copies of the line, however many, are of this print. In ``TRU 154 ×1,
    PRE 12 ×1`` each has its number, and copies beyond those may be of any print. The number of copies of the
    line itself is known to its ``Entry`` alone; so methods take it as ``count``.
    """

    named: tuple[Group, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.named)

    def __str__(self) -> str:
        return ", ".join(f"{label} ×{copies}" if copies else label for label, copies in self.named)

    @classmethod
    def of(cls, label: str) -> "Prints":
        """This one print for all copies; any print for an empty label."""
        return cls(((label, 0),)) if label else ANY_PRINT

    @classmethod
    def read(cls, words: str) -> "Prints":
        """The prints from their words, as ``str`` writes them."""
        named = []
        for part in filter(None, words.split(", ")):
            counted = _COUNTED.fullmatch(part)
            named.append((counted["label"], int(counted["copies"])) if counted else (part, 0))
        return cls(tuple(named))

    @classmethod
    def split(cls, groups: Iterable[Group]) -> "Prints":
        """The prints of a line that consists of these groups: one print of all copies needs no number."""
        copies: dict[str, int] = {}
        for label, count in groups:
            if count > 0:
                copies[label] = copies.get(label, 0) + count
        if len(copies) == 1:
            return cls.of(next(iter(copies)))
        return cls(tuple((label, count) for label, count in copies.items() if label))

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the prints, in the order of the author."""
        return tuple(label for label, _ in self.named)

    @property
    def label(self) -> str:
        """The label of the print of all copies; empty where copies differ or any print will do."""
        return self.named[0][0] if len(self.named) == 1 and not self.named[0][1] else ""

    def groups(self, count: int) -> tuple[Group, ...]:
        """The ``count`` copies of a line in groups by their prints, empty groups left out; those that may be
        of any print come last.
        """
        groups, left = [], count
        for label, copies in self.named:
            taken = min(copies or left, left)
            groups += [(label, taken)] if taken else []
            left -= taken
        return (*groups, *((("", left),) if left else ()))

    def resized(self, count: int) -> "Prints":
        """The prints of a line that has ``count`` copies now: copies of the last named prints go first, and
        copies that are added may be of any print.
        """
        return Prints.split(self.groups(count))

    def joined(self, count: int, more: "Prints", copies: int) -> "Prints":
        """The prints of a line of ``count`` copies with these prints and of ``copies`` with the prints
        ``more``.
        """
        return Prints.split((*self.groups(count), *more.groups(copies)))

    def parted(self, count: int, copies: int, wanted: "Prints") -> "tuple[Prints, Prints]":
        """(prints of the copies that stay, prints of those that go) where ``copies`` of ``count`` go: first
        copies of the ``wanted`` prints, then those that may be of any print, then the last named.
        """
        left = dict(self.groups(count))
        gone: dict[str, int] = {}
        others = ((label, copies) for label in reversed(self.labels))
        # Of each label as many go as are wanted, as there are, and as are still to go.
        for label, most in (*wanted.groups(copies), ("", copies), *others):
            taken = min(most, left.get(label, 0), copies - sum(gone.values()))
            left[label], gone[label] = left.get(label, 0) - taken, gone.get(label, 0) + taken
        return Prints.split(left.items()), Prints.split(gone.items())


ANY_PRINT = Prints()


@dataclass(frozen=True)
class Section:
    """A part of a deck, as a game declares it. A card that names no section goes to the first one that takes
    its type.

    ``types``: slugs of the types of cards that it takes. ``secret`` sections are shown to the deck's owner
    alone. ``headings`` are other words by which lists name the section. ``order``: the key of the fact, a
    number, by which pages order its cards; empty for the order of the author.
    """

    slug: str
    name: str
    types: tuple[str, ...]
    headings: tuple[str, ...] = ()
    secret: bool = False
    order: str = ""


@dataclass(frozen=True)
class Detail:
    """Something a list states that is not a card: ``Players: 4``, ``Mission 1: 12``. ``label`` is the word
    before the colon, ``help`` a sentence for the form.
    """

    key: str
    label: str
    help: str
    kind: Literal["number", "text"] = "number"


@dataclass(frozen=True)
class Marks:
    """The author's marks on one entry of a deck. No rule looks at them.

    ``keep``: no repair may take the card out, only copies beyond what the rules allow of it. ``prints``:
    which of its card's prints are meant, copy by copy.
    """

    note: str = ""
    tags: tuple[str, ...] = ()
    keep: bool = False
    prints: Prints = ANY_PRINT

    @property
    def only_prints(self) -> bool:
        """True if there is no mark but prints, or none at all."""
        return self == Marks(prints=self.prints)


NO_MARKS = Marks()


@dataclass(frozen=True)
class Entry:
    """``count`` copies of one card in the section of this slug: a line of a decklist."""

    card: Card
    count: int
    section: str
    marks: Marks = NO_MARKS


@dataclass(frozen=True)
class Decklist:
    """A deck as the rules see it; the order of entries is the author's.

    ``details``: key of a ``Detail`` -> what the list states. Most rules look at one section, so the entries
    are sorted into sections once, when the first rule asks (``by_section``).
    """

    entries: tuple[Entry, ...] = ()
    details: Mapping[str, int | str] = field(default_factory=dict)
    name: str = ""

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    @property
    def size(self) -> int:
        """The number of cards, copies counted."""
        return sum(entry.count for entry in self.entries)

    @property
    def is_blank(self) -> bool:
        """True for a deck that has no card and states nothing."""
        return not self.entries and not self.details

    def number(self, key: str) -> int | None:
        """The number that the list states as this detail; None if it states none."""
        value = self.details.get(key)
        return value if isinstance(value, int) else None

    @cached_property
    def by_section(self) -> dict[str, tuple[Entry, ...]]:
        """Section -> its entries, for the sections that have any."""
        parted: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            parted[entry.section].append(entry)
        return {section: tuple(entries) for section, entries in parted.items()}

    def in_section(self, *sections: str) -> tuple[Entry, ...]:
        """The entries in any of these sections, in the order of the author."""
        if len(sections) == 1:
            return self.by_section.get(sections[0], ())
        return tuple([entry for entry in self.entries if entry.section in sections])

    def of_type(self, *types: str) -> tuple[Entry, ...]:
        """The entries whose card is of any of these types, in the order of the author."""
        return tuple([entry for entry in self.entries if entry.card.type in types])

    def without(self, removed: Iterable[tuple[Entry, int]]) -> "Decklist":
        """The deck without so many copies of these entries, which are the deck's own objects: an equal entry
        of another deck takes nothing out.
        """
        gone: Counter[int] = Counter()
        for entry, count in removed:
            gone[id(entry)] += count
        left = ((entry, entry.count - gone[id(entry)]) for entry in self.entries)
        return replace(self, entries=tuple(resized(entry, count) for entry, count in left if count > 0))


def resized(entry: Entry, count: int) -> Entry:
    """The entry with so many copies, and with prints for as many."""
    if entry.count == count:
        return entry
    prints = entry.marks.prints.resized(count)
    marks = entry.marks if prints == entry.marks.prints else replace(entry.marks, prints=prints)
    return replace(entry, count=count, marks=marks)


def by_print(deck: Decklist) -> Decklist:
    """The deck with an entry for each print that an entry names; the first of these has the other marks."""
    if not any(entry.marks.prints for entry in deck):
        return deck
    return replace(deck, entries=tuple(part for entry in deck for part in _by_print(entry)))


def _by_print(entry: Entry) -> Iterator[Entry]:
    """Yield an entry for each print that the entry names, and one for copies of any print."""
    marks = entry.marks
    for label, copies in marks.prints.groups(entry.count) if marks.prints else (("", entry.count),):
        yield replace(entry, count=copies, marks=replace(marks, prints=Prints.of(label)))
        marks = replace(NO_MARKS, prints=marks.prints)


def as_printed(deck: Decklist) -> Decklist:
    """The deck with an entry for each print, the card of which has that print first, as faces are drawn.
    Entries of one card and print share one card object.
    """
    cards: dict[tuple[int, str], Card] = {}
    entries = []
    for entry in by_print(deck):
        card = entry.card
        chosen = card.print_called(entry.marks.prints.label)
        if chosen is not None and chosen != card.prints[0]:
            others = tuple(print_ for print_ in card.prints if print_ != chosen)
            first = replace(card, prints=(chosen, *others))
            entry = replace(entry, card=cards.setdefault((id(card), chosen.label), first))
        entries.append(entry)
    return replace(deck, entries=tuple(entries))


def count_of(entries: Iterable[Entry]) -> int:
    """Cards in these entries, copies counted."""
    return sum([entry.count for entry in entries])


# -- changes ---------------------------------------------------------------------


@dataclass(frozen=True)
class CardChange:
    """More (``by`` above 0) or fewer copies of a card in the section of this slug. ``before``: the copies
    that were there; 0 also where that does not matter.
    """

    card: Card
    section: str
    by: int
    before: int = 0


def size_of(changes: Iterable[CardChange]) -> int:
    """The number of cards that change; one put in for another counts once."""
    out, into = out_and_in(changes)
    return max(out, into)


def out_and_in(changes: Iterable[CardChange]) -> tuple[int, int]:
    """(number of cards that come out, number of cards that come in), neither below 0."""
    by = [change.by for change in changes]
    return -sum(number for number in by if number < 0), sum(number for number in by if number > 0)


def changes_between(before: Decklist, after: Decklist) -> tuple[CardChange, ...]:
    """The changes that make one deck the other: first the cards that come out, then those that come in, both
    in the order in which ``before`` and then ``after`` name them. Marks are not compared.
    """
    # (key of a card, section) -> [copies before, copies after]
    counts: dict[tuple[str, str], list[int]] = {}
    cards: dict[tuple[str, str], Card] = {}
    for which, deck in enumerate((before, after)):
        for entry in deck.entries:
            key = (entry.card.key, entry.section)
            cards[key] = entry.card
            counts.setdefault(key, [0, 0])[which] += entry.count
    changed = [
        CardChange(cards[key], key[1], now - was, was) for key, (was, now) in counts.items() if now != was
    ]
    return tuple(sorted(changed, key=lambda change: change.by > 0))


def with_changes(deck: Decklist, changes: Iterable[CardChange]) -> Decklist:
    """The deck with these changes: copies come in at the first entry of the card, and come out at the last
    ones. Raises ValueError with a sentence if the deck lacks cards that are to come out.

    An entry that is marked to be kept may lose copies, never its last.
    """
    entries = list(deck.entries)
    for change in changes:
        places = [
            place
            for place, e in enumerate(entries)
            if e.card.key == change.card.key and e.section == change.section
        ]
        if change.by > 0 and places:
            entries[places[0]] = resized(entries[places[0]], entries[places[0]].count + change.by)
        elif change.by > 0:
            entries.append(Entry(change.card, change.by, change.section))
        else:
            out = -change.by
            for place in reversed(places):
                entry = entries[place]
                taken = min(out, entry.count - entry.marks.keep)
                out -= taken
                entries[place] = resized(entry, entry.count - taken)
            if out and any(entries[place].marks.keep for place in places):
                raise ValueError(f"{change.card.name} is marked to be kept, so it stays in the deck.")
            if out:
                raise ValueError(
                    f"The deck has {-change.by - out} of the {-change.by} {change.card.name} that are to come"
                    " out."
                )
    return replace(deck, entries=tuple(entry for entry in entries if entry.count > 0))
