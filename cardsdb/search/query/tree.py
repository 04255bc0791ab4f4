"""The syntax tree of a search query: its node types, functions to build and walk it, and its text form.

``grammar`` builds trees, ``check`` checks them against the known fields, ``matching`` runs them, and
``words`` explains them in English. Nodes are immutable values. Invariant: reading the text that ``normal``
writes gives an equal tree; ``tests/cardsdb/search/query/test_grammar.py`` tries it with any trees. A new kind
of nodes needs a case in ``normal`` here, in ``matching`` and in ``words``.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

# Problems reported one by one; one more problem counts the rest.
MAX_PROBLEMS = 20


class Span(NamedTuple):
    """A range of the typed text: columns from 0, the end exclusive, as in slices."""

    start: int
    end: int


NOWHERE = Span(0, 0)


@dataclass(frozen=True, kw_only=True)
class Part:
    """Base of all nodes. ``span`` is where the node was typed; nodes are equal whatever their spans."""

    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, kw_only=True)
class Keyed(Part):
    """Base of nodes with a field and a value, with their spans. A value typed in quotes is always a literal
    value: ``combat>health`` compares two fields (``Versus``), ``combat>"health"`` does not.
    """

    key_span: Span = field(default=NOWHERE, compare=False)
    value_span: Span = field(default=NOWHERE, compare=False)
    in_quotes: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Word(Part):
    """A word or phrase that occurs somewhere in the words of the card. With ``in_quotes``, which plain-word
    search sets, ``normal`` writes even a single word in quotes, so that it is not interpreted again.
    """

    value: str
    in_quotes: bool = field(default=False, compare=False, kw_only=True)


@dataclass(frozen=True)
class Exact(Part):
    """The whole name of the card, typed as ``!name``."""

    value: str


@dataclass(frozen=True)
class Term(Keyed):
    """A field, an operator (``: = != < <= > >=``) and a value as typed: ``craft>=4`` is ("craft", ">=", "4").
    Before ``check`` the key may be no field, and the value may not suit it.
    """

    key: str
    op: str
    value: str


@dataclass(frozen=True)
class Regex(Keyed):
    """A case-insensitive regular expression in re2's syntax, searched in each folded value of a field."""

    key: str
    pattern: str


@dataclass(frozen=True)
class Versus(Part):
    """A comparison (``= != < <= > >=``) of two number fields of a card. False if one is unknown."""

    left: str
    op: str
    right: str


@dataclass(frozen=True)
class AtLeast(Part):
    """At least ``count`` of the parts hold. Never typed: it is what ``similar:`` expands to (see
    ``similar``), and then ``like`` is the name of the reference card.
    """

    count: int
    parts: "tuple[Tree, ...]"
    like: str = ""


@dataclass(frozen=True)
class Not(Part):
    """The part does not hold."""

    part: "Tree"


@dataclass(frozen=True)
class And(Part):
    """All of the parts hold. There are two or more, none of them an And; ``all_of`` builds it so."""

    parts: "tuple[Tree, ...]"


@dataclass(frozen=True)
class Or(Part):
    """Any of the parts holds. There are two or more, none of them an Or; ``any_of`` builds it so."""

    parts: "tuple[Tree, ...]"


Tree = Word | Exact | Term | Regex | Versus | AtLeast | Not | And | Or


@dataclass(frozen=True)
class SortKey(Part):
    """A field to sort results by. Cards without a value come last in both directions."""

    key: str
    descending: bool = False


@dataclass(frozen=True)
class Problem:
    """A fault in ``text[start:end]`` of ``Query.text``. Each suggestion is a text that can replace that
    range; an empty one leaves the part out.

    ``advice`` marks a part that is valid, and is kept, but is probably not what was meant.
    """

    code: str
    message: str
    start: int
    end: int
    suggestions: tuple[str, ...] = ()
    advice: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the problem as the API gives it, without ``advice``."""
        fields = {**asdict(self), "suggestions": list(self.suggestions)}
        del fields["advice"]
        return fields


@dataclass(frozen=True)
class Query:
    """A query as understood. A ``tree`` of None has no condition: every card meets it.

    ``order`` are the typed sort keys, the most important first. If there are none, results are sorted by
    relevance if words were typed, else by name.
    """

    tree: Tree | None
    problems: tuple[Problem, ...] = ()
    order: tuple[SortKey, ...] = ()
    # The text as typed, in which all spans count their columns.
    text: str = field(default="", compare=False)

    @property
    def faults(self) -> tuple[Problem, ...]:
        """The problems that are not mere advice. Strict callers, such as the API, refuse a query with any."""
        return tuple(problem for problem in self.problems if not problem.advice)


class Problems(list[Problem]):
    """A growing list of the problems of one query."""

    def add(self, code: str, message: str, span: Span, *suggestions: str, advice: bool = False) -> None:
        self.append(Problem(code, message, *span, suggestions, advice))


def limited(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems in text order: at most MAX_PROBLEMS, and then one that counts the rest. Equal ones
    that touch, such as two brackets ``))`` that close nothing, are merged.
    """
    merged: list[Problem] = []
    for problem in sorted(problems, key=lambda problem: (problem.start, problem.end)):
        last = merged[-1] if merged else None
        if last and (last.code, last.message, last.end) == (problem.code, problem.message, problem.start):
            merged[-1] = replace(last, end=problem.end)
        else:
            merged.append(problem)
    if len(merged) > MAX_PROBLEMS:
        rest = merged[MAX_PROBLEMS:]
        message = f"There are {len(rest)} more problems after this."
        merged = [
            *merged[:MAX_PROBLEMS],
            Problem("more-problems", message, rest[0].start, max(p.end for p in rest)),
        ]
    return tuple(merged)


