"""The sums of a deck, as tables: small objects that a game declares in its ``statistics.py``, like its rules;
the tables of figures that they find, and how cards are sorted into their rows.

A statistic counts and adds, and never judges. What no source states stands in a row or a column of its own,
``NOT_STATED``, and is in no sum and no mean; a zero is one that a source states.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal, TypeAlias, TypeVar

from cardsdb.games.kit.folder.contents import GameFolder
from cardsdb.games.kit.model.cards import Card, Fact, as_words
from cardsdb.games.kit.model.decklist import Decklist, Entry
from cardsdb.games.kit.model.format import EVERYTHING, Group
from cardsdb.games.kit.model.text import some

Cell: TypeAlias = int | str | Fraction | None
Entries: TypeAlias = tuple[Entry, ...]
Chart = Literal["bars", "stacked"]
K = TypeVar("K", bound=Hashable)
NOT_STATED = "not stated"
NONE = "none"
# A cell that can hold nothing, such as the highest number of no cards.
NOTHING = ""
# A curve over a longer span has rows only for the numbers that occur.
MAX_CURVE = 30


@dataclass(frozen=True)
class TableRow:
    """A line of a table. ``asks``: fact (or ``type``) and value that find its cards in a search; empty where
    none does.
    """

    label: str
    cells: tuple[Cell, ...]
    asks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Table:
    """The result of a statistic. ``head`` stands over the labels, ``columns`` over the cells; ``feet`` are
    totals and means, never drawn.

    ``chart``: every cell drawn as a bar, or the cells of a row behind one another; ``drawn`` are the columns
    in the picture, all if none is named. ``cites`` are codes of the rulebook, ``terms`` of the glossary.
    """

    title: str
    head: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    feet: tuple[TableRow, ...] = ()
    chart: Chart | None = "bars"
    drawn: tuple[int, ...] = ()
    note: str = ""
    cites: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()

    @property
    def in_picture(self) -> tuple[int, ...]:
        """The columns that are drawn."""
        return (self.drawn or tuple(range(len(self.columns)))) if self.chart else ()

    @property
    def longest(self) -> int | Fraction:
        """The number that a bar over the whole width of the picture stands for."""
        cells = [
            [cell for place in self.in_picture if isinstance(cell := row.cells[place], int | Fraction)]
            for row in self.rows
        ]
        return max([sum(row) if self.chart == "stacked" else max(row) for row in cells if row], default=0)


def tally(entries: Iterable[Entry], keys_of: Callable[[Entry], Iterable[K]]) -> Counter[K]:
    """Key -> cards, copies counted; an entry may have several keys."""
    counts: Counter[K] = Counter()
    for entry in entries:
        for key in keys_of(entry):
            counts[key] += entry.count
    return counts


def words_of(card: Card, fact: Fact) -> tuple[str, ...]:
    """The rows a card stands in: the fact's words, else what stands in its place, else NONE or NOT_STATED."""
    if (value := card.fact(fact.key)) is not None:
        return tuple(value) if isinstance(value, tuple | list) and value else (as_words(value) or NONE,)
    for key in fact.unless:
        if (instead := card.fact(key)) is not None:
            return (as_words(instead),)
    return (NOT_STATED if fact.expected_of(card.type) else NONE,)


def number_or_word(card: Card, fact: Fact) -> int | str | None:
    """The card's number, else the word that stands in its place (a cost of X), else None."""
    if not fact.applies_to(card.type):
        return None
    if (number := card.number(fact.key)) is not None:
        return number
    return next((as_words(instead) for key in fact.unless if (instead := card.fact(key)) is not None), None)


def whole_range(numbers: Iterable[int]) -> list[int]:
    """Every number from the lowest to the highest, so that a gap shows; only those that occur where that
    would be a long list.
    """
    ordered = sorted(set(numbers))
    if not ordered or ordered[-1] - ordered[0] >= MAX_CURVE:
        return ordered
    return list(range(ordered[0], ordered[-1] + 1))


def in_order(labels: Mapping[str, object]) -> list[str]:
    """Words by the alphabet, numbers by size before them; NONE and NOT_STATED last."""
    return sorted(
        labels,
        key=lambda word: (
            word == NOT_STATED,
            word == NONE,
            not is_number(word),
            int(word) if is_number(word) else 0,
            word,
        ),
    )


def numbers_first(labels: Mapping[str, object]) -> list[str]:
    """The numbers as one range without gaps, then everything else in order."""
    numbers = [str(number) for number in whole_range(int(label) for label in labels if is_number(label))]
    return [*numbers, *(label for label in in_order(labels) if not is_number(label))]


def is_number(label: str) -> bool:
    """True if the label is a whole number."""
    return label.removeprefix("-").isdecimal()


