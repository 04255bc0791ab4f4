"""A card as its owner typed it: every cell read by the game's own declarations, every fault named by its
field.

What is taken here can stand in a list and be read from it again, so that a deck can always write the card in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from cardsdb.box.texts import clean_text
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Fact, Game
from cardsdb.games.kit.listtext.line import LineRefused, as_a_list_has_it
from cardsdb.games.kit.model.cards import FactValue
from cardsdb.games.kit.model.effects import EFFECT_FACTS
from cardsdb.games.kit.model.text import fold, unprintable

MAX_NAME, MAX_NOTE, MAX_VALUE, MAX_NUMBER = 120, 300, 280, 20
# What a line tells in the game's notation is read from effects, and is typed nowhere.
_TOLD = {fact.key for fact in EFFECT_FACTS}


@dataclass(frozen=True, slots=True)
class TypedCard:
    """Everything of the form, as typed. ``facts``: key -> the cell."""

    name: str
    type: str
    facts: Mapping[str, str]
    text: str = ""
    note: str = ""
    number: str = ""


def typed_facts(game: Game, card_type: str) -> list[Fact]:
    """The facts that somebody may state of a card of this type, in the order in which the game declares
    them.
    """
    return [fact for fact in game.facts_of(card_type) if fact.key not in _TOLD]


def own_types(game: Game) -> list[str]:
    """The types of which cards can be made: those that stand in decks."""
    return [one.slug for one in game.types if one.in_decks]


def card_of(game: Game, typed: TypedCard, code: str) -> Card:
    """The card that was typed. Raises Refused with every fault, each at its field: ``name``, ``type``,
    ``number``, ``text``, ``note``, ``fact-KEY``.
    """
    faults = list(_faults_around(game, typed))
    if faults and faults[0].where == "type":
        raise Refused(*faults)
    facts: dict[str, FactValue] = {}
    for fact in typed_facts(game, typed.type):
        cell = " ".join(typed.facts.get(fact.key, "").split())
        try:
            value = _value(fact, cell)
        except ValueError as error:
            faults.append(Fault("bad_fact", f"{error}.", f"fact-{fact.key}"))
            continue
        if value is not None and value != ():
            facts[fact.key] = value
    text = typed.text
    try:
        text = clean_text(text)
    except Refused as refused:
        faults += refused.faults
    if faults:
        raise Refused(*faults)
    card = Card(
        game.slug,
        code,
        " ".join(typed.name.split()),
        typed.type,
        facts,
        text,
        note=" ".join(typed.note.split()),
        written=True,
    )
    if unfit := list(_unfit_for_lists(game, card)):
        raise Refused(*unfit)
    return card


def _faults_around(game: Game, typed: TypedCard) -> Iterator[Fault]:
    """What is wrong with everything but the facts and the text; a type that cannot be comes first."""
    if typed.type not in own_types(game):
        yield Fault("bad_type", "Choose one of the types of card.", "type")
    name = " ".join(typed.name.split())
    if not any(char.isalnum() for char in name):
        yield Fault("no_name", "Give the card a name.", "name")
    elif max(len(name), len(fold(name))) > MAX_NAME:
        yield Fault("too_long", f"The name has {len(name)} letters; {MAX_NAME} are the most.", "name")
    elif problem := unprintable(name):
        yield Fault("bad_character", f"The name {problem}.", "name")
    for where, said, most in (("number", typed.number, MAX_NUMBER), ("note", typed.note, MAX_NOTE)):
        if len(said) > most:
            yield Fault("too_long", f"The {where} has {len(said)} letters; {most} are the most.", where)
        elif problem := unprintable(" ".join(said.split())):
            yield Fault("bad_character", f"The {where} {problem}.", where)


def _value(fact: Fact, cell: str) -> FactValue | None:
    """The value of a cell. Raises ValueError with a sentence."""
    if len(cell) > MAX_VALUE:
        raise ValueError(f"{fact.title} has {len(cell)} letters; {MAX_VALUE} are the most")
    if problem := unprintable(cell):
        raise ValueError(f"{fact.title} {problem}")
    return fact.read(cell)


def _unfit_for_lists(game: Game, card: Card) -> Iterator[Fault]:
    """What of the card could not be written into a list and read again, part by part."""
    bare = replace(card, facts={}, text="")
    parts = {
        "fact-" + key: _problem(game, replace(bare, facts={key: value})) for key, value in card.facts.items()
    }
    said = {"name": _problem(game, bare), **parts}
    if not any(said.values()):
        # Each part can be written, and all of them together perhaps not.
        said = {"name": _problem(game, card)}
    for where, problem in said.items():
        if problem and (where == "name" or not said["name"]):
            yield Fault("not_for_lists", problem, where)


def _problem(game: Game, card: Card) -> str:
    try:
        listed = as_a_list_has_it(game, card)
    except LineRefused as refused:
        return refused.message
    if (listed.name, listed.type, dict(listed.facts)) == (card.name, card.type, dict(card.facts)):
        return ""
    return (
        "A list would read this as something else. Leave out signs such as | : ; # and ^ at its beginning or"
        " end."
    )