def all_of(parts: Iterable[Tree | None]) -> Tree | None:
    """Return the parts that are not None as a flat And; a single part as it is; None if there is none."""
    return _joined(And, parts)


def any_of(parts: Iterable[Tree | None]) -> Tree | None:
    """Return the parts that are not None as a flat Or; a single part as it is; None if there is none."""
    return _joined(Or, parts)


def _joined(kind: type[And | Or], parts: Iterable[Tree | None]) -> Tree | None:
    """Join the parts that are not None. The parts of a nested node of the same kind are taken singly, so that
    ``a and (b and c)`` has three parts.
    """
    flat: list[Tree] = []
    for part in parts:
        if isinstance(part, kind):
            flat += part.parts
        elif part is not None:
            flat.append(part)
    if len(flat) < 2:
        return flat[0] if flat else None
    return kind(tuple(flat), span=Span(min(p.span.start for p in flat), max(p.span.end for p in flat)))


def none_of(part: Tree, start: int | None = None) -> Tree:
    """Return the negation of a tree. ``start`` is the column of the typed minus sign, if there is one."""
    if isinstance(part, Not):
        return part.part
    return Not(part, span=part.span if start is None else Span(start, part.span.end))


def parts_of(tree: Tree | None) -> tuple[Tree, ...]:
    """Return the top-level parts, all of which must hold."""
    if isinstance(tree, And):
        return tree.parts
    return () if tree is None else (tree,)


def without(query: Query, unwanted: Iterable[Tree]) -> Query:
    """Return the query without some of its top-level parts, recognised by identity."""
    return instead_of(query, unwanted, None)


def instead_of(query: Query, parts: Iterable[Tree], other: Tree | None) -> Query:
    """Return the query with ``other`` in the place of the first of some top-level parts, and without the
    rest of them. Parts are recognised by identity, because equal ones may stand twice.
    """
    gone = set(map(id, parts))
    # A part that is gone leaves a None, which ``all_of`` drops.
    kept = [None if id(part) in gone else part for part in parts_of(query.tree)]
    first_gone = kept.index(None) if None in kept else 0
    return Query(all_of([*kept[:first_gone], other, *kept[first_gone:]]), (), query.order)


# -- walking a tree --------------------------------------------------------------


def leaves(tree: Tree | None, excluded: bool = True) -> Iterator[Any]:
    """Yield every leaf of a tree: all nodes but And, Or and Not. Leaves under a Not only if ``excluded``."""
    match tree:
        case None:
            return
        case And(parts) | Or(parts):
            for part in parts:
                yield from leaves(part, excluded)
        case Not(part):
            if excluded:
                yield from leaves(part)
        case _:
            yield tree


def map_leaves(tree: Tree | None, leaf: Callable[[Any], Tree | None]) -> Tree | None:
    """Return the tree with each leaf replaced by ``leaf(node)``, and dropped if that is None."""
    match tree:
        case None:
            return None
        case And(parts):
            return all_of([map_leaves(part, leaf) for part in parts])
        case Or(parts):
            return any_of([map_leaves(part, leaf) for part in parts])
        case Not(part):
            inner = map_leaves(part, leaf)
            return none_of(inner, tree.span.start) if inner else None
    return leaf(tree)


# -- the written form ------------------------------------------------------------

