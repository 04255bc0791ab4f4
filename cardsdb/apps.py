"""The catalogue as an app of Django, with its check: every game folder is whole. Runs with ``manage.py check``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from cardsdb.games import faults, games, look_in


class CardsdbConfig(AppConfig):
    name = "cardsdb"
    verbose_name = "Catalogue"

    def ready(self) -> None:
        from cardsdb.tasks import worker

        worker.register("letters", "cardsdb.tasks.letters.recover")
        look_in(Path(settings.VAR_DIR))
        register(games_are_whole, Tags.compatibility, deploy=False)


def games_are_whole(**kwargs: Any) -> list[CheckMessage]:
    """One error a broken promise of a game folder, and one a fault of a game or a format that is data."""
    # Only this check needs it.
    from cardsdb.games.kit.contract.checks import problems

    broken = [*faults(), *(problem for game in games().values() for problem in problems(game))]
    return [Error(problem, id="cardsdb.E001") for problem in broken]
