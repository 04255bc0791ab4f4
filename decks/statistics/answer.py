"""Odds as tables with their pictures."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from cardsdb.games.kit.model.text import plural
from cardsdb.games.kit.play.figures import Table, TableRow
from decks.core.charts import ShownTable, percent, shown
from decks.statistics.asking import Kind, Odds


@dataclass(frozen=True, slots=True)
class Answer:
    """The odds in tables: how many of each kind come up, and how the chances grow."""

    spreads: tuple[ShownTable, ...]
    turns: ShownTable | None
    copies: ShownTable


def answer_of(odds: Odds) -> Answer:
    """The tables that show these odds."""
    spreads = tuple(_spread(kind) for kind in odds.kinds)
    letters = tuple(kind.letter for kind in odds.kinds)
    columns = (*letters, "Both") if odds.together is not None else letters
    rows = [(f"{turn.label}, {turn.seen} seen", turn.all_chances) for turn in odds.turns]
    turns = _chances("As more is drawn", "Cards", columns, rows, "turns") if letters else None
    copies = [(f"{n} {plural(n, 'copy', 'copies')} in the deck", (chance,)) for n, chance in odds.by_copies]
    return Answer(spreads, turns, _chances("One card by its copies", "Card with", ("At least one drawn",), copies, "copies"))


def _spread(kind: Kind) -> ShownTable:
    rows = [(str(k), (chance,)) for k, chance in kind.spread]
    return _chances(f"How many of {kind.letter}", "Drawn", ("Chance",), rows, f"spread-{kind.letter}")


def _chances(title: str, head: str, columns: tuple[str, ...], rows: list[tuple[str, tuple[Fraction, ...]]], slug: str) -> ShownTable:
    """A table of chances: a bar is as long as the chance is great, and the whole width is certainty."""
    table = Table(title, head, columns, tuple(TableRow(label, chances) for label, chances in rows))
    return shown(table, slug, longest=1, words=percent)
