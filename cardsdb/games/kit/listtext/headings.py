"""The words by which lists name the parts of a deck."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from cardsdb.games.kit.model.cards import fold

if TYPE_CHECKING:
    from cardsdb.games.kit.game import Game

# Other tools' words for all of a deck, or for parts that are no section of their own here.
_WHOLE_DECK = {"deck", "main", "main deck", "maindeck", "mainboard", "commander", "companion"}
SIDEBOARD = "sideboard"
_COUNTED = re.compile(r"\s*(?:\(\d+(?: cards?)?\)|[-–]\s*\d+)?\s*:?\s*(?:\(\d+\))?$")


@lru_cache(maxsize=32)
def headings(game: Game) -> dict[str, tuple[str, str]]:
    """Folded heading -> (section, type): sections by all their words, then types by theirs."""
    found: dict[str, tuple[str, str]] = {}
    for section in game.sections:
        for word in (section.slug, section.name, *section.headings):
            found.setdefault(fold(word), (section.slug, ""))
    for card_type in game.types:
        if card_type.in_decks:
            for word in (card_type.plural, card_type.name):
                found.setdefault(fold(word), ("", card_type.slug))
    return found


def heading_of(game: Game, words: str) -> tuple[str, str] | None:
    """(section, type) that a heading such as ``Leaders (4)`` stands for, both empty for the whole deck; None if it is none."""
    # Space is made single first: three runs of it beside each other are tried in every way there is.
    word = fold(_COUNTED.sub("", " ".join(words.split())))
    return headings(game).get(word) or (("", "") if word in _WHOLE_DECK else None)


def split_heading(game: Game, line: str) -> tuple[str, str]:
    """(folded heading, rest) of a line such as ``X-File: Død Kalm`` or ``SB: 2 Kai``; no heading, and the line, otherwise."""
    if re.match("SB,[0-9]", line):
        return SIDEBOARD, line
    label, colon, rest = line.partition(":")
    heading = SIDEBOARD if fold(label) == "sb" else fold(label)
    if colon and rest.strip() and (heading in headings(game) or heading == SIDEBOARD):
        return heading, rest.strip()
    return "", line
