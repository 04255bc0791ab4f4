"""Counts of the cards of each game, made while they are loaded, so that pages need not walk over all cards.

The loader feeds ``Counting`` card by card and stores the result in ``Holding.summary``; pages read it with
``stats_of`` and ``all_stats``. A summary may have been stored by another version of this code, so
``from_json`` accepts missing keys. To add a count: a field of ``CatalogueStats`` with a default, its name in
``_STORED``, and a line in ``_Counts``; the next load stores it.
Tests: ``tests/cardsdb/catalogue/test_stats.py``.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cardsdb.catalogue.current import Catalogue, catalogue
from cardsdb.games.kit import ENTRY_KINDS, Card, Game
from cardsdb.games.kit.folder.contents import CardsDigest
from cardsdb.games.kit.model.cards import STAND_IN
from cardsdb.search.query.standard import Tally, Vocabulary

# Ranges of collector numbers of one set. Those of a set with more are not kept: no visitor would read such a
# list of gaps.
MAX_RANGES = 1_000
# A collector number with more digits is not a number but a code.
MAX_DIGITS = 9

# (first, last) of each range, both included. Lists of lists if they were stored as JSON.
Ranges = Sequence[Sequence[int]]

# Keys of a stored summary.
_STORED = tuple("entries prints disputed types sets facts kinds digest numbers vocabulary".split())


@dataclass(frozen=True)
class CatalogueStats:
    """The counts of one game in the catalogue. An entry is everything that has a page."""

    game: str
    entries: int = 0
    # Prints of all entries.
    prints: int = 0
    # Entries about which two documents disagree.
    disputed: int = 0
    # Slug of a type -> entries; code of a set -> prints; key of a fact -> entries that state it.
    types: Mapping[str, int] = field(default_factory=dict)
    sets: Mapping[str, int] = field(default_factory=dict)
    facts: Mapping[str, int] = field(default_factory=dict)
    # Code of a set -> its known collector numbers as ascending ranges. Numbers that are not plain digits are
    # left out, and sets with more than MAX_RANGES ranges.
    numbers: Mapping[str, Ranges] = field(default_factory=dict)
    # Search key -> values that occur, with their counts (``Tally.vocabulary``).
    vocabulary: Vocabulary = field(default_factory=dict)
    # Kind (card, stand-in, component, term) -> entries.
    kinds: Mapping[str, int] = field(default_factory=dict)
    # The counts of cards only; None if the game has no other entries.
    of_cards: "CatalogueStats | None" = None
    # ``Game.folder_digest`` of the folder that was loaded.
    digest: str = ""

    @property
    def cards(self) -> int:
        """The number of cards, without stand-ins, components and terms."""
        return self.kinds.get("card", self.entries)

    @property
    def cards_alone(self) -> "CatalogueStats":
        """The counts of the game's cards only."""
        return self.of_cards or self

    def distribution(self, fact: str) -> dict[int, int]:
        """Return value -> cards for a number fact, ascending; empty for an unknown fact or
        too many values.
        """
        counts = self.vocabulary.get(fact, {}).items()
        return dict(sorted((int(value), count) for value, (_, count) in counts))

    def known_numbers(self, set_code: str) -> int:
        """Return how many collector numbers of the set are known."""
        return sum(last - first + 1 for first, last in self.numbers.get(set_code, ()))

    def missing_numbers(self, set_code: str, size: int) -> Ranges:
        """Return the collector numbers from 1 to ``size`` without a known card, as ranges: with 2-3 and 7
        known of 9, these are (1, 1), (4, 6), (8, 9).
        """
        known = self.numbers.get(set_code, ())
        # A gap begins behind each known range, and ends before the next one.
        begins = (1, *(last + 1 for _, last in known))
        ends = (*(first - 1 for first, _ in known), size)
        gaps = ((begin, min(end, size)) for begin, end in zip(begins, ends, strict=True))
        # A gap is empty before a first range that begins with 1, and beyond ``size``.
        return tuple((begin, end) for begin, end in gaps if begin <= end)

    def as_json(self) -> dict[str, Any]:
        """Return the counts as ``Holding.summary`` stores them."""
        counts = {name: getattr(self, name) for name in _STORED}
        # Through JSON, so that tuples become lists and a summary equals the stored one.
        stored: dict[str, Any] = json.loads(json.dumps(counts))
        if self.of_cards:
            stored["of_cards"] = self.of_cards.as_json()
        return stored

    @classmethod
    def from_json(cls, game: str, summary: Mapping[str, Any]) -> "CatalogueStats":
        """Return the counts of a stored summary, which may lack keys of newer versions."""
        stored = {name: summary[name] for name in _STORED if name in summary}
        of_cards = cls.from_json(game, summary["of_cards"]) if "of_cards" in summary else None
        return cls(game, **stored, of_cards=of_cards)


