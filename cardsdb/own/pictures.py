"""Own pictures of cards, for pages that show faces. Printing stores and draws them, and registers here who finds them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from cardsdb.games.kit import Game
from cardsdb.identity.viewer import Viewer

# A picture, which only the tag that draws faces looks into.
OwnPicture = Any
Finder = Callable[[Viewer, Game, Collection[str]], Mapping[str, OwnPicture]]
_finders: list[Finder] = []


def register(finder: Finder) -> None:
    """Let this find own pictures, in place of what was registered before."""
    _finders[:] = [finder]


def pictures_of_cards(viewer: Viewer, game: Game, codes: Collection[str]) -> Mapping[str, OwnPicture]:
    """Card code -> the picture of its front that this visitor sees: their own, else everyone's on a private site. One query.

    A page that shows one says so (``page_cache.shows_own``).
    """
    return _finders[0](viewer, game, codes) if _finders and codes else {}
