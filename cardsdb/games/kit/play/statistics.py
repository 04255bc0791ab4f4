"""What a deck comes to, as tables: small objects that a game declares in its ``statistics.py``, like its
rules.

A statistic counts and adds, and never judges; what it finds is a ``Table`` (see ``figures``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from cardsdb.games.kit.folder.contents import GameFolder
from cardsdb.games.kit.model.cards import Card, Fact
from cardsdb.games.kit.model.decklist import Decklist, Entry
from cardsdb.games.kit.model.format import EVERYTHING, Group
from cardsdb.games.kit.model.text import plural
from cardsdb.games.kit.play.figures import (
    NONE,
    NOT_STATED,
    Chart,
    Table,
    TableRow,
    in_order,
    is_number,
    number_or_word,
    numbers_first,
    tally,
    whole_range,
    words_of,
)


@dataclass(frozen=True)
class Statistic:
    """Base of all statistics. ``of`` are the cards looked at; ``with_partner`` looks at the deck played with
    this one as well.

    ``in_brief``: it is one of the few that stand beside a deck on its own page.
    """

    title: str
    help: str = ""
    of: Group = EVERYTHING
    cites: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    with_partner: bool = False
    in_brief: bool = False

    def measure(self, game: GameFolder, deck: Decklist, partner: Decklist | None = None) -> Table | None:
        """The table for a deck; None where the deck has nothing to count."""
        raise TypeError(f"{type(self).__name__} must say how it measures")

    def picked(self, deck: Decklist, partner: Decklist | None = None) -> tuple[Entry, ...]:
        """The entries that the statistic counts."""
        return self.of.pick(deck) + (self.of.pick(partner) if partner and self.with_partner else ())

    def table(
        self,
        head: str,
        columns: Sequence[str],
        rows: Iterable[TableRow],
        feet: Iterable[TableRow] = (),
        chart: Chart | None = "bars",
        **more: object,
    ) -> Table | None:
        """A table under this statistic's title, help and citations; None without a row."""
        lines = tuple(rows)
        if not lines:
            return None
        values = {"note": self.help, "cites": self.cites, "terms": self.terms, **more}
        return Table(self.title, head, tuple(columns), lines, tuple(feet), chart, **values)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Counts(Statistic):
    """How many cards of each type, or in each section, copies counted."""

    by: Literal["type", "section"] = "type"

    def measure(self, game: GameFolder, deck: Decklist, partner: Decklist | None = None) -> Table | None:
        picked = self.picked(deck, partner)
        order = (
            [t.slug for t in game.types] if self.by == "type" else [section.slug for section in game.sections]
        )
        counts = tally(picked, lambda entry: (entry.card.type if self.by == "type" else entry.section,))
        rows = []
        for slug in sorted(counts, key=lambda slug: order.index(slug) if slug in order else len(order)):
            if self.by == "type":
                rows.append(TableRow(game.type_named(slug).plural, (counts[slug],), (("type", slug),)))
            else:
                section = game.sections_by_slug.get(slug)
                rows.append(TableRow(section.name if section else slug, (counts[slug],)))
        head = "Type" if self.by == "type" else "Where"
        return self.table(head, ("Cards",), rows, (TableRow("All", (sum(counts.values()),)),))


@dataclass(frozen=True)
class Copies(Statistic):
    """How many different cards are in the deck once, twice and so on."""

    def measure(self, game: GameFolder, deck: Decklist, partner: Decklist | None = None) -> Table | None:
        each: dict[str, int] = {}
        for entry in self.picked(deck, partner):
            each[entry.card.key] = each.get(entry.card.key, 0) + entry.count
        numbers = sorted(set(each.values()))
        rows = [
            TableRow(f"{n} {plural(n, 'copy', 'copies')}", (cards := list(each.values()).count(n), n * cards))
            for n in numbers
        ]
        feet = (TableRow("All", (len(each), sum(each.values()))),)
        return self.table("In the deck", ("Different cards", "Cards"), rows, feet, drawn=(0,))


