"""Queries as tests ask them: understood, cured of their first fault, and answered with names."""

from __future__ import annotations

from cardsdb.search.compile import to_q
from cardsdb.search.order import ordering

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.models import Card
from cardsdb.search.query.check import check
from cardsdb.search.query.fields import fields_of
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.tree import Problem, Query

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
    fields = fields_of(among)
    query = checked(text, among)
    assert not query.faults, query.faults
    rows = Card.objects.current().filter(game__in=[game.slug for game in among]).filter(to_q(query.tree, fields))
    return [row.name for row in rows.order_by(*ordering(query.order, query.tree, fields))]
