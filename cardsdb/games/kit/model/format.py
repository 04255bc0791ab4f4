"""Ways to build a deck: what every rule is, a format with its rules in order, ready decks, and decks whose
verdict is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import Decklist, Detail, Entry
from cardsdb.games.kit.model.report import Lack, Meter, Severity, Verdict, Violation
from cardsdb.games.kit.model.rulebook import Citation, Document


@dataclass(frozen=True, slots=True)
class Group:
    """Which entries a rule looks at: those of the sections and types named, all if none is.

    ``what`` is the plural by which sentences call them.
    """

    what: str = "cards"
    sections: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    where: Callable[[Card], bool] | None = None

    def pick(self, deck: Decklist) -> tuple[Entry, ...]:
        types, where = self.types, self.where
        if self.sections:
            entries = deck.in_section(*self.sections)
            entries = tuple([entry for entry in entries if entry.card.type in types]) if types else entries
        else:
            entries = deck.of_type(*types) if types else deck.entries
        return tuple([entry for entry in entries if where(entry.card)]) if where else entries

    def lack(self, count: int = 1, **wanted: Any) -> Lack:
        """``count`` more cards of this group are wanted."""
        return Lack(count, self.types, self.sections, **wanted)


EVERYTHING = Group()


@dataclass(frozen=True)
class Rule:
    """Base of all rules: ``code`` names it and its citation.

    ``words`` gives the sentence for each problem that only this rule reports; the common
    ones are in ``report.py``. A sentence may use {what}, {cards}, {found} and {wanted}.
    ``numbers`` gives the words for the rule's whole numbers, by which a house rule calls the one that it
    changes (``rules/house_rules.py``); they may use {what} and the rule's fields.
    """

    code: str
    words: ClassVar[Mapping[str, str]] = {}
    numbers: ClassVar[Mapping[str, str]] = {}

    def judge(self, deck: Decklist) -> Iterable[Violation]:
        raise TypeError(f"{type(self).__name__} must say how it judges")

    def meters(self, deck: Decklist) -> Iterable[Meter]:
        """The numbers that are worth watching while a deck is built; most rules have none."""
        return ()

    def meter(self, label: str, found: int, least: int | None = None, most: int | None = None) -> Meter:
        """A number of this rule as a meter."""
        return Meter(label, found, least, most, self.code)

    def broken(
        self, problem: str, severity: Severity, entries: Iterable[Entry] = (), **values: Any
    ) -> Violation:
        """A violation of this rule by the cards of these entries, if they are what it names."""
        return Violation(self.code, problem, severity, **{"cards": names_of(entries), **values})


@dataclass(frozen=True)
class GroupRule(Rule):
    """Base of the rules that look at a group of cards, by whose name they call what they count."""

    of: Group = field(default=EVERYTHING, kw_only=True)

    def broken(
        self, problem: str, severity: Severity, entries: Iterable[Entry] = (), **values: Any
    ) -> Violation:
        return super().broken(problem, severity, entries, **{"what": self.of.what, **values})

    def unknown(self, what: str, entries: Iterable[Entry]) -> Iterator[Violation]:
        """Yield that no source states this of these cards, if there are any."""
        if names := names_of(entries):
            yield self.broken("fact-unknown", Severity.UNKNOWN, what=what, cards=names)


def names_of(entries: Iterable[Entry]) -> tuple[str, ...]:
    """The names of the cards, each once."""
    return tuple(dict.fromkeys([entry.card.name for entry in entries]))


def whole(entries: Iterable[Entry]) -> tuple[tuple[Entry, int], ...]:
    """The entries with all their copies, as the ``excess`` of a violation."""
    return tuple((entry, entry.count) for entry in entries)


def last_of(entries: Iterable[Entry], surplus: int) -> Iterator[tuple[Entry, int]]:
    """The entries, with copies, that make up the surplus, taken from the end of the list: what was added last
    goes first.
    """
    for entry in reversed(tuple(entries)):
        if surplus <= 0:
            return
        taken = min(entry.count, surplus)
        surplus -= taken
        yield entry, taken


@dataclass(frozen=True, slots=True)
class League:
    """Who made a format on the site: its link, what they call it, and where its rules are cited from.

    Without a ``document`` it is lost: a deck names this link, and whoever asks has no such format. The format
    is then the one it builds on.
    """

    link: str
    name: str = ""
    document: Document | None = None
    citations: Mapping[str, Citation] = field(default_factory=dict)

    @property
    def is_lost(self) -> bool:
        return self.document is None


@dataclass(frozen=True)
class Format:
    """A way to build a deck: its sections, the details a list must state, and its rules in order.

    ``basis`` is what a format that is not official rests on, where that is more than the fans who play it.
    ``declared_in`` is the file that declares it as data; none where a game declares it in its code.
    ``league``: who made it, where that is no game; it has the slug of the format that it builds on.
    """

    slug: str
    name: str
    rules: tuple[Rule, ...]
    sections: tuple[str, ...]
    help: str = ""
    details: tuple[Detail, ...] = ()
    official: bool = True
    declared_in: Path | None = None
    basis: str = ""
    league: League | None = field(default=None, compare=False)

    @property
    def standing(self) -> str:
        """What a reader must know of a format that no publisher made; empty where there is nothing, or its
        name says it.
        """
        if self.official or (self.league and not self.league.is_lost):
            return ""
        return self.basis or ("" if "fan format" in self.name else "fan format")

    @cached_property
    def sentences(self) -> dict[str, str]:
        """Problem -> sentence, for the problems that only its rules report."""
        return {problem: text for rule in self.rules for problem, text in rule.words.items()}


@dataclass(frozen=True, slots=True)
class Starter:
    """A ready deck, kept as the text a person would paste."""

    slug: str
    name: str
    format: str
    text: str
    source: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A deck and the verdict it must get: specification and test at once.

    ``codes`` are the rules broken more gravely than a note, ``notes`` those that only note
    something (None: not looked at).
    """

    name: str
    format: str
    text: str
    verdict: Verdict
    codes: tuple[str, ...] = ()
    notes: tuple[str, ...] | None = None
