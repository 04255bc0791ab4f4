"""Queries as tests ask them: understood, cured of their first fault, and answered with names."""

from __future__ import annotations

from cardsdb.search.engine.snapshot import ListedCard
from cardsdb.search.snapshots import current_snapshot, snapshot_of

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.models import CardQuerySet, Edition
from cardsdb.search.card_query import CardQuery
from cardsdb.search.query.check import check
from cardsdb.search.query.fields import Fields, fields_of
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.tree import Problem, Query
from cardsdb.search.results import Results

ALL = tuple(games().values())
SPYCRAFT = (games()["spycraft"],)


def checked(text: str, among: tuple[Game, ...] = SPYCRAFT) -> Query:
    return check(parse(text), fields_of(among))


def problem(text: str, among: tuple[Game, ...] = SPYCRAFT) -> Problem:
    (found,) = checked(text, among).problems
    return found


def cured(text: str, among: tuple[Game, ...] = SPYCRAFT) -> str:
    """The text with the first suggestion in place of what is marked."""
    found = problem(text, among)
    return text[: found.start] + found.suggestions[0] + text[found.end :]


def names(text: str, among: tuple[Game, ...] = SPYCRAFT) -> list[str]:
    query = checked(text, among)
    assert not query.faults, query.faults
    slugs = [game.slug for game in among]
    return [card.name for card in found(query, fields_of(among)) if card.game in slugs]


def found(query: Query, fields: Fields, rows: CardQuerySet | None = None) -> list[ListedCard]:
    """The cards that a checked query finds, in its order: of the catalogue as it is loaded, or of some rows
    as they are now.
    """
    snapshot = current_snapshot() if rows is None else snapshot_of(rows)
    results = Results(CardQuery(query.text, query, fields, Edition.objects.current()), snapshot)
    return results.slice(0, results.total)
