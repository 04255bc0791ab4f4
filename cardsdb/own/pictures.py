"""Own pictures of cards, for pages that show faces. Printing stores and draws them, and registers here who finds them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from cardsdb.games.kit import Game
from cardsdb.identity.viewer import Viewer

# A picture, which only the tag that draws faces looks into.
OwnPicture = Any
Finder = Callable[[Viewer, Game, Collection[str]], Mapping[str, OwnPicture]]
States = Callable[[Viewer, Game], Mapping[str, int]]
_registered: list[tuple[Finder, States]] = []


def register(finder: Finder, states: States) -> None:
    """Let these find own pictures, in place of what was registered before."""
    _registered[:] = [(finder, states)]


def pictures_of_cards(viewer: Viewer, game: Game, codes: Collection[str]) -> Mapping[str, OwnPicture]:
    """Card code -> the picture of its front that this visitor sees: their own, else everyone's on a private site. One query.

    A page that shows one says so (``page_cache.shows_own``).
    """
    return _registered[0][0](viewer, game, codes) if _registered and codes else {}


def picture_states(viewer: Viewer, game: Game) -> Mapping[str, int]:
    """Card code -> a number that is another when the picture of its front is, for all that this visitor sees in a game. One query."""
    return _registered[0][1](viewer, game) if _registered else {}
