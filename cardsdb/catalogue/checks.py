"""A Django check: every game folder is whole. Runs with ``manage.py check``."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register

from cardsdb.games import games
from cardsdb.games.kit.contract.checks import problems


@register(Tags.compatibility, deploy=False)
def games_are_whole(**kwargs: Any) -> list[CheckMessage]:
    """One error a broken promise of a game folder."""
    return [Error(problem, id="cardsdb.E001") for game in games().values() for problem in problems(game)]
