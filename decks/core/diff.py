"""The differences of two states of a deck, as values and in words; and two people's changes merged."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from cardsdb.games.kit import NO_MARKS, Card, Decklist, Entry, Marks, joined, some
from decks.core.content import DeckContent, written_json

# Identifies a line: its section, its card's code, and for a written-in card all that was written.
Key = tuple[str, str, str]
Value = TypeVar("Value")

MAX_WORDS = 12


class LineChange(NamedTuple):
    """A card of which a section now holds more or fewer copies."""

    card: Card
    section: str
    before: int
    after: int

    @property
    def by(self) -> int:
        return self.after - self.before


class OtherChange(NamedTuple):
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
                before, after = ("none" if value is None else value for value in (self.before, self.after))
                return f"{_called(self)} {before} to {after}"
            case "marks":
                return self._marks()
            case "order":
                return "cards in another order"
        verb = "written" if not self.before else "changed" if self.after else "taken out"
        return f"{_called(self)} {verb}"

    def _marks(self) -> str:
        was, now, parts = self.before, self.after, []
        name = self.card.name if self.card else ""
        if was.note != now.note:
            parts.append(f"note on {name} {'changed' if now.note else 'taken out'}")
        if was.tags != now.tags:
            parts.append(f"{name} {_tags(was.tags, now.tags)}")
        if was.keep != now.keep:
            parts.append(f"{name} {'kept in' if now.keep else 'no longer kept in'}")
        if was.prints != now.prints:
            prints = "prints" if len(now.prints.named) > 1 else "print"
            parts.append(f"{prints} of {name} {now.prints or 'left open'}")
        return ", ".join(parts)


@dataclass(frozen=True)
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
        if (more := len(parts) - most) > 0:
            parts[most:] = [some(more, "more change")]
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
    """A key that is equal for cards that are the same on paper: the code, and for a card that was written in
    all that was written.
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
    marked, entries = gathered(earlier.deck), gathered(content.deck)
    for key, entry in entries.items():
        if key in marked and entry.marks.only_prints:
            marks = marked[key].marks
            prints = entry.marks.prints or marks.prints.resized(entry.count)
            entries[key] = replace(entry, marks=replace(marks, prints=prints))
    return replace(content, deck=replace(content.deck, entries=tuple(entries.values())))


def _stated(content: DeckContent) -> dict[str, Any]:
    """The values of a deck besides its cards and its details."""
    others = ("format", "house", "notes", "tags")
    return {"name": content.deck.name, **{name: getattr(content, name) for name in others}}


def _others(
    before: DeckContent, after: DeckContent, old: dict[Key, Entry], new: dict[Key, Entry]
) -> Iterator[OtherChange]:
    stated, details = _stated(after), (before.deck.details, after.deck.details)
    for what, was in _stated(before).items():
        if was != stated[what]:
            yield OtherChange(what, was, stated[what])
    for detail in sorted({*details[0], *details[1]}):
        was, now = (side.get(detail) for side in details)
        if was != now:
            yield OtherChange("details", was, now, detail)
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


def _tags(before: Iterable[str], after: Iterable[str]) -> str:
    new = [f"tagged “{tag}”" for tag in after if tag not in set(before)]
    gone = [f"no longer tagged “{tag}”" for tag in before if tag not in set(after)]
    return ", ".join((*new, *gone)) or "tags in another order"


# -- merging ------------------------------------------------------------------------


class Conflict(NamedTuple):
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
        name = self.card.name if self.card else ""
        if self.what == "card":
            return f"{name}: you have {self.mine or 'none'}, meanwhile it became {self.theirs or 'none'}"
        what = {"marks": f"the note on {name}", "print": f"the print of {name}"}
        return f"{what.get(self.what) or _called(self)}: changed by both"


def _called(one: OtherChange | Conflict) -> str:
    """The name on pages of the thing that changed."""
    return one.key.replace("_", " ") or ("house rules" if one.what == "house" else one.what)


class Merged(NamedTuple):
    """Two people's changes in one. Where they contradict each other, ``content`` has mine and ``conflicts``
    both.
    """

    content: DeckContent
    conflicts: tuple[Conflict, ...] = ()


def merge(base: DeckContent, mine: DeckContent, theirs: DeckContent) -> Merged:
    """Three-way merge: what only one of the two changed since ``base`` is taken from that one."""
    conflicts: list[Conflict] = []

    def settled(what: str, values: Iterable[Value], **where: Any) -> Value:
        was, one, other = values
        if one != other and was not in (one, other):
            conflicts.append(Conflict(what, was, one, other, **where))
        return other if one == was else one

    sides = (base, mine, theirs)
    lines = [gathered(side.deck) for side in sides]
    entries = []
    for key in _merged_order(*map(list, lines)):
        entry = next(side[key] for side in (*lines[1:], lines[0]) if key in side)
        where: dict[str, Any] = {"card": entry.card, "section": entry.section}
        counts, clashes = [_count(side, key) for side in lines], len(conflicts)
        count = settled("card", counts, **where)
        was = lines[0][key].marks if key in lines[0] else NO_MARKS
        marks = [side[key].marks if key in side else was for side in lines]
        if count:
            note = settled("marks", (side.note for side in marks), **where)
            tags = _merged_tags(*(side.tags for side in marks))
            keep = marks[2].keep if marks[1].keep == was.keep else marks[1].keep
            prints = settled("print", (side.prints for side in marks), **where)
            entries.append(replace(entry, count=count, marks=Marks(note, tags, keep, prints.resized(count))))
        elif clashes == len(conflicts) and key in lines[0] and marks != [was] * 3:
            conflicts.append(Conflict("card", counts[0], counts[1], counts[2], **where))
    details = {}
    for name in dict.fromkeys(name for side in sides for name in side.deck.details):
        value = settled("details", (side.deck.details.get(name) for side in sides), key=name)
        if value is not None:
            details[name] = value
    stated = [_stated(side) for side in sides]
    tags = _merged_tags(*(side.pop("tags") for side in stated))
    now = {what: settled(what, (side[what] for side in stated)) for what in stated[0]}
    content = DeckContent(Decklist(tuple(entries), details, now.pop("name")), **now, tags=tags)
    return Merged(content, tuple(conflicts))


def _merged_tags(base: tuple[str, ...], mine: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[str, ...]:
    """Tags never conflict: each is there or not, and the side that changed that decides."""
    return tuple(
        tag for tag in _merged_order(base, mine, theirs) if (tag in mine) + (tag in theirs) > (tag in base)
    )


def _merged_order(base: Collection[Any], mine: Collection[Any], theirs: Collection[Any]) -> list[Any]:
    """All keys in the order of the side that changed it, mine if both did; the other side's additions come
    last.
    """
    shared = {*base} & {*mine}
    in_order = [key for key in mine if key in shared] == [key for key in base if key in shared]
    leader = theirs if mine == base or (theirs != base and in_order) else mine
    return list(dict.fromkeys((*leader, *mine, *theirs, *base)))
