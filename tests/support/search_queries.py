"""Search queries checked and answered as tests need them, by default among the cards of Spycraft."""

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
    """Return the checked query."""
    return check(text, fields_of(among))


def problem(text: str, among: tuple[Game, ...] = SPYCRAFT) -> Problem:
    """Return the only problem of the query."""
    (found,) = checked(text, among).problems
    return found


def cured(text: str, among: tuple[Game, ...] = SPYCRAFT) -> str:
    """Return the text with the faulty part replaced by the first suggestion."""
    found = problem(text, among)
    return text[: found.start] + found.suggestions[0] + text[found.end :]


def names(text: str, among: tuple[Game, ...] = SPYCRAFT) -> list[str]:
    """Return the names of the cards that a correct query finds, in order."""
    query = checked(text, among)
    assert not query.faults, query.faults
    slugs = [game.slug for game in among]
    return [card.name for card in found(query, fields_of(among)) if card.game in slugs]


def found(query: Query, fields: Fields, rows: CardQuerySet | None = None) -> list[Card]:
    """Return the cards that a checked query finds, in order: in the loaded catalogue, or among ``rows``."""
    among = catalogue() if rows is None else catalogue_of(rows, catalogue().state)
    return results_in(among, CardQuery(query.text, query, fields)).cards
