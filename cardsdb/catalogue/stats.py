"""Counts of what the catalogue has of each game, made once when it was loaded, so that no page walks the
cards.
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

MAX_RANGES = 1_000
# A collector number with more digits is a catalogue's own code.
MAX_DIGITS = 9

Ranges = Sequence[Sequence[int]]

_STORED = tuple("entries prints disputed types sets facts kinds digest numbers vocabulary".split())


@dataclass(frozen=True)
class CatalogueStats:
    """The counts of what the catalogue has of one game.

    ``entries`` counts everything that has a page, ``kinds`` how many of them are cards, stand-ins, components
    and terms, and ``of_cards`` the cards alone where there is anything else. ``types`` and ``facts`` say how
    many entries there are of a type's slug and how many state a fact, ``sets`` how many prints a set has.
    ``disputed`` is the number of those about which two documents disagree. ``numbers`` has, per set, the
    collector numbers of which a card is known, as ascending ranges with both ends included; numbers that are
    not plain digits are left out, and so is a set with more than ``MAX_RANGES`` gaps, of which no visitor
    would read a list. ``digest`` is ``Game.folder_digest`` of the folder that was loaded.
    """

    game: str
    entries: int = 0
    prints: int = 0
    disputed: int = 0
    types: Mapping[str, int] = field(default_factory=dict)
    sets: Mapping[str, int] = field(default_factory=dict)
    facts: Mapping[str, int] = field(default_factory=dict)
    numbers: Mapping[str, Ranges] = field(default_factory=dict)
    vocabulary: Vocabulary = field(default_factory=dict)
    kinds: Mapping[str, int] = field(default_factory=dict)
    of_cards: "CatalogueStats | None" = None
    digest: str = ""

    @property
    def cards(self) -> int:
        """The cards of the game that are known; what only stands for others, and what is no card, does not
        count.
        """
        return self.kinds.get("card", self.entries)

    @property
    def cards_alone(self) -> "CatalogueStats":
        """The counts of the game's cards, without everything that is none."""
        return self.of_cards or self

    def distribution(self, fact: str) -> dict[int, int]:
        """Value -> number of cards of a number fact, ascending; empty if unknown or of too many values."""
        counts = self.vocabulary.get(fact, {}).items()
        return dict(sorted((int(value), count) for value, (_, count) in counts))

    def known_numbers(self, set_code: str) -> int:
        """Return how many collector numbers of the set are known."""
        return sum(last - first + 1 for first, last in self.numbers.get(set_code, ()))

    def missing_numbers(self, set_code: str, size: int) -> Ranges:
        """The collector numbers from 1 to ``size`` of which no card is known, as ranges."""
        gaps, expected = [], 1
        for first, last in (*self.numbers.get(set_code, ()), (size + 1, size + 1)):
            if first > expected:
                gaps.append((expected, min(first - 1, size)))
            expected = max(expected, last + 1)
        return tuple((first, last) for first, last in gaps if first <= last)

    def as_json(self) -> dict[str, Any]:
        """The counts as ``Holding.summary`` stores them."""
        told = {name: getattr(self, name) for name in _STORED}
        of_cards = {"of_cards": self.of_cards.as_json()} if self.of_cards else {}
        # Pairs are lists there.
        return {**json.loads(json.dumps(told)), **of_cards}

    @classmethod
    def from_json(cls, game: str, summary: Mapping[str, Any]) -> "CatalogueStats":
        """The counts that were stored, of whichever version."""
        stored = {name: summary[name] for name in _STORED if name in summary}
        of_cards = cls.from_json(game, summary["of_cards"]) if "of_cards" in summary else None
        return cls(game, **stored, of_cards=of_cards)


class Counting:
    """Counts a game's cards one by one while they are loaded."""

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
    """Counts of one lot of entries: of each count its values, with how many have them."""

    def __init__(self, game: Game) -> None:
        self._game, self._tally = game, Tally(game)
        self._counts: dict[str, Counter[str]] = {
            "types": Counter(dict.fromkeys(game.types_by_slug, 0)),
            "sets": Counter(dict.fromkeys(game.sets_by_code, 0)),
            "facts": Counter(dict.fromkeys(game.facts_by_key, 0)),
            "kinds": Counter(dict.fromkeys(ENTRY_KINDS, 0)),
        }
        self._whole = Counter[str]()
        self._numbers: dict[str, set[int]] = {}

    def add(self, card: Card, terms: str) -> None:
        self._whole.update(entries=1, prints=len(card.prints), disputed=int("|disputed=" in terms))
        self._counts["types"][card.type] += 1
        self._counts["kinds"][self._game.kind_of(card)] += 1
        self._counts["facts"].update(card.facts.keys())
        self._counts["sets"].update(print_.set for print_ in card.prints)
        for print_ in card.prints:
            if len(print_.number) <= MAX_DIGITS and print_.number.isascii() and print_.number.isdigit():
                self._numbers.setdefault(print_.set, set()).add(int(print_.number))
        self._tally.add(card, terms)

    def stats(self) -> CatalogueStats:
        ranges = {code: ranges_of(known) for code, known in self._numbers.items()}
        numbers = {code: known for code, known in ranges.items() if len(known) <= MAX_RANGES}
        made = {**self._whole, **self._counts, "numbers": numbers, "vocabulary": self._tally.vocabulary()}
        return CatalogueStats(self._game.slug, **made)


def ranges_of(numbers: Iterable[int]) -> Ranges:
    """Numbers as ascending ranges with both ends included: 1, 2, 3, 7 -> (1, 3), (7, 7)."""
    ranges: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return tuple(ranges)


# -- counts for pages -------------------------------------------------------------


def stats_of(slug: str) -> CatalogueStats:
    """Return what the catalogue has of this game; zeros for one that was never loaded."""
    return all_stats().get(slug) or CatalogueStats(slug)


def all_stats() -> Mapping[str, CatalogueStats]:
    """Game's slug -> what the catalogue has of it, for every game there is, in the order of ``games()``."""
    return catalogue().derived(_stats_in)


def _stats_in(whole: Catalogue) -> Mapping[str, CatalogueStats]:
    return {slug: CatalogueStats.from_json(slug, whole.summaries.get(slug, {})) for slug in whole.games}
