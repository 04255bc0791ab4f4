"""The ``Decklist`` that rules judge: entries in sections, the prints that each entry names, details, and
changes from one deck to another.

Reading a list, judging, repair and the editor all pass ``Decklist`` values around. Everything here is
immutable: a change makes a new deck. ``Game.sections`` and ``Format.details`` hold the declared ``Section``
and ``Detail`` values. ``marks.py`` reads and writes notes and tags as text; a stored deck with its settings
is ``decks.core.content.DeckContent``. Tests: ``tests/cardsdb/games/kit/model/test_decklist.py``; changes of
decks in ``tests/cardsdb/games/kit/repair``, ``as_printed`` in ``tests/decks/formats/test_prints.py``.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, TypeAlias

from cardsdb.games.kit.model.cards import Card

# (label of a print, copies): ("TRU 154", 2). The label may also be a set alone, or empty for copies of any
# print. It is not the ``Group`` of ``format.py``, which is the entries that a rule looks at.
Group: TypeAlias = tuple[str, int]
# A print with its number of copies, as ``Prints`` writes it: ``TRU 154 ×2``.
_COUNTED = re.compile(r"(?P<label>.+?) ×(?P<copies>[0-9]{1,2})")


@dataclass(frozen=True)
class Prints:
    """The prints that a line of a deck names, with copies of each, in the author's order. Falsy if the line
    names none, so that any print will do.

    In ``TRU 154 ×1, PRE 12 ×1`` each print has its number of copies; further copies of the line may be of any
    print. ``TRU 154`` alone is stored with the number 0: all copies of the line are of this print. Only the
    ``Entry`` knows how many copies the line has, so methods take that number as ``count``.
    """

    named: tuple[Group, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.named)

    def __str__(self) -> str:
        return ", ".join(f"{label} ×{copies}" if copies else label for label, copies in self.named)

    @classmethod
    def of(cls, label: str) -> "Prints":
        """Return this one print for all copies; any print for an empty label."""
        return cls(((label, 0),)) if label else ANY_PRINT

    @classmethod
    def read(cls, words: str) -> "Prints":
        """Return the prints that a text names; the inverse of ``str``."""
        named = []
        for part in filter(None, words.split(", ")):
            counted = _COUNTED.fullmatch(part)
            named.append((counted["label"], int(counted["copies"])) if counted else (part, 0))
        return cls(tuple(named))

    @classmethod
    def split(cls, groups: Iterable[Group]) -> "Prints":
        """Return the prints of a line that consists of these groups. If all copies are of one print, it is
        stored without a number.
        """
        copies: dict[str, int] = {}
        for label, count in groups:
            if count > 0:
                copies[label] = copies.get(label, 0) + count
        if len(copies) == 1:
            return cls.of(next(iter(copies)))
        return cls(tuple((label, count) for label, count in copies.items() if label))

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the prints, in the author's order."""
        return tuple(label for label, _ in self.named)

    @property
    def label(self) -> str:
        """The label of the print of all copies; empty if copies differ or any print will do."""
        return self.named[0][0] if len(self.named) == 1 and not self.named[0][1] else ""

    def groups(self, count: int) -> tuple[Group, ...]:
        """Divide the ``count`` copies of a line into groups by print. Copies of any print come last; no group
        is empty. ``TRU 154 ×1`` of 3 copies -> (("TRU 154", 1), ("", 2)).
        """
        groups, left = [], count
        for label, copies in self.named:
            # 0 stands for all copies of the line.
            taken = min(copies or left, left)
            if taken:
                groups.append((label, taken))
            left -= taken
        if left:
            groups.append(("", left))
        return tuple(groups)

    def resized(self, count: int) -> "Prints":
        """Return the prints for a line that now has ``count`` copies. Copies of the last named prints are
        dropped first; added copies may be of any print. ``TRU 154 ×1, PRE 12 ×1`` for 1 copy -> ``TRU 154``
        """
        return Prints.split(self.groups(count))

    def joined(self, count: int, more: "Prints", copies: int) -> "Prints":
        """Return the prints of two lines put together: ``count`` copies with these prints, and ``copies``
        with the prints ``more``. 3 copies with ``TRU 154 ×1, PRE 12 ×1`` and 2 with ``TRU 154`` ->
        ``TRU 154 ×3, PRE 12 ×1``; the fifth copy is of any print.
        """
        return Prints.split((*self.groups(count), *more.groups(copies)))

    def parted(self, count: int, copies: int, wanted: "Prints") -> "tuple[Prints, Prints]":
        """Take ``copies`` out of ``count``. Return (prints of the copies that stay, prints of those that go).

        Copies of the ``wanted`` prints go first, then copies of any print, then those of the last named. Of 3
        copies with ``TRU 154 ×1, PRE 12 ×1``, which are one of TRU 154, one of PRE 12 and one of any print::

            go  wanted     prints of those that stay  prints of those that go
            1   PRE 12     TRU 154 ×1                 PRE 12
            2   PRE 12     TRU 154                    PRE 12 ×1
            1   any print  TRU 154 ×1, PRE 12 ×1      any print
            2   any print  TRU 154                    PRE 12 ×1
        """
        stay, go = Counter(dict(self.groups(count))), Counter[str]()
        last_named_first = ((label, copies) for label in reversed(self.labels))
        # (print, the most copies of it that go) in the order above; "" is any print.
        for label, most in (*wanted.groups(copies), ("", copies), *last_named_first):
            taken = min(most, stay[label], copies - go.total())
            stay[label] -= taken
            go[label] += taken
        return Prints.split(stay.items()), Prints.split(go.items())