# -- what a game counts ------------------------------------------------------------------


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
        others = self.of.pick(partner) if partner and self.with_partner else ()
        return self.counted(game, deck, self.of.pick(deck) + others)

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        """The table for the entries that the statistic is of; None without any to count."""
        raise TypeError(f"{type(self).__name__} must say what it counts")

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
    """The number of cards of each type, or in each section, copies counted."""

    by: Literal["type", "section"] = "type"

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        is_type = self.by == "type"
        counts = tally(picked, lambda entry: (entry.card.type if is_type else entry.section,))
        names = {section.slug: section.name for section in game.sections}
        order = [one.slug for one in game.types] if is_type else list(names)
        rows = [
            TableRow(game.type_named(slug).plural, (counts[slug],), (("type", slug),))
            if is_type
            else TableRow(names.get(slug, slug), (counts[slug],))
            for slug in sorted(counts, key=lambda slug: order.index(slug) if slug in order else len(order))
        ]
        head = "Type" if is_type else "Where"
        return self.table(head, ("Cards",), rows, (TableRow("All", (counts.total(),)),))


class Copies(Statistic):
    """The number of different cards that are in the deck once, twice and so on."""

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        each = tally(picked, lambda entry: (entry.card.key,))
        times = sorted(Counter(each.values()).items())
        rows = [TableRow(some(n, "copy", "copies"), (cards, n * cards)) for n, cards in times]
        feet = (TableRow("All", (len(each), each.total())),)
        return self.table("In the deck", ("Different cards", "Cards"), rows, feet, drawn=(0,))


@dataclass(frozen=True)
class Curve(Statistic):
    """The number of cards with each value of a number fact; several facts stand side by side, with mean and
    sum below.
    """

    facts: tuple[str, ...] = ()

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        facts = [game.facts_by_key[key] for key in self.facts]
        curves = [_Numbers(fact, picked) for fact in facts]
        if not any(curve.is_any for curve in curves):
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

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        sums = [
            (fact.title, _Numbers(fact, picked).total)
            for fact in (game.facts_by_key[key] for key in self.facts)
        ]
        return self.table(
            "Number", ("Sum",), [TableRow(title, (total,)) for title, total in sums if total is not None]
        )


@dataclass(frozen=True)
class Words(Statistic):
    """The number of cards with each word of a fact, the most frequent first. A card may have several words,
    and is then in several rows.
    """

    fact: str = ""

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        fact = game.facts_by_key[self.fact]
        picked = tuple([entry for entry in picked if fact.applies_to(entry.card.type)])
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

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        fact = game.facts_by_key[self.down]
        picked = tuple([entry for entry in picked if fact.applies_to(entry.card.type)])
        cells = tally(
            picked, lambda entry: product(words_of(entry.card, fact), self._across(game, entry.card))
        )
        found = dict.fromkeys(label for label, _ in cells)
        if not found.keys() - {NONE}:
            return None
        columns = dict.fromkeys(word for entry in picked for word in self._across(game, entry.card))
        order = (
            sorted(columns, key=lambda word: (word == NOT_STATED, word == NONE))
            if self.across == "type"
            else in_order(columns)
        )
        labels = in_order(found) if fact.kind != "number" else numbers_first(found)
        rows = [
            TableRow(
                label,
                tuple(cells[label, column] for column in order),
                _asks(fact, label) if label in found else (),
            )
            for label in labels
        ]
        feet = [TableRow("All", tuple(sum(cells[label, column] for label in found) for column in order))]
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

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        facts = [game.facts_by_key[key] for key in self.facts]
        if self.sort:
            numbers = {id(entry): entry.card.number(self.sort) for entry in picked}
            ordered = sorted(picked, key=lambda one: (numbers[id(one)] is None, numbers[id(one)] or 0))
            picked = tuple(ordered)
        rows = [
            TableRow(
                entry.card.name if entry.count == 1 else f"{entry.count} × {entry.card.name}",
                tuple(number_or_word(entry.card, fact) for fact in facts),
            )
            for entry in picked
        ]
        together = TableRow("Together", tuple(_Numbers(fact, picked).total for fact in facts))
        columns = [fact.title for fact in facts]
        return self.table("Card", columns, rows, (together,) if self.summed else (), None)


class _Numbers:
    """A number fact over some entries: how many cards have each value, a word in its place, or no value that
    a source states.
    """

    def __init__(self, fact: Fact, picked: Sequence[Entry]) -> None:
        valued = [(entry, number_or_word(entry.card, fact)) for entry in picked]
        every: Counter[int | str | None] = Counter()
        for entry, value in valued:
            every[value] += entry.count
        self.counts = {value: count for value, count in every.items() if isinstance(value, int)}
        self.formulas = {value: count for value, count in every.items() if isinstance(value, str)}
        self.unknown = sum(
            entry.count for entry, value in valued if value is None and fact.expected_of(entry.card.type)
        )
        self.is_any = bool(self.counts or self.formulas or self.unknown)

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
