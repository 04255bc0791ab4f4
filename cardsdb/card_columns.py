"""A card of a folder as the row that the database keeps, with the digest that tells whether it has to be written."""

from __future__ import annotations

import json
from functools import lru_cache
from hashlib import blake2b

from cardsdb.games.kit import Card, Claim, Game
from cardsdb.search.columns import search_columns

# In the order in which a row is made; the primary key stands before them.
CARD_COLUMNS = (
    "game",
    "code",
    "name",
    "name_folded",
    "sort_name",
    "type",
    "facts",
    "text",
    "sources",
    "aliases",
    "note",
    "search_text",
    "terms",
    "print_count",
    "digest",
    "retired",
)
PRINT_COLUMNS = ("set_code", "number", "rarity", "code", "note")
CODE, TERMS, DIGEST = (CARD_COLUMNS.index(name) for name in ("code", "terms", "digest"))

CardRow = tuple[str | int | bool, ...]
PrintRow = tuple[str, ...]

OPENING_MARKS = " '\"(-.!¡¿"


def rows_of(card: Card, game: Game) -> tuple[CardRow, tuple[PrintRow, ...]]:
    """The card's row and its prints'.

    The digest is made from everything in them, so that it changes with the card, with what the
    game declares and with how search columns are made alike.
    """
    search = search_columns(card, game)
    folded = str(search["name_folded"])
    prints = tuple((p.set, p.number, p.rarity, p.code, p.note) for p in card.prints)
    row = (
        game.slug,
        card.code,
        card.name,
        folded,
        folded.lstrip(OPENING_MARKS),
        card.type,
        json.dumps(card.facts),
        card.text,
        f"{{{', '.join(f'{json.dumps(key)}: {_claims_json(claims)}' for key, claims in card.sources.items())}}}",
        json.dumps(card.aliases) if card.aliases else "[]",
        card.note,
        str(search["search_text"]),
        str(search["terms"]),
        len(prints),
    )
    # No cell of a folder holds a NUL, so no two different cards run together to the same text.
    said = "\0".join((*map(str, row), *(cell for print_ in prints for cell in print_)))
    return (*row, blake2b(said.encode(), digest_size=16).hexdigest(), False), prints


@lru_cache(maxsize=4096)
def _claims_json(claims: tuple[Claim, ...]) -> str:
    """Thousands of cards rest on the same line of the same list."""
    names = ("document", "section", "lines", "certainty", "value", "note")
    return json.dumps([{name: getattr(claim, name) for name in names} for claim in claims])
