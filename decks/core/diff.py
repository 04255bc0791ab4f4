"""The difference of two states of a deck, as a value and in words, and the merge of two people's changes.

The history shows differences. Saving (``decks/saving/save.py``) merges if someone else saved the same deck in
the meantime; its refusal tells ``Conflict.words``, and the page of conflicts (``decks/editor/form_pages.py``)
shows ``Conflict.thing``. Both compare lines by ``Key``, so two entries are the same line exactly if their
keys are equal. Pure: no database. A change must keep that a merge loses no change of either person.
Tests: ``tests/decks/core/test_diff.py``, through pages ``tests/decks/saving/test_stale_pages.py``.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from cardsdb.games.kit import NO_MARKS, Card, Decklist, Entry, Marks, joined, some
from decks.core.content import DeckContent, written_json

# Identifies a line: (section, code of its card, JSON of its card if that was written in, else ""), such as
# ("deck", "kai", "").
Key = tuple[str, str, str]
Value = TypeVar("Value")

# Changes that a difference names in words before it only counts the rest.
MAX_WORDS = 12


class LineChange(NamedTuple):
    """A line whose number of copies changed; 0 copies means that it is not in the deck."""

    card: Card
    section: str
    before: int
    after: int

    @property
    def by(self) -> int:
        return self.after - self.before


class OtherChange(NamedTuple):
    """A change of anything but copies. ``what`` says of what:

    - name, format, house, notes, tags: of the whole deck;
    - details: one detail, named by ``key``;
    - marks: of ``card`` in ``section``; ``before`` and ``after`` are ``Marks``;
    - order: the order of cards of one type in a section; ``before`` and ``after`` are None.
    """

    what: str
    before: Any = None
    after: Any = None
    key: str = ""
    card: Card | None = None
    section: str = ""

    def words(self) -> str:
        """Return the change as words for the history, such as ``renamed “Dragons”``."""
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
        # Notes and house rules are texts.
        if not self.before:
            return f"{_called(self)} written"
        return f"{_called(self)} {'changed' if self.after else 'taken out'}"

    def _marks(self) -> str:
        """Return the changes of one line's marks as words."""
        old, new = self.before, self.after
        name = self.card.name if self.card else ""
        parts = []
        if old.note != new.note:
            parts.append(f"note on {name} {'changed' if new.note else 'taken out'}")
        if old.tags != new.tags:
            parts.append(f"{name} {_tags(old.tags, new.tags)}")
        if old.keep != new.keep:
            parts.append(f"{name} {'kept in' if new.keep else 'no longer kept in'}")
        if old.prints != new.prints:
            prints = "prints" if len(new.prints.named) > 1 else "print"
            parts.append(f"{prints} of {name} {new.prints or 'left open'}")
        return ", ".join(parts)


@dataclass(frozen=True)
class Difference:
    """All differences of two states: ``lines`` those of copies, ``others`` all else. Falsy if none."""

    lines: tuple[LineChange, ...] = ()
    others: tuple[OtherChange, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.lines or self.others)

    def came_in(self) -> Counter[tuple[str, str]]:
        """Return ``identity`` of a card -> copies added in all sections together, only of cards that gained
        copies.
        """
        counts: Counter[tuple[str, str]] = Counter()
        for change in self.lines:
            counts[identity(change.card)] += change.by
        # Unary plus drops the counts that are not positive.
        return +counts

    def words(self, most: int = MAX_WORDS) -> str:
        """Return for example ``+2 Kai, -1 Termite``. Changes beyond ``most`` are only counted: ``3 more
        changes``. Empty if nothing differs.
        """
        names = [change.card.name for change in self.lines]
        parts = []
        # Added copies come before those taken out.
        for change in sorted(self.lines, key=lambda change: change.by < 0):
            # The section is told only where one name changed in several sections.
            where = f" ({change.section.replace('-', ' ')})" if names.count(change.card.name) > 1 else ""
            parts.append(f"{change.by:+d} {change.card.name}{where}")
        parts += [other.words() for other in self.others]
        if (more := len(parts) - most) > 0:
            parts[most:] = [some(more, "more change")]
        return ", ".join(parts)


def difference(before: DeckContent, after: DeckContent) -> Difference:
    """Return the changes that turn ``before`` into ``after``."""
    old, new = gathered(before.deck), gathered(after.deck)
    lines = []
    for key in dict.fromkeys((*old, *new)):
        entry, count_before, count_after = new.get(key) or old[key], _count(old, key), _count(new, key)
        if count_before != count_after:
            lines.append(LineChange(entry.card, entry.section, count_before, count_after))
    return Difference(tuple(lines), tuple(_others(before, after, old, new)))


def identity(card: Card) -> tuple[str, str]:
    """Return a key that is equal for equal cards: the code, and for a written-in card also the JSON of all
    its facts.
    """
    return card.code, json.dumps(written_json(card), sort_keys=True) if card.written else ""


