"""Find the one card that a text names, and names that a misspelt one may be, among cards in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cardsdb.games.kit import Game
from cardsdb.search.query.similar import Reference

# The card of a name or a code, with or without "game/" before it; None if there is none, or more than one.
CardLookup = Callable[[str], "Reference | None"]
# A name as typed -> real names most like it, best first; the same name if there is one.
NamesLike = Callable[[str], list[str]]

# Names that are offered in place of a misspelt one.
MAX_NAMES = 3


def game_and_name(text: str, games: Iterable[Game]) -> tuple[tuple[Game, ...], str]:
    """The games that a card may be of, and its name or code without the game before it."""
    games = tuple(games)
    slug, slash, rest = text.partition("/")
    named = tuple(game for game in games if game.slug == slug.strip()) if slash else ()
    return (named, rest.strip()) if named else (games, text)
