"""What a process keeps of the current edition: the search words of the games with the values that their cards have.

Everything is kept by the edition's state: one tiny query a request says which edition is current, and what is kept for another
is never looked at.
"""

from __future__ import annotations

from functools import lru_cache

from cardsdb.games import games
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.text import fold
from cardsdb.models import Card as StoredCard
from cardsdb.models import Edition, EditionState, Holding
from cardsdb.search.open_index import index_of
from cardsdb.search.query.card_lookup import CardLookup, NamesLike, game_and_name
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.vocabulary import Tally

# Names that a misspelt one is told to be perhaps.
MAX_NAMES = 3
MAX_NAME_LENGTH = 200


def fields_for(game: Game | None, state: EditionState | None = None) -> Fields:
    """The search words of this game, or of all games, with the values that the catalogue knows; ``state`` spares the query."""
    return _fields(state or Edition.objects.current(), (game,) if game else tuple(games().values()))


@lru_cache(maxsize=16)
def _fields(state: EditionState, chosen: tuple[Game, ...]) -> Fields:
    summaries = dict(Holding.objects.values_list("game", "summary"))
    vocabularies = {
        game.slug: summaries[game.slug].get("vocabulary", {}) if game.slug in summaries else Tally(game).vocabulary() for game in chosen
    }
    return Fields(chosen, vocabularies, stored_card(chosen), names_in(chosen, state))


def stored_card(games: tuple[Game, ...]) -> CardLookup:
    """Look cards up in the database: by name, else by code. A look-up is one query or two."""

    def look_up(text: str) -> Card | None:
        among, name = game_and_name(text, games)
        rows = StoredCard.objects.current().filter(game__in=[game.slug for game in among]).prefetch_related("prints")
        cards = rows.filter(name_folded=fold(name))[:2] or rows.filter(code=name[:MAX_NAME_LENGTH])[:2]
        return cards[0].as_card() if len(cards) == 1 else None

    return look_up


def names_in(games: tuple[Game, ...], state: EditionState) -> NamesLike:
    """Names like the one typed; the same name alone if there is one. None without an index."""
    slugs = {game.slug for game in games}

    def like(text: str) -> list[str]:
        index = index_of(state)
        if index is None or not fold(text) or len(text) > MAX_NAME_LENGTH:
            return []
        positions = index.names_like(text, 4 * MAX_NAMES)
        near = [name for name, key in zip(index.names(positions), index.keys(positions), strict=True) if key.partition("/")[0] in slugs]
        exact = [name for name in near if fold(name) == fold(text)]
        return exact[:1] or list(dict.fromkeys(near))[:MAX_NAMES]

    return like
