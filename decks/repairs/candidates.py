"""Cards of the catalogue that may repair a deck, as the database finds them for one lack after the other."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Case, Q, QuerySet, Value, When

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.cards import FactValue
from cardsdb.games.kit.model.report import Lack
from cardsdb.games.kit.repair.search import Candidates
from cardsdb.models import Card as StoredCard

# Cards that are looked at for one lack.
MAX_CARDS = 300


def cards_of_catalogue(game: Game) -> Candidates:
    """Candidates for one search: a few hundred rows at most for each lack, those like the deck first."""
    cards: dict[object, tuple[Card, ...]] = {}

    def candidates(lack: Lack, like: Mapping[str, FactValue]) -> tuple[Card, ...]:
        key = (
            lack.types,
            tuple(sorted(lack.facts.items(), key=str)),
            lack.name,
            lack.less,
            tuple(sorted(like.items(), key=str)),
        )
        if key not in cards:
            cards[key] = tuple(_rows(game, lack, like).cards().values())
        return cards[key]

    return candidates


def _rows(game: Game, lack: Lack, like: Mapping[str, FactValue]) -> QuerySet[StoredCard]:
    rows = StoredCard.objects.in_game(game.slug).filter(retired=False)
    types = lack.types or tuple(card_type.slug for card_type in game.types if card_type.in_decks)
    rows = rows.filter(type__in=types)
    if lack.name:
        rows = rows.filter(name=lack.name)
    for key, value in lack.facts.items():
        rows = rows.filter(_has(key, value))
    alike = Q(pk__in=())
    for key, value in list(like.items())[:3]:
        alike |= _has(key, value)
    first = Case(When(alike, then=Value(0)), default=Value(1))
    return rows.order_by(first, "sort_name", "code")[:MAX_CARDS]


def _has(key: str, value: FactValue) -> Q:
    return Q(**{f"facts__{key}": list(value) if isinstance(value, tuple) else value})
