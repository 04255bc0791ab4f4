"""Up to four cards side by side: each fact a row, with a word for how its values stand to each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.cards import as_words
from cardsdb.games.kit.model.text import fold

MOST = 4
Verdict = Literal["same", "same where stated", "differs", "not all known", ""]
_IDENTIFIER = re.compile(r"\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cell:
    """One card's value. Without one it is unknown, or, where the fact does not belong to the card, not ``applies``."""

    value: str = ""
    applies: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """One fact of all cards, in the order of the cards."""

    title: str
    help: str
    cells: tuple[Cell, ...]
    number: bool = False

    @property
    def verdict(self) -> Verdict:
        """``differs`` as soon as two known values do; nothing where only one card can have the fact at all.

        Identifiers differ by nature, which says nothing about the cards.
        """
        applying = [cell for cell in self.cells if cell.applies]
        stated = [fold(cell.value) for cell in applying if cell.value]
        if len(set(stated)) > 1:
            return "" if all(_IDENTIFIER.fullmatch(value) for value in stated) else "differs"
        if len(applying) < 2:
            return ""
        if len(stated) == len(self.cells):
            return "same"
        return "same where stated" if len(stated) > 1 else "not all known"


def rows_of(compared: Sequence[tuple[Game, Card]]) -> list[Row]:
    """Game and type, then every fact that at least one of the cards has or should have.

    Facts of different games are one row when they have the same key and the same name. A fact
    that no card has, and that only some could have, is left out.
    """
    rows = [
        Row("Game", "The game the card belongs to.", tuple(Cell(game.name) for game, _ in compared)),
        Row("Type", "What kind of card it is.", tuple(Cell(game.type_named(card.type).name) for game, card in compared)),
    ]
    facts = {(fact.key, fact.title): fact for game, _ in compared for fact in game.facts}
    for (key, title), fact in facts.items():
        cells = tuple(_cell(game, card, key, title) for game, card in compared)
        if any(cell.value or cell.applies for cell in cells):
            rows.append(Row(title, fact.help, cells, fact.kind == "number"))
    rows.append(Row("Effect", "In our words.", tuple(Cell(card.text, bool(card.text)) for _, card in compared)))
    rows.append(Row("Prints", "Set and collector number.", tuple(Cell(_prints(card), bool(card.prints)) for _, card in compared)))
    return [row for row in rows if any(cell.value or cell.applies for cell in row.cells)]


def _cell(game: Game, card: Card, key: str, title: str) -> Cell:
    fact = game.facts_by_key.get(key)
    if fact is None or fact.title != title:
        return Cell(applies=False)
    value = card.fact(key)
    if value is not None:
        return Cell(as_words(value))
    return Cell(applies=fact.expected_of(card.type) and not any(other in card.facts for other in fact.unless))


def _prints(card: Card) -> str:
    return ", ".join(f"{print_.set} {print_.number}".strip() for print_ in card.prints)


def without(keys: Iterable[str], gone: str) -> list[str]:
    return [key for key in keys if key != gone]
