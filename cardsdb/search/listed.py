"""A card as lists show it: little enough to be kept ready for every card there is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cardsdb.games.kit.model.cards import FactValue
from cardsdb.models import Card


@dataclass(frozen=True, slots=True)
class Listed:
    """A card in a list. ``facts`` lacks what nobody states; ``prints`` are (set code, number), the number empty where unknown."""

    game: str
    code: str
    name: str
    type: str
    facts: Mapping[str, FactValue]
    prints: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        return f"{self.game}/{self.code}"


def brief(game: str, code: str, name: str, type: str, facts: Mapping[str, Any], prints: Iterable[tuple[str, str]]) -> str:
    """One line of JSON, as the index keeps it."""
    return json.dumps([game, code, name, type, facts, list(prints)], ensure_ascii=False, separators=(",", ":"))


def from_brief(line: str | bytes) -> Listed:
    game, code, name, type, facts, prints = json.loads(line)
    return Listed(game, code, name, type, facts, tuple((set_code, number) for set_code, number in prints))


def from_rows(pks: Iterable[int]) -> list[Listed]:
    """The cards in the order given, from the database: two queries."""
    wanted = list(pks)
    found = Card.objects.prefetch_related("prints").only("game", "code", "name", "type", "facts").in_bulk(wanted)
    return [
        Listed(row.game, row.code, row.name, row.type, row.facts, tuple((p.set_code, p.number) for p in row.prints.all()))
        for row in (found[pk] for pk in wanted if pk in found)
    ]
