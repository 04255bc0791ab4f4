"""Rules about named cards: banned cards, a points list, the sets that cards are from; and the test by which a
group picks its cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from cardsdb.games.kit.model.cards import Card, FactValue
from cardsdb.games.kit.model.decklist import Decklist, Entry, count_of
from cardsdb.games.kit.model.format import Group, GroupRule, Rule, whole
from cardsdb.games.kit.model.report import Meter, Severity, Violation
from cardsdb.games.kit.model.text import fold


@dataclass(frozen=True)
class CardList:
    """Cards called by their codes or names. A name that several cards have means all of them."""

    called: tuple[str, ...] = ()

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(map(fold, self.called))

    def holds(self, card: Card) -> bool:
        return card.code in self._words or fold(card.name) in self._words


@dataclass(frozen=True)
class CardTest:
    """Whether a card has all of these values of facts, none of those, and is among these cards, if any are
    named.
    """

    having: tuple[tuple[str, FactValue], ...] = ()
    lacking: tuple[tuple[str, FactValue], ...] = ()
    cards: CardList | None = None

    def __call__(self, card: Card) -> bool:
        if self.cards is not None and not self.cards.holds(card):
            return False
        for key, value in self.having:
            if (shown := card.facts.get(key)) is None or not _is(shown, value):
                return False
        return not (
            self.lacking
            and any(_is(card.facts[key], value) for key, value in self.lacking if key in card.facts)
        )


def _is(shown: FactValue, value: FactValue) -> bool:
    if isinstance(value, str):
        words = shown if isinstance(shown, tuple | list) else (str(shown),)
        return fold(value) in map(fold, words)
    return type(shown) is type(value) and shown == value


def card_lists_of(rule: Rule) -> Iterator[CardList]:
    """The lists of named cards that a rule looks at."""
    cards, of = getattr(rule, "cards", None), getattr(rule, "of", None)
    test = of.where if isinstance(of, Group) else None
    yield from (
        each
        for each in (cards, test.cards if isinstance(test, CardTest) else None)
        if isinstance(each, CardList)
    )


@dataclass(frozen=True)
class Banned(GroupRule):
    """None of these cards may be in the deck."""

    cards: CardList = CardList()
    words = {"banned-card": "{cards}: banned in this format."}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if wrong := [entry for entry in self.of.pick(deck) if self.cards.holds(entry.card)]:
            found, excess, what = count_of(wrong), whole(wrong), "banned cards"
            yield self.broken(
                "banned-card", Severity.ILLEGAL, wrong, what=what, found=found, wanted=0, excess=excess
            )


@dataclass(frozen=True)
class PointsList(GroupRule):
    """Each copy of these cards costs so many points; a deck spends no more than ``limit``."""

    points: tuple[tuple[str, int], ...] = ()
    limit: int = 0
    words = {"points-over": "{cards}: {found} points of the points list together; {wanted} at most."}
    numbers = {"limit": "points, at most"}

    @cached_property
    def cards(self) -> CardList:
        return CardList(tuple(called for called, _ in self.points))

    @cached_property
    def _costs(self) -> dict[str, int]:
        return {fold(called): points for called, points in self.points}

    def cost(self, card: Card) -> int:
        return self._costs.get(card.code) or self._costs.get(fold(card.name), 0)

    def _spent(self, entries: tuple[Entry, ...]) -> int:
        return sum(self.cost(entry.card) * entry.count for entry in entries)

    def meters(self, deck: Decklist) -> Iterator[Meter]:
        yield self.meter("points", self._spent(self.of.pick(deck)), most=self.limit)

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        picked = tuple(entry for entry in self.of.pick(deck) if self.cost(entry.card))
        if (spent := self._spent(picked)) > self.limit:
            most, excess = self.limit, tuple(self._fewest(picked, spent - self.limit))
            yield self.broken(
                "points-over",
                Severity.ILLEGAL,
                picked,
                what="points",
                found=spent,
                wanted=most,
                excess=excess,
            )

    def _fewest(self, entries: tuple[Entry, ...], over: int) -> Iterator[tuple[Entry, int]]:
        """The fewest copies that cost so many points: the dearest first, of equals what was added last."""
        for entry in sorted(entries, key=lambda entry: self.cost(entry.card))[::-1]:
            if over <= 0:
                return
            cost = self.cost(entry.card)
            taken = min(entry.count, -(-over // cost))
            over -= taken * cost
            yield entry, taken


@dataclass(frozen=True)
class OnlySets(GroupRule):
    """Every card has a print in one of these sets. A card whose sets nobody states leaves it undecided."""

    sets: tuple[str, ...] = ()
    words = {"not-in-sets": "{cards}: in none of the sets of this format ({wanted})."}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        picked = self.of.pick(deck)
        wrong = [
            entry
            for entry in picked
            if entry.card.prints and not any(one.set in self.sets for one in entry.card.prints)
        ]
        if wrong:
            excess = whole(wrong)
            yield self.broken(
                "not-in-sets", Severity.ILLEGAL, wrong, what="cards", wanted=self.sets, excess=excess
            )
        yield from self.unknown("the sets of these cards", (e for e in picked if not e.card.prints))