@dataclass(frozen=True)
class Curve(Statistic):
    """How many cards have each value of a number fact; several facts stand side by side, with mean and sum
    below.
    """

    facts: tuple[str, ...] = ()

    def measure(self, game: GameFolder, deck: Decklist, partner: Decklist | None = None) -> Table | None:
        facts = [game.facts_by_key[key] for key in self.facts]
        curves = [_Numbers(fact, self.picked(deck, partner)) for fact in facts]
        if not any(curve.count for curve in curves):
            return None
        searched = facts[0].key if len(facts) == 1 else ""
        rows = [
            TableRow(
                str(n),
                tuple(curve.counts.get(n, 0) for curve in curves),
                ((searched, str(n)),) if searched else (),
            )
            for n in whole_range(number for curve in curves for number in curve.counts)
        ]
        for formula in dict.fromkeys(word for curve in curves for word in curve.formulas):
            rows.append(TableRow(formula, tuple(curve.formulas.get(formula, 0) for curve in curves)))
        if any(curve.unknown for curve in curves):
            rows.append(TableRow(NOT_STATED, tuple(curve.unknown for curve in curves)))
        columns = [fact.title for fact in facts] if len(facts) > 1 else ["Cards"]
        feet = [
            TableRow("Sum", tuple(curve.total for curve in curves)),
            TableRow("Mean", tuple(curve.mean for curve in curves)),
        ]
        return self.table(
            facts[0].title if len(facts) == 1 else "Value",
            columns,
            rows,
            feet if any(c.counts for c in curves) else (),
        )


@dataclass(frozen=True)
class Totals(Statistic):
    """Number facts, each added up over all copies: a strength and a weakness at a glance. What is not stated
    is in no sum.
    """

    facts: tuple[str, ...] = ()

    def measure(self, game: GameFolder, deck: Decklist, partner: Decklist | None = None) -> Table | None:
        sums = [
            (fact.title, _Numbers(fact, self.picked(deck, partner)).total)
            for fact in (game.facts_by_key[key] for key in self.facts)
        ]
        return self.table(
            "Number", ("Sum",), [TableRow(title, (total,)) for title, total in sums if total is not None]
        )


@dataclass(frozen=True)
class Words(Statistic):
    """How many cards have each word of a fact, the most frequent first. A card may have several words, and is
    then in several rows.
    """

    fact: str = ""

    def measure(self, game: GameFolder, deck: Decklist, partner: Decklist | None = None) -> Table | None:
        fact = game.facts_by_key[self.fact]
        picked = [entry for entry in self.picked(deck, partner) if fact.applies_to(entry.card.type)]
        counts = tally(picked, lambda entry: words_of(entry.card, fact))
        if not counts.keys() - {NONE}:
            return None
        ordered = sorted(counts, key=lambda word: (word == NOT_STATED, word == NONE, -counts[word], word))
        rows = [
            TableRow(word, (counts[word],), () if word in (NOT_STATED, NONE) else ((fact.key, word),))
            for word in ordered
        ]
        return self.table(fact.title, ("Cards",), rows)