def gathered(deck: Decklist) -> dict[Key, Entry]:
    """Return key -> line, in the deck's order. Lines of one card in one section are joined into one."""
    lines: dict[Key, Entry] = {}
    for entry in deck:
        key = (entry.section, *identity(entry.card))
        same = lines.get(key)
        # The joined line has the note and tags of the first line, but each copy keeps its print.
        lines[key] = joined(same, replace(entry, marks=Marks(prints=entry.marks.prints))) if same else entry
    return lines


def with_marks_of(content: DeckContent, earlier: DeckContent) -> DeckContent:
    """Return the content, its unmarked lines with the marks of the same line of ``earlier``.

    A list that is pasted over a deck often has no marks; this keeps those of the deck. A line that names a
    print keeps that print.
    """
    marked, entries = gathered(earlier.deck), gathered(content.deck)
    for key, entry in entries.items():
        if key in marked and entry.marks.only_prints:
            marks = marked[key].marks
            prints = entry.marks.prints or marks.prints.resized(entry.count)
            entries[key] = replace(entry, marks=replace(marks, prints=prints))
    return replace(content, deck=replace(content.deck, entries=tuple(entries.values())))


def _stated(content: DeckContent) -> dict[str, Any]:
    """Return the values of a deck besides its cards and its details, by the names that ``OtherChange.what``
    uses.
    """
    others = ("format", "house", "notes", "tags")
    return {"name": content.deck.name, **{name: getattr(content, name) for name in others}}


def _others(
    before: DeckContent, after: DeckContent, old: dict[Key, Entry], new: dict[Key, Entry]
) -> Iterator[OtherChange]:
    """Yield all changes but those of copies. ``old`` and ``new`` are the gathered lines of both decks."""
    stated = _stated(after)
    for what, value in _stated(before).items():
        if value != stated[what]:
            yield OtherChange(what, value, stated[what])
    old_details, new_details = before.deck.details, after.deck.details
    for detail in sorted({*old_details, *new_details}):
        old_value, new_value = old_details.get(detail), new_details.get(detail)
        if old_value != new_value:
            yield OtherChange("details", old_value, new_value, detail)
    for key, entry in new.items():
        marks = old[key].marks if key in old else NO_MARKS
        if marks != entry.marks:
            yield OtherChange("marks", marks, entry.marks, card=entry.card, section=entry.section)
    # The first comparison is cheap and settles most cases: the keys have not changed at all.
    if list(old) != list(new) and _order(old, new) != _order(new, old):
        yield OtherChange("order")


def _order(entries: Mapping[Key, Entry], others: Mapping[Key, Entry]) -> dict[tuple[str, str], list[Key]]:
    """Return (section, type) -> keys of the lines that ``others`` has too, in the order of ``entries``.

    Pages show the author's order only within a type, so no other change of order is seen.
    """
    shown: dict[tuple[str, str], list[Key]] = {}
    for key, entry in entries.items():
        if key in others:
            shown.setdefault((entry.section, entry.card.type), []).append(key)
    return shown


def _count(entries: Mapping[Key, Entry], key: Key) -> int:
    return entries[key].count if key in entries else 0


def _tags(before: Iterable[str], after: Iterable[str]) -> str:
    """Return a change of tags in words."""
    new = [f"tagged “{tag}”" for tag in after if tag not in set(before)]
    gone = [f"no longer tagged “{tag}”" for tag in before if tag not in set(after)]
    return ", ".join((*new, *gone)) or "tags in another order"


# -- merging ------------------------------------------------------------------------


class Conflict(NamedTuple):
    """One thing that both people changed, each to another value.

    ``what``, ``key``, ``card`` and ``section`` are those of ``OtherChange``; besides, ``what`` may be "card"
    for the copies of a card, with numbers as values, or "print". "marks" is here only the note. If one person
    took a card out and the other marked it, that is a conflict of copies too.
    """

    what: str
    base: Any
    mine: Any
    theirs: Any
    key: str = ""
    card: Card | None = None
    section: str = ""

    @property
    def thing(self) -> str:
        """The thing that both changed: "Kai", "the note on Kai", "house rules"."""
        if self.card is None:
            return _called(self)
        of = {"marks": "the note on ", "print": "the print of "}
        return of.get(self.what, "") + self.card.name

    def words(self) -> str:
        if self.what == "card":
            became = self.theirs or "none"
            return f"{self.thing}: you have {self.mine or 'none'}, meanwhile it became {became}"
        return f"{self.thing}: changed by both"


def _called(change: OtherChange | Conflict) -> str:
    """Return the name that pages have for the thing that changed."""
    return change.key.replace("_", " ") or ("house rules" if change.what == "house" else change.what)


class Merged(NamedTuple):
    """The result of a merge. Where there is a conflict, ``content`` has my value, and ``conflicts`` has
    both.
    """

    content: DeckContent
    conflicts: tuple[Conflict, ...] = ()


