"""Numbers of copies of single cards: ``Kai=3, Termite=0, Li=+1`` is read, written, and applied to
the chosen cards.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Entry
from cardsdb.games.kit.model.names import NameIndex
from cardsdb.games.kit.model.text import fold, listed

# The most copies of one card, and the most cards with a number.
MAX_COPIES_OF_CARD, MAX_COUNTS = 99, 200
# The most cards that a summary names.
MAX_NAMED = 3
MAX_FAULTS, MAX_SUGGESTED = 10, 3
# The most names and aliases that are looked at for these: a card has several.
MAX_NAMES_LIKE = 20

_PART = re.compile(
    r'\s*(?:"(?P<quoted>(?:[^"]|"")+)"|(?P<plain>[^\s",=](?:[^,=]*[^\s,=])?))\s*=\s*(?P<number>[+-]?[0-9]{1,2})\s*(?:,|\Z)',
    re.ASCII,
)

Entries = tuple[Entry, ...]


class NotCounted(ValueError):
    """The text is no list of counts. ``part`` is the part of it that is not understood."""

    def __init__(self, part: str) -> None:
        self.part = part
        super().__init__(part)


@dataclass(frozen=True, slots=True)
class CardCount:
    """The number of copies of a card. ``card`` is its name, its code, or ``game/code``.

    ``relative``: the number is added to the copies that are chosen otherwise; below 0 it is taken away.
    """

    card: str
    number: int
    relative: bool = False


def read_counts(text: str) -> tuple[CardCount, ...]:
    """The counts in the order of the text. A name with a comma or ``=`` in it stands in quotes. Raises
    NotCounted.
    """
    text, place = text.replace("\u2212", "-").strip(), 0
    counts: list[CardCount] = []
    while place < len(text):
        match = _PART.match(text, place)
        if match is None or len(counts) >= MAX_COUNTS:
            raise NotCounted(_part_at(text, place))
        name = match["plain"] or match["quoted"].replace('""', '"').strip()
        if not name:
            raise NotCounted(_part_at(text, place))
        counts.append(CardCount(name, int(match["number"]), match["number"][0] in "+-"))
        place = match.end()
    return tuple(counts)


def written(counts: Iterable[CardCount]) -> str:
    """The counts as ``read_counts`` reads them."""
    return ",".join(f"{_quoted(one.card)}={one.number:{'+' if one.relative else ''}d}" for one in counts)


def _quoted(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""')) if re.search("[,=]", name) or name.startswith('"') else name


def _part_at(text: str, place: int) -> str:
    return (text[place:].split(",")[0].strip() or text[place:].strip())[:60]


# -- which cards are meant ------------------------------------------------------------


class Cards:
    """The cards of a print, which are looked up by name or code."""

    def __init__(self, lists: Iterable[Iterable[Entry]]) -> None:
        self.by_key: dict[str, Card] = {}
        for entry in (entry for entries in lists for entry in entries):
            self.by_key.setdefault(entry.card.key, entry.card)
        self._called: dict[str, dict[str, None]] = defaultdict(dict)
        for key, card in self.by_key.items():
            for words in (card.code, *map(fold, (card.name, *card.aliases))):
                self._called[words][key] = None

    def called(self, words: str) -> tuple[str, ...]:
        """The keys of all cards of this name, alias, code or key."""
        if words in self.by_key:
            return (words,)
        return tuple({**self._called.get(words, {}), **self._called.get(fold(words), {})})

    def shortest(self, key: str) -> str:
        """The shortest words that name this card and no other: its code, or its key."""
        code = self.by_key[key].code
        return code if self.called(code) == (key,) else key

    def like(self, words: str) -> tuple[str, ...]:
        """Up to three names of cards that are spelt much like this, or of which an alias is."""
        index = NameIndex(self.by_key.values())
        names = (index.called(name)[0].name for name in index.like(words, MAX_NAMES_LIKE))
        return tuple(dict.fromkeys(names))[:MAX_SUGGESTED]

    def resolved(self, counts: Iterable[CardCount]) -> dict[str, CardCount]:
        """Each count by the key of its card. Raises Refused for names of no card, of several, or of one
        counted twice.
        """
        resolved: dict[str, CardCount] = {}
        faults: list[Fault] = []
        for one in counts:
            keys = self.called(one.card)
            if len(keys) > 1:
                ways = " or ".join(self.shortest(key) for key in keys)
                sentence = f"“{one.card}” is {len(keys)} cards of this print: write {ways}."
                faults.append(Fault("several_cards", sentence, "counts"))
            elif not keys:
                close = self.like(one.card) if len(faults) < MAX_SUGGESTED else ()
                more = f" Did you mean {' or '.join(f'“{name}”' for name in close)}?" if close else ""
                sentence = f"No card of this print is called “{one.card[:60]}”.{more}"
                faults.append(Fault("unknown_card", sentence, "counts"))
            elif keys[0] in resolved:
                sentence = f"“{self.by_key[keys[0]].name}” is counted twice: say it once."
                faults.append(Fault("named_twice", sentence, "counts"))
            else:
                resolved[keys[0]] = one
        if faults:
            raise Refused(*faults[:MAX_FAULTS])
        return resolved


# -- what is printed of them ----------------------------------------------------------


def counted(
    lists: Sequence[Entries], chosen: Sequence[Entries], counts: Iterable[CardCount]
) -> tuple[list[Entries], str]:
    """(what is printed of each list, what differs in words): the counts applied after all other choosing.
    Raises Refused.

    ``chosen`` are entries of ``lists`` with fewer copies or none. Copies are taken from a card's last entries
    and added to its first, also for a card that was not chosen otherwise.
    """
    cards = Cards(lists)
    by_key = cards.resolved(counts)
    before = copies_in(chosen)
    wanted = {key: max(0, one.number + (before[key] if one.relative else 0)) for key, one in by_key.items()}
    left = dict(wanted)
    left_lists = [[_taken(entry, left) for entry in entries] for entries in chosen]
    for entries in left_lists:
        for place, entry in enumerate(entries):
            if left.get(entry.card.key) and entry.count:
                entries[place] = replace(entry, count=entry.count + left.pop(entry.card.key))
    for everything, entries in zip(lists, left_lists, strict=True):
        for entry in everything:
            if left.get(entry.card.key):
                entries.append(replace(entry, count=left.pop(entry.card.key)))
    return [_in_order(*pair) for pair in zip(lists, left_lists, strict=True)], ", ".join(
        _differences(cards, by_key, before, wanted)
    )


def copies_in(lists: Iterable[Iterable[Entry]]) -> Counter[str]:
    """The number of copies of each card, by its key."""
    copies: Counter[str] = Counter()
    for entry in (entry for entries in lists for entry in entries):
        copies[entry.card.key] += entry.count
    return copies


def _taken(entry: Entry, left: dict[str, int]) -> Entry:
    key = entry.card.key
    if key not in left:
        return entry
    count = min(entry.count, left[key])
    left[key] -= count
    return replace(entry, count=count)


def _in_order(everything: Entries, entries: Iterable[Entry]) -> Entries:
    """The entries with copies, in the order of the whole list."""
    places = {
        (id(entry.card), entry.section): place for place, entry in reversed(list(enumerate(everything)))
    }
    return tuple(
        sorted(
            (entry for entry in entries if entry.count),
            key=lambda entry: places[id(entry.card), entry.section],
        )
    )


def _differences(
    cards: Cards, by_key: dict[str, CardCount], before: Counter[str], wanted: dict[str, int]
) -> Iterator[str]:
    """The words for what the counts change of the choice: ``with 3 × Kai and 1 more Li``, ``without Termite``.

    If a name holds a comma, as ``Marion, VA`` does, all stand in quotation marks.
    """
    other = {key: one for key, one in by_key.items() if wanted[key] != before[key]}
    names = {key: cards.by_key[key].name for key in other}
    if any("," in name for name in names.values()):
        names = {key: f"“{name}”" for key, name in names.items()}
    some = tuple(
        _phrase(names[key], one, wanted[key] - before[key]) for key, one in other.items() if wanted[key]
    )
    none = tuple(names[key] for key in other if not wanted[key])
    for word, phrases in (("with", some), ("without", none)):
        if phrases:
            yield f"{word} {listed(phrases, MAX_NAMED)}"


def _phrase(name: str, one: CardCount, by: int) -> str:
    return f"{abs(by)} {'more' if by > 0 else 'fewer'} {name}" if one.relative else f"{one.number} × {name}"
