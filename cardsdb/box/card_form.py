"""A card as its owner typed it, and the form that it is typed in: every cell read by the game's own
declarations, every fault named by its field.

What is taken here can stand in a list and be read from it again, so that a deck can always write the card in.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from cardsdb.box.texts import clean_text
from cardsdb.catalogue.stats import stats_of
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import EFFECT_FACTS, Card, Fact, FactValue, Game, as_words, fold, unprintable
from cardsdb.games.kit.listtext.line import LineRefused, as_a_list_has_it
from cardsdb.search.query.standard import folded

MAX_NAME, MAX_NOTE, MAX_VALUE, MAX_NUMBER = 120, 300, 280, 20
# A fact that lists show as a mark has a value of a closed list, unless it has more values than a
# player chooses from.
MAX_CLOSED = 16
MAX_OFFERED = 60
# Of what is posted, so much is looked at.
MAX_POSTED = 6_000
# What a line tells in the game's notation is read from effects, and is typed nowhere.
_TOLD = {fact.key for fact in EFFECT_FACTS}


class TypedCard(NamedTuple):
    """Everything of the form, as typed. ``facts``: key -> the cell."""

    name: str
    type: str
    facts: Mapping[str, str]
    text: str = ""
    note: str = ""
    number: str = ""


def typed_facts(game: Game, card_type: str) -> list[Fact]:
    """The facts that an owner may state of a card of this type, in the order in which the game declares
    them.
    """
    return [fact for fact in game.facts_of(card_type) if fact.key not in _TOLD]


def own_types(game: Game) -> list[str]:
    """The types of which cards can be made: those that stand in decks."""
    return [one.slug for one in game.types if one.in_decks]


def typed_of(game: Game, card: Card, number: str = "") -> TypedCard:
    """The card as its form has it; of a catalogue's card, what may be stated of one's own."""
    facts = {
        fact.key: _cell(card.facts[fact.key])
        for fact in typed_facts(game, card.type)
        if fact.key in card.facts
    }
    return TypedCard(
        card.name, card.type, facts, card.text if card.own else "", card.note if card.own else "", number
    )


def _cell(value: Any) -> str:
    """A fact as its field has it and ``Fact.read`` reads it."""
    if not isinstance(value, tuple | list):
        return as_words(value)
    return "; ".join(value) + (";" if len(value) == 1 and "," in value[0] else "")


def card_of(game: Game, typed: TypedCard, code: str) -> Card:
    """The card that was typed. Raises Refused with every fault, each at its field: ``name``, ``type``,
    ``number``, ``text``, ``note``, ``fact-KEY``.
    """
    faults = list(_faults_around(game, typed))
    if faults and faults[0].where == "type":
        raise Refused(*faults)
    card, in_cells = _read(game, typed, code)
    if found := (*faults, *in_cells) or tuple(_unfit_for_lists(game, card)):
        raise Refused(*found)
    return card


def draft_of(game: Game, typed: TypedCard) -> Card:
    """The card as far as it can be drawn while it is being typed: what is wrong is left out."""
    card, _ = _read(game, typed, "own_draft")
    return replace(card, name=card.name[:MAX_NAME] or "No name yet", note="")


def _read(game: Game, typed: TypedCard, code: str) -> tuple[Card, list[Fault]]:
    """(the card without what is wrong in its facts and its text, the faults in these)."""
    facts: dict[str, FactValue] = {}
    faults: list[Fault] = []
    for fact in typed_facts(game, typed.type):
        cell = " ".join(typed.facts.get(fact.key, "").split())
        try:
            if len(cell) > MAX_VALUE:
                raise ValueError(f"{fact.title} has {len(cell)} letters; {MAX_VALUE} are the most")
            if problem := unprintable(cell):
                raise ValueError(f"{fact.title} {problem}")
            if (value := fact.read(cell)) not in (None, ()):
                facts[fact.key] = value
        except ValueError as error:
            faults.append(Fault("bad_fact", f"{error}.", f"fact-{fact.key}"))
    text = ""
    try:
        text = clean_text(typed.text)
    except Refused as refused:
        faults += refused.faults
    name, note = (" ".join(said.split()) for said in (typed.name, typed.note))
    return Card(game.slug, code, name, typed.type, facts, text, note=note, written=True), faults


def _faults_around(game: Game, typed: TypedCard) -> Iterator[Fault]:
    """Yield what is wrong with everything but the facts and the text; a type that cannot be comes first."""
    if typed.type not in own_types(game):
        yield Fault("bad_type", "Choose one of the types of card.", "type")
    name = " ".join(typed.name.split())
    if not any(char.isalnum() for char in name):
        yield Fault("no_name", "Give the card a name.", "name")
    else:
        yield from line_faults("name", name, MAX_NAME, len(fold(name)))
    yield from line_faults("number", typed.number, MAX_NUMBER)
    yield from line_faults("note", typed.note, MAX_NOTE)


def line_faults(where: str, said: str, most: int, size: int = 0) -> Iterator[Fault]:
    """Yield what is wrong with a line of words. ``size``: the letters that it takes where it takes more."""
    if max(len(said), size) > most:
        yield Fault("too_long", f"The {where} has {len(said):,} letters; {most:,} are the most.", where)
    elif problem := unprintable(" ".join(said.split())):
        yield Fault("bad_character", f"The {where} {problem}.", where)


def _unfit_for_lists(game: Game, card: Card) -> Iterator[Fault]:
    """Yield what of the card could not be written into a list and read again, part by part."""
    bare = replace(card, facts={}, text="")
    said = {"name": _problem(game, bare)}
    for key, value in card.facts.items():
        said[f"fact-{key}"] = _problem(game, replace(bare, facts={key: value}))
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


# -- its form --------------------------------------------------------------------------


def form_of(game: Game, typed: TypedCard, faults: tuple[Fault, ...] = ()) -> dict[str, Any]:
    """The form as its page shows it. ``more`` are fields of what is no fact of play, and is folded; ``types``
    (slug, name, whether it is chosen) are those of which cards can be made.
    """
    wrong = {fault.where: fault.message for fault in reversed(faults)}
    fields: list[dict[str, Any]] = []
    more: list[dict[str, Any]] = []
    for fact in typed_facts(game, typed.type):
        field = _field(game, fact, typed.facts.get(fact.key, ""))
        field["fault"] = wrong.get(field["name"], "")
        (more if fact.is_aside or fact.optional else fields).append(field)
    return {
        "typed": typed,
        "fields": fields,
        "more": more,
        "opens_more": any(field["fault"] or field["value"] for field in more),
        "faults": faults,
        "faults_by_field": wrong,
        "types": [(slug, game.types_by_slug[slug].name, slug == typed.type) for slug in own_types(game)],
        "max_name": MAX_NAME,
        "max_value": MAX_VALUE,
    }


def typed_in(posted: Any, game: Game) -> TypedCard:
    """Return what a form posted, a QueryDict, for any type of the game; the first type in place of one
    that cannot be.
    """
    types, kind = own_types(game), posted.get("type", "")
    facts = {
        fact.key: "; ".join(filter(None, posted.getlist(f"fact-{fact.key}")))[:MAX_POSTED]
        for fact in game.facts
    }
    lines = {name: posted.get(name, "")[:MAX_POSTED] for name in ("name", "note", "number")}
    text = posted.get("text", "")[: 3 * MAX_POSTED]
    return TypedCard(type=kind if kind in types else types[0], facts=facts, text=text, **lines)


def _field(game: Game, fact: Fact, value: str) -> dict[str, Any]:
    """One field. ``choices``: value and whether it is chosen, of a closed list, of which several hold where
    ``is_several``; ``offered``: values that are suggested where any may be typed.
    """
    choices: list[tuple[str, bool]] = []
    offered: tuple[str, ...] = ()
    if fact.kind == "flag":
        choices = [(word, value.casefold() == word) for word in ("yes", "no")]
    elif fact.kind in ("word", "words"):
        # The values that cards of the catalogue have, the most frequent first.
        values: Mapping[str, tuple[str, int]] = stats_of(game.slug).vocabulary.get(fact.key, {})
        known = tuple(shown for shown, _ in sorted(values.values(), key=lambda pair: (-pair[1], pair[0])))
        row_fact = game.row_facts_by_key.get(fact.key)
        if row_fact and row_fact.place == "mark" and 0 < len(known) <= MAX_CLOSED:
            read = fact.read(value)
            words = read if isinstance(read, tuple) else (str(read),) if read is not None else ()
            chosen, there = ({folded(word) for word in of} for of in (words, known))
            others = (word for word in words if folded(word) not in there)
            choices = [(word, folded(word) in chosen) for word in (*known, *others)]
        else:
            offered = known[:MAX_OFFERED]
    is_several = bool(choices) and fact.kind == "words"
    several = " Several with ; between them." if fact.kind == "words" and not is_several else ""
    return {
        "fact": fact,
        "name": f"fact-{fact.key}",
        "value": value,
        "choices": choices,
        "offered": offered,
        "is_several": is_several,
        "is_number": fact.kind == "number",
        "help": fact.help + several,
    }
