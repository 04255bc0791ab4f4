"""Numbers of copies of single cards: ``Kai=3, Termite=0, Li=+1`` is read, written, and applied to
the chosen cards.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Entry, NameIndex, fold, listed

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


class NotCounted(ValueError):
    """The text is no list of counts. ``part`` is the part of it that cannot be read."""

    def __init__(self, part: str) -> None:
        self.part = part
        super().__init__(part)


@dataclass(frozen=True)
class CardCount:
    """The number of copies of a card. ``card`` is its name, its code, or ``game/code``.

    ``relative``: the number is added to the copies that are chosen otherwise; a number below 0 takes copies
    away.
    """

    card: str
    number: int
    relative: bool = False

    def phrase(self, name: str, by: int) -> str:
        """``3 × Kai``, ``1 more Li``: the count in words, for the card of this name."""
        more = "more" if by > 0 else "fewer"
        return f"{abs(by)} {more} {name}" if self.relative else f"{self.number} × {name}"


def read_counts(text: str) -> tuple[CardCount, ...]:
    """The counts in the order of the text. A name with a comma or ``=`` in it stands in quotes. Raises
    NotCounted.
    """
    text, place = text.replace("\u2212", "-").strip(), 0
    counts: list[CardCount] = []
    while place < len(text):
        match = _PART.match(text, place)
        name = (match["plain"] or match["quoted"].replace('""', '"').strip()) if match else ""
        if match is None or not name or len(counts) >= MAX_COUNTS:
            raise NotCounted((text[place:].split(",")[0].strip() or text[place:].strip())[:60])
        counts.append(CardCount(name, int(match["number"]), match["number"][0] in "+-"))
        place = match.end()
    return tuple(counts)


def written(counts: Iterable[CardCount]) -> str:
    """The counts as ``read_counts`` reads them."""
    return ",".join(f"{_quoted(one.card)}={one.number:{'+' if one.relative else ''}d}" for one in counts)


def _quoted(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""')) if re.search('[,=]|^"', name) else name


class Cards:
    """The cards of a print, which are looked up by name or code."""

    def __init__(self, lists: Iterable[Iterable[Entry]]) -> None:
        self.by_key: dict[str, Card] = {}
        for entry in (entry for entries in lists for entry in entries):
            self.by_key.setdefault(entry.card.key, entry.card)
        self._index = NameIndex(self.by_key.values())

    def called(self, words: str) -> tuple[str, ...]:
        """The keys of all cards of this name, alias, code or key."""
        if words in self.by_key:
            return (words,)
        folded, cards = fold(words), self.by_key.values()
        also = (card for card in cards if card.code in (words, folded) or folded in map(fold, card.aliases))
        return tuple(dict.fromkeys(card.key for card in (*also, *self._index.called(words))))

    def shortest(self, key: str) -> str:
        """The shortest words that name this card and no other: its code, or its key."""
        code = self.by_key[key].code
        return code if self.called(code) == (key,) else key

    def like(self, words: str) -> tuple[str, ...]:
        """Up to three names of cards whose name or alias is spelt much like this."""
        near = self._index.cards_like(words, MAX_NAMES_LIKE)
        return tuple(dict.fromkeys(card.name for card in near))[:MAX_SUGGESTED]

    def resolved(self, counts: Iterable[CardCount]) -> dict[str, CardCount]:
        """Each count by the key of its card. Raises Refused for a name of no card or of several, and for a
        card that is counted twice.
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
            elif resolved.setdefault(keys[0], one) is not one:
                sentence = f"“{self.by_key[keys[0]].name}” is counted twice: say it once."
                faults.append(Fault("named_twice", sentence, "counts"))
        if faults:
            raise Refused(*faults[:MAX_FAULTS])
        return resolved


def counted(
    lists: Sequence[Sequence[Entry]], chosen: Iterable[Iterable[int]], counts: Iterable[CardCount]
) -> tuple[list[list[int]], str]:
    """The copies of each entry that are printed, and the difference in words: the counts applied after all
    other choices. Raises Refused.

    ``chosen`` are the copies of each entry of ``lists``. Copies are taken from a card's last entries and
    added to its first that is chosen, or else to its first. The words are ``with 3 × Kai and 1 more Li``,
    ``without Termite``; if a name holds a comma, as ``Marion, VA`` does, all names stand in quotation marks.
    """
    cards, copies = Cards(lists), [list(numbers) for numbers in chosen]
    with_, without = list[tuple[str, CardCount, int]](), list[tuple[str, CardCount, int]]()
    for key, one in cards.resolved(counts).items():
        places = [
            (own, place)
            for own, entries in zip(copies, lists, strict=True)
            for place, entry in enumerate(entries)
            if entry.card.key == key
        ]
        before = sum(own[place] for own, place in places)
        wanted = left = max(0, one.number + before * one.relative)
        for own, place in places:
            own[place] = min(own[place], left)
            left -= own[place]
        own, place = next(((own, place) for own, place in places if own[place]), places[0])
        own[place] += left
        if wanted != before:
            (with_ if wanted else without).append((cards.by_key[key].name, one, wanted - before))
    mark = "“{}”" if any("," in name for name, _, _ in (*with_, *without)) else "{}"
    more = tuple(one.phrase(mark.format(name), by) for name, one, by in with_)
    gone = tuple(mark.format(name) for name, _, _ in without)
    phrases = (("with", more), ("without", gone))
    return copies, ", ".join(f"{word} {listed(names, MAX_NAMED)}" for word, names in phrases if names)


def copies_in(lists: Iterable[Iterable[Entry]]) -> Counter[str]:
    """The number of copies of each card, by its key."""
    copies: Counter[str] = Counter()
    for entry in (entry for entries in lists for entry in entries):
        copies[entry.card.key] += entry.count
    return copies
