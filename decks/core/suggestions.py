"""Names that a line of a list may mean, which names no card as it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.line import name_in
from cardsdb.games.kit.listtext.reading import Unread
from cardsdb.games.kit.listtext.sections import split_heading
from cardsdb.games.kit.model.likeness import surely_meant
from cardsdb.games.kit.model.names import NameIndex
from cardsdb.games.kit.model.text import fold

# Names of the game, and of one's own cards, that are offered in place of a misspelt one.
MAX_NAMES = 3
# Where a set, a number or a mark may begin behind a name.
_BEHIND = re.compile(r"\s[(\[#^]")


def suggesting(game: Game, own: NameIndex) -> Callable[[Unread], Unread]:
    """Gives a line of no card the names that it may mean, those of ``own`` cards of its writer first, and the
    one that it surely means.
    """

    def with_suggestions(unread: Unread) -> Unread:
        if unread.code != "unknown_card":
            return unread
        words = fold(unread.text).strip(" 0123456789x*-[]()").split("|")[0].strip()
        # With what stands behind the name, and without it.
        texts = tuple(dict.fromkeys(filter(None, (_BEHIND.split(words, maxsplit=1)[0], words))))
        mine, others = (_labels_like(texts, index) for index in (own, game.name_index))
        suggestions = (*mine, *others)
        return replace(
            unread,
            suggestions=suggestions,
            likely=surely_meant(name_in(split_heading(game, unread.text)[1]), suggestions),
        )

    return with_suggestions


def _labels_like(texts: Iterable[str], index: NameIndex) -> tuple[str, ...]:
    """Return how lists call the few cards of names like these texts, best first."""
    names = dict.fromkeys(name for text in texts for name in index.like(text, MAX_NAMES))
    return tuple(dict.fromkeys(index.label(index.called(name)[0]) for name in names))[:MAX_NAMES]
