"""The colours of the games and of their facts' values as custom properties, so that a new game needs no edit
of the stylesheet.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.text import slugify

from cardsdb.games import games
from cardsdb.games.kit import Game


def game_colours() -> str:
    """The sheet ``/games.css``, which stands in the stylesheet when that is collected."""
    return "\n".join(_rules()) + "\n"


def colour_class(game: Game, value: str) -> str:
    """The class that carries the colour of a fact's value; empty if the game gives it none."""
    return f"value-{game.slug}-{slugify(value)}" if value in game.colours else ""


def _rules() -> Iterator[str]:
    for game in games().values():
        yield f".game-{game.slug} {{ --hue: {game.hue[0]}; --hue-dark: {game.hue[1]}; }}"
    for game in games().values():
        yield from (
            f".{colour_class(game, value)} {{ --value: {colour}; }}"
            for value, colour in game.colours.items()
            if slugify(value)
        )
