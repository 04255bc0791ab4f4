"""What the finder is filtered by at first: the types that the format has room for, and the values that its
rules leave open.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardsdb.games.kit import AllShare, Decklist, Format, Game
from cardsdb.search.query.tree import Exact, Not, Term, Tree, all_of, any_of, leaves
from cardsdb.web.lists.shown_facts import Mark, mark


@dataclass(frozen=True, slots=True)
class Preset:
    """What a deck may hold. ``facts``: those of which only some values go with the deck; cards without such a
    fact go with every deck.
    """

    words: str
    mark: Mark | None
    types: frozenset[str]
    facts: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def tree(self, asked: Tree | None) -> Tree | None:
        """The condition beside a query. What the query itself asks about is left to it: a fact, a card by its
        name, the deck's own.
        """
        named = list(leaves(asked))
        keys = {leaf.key for leaf in named if isinstance(leaf, Term)}
        if "in" in keys or any(isinstance(leaf, Exact) for leaf in named):
            return self._room(keys)
        facts = (
            any_of((*(Term(key, "=", value, in_quotes=True) for value in values), Not(Term("has", "=", key))))
            for key, values in self.facts
            if key not in keys
        )
        return all_of((self._room(keys), *facts))

    def _room(self, keys: set[str]) -> Tree | None:
        return None if "type" in keys else any_of(Term("type", "=", slug) for slug in sorted(self.types))


def preset_of(game: Game, format: Format, deck: Decklist) -> Preset:
    """What this deck may hold by its format, and by what its cards must share."""
    types = {slug for section in game.sections if section.slug in format.sections for slug in section.types}
    open_to = frozenset(
        card_type.slug
        for card_type in game.types
        if card_type.in_decks and (card_type.slug in types or not types)
    )
    facts = {
        rule.fact: values
        for rule in format.rules
        if isinstance(rule, AllShare) and (values := _shared(rule, deck))
    }
    words = ", ".join(value for values in facts.values() for value in values) or format.name
    return Preset(words, _mark(game, facts), open_to, tuple(facts.items()))


def every_type(game: Game) -> Preset:
    """No filter but that a card may stand in decks."""
    return Preset("", None, frozenset(card_type.slug for card_type in game.types if card_type.in_decks))


def _shared(rule: AllShare, deck: Decklist) -> tuple[str, ...]:
    """The value that the cards share by this rule, and those that go with every one; empty while that is
    open.
    """
    values = {value for entry in rule.of.pick(deck) if (value := entry.card.fact(rule.fact)) is not None}
    value = values.pop() if len(values) == 1 else None
    return tuple(dict.fromkeys((value, *rule.also))) if isinstance(value, str) else ()


def _mark(game: Game, facts: dict[str, tuple[str, ...]]) -> Mark | None:
    """The mark of the first of the values, if the game draws one."""
    for key, values in facts.items():
        row_fact = game.row_facts_by_key.get(key)
        if row_fact and row_fact.place == "mark":
            return mark(game, row_fact, values[0])
    return None
