"""Bring the database in step with the game folders. Nothing is ever deleted.

Cards are matched by (game, code). A card that has left its folder is retired, so that decks
which hold it keep working; one that comes back is current again. An unchanged card is not
written at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction

from cardsdb.games.kit import Card as KitCard
from cardsdb.games.kit import Game
from cardsdb.games.kit.cards import fold
from cardsdb.models import Card, Print
from cardsdb.search.compile import search_columns

BATCH = 500
CARD_FIELDS = ("name", "name_folded", "sort_name", "type", "facts", "text", "sources", "aliases", "note", "search_text", "terms", "retired")


@dataclass(frozen=True, slots=True)
class Loaded:
    """What loading one game changed."""

    game: str
    cards: int
    added: int
    changed: int
    retired: int


def load(game: Game) -> Loaded:
    """Upsert one game's cards and prints in one transaction."""
    with transaction.atomic():
        rows = {row.code: row for row in Card.objects.in_game(game.slug)}
        added, changed = [], []
        for card in game.cards:
            values = _columns(card, game)
            row = rows.pop(card.code, None)
            if row is None:
                added.append(Card(game=game.slug, code=card.code, **values))
            elif any(getattr(row, name) != value for name, value in values.items()):
                for name, value in values.items():
                    setattr(row, name, value)
                changed.append(row)
        gone = [row for row in rows.values() if not row.retired]
        for row in gone:
            row.retired = True
        Card.objects.bulk_create(added, batch_size=BATCH)
        Card.objects.bulk_update(changed, CARD_FIELDS, batch_size=BATCH)
        Card.objects.bulk_update(gone, ("retired",), batch_size=BATCH)
        _load_prints(game)
    return Loaded(game.slug, len(game.cards), len(added), len(changed), len(gone))


def _columns(card: KitCard, game: Game) -> dict[str, Any]:
    facts = {key: list(value) if isinstance(value, tuple) else value for key, value in card.facts.items()}
    sources = {key: [asdict(claim) for claim in claims] for key, claims in card.sources.items()}
    plain = {
        "name": card.name,
        "sort_name": fold(card.name).lstrip(" '\"(-.!¡¿"),
        "type": card.type,
        "facts": facts,
        "text": card.text,
        "sources": sources,
    }
    return {**plain, "aliases": list(card.aliases), "note": card.note, "retired": False, **search_columns(card, game)}


def _load_prints(game: Game) -> None:
    """Replace the prints of the cards whose prints differ."""
    kept: dict[int, list[tuple[str, ...]]] = {}
    for print_ in Print.objects.filter(card__game=game.slug):
        kept.setdefault(print_.card_id, []).append((print_.set_code, print_.number, print_.rarity, print_.code, print_.note))
    ids = dict(Card.objects.in_game(game.slug).values_list("code", "id"))
    stale, fresh = [], []
    for card in game.cards:
        wanted = [(p.set, p.number, p.rarity, p.code, p.note) for p in card.prints]
        if kept.get(ids[card.code], []) != wanted:
            stale.append(ids[card.code])
            fresh += [Print(card_id=ids[card.code], **_print_columns(values)) for values in wanted]
    for batch in _batches(stale):
        Print.objects.filter(card_id__in=batch).delete()
    Print.objects.bulk_create(fresh, batch_size=BATCH)


def _print_columns(values: Iterable[str]) -> dict[str, str]:
    return dict(zip(("set_code", "number", "rarity", "code", "note"), values, strict=True))


def _batches(ids: list[int]) -> Iterable[list[int]]:
    return (ids[start : start + BATCH] for start in range(0, len(ids), BATCH))
