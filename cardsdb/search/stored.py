"""Look cards up by name among the rows of the catalogue, for ``Fields``."""

from __future__ import annotations

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.text import fold
from cardsdb.models import Card as Row
from cardsdb.search.query.card_lookup import CardLookup, game_and_name


def stored_card(games: tuple[Game, ...]) -> CardLookup:
    """Look cards up in the database: by name, else by code. A look-up is one query or two."""

    def found(text: str) -> Card | None:
        among, name = game_and_name(text, games)
        rows = Row.objects.current().filter(game__in=[game.slug for game in among]).prefetch_related("prints")
        cards = rows.filter(name_folded=fold(name))[:2] or rows.filter(code=name[:200])[:2]
        return cards[0].as_card() if len(cards) == 1 else None

    return found
