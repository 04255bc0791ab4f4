"""Statistics of a deck: small objects, like rules, that a game declares, and the tables that they make.

``Game.measure`` calls each ``Statistic`` of a game with a deck; ``decks/statistics`` and the API show the
``Table`` values. A game declares them in ``game.toml`` or in a ``statistics.py`` of its own. Statistics count
and add, and never judge. A value that no source states is counted in a row or column of its own,
``NOT_STATED``, and is in no sum and no mean: it must never be taken for zero. A curve of the expense of 2 Kai
(7 each) is a ``Table`` with one row ("7": 2 cards) and the feet "Sum" (14) and "Mean" (7).
Tests: ``tests/cardsdb/games/kit/play/test_statistics.py``.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal, TypeAlias, TypeVar

from cardsdb.games.kit.folder.contents import GameFolder
from cardsdb.games.kit.model.cards import Card, Fact, as_words
from cardsdb.games.kit.model.decklist import Decklist, Entry, count_of
from cardsdb.games.kit.model.format import EVERYTHING, Group
from cardsdb.games.kit.model.text import some

# A value of a table; None if it is unknown.
Cell: TypeAlias = int | str | Fraction | None
Entries: TypeAlias = tuple[Entry, ...]
Chart = Literal["bars", "stacked"]
K = TypeVar("K", bound=Hashable)
# Label for cards of which no source states the fact.
NOT_STATED = "not stated"
# Label for cards that rightly do not have the fact.
NONE = "none"
# A cell without a value, such as the highest number of no cards.
NOTHING = ""
# From this difference of highest and lowest number on, tables have rows only for numbers that occur.
MAX_CURVE = 30


@dataclass(frozen=True)
class TableRow:
    """A row of a table. ``asks``: (key of a fact or "type", value) pairs of the search that finds the cards
    of the row; empty if no search does.
    """

    label: str
    cells: tuple[Cell, ...]
    asks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Table:
    """The result of a statistic. ``head``: heading of the labels. ``columns``: headings of the cells.
    ``feet``: totals and means, which are never drawn.

    ``chart``: "bars" draws each cell as a bar, "stacked" the cells of a row as one bar; None draws nothing.
    ``drawn``: indexes of the columns to draw; empty for all. ``cites``: codes of citations. ``terms``: terms
    of the glossary.
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
        """The indexes of the columns that are drawn."""
        if not self.chart:
            return ()
        return self.drawn or tuple(range(len(self.columns)))

    @property
    def longest(self) -> int | Fraction:
        """The number that a bar of the full width stands for."""
        lengths: list[int | Fraction] = []
        for row in self.rows:
            cells = [row.cells[place] for place in self.in_picture]
            numbers = [cell for cell in cells if isinstance(cell, int | Fraction)]
            lengths += [sum(numbers)] if self.chart == "stacked" else numbers
        return max(lengths, default=0)


def tally(entries: Iterable[Entry], keys_of: Callable[[Entry], Iterable[K]]) -> Counter[K]:
    """Return key -> copies of the entries that have the key. An entry may have several keys."""
    counts: Counter[K] = Counter()
    for entry in entries:
        for key in keys_of(entry):
            counts[key] += entry.count
    return counts


def words_of(card: Card, fact: Fact) -> tuple[str, ...]:
    """Return the labels of the rows that a card is counted in: the words of the fact, else those of a fact in
    its place (``Fact.unless``); else NOT_STATED if a card of its type must have the fact, NONE if it need
    not.
    """
    value = card.fact(fact.key)
    if value is None:
        usual = NOT_STATED if fact.expected_of(card.type) else NONE
        return (_instead(card, fact) or usual,)
    if isinstance(value, tuple | list) and value:
        return tuple(value)
    return (as_words(value) or NONE,)


def number_or_word(card: Card, fact: Fact) -> int | str | None:
    """Return the card's number, else the word of a fact in its place (a cost of X), else None."""
    if not fact.applies_to(card.type):
        return None
    if (number := card.number(fact.key)) is not None:
        return number
    return _instead(card, fact)


