"""A card with what searches look into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from sys import intern

from cardsdb.games.kit import Card
from cardsdb.search.query.vocabulary import sort_name

# The key of the catalogue's order: the sortable name, the game, the code.
CatalogueKey = tuple[str, str, str]
# Of these keys of ``terms`` the first value alone, the slug, is sorted by and counted; the second is the name.
SLUGS = ("game", "type")


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A card, its primary key, its folded name and its folded words, a line each.

    ``terms``: the folded values of its fields by key (see ``cardsdb.search.query.vocabulary``).
    """

    card: Card
    pk: int
    key: str
    order: CatalogueKey
    name: str
    search_text: str
    terms: Mapping[str, tuple[str, ...]]


def entry_of(card: Card, pk: int, name: str, search_text: str, terms: str) -> Entry:
    """The entry of a card whose row has these columns."""
    values: dict[str, list[str]] = {}
    for term in terms[1:-1].split("|"):
        key, _, value = term.partition("=")
        # Thousands of cards share them.
        values.setdefault(intern(key), []).append(intern(value))
    order = (sort_name(name), card.game, card.code)
    return Entry(card, pk, card.key, order, name, search_text, {key: tuple(of) for key, of in values.items()})
