"""The catalogue as an app of Django, with its check: every game folder is whole. Runs with ``manage.py check``."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Tags, register

from cardsdb.games import games
from cardsdb.games.kit.contract.checks import problems


class CardsdbConfig(AppConfig):
    name = "cardsdb"
    verbose_name = "Catalogue"

    def ready(self) -> None:
        register(games_are_whole, Tags.compatibility, deploy=False)


def games_are_whole(**kwargs: Any) -> list[CheckMessage]:
    """One error a broken promise of a game folder."""
    return [Error(problem, id="cardsdb.E001") for game in games().values() for problem in problems(game)]
