"""The contract of rules that name cards and sets: each name is one of the game."""

from __future__ import annotations

from collections.abc import Iterator

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.text import fold
from cardsdb.games.kit.rules.card_lists import OnlySets, card_lists_of


def card_list_problems(game: Game) -> Iterator[str]:
    """The cards and sets that rules name and the game does not have."""
    named = [
        (format, rule, called)
        for format in game.formats
        for rule in format.rules
        for cards in card_lists_of(rule)
        for called in cards.called
    ]
    known = {word for card in game.cards for word in (card.code, fold(card.name))} if named else set()
    for format, rule, called in named:
        if fold(called) not in known:
            yield f"format {format.slug}: rule {rule.code} names {called!r}, which is neither the code nor the name of a card"
    for format in game.formats:
        for rule in format.rules:
            for code in rule.sets if isinstance(rule, OnlySets) else ():
                if code not in game.sets_by_code:
                    yield f"format {format.slug}: rule {rule.code} names the set {code!r}, which is not in sets.csv"