# Every comparison that can be typed, the longest first so that ">=" is not read as ">".
OPERATOR = r"!=|<=|>=|==|=>|=<|<>|[=<>]"
# A field's name with the operator after it. Groups are the name, a colon, another operator: ("type", ":",
# None) or ("craft", None, ">="). Spaces may stand around a comparison, but not beside a colon: "Operation:
# Paperclip" is a name.
KEY = re.compile(rf"([A-Za-z][A-Za-z0-9_-]*)(?:(:)|\s*({OPERATOR})\s*)")
# A word or value without quotes.
BARE = re.compile(r'[^\s()"]+')
CONNECTIVES = ("or", "and")


def normal(query: Query | Tree | None) -> str:
    """Return the normal text form of a query or of a part of one. Parsing it again gives an equal tree."""
    match query:
        case None:
            return ""
        case Query(tree=tree, order=order):
            # Brackets, because an order behind "a or b" would look like a part of b.
            conditions = f"({normal(tree)})" if isinstance(tree, Or) and order else normal(tree)
            return " ".join(filter(None, (conditions, ordered(order))))
        case Word(value):
            # Without quotes the text would be read as something else: "-x", "a*", "craft>4", "or".
            has_sign = value[0] in "-!/:=<>" or value[-1] == "*" or KEY.match(value)
            needs_quotes = has_sign or query.in_quotes or value.casefold() in CONNECTIVES
            return quoted(value) if needs_quotes or not BARE.fullmatch(value) else value
        case Exact(value):
            return f"!{written(value)}"
        case Term(key, op, value):
            return f"{key}{op}{written(value)}"
        case Regex(key, pattern):
            return f"{key}:{slashed(pattern)}"
        case Versus(left, op, right):
            return f"{left}{op}{right}"
        case AtLeast(like=like):
            return f"similar:{written(like)}"
        case Not(part):
            return f"-({normal(part)})" if isinstance(part, And | Or) else f"-{normal(part)}"
        case And(parts):
            return " ".join(f"({normal(part)})" if isinstance(part, Or) else normal(part) for part in parts)
        case Or(parts):
            # Without brackets, a game beside words is meant for the words of all alternatives (``ask``).
            keys = [getattr(leaf, "key", "") for leaf in leaves(query) if not isinstance(leaf, Word)]
            in_brackets = And if keys == ["game"] else ()
            return " or ".join(
                f"({normal(part)})" if isinstance(part, in_brackets) else normal(part) for part in parts
            )


def written(value: str) -> str:
    """Return a value as it is typed behind an operator: in quotes only if they are needed."""
    return value if value[:1] not in tuple("!/:=<>") and BARE.fullmatch(value) else quoted(value)


def quoted(value: str) -> str:
    r"""Return a value in quotes. A backslash is put before each quote in it, and before each backslash that
    would otherwise escape what follows it (a quote, a backslash, or the closing quote):

        say "no"  ->  "say \"no\""
        a\b       ->  "a\b"
        c:\       ->  "c:\\"
    """
    if '"' not in value and "\\" not in value:
        return f'"{value}"'
    return '"' + re.sub(r'\\(?=[\\"]|\Z)|"', r"\\\g<0>", value) + '"'


def slashed(pattern: str) -> str:
    r"""Return a regular expression between slashes, with the slashes in it escaped: ``a/b`` -> ``/a\/b/``.
    A slash that is escaped already stays so: ``a\/b`` -> ``/a\/b/``.
    """
    # An escape such as \d or \/ is matched whole (group 1) and kept; a slash alone gets its backslash.
    return "/" + re.sub(r"(\\.)|/", lambda match: match[1] or r"\/", pattern, flags=re.DOTALL) + "/"


def ordered(order: Iterable[SortKey]) -> str:
    """Return sort keys as they are typed, such as ``order:-craft,name``; empty if there are none."""
    keys = ",".join(f"{'-' if key.descending else ''}{key.key}" for key in order)
    return f"order:{written(keys)}" if keys else ""


def tree_json(tree: Tree | None) -> dict[str, Any] | None:
    """Return the tree as dicts and lists for the API. ``start`` and ``end`` are columns of the typed text.
    ``craft>=4`` is {"kind": "term", "key": "craft", "op": ">=", "value": "4", "start": 0, "end": 8}.
    """
    node: dict[str, Any] = {"kind": type(tree).__name__.lower()}
    match tree:
        case None:
            return None
        case AtLeast(like=like):
            node = {"kind": "similar", "value": like}
        case Not(part):
            node["part"] = tree_json(part)
        case And(parts) | Or(parts):
            node["parts"] = [tree_json(part) for part in parts]
        case _:
            node |= {name: getattr(tree, name) for name in tree.__match_args__}
    return {**node, "start": tree.span.start, "end": tree.span.end}