def merge(base: DeckContent, mine: DeckContent, theirs: DeckContent) -> Merged:
    """Merge ``mine`` and ``theirs``, which both began as ``base``. A value that only one side changed is
    taken from that side; one that both changed differently is a conflict::

        base      mine      theirs     merged                   conflicts
        2 Kai     3 Kai     2 Kai      3 Kai
        1 Chen    1 Chen    -          -
        -         -         2 Chaos    2 Chaos
        2 Kai     3 Kai     4 Kai      3 Kai (mine)             Kai: you have 3, meanwhile it became 4
    """
    merging = _Merging()
    # This list, and every list of values below, has three members in this order.
    sides = (base, mine, theirs)
    lines_of_sides = [gathered(side.deck) for side in sides]
    keys = _merged_order(*map(list, lines_of_sides))
    entries = [merging.line([lines.get(key) for lines in lines_of_sides]) for key in keys]
    details = {}
    for name in dict.fromkeys(name for side in sides for name in side.deck.details):
        value = merging.settled("details", [side.deck.details.get(name) for side in sides], key=name)
        if value is not None:
            details[name] = value
    stated = [_stated(side) for side in sides]
    # Taken out of the stated values, since tags never conflict.
    tags = _merged_tags(*(side.pop("tags") for side in stated))
    values = {what: merging.settled(what, [side[what] for side in stated]) for what in stated[0]}
    deck = Decklist(tuple(filter(None, entries)), details, values.pop("name"))
    # Format, house rules and notes are left in ``values``.
    return Merged(DeckContent(deck, **values, tags=tags), tuple(merging.conflicts))


class _Merging:
    """The rules by which values are merged, and the conflicts found so far."""

    def __init__(self) -> None:
        self.conflicts: list[Conflict] = []

    def settled(self, what: str, values: Sequence[Value], **where: Any) -> Value:
        """Return the merged value of (base, mine, theirs), and note the conflict if there is one. ``where``:
        the fields of ``Conflict`` that tell which thing it is.
        """
        base, mine, theirs = values
        if mine != theirs and base not in (mine, theirs):
            self.conflicts.append(Conflict(what, base, mine, theirs, **where))
        return theirs if mine == base else mine

    def line(self, lines: Sequence[Entry | None]) -> Entry | None:
        """Return the merged line of (base, mine, theirs), None if it is taken out. In ``lines``, None stands
        for a side without the line; at least one side has it.
        """
        base, mine, theirs = lines
        entry = mine or theirs or base
        assert entry is not None
        where: dict[str, Any] = {"card": entry.card, "section": entry.section}
        counts = [line.count if line else 0 for line in lines]
        old = base.marks if base else NO_MARKS
        # A side without the line changed no marks.
        marks = [line.marks if line else old for line in lines]
        conflicts_before = len(self.conflicts)
        count = self.settled("card", counts, **where)
        if count:
            note = self.settled("marks", [side.note for side in marks], **where)
            tags = _merged_tags(*(side.tags for side in marks))
            # Of two values of a boolean, a changed one is the same on both sides: no conflict is possible.
            keep = self.settled("keep", [side.keep for side in marks])
            prints = self.settled("print", [side.prints for side in marks], **where)
            return replace(entry, count=count, marks=Marks(note, tags, keep, prints.resized(count)))
        is_marked = any(side != old for side in marks)
        if base and is_marked and len(self.conflicts) == conflicts_before:
            # One side took the line out, and the other marked it.
            self.conflicts.append(Conflict("card", counts[0], counts[1], counts[2], **where))
        return None


def _merged_tags(base: tuple[str, ...], mine: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[str, ...]:
    """Return the merged tags. Tags never conflict: each is present or absent, and the side that changed that
    decides. If I add "x" to ("a", "b"), and they take off "a" and add "y", the tags are ("b", "y", "x").
    """
    tags = []
    for tag in _merged_order(base, mine, theirs):
        # A tag of the base goes if one side took it off; a new one comes in from either side.
        is_gone = tag in base and not (tag in mine and tag in theirs)
        if not is_gone:
            tags.append(tag)
    return tuple(tags)


def _merged_order(base: Collection[Any], mine: Collection[Any], theirs: Collection[Any]) -> list[Any]:
    """Return the keys of all three sides, in the order of the side that changed it, mine if both did. Keys
    that the other side added come last. For the base a b c::

        mine a b c x, theirs c a b      c a b x    they changed the order, I only added
        mine a c b, theirs a b c y      a c b y    I changed the order
        mine a b c x, theirs a b y      a b y c x  nobody did; the keys of both, even those taken out
    """
    shared = {*base} & {*mine}
    is_my_order_old = [key for key in mine if key in shared] == [key for key in base if key in shared]
    # Their order leads if I changed nothing, or if they changed something and I only added or took out.
    leader = theirs if mine == base or (theirs != base and is_my_order_old) else mine
    return list(dict.fromkeys((*leader, *mine, *theirs, *base)))
