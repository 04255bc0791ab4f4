"""How the deck's lines are laid out: what they are grouped and sorted by, and whether they are rows or stacks
of faces.

An address chooses, and the browser remembers it in a cookie for each choice. What a game does not know falls
back to the first way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cardsdb.games.kit import Entry, Fact, Game
from cardsdb.games.kit.model.text import fold
from decks.editor.row_facts import allegiance_of, cost_of

BY_TYPE = "type"
AS_WRITTEN, BY_NAME, BY_COPIES = "written", "name", "copies"
VIEWS = {"rows": "Rows", "stacks": "Faces"}
# The cookie that remembers each parameter of the address.
COOKIES = {"group": "deck_grouping", "sort": "deck_sorting", "view": "deck_view"}
MAX_CHOICE = 40


@dataclass(frozen=True, slots=True)
class Option:
    """One way to lay the lines out, as a link offers it. ``slug`` stands in the address."""

    slug: str
    title: str
    picked: bool


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The choices as they were made; they may be no words of ours."""

    group: str = BY_TYPE
    sort: str = AS_WRITTEN
    view: str = "rows"

    @classmethod
    def of(cls, parameters: Mapping[str, str], cookies: Mapping[str, str]) -> Arrangement:
        """As the address says, else as this browser chose before."""
        chosen = {name: parameters.get(name) or cookies.get(cookie) for name, cookie in COOKIES.items()}
        return cls(**{name: value[:MAX_CHOICE] for name, value in chosen.items() if value})

    @property
    def in_stacks(self) -> bool:
        return self.view == "stacks"

    def views(self) -> tuple[Option, ...]:
        return tuple(
            Option(slug, title, (slug == "stacks") == self.in_stacks) for slug, title in VIEWS.items()
        )

    def groupings(self, game: Game) -> tuple[Option, ...]:
        """The ways to group the lines of this game's decks: by type, and by cost and faction if its cards
        have them.
        """
        facts = _facts_to_group_by(game)
        picked = self.group if self.group in facts else BY_TYPE
        return tuple(
            Option(slug, fact.title if fact else "Type", slug == picked) for slug, fact in facts.items()
        )

    def grouping_fact(self, game: Game) -> Fact | None:
        """The fact that the lines are grouped by; None for their type."""
        return _facts_to_group_by(game).get(self.group)

    def sortings(self, game: Game, entries: Iterable[Entry]) -> tuple[Option, ...]:
        """The orders of these lines: by name, copies, and the numbers of the game's rows that some of the
        cards have.
        """
        cards = [entry.card for entry in entries]
        known = set[str]().union(*(card.facts for card in cards))
        facts = [
            fact
            for fact in _numbers(game)
            if fact.key in known and any(card.number(fact.key) is not None for card in cards)
        ]
        picked = (
            self.sort
            if self.sort in {BY_NAME, BY_COPIES, *(fact.key for fact in _numbers(game))}
            else AS_WRITTEN
        )
        titles = {
            AS_WRITTEN: "As written",
            BY_NAME: "Name",
            BY_COPIES: "Copies",
            **{fact.key: fact.title for fact in facts},
        }
        return tuple(Option(slug, title, slug == picked) for slug, title in titles.items())

    def sorted(self, game: Game, entries: Iterable[Entry]) -> list[Entry]:
        """The lines in the chosen order. What a card costs begins with the least, other numbers with the
        most; cards without come last.
        """
        entries = list(entries)
        if self.sort == BY_NAME:
            return sorted(entries, key=lambda entry: fold(entry.card.name))
        if self.sort == BY_COPIES:
            return sorted(entries, key=lambda entry: -entry.count)
        fact = next((fact for fact in _numbers(game) if fact.key == self.sort), None)
        if fact is None:
            return entries
        sign = 1 if fact == cost_of(game) else -1
        key, last = fact.key, float("inf")
        return sorted(
            entries, key=lambda entry: last if (number := entry.card.number(key)) is None else sign * number
        )


def _facts_to_group_by(game: Game) -> dict[str, Fact | None]:
    facts: dict[str, Fact | None] = {"cost": cost_of(game), "faction": allegiance_of(game)}
    return {BY_TYPE: None, **{slug: fact for slug, fact in facts.items() if fact}}


def _numbers(game: Game) -> list[Fact]:
    """The number facts that the game declares for rows, in its order."""
    facts = (game.facts_by_key.get(row_fact.key) for row_fact in game.row_facts)
    return [fact for fact in facts if fact and fact.kind == "number"]
