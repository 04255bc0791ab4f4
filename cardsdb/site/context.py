"""What every page's template may use."""

from __future__ import annotations

from django.http import HttpRequest

from cardsdb.games import games


def credits(request: HttpRequest) -> dict[str, object]:
    """The games whose material must be credited wherever it appears; any page may name one of their cards."""
    return {"credited_games": [game for game in games().values() if game.credit]}
