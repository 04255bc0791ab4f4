"""The filter form and the query are one thing seen twice: a query is taken apart into controls, controls are put together into a query.

A control stands for a part of the query that everything else is joined to by "and": ``craft>=4``
does, the same inside brackets with an "or" does not and stays among the words. The query's normal
form is the address, so every state of the form can be linked to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote_plus

from cardsdb.games.kit import Fact, Game
from cardsdb.search.query.fields import Field, Fields, Place
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.normal_form import normal, ordered, written
from cardsdb.search.query.tree import And, Or, Query, Term, Tree, all_of
from cardsdb.search.query.values import folded

# Fields that a list of values with their counts can be made of.
COUNTED = ("word", "words", "flag", "exact", "number")
# What an address has besides controls.
OWN = ("q", "after", "before", "view")
RANGES = {">=": "low", "<=": "high"}


@dataclass(frozen=True, slots=True)
class Controls:
    """A query as the form shows it.

    ``chosen`` are the values picked, by the key they are counted under: the key, then folded value
    -> the part of the query that picks it. ``low`` and ``high`` bound number facts. ``words`` is all
    the rest, as a query.
    """

    chosen: Mapping[str, Mapping[str, Tree]] = field(default_factory=dict)
    low: Mapping[str, str] = field(default_factory=dict)
    high: Mapping[str, str] = field(default_factory=dict)
    words: str = ""

    @property
    def picked(self) -> str:
        """All that was picked, as a query."""
        return normal(all_of(part for values in self.chosen.values() for part in values.values()))

    def only(self, key: str) -> str:
        """The one value picked under a key; empty without one."""
        return next(iter(self.chosen.get(key, {})), "")


def controls_of(query: Query, fields: Fields, bounded: Collection[str] = (), game: Game | None = None) -> Controls:
    """Take a checked query apart. ``bounded`` are the number facts that the form has fields for: bounds of others stay words."""
    chosen: dict[str, dict[str, Tree]] = {}
    bounds: dict[str, dict[str, str]] = {"low": {}, "high": {}}
    rest: list[Tree] = []
    for part in parts_of(query.tree):
        if isinstance(part, Term) and (field := fields.get(part.key)):
            if picked := _picked(part, field, fields, game):
                key, value = picked
                if value not in chosen.setdefault(key, {}):
                    chosen[key][value] = part
                    continue
            elif part.op in RANGES and field.word in bounded and field.word not in bounds[RANGES[part.op]]:
                bounds[RANGES[part.op]][field.word] = part.value
                continue
        rest.append(part)
    return Controls({key: values for key, values in chosen.items() if values}, bounds["low"], bounds["high"], normal(all_of(rest)))


def parts_of(tree: Tree | None) -> tuple[Tree, ...]:
    """What a query asks for all at once."""
    return tree.parts if isinstance(tree, And) else (tree,) if tree is not None else ()


def _picked(term: Term, field: Field, fields: Fields, game: Game | None) -> tuple[str, str] | None:
    """(key, folded value) if the term asks for exactly one value that cards have."""
    if term.op not in (":", "="):
        return None
    for place in fields.places(field, term.op, term.value):
        if place.kind not in COUNTED or (game and place.games and game.slug not in place.games):
            continue
        meant = fields.meant(place, term.op, term.value)
        wanted = folded(term.value)
        if wanted in meant and (term.op == "=" or len(meant) == 1):
            return place.key, wanted
    return None


def without(query: Query, unwanted: Iterable[Tree]) -> Query:
    """The query without some of its parts."""
    gone = set(map(id, unwanted))
    return Query(all_of(part for part in parts_of(query.tree) if id(part) not in gone), (), query.order)


def and_also(query: Query) -> tuple[str, str]:
    """What stands before and after one more part of the query, as an address holds it: lists of links are made of the two."""
    plain = normal(query.tree)
    first = f"({plain}) " if isinstance(query.tree, Or) else f"{plain} " if plain else ""
    order = ordered(query.order)
    return quote_plus(first), quote_plus(f" {order}") if order else ""


def term(key: str, value: str) -> str:
    """``key=value`` as it is typed."""
    return f"{key}={written(value)}"


def composed(params: Mapping[str, str], fields: Fields) -> str:
    """The form's answer as query text: its controls, then the words as typed.

    Controls are ``with`` (parts picked elsewhere, kept), ``game``, ``type``, ``set``, any search word,
    ``<word>_from`` and ``<word>_to``, and ``order``. What is not a control is left alone.
    """
    terms = []
    for name, value in params.items():
        value = value.strip()
        if not value or name in (*OWN, "with"):
            continue
        if name == "order":
            terms.append(f"order:{written(value)}")
        elif name.endswith("_from") and fields.get(name[:-5]):
            terms.append(f"{name[:-5]}>={written(value)}")
        elif name.endswith("_to") and fields.get(name[:-3]):
            terms.append(f"{name[:-3]}<={written(value)}")
        elif fields.get(name):
            terms.append(term(name, value))
    kept, words = params.get("with", "").strip(), params.get("q", "").strip()
    read = parse(words)
    if (kept or terms) and isinstance(read.tree, Or) and not read.faults:
        # Standing beside the controls, an "or" would take one of them for its own.
        words = f"({normal(read.tree)}) {ordered(read.order)}"
    return " ".join(part for part in (kept, *terms, words.strip()) if part)


def is_form(params: Collection[str], fields: Fields) -> bool:
    """Whether an address was made by the form: it has controls, not the query alone."""
    bounds = ("_from", "_to")
    return any(
        name in ("with", "order") or fields.get(name) or any(name.endswith(b) and fields.get(name.removesuffix(b)) for b in bounds)
        for name in params
        if name not in OWN
    )


@dataclass(frozen=True, slots=True)
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
    return tuple(fact for fact in facts if fact.kind == "number" and len(fields.known(Place(fact.key, "number"))) != 1)


def ranges_of(controls: Controls, facts: Iterable[Fact]) -> tuple[Range, ...]:
    return tuple(Range(fact, controls.low.get(fact.key, ""), controls.high.get(fact.key, "")) for fact in facts)
