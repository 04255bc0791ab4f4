"""Which of a game's open questions touch a card: those that name it, those about its type, those about decks that may hold it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from cardsdb.games.kit import Card, CardType, Game, Ruling


@dataclass(frozen=True, slots=True)
class Touching:
    """Each ruling once, at the nearest of the three."""

    named: tuple[Ruling, ...] = ()
    of_type: tuple[Ruling, ...] = ()
    of_decks: tuple[Ruling, ...] = ()

    @property
    def general(self) -> int:
        """How many touch it as they touch others."""
        return len(self.of_type) + len(self.of_decks)

    def __bool__(self) -> bool:
        return bool(self.named or self.of_type or self.of_decks)


def rulings_on(game: Game, card: Card) -> Touching:
    """The rulings that touch the card, in the rulebook's order."""
    of_type, of_decks = _of_type(game, card.type)
    names = tuple(name for name in (card.name, *card.aliases) if len(name) > 1)
    # A name is looked for as it is written: "Hide" is a card, to hide is a verb.
    named = tuple(ruling for ruling in game.rulings if any(_speaks(_words(game, ruling, False), name) for name in names))
    return Touching(
        named,
        tuple(ruling for ruling in of_type if ruling not in named),
        tuple(ruling for ruling in of_decks if ruling not in named),
    )


@lru_cache(maxsize=512)
def _of_type(game: Game, card_type: str) -> tuple[tuple[Ruling, ...], tuple[Ruling, ...]]:
    """(those that speak of the type, those whose rules are checked on lists that may hold it)."""
    known = game.types_by_slug.get(card_type)
    places = {section.slug for section in game.sections if card_type in section.types}
    checked = {rule.code for format in game.formats if places & set(format.sections) for rule in format.rules}
    of_type = tuple(ruling for ruling in game.rulings if known and _about(game, ruling, known))
    of_decks = tuple(ruling for ruling in game.rulings if ruling not in of_type and checked & set(ruling.rules))
    return of_type, of_decks


def _about(game: Game, ruling: Ruling, card_type: CardType) -> bool:
    words = _words(game, ruling, True).casefold()
    return any(_speaks(words, name.casefold()) for name in (card_type.name, card_type.plural))


def _words(game: Game, ruling: Ruling, with_rules: bool) -> str:
    rules = (game.citations[code].says for code in ruling.rules if code in game.citations) if with_rules else ()
    return " ".join((ruling.question, ruling.treatment, *rules))


def _speaks(text: str, name: str) -> bool:
    """Whether the name stands in the text as whole words."""
    return name in text and bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text))
