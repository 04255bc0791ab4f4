"""Convert between a query and the controls of the filter form beside a list of cards.

``controls_of`` takes a query apart for display; ``composed`` makes a query text of a submitted form. The
address of a page holds only the query, so every state of the form can be linked to. A top-level part becomes
a control if the form can show it; all others stay in the text box as words:

    kai type:agent craft>=4 (faction=Bloodvine or faction="The Krypt")
    chosen  type: agent; faction: bloodvine, the krypt      low  craft: 4      words  kai

This module also has the pieces of links that pick one more value, or drop one, the bounds that the form
shows for number facts, and the facts that a query is about. ``results.parse_query`` calls ``controls_of``,
and the pages of lists (``cardsdb/web/lists``) the rest. Tests: ``test_facets.py``, ``test_card_list.py`` and
``test_search_box.py`` of ``tests/cardsdb/web/lists``.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import quote_plus

from cardsdb.games.kit import Fact, Game
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.standard import folded
from cardsdb.search.query.tree import (
    Or,
    Query,
    Regex,
    Term,
    Tree,
    Versus,
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
# Query-string parameters that do not belong to the filter form.
OWN = ("q", "after", "before", "view", "open", "as_typed")


@dataclass(frozen=True)
class Controls:
    """A query as the form shows it.

    ``chosen``: key of ``terms`` -> folded value -> the part of the query that picks it; values joined by "or"
    share one part. ``low`` and ``high``: word of a number field -> its bound. ``words``: the rest of the
    query, as text.
    """

    chosen: Mapping[str, Mapping[str, Tree]] = field(default_factory=dict)
    low: Mapping[str, str] = field(default_factory=dict)
    high: Mapping[str, str] = field(default_factory=dict)
    words: str = ""

    @property
    def picked(self) -> str:
        """All parts that pick values, as a query text."""
        return normal(all_of(part for key in self.chosen for part in self.parts(key)))

    def parts(self, key: str) -> tuple[Tree, ...]:
        """Return the parts of the query that pick values under a key. There are several if a card must have
        several values, as in ``traits=soldier traits=snoop``.
        """
        # Values joined by "or" share one part, which is returned once.
        part_by_id = {id(part): part for part in self.chosen.get(key, {}).values()}
        return tuple(part_by_id.values())

    def only(self, key: str) -> str:
        """Return the value, folded, that every card must have under a key; empty if there is none, or if
        alternatives are picked.
        """
        for value, part in self.chosen.get(key, {}).items():
            if isinstance(part, Term):
                return value
        return ""


# -- from a query to the controls --------------------------------------------------------


def controls_of(
    query: Query, fields: Fields, bounded: Collection[str] = (), game: Game | None = None
) -> Controls:
    """Take a checked query apart. ``bounded``: the number fields whose bounds the form can show; bounds of
    others stay among the words. ``game``: the one game that is searched, if it is one.
    """
    chosen: dict[str, dict[str, Tree]] = {}
    low, high = dict[str, str](), dict[str, str]()
    rest: list[Tree] = []
    for part in parts_of(query.tree):
        ticked = _ticked_boxes(part, fields, game)
        word = _bounded_word(part, fields, bounded)
        bounds = low if isinstance(part, Term) and part.op == ">=" else high
        # What is picked or bounded a second time stays among the words.
        if ticked and chosen.get(ticked.key, {}).keys().isdisjoint(ticked.values):
            chosen.setdefault(ticked.key, {}).update(dict.fromkeys(ticked.values, part))
        elif isinstance(part, Term) and word and word not in bounds:
            bounds[word] = part.value
        else:
            rest.append(part)
    return Controls(chosen, low, high, normal(all_of(rest)))


class _Ticked(NamedTuple):
    """Boxes that a part of the query ticks: a key of ``terms``, and folded values."""

    key: str
    values: tuple[str, ...]


def _ticked_boxes(part: Tree, fields: Fields, game: Game | None) -> _Ticked | None:
    """Return the boxes of one key by which the part can be shown, else None: ``craft=4 or craft=5`` ->
    ("craft", ("4", "5")).
    """
    terms = part.parts if isinstance(part, Or) else (part,)
    boxes = [_ticked_box(term, fields, game) for term in terms]
    keys = {box.key for box in boxes if box}
    values = dict.fromkeys(value for box in boxes if box for value in box.values)
    # Each term needs a box of its own.
    return _Ticked(keys.pop(), tuple(values)) if len(keys) == 1 and len(values) == len(terms) else None


def _ticked_box(term: Tree, fields: Fields, game: Game | None) -> _Ticked | None:
    """Return the one box that shows a term; None if it asks for anything but one value that cards have."""
    field = fields.get(term.key) if isinstance(term, Term) else None
    if field is None or not isinstance(term, Term) or term.op not in (":", "="):
        return None
    value = folded(term.value)
    for place in field.places_asked(term.op, term.value):
        is_in_game = not game or not place.games or game.slug in place.games
        values = place.values_meant(term.op, term.value)
        # With ":" a part of a value may be typed, or a value that is part of others too.
        is_one_value = value in values and (term.op == "=" or len(values) == 1)
        if place.kind in COUNTED and is_in_game and is_one_value:
            return _Ticked(place.key, (value,))
    return None


def _bounded_word(part: Tree, fields: Fields, bounded: Collection[str]) -> str:
    """Return the word of the ``bounded`` field whose bound a part states: "craft" for ``craft>=4``."""
    if not isinstance(part, Term) or part.op not in (">=", "<="):
        return ""
    field = fields.get(part.key)
    return field.word if field and field.word in bounded else ""


# -- pieces of links that change the picked values -----------------------------------------


def term_picking(part: Tree, value: str) -> Tree:
    """Return the term in a part of ``Controls.chosen`` that picks this folded value: "4" in ``craft=4 or
    craft=5`` -> ``craft=4``.
    """
    for leaf in leaves(part):
        if isinstance(leaf, Term) and folded(leaf.value) == value:
            return leaf
    return part


def without_value(part: Tree, value: str) -> Tree | None:
    """Return the part without the term that picks this folded value: "4" in ``craft=4 or craft=5`` ->
    ``craft=5``. None if nothing is left.
    """
    return any_of(leaf for leaf in leaves(part) if folded(leaf.value) != value)


def around_one_more(query: Query) -> tuple[str, str]:
    """Return the texts that stand before and behind one more part of a query, both quoted for an address, so
    that many links can be made of them. Unquoted, ``type:agent order:-craft`` gives ("type:agent ",
    " order:-craft"), and ``type:agent or kai`` gives ("(type:agent or kai) ", "").
    """
    conditions = normal(query.tree)
    if isinstance(query.tree, Or):
        conditions = f"({conditions})"
    order = ordered(query.order)
    before = f"{conditions} " if conditions else ""
    behind = f" {order}" if order else ""
    return quote_plus(before), quote_plus(behind)


def term_text(key: str, value: str) -> str:
    """Return ``key=value`` as it is typed, with quotes if needed."""
    return f"{key}={written(value)}"


# -- from a submitted form to a query ----------------------------------------------------


def composed(params: Mapping[str, str], fields: Fields) -> str:
    """Return the query text of a submitted form: its controls, then the words as typed. The form
    {type: "agent", craft_from: "4", q: "kai or chen"} gives ``type=agent craft>=4 (kai or chen)``.

    Controls are any search field (``game``, ``type``, ...), its bounds ``<word>_from`` and ``<word>_to``,
    ``order``, and ``with``: parts picked by links, which the form carries along as query text. Other
    parameters are ignored.
    """
    terms = []
    for name, value in params.items():
        control = "" if name in (*OWN, "with") else _control(name, fields)
        if control and value.strip():
            terms.append(f"{control}{written(value.strip())}")
    picked, words = params.get("with", "").strip(), params.get("q", "").strip()
    # Without brackets, "a or b" beside another part would be read as "a or (b and part)".
    if terms or words:
        picked = _in_brackets(picked)
    if picked or terms:
        words = _in_brackets(words)
    return " ".join(part for part in (picked, *terms, words) if part)


def _in_brackets(text: str) -> str:
    """Return the text in brackets if it is an "or". A text with faults is returned as it is."""
    query = parse(text)
    if query.faults or not isinstance(query.tree, Or):
        return text
    return f"({normal(query.tree)}) {ordered(query.order)}".strip()


def _control(name: str, fields: Fields) -> str:
    """Return the text before the value of a control: "craft_from" -> "craft>="; empty for others."""
    if name == "order":
        return "order:"
    for ending, op in (("_from", ">="), ("_to", "<="), ("", "=")):
        word = name.removesuffix(ending)
        if name.endswith(ending) and fields.get(word):
            return f"{word}{op}"
    return ""


def is_form(params: Collection[str], fields: Fields) -> bool:
    """True if a query string was submitted by the form: it has controls, not just the query."""
    return any(name == "with" or _control(name, fields) for name in params if name not in OWN)


# -- the bounds of number facts ------------------------------------------------------------


@dataclass(frozen=True)
class Range:
    """A number fact's bounds in the filter form."""

    fact: Fact
    low: str
    high: str


