"""The search fields of games, built from their folders without a database."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from cardsdb.catalogue.current import of_folders
from cardsdb.games.kit import Card, Game
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.standard import Tally, search_columns


def fields_among(games: Iterable[Game]) -> Fields:
    """Return the search fields of these games, with the values that their cards have."""
    return of_folders({game.slug: game for game in games}, searched=True).fields()


@lru_cache(maxsize=4)
def fields_of(games: tuple[Game, ...]) -> Fields:
    """Return ``fields_among``, cached."""
    return fields_among(games)


def vocabulary_of(game: Game, cards: Iterable[Card]) -> dict[str, dict[str, tuple[str, int]]]:
    """Return the values of these cards by field, folded: field -> folded value -> (value, number of cards).
    Values that the game declares and no card has count 0.
    """
    tally = Tally(game)
    for card in cards:
        tally.add(card, search_columns(card, game)["terms"])
    return tally.vocabulary()
