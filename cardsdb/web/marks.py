"""Marks of facts' values: a drawing or a letter in the colour that the game gives the value. The colours are
in ``/games.css``, the HTML in ``macros/cards.html``.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardsdb.games.kit import Game, RowFact
from cardsdb.games.kit.print.face import Symbol
from cardsdb.site.static_files import colour_class

# Words of a value that its letter is not taken from.
ARTICLES = ("the", "a", "an")


@dataclass(frozen=True, slots=True)
class Mark:
    """A drawing, the ``path`` of an SVG, or else ``letters``. ``name``: what screen readers hear; empty where
    the value stands beside it in words. ``colour`` is a CSS class.
    """

    colour: str
    path: str = ""
    letters: str = ""
    name: str = ""


def mark(game: Game, fact: RowFact, value: str) -> Mark:
    """The mark of a value that stands alone."""
    return Mark(colour_class(game, value), *_shape(fact, value), value)


def plain_mark(game: Game, fact: RowFact, value: str) -> Mark:
    """The mark of a value that stands beside it in words."""
    return Mark(colour_class(game, value), *_shape(fact, value))


def type_mark(game: Game, slug: str) -> Mark | None:
    """The drawing that the faces of a type have, beside its name; None for a type without one."""
    card_type = game.types_by_slug.get(slug)
    drawn = game.faces[slug].elements if slug in game.faces else ()
    path = (card_type.symbol if card_type else "") or next(
        (element.path for element in drawn if isinstance(element, Symbol)), ""
    )
    return Mark("mark-type", path) if path else None


def _shape(fact: RowFact, value: str) -> tuple[str, str]:
    """The drawing of a value, or its letters."""
    drawing = dict(fact.symbols).get(value)
    return (drawing, "") if drawing else ("", _letters(value))


def _letters(value: str) -> str:
    words = [word for word in value.split() if word.lower() not in ARTICLES] or [value]
    return value if len(value) <= 2 else words[0][:1].upper()
