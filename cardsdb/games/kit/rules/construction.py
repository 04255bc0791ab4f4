"""The rules about size, types and facts that games build their formats from, ``clashes``, which finds rules
that exclude each other, and ``judge``, which applies all rules of a format to a deck.

``declared/rules.py`` makes the rules that ``game.toml`` lists, and says what a new kind of rule needs;
``card_lists.py`` has those about named cards, a game's ``rules.py`` its own. ``Game.judge`` calls ``judge``.
``Rule``, ``Group``, ``Violation`` and ``Lack`` are defined in ``model/format.py``; there is also an example
of a violation. A rule never touches a database, never raises for a bad deck and writes no sentences: it
yields ``Violation`` values by the helpers ``illegal``, ``incomplete`` and ``note`` (one violation) or
``barred``, ``doubted``, ``noted`` and ``unknown`` (one if there are any entries) of its base class.
Tests: ``tests/cardsdb/games/kit/rules/test_construction.py``, and the examples of every game.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import permutations

from cardsdb.games.kit.model.cards import Card, FactValue, as_words
from cardsdb.games.kit.model.decklist import Decklist, Entry, count_of
from cardsdb.games.kit.model.format import (
    EVERYTHING,
    Format,
    Group,
    GroupRule,
    Meter,
    Report,
    Rule,
    Severity,
    Violation,
    bounds_words,
    last_of,
    names_of,
    whole,
)


@dataclass(frozen=True)
class Size(GroupRule):
    """A bound on the number of cards. Too few is incomplete, too many is illegal."""

    at_least: int | None = None
    at_most: int | None = None
    exactly: int | None = None
    # Cards whose type no source states. If they could fill the gap, too few is unknown, not incomplete.
    perhaps: Group | None = None
    # The fields that house rules may change, with their words (``Rule.numbers``).
    numbers = {"at_least": "{what}, at least", "at_most": "{what}, at most", "exactly": "{what}, exactly"}

    @property
    def _bounds(self) -> tuple[int | None, int | None]:
        """(lowest number, highest number), None where there is no bound."""
        return (self.exactly, self.exactly) if self.exactly is not None else (self.at_least, self.at_most)

    def meters(self, deck: Decklist) -> Iterator[Meter]:
        """Yield "leaders: 2 of 4", which is shown while a deck is built."""
        yield self.meter(self.of.what, count_of(self.of.pick(deck)), *self._bounds)

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        picked = self.of.pick(deck)
        count = count_of(picked)
        low, high = self._bounds
        # Problems: keys of the sentences.
        few, many = ("too-few", "too-many") if self.exactly is None else ("not-exactly", "not-exactly")
        if low is not None and count < low:
            doubtful = self.perhaps.pick(deck) if self.perhaps else ()
            if count + count_of(doubtful) >= low:
                yield self.broken(Severity.UNKNOWN, "perhaps-enough", doubtful, found=count, wanted=low)
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
    """At most ``limit`` copies of a card. Cards for which ``by`` returns the same text count together; by
    default those of the same name. ``override``: key of a number fact that replaces the limit for a card,
    whether it is higher or lower; of several cards that count together the highest number holds.
    """

    limit: int = 1
    by: Callable[[Card], str] = lambda card: card.name
    override: str = ""
    numbers = {"limit": "copies of each of the {what}, at most"}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        counted_together: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.of.pick(deck):
            counted_together[self.by(entry.card)].append(entry)
        for entries in counted_together.values():
            limit = self.limit
            if self.override:
                limit = max(entry.card.number(self.override) or limit for entry in entries)
            if (count := count_of(entries)) > limit:
                excess = tuple(last_of(entries, count - limit))
                yield self.illegal("too-many-copies", entries, found=count, wanted=limit, excess=excess)


def _by_value(fact: str, entries: Iterable[Entry]) -> tuple[dict[FactValue, list[Entry]], list[Entry]]:
    """Return (value of the fact -> entries with it, entries of which no source states the fact)."""
    stated: dict[FactValue, list[Entry]] = defaultdict(list)
    unknown: list[Entry] = []
    for entry in entries:
        value = entry.card.fact(fact)
        (unknown if value is None else stated[value]).append(entry)
    return stated, unknown


@dataclass(frozen=True)
class OneOfEach(GroupRule):
    """No two cards of the group may have the same value of a fact, and all of ``values`` must occur: leaders
    of the levels 1 to 4, one of each.
    """

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
            most = len({*self.values})
            yield self.meter(label, len(present.intersection(self.values)), most, most)


@dataclass(frozen=True)
class AllShare(GroupRule):
    """All cards of the group must have the same value of a fact, such as a faction. ``also``: further values
    that suit such a deck; judging ignores them, the editor lists cards with them among the cards to add.
    """

    fact: str = ""
    also: tuple[str, ...] = ()

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        picked = self.of.pick(deck)
        by_value, unknown = _by_value(self.fact, picked)
        yield from self.unknown(self.fact, unknown)
        if len(by_value) > 1:
            # The commonest value stays, of equally common ones the first; cards with any other come out.
            commonest = max(by_value, key=lambda value: count_of(by_value[value]))
            minorities = [entries for value, entries in by_value.items() if value != commonest]
            yield self.illegal(
                "mixed",
                picked,
                what=f"{self.of.what}: {self.fact}",
                found=tuple(map(as_words, by_value)),
                wanted=1,
                excess=whole(entry for entries in minorities for entry in entries),
                lacks=(self.of.lack(facts={self.fact: commonest}),),
            )


@dataclass(frozen=True)
class TotalAtMost(GroupRule):
    """The sum of a number fact over the group must be at most ``limit``."""

    fact: str = ""
    limit: int = 0
    numbers = {"limit": "{fact} of the {what} together, at most"}

    def total(self, picked: Iterable[Entry]) -> int:
        """Return the sum over these entries, counting copies; an unknown number counts as 0."""
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
            unknown = (entry for entry in picked if entry.card.number(self.fact) is None)
            # A source may state it as a formula, such as a cost of X.
            yield from self.unknown(f"{self.fact} as a number", unknown)


@dataclass(frozen=True)
class Without(GroupRule):
    """No card of the group may have this value of a fact, or this word among its words."""

    fact: str = ""
    value: FactValue = True

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        wrong = [
            entry
            for entry in self.of.pick(deck)
            if entry.card.fact(self.fact) == self.value or self.value in entry.card.words(self.fact)
        ]
        what = self.fact if self.value is True else f"{self.fact} {as_words(self.value)}"
        yield from self.barred("not-allowed", wrong, what=what, found=count_of(wrong), wanted=0)


@dataclass(frozen=True)
class NoneOf(GroupRule):
    """No card of the group may be in the deck. ``problem``: key of the sentence."""

    problem: str = "not-allowed"

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        picked = self.of.pick(deck)
        yield from self.barred(self.problem, picked, found=count_of(picked), wanted=0)


@dataclass(frozen=True)
class Every(GroupRule):
    """Every card of the group must pass a test. The test gets the card and the whole deck, and returns True,
    False, or None for unknown. ``problem``: key of the sentence, which the game declares (``[sentences]``).
    """

    test: Callable[[Card, Decklist], bool | None] = lambda card, deck: True
    problem: str = "not-allowed"

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        judged = [(entry, self.test(entry.card, deck)) for entry in self.of.pick(deck)]
        wrong = [entry for entry, passed in judged if passed is False]
        yield from self.barred(self.problem, wrong, found=count_of(wrong))
        yield from self.unknown(self.of.what, (entry for entry, passed in judged if passed is None))


# -- rules that exclude each other ------------------------------------------------


def clashes(format: Format) -> Iterator[str]:
    """Yield a sentence for each two rules of which a deck can only keep one, because the first allows fewer
    cards than the second asks for: 3 leaders, and leaders of 4 levels; or at most 40 cards, and at least 50
    agents and gear.
    """
    nothing = Decklist(())
    meters = [(rule, meter) for rule in format.rules for meter in rule.meters(nothing)]
    for (fewer, few), (more, many) in permutations(meters, 2):
        if few.most is not None and few.most < (many.least or 0) and _counts_all_of(fewer, more):
            first, second = (f"{bounds_words(meter)} {meter.label}" for meter in (few, many))
            yield (
                f"No deck can be legal: {few.code} asks for {first} and {many.code}"
                f" for {second}. Change one of the numbers, or leave out one of the two rules."
            )


def _counts_all_of(rule: Rule, other: Rule) -> bool:
    """True if the rule counts all cards that the other one does: both count one group, or it counts all."""
    if not isinstance(rule, Size):
        return False
    of = _conditions(rule.of)
    is_same = isinstance(other, Size | OneOfEach) and of == _conditions(other.of)
    return is_same or of == _conditions(EVERYTHING)


def _conditions(group: Group) -> tuple[object, ...]:
    """Return what decides which cards are in the group. Two groups with other words for the same cards have
    the same conditions: "leaders" and "leaders of your team".
    """
    return group.sections, group.types, group.where


# -- judging a deck by all rules of a format ----------------------------------------

# Code of the violation by cards that are not in the catalogue; it is no rule's and has no citation.
UNKNOWN_CARD = "unknown-card"


def judge(deck: Decklist, format: Format, unread: int = 0) -> Report:
    """Return a report with every violation of the format's rules, in their order. ``unread``: number of lines
    of the list that could not be read.

    A card of which only the name is known may be any card. So rules judge the deck without such cards,
    violations that these could cure are left out, and a deck with any of them is never legal: with 2 leaders
    and 2 cards that nobody knows, "2 leaders, 2 too few" is not said.
    """
    # A card of which only the name is known has no type.
    unknown = tuple(entry for entry in deck.of_type("") if entry.card.unknown)
    if not unknown:
        return Report(tuple(violation for rule in format.rules for violation in rule.judge(deck)), unread)
    spare = count_of(unknown)
    known = replace(deck, entries=tuple(entry for entry in deck.entries if not entry.card.unknown))
    found = [
        Violation(
            code=UNKNOWN_CARD,
            problem="no-such-card",
            severity=Severity.UNKNOWN,
            cards=names_of(unknown),
            found=spare,
        )
    ]
    for rule in format.rules:
        for violation in rule.judge(known):
            is_curable = violation.severity is Severity.INCOMPLETE and _cards_lacking(violation) <= spare
            if not is_curable:
                found.append(violation)
    return Report(tuple(found), unread)


def _cards_lacking(violation: Violation) -> int:
    """Return the least number of cards that would cure an incomplete deck's violation.

    found    wanted      returns
    2        4           2, the difference of two numbers
    None     ("1", "3")  2, one for each value, here levels that no leader has
    None     None        1, if the violation gives neither
    """
    found, wanted = violation.found, violation.wanted
    if isinstance(wanted, tuple):
        return len(wanted)
    return max(wanted - found, 1) if isinstance(wanted, int) and isinstance(found, int) else 1
