"""Formats and their rules, verdicts as values, starters and examples.

A ``Format`` lists ``Rule`` objects; judging (``rules/construction.py``) collects their ``Violation`` values
in a ``Report``, whose ``verdict`` follows from the gravest. Rules do not write sentences: ``message`` here
is the only place where a violation becomes one, from ``sentences.toml`` or the game's own sentences.

A new rule derives from ``Rule`` or ``GroupRule``; the rules of ``rules/construction.py`` are examples.
Tests: ``tests/cardsdb/games/kit/rules`` (rules with these values; ``message`` in ``test_construction.py`` and
``test_card_lists.py``).
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
# Key of the sentence that says what is wrong: ``too-few``.
Problem: TypeAlias = str
# What a rule found or wanted: a number, a word, several words, or nothing to say.
Amount = int | str | tuple[str, ...] | None


class Severity(IntEnum):
    """The gravity of a violation: what the player must do about it.

    ILLEGAL: take out or change something. INCOMPLETE: add cards. UNKNOWN: undecided, because no source states
    what the rule needs and we do not guess. NOTE: nothing; good to know.
    """

    NOTE = 0
    UNKNOWN = 1
    INCOMPLETE = 2
    ILLEGAL = 3

    @property
    def slug(self) -> str:
        return self.name.lower()


# The gravest violation of a deck -> its verdict.
_VERDICTS: dict[Severity, Verdict] = {
    Severity.NOTE: "legal",
    Severity.UNKNOWN: "undecided",
    Severity.INCOMPLETE: "incomplete",
    Severity.ILLEGAL: "illegal",
}


@dataclass(frozen=True)
class Lack:
    """A description of cards that would cure a violation if they were added to the deck.

    ``count`` cards of one of these types (empty: any type), with these values of facts, with this name
    (empty: any name), in the first of ``sections`` that takes them (empty: where their type belongs).
    ``less``: key of a number fact; a card that replaces another must have a lower number than that one.
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
    """The progress of a deck by one number of a rule: ``found`` cards of at least ``least`` and at most
    ``most``; None means no bound. ``code`` is the rule's.
    """

    label: str
    found: int
    least: int | None
    most: int | None
    code: str

    @property
    def within_bounds(self) -> bool:
        is_enough = self.least is None or self.found >= self.least
        is_too_much = self.most is not None and self.found > self.most
        return is_enough and not is_too_much


