"""The filter form and the query say the same: a query is taken apart into controls, and controls are put
together into a query.

A control stands for a part of the query that everything else is joined to by "and": ``craft>=4``
does, the same inside brackets with an "or" does not and stays among the words. Values of one field
joined by "or", as in ``faction=Bloodvine or faction="The Krypt"``, are one control with several values.
The query's normal form is the address, so every state of the form can be linked to.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote_plus

from cardsdb.games.kit import Fact, Game
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.standard import folded
from cardsdb.search.query.tree import (
    Or,
    Query,
    Term,
    Tree,
    all_of,
    any_of,
    leaves,
    normal,
    ordered,
    parts_of,
    written,
)

# Kinds of fields whose values can be listed with their counts.
COUNTED = ("word", "words", "flag", "exact", "number")
# Parameters of an address that are no controls.
OWN = ("q", "after", "before", "view", "open", "as_typed")
RANGES = {">=": "low", "<=": "high"}


@dataclass(frozen=True)
class Controls:
    """A query as the form shows it.

    ``chosen`` are the values picked, by the key they are counted under: the key, then folded value
    -> the part of the query that picks it, which several share that are joined by "or". ``low`` and
    ``high`` bound number facts. ``words`` is all the rest, as a query.
    """

    chosen: Mapping[str, Mapping[str, Tree]] = field(default_factory=dict)
    low: Mapping[str, str] = field(default_factory=dict)
    high: Mapping[str, str] = field(default_factory=dict)
    words: str = ""

    @property
    def picked(self) -> str:
        """All that was picked, as a query."""
        return normal(all_of(part for key in self.chosen for part in self.parts(key)))

    def parts(self, key: str) -> tuple[Tree, ...]:
        """The parts of the query that pick values under a key: more than one where all of several values are
        wanted.
        """
        return tuple({id(part): part for part in self.chosen.get(key, {}).values()}.values())

    def only(self, key: str) -> str:
        """The one value that every card must have under a key; empty without one, and where one of several
        will do.
        """
        return next((value for value, part in self.chosen.get(key, {}).items() if isinstance(part, Term)), "")


def controls_of(
    query: Query, fields: Fields, bounded: Collection[str] = (), game: Game | None = None
) -> Controls:
    """Take a checked query apart. ``bounded`` are the number facts that the form has fields for: bounds of
    others stay words.
    """
    chosen: dict[str, dict[str, Tree]] = {}
    bounds: dict[str, dict[str, str]] = {"low": {}, "high": {}}
    rest: list[Tree] = []
    for part in parts_of(query.tree):
        if picked := _picked(part, fields, game):
            key, values = picked
            if chosen.get(key, {}).keys().isdisjoint(values):
                chosen.setdefault(key, {}).update(dict.fromkeys(values, part))
                continue
        elif isinstance(part, Term) and (field := fields.get(part.key)) and part.op in RANGES:
            if field.word in bounded and field.word not in bounds[RANGES[part.op]]:
                bounds[RANGES[part.op]][field.word] = part.value
                continue
        rest.append(part)
    return Controls(chosen, bounds["low"], bounds["high"], normal(all_of(rest)))


def _picked(part: Tree, fields: Fields, game: Game | None) -> tuple[str, tuple[str, ...]] | None:
    """(key, folded values) if the part asks for one value that cards have, or for any of some values of one
    key.
    """
    of_terms = [_picked_value(one, fields, game) for one in (part.parts if isinstance(part, Or) else (part,))]
    picked = [one for one in of_terms if one]
    values = tuple(dict.fromkeys(value for _, value in picked))
    return (
        (picked[0][0], values)
        if len(values) == len(of_terms) and len({key for key, _ in picked}) == 1
        else None
    )


def _picked_value(term: Tree, fields: Fields, game: Game | None) -> tuple[str, str] | None:
    """(key, folded value) if the term asks for exactly one value that cards have."""
    if not isinstance(term, Term) or term.op not in (":", "="):
        return None
    field = fields.get(term.key)
    for place in field.asked(term.op, term.value) if field else ():
        if place.kind not in COUNTED or (game and place.games and game.slug not in place.games):
            continue
        meant = place.meant(term.op, term.value)
        value = folded(term.value)
        if value in meant and (term.op == "=" or len(meant) == 1):
            return place.key, value
    return None


def one_of(part: Tree, value: str) -> Tree:
    """Of a part that picks values, the term that picks this one, folded."""
    return next(
        (leaf for leaf in leaves(part) if isinstance(leaf, Term) and folded(leaf.value) == value), part
    )


def but(part: Tree, value: str) -> Tree | None:
    """The part without the term that picks this value; None if nothing is left of it."""
    return any_of(leaf for leaf in leaves(part) if folded(leaf.value) != value)


def and_also(query: Query) -> tuple[str, str]:
    """The query before and after one more part, quoted for an address: each link of a list is made of the two
    and its part.
    """
    plain = normal(query.tree)
    first = f"({plain}) " if isinstance(query.tree, Or) else f"{plain} " if plain else ""
    order = ordered(query.order)
    return quote_plus(first), quote_plus(f" {order}") if order else ""


def term(key: str, value: str) -> str:
    """``key=value`` as it is typed."""
    return f"{key}={written(value)}"


def composed(params: Mapping[str, str], fields: Fields) -> str:
    """The query text that a sent form stands for: its controls, then the words as typed.

    Controls are ``with`` (parts picked elsewhere, kept), ``game``, ``type``, ``set``, any search word,
    ``<word>_from`` and ``<word>_to``, and ``order``. Other parameters are ignored.
    """
    terms = []
    for name, value in params.items():
        value = value.strip()
        if not value or name in (*OWN, "with"):
            continue
        if key := _control(name, fields):
            terms.append(f"{key}{written(value)}")
    picked, words = params.get("with", "").strip(), params.get("q", "").strip()
    # Standing beside other parts, an "or" would take one of them for its own.
    if terms or words:
        picked = _in_brackets(picked)
    if picked or terms:
        words = _in_brackets(words)
    return " ".join(part for part in (picked, *terms, words) if part)


def _in_brackets(text: str) -> str:
    """The text so that an "or" in it ends where it ends; as it is if anything is wrong with it."""
    query = parse(text)
    return (
        f"({normal(query.tree)}) {ordered(query.order)}".strip()
        if isinstance(query.tree, Or) and not query.faults
        else text
    )


def _control(name: str, fields: Fields) -> str:
    """Return what a control of this name puts before its value; empty for any other parameter."""
    if name == "order":
        return "order:"
    for ending, op in (("_from", ">="), ("_to", "<="), ("", "=")):
        word = name.removesuffix(ending)
        if name.endswith(ending) and fields.get(word):
            return f"{word}{op}"
    return ""


def is_form(params: Collection[str], fields: Fields) -> bool:
    """True for an address that was made by the form: it has controls, not the query alone."""
    return any(name == "with" or _control(name, fields) for name in params if name not in OWN)


@dataclass(frozen=True)
class Range:
    """A number fact's bounds in the filter form."""

    fact: Fact
    low: str
    high: str


def bounded_facts(game: Game | None, card_type: str, fields: Fields) -> tuple[Fact, ...]:
    """The number facts of the chosen type, or of the game, that take more than one value."""
    if game is None:
        return ()
    facts = game.facts_of(card_type) if card_type else game.facts
    return tuple(fact for fact in facts if fact.kind == "number" and len(fields.known(fact.key)) != 1)


def ranges_of(controls: Controls, facts: Iterable[Fact]) -> tuple[Range, ...]:
    return tuple(
        Range(fact, controls.low.get(fact.key, ""), controls.high.get(fact.key, "")) for fact in facts
    )