ANY_PRINT = Prints()


@dataclass(frozen=True)
class Section:
    """A part of a deck, as a game declares it. A card listed without a section goes to the first one that
    takes its type.

    ``types``: slugs of the card types that it takes. ``secret``: shown to the deck's owner only.
    ``headings``: other names of the section in lists. ``order``: key of the number fact by which pages sort
    its cards; empty for the author's order.
    """

    slug: str
    name: str
    types: tuple[str, ...]
    headings: tuple[str, ...] = ()
    secret: bool = False
    order: str = ""


@dataclass(frozen=True)
class Detail:
    """Something a list states that is not a card: ``Players: 4``, ``Mission 1: 12``. ``label`` is the text
    before the colon, ``help`` a sentence for the form.
    """

    key: str
    label: str
    help: str
    kind: Literal["number", "text"] = "number"


@dataclass(frozen=True)
class Marks:
    """The author's marks on one entry of a deck. Rules ignore them.

    ``keep``: a repair may take out surplus copies of the card, but never the last one. ``prints``: the prints
    of the card that are meant, copy by copy.
    """

    note: str = ""
    tags: tuple[str, ...] = ()
    keep: bool = False
    prints: Prints = ANY_PRINT

    @property
    def only_prints(self) -> bool:
        """True if there are no marks other than prints."""
        return self == Marks(prints=self.prints)


NO_MARKS = Marks()


@dataclass(frozen=True)
class Entry:
    """A line of a decklist: ``count`` copies of one card in the section with this slug."""

    card: Card
    count: int
    section: str
    marks: Marks = NO_MARKS


@dataclass(frozen=True)
class Decklist:
    """A deck as the rules see it, with its entries in the author's order.

    ``details``: key of a ``Detail`` -> the stated value. Most rules look at one section, so entries are
    sorted into sections once, when the first rule asks (``by_section``).
    """

    entries: tuple[Entry, ...] = ()
    details: Mapping[str, int | str] = field(default_factory=dict)
    name: str = ""

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    @property
    def size(self) -> int:
        """The number of cards, counting copies."""
        return count_of(self.entries)

    @property
    def is_blank(self) -> bool:
        """True for a deck with neither cards nor details."""
        return not self.entries and not self.details

    def number(self, key: str) -> int | None:
        """Return the number that the list states as this detail; None if it states none."""
        value = self.details.get(key)
        return value if isinstance(value, int) else None

    @cached_property
    def by_section(self) -> dict[str, tuple[Entry, ...]]:
        """Section slug -> its entries, for the sections that have any."""
        entries_of: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            entries_of[entry.section].append(entry)
        return {section: tuple(entries) for section, entries in entries_of.items()}

    def in_section(self, *sections: str) -> tuple[Entry, ...]:
        """Return the entries in any of these sections, in the author's order."""
        if len(sections) == 1:
            return self.by_section.get(sections[0], ())
        return tuple([entry for entry in self.entries if entry.section in sections])

    def of_type(self, *types: str) -> tuple[Entry, ...]:
        """Return the entries whose card is of any of these types, in the author's order."""
        return tuple([entry for entry in self.entries if entry.card.type in types])

    def without(self, removed: Iterable[tuple[Entry, int]]) -> "Decklist":
        """Return the deck without these (entry, copies). The entries must be this deck's own objects: an
        equal entry of another deck removes nothing.
        """
        gone: Counter[int] = Counter()  # id of an entry -> its copies to remove
        for entry, count in removed:
            gone[id(entry)] += count
        left = ((entry, entry.count - gone[id(entry)]) for entry in self.entries)
        return replace(self, entries=tuple(resized(entry, count) for entry, count in left if count > 0))


