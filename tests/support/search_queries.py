"""Card queries in short: check one, apply the suggestion for its fault, and get the names of the cards it
finds.
"""

from __future__ import annotations

from cardsdb.catalogue.current import catalogue, catalogue_of
from cardsdb.games import games
from cardsdb.games.kit import Card, Game
from cardsdb.models import CardQuerySet
from cardsdb.search.query.check import check
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.tree import Problem, Query
from cardsdb.search.results import CardQuery, results_in
from tests.support.search_fields import fields_of

ALL = tuple(games().values())
SPYCRAFT = (games()["spycraft"],)


def checked(text: str, among: tuple[Game, ...] = SPYCRAFT) -> Query:
    return check(text, fields_of(among))


def problem(text: str, among: tuple[Game, ...] = SPYCRAFT) -> Problem:
    (found,) = checked(text, among).problems
    return found


def cured(text: str, among: tuple[Game, ...] = SPYCRAFT) -> str:
    """The text with the first suggestion in place of the part at fault."""
    found = problem(text, among)
    return text[: found.start] + found.suggestions[0] + text[found.end :]


def names(text: str, among: tuple[Game, ...] = SPYCRAFT) -> list[str]:
    query = checked(text, among)
    assert not query.faults, query.faults
    slugs = [game.slug for game in among]
    return [card.name for card in found(query, fields_of(among)) if card.game in slugs]


def found(query: Query, fields: Fields, rows: CardQuerySet | None = None) -> list[Card]:
    """The cards that a checked query finds, in its order: in the loaded catalogue, or among these rows."""
    among = catalogue() if rows is None else catalogue_of(rows, catalogue().state)
    return results_in(among, CardQuery(query.text, query, fields)).cards
