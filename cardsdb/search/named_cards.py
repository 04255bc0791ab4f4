"""The names that a misspelt one may be, in the catalogue as it is loaded."""

from __future__ import annotations

from collections.abc import Callable

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.text import fold
from cardsdb.models import State
from cardsdb.search.index import Index
from cardsdb.search.open_index import index_of
from cardsdb.search.query.card_lookup import NamesLike
from cardsdb.web.lists.completion import Names

MOST = 3
LONGEST = 200


def names_in(games: tuple[Game, ...], state: State) -> NamesLike:
    """Names like the one typed; the same name alone if there is one. None without an index."""
    slugs = {game.slug for game in games}

    def like(text: str) -> list[str]:
        index = index_of(state)
        if index is None or not fold(text) or len(text) > LONGEST:
            return []
        positions = index.names_like(text, 4 * MOST)
        near = [name for name, key in zip(index.names(positions), index.keys(positions), strict=True) if key.partition("/")[0] in slugs]
        exact = [name for name in near if fold(name) == fold(text)]
        return exact[:1] or list(dict.fromkeys(near))[:MOST]

    return like


def names_beginning(index: Index | None) -> Names:
    """For completing a name: names that begin so, each with its game. None without an index."""
    return _with_games(index, lambda index, text, most: index.names_starting(text, most))


def likely_names(index: Index | None) -> Names:
    """For completing a misspelt name: names like it, each with its game. None without an index."""
    return _with_games(index, lambda index, text, most: index.names_like(text, most))


def _with_games(index: Index | None, find: Callable[[Index, str, int], list[int]]) -> Names:
    def found(text: str, most: int) -> list[tuple[str, str]]:
        if index is None or not text or len(text) > LONGEST:
            return []
        positions = find(index, text, most)
        known = games()
        slugs = (key.partition("/")[0] for key in index.keys(positions))
        named = ((name, known[slug].name) for name, slug in zip(index.names(positions), slugs, strict=True) if slug in known)
        return list(dict.fromkeys(named))

    return found
