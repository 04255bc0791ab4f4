"""Names that a line of a list may mean, which names no card as it stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.line import name_in
from cardsdb.games.kit.listtext.reading import Unread
from cardsdb.games.kit.listtext.sections import split_heading
from cardsdb.games.kit.model.names import NameIndex
from cardsdb.games.kit.model.text import fold
from cardsdb.search.engine.game_names import labels_near
from cardsdb.search.query.card_lookup import LIKENESS_IN_LINES, names_near, surely_meant


def suggesting(game: Game, own: NameIndex) -> Callable[[Unread], Unread]:
    """Gives a line of no card the names that it may mean, those of ``own`` cards of its writer first, and the
    one that it surely means.
    """

    def with_suggestions(unread: Unread) -> Unread:
        if unread.code != "unknown_card":
            return unread
        words = fold(unread.text).strip(" 0123456789x*-[]()").split("|")[0].strip()
        mine = [own.called(name)[0].name for name in names_near(words, own.names, LIKENESS_IN_LINES)]
        suggestions = (*mine, *labels_near(words, game))
        return replace(
            unread,
            suggestions=suggestions,
            likely=surely_meant(name_in(split_heading(game, unread.text)[1]), suggestions),
        )

    return with_suggestions