@dataclass(frozen=True)
class Violation:
    """One rule, broken in one way.

    ``code``: code of the rule and of its citation (``AG-4``). ``problem``: key of the sentence (``too-few``,
    ``too-many-copies``). ``what``: plural of the cards counted ("leaders"). ``cards``: names of the cards
    concerned. ``excess``: (entry, copies) that would cure the violation if taken out; empty if fewer changes
    may cure it too, because a repair expects at least as many. ``lacks``: cards that would cure it if added;
    in an illegal deck, in place of one of ``cards``.

    An Agency Deck with 4 copies of Kai, who may be in it 3 times::

        code="AG-4"  problem="too-many-copies"  severity=ILLEGAL  what="cards"  cards=("Kai",)
        found=4  wanted=3  excess=((the entry 4 Kai, 1),)  lacks=()
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
    """All violations of a deck, in the order of the format's rules. ``unread``: number of lines of the list
    that could not be read.
    """

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
        """Return the codes of the rules broken more gravely than ``above``, each once, in order."""
        return tuple(dict.fromkeys(v.code for v in self.violations if v.severity > above))


SENTENCES: Mapping[str, str] = table_beside(__file__, "sentences")

VERDICTS: dict[Verdict, str] = {
    "legal": "Legal",
    "undecided": "Undecided",
    "incomplete": "Incomplete",
    "illegal": "Not legal",
}


def message(violation: Violation, sentences: Mapping[str, str] = {}) -> str:
    """Return the violation as a sentence. ``sentences``: the game's own by problem, preferred to ours.

    The violation above and "{found} copies of {cards}; {wanted} at most." -> "4 copies of Kai; 3 at most."
    """
    template = sentences.get(violation.problem) or SENTENCES[violation.problem]
    what = violation.what.replace("_", " ")
    # "1 leader, 3 too few; it must be exactly 4.", not "1 leaders".
    if violation.found == 1 and template.startswith("{found} {what}"):
        what = singular(what)
    sentence = template.format(
        what=what,
        cards=listed(violation.cards),
        found=amount(violation.found),
        wanted=amount(violation.wanted),
        apart=_apart(violation.found, violation.wanted),
    )
    return sentence[:1].upper() + sentence[1:]


def meter_words(meter: Meter) -> str:
    """Return the number of a meter with its bounds: ``46 of at least 50``."""
    bounds = bounds_words(meter)
    return f"{meter.found} of {bounds}" if bounds else str(meter.found)


def bounds_words(meter: Meter) -> str:
    """Return the bounds of a meter: ``4``, ``at least 50``; empty if it has none."""
    if meter.least is not None and meter.least == meter.most:
        return str(meter.most)
    bounds = (("at least", meter.least), ("at most", meter.most))
    return " and ".join(f"{word} {bound}" for word, bound in bounds if bound is not None)


def amount(value: Amount) -> str:
    return listed(value) if isinstance(value, tuple) else str(value)


def _apart(found: Amount, wanted: Amount) -> str:
    """Return the difference of two numbers: ``2 too many``, ``1 too few``; empty if one is no number."""
    if not isinstance(found, int) or not isinstance(wanted, int):
        return ""
    return f"{abs(found - wanted)} too {'many' if found > wanted else 'few'}"


# -- rules and formats -------------------------------------------------------------------


@dataclass(frozen=True)
class Group:
    """The entries that a rule looks at: those in these sections, of these types, whose card satisfies
    ``where``. An empty condition allows every entry.

    ``what`` is the plural that sentences use for them: "leaders".
    """

    what: str = "cards"
    sections: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    where: Callable[[Card], bool] | None = None

    def pick(self, deck: Decklist) -> tuple[Entry, ...]:
        """Return the entries of the deck that belong to the group, in the author's order."""
        types, where = self.types, self.where
        if self.sections:
            entries = deck.in_section(*self.sections)
            entries = tuple([entry for entry in entries if entry.card.type in types]) if types else entries
        else:
            entries = deck.of_type(*types) if types else deck.entries
        return tuple([entry for entry in entries if where(entry.card)]) if where else entries

    def holds(self, card: Card) -> bool:
        """True for a card that belongs to the group if it is put in the right section."""
        return (not self.types or card.type in self.types) and (self.where is None or self.where(card))

    def lack(self, count: int = 1, **wanted: Any) -> Lack:
        """Return the lack of ``count`` more cards of this group. ``wanted``: further fields of ``Lack``."""
        return Lack(count, self.types, self.sections, **wanted)


EVERYTHING = Group()


@dataclass(frozen=True)
class Rule:
    """Base of all rules. A subclass defines ``judge``, and may define ``meters``.

    ``code`` names the rule and its citation. ``numbers``: field with a whole number -> words for it, with
    which house rules name the number that they change (``rules/house_rules.py``); the words may use {what}
    and the rule's fields. A game that reports problems of its own declares sentences for them
    (``Game.sentences``).

    The helpers ``illegal``, ``incomplete`` and ``note`` return one violation; ``barred``, ``doubted`` and
    ``noted`` yield one if they are given any entries.
    """

    code: str
    numbers: ClassVar[Mapping[str, str]] = {}

    def judge(self, deck: Decklist) -> Iterable[Violation]:
        """Yield a violation for each way in which the deck breaks this rule. Must not raise for any deck."""
        raise TypeError(f"{type(self).__name__} must say how it judges")

    def meters(self, deck: Decklist) -> Iterable[Meter]:
        """Return the numbers that are worth watching while a deck is built; most rules have none."""
        return ()

    def meter(self, label: str, found: int, least: int | None = None, most: int | None = None) -> Meter:
        """Return a number of this rule as a meter."""
        return Meter(label, found, least, most, self.code)

    def broken(
        self, severity: Severity, problem: str, entries: Iterable[Entry] = (), **values: Any
    ) -> Violation:
        """Return a violation of this rule by the cards of these entries. ``values``: further fields of
        ``Violation``; given ``cards`` replace the names of the entries, given ``what`` the group's plural.
        """
        fields = {"cards": names_of(entries), **self._words, **values}
        return Violation(code=self.code, problem=problem, severity=severity, **fields)

    @property
    def _words(self) -> Mapping[str, str]:
        """The fields that every violation of the rule has unless it gives others."""
        return {}

    illegal = partialmethod(broken, Severity.ILLEGAL)
    incomplete = partialmethod(broken, Severity.INCOMPLETE)
    note = partialmethod(broken, Severity.NOTE)

    def _by_cards(
        self, severity: Severity, problem: str, entries: Iterable[Entry], **values: Any
    ) -> Iterator[Violation]:
        """Yield one violation by all these cards, or nothing without entries. If it is illegal, taking them
        all out cures it.
        """
        if culprits := tuple(entries):
            excess = whole(culprits) if severity is Severity.ILLEGAL else ()
            yield self.broken(severity, problem, culprits, excess=excess, **values)

    barred = partialmethod(_by_cards, Severity.ILLEGAL)
    doubted = partialmethod(_by_cards, Severity.UNKNOWN)
    noted = partialmethod(_by_cards, Severity.NOTE)


