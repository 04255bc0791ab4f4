"""The stored verdict of a deck: what it rests on, which verdicts still hold, and how the others are
renewed.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from django.db import OperationalError
from django.db.models import Q, QuerySet

from cardsdb.catalogue.current import catalogue, game_named, games
from cardsdb.games.kit import Game
from cardsdb.site.turns import short_wait
from decks.core.content import without_secrets
from decks.models import Deck

# Decks that are judged again at a time: by a query about verdicts, before it is answered, and by the command.
MAX_JUDGED = 40


def basis(game: Game) -> str:
    """The cards (by the catalogue's edition) and the rules that a verdict rests on, as one text for all decks
    of a game.

    The deck itself is no part of it, because its verdict is written whenever the deck is.
    """
    return f"{catalogue().state.number}-{game.slug}-{game.rules_digest}"


def judged_as(verdict: str) -> Q:
    """The decks with this verdict, where it rests on the cards and rules of now."""
    return Q(verdict=verdict) & is_fresh()


def is_fresh() -> Q:
    """The decks whose stored verdict still holds."""
    return Q(judged_by__in=[basis(game) for game in games().values()])


def renew_verdicts(decks: Iterable[Deck]) -> None:
    """Judge those of these decks again whose stored verdict no longer holds. Costs one query when all hold.

    The caller passes a page of decks, not more.
    """
    known = [(deck, game) for deck in decks if (game := game_named(deck.game))]
    stale = {deck.pk: (deck, game) for deck, game in known if deck.judged_by != basis(game)}
    if not stale:
        return
    renewed = list(Deck.objects.stored(*(deck for deck, _ in stale.values())).with_cards())
    unchanged = Q(pk__in=())
    for deck in renewed:
        shown, game = stale[deck.pk]
        # Whose the deck is and who sees it decide by which league's format it is judged.
        seen = {name: getattr(deck, name) for name in ("revision", "visibility", "owner_id", "judged_by")}
        unchanged |= Q(pk=deck.pk, **seen)
        judged = deck.judged(game)
        deck.verdict = shown.verdict = judged.verdict
        deck.size_shown = without_secrets(game, judged.deck).size
        deck.judged_by = basis(game)
    # A deck that was changed meanwhile keeps what was stored then. While a long write such as loading goes
    # on, the verdicts are shown but not stored.
    with suppress(OperationalError), short_wait():
        Deck.objects.stored(*renewed).filter(unchanged).bulk_update(
            renewed, ("verdict", "judged_by", "size_shown")
        )


def renew_some(decks: QuerySet[Deck]) -> int:
    """Judge up to MAX_JUDGED of these decks again whose verdict no longer holds; return how many are left."""
    stale = decks.exclude(is_fresh()).order_by("pk")
    some = list(stale.only("game", "judged_by")[: MAX_JUDGED + 1])
    renew_verdicts(some[:MAX_JUDGED])
    return stale.count() if len(some) > MAX_JUDGED else 0


def renew_all() -> int:
    """Judge again every deck whose verdict no longer holds, MAX_JUDGED at a time to save memory; return how
    many there were.
    """
    last, count = 0, 0
    stale = (
        Deck.objects.all_owners("judged anew by a command")
        .exclude(is_fresh())
        .filter(game__in=tuple(games()))
        .order_by("pk")
    )
    while some := list(stale.filter(pk__gt=last)[:MAX_JUDGED]):
        renew_verdicts(some)
        last, count = some[-1].pk, count + len(some)
    return count
