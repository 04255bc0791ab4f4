"""The catalogue as an app of Django, with its check: every game folder is whole. Runs with ``manage.py
check``.
"""

import logging
from importlib import import_module
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from cardsdb.games import every_game, look_in
from cardsdb.games.kit.contract.checks import problems

log = logging.getLogger(__name__)
NOT_WHOLE = "cardsdb.E001"


class CardsdbConfig(AppConfig):
    name = "cardsdb"
    verbose_name = "Catalogue"

    def ready(self) -> None:
        look_in(Path(settings.VAR_DIR))
        register(games_are_whole, Tags.compatibility, deploy=False)
        # Its checks are asked for by their tags; they need the models.
        import_module("cardsdb.operate.checks")


def games_are_whole(**kwargs: Any) -> list[CheckMessage]:
    """One error a broken promise of a game folder, whose object is the game's slug, and one a fault of a game
    or a format that cannot be read. What code of a game raises while its promises are looked at is one
    more.
    """
    found, unreadable = every_game()
    errors: list[CheckMessage] = [Error(problem, id=NOT_WHOLE) for problem in unreadable]
    for slug, game in found.items():
        try:
            errors += [Error(problem, obj=slug, id=NOT_WHOLE) for problem in problems(game)]
        except Exception as error:
            log.exception("the code of %s", slug)
            errors.append(Error(f"its code fails: {type(error).__name__}: {error}", obj=slug, id=NOT_WHOLE))
    return errors
