"""Rules about named cards: banned cards, a points list, allowed sets; and ``CardTest``, a group's condition.

``declared/rules.py`` makes them from ``game.toml`` and from the formats of leagues; ``contract/checks.py``
checks with ``card_lists_of`` that every named card exists.

``GroupRule`` (``model/format.py``) gives these rules the cards of their group, ``of.pick(deck)``, and
helpers: ``barred`` (illegal until all these cards are out) and ``unknown`` (no source states it) yield one
violation by the entries that they are given, nothing without entries; ``illegal`` returns one.
Tests: ``tests/cardsdb/games/kit/rules/test_card_lists.py``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from cardsdb.games.kit.model.cards import Card, FactValue
from cardsdb.games.kit.model.decklist import Decklist, Entry, count_of
from cardsdb.games.kit.model.format import Group, GroupRule, Meter, Rule, Violation
from cardsdb.games.kit.model.text import fold


@dataclass(frozen=True)
class CardList:
    """Cards named by their codes or names. A name that several cards have means all of them.

    Names are compared folded. Codes are made by ``slugify``, so they are folded already.
    """

    called: tuple[str, ...] = ()

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(map(fold, self.called))

    def holds(self, card: Card) -> bool:
        return card.code in self._words or fold(card.name) in self._words


@dataclass(frozen=True)
class CardTest:
    """A condition of a group: the card has all values in ``having``, none in ``without``, and is one of
    ``cards`` if these are given. Both hold (key of a fact, value). In a fact with several words, one of them
    is enough.

    ``having=(("faction", "Bloodvine"),), without=(("level", 4),)``: cards of Bloodvine, but no leaders of
    level 4.
    """

    having: tuple[tuple[str, FactValue], ...] = ()
    without: tuple[tuple[str, FactValue], ...] = ()
    cards: CardList | None = None

    def __call__(self, card: Card) -> bool:
        if self.cards is not None and not self.cards.holds(card):
            return False

        def has(wanted: tuple[str, FactValue]) -> bool:
            key, value = wanted
            return key in card.facts and _is(card.facts[key], value)

        return all(map(has, self.having)) and not any(map(has, self.without))


def _is(shown: FactValue, value: FactValue) -> bool:
    """True if a card that shows ``shown`` has ``value``. Texts are compared folded; True is not 1."""
    if isinstance(value, str):
        words = shown if isinstance(shown, tuple | list) else (str(shown),)
        return fold(value) in map(fold, words)
    return type(shown) is type(value) and shown == value


def card_lists_of(rule: Rule) -> Iterator[CardList]:
    """Yield the lists of named cards that a rule uses: its own, and that of its group's condition."""
    cards, group = getattr(rule, "cards", None), getattr(rule, "of", None)
    if isinstance(cards, CardList):
        yield cards
    if isinstance(group, Group) and isinstance(group.where, CardTest) and group.where.cards is not None:
        yield group.where.cards


@dataclass(frozen=True)
class Banned(GroupRule):
    """None of these cards may be in the deck."""

    cards: CardList = CardList()

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        wrong = [entry for entry in self.of.pick(deck) if self.cards.holds(entry.card)]
        yield from self.barred("banned-card", wrong, what="banned cards", found=count_of(wrong), wanted=0)


@dataclass(frozen=True)
class PointsList(GroupRule):
    """Each copy of a listed card costs points, and a deck may spend at most ``limit``. ``points``: (code or
    name of a card, points from 1); the points of a code are preferred to those of a name.
    """

    points: tuple[tuple[str, int], ...] = ()
    limit: int = 0
    # The field that house rules may change, with its words (``Rule.numbers``).
    numbers = {"limit": "points, at most"}

    @cached_property
    def cards(self) -> CardList:
        return CardList(tuple(called for called, _ in self.points))

    @cached_property
    def _costs(self) -> dict[str, int]:
        return {fold(called): points for called, points in self.points}

    def cost(self, card: Card) -> int:
        """Return the points of one copy; 0 for a card that is not listed."""
        return self._costs.get(card.code) or self._costs.get(fold(card.name), 0)

    def _spent(self, entries: tuple[Entry, ...]) -> int:
        return sum(self.cost(entry.card) * entry.count for entry in entries)

    def meters(self, deck: Decklist) -> Iterator[Meter]:
        yield self.meter("points", self._spent(self.of.pick(deck)), most=self.limit)

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        picked = tuple(entry for entry in self.of.pick(deck) if self.cost(entry.card))
        if (spent := self._spent(picked)) > self.limit:
            excess = tuple(self._fewest(picked, spent - self.limit))
            yield self.illegal(
                "points-over", picked, what="points", found=spent, wanted=self.limit, excess=excess
            )

    def _fewest(self, entries: tuple[Entry, ...], over: int) -> Iterator[tuple[Entry, int]]:
        """Yield (entry, copies) for the fewest copies that cost ``over`` points or more: the dearest cards
        first, of equally dear ones those added last. Each of these entries must cost points. For 4 points
        over, of 1 card of 3 points and 2 cards of 1 point: the dear one and one cheap one.
        """
        cheapest_first = sorted(entries, key=lambda entry: self.cost(entry.card))
        for entry in reversed(cheapest_first):
            if over <= 0:
                return
            cost = self.cost(entry.card)
            # As many copies as make up the points that are over: -(-a // b) is a / b rounded up.
            taken = min(entry.count, -(-over // cost))
            over -= taken * cost
            yield entry, taken


@dataclass(frozen=True)
class OnlySets(GroupRule):
    """Every card must have a print in one of these sets. A card without known prints leaves it undecided."""

    sets: tuple[str, ...] = ()

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        picked = self.of.pick(deck)
        # (entry, the sets that its card is in)
        sets = [(entry, {print_.set for print_ in entry.card.prints}) for entry in picked]
        wrong = [entry for entry, known in sets if known and known.isdisjoint(self.sets)]
        yield from self.barred("not-in-sets", wrong, what="cards", wanted=self.sets)
        unknown = (entry for entry in picked if not entry.card.prints)
        yield from self.unknown("the sets of these cards", unknown)
