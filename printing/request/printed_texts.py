"""Texts that cannot be printed as they are, or not well: letters without a font, and type that is too small.

``assembly.py`` uses it for titles and remarks, ``printing/web`` for the page of an own text and for names on
worksheets. Tests: ``tests/printing/request/test_assembly.py`` and ``test_texts.py``.
"""

import unicodedata
from collections.abc import Iterable, Iterator

from cardsdb.games.kit import Card, Game, listed
from printing.faces import fonts
from printing.faces.compose import type_of_text
from printing.job.limits import MAX_TITLE

# Type size in points. A remark warns of smaller type, which few can read at arm's length.
MIN_POINTS = 6
# Unprintable letters of one text that a remark names; the others are only counted.
MAX_NAMED = 5


def printable(title: str) -> str:
    """The title with a stand-in for each letter that no font has, so that a deck can be printed whatever its
    name. ``unprintable`` reports those letters.
    """
    return fonts.with_stand_ins(title)[:MAX_TITLE]


def unprintable(texts: Iterable[str]) -> Iterator[str]:
    """A sentence for each different text with letters that no font has."""
    for text in dict.fromkeys(texts):
        if missing := fonts.lacking(text):
            names = (f"U+{ord(letter):04X} {unicodedata.name(letter, '')}".strip() for letter in missing)
            named = listed(tuple(names), MAX_NAMED)
            yield f"“{text}”: no font has {named}; {fonts.STAND_IN} is printed instead."


def points_of(card: Card, game: Game, trim: tuple[int, int], *, large: bool = False) -> float:
    """The type size of the card's text in points, to a tenth; 0 if the card has no room for a text."""
    return round(type_of_text(card, game, trim, large=large) / fonts.POINT, 1)


def small_texts(
    game: Game, cards: Iterable[Card], trim: tuple[int, int], *, large: bool = False
) -> Iterator[str]:
    """A sentence for each card with an own text that is set too small to be read easily."""
    for card in {card.code: card for card in cards if not card.written}.values():
        original = game.card(card.code)
        if not original or card.text == original.text:
            continue
        points = points_of(card, game, trim, large=large)
        if 0 < points < MIN_POINTS:
            yield f"{card.name}: your text is set in {points:g} pt. Shorten it to print it larger."