@dataclass(frozen=True)
class GroupRule(Rule):
    """Base of the rules that look at one group of cards, ``of``. Their violations call the cards by the
    group's plural.
    """

    of: Group = field(default=EVERYTHING, kw_only=True)

    @property
    def _words(self) -> Mapping[str, str]:
        return {"what": self.of.what}

    def unknown(self, what: str, entries: Iterable[Entry]) -> Iterator[Violation]:
        """Yield that no source states ``what`` of these cards, or nothing without entries."""
        yield from self.doubted("fact-unknown", entries, what=what)


def names_of(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Return the names of the cards, each once, in order."""
    return tuple(dict.fromkeys([entry.card.name for entry in entries]))


def whole(entries: Iterable[Entry]) -> tuple[tuple[Entry, int], ...]:
    """Return the entries with all their copies, as the ``excess`` of a violation."""
    return tuple((entry, entry.count) for entry in entries)


def last_of(entries: Iterable[Entry], surplus: int) -> Iterator[tuple[Entry, int]]:
    """Yield (entry, copies) that make up a surplus of ``surplus`` copies, from the end of the list: cards
    added last go first. Of the lines ``2 Kai``, ``3 Minx`` a surplus of 4 is 3 Minx and 1 Kai.
    """
    for entry in reversed(tuple(entries)):
        if surplus <= 0:
            return
        taken = min(entry.count, surplus)
        surplus -= taken
        yield entry, taken


@dataclass(frozen=True)
class League:
    """The origin of a format that people made on the site: its link, its name, and the document and citations
    of its rules.

    Without a ``document`` it is lost: a deck names the link of a league that does not exist or that the
    viewer may not see. Such a deck is judged by the format that the league's format builds on.
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

    ``basis``: the words shown for an unofficial format in place of "fan format". ``declared_in``: the file
    that declares it as data; None if code declares it. ``league``: the league it was made for; its ``slug``
    is then that of the format it builds on.
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
        """The words to show with a format that no publisher made; empty for official formats, leagues, and
        names that say so already.
        """
        if self.official or (self.league and not self.league.is_lost):
            return ""
        return self.basis or ("" if "fan format" in self.name else "fan format")


@dataclass(frozen=True)
class Starter:
    """A ready deck, kept as the text of a list (``starters/<slug>.txt``). ``about``: further remarks."""

    slug: str
    name: str
    format: str
    text: str
    source: str = ""
    note: str = ""
    about: str = ""


@dataclass(frozen=True)
class Example:
    """A deck and the verdict it must get: an entry of ``examples.toml``, which ``contract`` checks.

    ``codes``: the rules broken more gravely than a note. ``notes``: the rules that only note something; None
    leaves them unchecked.
    """

    name: str
    format: str
    text: str
    verdict: Verdict
    codes: tuple[str, ...] = ()
    notes: tuple[str, ...] | None = None