class Counting:
    """Counts a game's cards one by one: call ``add`` for each, then ``stats``. ``terms``: the card's search
    column of that name ("|game=spycraft|type=agent|...|").
    """

    def __init__(self, game: Game) -> None:
        has_others = STAND_IN in game.facts_by_key or any(kind.kind != "card" for kind in game.types)
        self._game, self._digest, self._all = game, CardsDigest(), _Counts(game)
        self._cards = _Counts(game) if has_others else None

    def add(self, card: Card, terms: str) -> None:
        self._digest.add(card)
        self._all.add(card, terms)
        if self._cards and self._game.kind_of(card) == "card":
            self._cards.add(card, terms)

    def stats(self) -> CatalogueStats:
        of_cards = self._cards.stats() if self._cards else None
        return replace(self._all.stats(), of_cards=of_cards, digest=str(self._digest))


class _Counts:
    """Counts the entries that it is given: all of a game, or its cards only."""

    def __init__(self, game: Game) -> None:
        self._game, self._tally = game, Tally(game)
        self._counts: dict[str, Counter[str]] = {
            "types": Counter(dict.fromkeys(game.types_by_slug, 0)),
            "sets": Counter(dict.fromkeys(game.sets_by_code, 0)),
            "facts": Counter(dict.fromkeys(game.facts_by_key, 0)),
            "kinds": Counter(dict.fromkeys(ENTRY_KINDS, 0)),
        }
        # Keys: entries, prints, disputed.
        self._totals = Counter[str]()
        # Code of a set -> its collector numbers.
        self._numbers: dict[str, set[int]] = {}

    def add(self, card: Card, terms: str) -> None:
        self._totals.update(entries=1, prints=len(card.prints), disputed=int("|disputed=" in terms))
        self._counts["types"][card.type] += 1
        self._counts["kinds"][self._game.kind_of(card)] += 1
        self._counts["facts"].update(card.facts.keys())
        self._counts["sets"].update(print_.set for print_ in card.prints)
        for print_ in card.prints:
            if len(print_.number) <= MAX_DIGITS and print_.number.isascii() and print_.number.isdigit():
                self._numbers.setdefault(print_.set, set()).add(int(print_.number))
        self._tally.add(card, terms)

    def stats(self) -> CatalogueStats:
        ranges_by_set = {code: ranges_of(numbers) for code, numbers in self._numbers.items()}
        numbers = {code: ranges for code, ranges in ranges_by_set.items() if len(ranges) <= MAX_RANGES}
        # All keys are fields of CatalogueStats.
        counts = {**self._totals, **self._counts, "numbers": numbers, "vocabulary": self._tally.vocabulary()}
        return CatalogueStats(self._game.slug, **counts)


def ranges_of(numbers: Iterable[int]) -> Ranges:
    """Return numbers as ascending ranges with both ends included: 7, 1, 2, 3 -> (1, 3), (7, 7)."""
    firsts: list[int] = []
    lasts: list[int] = []
    for number in sorted(set(numbers)):
        if lasts and number == lasts[-1] + 1:
            lasts[-1] = number
        else:
            firsts.append(number)
            lasts.append(number)
    return tuple(zip(firsts, lasts, strict=True))


# -- counts for pages -------------------------------------------------------------


def stats_of(slug: str) -> CatalogueStats:
    """Return the counts of this game; zeros for a game that was never loaded."""
    return all_stats().get(slug) or CatalogueStats(slug)


def all_stats() -> Mapping[str, CatalogueStats]:
    """Return slug -> counts for every game, in the order of ``games()``."""
    return catalogue().derived(_stats_in)


def _stats_in(whole: Catalogue) -> Mapping[str, CatalogueStats]:
    return {slug: CatalogueStats.from_json(slug, whole.summaries.get(slug, {})) for slug in whole.games}
