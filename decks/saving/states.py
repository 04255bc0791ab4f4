"""The stored states of a deck, read again; and whether a change goes on with the burst of presses that made the newest of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from cardsdb.games.kit import Card, Game
from cardsdb.models import Card as StoredCard
from decks.core.content import DeckContent, content_of_json
from decks.core.diff import Difference
from decks.models import Deck, DeckRevision

# Presses on one card that follow one another within this time are one change, and one undo takes them back.
BURST = timedelta(seconds=10)


def content_at(deck: Deck, game: Game, number: int) -> DeckContent | None:
    """The deck as it was at this revision; None if that is not kept."""
    if number == deck.revision:
        return deck.content()
    row = DeckRevision.objects.of(deck.pk).filter(number=number).first()
    return contents(game, (row,))[0] if row else None


def contents(game: Game, rows: Iterable[DeckRevision]) -> list[DeckContent]:
    """The contents of these states, with their cards from the catalogue, in two queries for any number of states."""
    stored = [row.content for row in rows]
    codes = {line["code"] for content in stored for line in content["lines"] if "code" in line}
    cards: dict[str, Card] = {}
    if codes:
        found = StoredCard.objects.in_game(game.slug).filter(code__in=codes).prefetch_related("prints")
        cards = {card.code: card.as_card() for card in found}
    return [content_of_json(game.slug, content, cards.get) for content in stored]


def burst_begun_at(deck: Deck, change: Difference, user_id: int | None) -> int | None:
    """The state before the burst of presses that this change goes on with; None if it is none.

    A burst is one author's, on one card of one section, in one direction, with nothing between. A state with a name ends it.
    """
    if len(change.lines) != 1 or any(other.what != "order" for other in change.others) or change.lines[0].card.written:
        return None
    row = DeckRevision.objects.of(deck.pk).filter(number=deck.revision).first()
    if row is None or (row.kind, row.name, row.by_id) != ("edited", "", user_id) or timezone.now() - row.made > BURST:
        return None
    begun = DeckRevision.objects.of(deck.pk).filter(number=row.undo_to).first()
    line = change.lines[0]
    if begun is None or _single_step(begun.content, row.content) != (line.section, line.card.code, line.by > 0):
        return None
    return row.undo_to


def _single_step(before: dict[str, Any], after: dict[str, Any]) -> tuple[str, str, bool] | None:
    """(section, code, whether to more) if two kept states differ in the copies of one card alone."""
    if any(before[part] != after[part] for part in before.keys() | after.keys() if part != "lines"):
        return None
    old, new = ({(line["section"], line.get("code", "")): line for line in content["lines"]} for content in (before, after))
    differing = [key for key in {**old, **new} if old.get(key) != new.get(key)]
    if len(differing) != 1 or not differing[0][1]:
        return None
    (key,) = differing
    was, now = old.get(key, {}), new.get(key, {})
    if was and now and {**was, "count": 0} != {**now, "count": 0}:
        return None
    return *key, now.get("count", 0) > was.get("count", 0)