@dataclass(frozen=True)
class Cross(Statistic):
    """One fact against another, or against the card's ``type``: a row for each value of ``down``, a column
    for each of ``across``.
    """

    down: str = ""
    across: str = "type"

    def measure(self, game: GameFolder, deck: Decklist, partner: Decklist | None = None) -> Table | None:
        columns: dict[str, None] = {}
        cells: dict[str, dict[str, int]] = {}
        fact = game.facts_by_key[self.down]
        for entry in self.picked(deck, partner):
            if not fact.applies_to(entry.card.type):
                continue
            for word in self._across(game, entry.card):
                columns[word] = None
                for label in words_of(entry.card, fact):
                    row = cells.setdefault(label, {})
                    row[word] = row.get(word, 0) + entry.count
        if not cells.keys() - {NONE}:
            return None
        order = (
            sorted(columns, key=lambda word: (word == NOT_STATED, word == NONE))
            if self.across == "type"
            else in_order(columns)
        )
        labels = in_order(cells) if fact.kind != "number" else numbers_first(cells)
        rows = [
            TableRow(
                label,
                tuple(cells.get(label, {}).get(column, 0) for column in order),
                _asks(fact, label) if label in cells else (),
            )
            for label in labels
        ]
        feet = [TableRow("All", tuple(sum(row.get(column, 0) for row in cells.values()) for column in order))]
        return self.table(fact.title, order, rows, feet, "stacked")

    def _across(self, game: GameFolder, card: Card) -> tuple[str, ...]:
        return (
            (game.type_named(card.type).plural,)
            if self.across == "type"
            else words_of(card, game.facts_by_key[self.across])
        )


@dataclass(frozen=True)
class Roster(Statistic):
    """Each card with its number facts, for a team at a glance. ``summed`` puts their sums below."""

    facts: tuple[str, ...] = ()
    sort: str = ""
    summed: bool = True

    def measure(self, game: GameFolder, deck: Decklist, partner: Decklist | None = None) -> Table | None:
        facts = [game.facts_by_key[key] for key in self.facts]
        picked = self.picked(deck, partner)
        if self.sort:
            picked = tuple(
                sorted(
                    picked,
                    key=lambda entry: (
                        entry.card.number(self.sort) is None,
                        entry.card.number(self.sort) or 0,
                    ),
                )
            )
        rows = []
        for entry in picked:
            label = entry.card.name if entry.count == 1 else f"{entry.count} × {entry.card.name}"
            rows.append(TableRow(label, tuple(number_or_word(entry.card, fact) for fact in facts)))
        feet = (
            (TableRow("Together", tuple(_Numbers(fact, picked).total for fact in facts)),)
            if self.summed
            else ()
        )
        return self.table("Card", [fact.title for fact in facts], rows, feet, None)


class _Numbers:
    """A number fact over some entries: how many cards have each value, a word in its place, or no value that
    a source states.
    """

    def __init__(self, fact: Fact, picked: Iterable[Entry]) -> None:
        self.counts: dict[int, int] = {}
        self.formulas: dict[str, int] = {}
        self.unknown = 0
        for entry in picked:
            match number_or_word(entry.card, fact):
                case None:
                    self.unknown += entry.count if fact.expected_of(entry.card.type) else 0
                case int() as number:
                    self.counts[number] = self.counts.get(number, 0) + entry.count
                case word:
                    self.formulas[str(word)] = self.formulas.get(str(word), 0) + entry.count

    @property
    def count(self) -> int:
        return sum(self.counts.values()) + sum(self.formulas.values()) + self.unknown

    @property
    def total(self) -> int | None:
        return sum(number * count for number, count in self.counts.items()) if self.counts else None

    @property
    def mean(self) -> Fraction | None:
        return Fraction(self.total, sum(self.counts.values())) if self.total is not None else None


def default_statistics(facts: Iterable[Fact]) -> tuple[Statistic, ...]:
    """The statistics of a game that declares none: types, copies, every number and every word that cards
    state.
    """
    every: list[Statistic] = [Counts("Cards by type"), Copies("Copies")]
    for fact in facts:
        if fact.kind == "number":
            every.append(Curve(fact.title, fact.help, facts=(fact.key,)))
        elif fact.kind in ("word", "words"):
            every.append(Words(fact.title, fact.help, fact=fact.key))
    return tuple(every)


def _asks(fact: Fact, label: str) -> tuple[tuple[str, str], ...]:
    known = label not in (NOT_STATED, NONE) and (fact.kind != "number" or is_number(label))
    return ((fact.key, label),) if known else ()
