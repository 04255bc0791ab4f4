"""Marks of facts' values: a drawing or a letter in the colour that the game gives the value. The colours are
in ``/games.css``.
"""

from __future__ import annotations

from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe

from cardsdb.games.kit import Game, RowFact
from cardsdb.games.kit.print.face import Symbol
from cardsdb.site.game_colours import colour_class
from cardsdb.site.templates import escaped

# Words of a value that its letter is not taken from.
ARTICLES = ("the", "a", "an")


@lru_cache(maxsize=2_000)
def mark(game: Game, fact: RowFact, value: str) -> str:
    """The mark of a value as HTML. Screen readers hear the value itself."""
    name = escaped(value)
    return (
        f'<span class="mark {colour_class(game, value)}" title="{name}">{_shape(fact, value)}'
        f'<span class="visually-hidden">{name}</span></span>'
    )


def plain_mark(game: Game, fact: RowFact, value: str) -> SafeString:
    """The mark of a value that stands beside it in words."""
    return mark_safe(  # noqa: S308 (drawings of ours, and names that are escaped)
        f'<span class="mark {colour_class(game, value)}" aria-hidden="true">{_shape(fact, value)}</span>'
    )


def type_mark(game: Game, slug: str) -> SafeString:
    """The drawing that the faces of a type have, beside its name; empty for a type without one."""
    card_type = game.types_by_slug.get(slug)
    drawn = game.faces[slug].elements if slug in game.faces else ()
    path = (card_type.symbol if card_type else "") or next(
        (element.path for element in drawn if isinstance(element, Symbol)), ""
    )
    return mark_safe(  # noqa: S308 (drawings of ours, and names that are escaped)
        f'<span class="mark mark-type" aria-hidden="true">{_drawing(path)}</span>' if path else ""
    )


def _shape(fact: RowFact, value: str) -> str:
    drawing = dict(fact.symbols).get(value)
    return _drawing(drawing) if drawing else _letter(value)


def _drawing(path: str) -> str:
    return f'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{escaped(path)}"/></svg>'


def _letter(value: str) -> str:
    words = [word for word in value.split() if word.lower() not in ARTICLES] or [value]
    letters = value if len(value) <= 2 else words[0][:1].upper()
    return f'<span aria-hidden="true">{escaped(letters)}</span>'
