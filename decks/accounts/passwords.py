"""What a password must not be, beyond what Django refuses."""

from __future__ import annotations

import re
from typing import Any

from django.core.exceptions import ValidationError

from cardsdb.games import games

_NOT_A_LETTER = re.compile(r"[\W\d_]+")
SENTENCE = "That is the name of a game with at most digits around it. Others would try it first."


class NotAGame:
    """Refuses the names of the site and of its games, whatever digits and signs stand around them."""

    def validate(self, password: str, user: Any = None) -> None:
        letters = _NOT_A_LETTER.sub("", password[:200].casefold())
        names = {_NOT_A_LETTER.sub("", name.casefold()) for game in games().values() for name in (game.slug, game.name)}
        if letters in names | {"cutout"}:
            raise ValidationError(SENTENCE, code="password_is_a_game")

    def get_help_text(self) -> str:
        return "Your password must not be the name of a game."
