"""Rules as the tables that declare them, the other way round from ``rules.py``: for a copy of a game as data.

A rule of a class of the game's own has no table, unless it names one of the kit's that forbids the same
(``Rule.in_kit``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cardsdb.games.kit.model.cards import FactValue
from cardsdb.games.kit.model.format import EVERYTHING, Group, Rule
from cardsdb.games.kit.model.report import Severity
from cardsdb.games.kit.rules.card_lists import Banned, CardTest, OnlySets, PointsList
from cardsdb.games.kit.rules.construction import (
    AllShare,
    CopyLimit,
    OneOfEach,
    OnlyTypes,
    Size,
    TotalAtMost,
    Without,
)

RuleTable = dict[str, Any]
_BY_NAME = CopyLimit("").by


class NotAsData(ValueError):
    """A rule that no table can declare."""


def rule_table(rule: Rule) -> RuleTable:
    """The table that declares the rule, without its sentence. Raises NotAsData."""
    kind, keys = _WRITERS.get(type(rule), (None, None))
    if kind is None or keys is None:
        nearest = rule.in_kit()
        if nearest is None:
            raise NotAsData
        return rule_table(nearest)
    given = {key: value for key, value in keys(rule).items() if value not in (None, "", (), {})}
    of = _group_table(getattr(rule, "of", EVERYTHING))
    return {"rule": kind, "code": rule.code} | given | ({"of": of} if of else {})


def is_simplified(rule: Rule) -> bool:
    """Whether its table says less than the rule: notes and sentences of its own, and cards that may be meant,
    are left out.
    """
    return type(rule) not in _WRITERS or (isinstance(rule, Size) and rule.perhaps is not None)


def _size(rule: Size) -> RuleTable:
    return {"at_least": rule.at_least, "at_most": rule.at_most, "exactly": rule.exactly}


def _copies(rule: CopyLimit) -> RuleTable:
    if rule.by is not _BY_NAME or rule.severity is not Severity.ILLEGAL:
        raise NotAsData
    return {"limit": rule.limit, "own_limit": rule.override}


def _one_of_each(rule: OneOfEach) -> RuleTable:
    return {"fact": rule.fact, "values": list(rule.values)} if rule.values else {"fact": rule.fact}


_WRITERS: Mapping[type[Rule], tuple[str, Callable[[Any], RuleTable]]] = {
    Size: ("size", _size),
    CopyLimit: ("copies", _copies),
    OnlyTypes: ("only_types", lambda rule: {"types": list(rule.types)}),
    OnlySets: ("only_sets", lambda rule: {"sets": list(rule.sets)}),
    Banned: ("banned", lambda rule: {"cards": list(rule.cards.called)}),
    PointsList: ("points", lambda rule: {"limit": rule.limit, "cards": dict(rule.points)}),
    AllShare: (
        "agreement",
        lambda rule: {"fact": rule.fact, "also": list(rule.also)} if rule.also else {"fact": rule.fact},
    ),
    OneOfEach: ("one_of_each", _one_of_each),
    TotalAtMost: ("total", lambda rule: {"fact": rule.fact, "limit": rule.limit}),
    Without: ("without", lambda rule: {"fact": rule.fact, "value": rule.value}),
}


def _group_table(of: Group) -> RuleTable:
    if of == EVERYTHING:
        return {}
    table: RuleTable = {"what": of.what}
    table |= {"sections": list(of.sections)} if of.sections else {}
    table |= {"types": list(of.types)} if of.types else {}
    if isinstance(of.where, CardTest):
        table |= {"where": _facts(of.where.having)} if of.where.having else {}
        table |= {"without": _facts(of.where.lacking)} if of.where.lacking else {}
        table |= {"cards": list(of.where.cards.called)} if of.where.cards else {}
    elif of.where is not None:
        raise NotAsData
    return table


def _facts(pairs: tuple[tuple[str, FactValue], ...]) -> dict[str, FactValue]:
    if len(dict(pairs)) < len(pairs) or any(isinstance(value, tuple) for _, value in pairs):
        raise NotAsData
    return dict(pairs)