def resized(entry: Entry, count: int) -> Entry:
    """Return the entry with ``count`` copies, its prints fitted to that number."""
    if entry.count == count:
        return entry
    prints = entry.marks.prints.resized(count)
    marks = entry.marks if prints == entry.marks.prints else replace(entry.marks, prints=prints)
    return replace(entry, count=count, marks=marks)


def by_print(deck: Decklist) -> Decklist:
    """Return the deck with entries split up by print. Of the parts of an entry, the first keeps its other
    marks.
    """
    if not any(entry.marks.prints for entry in deck):
        return deck
    return replace(deck, entries=tuple(part for entry in deck for part in _by_print(entry)))


def _by_print(entry: Entry) -> Iterator[Entry]:
    """Yield one entry for each print that the entry names, and one for its copies of any print."""
    marks = entry.marks
    groups = marks.prints.groups(entry.count) if marks.prints else (("", entry.count),)
    for label, copies in groups:
        yield replace(entry, count=copies, marks=replace(marks, prints=Prints.of(label)))
        # The other marks stay with the first part.
        marks = NO_MARKS


def as_printed(deck: Decklist) -> Decklist:
    """Return the deck with an entry for each print, whose card lists that print first: faces are drawn from
    the first print. Entries of one card and print share one card object.
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
    """Return the number of cards in these entries, counting copies."""
    return sum([entry.count for entry in entries])


# -- changes ---------------------------------------------------------------------


@dataclass(frozen=True)
class CardChange:
    """``by`` copies of a card more, or fewer if negative, in the section with this slug. ``before``: copies
    before the change; also 0 where that does not matter.
    """

    card: Card
    section: str
    by: int
    before: int = 0


def size_of(changes: Iterable[CardChange]) -> int:
    """Return the number of cards that change; replacing one card with another counts once. 2 cards out and 3
    in are 3.
    """
    out, into = out_and_in(changes)
    return max(out, into)


def out_and_in(changes: Iterable[CardChange]) -> tuple[int, int]:
    """Return (number of cards that come out, number of cards that come in), neither below 0."""
    copies = [change.by for change in changes]
    return -sum(by for by in copies if by < 0), sum(by for by in copies if by > 0)


def changes_between(before: Decklist, after: Decklist) -> tuple[CardChange, ...]:
    """Return the changes that turn ``before`` into ``after``: first cards that come out, then cards that come
    in, each in the order in which the decks name them. Marks are not compared.
    """
    # (key of a card, section) -> [copies before, copies after], so that ``side`` is the index of a deck.
    counts: dict[tuple[str, str], list[int]] = {}
    cards: dict[tuple[str, str], Card] = {}
    for side, deck in enumerate((before, after)):
        for entry in deck.entries:
            key = (entry.card.key, entry.section)
            cards[key] = entry.card
            counts.setdefault(key, [0, 0])[side] += entry.count
    changed = [
        CardChange(cards[key], key[1], now - was, was) for key, (was, now) in counts.items() if now != was
    ]
    return tuple(sorted(changed, key=lambda change: change.by > 0))


def with_changes(deck: Decklist, changes: Iterable[CardChange]) -> Decklist:
    """Return the deck with these changes. Copies are added to the first entry of the card and taken from its
    last entries.

    Raises ValueError with a sentence for people if the deck lacks cards that are to come out, or if an entry
    that is marked to be kept would lose its last copy.
    """
    entries = list(deck.entries)
    for change in changes:
        places = [
            place
            for place, entry in enumerate(entries)
            if entry.card.key == change.card.key and entry.section == change.section
        ]
        if change.by <= 0:
            _take_out(entries, places, change)
        elif places:
            first = entries[places[0]]
            entries[places[0]] = resized(first, first.count + change.by)
        else:
            entries.append(Entry(change.card, change.by, change.section))
    return replace(deck, entries=tuple(entry for entry in entries if entry.count > 0))


def _take_out(entries: list[Entry], places: list[int], change: CardChange) -> None:
    """Take the copies of a change out of the entries at these places, from the last place backwards."""
    left = -change.by
    for place in reversed(places):
        entry = entries[place]
        # One copy of a kept entry may not be taken; True counts as 1.
        taken = min(left, entry.count - entry.marks.keep)
        left -= taken
        entries[place] = resized(entry, entry.count - taken)
    if left and any(entries[place].marks.keep for place in places):
        raise ValueError(f"{change.card.name} is marked to be kept, so it stays in the deck.")
    if left:
        raise ValueError(
            f"The deck has {-change.by - left} of the {-change.by} {change.card.name} that are to come out."
        )
