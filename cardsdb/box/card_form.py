"""The form in which a visitor types an own card: from posted cells to a Card, and from a Card to form fields.

``typed_in`` reads a posted form into a ``TypedCard``, ``card_of`` checks it against the game's declarations
and returns the Card, ``form_of`` gives the fields for the template. Every accepted card survives being
written into a deck list and read back, because decks store own cards as text.

``cardsdb/web/own_sets.py`` shows the form; ``set_rows.py`` reads rows of files as if they were typed.
Tests: ``tests/cardsdb/box/test_card_form.py``; of ``form_of`` ``test_own_sets.py`` and
``test_checklist.py`` in ``tests/cardsdb/web``.
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

# Characters of a card's name, of its note, of each fact, and of its collector number.
MAX_NAME = 120
MAX_NOTE = 300
MAX_VALUE = 280
MAX_NUMBER = 20
# A fact that lists of cards show as a mark (such as a faction) is chosen among its known values, if there are
# at most this many.
MAX_CLOSED = 16
# Known values that a free field suggests.
MAX_OFFERED = 60
# Characters of each posted field that are read: more than any may have, so that an error can count them.
# Three times as many are read of the text.
MAX_POSTED = 6_000
# Facts computed from a card's effects; they have no field in the form.
_TOLD = {fact.key for fact in EFFECT_FACTS}


class TypedCard(NamedTuple):
    """All fields of the form as typed, unchecked. ``facts``: fact key -> cell."""

    name: str
    type: str
    facts: Mapping[str, str]
    text: str = ""
    note: str = ""
    number: str = ""


def typed_facts(game: Game, card_type: str) -> list[Fact]:
    """The facts that the form asks for a card of this type, in the game's order."""
    return [fact for fact in game.facts_of(card_type) if fact.key not in _TOLD]


def own_types(game: Game) -> list[str]:
    """The slugs of the card types that can be in decks; only these can be made."""
    return [card_type.slug for card_type in game.types if card_type.in_decks]


def typed_of(game: Game, card: Card, number: str = "") -> TypedCard:
    """Return a card as the form shows it. A catalogue card, used as a pattern, lends its facts but not its
    text and note.
    """
    facts = {
        fact.key: _cell(card.facts[fact.key])
        for fact in typed_facts(game, card.type)
        if fact.key in card.facts
    }
    text, note = (card.text, card.note) if card.own else ("", "")
    return TypedCard(card.name, card.type, facts, text, note, number)


def _cell(value: Any) -> str:
    """Return a fact's value as text that ``Fact.read`` reads back to the same value: ``("Soldier", "Pilot")``
    -> ``Soldier; Pilot``, ``("Rome, Italy",)`` -> ``Rome, Italy;``.
    """
    if not isinstance(value, tuple | list):
        return as_words(value)
    # A single value with a comma needs the closing ; or it would be read as two values.
    return "; ".join(value) + (";" if len(value) == 1 and "," in value[0] else "")


def card_of(game: Game, typed: TypedCard, code: str) -> Card:
    """Return the card that was typed. Raises Refused with every fault, each at its field: ``name``, ``type``,
    ``number``, ``text``, ``note`` or ``fact-KEY``.
    """
    faults = list(_faults_around(game, typed))
    # The fault of the type comes first; without a valid type no other field can be judged.
    if faults and faults[0].where == "type":
        raise Refused(*faults)
    card, in_cells = _read(game, typed, code)
    faults += in_cells
    # Only a card without other faults can be written into a list.
    if not faults:
        faults += _unfit_for_lists(game, card)
    if faults:
        raise Refused(*faults)
    return card


def draft_of(game: Game, typed: TypedCard) -> Card:
    """Return the card for the preview beside the form; invalid parts are left out."""
    card, _ = _read(game, typed, "own_draft")
    return replace(card, name=card.name[:MAX_NAME] or "No name yet", note="")


def _read(game: Game, typed: TypedCard, code: str) -> tuple[Card, list[Fault]]:
    """Return (the card without its invalid facts and without an invalid text, the faults of these)."""
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
    name, note = (" ".join(line.split()) for line in (typed.name, typed.note))
    return Card(game.slug, code, name, typed.type, facts, text, note=note, written=True), faults


