"""The cards found, each with how many of it the deck has where it would be put."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from cardsdb.games.kit import Format, Game
from cardsdb.search.engine.snapshot import ListedCard
from cardsdb.web.lists.browsing import short_facts
from decks.core.content import DeckContent
from decks.core.edits import home_of
from decks.editor.card_results import CardResults

# More would not fit into a row beside the deck.
MAX_FACTS = 4


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A card with its section: ``count`` copies stand there, ``besides`` in others."""

    card: ListedCard
    type: str
    facts: str
    section: str
    count: int
    besides: int

    @property
    def key(self) -> str:
        return f"{self.section} {self.card.code}"


def rows_of(results: CardResults, content: DeckContent, game: Game, format: Format, into: str) -> list[FoundRow]:
    """A row for each card; ``into`` is the section the author wants them in, where it takes their type."""
    placed: Counter[tuple[str, str]] = Counter()
    held: Counter[str] = Counter()
    for entry in content.deck:
        placed[entry.section, entry.card.code] += entry.count
        held[entry.card.code] += entry.count
    rows = []
    for card in results.cards:
        section = home_of(game, card.type, format, into)
        count = placed[section, card.code]
        rows.append(
            FoundRow(
                card,
                game.type_named(card.type).name,
                short_facts(game, card, results.keys, MAX_FACTS),
                section,
                count,
                held[card.code] - count,
            )
        )
    return rows
