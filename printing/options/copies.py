"""The print option ``counts``: how many copies of single cards to print, as in ``Kai=3, Termite=0, Li=+1``.

``read_counts`` reads the text, ``written`` writes it back (``printing/options/values.py`` calls both), and
``counted`` applies it to the chosen cards, after all other choices (``printing/request/selection.py``)::

    the list       2 Kai, 1 Termite, 1 Shade, and in another section 1 Kai: [2, 1, 1, 1]
    the counts     Kai=2, Termite=0, Shade=+1
    counted        [2, 0, 2, 0], "with 2 × Kai and 1 more Shade, without Termite"

Plain Python. Tests: ``tests/printing/options/test_copies.py``.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Entry, NameIndex, fold, listed

# Copies of one card.
MAX_COPIES_OF_CARD = 99
# Characters of a wrong name or part that an error repeats.
MAX_QUOTED = 60
# Cards in one text.
MAX_COUNTS = 200
# Cards that a summary names; the others are only counted.
MAX_NAMED = 3
# Unknown cards that an error lists.
MAX_FAULTS = 10
# Names that an error suggests for an unknown card.
MAX_SUGGESTED = 3
# Unknown cards for which an error suggests names, because these are slow to find.
MAX_WITH_SUGGESTIONS = 3
# Names and aliases to look at for suggestions. More than MAX_SUGGESTED, because several may be of one card.
MAX_NAMES_LIKE = 20

# One ``name=number`` with the comma after it. A name with a comma or ``=`` is quoted, with ``""`` for a
# quote; a plain one has no spaces at its ends.
_PART = re.compile(
    r"""
    \s* (?: "(?P<quoted>(?:[^"]|"")+)" | (?P<plain>[^\s",=](?:[^,=]*[^\s,=])?) )
    \s* = \s* (?P<number>[+-]?[0-9]{1,2})
    \s* (?:,|\Z)
    """,
    re.ASCII | re.VERBOSE,
)


class NotCounted(ValueError):
    """The text cannot be read as counts. ``part`` is its first part at fault."""

    def __init__(self, part: str) -> None:
        self.part = part
        super().__init__(part)


@dataclass(frozen=True)
class CardCount:
    """The wanted copies of one card. ``card`` is its name, its code or ``game/code``, as typed.

    ``relative``: True for ``Li=+1`` and ``Li=-1``, where the number is added to the copies chosen otherwise.
    """

    card: str
    number: int
    relative: bool = False

    def phrase(self, name: str, added: int) -> str:
        """The count in words: ``3 × Kai`` or ``1 more Li``. ``added`` is the number of copies more than
        before.
        """
        if not self.relative:
            return f"{self.number} × {name}"
        return f"{abs(added)} {'more' if added > 0 else 'fewer'} {name}"


def read_counts(text: str) -> tuple[CardCount, ...]:
    """Read ``Kai=3, "Marion, VA"=+1`` into CardCounts, in the order of the text. Raises NotCounted."""
    # A minus sign as word processors write it is read like a hyphen.
    text, place = text.replace("\u2212", "-").strip(), 0
    counts: list[CardCount] = []
    while place < len(text):
        match = _PART.match(text, place)
        name = (match["plain"] or match["quoted"].replace('""', '"').strip()) if match else ""
        if match is None or not name or len(counts) >= MAX_COUNTS:
            rest = text[place:]
            raise NotCounted((rest.split(",")[0].strip() or rest.strip())[:MAX_QUOTED])
        counts.append(CardCount(name, int(match["number"]), match["number"][0] in "+-"))
        place = match.end()
    return tuple(counts)


def written(counts: Iterable[CardCount]) -> str:
    """Write counts so that ``read_counts`` returns the same: ``Kai=3,Li=+1``."""
    return ",".join(
        f"{_quoted(count.card)}={count.number:{'+' if count.relative else ''}d}" for count in counts
    )


def _quoted(name: str) -> str:
    """The name as ``_PART`` reads it: ``Marion, VA`` -> ``"Marion, VA"``."""
    return '"{}"'.format(name.replace('"', '""')) if re.search('[,=]|^"', name) else name


class Cards:
    """The cards of a print, found by name, alias, code or key. ``by_key``: each card by ``game/code``."""

    def __init__(self, lists: Iterable[Iterable[Entry]]) -> None:
        self.by_key: dict[str, Card] = {}
        for entry in (entry for entries in lists for entry in entries):
            self.by_key.setdefault(entry.card.key, entry.card)
        self._index = NameIndex(self.by_key.values())

    def called(self, words: str) -> tuple[str, ...]:
        """The keys of all cards that ``words`` may mean. A key means its own card only."""
        if words in self.by_key:
            return (words,)
        folded, cards = fold(words), self.by_key.values()
        # The index knows no codes, and an alias only where no card has it as its name.
        by_code_or_alias = (
            card for card in cards if card.code in (words, folded) or folded in map(fold, card.aliases)
        )
        return tuple(dict.fromkeys(card.key for card in (*by_code_or_alias, *self._index.called(words))))

    def shortest(self, key: str) -> str:
        """The shortest words that mean this card and no other: its code if it can, else its key."""
        code = self.by_key[key].code
        return code if self.called(code) == (key,) else key

    def like(self, words: str) -> tuple[str, ...]:
        """Up to MAX_SUGGESTED names of cards whose name or alias is spelt similarly."""
        near = self._index.cards_like(words, MAX_NAMES_LIKE)
        return tuple(dict.fromkeys(card.name for card in near))[:MAX_SUGGESTED]

    def resolved(self, counts: Iterable[CardCount]) -> dict[str, CardCount]:
        """The counts by the key of their card. Raises Refused, with a fault for each name that means no card
        or several, and for each card that is counted twice.
        """
        resolved: dict[str, CardCount] = {}
        faults: list[Fault] = []
        for count in counts:
            keys = self.called(count.card)
            if len(keys) > 1:
                ways = " or ".join(self.shortest(key) for key in keys)
                sentence = f"“{count.card}” is {len(keys)} cards of this print: write {ways}."
                faults.append(Fault("several_cards", sentence, "counts"))
            elif not keys:
                close = self.like(count.card) if len(faults) < MAX_WITH_SUGGESTIONS else ()
                more = f" Did you mean {' or '.join(f'“{name}”' for name in close)}?" if close else ""
                sentence = f"No card of this print is called “{count.card[:MAX_QUOTED]}”.{more}"
                faults.append(Fault("unknown_card", sentence, "counts"))
            elif resolved.setdefault(keys[0], count) is not count:
                sentence = f"“{self.by_key[keys[0]].name}” is counted twice: say it once."
                faults.append(Fault("named_twice", sentence, "counts"))
        if faults:
            raise Refused(*faults[:MAX_FAULTS])
        return resolved


class _Change(NamedTuple):
    """A count that changed the print: by ``added`` copies, of which ``left`` are printed now."""

    name: str
    count: CardCount  # type: ignore[assignment]
    added: int
    left: int


def counted(
    lists: Sequence[Sequence[Entry]], chosen: Iterable[Iterable[int]], counts: Iterable[CardCount]
) -> tuple[list[list[int]], str]:
    """Apply counts to the copies that all other choices left. Return (the new copies of each entry of each
    list, the difference in words). Raises Refused as ``Cards.resolved`` does.

    ``chosen``: the copies of each entry of ``lists``. A card may have several entries: copies are taken from
    the last ones first, and added to the first chosen one, else to the first. The words are ``with 3 × Kai
    and 1 more Li, without Termite``. If a name has a comma, as ``Marion, VA`` has, all names are quoted.
    """
    cards, copies = Cards(lists), [list(numbers) for numbers in chosen]
    changes: list[_Change] = []
    for key, count in cards.resolved(counts).items():
        # The entries of the card: a row of ``copies``, which is changed here, and the index in that row.
        places = [
            (row, index)
            for row, entries in zip(copies, lists, strict=True)
            for index, entry in enumerate(entries)
            if entry.card.key == key
        ]
        before = [row[index] for row, index in places]
        wanted = max(0, count.number + (sum(before) if count.relative else 0))
        for (row, index), number in zip(places, _shared_out(before, wanted), strict=True):
            row[index] = number
        if wanted != sum(before):
            changes.append(_Change(cards.by_key[key].name, count, wanted - sum(before), wanted))
    return copies, _in_words(changes)


def _shared_out(copies: Iterable[int], wanted: int) -> list[int]:
    """The copies of one card's entries, changed so that their sum is ``wanted``: [2, 0, 1] becomes [1, 0, 0]
    for 1, and [4, 0, 1] for 5.
    """
    shares, missing = [], wanted
    for number in copies:
        kept = min(number, missing)
        shares.append(kept)
        missing -= kept
    chosen = (index for index, number in enumerate(shares) if number)
    shares[next(chosen, 0)] += missing
    return shares


def _in_words(changes: Sequence[_Change]) -> str:
    """The changes as ``counted`` says them."""
    quoted = "“{}”" if any("," in change.name for change in changes) else "{}"
    with_: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    for name, count, added, left in changes:
        named = quoted.format(name)
        if left:
            with_ += (count.phrase(named, added),)
        else:
            without += (named,)
    phrases = (("with", with_), ("without", without))
    return ", ".join(f"{word} {listed(words, MAX_NAMED)}" for word, words in phrases if words)


def copies_in(lists: Iterable[Iterable[Entry]]) -> Counter[str]:
    """The number of copies of each card, by its key."""
    copies: Counter[str] = Counter()
    for entry in (entry for entries in lists for entry in entries):
        copies[entry.card.key] += entry.count
    return copies