def _faults_around(game: Game, typed: TypedCard) -> Iterator[Fault]:
    """Yield the faults of all fields except facts and text; that of the type comes first."""
    if typed.type not in own_types(game):
        yield Fault("bad_type", "Choose one of the types of card.", "type")
    name = " ".join(typed.name.split())
    if not any(char.isalnum() for char in name):
        yield Fault("no_name", "Give the card a name.", "name")
    else:
        yield from line_faults("name", name, MAX_NAME, len(fold(name)))
    yield from line_faults("number", typed.number, MAX_NUMBER)
    yield from line_faults("note", typed.note, MAX_NOTE)


def line_faults(where: str, line: str, most: int, size: int = 0) -> Iterator[Fault]:
    """Yield the fault of a one-line field named ``where``, if any. ``size``: the length of the folded line,
    which may be larger (folding makes "ss" of "ß") and must not exceed ``most`` either.
    """
    if max(len(line), size) > most:
        yield Fault("too_long", f"The {where} has {len(line):,} letters; {most:,} are the most.", where)
    elif problem := unprintable(" ".join(line.split())):
        yield Fault("bad_character", f"The {where} {problem}.", where)


def _unfit_for_lists(game: Game, card: Card) -> Iterator[Fault]:
    """Yield the fault of each part of the card that would change when written into a list and read back.

    Tried are the name alone, the name with each fact, and the whole card. A fault of the name is told alone,
    since every further trial would show it again; a fault that only the whole card has is told at the name.
    """
    bare = replace(card, facts={}, text="")
    if problem := _problem(game, bare):
        yield Fault("not_for_lists", problem, "name")
        return
    of_facts = {key: _problem(game, replace(bare, facts={key: value})) for key, value in card.facts.items()}
    for key, problem in of_facts.items():
        if problem:
            yield Fault("not_for_lists", problem, f"fact-{key}")
    if not any(of_facts.values()) and (problem := _problem(game, card)):
        yield Fault("not_for_lists", problem, "name")


def _problem(game: Game, card: Card) -> str:
    """Return the sentence on why a list could not hold this card; "" if it can."""
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


# -- the form --------------------------------------------------------------------------


def form_of(game: Game, typed: TypedCard, faults: tuple[Fault, ...] = ()) -> dict[str, Any]:
    """Return the context of the form's template.

    ``fields`` are those shown at once, ``more`` those in a folded part: facts that do not matter in play or
    are optional. ``types``: (slug, name, is chosen) of the types that can be made.
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
    """Return the card typed in a posted QueryDict. An unknown type becomes the first one."""
    types, kind = own_types(game), posted.get("type", "")
    facts = {
        fact.key: "; ".join(filter(None, posted.getlist(f"fact-{fact.key}")))[:MAX_POSTED]
        for fact in game.facts
    }
    lines = {name: posted.get(name, "")[:MAX_POSTED] for name in ("name", "note", "number")}
    text = posted.get("text", "")[: 3 * MAX_POSTED]
    return TypedCard(type=kind if kind in types else types[0], facts=facts, text=text, **lines)


def _field(game: Game, fact: Fact, value: str) -> dict[str, Any]:
    """Return one field of the form.

    ``choices``: (value, is chosen) of a closed list; several may be chosen if ``is_several``. ``offered``:
    suggestions for a free field.
    """
    choices, offered = _values_for(game, fact, value)
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


def _values_for(game: Game, fact: Fact, value: str) -> tuple[list[tuple[str, bool]], tuple[str, ...]]:
    """Return (choices, offered) of a field, as in ``_field``; at least one of them is empty.

    A flag with the value "yes" gives the choices ``[("yes", True), ("no", False)]``.
    """
    if fact.kind == "flag":
        return [(word, value.casefold() == word) for word in ("yes", "no")], ()
    if fact.kind not in ("word", "words"):
        return [], ()
    # The values that catalogue cards have, most frequent first.
    values: Mapping[str, tuple[str, int]] = stats_of(game.slug).vocabulary.get(fact.key, {})
    known = tuple(shown for shown, _ in sorted(values.values(), key=lambda pair: (-pair[1], pair[0])))
    row_fact = game.row_facts_by_key.get(fact.key)
    is_mark = row_fact is not None and row_fact.place == "mark"
    if not is_mark or not 0 < len(known) <= MAX_CLOSED:
        return [], known[:MAX_OFFERED]
    read = fact.read(value)
    # The values that the card has.
    own = read if isinstance(read, tuple) else () if read is None else (str(read),)
    chosen, in_catalogue = set(map(folded, own)), set(map(folded, known))
    # Some of them no catalogue card may have; they are offered after the known ones.
    others = (word for word in own if folded(word) not in in_catalogue)
    return [(word, folded(word) in chosen) for word in (*known, *others)], ()
