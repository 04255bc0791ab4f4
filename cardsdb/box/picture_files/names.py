"""The card that a picture shows, by the name of its file. Nothing is guessed: a name that fits two cards fits
none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.names import NameIndex, number_key
from cardsdb.games.kit.model.text import fold, slugify

ENDING = re.compile(r"\.[A-Za-z]{3,4}$")
SIDE = re.compile(r"[ _\-.(\[]*\b(front|back|recto|verso|face)\b[)\]]*\s*$", re.IGNORECASE)
# What programs add to the name of a copy: "kai (1)", "kai copy", "kai-1200x1680", "kai 300dpi".
EXTRAS = re.compile(
    r"(?:[ _\-]*(?:\(\d{1,3}\)|\bcopy\b|\d{2,5}x\d{2,5}(?!\d)|\d{2,4} ?dpi|@\dx))+\s*$", re.IGNORECASE
)
# The longest name in a folder; an archive may have longer ones.
MAX_NAME = 255
COUNTED = re.compile(r"^\d{1,4}(?:x\b|[ _.\-]+)(?=\D)")
SIDES = {"front": "front", "recto": "front", "face": "front", "back": "back", "verso": "back"}
ALL_BACKS = ("back", "cardback", "card-back")


class OwnNames:
    """Somebody's own cards, by code, name, and number, alone or with their set."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self.cards = tuple(cards)
        self._by_code = {fold(card.code): card for card in self.cards}
        self._names = NameIndex(self.cards)

    def called(self, words: str) -> tuple[Card, ...]:
        """Those that words may mean; none for none."""
        if card := self._by_code.get(fold(words).replace("-", "_").replace(" ", "_")):
            return (card,)
        return tuple(self._names.called(words)) or self._names.numbered(words)

    def stated(self, code: str, name: str, card_type: str) -> Card | None:
        """The one card that a row is about: by its code, else by its name, of several the one of its type."""
        if card := self._by_code.get(fold(code)):
            return card
        cards = tuple(self._names.called(name) if name else ())
        if len(cards) > 1:
            cards = tuple(card for card in cards if slugify(card_type) == card.type)
        return cards[0] if len(cards) == 1 else None

    def in_set(self, folder: str, words: str) -> Card | None:
        """The one card of a set that has this name or number."""
        of_set = (card for card in self.cards if any(fold(one.set) == fold(folder) for one in card.prints))
        found = [
            card
            for card in of_set
            if number_key(words) in (number_key(card.name), *(number_key(one.number) for one in card.prints))
        ]
        return found[0] if len(found) == 1 else None


NOBODYS = OwnNames(())


def card_and_side(name: str, game: Game, own: OwnNames = NOBODYS) -> tuple[Card | None, str, bool]:
    """(card, front or back or empty if the name has no side, whether it is the back of all cards), from a
    file's name.
    """
    stem = ENDING.sub("", name.replace("\\", "/").rpartition("/")[2][-MAX_NAME:])
    stem = EXTRAS.sub("", re.sub(r"[_+]|%20", " ", stem)).strip()
    # The name of a card may end in a side: Double Back.
    if card := card_called(stem, game, own):
        return card, "", False
    if slugify(stem) in (*ALL_BACKS, *(f"{called}-back" for called in (game.slug, slugify(game.name)))):
        return None, "back", True
    match = SIDE.search(stem)
    if not match:
        return None, "", False
    return card_called(EXTRAS.sub("", stem[: match.start()]), game, own), SIDES[match[1].casefold()], False


def card_called(words: str, game: Game, own: OwnNames = NOBODYS) -> Card | None:
    """The one card with this name, code or collector number; None for none and for several. One's own come
    after the game's.
    """
    cards = cards_called(words, game, own)
    return cards[0] if len(cards) == 1 else None


def cards_called(words: str, game: Game, own: OwnNames = NOBODYS) -> tuple[Card, ...]:
    """The card with this name, code or collector number; or the first several that have one of them; empty
    for none.
    """
    several: tuple[Card, ...] = ()
    words = " ".join(words.split())
    if not words:
        return ()
    spaced = words.replace("-", " ")
    for text in dict.fromkeys((words, spaced, COUNTED.sub("", words), COUNTED.sub("", spaced))):
        if card := game.card(slugify(text)):
            return (card,)
        for cards in (game.name_index.called(text), game.name_index.numbered(text)):
            if len(cards) == 1:
                return tuple(cards)
            several = several or tuple(cards)
        match = game.name_index.find(text)
        if len(match.cards) == 1 and not match.ignored:
            return tuple(match.cards)
        several = several or (() if match.ignored else tuple(match.cards))
    return several or next(filter(None, map(own.called, (words, spaced))), ())