def _instead(card: Card, fact: Fact) -> str | None:
    """Return the word of a fact that stands in place of this one (a cost of X); None if the card has none."""
    for key in fact.unless:
        word = card.fact(key)
        if word is not None:
            return as_words(word)
    return None


def whole_range(numbers: Iterable[int]) -> list[int]:
    """Return every number from the lowest to the highest, so that gaps are visible; only the given numbers if
    they span ``MAX_CURVE`` or more.
    """
    ordered = sorted(set(numbers))
    if not ordered or ordered[-1] - ordered[0] >= MAX_CURVE:
        return ordered
    return list(range(ordered[0], ordered[-1] + 1))


def in_order(labels: Mapping[str, object]) -> list[str]:
    """Return the labels in order: "2", "10", "X", "none", "not stated"."""
    numbers = sorted(filter(is_number, labels), key=lambda label: (int(label), label))
    words = sorted(label for label in labels if label not in (NONE, NOT_STATED) and not is_number(label))
    return [*numbers, *words, *(label for label in (NONE, NOT_STATED) if label in labels)]


def numbers_first(labels: Mapping[str, object]) -> list[str]:
    """Return the numbers among the labels with their gaps filled (``whole_range``), then the other labels:
    "1", "3" and "X" become "1", "2", "3", "X".
    """
    numbers = [str(number) for number in whole_range(int(label) for label in labels if is_number(label))]
    return [*numbers, *(label for label in in_order(labels) if not is_number(label))]


def is_number(label: str) -> bool:
    """True if the label is a whole number."""
    return label.removeprefix("-").isdecimal()


# -- statistics that a game can declare --------------------------------------------------


@dataclass(frozen=True)
class Statistic:
    """Base of all statistics. A subclass defines ``counted``.

    ``of``: the cards that it counts. ``with_partner``: it also counts the deck that is played with this one.
    ``in_brief``: it is one of the few shown on the deck's own page.
    """

    title: str
    help: str = ""
    of: Group = EVERYTHING
    cites: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    with_partner: bool = False
    in_brief: bool = False

    def measure(self, game: GameFolder, deck: Decklist, partner: Decklist | None = None) -> Table | None:
        """Return the table for a deck; None if the deck has nothing to count."""
        others = self.of.pick(partner) if partner and self.with_partner else ()
        return self.counted(game, deck, self.of.pick(deck) + others)

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        """Return the table for these entries of the deck; None if there is nothing to count."""
        raise TypeError(f"{type(self).__name__} must say what it counts")

    def table(
        self,
        head: str,
        columns: Sequence[str],
        rows: Iterable[TableRow],
        feet: Iterable[TableRow] = (),
        chart: Chart | None = "bars",
        drawn: tuple[int, ...] = (),
        note: str = "",
    ) -> Table | None:
        """Return a table with this statistic's title and citations; None without rows. Its note is the
        statistic's help unless another is given.
        """
        lines = tuple(rows)
        if not lines:
            return None
        return Table(
            self.title,
            head,
            tuple(columns),
            lines,
            tuple(feet),
            chart,
            drawn,
            note=note or self.help,
            cites=self.cites,
            terms=self.terms,
        )


@dataclass(frozen=True)
class Counts(Statistic):
    """The number of cards of each type, or in each section, counting copies."""

    by: Literal["type", "section"] = "type"

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        is_type = self.by == "type"
        counts = tally(picked, lambda entry: (entry.card.type if is_type else entry.section,))
        names = {section.slug: section.name for section in game.sections}
        order = [card_type.slug for card_type in game.types] if is_type else list(names)
        rows = []
        # A type that the game no longer declares comes last.
        for slug in sorted(counts, key=lambda slug: order.index(slug) if slug in order else len(order)):
            label = game.type_named(slug).plural if is_type else names.get(slug, slug)
            rows.append(TableRow(label, (counts[slug],), (("type", slug),) if is_type else ()))
        head = "Type" if is_type else "Where"
        return self.table(head, ("Cards",), rows, (TableRow("All", (counts.total(),)),))


