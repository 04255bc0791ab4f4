"""What statistics find: tables of figures, and how cards are sorted into their rows.

What no source states stands in a row or a column of its own, ``NOT_STATED``, and is in no sum and no mean; a
zero is one that a source states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from cardsdb.games.kit.model.cards import Card, Fact, as_words
from cardsdb.games.kit.model.decklist import Entry

Cell: TypeAlias = int | str | Fraction | None
Chart = Literal["bars", "stacked"]
NOT_STATED = "not stated"
NONE = "none"
# A cell that can hold nothing, such as the highest number of no cards.
NOTHING = ""
# A curve over a longer span has rows only for the numbers that occur.
MAX_CURVE = 30


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of a table. ``asks``: fact (or ``type``) and value that find its cards in a search; empty where
    none does.
    """

    label: str
    cells: tuple[Cell, ...]
    asks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
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


def tally(entries: Iterable[Entry], keys_of: Callable[[Entry], Iterable[str]]) -> dict[str, int]:
    """Key -> cards, copies counted; an entry may have several keys."""
    counts: dict[str, int] = {}
    for entry in entries:
        for key in keys_of(entry):
            counts[key] = counts.get(key, 0) + entry.count
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
    """Whether the label is a whole number."""
    return label.removeprefix("-").isdecimal()
