"""The catalogue's app, and a system check (``manage.py check``) that game folders keep their promises.

Django finds this module by its name. ``prepare`` reads the errors of the check to leave games out. Tests:
``tests/cardsdb/games/test_left_out.py``, ``tests/cardsdb/games/kit/contract``.
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
# Id of all errors of this check; ``prepare`` leaves a game out for them.
NOT_WHOLE = "cardsdb.E001"


class CardsdbConfig(AppConfig):
    name = "cardsdb"
    verbose_name = "Catalogue"

    def ready(self) -> None:
        look_in(Path(settings.VAR_DIR))
        register(games_are_whole, Tags.compatibility, deploy=False)
        # Registers the checks of ``manage.py doctor``. Imported here because it needs the models.
        import_module("cardsdb.operate.checks")


def games_are_whole(**kwargs: Any) -> list[CheckMessage]:
    """Return an error for each promise that a game folder breaks, with the game's slug as its object, and for
    each game or format that cannot be read.

    The code of a game runs during the check; an exception from it becomes an error too.
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
