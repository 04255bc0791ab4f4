"""The card that a picture shows, by the name of its file. Nothing is guessed: a name that fits two cards fits none."""

from __future__ import annotations

import re
from functools import lru_cache

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.listtext.names import name_index
from cardsdb.games.kit.model.text import fold, slugify

ENDING = re.compile(r"\.[A-Za-z]{3,4}$")
SIDE = re.compile(r"[ _\-.(\[]*\b(front|back|recto|verso|face)\b[)\]]*\s*$", re.IGNORECASE)
# What programs add to the name of a copy: "kai (1)", "kai copy", "kai-1200x1680", "kai 300dpi".
EXTRAS = re.compile(r"(?:[ _\-]*(?:\(\d{1,3}\)|\bcopy\b|\d{2,5}x\d{2,5}(?!\d)|\d{2,4} ?dpi|@\dx))+\s*$", re.IGNORECASE)
# The longest name in a folder; an archive may have longer ones.
MAX_NAME = 255
COUNTED = re.compile(r"^\d{1,4}(?:x\b|[ _.\-]+)(?=\D)")
SIDES = {"front": "front", "recto": "front", "face": "front", "back": "back", "verso": "back"}
ALL_BACKS = ("back", "cardback", "card-back")


def card_and_side(name: str, game: Game) -> tuple[Card | None, str, bool]:
    """(card, front or back or empty if the name has no side, whether it is the back of all cards), from a file's name."""
    stem = ENDING.sub("", name.replace("\\", "/").rpartition("/")[2][-MAX_NAME:])
    stem = EXTRAS.sub("", re.sub(r"[_+]|%20", " ", stem)).strip()
    # The name of a card may end in a side: Double Back.
    if card := card_called(stem, game):
        return card, "", False
    if slugify(stem) in (*ALL_BACKS, *(f"{called}-back" for called in (game.slug, slugify(game.name)))):
        return None, "back", True
    match = SIDE.search(stem)
    if not match:
        return None, "", False
    return card_called(EXTRAS.sub("", stem[: match.start()]), game), SIDES[match[1].casefold()], False


def card_called(words: str, game: Game) -> Card | None:
    """The one card with this name, code or collector number; None for none and for several."""
    cards = cards_called(words, game)
    return cards[0] if len(cards) == 1 else None


def cards_called(words: str, game: Game) -> tuple[Card, ...]:
    """The card with this name, code or collector number; or the first several that have one of them; empty for none."""
    several: tuple[Card, ...] = ()
    words = " ".join(words.split())
    if not words:
        return ()
    spaced = words.replace("-", " ")
    for text in dict.fromkeys((words, spaced, COUNTED.sub("", words), COUNTED.sub("", spaced))):
        if card := game.card(slugify(text)):
            return (card,)
        for cards in (name_index(game).called(text), _numbers(game).get(_key(text), ())):
            if len(cards) == 1:
                return tuple(cards)
            several = several or tuple(cards)
        match = name_index(game).find(text)
        if len(match.cards) == 1 and not match.ignored:
            return tuple(match.cards)
        several = several or (() if match.ignored else tuple(match.cards))
    return several


def _key(text: str) -> str:
    return re.sub(r"[^0-9a-z]+", " ", fold(text)).strip()


@lru_cache(maxsize=16)
def _numbers(game: Game) -> dict[str, tuple[Card, ...]]:
    """Cards by collector number, alone and with their set, and by the codes of their prints."""
    cards_by_number: dict[str, dict[str, Card]] = {}
    for card in game.cards:
        for one in card.prints:
            for text in (one.number, f"{one.set} {one.number}" if one.number else "", one.code):
                if key := _key(text):
                    cards_by_number.setdefault(key, {})[card.code] = card
    return {key: tuple(cards.values()) for key, cards in cards_by_number.items()}
