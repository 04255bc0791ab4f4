"""Ways to build a deck: what every rule is, a format with its rules in order, ready decks, and decks whose
verdict is known. A verdict as a value, and the sentences for its violations: the only place where a verdict
becomes English.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partialmethod
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

from cardsdb.games.kit.model.cards import Card, FactValue
from cardsdb.games.kit.model.decklist import Decklist, Detail, Entry
from cardsdb.games.kit.model.rulebook import Citation, Document
from cardsdb.games.kit.model.text import listed, singular, table_beside

Verdict = Literal["legal", "undecided", "incomplete", "illegal"]
Problem: TypeAlias = str
Amount = int | str | tuple[str, ...] | None


class Severity(IntEnum):
    """The gravity of a violation: what the player must do about it.

    ILLEGAL: something must come out or change. INCOMPLETE: adding cards cures it. UNKNOWN:
    no source states what the rule needs, and we do not guess. NOTE: nothing; good to know.
    """

    NOTE = 0
    UNKNOWN = 1
    INCOMPLETE = 2
    ILLEGAL = 3

    @property
    def slug(self) -> str:
        return self.name.lower()


_VERDICTS: dict[Severity, Verdict] = {
    Severity.NOTE: "legal",
    Severity.UNKNOWN: "undecided",
    Severity.INCOMPLETE: "incomplete",
    Severity.ILLEGAL: "illegal",
}


@dataclass(frozen=True)
class Lack:
    """Cards that would cure a violation, were they in the deck.

    ``count`` of them, of one of these types (of any, if none is named), with these values of
    facts, called ``name`` if that matters, in the first of ``sections`` that takes them (where
    their type belongs, if none is named). ``less`` names a number fact of which a card put in
    for another must have less than that one.
    """

    count: int = 1
    types: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    facts: Mapping[str, FactValue] = field(default_factory=dict)
    name: str = ""
    less: str = ""

    def fits(self, card: Card) -> bool:
        """True if this card is one of those that are lacking."""
        if (self.types and card.type not in self.types) or (self.name and card.name != self.name):
            return False
        if self.less and card.number(self.less) is None:
            return False
        return all(card.fact(key) == value for key, value in self.facts.items())


class Meter(NamedTuple):
    """The progress of a deck by one number of a rule: ``found`` cards, say, of at least ``least`` and at
    most ``most``.
    """

    label: str
    found: int
    least: int | None
    most: int | None
    code: str

    @property
    def within_bounds(self) -> bool:
        """True if the deck has at least ``least`` and at most ``most``."""
        return (self.least is None or self.found >= self.least) and (
            self.most is None or self.found <= self.most
        )


@dataclass(frozen=True)
class Violation:
    """One rule, broken in one way.

    ``code`` is the rule's (``AG-4``) and its citation's. ``problem``
    says how (``too-few``, ``too-many-copies``) and picks the sentence. ``what`` names the cards
    counted ("leaders"). ``cards`` are names. ``excess`` is what could come out to cure it, and
    ``lacks`` what could be put in: of an illegal deck in the place of one of ``cards``.
    """

    code: str
    problem: Problem
    severity: Severity
    what: str = "cards"
    cards: tuple[str, ...] = ()
    found: Amount = None
    wanted: Amount = None
    excess: tuple[tuple[Entry, int], ...] = ()
    lacks: tuple[Lack, ...] = ()


@dataclass(frozen=True)
class Report:
    """All violations, in the rulebook's order. ``unread`` is how many lines could not be read."""

    violations: tuple[Violation, ...] = ()
    unread: int = 0

    @property
    def verdict(self) -> Verdict:
        worst = max((violation.severity for violation in self.violations), default=Severity.NOTE)
        if self.unread:
            # An unread line may be any card, so a deck with one is never called legal.
            worst = max(worst, Severity.UNKNOWN)
        return _VERDICTS[worst]

    def codes(self, above: Severity = Severity.NOTE) -> tuple[str, ...]:
        """The rules broken more gravely than ``above``, each once, in order."""
        return tuple(dict.fromkeys(v.code for v in self.violations if v.severity > above))


