"""The numbers of a deck: how likely a draw is, as exact fractions, sample hands, and tables made ready to be
shown. No Django.

Drawing without putting back is the hypergeometric distribution: of ``total`` cards ``wanted`` are of the
kind, ``drawn`` are taken, and a hand with ``k`` of the kind is one of comb(wanted, k) * comb(total -
wanted, drawn - k) among comb(total, drawn). Two kinds that may share cards split the deck into four parts.

A sample hand comes out the same for ever, on any machine and in any language. A pile is put in the order of
its cards' codes, copies next to each other, so that the hand does not depend on how its author sorted the
list; then ``shuffled`` shuffles it for the purpose ``hand/<pile>``, after a mulligan ``hand/<pile>/1`` and so
on.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, Literal, NamedTuple

from cardsdb.games.kit import Card, Decklist, Entry, Pile, shuffled
from cardsdb.games.kit.play.statistics import NOT_STATED, NOTHING, Cell, Table, TableRow

How = Literal["at-least", "exactly", "at-most"]
HOW: dict[How, str] = {"at-least": "at least", "exactly": "exactly", "at-most": "at most"}


@dataclass(frozen=True)
class Wish:
    """So many cards of a kind: at least, exactly or at most ``count``."""

    how: How
    count: int

    def numbers(self, most: int) -> range:
        """The numbers of cards, of at most so many, that fulfil the wish."""
        low = 0 if self.how == "at-most" else self.count
        return range(low, most + 1 if self.how == "at-least" else min(self.count, most) + 1)


class Parts(NamedTuple):
    """A deck split by two kinds of card: in the first alone, in the second alone, in both, in neither."""

    first: int
    second: int
    both: int
    rest: int

    @property
    def total(self) -> int:
        return self.first + self.second + self.both + self.rest


def exactly(k: int, wanted: int, total: int, drawn: int) -> Fraction:
    """The chance of exactly ``k`` of the ``wanted`` among ``drawn`` of ``total`` cards."""
    return chance(Wish("exactly", k), wanted, total, drawn)


def chance(wish: Wish, wanted: int, total: int, drawn: int) -> Fraction:
    """The chance that the wish comes true."""
    _check(wanted, total, drawn)
    most = min(wanted, drawn)
    if wish.how == "at-least" and wish.count <= most // 2:
        # It is quicker to count the few hands that have too few.
        return 1 - chance(Wish("at-most", wish.count - 1), wanted, total, drawn)
    hands = sum(comb(wanted, k) * comb(total - wanted, drawn - k) for k in wish.numbers(most))
    return Fraction(hands, comb(total, drawn))


def chance_of_both(first: Wish, second: Wish, parts: Parts, drawn: int) -> Fraction:
    """The chance that both wishes come true at once. A card of both kinds counts for both."""
    _check(parts.first + parts.both, parts.total, drawn)
    if first.how == "at-least":
        # All hands of the second wish but those that have too few of the first.
        second_alone = chance(second, parts.second + parts.both, parts.total, drawn)
        return second_alone - chance_of_both(Wish("at-most", first.count - 1), second, parts, drawn)
    if second.how == "at-least":
        return chance_of_both(second, first, Parts(parts.second, parts.first, parts.both, parts.rest), drawn)
    hands = 0
    for both in range(min(parts.both, drawn) + 1):
        for one in first.numbers(min(parts.first + both, drawn)):
            alone, left = one - both, drawn - one
            if alone < 0:
                continue
            others = (
                other - both for other in second.numbers(both + min(parts.second, left)) if other >= both
            )
            hands += (
                comb(parts.both, both)
                * comb(parts.first, alone)
                * sum(comb(parts.second, other) * comb(parts.rest, left - other) for other in others)
            )
    return Fraction(hands, comb(parts.total, drawn))


def expected(wanted: int, total: int, drawn: int) -> Fraction:
    """The number of them that a draw holds on average."""
    _check(wanted, total, drawn)
    return Fraction(drawn * wanted, total) if total else Fraction(0)


def drawn_by_turn(first: int, per_turn: int, total: int, turns: int) -> list[int]:
    """The number of cards seen in the opening hand, then after each turn's draw, never more than the pile
    has.
    """
    return [min(first + per_turn * turn, total) for turn in range(turns + 1)]


def _check(wanted: int, total: int, drawn: int) -> None:
    if not (0 <= wanted <= total and 0 <= drawn <= total):
        raise ValueError(f"{wanted} of {total} cards, {drawn} drawn: no such draw")


# -- sample hands ----------------------------------------------------------------

SEED = re.compile(r"[A-Za-z0-9_-]{1,40}")


class Drawn(NamedTuple):
    """Cards that came up together: a deal of the opening, or a turn's draw (``turn`` from 1; 0 for the
    opening).
    """

    name: str
    turn: int
    cards: tuple[Card, ...]


class Hand(NamedTuple):
    """The cards drawn from a pile, in order, the number of cards left in it, and the number of hands given
    back.
    """

    drawn: tuple[Drawn, ...]
    left: int
    given_back: int = 0


def in_order(entries: Iterable[Entry]) -> list[Card]:
    """Every copy of every card, by the cards' codes."""
    return [
        entry.card
        for entry in sorted(entries, key=lambda entry: (entry.card.code, entry.section))
        for _ in range(entry.count)
    ]


