"""Rules as small objects, listed by a game in its rulebook's order, and the judging of a deck by them; of its
size, its types and facts, and of named cards: banned ones, a points list, the sets that cards are from.

A rule never touches a database, never raises for a bad deck and never makes sentences
about one: it yields ``Violation`` values. Its own sentence is its citation's.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from cardsdb.games.kit.model.cards import Card, FactValue, as_words
from cardsdb.games.kit.model.decklist import Decklist, Entry, count_of
from cardsdb.games.kit.model.format import (
    Format,
    Group,
    GroupRule,
    Meter,
    Report,
    Rule,
    Severity,
    Violation,
    last_of,
    names_of,
    whole,
)
from cardsdb.games.kit.model.text import fold


@dataclass(frozen=True)
class Size(GroupRule):
    """A bound on the number of cards. Too few is incomplete, too many is illegal."""

    at_least: int | None = None
    at_most: int | None = None
    exactly: int | None = None
    # Cards whose type no source settles: they might fill the gap, so too few is then unknown.
    perhaps: Group | None = None
    numbers = {"at_least": "{what}, at least", "at_most": "{what}, at most", "exactly": "{what}, exactly"}

    @property
    def _bounds(self) -> tuple[int | None, int | None]:
        return (self.exactly, self.exactly) if self.exactly is not None else (self.at_least, self.at_most)

    def meters(self, deck: Decklist) -> Iterator[Meter]:
        yield self.meter(self.of.what, count_of(self.of.pick(deck)), *self._bounds)

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        picked = self.of.pick(deck)
        count, (low, high) = count_of(picked), self._bounds
        few, many = ("too-few", "too-many") if self.exactly is None else ("not-exactly", "not-exactly")
        if low is not None and count < low:
            doubtful = self.perhaps.pick(deck) if self.perhaps else ()
            if count + count_of(doubtful) >= low:
                yield self.broken("perhaps-enough", Severity.UNKNOWN, doubtful, found=count, wanted=low)
            else:
                lacks = (self.of.lack(low - count),)
                yield self.incomplete(few, found=count, wanted=low, lacks=lacks)
        elif high is not None and count > high:
            excess = tuple(last_of(picked, count - high))
            yield self.illegal(many, picked, found=count, wanted=high, excess=excess)


@dataclass(frozen=True)
class OnlyTypes(GroupRule):
    """Only cards of these types may be in the group."""

    types: tuple[str, ...] = ()

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        wrong = [entry for entry in self.of.pick(deck) if entry.card.type not in self.types]
        found = tuple(dict.fromkeys(entry.card.type for entry in wrong))
        yield from self.barred("wrong-type", wrong, found=found, wanted=self.types)


@dataclass(frozen=True)
class CopyLimit(GroupRule):
    """At most ``limit`` copies of a card. Copies count together by what ``by`` returns: the card's name by
    default.

    A card's fact ``override`` lifts the limit for itself.
    """

    limit: int = 1
    by: Callable[[Card], str] = lambda card: card.name
    override: str = ""
    numbers = {"limit": "copies of each of the {what}, at most"}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        gathered: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.of.pick(deck):
            gathered[self.by(entry.card)].append(entry)
        for entries in gathered.values():
            if (count := count_of(entries)) > self.limit:
                limit = max(entry.card.number(self.override) or self.limit for entry in entries)
                if count > limit:
                    excess = tuple(last_of(entries, count - limit))
                    yield self.illegal("too-many-copies", entries, found=count, wanted=limit, excess=excess)


def _by_value(fact: str, entries: Iterable[Entry]) -> tuple[dict[FactValue, list[Entry]], list[Entry]]:
    """Return value of the fact -> its entries, and those of which no source states it."""
    stated: dict[FactValue, list[Entry]] = defaultdict(list)
    unknown: list[Entry] = []
    for entry in entries:
        value = entry.card.fact(fact)
        (unknown if value is None else stated[value]).append(entry)
    return stated, unknown


@dataclass(frozen=True)
class OneOfEach(GroupRule):
    """No two cards of the group may have the same value of a fact; ``values`` must all occur."""

    fact: str = ""
    values: tuple[FactValue, ...] = ()

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        by_value, unknown = _by_value(self.fact, self.of.pick(deck))
        yield from self.unknown(self.fact, unknown)
        what = f"{self.of.what} of {self.fact}"
        for value, entries in by_value.items():
            if (count := count_of(entries)) > 1:
                excess = tuple(last_of(entries, count - 1))
                yield self.illegal(
                    "same-value",
                    entries,
                    what=f"{what} {as_words(value)}",
                    found=count,
                    wanted=1,
                    excess=excess,
                )
        missing = tuple(value for value in self.values if value not in by_value)
        if missing and not unknown:
            lacks = tuple(self.of.lack(facts={self.fact: value}) for value in missing)
            wanted = tuple(map(as_words, missing))
            yield self.incomplete("missing-values", what=what, wanted=wanted, lacks=lacks)

    def meters(self, deck: Decklist) -> Iterator[Meter]:
        if self.values:
            present = {entry.card.fact(self.fact) for entry in self.of.pick(deck)}
            label = f"{self.fact.replace('_', ' ')}s among the {self.of.what}"
            most = len(self.values)
            yield self.meter(label, len(present.intersection(self.values)), most, most)


@dataclass(frozen=True)
class AllShare(GroupRule):
    """All cards of the group have the same value of a fact. ``also``: values that go with each, which other
    cards may have.
    """

    fact: str = ""
    also: tuple[str, ...] = ()

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        picked = self.of.pick(deck)
        by_value, unknown = _by_value(self.fact, picked)
        yield from self.unknown(self.fact, unknown)
        if len(by_value) > 1:
            fewest = sorted(by_value.values(), key=count_of)[:-1]
            commonest = max(by_value, key=lambda value: count_of(by_value[value]))
            yield self.illegal(
                "mixed",
                picked,
                what=f"{self.of.what}: {self.fact}",
                found=tuple(map(as_words, by_value)),
                wanted=1,
                excess=whole(entry for entries in fewest for entry in entries),
                lacks=(self.of.lack(facts={self.fact: commonest}),),
            )


@dataclass(frozen=True)
class TotalAtMost(GroupRule):
    """The sum of a number fact over the group is at most ``limit``."""

    fact: str = ""
    limit: int = 0
    numbers = {"limit": "{fact} of the {what} together, at most"}

    def total(self, picked: Iterable[Entry]) -> int:
        """The sum over these entries, copies counted; an unknown number is 0."""
        return sum((entry.card.number(self.fact) or 0) * entry.count for entry in picked)

    def meters(self, deck: Decklist) -> Iterator[Meter]:
        total = self.total(self.of.pick(deck))
        yield self.meter(f"{self.fact} of the {self.of.what}", total, most=self.limit)

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        picked = self.of.pick(deck)
        if (total := self.total(picked)) > self.limit:
            yield self.illegal(
                "total-too-high",
                picked,
                what=f"{self.fact} of {self.of.what}",
                found=total,
                wanted=self.limit,
                lacks=(self.of.lack(less=self.fact),),
            )
        else:
            yield from self.unknown(self.fact, (e for e in picked if e.card.number(self.fact) is None))


@dataclass(frozen=True)
class Without(GroupRule):
    """No card of the group may have this value of a fact (or this word among its words)."""

    fact: str = ""
    value: FactValue = True

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        wrong = [
            e
            for e in self.of.pick(deck)
            if e.card.fact(self.fact) == self.value or self.value in e.card.words(self.fact)
        ]
        what = self.fact if self.value is True else f"{self.fact} {as_words(self.value)}"
        yield from self.barred("not-allowed", wrong, what=what, found=count_of(wrong), wanted=0)


@dataclass(frozen=True)
class NoneOf(GroupRule):
    """No card of the group may be there. ``problem`` picks the sentence."""

    problem: str = "not-allowed"

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        picked = self.of.pick(deck)
        yield from self.barred(self.problem, picked, found=count_of(picked), wanted=0)


@dataclass(frozen=True)
class Every(GroupRule):
    """Every card of the group passes a test: True passes, False fails, None is unknown.

    The test sees the card and the whole deck. ``problem`` picks the sentence, which a game gives in
    ``words``.
    """

    test: Callable[[Card, Decklist], bool | None] = lambda card, deck: True
    problem: str = "not-allowed"

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        judged = [(entry, self.test(entry.card, deck)) for entry in self.of.pick(deck)]
        wrong = [entry for entry, passed in judged if passed is False]
        yield from self.barred(self.problem, wrong, found=count_of(wrong))
        yield from self.unknown(self.of.what, (entry for entry, passed in judged if passed is None))


# -- judging a deck by all rules of a format ----------------------------------------

UNKNOWN_CARD = "unknown-card"


def judge(deck: Decklist, format: Format, unread: int = 0) -> Report:
    """Every violation of the format's rules, in their order; ``unread`` is how many lines of the list could
    not be read.

    A card of which only the name is known may be any card. So the rules see the deck without such cards;
    violations that such cards might cure are left out; and a deck that has any is never called legal.
    """
    unknown = tuple(entry for entry in deck.of_type("") if entry.card.unknown)
    if not unknown:
        return Report(tuple(violation for rule in format.rules for violation in rule.judge(deck)), unread)
    spare = count_of(unknown)
    known = replace(deck, entries=tuple(entry for entry in deck.entries if not entry.card.unknown))
    found = [Violation(UNKNOWN_CARD, "no-such-card", Severity.UNKNOWN, cards=names_of(unknown), found=spare)]
    for violation in (violation for rule in format.rules for violation in rule.judge(known)):
        if violation.severity is not Severity.INCOMPLETE or _wanting(violation) > spare:
            found.append(violation)
    return Report(tuple(found), unread)


def _wanting(violation: Violation) -> int:
    """The least number of cards that would cure the violation."""
    if isinstance(violation.wanted, tuple):
        return len(violation.wanted)
    if isinstance(violation.wanted, int) and isinstance(violation.found, int):
        return max(violation.wanted - violation.found, 1)
    return 1


# -- named cards -------------------------------------------------------------------------


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
    """A test of cards: all of these values of facts, none of those, and among these cards, if any are
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

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        wrong = [entry for entry in self.of.pick(deck) if self.cards.holds(entry.card)]
        yield from self.barred("banned-card", wrong, what="banned cards", found=count_of(wrong), wanted=0)


@dataclass(frozen=True)
class PointsList(GroupRule):
    """Each copy of these cards costs so many points; a deck spends no more than ``limit``."""

    points: tuple[tuple[str, int], ...] = ()
    limit: int = 0
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
            excess = tuple(self._fewest(picked, spent - self.limit))
            yield self.illegal(
                "points-over", picked, what="points", found=spent, wanted=self.limit, excess=excess
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
    """Every card has a print in one of these sets. A card whose sets no source states leaves it undecided."""

    sets: tuple[str, ...] = ()

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        picked = self.of.pick(deck)
        wrong = [
            entry
            for entry in picked
            if entry.card.prints and not any(one.set in self.sets for one in entry.card.prints)
        ]
        yield from self.barred("not-in-sets", wrong, what="cards", wanted=self.sets)
        yield from self.unknown("the sets of these cards", (e for e in picked if not e.card.prints))
