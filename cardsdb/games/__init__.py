"""Every folder beside ``kit`` is one game; nothing else in Cutout lists them."""

from __future__ import annotations

import importlib
import os
import pkgutil
from functools import cache

from cardsdb.games.kit import Game

# People may keep games of their own outside the repository: each folder named here holds game folders.
__path__ += [path for path in os.environ.get("CUTOUT_GAMES_PATH", "").split(os.pathsep) if path]


@cache
def games() -> dict[str, Game]:
    """Return slug -> game for every game folder, in order of the games' names.

    A folder counts as a game when it is a package that defines ``GAME``; the folder's
    name is the game's slug.
    """
    by_slug = {}
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg and module.name != "kit":
            game = importlib.import_module(f"{__name__}.{module.name}").GAME
            by_slug[game.slug] = game
    return dict(sorted(by_slug.items(), key=lambda item: item[1].name.casefold()))


def game_named(slug: str) -> Game | None:
    """Return the game with this slug, or None."""
    return games().get(slug)