class Copies(Statistic):
    """The number of different cards that are in the deck once, twice and so on."""

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        copies_of = tally(picked, lambda entry: (entry.card.key,))
        times = sorted(Counter(copies_of.values()).items())
        rows = [TableRow(some(number, "copy", "copies"), (cards, number * cards)) for number, cards in times]
        feet = (TableRow("All", (len(copies_of), copies_of.total())),)
        return self.table("In the deck", ("Different cards", "Cards"), rows, feet, drawn=(0,))


@dataclass(frozen=True)
class Curve(Statistic):
    """The number of cards with each value of a number fact, with sum and mean below. Several facts have a
    column each.
    """

    facts: tuple[str, ...] = ()

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        facts = [game.facts_by_key[key] for key in self.facts]
        curves = [_Numbers(fact, picked) for fact in facts]
        if not any(curve.is_any for curve in curves):
            return None
        is_single = len(facts) == 1
        rows = []
        for number in whole_range(number for curve in curves for number in curve.counts):
            # Rows of several facts have no search that would find their cards.
            asks = ((facts[0].key, str(number)),) if is_single else ()
            rows.append(TableRow(str(number), tuple(curve.counts.get(number, 0) for curve in curves), asks))
        for formula in dict.fromkeys(word for curve in curves for word in curve.formulas):
            rows.append(TableRow(formula, tuple(curve.formulas.get(formula, 0) for curve in curves)))
        if any(curve.unknown for curve in curves):
            rows.append(TableRow(NOT_STATED, tuple(curve.unknown for curve in curves)))
        feet = [
            TableRow("Sum", tuple(curve.total for curve in curves)),
            TableRow("Mean", tuple(curve.mean for curve in curves)),
        ]
        columns = ["Cards"] if is_single else [fact.title for fact in facts]
        head = facts[0].title if is_single else "Value"
        return self.table(head, columns, rows, feet if any(curve.counts for curve in curves) else ())


@dataclass(frozen=True)
class Totals(Statistic):
    """The sum of each number fact over all copies. A fact that no card states has no row."""

    facts: tuple[str, ...] = ()

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        facts = [game.facts_by_key[key] for key in self.facts]
        sums = [(fact.title, _Numbers(fact, picked).total) for fact in facts]
        rows = [TableRow(title, (total,)) for title, total in sums if total is not None]
        return self.table("Number", ("Sum",), rows)


@dataclass(frozen=True)
class Words(Statistic):
    """The number of cards with each word of a fact, the most frequent first. A card with several words is
    counted in several rows.
    """

    fact: str = ""

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        fact = game.facts_by_key[self.fact]
        having = [entry for entry in picked if fact.applies_to(entry.card.type)]
        counts = tally(having, lambda entry: words_of(entry.card, fact))
        if not counts.keys() - {NONE}:
            return None
        # Rows of words have a search; those that are no words of cards come last, and have none.
        words = sorted(counts.keys() - {NONE, NOT_STATED}, key=lambda word: (-counts[word], word))
        rows = [TableRow(word, (counts[word],), ((fact.key, word),)) for word in words]
        rows += [TableRow(label, (counts[label],)) for label in (NONE, NOT_STATED) if label in counts]
        return self.table(fact.title, ("Cards",), rows)


