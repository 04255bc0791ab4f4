"""Convert between a query and the controls of the filter form beside a list of cards.

``controls_of`` takes a query apart for display; ``composed`` makes a query text of a submitted form. The
address of a page holds only the query, so every state of the form can be linked to. A top-level part becomes
a control if the form can show it; all others stay in the text box as words:

    kai type:agent craft>=4 (faction=Bloodvine or faction="The Krypt")
    chosen  type: agent; faction: bloodvine, the krypt      low  craft: 4      words  kai

``results.parse_query`` calls ``controls_of``, and the pages of lists (``cardsdb/web/lists``) the rest; their
tests are ``tests/cardsdb/web/lists/``.
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
        return tuple({id(part): part for part in self.chosen.get(key, {}).values()}.values())

    def only(self, key: str) -> str:
        """Return the value, folded, that every card must have under a key; empty if there is none, or if
        alternatives are picked.
        """
        return next((value for value, part in self.chosen.get(key, {}).items() if isinstance(part, Term)), "")


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
        if picked := _picked(part, fields, game):
            key, values = picked
            # A value that is picked twice stays among the words the second time.
            if chosen.get(key, {}).keys().isdisjoint(values):
                chosen.setdefault(key, {}).update(dict.fromkeys(values, part))
                continue
        elif isinstance(part, Term) and part.op in (">=", "<="):
            asked, bounds = fields.get(part.key), low if part.op == ">=" else high
            if asked and asked.word in bounded and asked.word not in bounds:
                bounds[asked.word] = part.value
                continue
        rest.append(part)
    return Controls(chosen, low, high, normal(all_of(rest)))


def _picked(part: Tree, fields: Fields, game: Game | None) -> tuple[str, tuple[str, ...]] | None:
    """Return (key, folded values) if the part can be shown as ticked boxes of one key, else None:
    ``craft=4 or craft=5`` -> ("craft", ("4", "5")).
    """
    terms = part.parts if isinstance(part, Or) else (part,)
    picked = [pair for term in terms if (pair := _picked_value(term, fields, game))]
    values = tuple(dict.fromkeys(value for _, value in picked))
    keys = {key for key, _ in picked}
    return (picked[0][0], values) if len(values) == len(terms) and len(keys) == 1 else None


def _picked_value(term: Tree, fields: Fields, game: Game | None) -> tuple[str, str] | None:
    """Return (key, folded value) if the term asks for exactly one value that cards have, else None."""
    if not isinstance(term, Term) or term.op not in (":", "="):
        return None
    field = fields.get(term.key)
    for place in field.asked(term.op, term.value) if field else ():
        if place.kind not in COUNTED or (game and place.games and game.slug not in place.games):
            continue
        meant = place.meant(term.op, term.value)
        value = folded(term.value)
        # With ":" a part of a value may be typed, or a value that is part of others too.
        if value in meant and (term.op == "=" or len(meant) == 1):
            return place.key, value
    return None


def one_of(part: Tree, value: str) -> Tree:
    """Return the term in a part of ``Controls.chosen`` that picks this folded value."""
    terms = (leaf for leaf in leaves(part) if isinstance(leaf, Term))
    return next((term for term in terms if folded(term.value) == value), part)


def but(part: Tree, value: str) -> Tree | None:
    """Return the part without the term that picks this folded value; None if nothing is left."""
    return any_of(leaf for leaf in leaves(part) if folded(leaf.value) != value)


def and_also(query: Query) -> tuple[str, str]:
    """Return the text of a query before and after the place of one more part, both quoted for an address. A
    list of links that each add a part is made from these two. Unquoted, ``type:agent order:-craft`` gives
    ("type:agent ", " order:-craft"), and ``type:agent or kai`` gives ("(type:agent or kai) ", "").
    """
    plain = normal(query.tree)
    if isinstance(query.tree, Or):
        plain = f"({plain})"
    order = ordered(query.order)
    return quote_plus(f"{plain} ") if plain else "", quote_plus(f" {order}") if order else ""


def term(key: str, value: str) -> str:
    """Return ``key=value`` as it is typed, with quotes if needed."""
    return f"{key}={written(value)}"


def composed(params: Mapping[str, str], fields: Fields) -> str:
    """Return the query text of a submitted form: its controls, then the words as typed. The form
    {type: "agent", craft_from: "4", q: "kai or chen"} gives ``type=agent craft>=4 (kai or chen)``.

    Controls are any search field (``game``, ``type``, ...), its bounds ``<word>_from`` and ``<word>_to``,
    ``order``, and ``with``: parts picked by links, which the form carries along as query text. Other
    parameters are ignored.
    """
    terms = []
    for name, value in params.items():
        value = value.strip()
        if not value or name in (*OWN, "with"):
            continue
        if key := _control(name, fields):
            terms.append(f"{key}{written(value)}")
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
    facts = game.facts_of(card_type) if card_type else game.facts
    return tuple(fact for fact in facts if fact.kind == "number" and len(fields.known(fact.key)) != 1)


def ranges_of(controls: Controls, facts: Iterable[Fact]) -> tuple[Range, ...]:
    """Return the bounds of each fact, empty where the query has none."""
    return tuple(
        Range(fact, controls.low.get(fact.key, ""), controls.high.get(fact.key, "")) for fact in facts
    )
