"""The names of a game's folder, of which a misspelt line of a list may mean one."""

from __future__ import annotations

import re
from functools import lru_cache

from cardsdb.games.kit import Game
from cardsdb.search.engine.names import Names

# Names that are offered in place of a misspelt one.
MAX_NAMES = 3
# Where a set, a number or a mark may begin behind a name.
_BEHIND = re.compile(r"\s[(\[#^]")


def labels_near(typed: str, game: Game) -> tuple[str, ...]:
    """What lists call the cards that a misspelt line may mean, best first; ``typed`` is its name, folded,
    with what stands behind.
    """
    names, index = _names(game), game.name_index
    texts = dict.fromkeys((_BEHIND.split(typed, maxsplit=1)[0], typed))
    near = dict.fromkeys(name for text in texts if text for name in names.like(text, MAX_NAMES))
    return tuple(dict.fromkeys(index.label(index.called(name)[0]) for name in near))[:MAX_NAMES]


@lru_cache(maxsize=8)
def _names(game: Game) -> Names:
    return Names(game.name_index.names)