def hand_of(pile: Pile, deck: Decklist, seed: str, turns: int = 0, mulligans: int = 0) -> Hand:
    """The opening hand of a pile after so many mulligans, as far as it allows them, and the draws of so many
    turns after it.

    A turn without a stated number draws one card. Every mulligan shuffles anew.
    """
    cards, mulligan = in_order(pile.cards(deck)), pile.mulligan
    given_back = min(mulligans, mulligan.times) if mulligan else 0
    purpose = f"hand/{pile.slug}" + (f"/{given_back}" if given_back else "")
    top = iter([cards[place] for place in shuffled(seed, purpose, len(cards))])
    draws = []
    for place, deal in enumerate(pile.deals):
        number = mulligan.hand if given_back and mulligan and place == 0 else deal.number(deck)
        draws.append(Drawn(deal.name, 0, _taken(top, number)))
    for turn in range(1, turns + 1):
        if taken := _taken(top, pile.per_turn or 1):
            draws.append(Drawn(pile.when or "Drawn", turn, taken))
    return Hand(tuple(draws), sum(1 for _ in top), given_back)


def _taken(top: Iterator[Card], number: int) -> tuple[Card, ...]:
    return tuple(card for _, card in zip(range(number), top, strict=False))


# -- tables, every cell in words, every bar in thousandths of the longest ---------------------

WIDTH = 1000


class ShownCell(NamedTuple):
    """``bar``: its length in thousandths, None where none is drawn. ``number``: True if it is set as one."""

    words: str
    number: bool = True
    bar: int | None = None


class Segment(NamedTuple):
    """A piece of a stacked bar: its column's place among those drawn (from 1), where it begins, how long it
    is.
    """

    series: int
    start: int
    length: int


class ShownRow(NamedTuple):
    """A line of the table; ``href`` leads from its label to more about these cards, empty without any."""

    label: str
    cells: tuple[ShownCell, ...]
    segments: tuple[Segment, ...] = ()
    href: str = ""


class ShownColumn(NamedTuple):
    """A heading; ``series`` is its place in a stacked picture, from 1, 0 outside it."""

    title: str
    number: bool
    series: int = 0


class ShownTable(NamedTuple):
    """A table with its picture. ``wide``: there is one bar a row, which stands in a column of its own."""

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
    """The cell as a person writes it; a mean to one place."""
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
    """The table with its bars. ``slug`` names it on the page; ``longest`` is what a bar of the whole width
    stands for.
    """
    drawn, longest = table.in_picture, table.longest if longest is None else longest
    stacked = table.chart == "stacked"
    places = {column: place for place, column in enumerate(drawn, start=1)} if stacked else {}
    columns = tuple(
        ShownColumn(title, all(_is_figure(row.cells[place]) for row in table.rows), places.get(place, 0))
        for place, title in enumerate(table.columns)
    )

    def row_of(row: TableRow, in_picture: bool) -> ShownRow:
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
    """The table with the same values, for programs: means as decimals, what is not stated as null, what
    cannot be as an empty text.
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
    """A chance in hundredths, to one place; what is possible is never 0 and what may fail never 100."""
    if chance in (0, 1):
        return f"{100 * int(chance)} %"
    tenths = round(chance * 1000)
    if not tenths:
        return "under 0.1 %"
    return "over 99.9 %" if tenths == WIDTH else f"{tenths // 10}.{tenths % 10} %"


def _is_figure(cell: Cell) -> bool:
    return not isinstance(cell, str) or cell == NOTHING


def _cell(cell: Cell, longest: int | Fraction, words: Callable[[Any], str]) -> ShownCell:
    bar = round(WIDTH * max(cell, 0) / longest) if longest > 0 and isinstance(cell, int | Fraction) else None
    return ShownCell(words(cell), _is_figure(cell), bar)


def _segments(row: TableRow, drawn: tuple[int, ...], longest: int | Fraction) -> list[Segment]:
    segments, before = [], 0
    for series, place in enumerate(drawn, start=1):
        cell = row.cells[place]
        if isinstance(cell, int) and cell > 0 and longest > 0:
            start, end = round(WIDTH * before / longest), round(WIDTH * (before + cell) / longest)
            segments.append(Segment(series, start, end - start))
            before += cell
    return segments
