"""Cards of a folder as the rows that the database keeps, with the digest that tells whether they have to be written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from django.db import connection

from cardsdb.games.kit import Card, Claim, Game
from cardsdb.models import Card as StoredCard
from cardsdb.search.query.vocabulary import search_columns

CLAIM_PARTS = ("document", "section", "lines", "certainty", "value", "note")
OPENING_MARKS = " '\"(-.!¡¿"


class CardRows(NamedTuple):
    """One card: column -> value of its row, with the JSON columns as text, and the cells of its prints' rows."""

    columns: dict[str, Any]
    prints: Sequence[tuple[str, ...]]


def rows_of(card: Card, game: Game) -> CardRows:
    """The card's row and those of its prints.

    ``digest`` is made from everything in them, so that it changes with the card, with what the game
    declares and with how search columns are made alike.
    """
    search = search_columns(card, game)
    columns = {
        "game": game.slug,
        "code": card.code,
        "name": card.name,
        "name_folded": search["name_folded"],
        "sort_name": search["name_folded"].lstrip(OPENING_MARKS),
        "type": card.type,
        "facts": json.dumps(card.facts),
        "text": card.text,
        "sources": json.dumps({key: [_claim_json(claim) for claim in claims] for key, claims in card.sources.items()}),
        "aliases": json.dumps(card.aliases),
        "note": card.note,
        "search_text": search["search_text"],
        "terms": search["terms"],
        "print_count": len(card.prints),
    }
    prints = [(one.set, one.number, one.rarity, one.code, one.note) for one in card.prints]
    # No cell of a folder holds a NUL, so no two different cards run together to the same text.
    cells = "\0".join((*map(str, columns.values()), *(cell for one in prints for cell in one)))
    return CardRows(columns | {"digest": blake2b(cells.encode(), digest_size=16).hexdigest(), "retired": False}, prints)


def _claim_json(claim: Claim) -> dict[str, str | None]:
    return {part: getattr(claim, part) for part in CLAIM_PARTS}


def write_cards(rows: Sequence[CardRows]) -> None:
    """Insert these cards, or rewrite those that are there, and replace their prints.

    Runs inside the caller's transaction. ``bulk_create`` would do the same in six times as long.
    """
    if not rows:
        return
    names = tuple(rows[0].columns)
    marks, updates = ", ".join(["%s"] * len(names)), ", ".join(f"{name} = excluded.{name}" for name in names)
    upsert = f"INSERT INTO cardsdb_card ({', '.join(names)}) VALUES ({marks}) ON CONFLICT (game, code) DO UPDATE SET {updates}"  # noqa: S608
    insert = "INSERT INTO cardsdb_print (card_id, set_code, number, rarity, code, note) VALUES (%s, %s, %s, %s, %s, %s)"
    named = {name: {columns[name] for columns, _ in rows} for name in ("game", "code")}
    stored = StoredCard.objects.filter(game__in=named["game"], code__in=named["code"]).values_list("game", "code", "pk")
    with connection.cursor() as cursor:
        cursor.executemany(upsert, [tuple(columns.values()) for columns, _ in rows])
        keys = {(game, code): pk for game, code, pk in stored}
        pks = [keys[columns["game"], columns["code"]] for columns, _ in rows]
        cursor.executemany("DELETE FROM cardsdb_print WHERE card_id = %s", [(pk,) for pk in pks])
        cursor.executemany(insert, [(pk, *one) for pk, (_, prints) in zip(pks, rows, strict=True) for one in prints])
