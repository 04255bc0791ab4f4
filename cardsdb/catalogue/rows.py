"""A card of a folder as the row that the database keeps, with the digest that tells whether it has to be written."""

from __future__ import annotations

import json
from hashlib import blake2b
from json.encoder import encode_basestring_ascii as quoted

from cardsdb.games.kit import Card, Claim, Game
from cardsdb.search.query.vocabulary import search_columns

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
        f"{{{', '.join(f'{quoted(key)}: {_claims_json(claims)}' for key, claims in card.sources.items())}}}",
        json.dumps(card.aliases) if card.aliases else "[]",
        card.note,
        str(search["search_text"]),
        str(search["terms"]),
        len(prints),
    )
    # No cell of a folder holds a NUL, so no two different cards run together to the same text.
    said = "\0".join((*map(str, row), *(cell for print_ in prints for cell in print_)))
    return (*row, blake2b(said.encode(), digest_size=16).hexdigest(), False), prints


def _claims_json(claims: tuple[Claim, ...]) -> str:
    """As ``json.dumps`` writes it; nearly every card has claims of its own, so this is worth being quick."""
    return f"[{', '.join(map(_claim_json, claims))}]"


def _claim_json(claim: Claim) -> str:
    value = "null" if claim.value is None else quoted(claim.value)
    return (
        f'{{"document": {quoted(claim.document)}, "section": {quoted(claim.section)}, "lines": {quoted(claim.lines)}, '
        f'"certainty": {quoted(claim.certainty)}, "value": {value}, "note": {quoted(claim.note)}}}'
    )