def bounded_facts(game: Game | None, card_type: str, fields: Fields) -> tuple[Fact, ...]:
    """Return the number facts of the chosen type, or of the game, whose value is not always the same."""
    if game is None:
        return ()
    facts = game.facts_of(card_type)
    return tuple(fact for fact in facts if fact.kind == "number" and len(fields.known(fact.key)) != 1)


def ranges_of(controls: Controls, facts: Iterable[Fact]) -> tuple[Range, ...]:
    """Return the bounds of each fact, empty where the query has none."""
    return tuple(
        Range(fact, controls.low.get(fact.key, ""), controls.high.get(fact.key, "")) for fact in facts
    )


# -- the facts that a query is about ---------------------------------------------------------


def facts_asked_about(query: Query, fields: Fields) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (keys that the query sorts or filters by, keys with a single picked value). The second are the
    same in every row, so they need no column: ``type=agent craft=4 combat>3 order:-expense`` gives
    (("expense", "combat"), ("type", "craft")).
    """
    terms = [part for part in parts_of(query.tree) if isinstance(part, Term)]
    picked = tuple(dict.fromkeys(part.key for part in terms if _picks_one(part, fields)))
    words = [sort.key for sort in query.order]
    for leaf in leaves(query.tree):
        if isinstance(leaf, Term | Regex):
            words.append(leaf.key)
        elif isinstance(leaf, Versus):
            words += leaf.left, leaf.right
    varying: dict[str, None] = {}
    for word in words:
        field = fields.get(word)
        if field:
            varying |= dict.fromkeys(place.key for place in field.places if place.key not in picked)
    return tuple(varying), picked


def _picks_one(term: Term, fields: Fields) -> bool:
    """True if all cards that this term finds have the same value of its field (not so for ``craft>4``)."""
    field = fields.get(term.key)
    places = field.places_asked(term.op, term.value) if field and term.op in (":", "=") else ()
    if len(places) != 1:
        return False
    (place,) = places
    # A part of a word may mean several values.
    is_one_word = place.kind == "word" and len(place.values_meant(term.op, term.value)) == 1
    return is_one_word or place.kind in ("number", "flag")
