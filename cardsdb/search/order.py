"""In which order cards come, as the database is asked for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.db.models import Case, F, When
from django.db.models.expressions import Combinable, Expression, OrderBy
from django.db.models.functions import Coalesce

from cardsdb.games.kit.model.text import fold
from cardsdb.search.compile import to_q
from cardsdb.search.conditions import StoredNumber, StoredWord, how_many
from cardsdb.search.query.fields import Fields, Place
from cardsdb.search.query.similar import closeness
from cardsdb.search.query.tree import Query, SortKey, Tree, Word, leaves

CATALOGUE_ORDER = ("sort_name", "game", "code")


def is_by_name(query: Query) -> bool:
    """Whether what the query finds comes in the catalogue's own order."""
    return not query.order and not relevance_words(query.tree) and not closeness(query.tree)


def relevance_words(tree: Tree | None) -> str:
    """The plain words that a query looks for, folded; not those it excludes. Names most like them come first."""
    return fold(" ".join(leaf.value for leaf in leaves(tree, excluded=False) if isinstance(leaf, Word)))


def ordering(order: Sequence[SortKey], tree: Tree | None, fields: Fields) -> list[str | Combinable | OrderBy]:
    """What ``order_by`` takes: the fields asked for, at last the catalogue's order.

    Where no field is asked for, the cards that are closest to a ``similar:`` come first, then the
    likeliest names where words were typed.

    Unknown values come last in both directions. One word may be another fact in each game: ``cost`` is
    what a card costs in one and what it takes to buy in another, all compared as one. Where it is a
    number in one game and a word in another, numbers stand before words, and behind them from the end.
    """
    if not order:
        parts, words = closeness(tree), relevance_words(tree)
        closest = [how_many(to_q(part, fields) for part in parts).desc()] if parts else []
        return [*closest, *([likeness(words)] if words else []), *CATALOGUE_ORDER]
    found: list[OrderBy] = []
    for one in order:
        columns = list(_columns(one.key, fields))
        for column in reversed(columns) if one.descending else columns:
            found.append(column.desc(nulls_last=True) if one.descending else column.asc(nulls_last=True))
    return [*found, *CATALOGUE_ORDER]


def _columns(key: str, fields: Fields) -> Iterator[Expression | F]:
    """What stands for the field's value: of its numbers and its words one column each, NULL where it is unknown."""
    places = fields.sortable(key)
    field = fields.get(key)
    if field is None or not places:
        raise ValueError(f"the order was not checked: {key!r} is nothing to sort by")
    match field.word:
        case "name":
            yield F("sort_name")
        case "type" | "game" as column:
            yield F(column)
        case "prints":
            yield F("print_count")
        case _:
            numbers = [_of_games(place, StoredNumber(place.key)) for place in places if place.kind == "number"]
            words = [_of_games(place, StoredWord(place.key)) for place in places if place.kind != "number"]
            for columns in (numbers, words):
                if columns:
                    yield columns[0] if len(columns) == 1 else Coalesce(*columns)


def _of_games(place: Place, column: Expression) -> Expression:
    return Case(When(game__in=place.games, then=column)) if place.games else column


def likeness(words: str) -> Case:
    """How near a name comes to the words: it is they, begins with them, has a word that does, holds them, or not."""
    return Case(
        When(name_folded=words, then=0),
        When(name_folded__startswith=words, then=1),
        When(name_folded__contains=f" {words}", then=2),
        When(name_folded__contains=words, then=3),
        default=4,
    )