SENTENCES: Mapping[str, str] = table_beside(__file__, "sentences")

VERDICTS: dict[Verdict, str] = {
    "legal": "Legal",
    "undecided": "Undecided",
    "incomplete": "Incomplete",
    "illegal": "Not legal",
}


def message(violation: Violation, sentences: Mapping[str, str] = {}) -> str:
    """The violation as a sentence; ``sentences`` are the game's own, looked at first."""
    template = sentences.get(violation.problem) or SENTENCES[violation.problem]
    what = violation.what.replace("_", " ")
    sentence = template.format(
        what=singular(what) if violation.found == 1 and template.startswith("{found} {what}") else what,
        cards=listed(violation.cards),
        found=amount(violation.found),
        wanted=amount(violation.wanted),
    )
    return sentence[:1].upper() + sentence[1:]


def meter_words(meter: Meter) -> str:
    """``46 of at least 50``."""
    if meter.least is None and meter.most is None:
        return str(meter.found)
    if meter.least == meter.most:
        return f"{meter.found} of {meter.most}"
    least = f"at least {meter.least}" if meter.least is not None else ""
    most = f"at most {meter.most}" if meter.most is not None else ""
    return f"{meter.found} of {' and '.join(filter(None, (least, most)))}"


def amount(value: Amount) -> str:
    return listed(value) if isinstance(value, tuple) else str(value)


# -- rules and formats -------------------------------------------------------------------


@dataclass(frozen=True)
class Group:
    """The entries that a rule looks at: those of the sections and types named, all if none is.

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

    def holds(self, card: Card) -> bool:
        """True for a card that may be one of the group, in the right section."""
        return (not self.types or card.type in self.types) and (self.where is None or self.where(card))

    def lack(self, count: int = 1, **wanted: Any) -> Lack:
        """``count`` more cards of this group are wanted."""
        return Lack(count, self.types, self.sections, **wanted)


EVERYTHING = Group()


@dataclass(frozen=True)
class Rule:
    """Base of all rules: ``code`` names it and its citation.

    The sentences for problems that only a game's own rules report are the game's (``Game.sentences``).
    ``numbers`` gives the words for the rule's whole numbers, by which a house rule calls the one that it
    changes (``rules/house_rules.py``); they may use {what} and the rule's fields.
    """

    code: str
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

    def _broken_so(
        self, severity: Severity, problem: str, entries: Iterable[Entry] = (), **values: Any
    ) -> Violation:
        return self.broken(problem, severity, entries, **values)

    illegal = partialmethod(_broken_so, Severity.ILLEGAL)
    incomplete = partialmethod(_broken_so, Severity.INCOMPLETE)
    note = partialmethod(_broken_so, Severity.NOTE)

    def _by_cards(
        self, severity: Severity, problem: str, entries: Iterable[Entry], **values: Any
    ) -> Iterator[Violation]:
        """Yield a violation by these cards, if there are any; those that are illegal can be taken out."""
        if listed := tuple(entries):
            excess = whole(listed) if severity is Severity.ILLEGAL else ()
            yield self.broken(problem, severity, listed, excess=excess, **values)

    barred = partialmethod(_by_cards, Severity.ILLEGAL)
    doubted = partialmethod(_by_cards, Severity.UNKNOWN)
    noted = partialmethod(_by_cards, Severity.NOTE)


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
        yield from self.doubted("fact-unknown", entries, what=what)


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


@dataclass(frozen=True)
class League:
    """The origin of a format made on the site: its link, its name there, and where its rules are cited from.

    Without a ``document`` it is lost: a deck names this link, and the visitor has no such format. The format
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
        """The words that a reader must see with a format that no publisher made; empty where there are none,
        or its name says it.
        """
        if self.official or (self.league and not self.league.is_lost):
            return ""
        return self.basis or ("" if "fan format" in self.name else "fan format")


@dataclass(frozen=True)
class Starter:
    """A ready deck, kept as the text a person would paste. ``about``: what else is to be known of it."""

    slug: str
    name: str
    format: str
    text: str
    source: str = ""
    note: str = ""
    about: str = ""


@dataclass(frozen=True)
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
