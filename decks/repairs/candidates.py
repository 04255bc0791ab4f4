"""Cards of the catalogue that may repair a deck."""

from __future__ import annotations

from collections.abc import Mapping

from cardsdb.catalogue.current import catalogue
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.cards import FactValue
from cardsdb.games.kit.model.report import Lack
from cardsdb.games.kit.repair.search import Candidates

# Cards that are looked at for one lack, and values by which some are like the deck.
MAX_CARDS, MAX_SHARED = 300, 3


def cards_of_catalogue(game: Game) -> Candidates:
    """The cards that fit a lack, for one search: those like the deck first, then by name."""
    by_name = [entry.card for entry in catalogue().entries if entry.card.game == game.slug]
    cards = [card for card in by_name if game.type_named(card.type).in_decks]
    found: dict[object, tuple[Card, ...]] = {}

    def candidates(lack: Lack, like: Mapping[str, FactValue]) -> tuple[Card, ...]:
        shared = list(like.items())[:MAX_SHARED]
        facts = sorted(lack.facts.items(), key=str)
        key = (lack.types, tuple(facts), lack.name, lack.less, tuple(shared))
        if key not in found:
            fitting = [card for card in cards if lack.fits(card)]
            fitting.sort(key=lambda card: not any(card.fact(fact) == value for fact, value in shared))
            found[key] = tuple(fitting[:MAX_CARDS])
        return found[key]

    return candidates
