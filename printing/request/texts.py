"""People's own text for cards as it is printed: which size it is set in, and what our fonts cannot print of
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardsdb.box.texts import cannot_show, clean_text, save_text
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Game
from cardsdb.identity.viewer import Viewer
from printing.faces import fonts
from printing.faces.compose import type_of_text

# Points. The print page warns of smaller type, which few read at arm's length.
MIN_POINTS = 5


def points_of(card: Card, game: Game, trim: tuple[int, int], *, large: bool = False) -> float:
    """The size in points, to a tenth, in which the card's text is set; nothing where it has no room."""
    return round(type_of_text(card, game, trim, large=large) / fonts.POINT, 1)


def small_texts(
    game: Game, cards: Iterable[Card], trim: tuple[int, int], *, large: bool = False
) -> Iterator[str]:
    """A sentence for each card that has a text of its owner's set smaller than is easily read."""
    for card in {card.code: card for card in cards if not card.written}.values():
        ours = game.card(card.code)
        if (
            ours
            and card.text != ours.text
            and 0 < (points := points_of(card, game, trim, large=large)) < MIN_POINTS
        ):
            yield f"{card.name}: your text is set in {points:g} pt. Shorten it to print it larger."


def save_printable(viewer: Viewer, game: Game, code: str, text: str) -> bool:
    """Store a text that was typed for a card; whether there is one now. Raises Refused for what cannot be
    printed.
    """
    for number, line in enumerate(clean_text(text).split("\n"), 1):
        if bad := list(fonts.missing(line)):
            raise Refused(Fault("missing_character", cannot_show(number, bad), "text"))
    return save_text(viewer, game, code, text)