@dataclass(frozen=True)
class Cross(Statistic):
    """One fact against another: a row for each value of ``down``, a column for each value of ``across``,
    which may be "type".
    """

    down: str = ""
    across: str = "type"

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        fact = game.facts_by_key[self.down]
        having = [entry for entry in picked if fact.applies_to(entry.card.type)]
        # (label of the row, label of the column) -> copies.
        cells = tally(
            having, lambda entry: product(words_of(entry.card, fact), self._across(game, entry.card))
        )
        # Labels of rows and columns that a card is in. ``numbers_first`` may add empty rows between them.
        found_rows = dict.fromkeys(row for row, _ in cells)
        found_columns = dict.fromkeys(column for _, column in cells)
        if not found_rows.keys() - {NONE}:
            return None
        labels = numbers_first(found_rows) if fact.kind == "number" else in_order(found_rows)
        columns = list(found_columns) if self.across == "type" else in_order(found_columns)
        rows = [
            TableRow(
                label,
                tuple(cells[label, column] for column in columns),
                _asks(fact, label) if label in found_rows else (),
            )
            for label in labels
        ]
        totals = [sum(cells[row, column] for row in found_rows) for column in columns]
        return self.table(fact.title, columns, rows, [TableRow("All", tuple(totals))], "stacked")

    def _across(self, game: GameFolder, card: Card) -> tuple[str, ...]:
        """Return the labels of the columns that a card is counted in."""
        if self.across == "type":
            return (game.type_named(card.type).plural,)
        return words_of(card, game.facts_by_key[self.across])


@dataclass(frozen=True)
class Roster(Statistic):
    """A row for each card with its number facts. ``sort``: key of the number fact to sort by; cards without
    it come last. ``summed``: add a row of sums.
    """

    facts: tuple[str, ...] = ()
    sort: str = ""
    summed: bool = True

    def counted(self, game: GameFolder, deck: Decklist, picked: Entries) -> Table | None:
        facts = [game.facts_by_key[key] for key in self.facts]
        if self.sort:
            numbered = [(entry.card.number(self.sort), entry) for entry in picked]
            numbered.sort(key=lambda pair: (pair[0] is None, pair[0] or 0))
            picked = tuple(entry for _, entry in numbered)
        rows = []
        for entry in picked:
            label = entry.card.name if entry.count == 1 else f"{entry.count} × {entry.card.name}"
            rows.append(TableRow(label, tuple(number_or_word(entry.card, fact) for fact in facts)))
        together = TableRow("Together", tuple(_Numbers(fact, picked).total for fact in facts))
        columns = [fact.title for fact in facts]
        return self.table("Card", columns, rows, (together,) if self.summed else (), None)


class _Numbers:
    """A number fact over some entries, for ``Curve``, ``Totals`` and ``Roster``. ``counts``: value -> cards;
    ``formulas``: word in place of a number, such as X -> cards; ``unknown``: cards that should have a value
    but no source states it.
    """

    def __init__(self, fact: Fact, picked: Sequence[Entry]) -> None:
        cards = tally(picked, lambda entry: (number_or_word(entry.card, fact),))
        self.counts = {value: count for value, count in cards.items() if isinstance(value, int)}
        self.formulas = {value: count for value, count in cards.items() if isinstance(value, str)}
        expecting = (entry for entry in picked if fact.expected_of(entry.card.type))
        self.unknown = count_of(entry for entry in expecting if number_or_word(entry.card, fact) is None)
        self.is_any = bool(self.counts or self.formulas or self.unknown)

    @property
    def total(self) -> int | None:
        return sum(number * count for number, count in self.counts.items()) if self.counts else None

    @property
    def mean(self) -> Fraction | None:
        return Fraction(self.total, sum(self.counts.values())) if self.total is not None else None


def default_statistics(facts: Iterable[Fact]) -> tuple[Statistic, ...]:
    """Return the statistics of a game that declares none: types, copies, and every number and word fact."""
    statistics: list[Statistic] = [Counts("Cards by type"), Copies("Copies")]
    for fact in facts:
        if fact.kind == "number":
            statistics.append(Curve(fact.title, fact.help, facts=(fact.key,)))
        elif fact.kind in ("word", "words"):
            statistics.append(Words(fact.title, fact.help, fact=fact.key))
    return tuple(statistics)


def _asks(fact: Fact, label: str) -> tuple[tuple[str, str], ...]:
    """Return the search for the cards of a row, ``TableRow.asks``; empty for NONE, NOT_STATED and
    formulas.
    """
    known = label not in (NOT_STATED, NONE) and (fact.kind != "number" or is_number(label))
    return ((fact.key, label),) if known else ()
