"""Rules as small objects, listed by a game in its rulebook's order, and the judging of a deck by them.

A rule never touches a database, never raises for a bad deck and never makes sentences
about one: it yields ``Violation`` values. Its own sentence is its citation's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from cardsdb.games.kit.model.cards import Card, FactValue, as_words
from cardsdb.games.kit.model.decklist import Decklist, Entry, count_of
from cardsdb.games.kit.model.format import EVERYTHING, Format, Group, Rule, last_of, names_of, whole
from cardsdb.games.kit.model.report import Meter, Report, Severity, Violation


@dataclass(frozen=True)
class Size(Rule):
    """How many cards there must be. Too few is incomplete, too many is illegal."""

    at_least: int | None = None
    at_most: int | None = None
    exactly: int | None = None
    of: Group = EVERYTHING
    cites: str = ""
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
        count = count_of(picked)
        low, high = self._bounds
        wrong = "not-exactly" if self.exactly is not None else None
        if low is not None and count < low:
            doubtful = self.perhaps.pick(deck) if self.perhaps else ()
            if count + count_of(doubtful) >= low:
                names = names_of(doubtful)
                yield self.broken(
                    "perhaps-enough",
                    Severity.UNKNOWN,
                    what=self.of.what,
                    cards=names,
                    found=count,
                    wanted=low,
                )
            else:
                lacks = (self.of.lack(low - count),)
                yield self.broken(
                    wrong or "too-few",
                    Severity.INCOMPLETE,
                    what=self.of.what,
                    found=count,
                    wanted=low,
                    lacks=lacks,
                )
        elif high is not None and count > high:
            yield self.broken(
                wrong or "too-many",
                Severity.ILLEGAL,
                what=self.of.what,
                cards=names_of(picked),
                found=count,
                wanted=high,
                excess=tuple(last_of(picked, count - high)),
            )


@dataclass(frozen=True)
class OnlyTypes(Rule):
    """Only cards of these types may be in the group."""

    types: tuple[str, ...] = ()
    of: Group = EVERYTHING
    cites: str = ""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        wrong = [entry for entry in self.of.pick(deck) if entry.card.type not in self.types]
        if wrong:
            yield self.broken(
                "wrong-type",
                Severity.ILLEGAL,
                what=self.of.what,
                cards=names_of(wrong),
                found=tuple(dict.fromkeys(entry.card.type for entry in wrong)),
                wanted=self.types,
                excess=whole(wrong),
            )


@dataclass(frozen=True)
class CopyLimit(Rule):
    """At most ``limit`` copies of a card. Copies count together by what ``by`` returns: the card's name by
    default.

    A card's fact ``override`` lifts the limit for itself.
    """

    limit: int = 1
    of: Group = EVERYTHING
    by: Callable[[Card], str] = lambda card: card.name
    override: str = ""
    severity: Severity = Severity.ILLEGAL
    cites: str = ""
    numbers = {"limit": "copies of each of the {what}, at most"}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        picked = self.of.pick(deck)
        totals: dict[str, int] = {}
        for entry in picked:
            name = self.by(entry.card)
            totals[name] = totals.get(name, 0) + entry.count
        # Most decks keep the limit: the entries of each name are gathered only if one does not.
        over = {name for name, count in totals.items() if count > self.limit}
        if not over:
            return
        gathered: dict[str, list[Entry]] = defaultdict(list)
        for entry in picked:
            if (name := self.by(entry.card)) in over:
                gathered[name].append(entry)
        for name, entries in gathered.items():
            count = totals[name]
            limit = max(
                (entry.card.number(self.override) or self.limit for entry in entries), default=self.limit
            )
            if count > limit:
                yield self.broken(
                    "too-many-copies",
                    self.severity,
                    what=self.of.what,
                    cards=names_of(entries),
                    found=count,
                    wanted=limit,
                    excess=tuple(last_of(entries, count - limit)),
                )


@dataclass(frozen=True)
class OneOfEach(Rule):
    """No two cards of the group may have the same value of a fact; ``values`` must all occur."""

    fact: str = ""
    values: tuple[FactValue, ...] = ()
    of: Group = EVERYTHING
    cites: str = ""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        by_value: dict[FactValue, list[Entry]] = defaultdict(list)
        unknown = []
        for entry in self.of.pick(deck):
            value = entry.card.fact(self.fact)
            if value is None:
                unknown.append(entry)
            else:
                by_value[value].append(entry)
        if unknown:
            yield self.broken("fact-unknown", Severity.UNKNOWN, what=self.fact, cards=names_of(unknown))
        for value, entries in by_value.items():
            if (count := count_of(entries)) > 1:
                yield self.broken(
                    "same-value",
                    Severity.ILLEGAL,
                    what=f"{self.of.what} of {self.fact} {as_words(value)}",
                    cards=names_of(entries),
                    found=count,
                    wanted=1,
                    excess=tuple(last_of(entries, count - 1)),
                )
        missing = tuple(value for value in self.values if value not in by_value)
        if missing and not unknown:
            lacks = tuple(self.of.lack(facts={self.fact: value}) for value in missing)
            wanted = tuple(as_words(value) for value in missing)
            yield self.broken(
                "missing-values",
                Severity.INCOMPLETE,
                what=f"{self.of.what} of {self.fact}",
                wanted=wanted,
                lacks=lacks,
            )

    def meters(self, deck: Decklist) -> Iterator[Meter]:
        if self.values:
            present = {entry.card.fact(self.fact) for entry in self.of.pick(deck)}
            label = f"{self.fact.replace('_', ' ')}s among the {self.of.what}"
            yield self.meter(
                label, len(present.intersection(self.values)), len(self.values), len(self.values)
            )


@dataclass(frozen=True)
class AllShare(Rule):
    """All cards of the group have the same value of a fact. ``also``: values that go with each, which other
    cards may have.
    """

    fact: str = ""
    of: Group = EVERYTHING
    cites: str = ""
    also: tuple[str, ...] = ()

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        picked = self.of.pick(deck)
        unknown = [entry for entry in picked if entry.card.fact(self.fact) is None]
        if unknown:
            yield self.broken("fact-unknown", Severity.UNKNOWN, what=self.fact, cards=names_of(unknown))
        by_value: dict[FactValue, list[Entry]] = defaultdict(list)
        for entry in picked:
            if (value := entry.card.fact(self.fact)) is not None:
                by_value[value].append(entry)
        if len(by_value) > 1:
            fewest = sorted(by_value.values(), key=count_of)[:-1]
            commonest = max(by_value, key=lambda value: count_of(by_value[value]))
            yield self.broken(
                "mixed",
                Severity.ILLEGAL,
                what=f"{self.of.what}: {self.fact}",
                cards=names_of(picked),
                found=tuple(as_words(value) for value in by_value),
                wanted=1,
                excess=tuple((entry, entry.count) for entries in fewest for entry in entries),
                lacks=(self.of.lack(facts={self.fact: commonest}),),
            )


@dataclass(frozen=True)
class TotalAtMost(Rule):
    """The sum of a number fact over the group is at most ``limit``."""

    fact: str = ""
    limit: int = 0
    of: Group = EVERYTHING
    cites: str = ""
    numbers = {"limit": "{fact} of the {what} together, at most"}

    def total(self, picked: Iterable[Entry]) -> int:
        """The sum over these entries, copies counted; an unknown number is 0."""
        return sum((entry.card.number(self.fact) or 0) * entry.count for entry in picked)

    def meters(self, deck: Decklist) -> Iterator[Meter]:
        yield self.meter(
            f"{self.fact} of the {self.of.what}", self.total(self.of.pick(deck)), most=self.limit
        )

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        picked = self.of.pick(deck)
        unknown = [entry for entry in picked if entry.card.number(self.fact) is None]
        total = self.total(picked)
        if total > self.limit:
            yield self.broken(
                "total-too-high",
                Severity.ILLEGAL,
                what=f"{self.fact} of {self.of.what}",
                cards=names_of(picked),
                found=total,
                wanted=self.limit,
                lacks=(self.of.lack(less=self.fact),),
            )
        elif unknown:
            yield self.broken("fact-unknown", Severity.UNKNOWN, what=self.fact, cards=names_of(unknown))


@dataclass(frozen=True)
class Without(Rule):
    """No card of the group may have this value of a fact (or this word among its words)."""

    fact: str = ""
    value: FactValue = True
    of: Group = EVERYTHING
    cites: str = ""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        wrong = [
            e
            for e in self.of.pick(deck)
            if e.card.fact(self.fact) == self.value or self.value in e.card.words(self.fact)
        ]
        if wrong:
            yield self.broken(
                "not-allowed",
                Severity.ILLEGAL,
                what=self.fact if self.value is True else f"{self.fact} {as_words(self.value)}",
                cards=names_of(wrong),
                found=count_of(wrong),
                wanted=0,
                excess=whole(wrong),
            )


@dataclass(frozen=True)
class Every(Rule):
    """Every card of the group passes a test: True passes, False fails, None is unknown.

    The test sees the card and the whole deck. ``problem`` picks the sentence, which a game gives in
    ``words``.
    """

    test: Callable[[Card, Decklist], bool | None] = lambda card, deck: True
    problem: str = "not-allowed"
    of: Group = EVERYTHING
    severity: Severity = Severity.ILLEGAL
    cites: str = ""
    removable: bool = field(default=True)

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        wrong, unknown = [], []
        for entry in self.of.pick(deck):
            passed = self.test(entry.card, deck)
            if passed is None:
                unknown.append(entry)
            elif not passed:
                wrong.append(entry)
        if wrong:
            removable = self.removable and self.severity is Severity.ILLEGAL
            excess = whole(wrong) if removable else ()
            yield self.broken(
                self.problem,
                self.severity,
                what=self.of.what,
                cards=names_of(wrong),
                found=count_of(wrong),
                excess=excess,
            )
        if unknown:
            yield self.broken("fact-unknown", Severity.UNKNOWN, what=self.of.what, cards=names_of(unknown))


# -- judging a deck by all rules of a format ----------------------------------------

UNKNOWN_CARD = "unknown-card"


def judge(deck: Decklist, format: Format, unread: int = 0) -> Report:
    """Every violation of the format's rules, in their order; ``unread`` is how many lines of the list could
    not be read.

    A card of which only the name is known may be any card. So the rules see the deck without such cards;
    violations that such cards might cure are left out; and a deck that has any is never called legal.
    """
    known, unknown = _known_part(deck)
    violations = [violation for rule in format.rules for violation in rule.judge(known)]
    return Report((*unknown, *_not_cured_by(unknown, violations)) if unknown else tuple(violations), unread)


def judge_if_legal(deck: Decklist, format: Format) -> Report | None:
    """The verdict on a deck of which every line was read, if it is legal. Any other deck is judged no further
    than its first fault.
    """
    if any(entry.card.unknown for entry in deck.of_type("")):
        return None
    notes = []
    for rule in format.rules:
        for violation in rule.judge(deck):
            if violation.severity is not Severity.NOTE:
                return None
            notes.append(violation)
    return Report(tuple(notes))


def _known_part(deck: Decklist) -> tuple[Decklist, tuple[Violation, ...]]:
    """The deck without its unknown cards, and the violation that names them, if there are any."""
    unknown = tuple(entry for entry in deck.of_type("") if entry.card.unknown)
    if not unknown:
        return deck, ()
    known = replace(deck, entries=tuple(entry for entry in deck.entries if not entry.card.unknown))
    return known, (
        Violation(
            UNKNOWN_CARD, "no-such-card", Severity.UNKNOWN, cards=names_of(unknown), found=count_of(unknown)
        ),
    )


def _not_cured_by(unknown: tuple[Violation, ...], violations: Iterable[Violation]) -> Iterator[Violation]:
    """The violations that the unknown cards cannot cure, whatever they are."""
    spare = sum(violation.found for violation in unknown if isinstance(violation.found, int))
    for violation in violations:
        if violation.severity is not Severity.INCOMPLETE or _wanting(violation) > spare:
            yield violation


def _wanting(violation: Violation) -> int:
    """How many cards at least would cure the violation."""
    if isinstance(violation.wanted, tuple):
        return len(violation.wanted)
    if isinstance(violation.wanted, int) and isinstance(violation.found, int):
        return max(violation.wanted - violation.found, 1)
    return 1
