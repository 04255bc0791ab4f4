"""The numbers of a deck, in three sections: odds of a draw as exact fractions, sample hands, and tables
prepared for pages and programs. No Django. ``decks/statistics`` and the API call it.

Sample hands: people share their links, so a seed must give the same hand for ever, on any machine. A pile is
sorted by the codes of its cards, so that the order of the list does not matter; then ``shuffled`` shuffles it
with the seed for the purpose ``hand/<pile>``, after a mulligan ``hand/<pile>/1`` and so on.
Tests: odds and hands in ``tests/decks/core/test_figures.py``, tables in
``tests/decks/statistics/test_views.py``.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import comb
from typing import Any, Literal, NamedTuple

from cardsdb.games.kit import Card, Decklist, Entry, Pile, shuffled
from cardsdb.games.kit.play.statistics import NOT_STATED, NOTHING, Cell, Table, TableRow

# -- odds ------------------------------------------------------------------------
#
# Drawing without putting back is the hypergeometric distribution: of all comb(total, drawn) hands,
# comb(wanted, k) * comb(total - wanted, drawn - k) hold exactly ``k`` of the ``wanted`` cards. With 4 wanted
# cards of 60 and 6 drawn, at least one is drawn with the chance 57128/162545, 35.1 %.

How = Literal["at-least", "exactly", "at-most"]
# The words of each kind of wish, for forms.
HOW: dict[How, str] = {"at-least": "at least", "exactly": "exactly", "at-most": "at most"}


@dataclass(frozen=True)
class Wish:
    """The number of cards of one kind that a hand shall hold: at least, exactly or at most ``count``."""

    how: How
    count: int

    def numbers(self, most: int) -> range:
        """Return the numbers from 0 to ``most`` that fulfil the wish: "at least 2" of 4 -> 2, 3, 4."""
        least = 0 if self.how == "at-most" else self.count
        greatest = most if self.how == "at-least" else min(self.count, most)
        return range(least, greatest + 1)


class Parts(NamedTuple):
    """The sizes of the four parts of a deck by two kinds of card, which may share cards: only of the first
    kind, only of the second, of both, of neither.
    """

    first: int
    second: int
    both: int
    rest: int

    @property
    def total(self) -> int:
        return self.first + self.second + self.both + self.rest


def chance(wish: Wish, wanted: int, total: int, drawn: int) -> Fraction:
    """Return the chance that a hand of ``drawn`` of ``total`` cards fulfils the wish about the ``wanted``
    ones. Raise ValueError for impossible numbers.
    """
    _check(wanted, total, drawn)
    most = min(wanted, drawn)
    if wish.how == "at-least" and wish.count <= most // 2:
        # Summing over the smaller numbers, which fail, takes fewer terms.
        return 1 - chance(Wish("at-most", wish.count - 1), wanted, total, drawn)
    hands = sum(comb(wanted, k) * comb(total - wanted, drawn - k) for k in wish.numbers(most))
    return Fraction(hands, comb(total, drawn))


def chance_of_both(first: Wish, second: Wish, parts: Parts, drawn: int) -> Fraction:
    """Return the chance that one hand fulfils both wishes. A card of both kinds counts for both.

    Of ``Parts(2, 1, 1, 6)``, 3 cards hold at most 1 of the first kind and exactly 1 of the second with the
    chance 7/20.
    """
    _check(parts.first + parts.both, parts.total, drawn)
    if first.how == "at-least":
        # All hands that fulfil the second wish, without those that hold too few of the first kind.
        second_alone = chance(second, parts.second + parts.both, parts.total, drawn)
        return second_alone - chance_of_both(Wish("at-most", first.count - 1), second, parts, drawn)
    if second.how == "at-least":
        # The same with the kinds exchanged.
        return chance_of_both(second, first, Parts(parts.second, parts.first, parts.both, parts.rest), drawn)
    # Count the hands by what they hold: ``both`` cards of both kinds, ``firsts`` and ``seconds`` of each kind
    # with these, and ``others`` that are not of the first kind.
    hands = 0
    for both in range(min(parts.both, drawn) + 1):
        for firsts in first.numbers(min(parts.first + both, drawn)):
            first_alone, others = firsts - both, drawn - firsts
            if first_alone < 0:
                continue
            ways = comb(parts.both, both) * comb(parts.first, first_alone)
            for seconds in second.numbers(both + min(parts.second, others)):
                alone = seconds - both
                if alone >= 0:
                    hands += ways * comb(parts.second, alone) * comb(parts.rest, others - alone)
    return Fraction(hands, comb(parts.total, drawn))


def expected(wanted: int, total: int, drawn: int) -> Fraction:
    """Return the average number of wanted cards in a draw."""
    _check(wanted, total, drawn)
    return Fraction(drawn * wanted, total) if total else Fraction(0)


def drawn_by_turn(first: int, per_turn: int, total: int, turns: int) -> list[int]:
    """Return the number of cards seen: in the opening hand, then after the draw of each turn, never more than
    ``total``. 6 cards and 2 a turn of 12 cards, 4 turns -> [6, 8, 10, 12, 12].
    """
    return [min(first + per_turn * turn, total) for turn in range(turns + 1)]


def _check(wanted: int, total: int, drawn: int) -> None:
    if not (0 <= wanted <= total and 0 <= drawn <= total):
        raise ValueError(f"{wanted} of {total} cards, {drawn} drawn: no such draw")


# -- sample hands ----------------------------------------------------------------

# A seed as it may stand in an address.
SEED = re.compile(r"[A-Za-z0-9_-]{1,40}")


class Drawn(NamedTuple):
    """Cards drawn together: one deal of the opening hand (``turn`` 0), or the draw of one turn (``turn`` from
    1).
    """

    name: str
    turn: int
    cards: tuple[Card, ...]


class Hand(NamedTuple):
    """All draws from a pile in order, the number of cards left in it, and the number of mulligans taken."""

    drawn: tuple[Drawn, ...]
    left: int
    given_back: int = 0


def in_order(entries: Iterable[Entry]) -> list[Card]:
    """Return every copy of every card, sorted by the codes of the cards."""
    return [
        entry.card
        for entry in sorted(entries, key=lambda entry: (entry.card.code, entry.section))
        for _ in range(entry.count)
    ]


def hand_of(pile: Pile, deck: Decklist, seed: str, turns: int = 0, mulligans: int = 0) -> Hand:
    """Return the opening hand of a pile, then the draws of ``turns`` turns.

    Each mulligan shuffles anew; more mulligans than the pile allows are ignored. A pile that states no number
    of cards a turn gives one.
    """
    cards, mulligan = in_order(pile.cards(deck)), pile.mulligan
    given_back = min(mulligans, mulligan.times) if mulligan else 0
    purpose = f"hand/{pile.slug}" + (f"/{given_back}" if given_back else "")
    # One iterator for all draws: each takes the next cards from the top of the pile.
    top = iter([cards[place] for place in shuffled(seed, purpose, len(cards))])
    draws = []
    for place, deal in enumerate(pile.deals):
        # A mulligan states the number of cards of the first deal.
        number = mulligan.hand if mulligan and given_back and place == 0 else deal.number(deck)
        draws.append(Drawn(deal.name, 0, tuple(islice(top, number))))
    for turn in range(1, turns + 1):
        if drawn := tuple(islice(top, pile.per_turn or 1)):
            draws.append(Drawn(pile.when or "Drawn", turn, drawn))
    return Hand(tuple(draws), len([*top]), given_back)


# -- tables with their cells in words and their bars as lengths --------------------------------

# The length of the longest bar. Pages draw bars in thousandths of it.
WIDTH = 1000


class ShownCell(NamedTuple):
    """A cell of a table. ``number``: it is set as a number. ``bar``: its length, 0 to ``WIDTH``, or None
    without a bar.
    """

    words: str
    number: bool = True
    bar: int | None = None


class Segment(NamedTuple):
    """One piece of a stacked bar. ``series``: the number of its column among the drawn ones, from 1;
    ``start`` and ``length``: 0 to ``WIDTH``.
    """

    series: int
    start: int
    length: int


class ShownRow(NamedTuple):
    """A row of a table. ``href``: the link of its label to the cards that it counts, empty for none."""

    label: str
    cells: tuple[ShownCell, ...]
    segments: tuple[Segment, ...] = ()
    href: str = ""


class ShownColumn(NamedTuple):
    """A column heading. ``series``: its number among the drawn columns of a stacked picture, from 1; else
    0.
    """

    title: str
    number: bool
    series: int = 0


class ShownTable(NamedTuple):
    """A table with its picture. ``wide``: each row has only one bar, which gets a column of its own."""

    table: Table
    slug: str
    columns: tuple[ShownColumn, ...]
    rows: tuple[ShownRow, ...]
    feet: tuple[ShownRow, ...]
    wide: bool

    @property
    def stacked(self) -> bool:
        return self.table.chart == "stacked"


def words_of_cell(cell: Cell) -> str:
    """Return the cell as people write it; a mean has one decimal place."""
    if cell is None:
        return NOT_STATED
    if cell == NOTHING:
        return "–"
    return f"{float(cell):.1f}" if isinstance(cell, Fraction) else str(cell)


def shown(
    table: Table,
    slug: str,
    href_of: Callable[[TableRow], str] = lambda row: "",
    longest: int | Fraction | None = None,
    words: Callable[[Any], str] = words_of_cell,
) -> ShownTable:
    """Return the table prepared for a page. ``slug``: its id on the page; ``href_of``: the link of a row,
    empty for none; ``longest``: the value of a bar of full width, by default the table's largest; ``words``:
    writes a cell.

    Of the rows (3, 1) and (1, 4) of two columns, the first gets as bars of its cells 750 and 250, as 4 is the
    largest cell; as pieces of one stacked bar 600 and 200, as 5 is the largest sum.
    """
    drawn = table.in_picture
    if longest is None:
        longest = table.longest
    stacked = table.chart == "stacked"
    # Place of a drawn column among the cells -> its number in a stacked picture, from 1.
    series = {place: number for number, place in enumerate(drawn, start=1)} if stacked else {}
    columns = tuple(
        ShownColumn(title, all(_is_figure(row.cells[place]) for row in table.rows), series.get(place, 0))
        for place, title in enumerate(table.columns)
    )

    def row_of(row: TableRow, in_picture: bool) -> ShownRow:
        # The places of cells with a bar of their own.
        barred = drawn if in_picture and not stacked else ()
        cells = tuple(
            _cell(cell, longest if place in barred else 0, words) for place, cell in enumerate(row.cells)
        )
        segments = tuple(_segments(row, drawn, longest)) if stacked and in_picture else ()
        return ShownRow(row.label, cells, segments, href_of(row) if in_picture else "")

    rows = tuple(row_of(row, True) for row in table.rows)
    feet = tuple(row_of(row, False) for row in table.feet)
    return ShownTable(table, slug, columns, rows, feet, stacked or len(drawn) == 1)


def json_of(table: Table) -> dict[str, object]:
    """Return the table for programs, with the names of the API: means as decimals, a value that is not stated
    as null, one that cannot exist as an empty text.
    """

    def row_of(row: TableRow) -> dict[str, object]:
        cells = [round(float(cell), 4) if isinstance(cell, Fraction) else cell for cell in row.cells]
        return {"label": row.label, "cells": cells}

    return {
        "title": table.title,
        "note": table.note,
        "head": table.head,
        "columns": list(table.columns),
        "rows": [row_of(row) for row in table.rows],
        "feet": [row_of(row) for row in table.feet],
        "chart": table.chart,
        "drawn": list(table.in_picture),
        "rules": list(table.cites),
        "terms": list(table.terms),
    }


def percent(chance: Fraction) -> str:
    """Return a chance as a percentage with one decimal place: ``33.3 %``. Only an impossible event has
    ``0 %``, only a certain one ``100 %``; between are ``under 0.1 %`` and ``over 99.9 %``.
    """
    if chance in (0, 1):
        return f"{100 * int(chance)} %"
    tenths = round(chance * 1000)
    if not tenths:
        return "under 0.1 %"
    return "over 99.9 %" if tenths == 1000 else f"{tenths // 10}.{tenths % 10} %"


def _is_figure(cell: Cell) -> bool:
    return not isinstance(cell, str) or cell == NOTHING


def _cell(cell: Cell, longest: int | Fraction, words: Callable[[Any], str]) -> ShownCell:
    """Return the cell. ``longest``: the number of a bar of full width, 0 for a cell without a bar."""
    bar = round(WIDTH * max(cell, 0) / longest) if longest > 0 and isinstance(cell, int | Fraction) else None
    return ShownCell(words(cell), _is_figure(cell), bar)


def _segments(row: TableRow, drawn: tuple[int, ...], longest: int | Fraction) -> list[Segment]:
    """Return the pieces of a row's stacked bar. ``drawn``: places of the drawn columns among the cells."""
    segments = []
    # The sum of the cells drawn so far.
    before = 0
    for series, place in enumerate(drawn, start=1):
        cell = row.cells[place]
        if isinstance(cell, int) and cell > 0 and longest > 0:
            # Rounding both ends, not the length, leaves no gap between two pieces.
            start, end = round(WIDTH * before / longest), round(WIDTH * (before + cell) / longest)
            segments.append(Segment(series, start, end - start))
            before += cell
    return segments
