"""The form of a card of one's own, field by field as the game declares its facts: what is typed, what may be
chosen, what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cardsdb.box.texts import clean_text
from cardsdb.box.typed_card import MAX_NAME, MAX_VALUE, TypedCard, own_types, typed_facts
from cardsdb.catalogue.stats import stats_of
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Fact, Game
from cardsdb.games.kit.model.cards import FactValue
from cardsdb.search.query.values import folded

# A fact that lists show as a mark has a value of a closed list, unless it has more values than anybody
# chooses from.
MAX_CLOSED = 16
MAX_OFFERED = 60
# Of what is posted, so much is looked at.
MAX_POSTED = 6_000


@dataclass(frozen=True, slots=True)
class FactField:
    """One field. ``choices``: value and whether it is chosen, of a closed list, of which several hold where
    ``is_several``; ``offered``: values that are suggested where any may be typed.
    """

    fact: Fact
    value: str
    choices: tuple[tuple[str, bool], ...] = ()
    offered: tuple[str, ...] = ()
    is_several: bool = False
    fault: str = ""

    @property
    def name(self) -> str:
        return f"fact-{self.fact.key}"

    @property
    def is_number(self) -> bool:
        return self.fact.kind == "number"

    @property
    def help(self) -> str:
        return (
            f"{self.fact.help} Several with ; between them."
            if self.fact.kind == "words" and not self.is_several
            else self.fact.help
        )


@dataclass(frozen=True, slots=True)
class CardForm:
    """The form as its page shows it. ``more`` are fields of what is no fact of play, and is folded."""

    game: Game
    typed: TypedCard
    fields: tuple[FactField, ...]
    more: tuple[FactField, ...]
    faults: tuple[Fault, ...] = ()
    max_name: int = MAX_NAME
    max_value: int = MAX_VALUE

    @property
    def types(self) -> list[tuple[str, str, bool]]:
        """(slug, name, whether it is chosen) of every type of which cards can be made."""
        return [
            (slug, self.game.types_by_slug[slug].name, slug == self.typed.type)
            for slug in own_types(self.game)
        ]

    @property
    def faults_by_field(self) -> dict[str, str]:
        return {fault.where: fault.message for fault in reversed(self.faults)}

    @property
    def opens_more(self) -> bool:
        return any(field.fault or field.value for field in self.more)


def form_of(game: Game, typed: TypedCard, faults: Iterable[Fault] = ()) -> CardForm:
    faults = tuple(faults)
    wrong = {fault.where: fault.message for fault in reversed(faults)}
    fields = [
        _field(game, fact, typed.facts.get(fact.key, ""), wrong.get(f"fact-{fact.key}", ""))
        for fact in typed_facts(game, typed.type)
    ]
    play = tuple(field for field in fields if not field.fact.is_aside and not field.fact.optional)
    return CardForm(game, typed, play, tuple(field for field in fields if field not in play), faults)


def typed_in(posted: Any, game: Game) -> TypedCard:
    """What a form posted, a QueryDict, for any type of the game; the first type in place of one that cannot
    be.
    """
    types = own_types(game)
    kind = posted.get("type", "")
    kind = kind if kind in types else types[0]
    facts = {
        fact.key: "; ".join(filter(None, posted.getlist(f"fact-{fact.key}")))[:MAX_POSTED]
        for fact in game.facts
    }
    return TypedCard(
        posted.get("name", "")[:MAX_POSTED],
        kind,
        facts,
        posted.get("text", "")[: 3 * MAX_POSTED],
        posted.get("note", "")[:MAX_POSTED],
        posted.get("number", "")[:MAX_POSTED],
    )


def draft_of(game: Game, typed: TypedCard) -> Card:
    """The card as far as it can be drawn while it is being typed: what is wrong is left out."""
    facts: dict[str, FactValue] = {}
    for fact in typed_facts(game, typed.type):
        cell = " ".join(typed.facts.get(fact.key, "").split())[:MAX_VALUE]
        try:
            value = fact.read(cell)
        except ValueError:
            continue
        if value is not None:
            facts[fact.key] = value
    try:
        text = clean_text(typed.text)
    except Refused:
        text = ""
    name = " ".join(typed.name.split())[:MAX_NAME] or "No name yet"
    return Card(game.slug, "own_draft", name, typed.type, facts, text, written=True)


def _field(game: Game, fact: Fact, value: str, fault: str) -> FactField:
    field = FactField(fact, value, fault=fault)
    if fact.kind == "flag":
        return replace(field, choices=tuple((word, value.casefold() == word) for word in ("yes", "no")))
    if fact.kind not in ("word", "words"):
        return field
    known = _known(game, fact)
    row_fact = game.row_facts_by_key.get(fact.key)
    if row_fact is None or row_fact.place != "mark" or not 0 < len(known) <= MAX_CLOSED:
        return replace(field, offered=known[:MAX_OFFERED])
    chosen = {folded(word) for word in _words(fact, value)}
    others = [word for word in _words(fact, value) if folded(word) not in {folded(one) for one in known}]
    choices = tuple((word, folded(word) in chosen) for word in (*known, *others))
    return replace(field, choices=choices, is_several=fact.kind == "words")


def _words(fact: Fact, value: str) -> tuple[str, ...]:
    read = fact.read(value)
    return read if isinstance(read, tuple) else (str(read),) if read is not None else ()


def _known(game: Game, fact: Fact) -> tuple[str, ...]:
    """The values that cards of the catalogue have, the most frequent first."""
    values: Mapping[str, tuple[str, int]] = stats_of(game.slug).vocabulary.get(fact.key, {})
    return tuple(shown for shown, _ in sorted(values.values(), key=lambda pair: (-pair[1], pair[0])))
