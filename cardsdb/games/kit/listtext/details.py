"""What a list states besides its cards because a format asks for it: ``Players: 4``, ``Agency: Red Cell``."""

from __future__ import annotations

import re

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.line import LineRefused
from cardsdb.games.kit.model.text import fold


def says_detail(game: Game, line: str) -> bool:
    """Whether the line states a detail that a format of the game asks for."""
    label, _, value = line.partition(":")
    return bool(value.strip() and (details := game.details_by_word) and fold(label) in details)


def read_detail(game: Game, line: str) -> tuple[str, int | str] | None:
    """(key, value) of a line that states a detail; None for any other line. Raises LineRefused for a number
    that is none.
    """
    if not says_detail(game, line):
        return None
    label, _, value = line.partition(":")
    detail, text = game.details_by_word[fold(label)], value.strip()
    if detail.kind != "number":
        return detail.key, text
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise LineRefused("bad_detail", f"{detail.label} must be a whole number, not “{text}”.")
    return detail.key, int(text)
