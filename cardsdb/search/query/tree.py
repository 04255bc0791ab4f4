"""Hold the meaning of a query: a tree of terms with its problems; how to build and to walk such trees; and
how they are written down.

The normal form of a query reads again as the same query.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

# Problems that are reported one by one.
MAX_PROBLEMS = 20


class Span(NamedTuple):
    """A piece of the typed text: the column of its first character, from 0, and the one after its last."""

    start: int
    end: int


NOWHERE = Span(0, 0)


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of a query; ``span`` is where it was typed. Parts are the same wherever they were."""

    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, kw_only=True)
class Keyed(Part):
    """A part with a field and a value, and where these were typed. A value typed in quotes is never the name
    of another field.
    """

    key_span: Span = field(default=NOWHERE, compare=False)
    value_span: Span = field(default=NOWHERE, compare=False)
    in_quotes: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Word(Part):
    """A word or phrase that occurs somewhere on the card; one typed in quotes is just that."""

    value: str
    in_quotes: bool = field(default=False, compare=False, kw_only=True)


@dataclass(frozen=True)
class Exact(Part):
    """The whole name of the card."""

    value: str


@dataclass(frozen=True)
class Term(Keyed):
    """A field, an operator (``: = != < <= > >=``) and a value as typed; whether they fit is not checked
    here.
    """

    key: str
    op: str
    value: str


@dataclass(frozen=True)
class Regex(Keyed):
    """A regular expression, in re2's syntax and whatever the case, that is found in the folded name, text or
    one value of a field.
    """

    key: str
    pattern: str


@dataclass(frozen=True)
class Versus(Part):
    """Two number fields of the same card compared (``= != < <= > >=``). Where either is unknown it does not
    hold.
    """

    left: str
    op: str
    right: str


@dataclass(frozen=True)
class AtLeast(Part):
    """So many of the parts, or more. It is never typed: ``like`` is the card's name in the ``similar:`` that
    it stands for.
    """

    count: int
    parts: "tuple[Tree, ...]"
    like: str = ""


@dataclass(frozen=True)
class Not(Part):
    part: "Tree"


@dataclass(frozen=True)
class And(Part):
    """All of the parts: two or more, none of them an And."""

    parts: "tuple[Tree, ...]"


@dataclass(frozen=True)
class Or(Part):
    """Any of the parts: two or more, none of them an Or."""

    parts: "tuple[Tree, ...]"


Tree = Word | Exact | Term | Regex | Versus | AtLeast | Not | And | Or


@dataclass(frozen=True)
class SortKey(Part):
    """A field that results are sorted by; what is unknown comes last either way."""

    key: str
    descending: bool = False


@dataclass(frozen=True)
class Problem:
    """A fault of text[start:end]. Each suggestion may take that text's place.

    ``advice`` marks what is valid and yet probably not meant: nothing was dropped.
    """

    code: str
    message: str
    start: int
    end: int
    suggestions: tuple[str, ...] = ()
    advice: bool = False

    def as_json(self) -> dict[str, Any]:
        told = {**asdict(self), "suggestions": list(self.suggestions)}
        del told["advice"]
        return told


@dataclass(frozen=True)
class Query:
    """A query as understood. ``tree`` is None when nothing is asked, which every card meets.

    ``order`` is what was asked for, the most important first; without it the likeliest names come
    first where words were typed, else the catalogue's order holds.
    """

    tree: Tree | None
    problems: tuple[Problem, ...] = ()
    order: tuple[SortKey, ...] = ()
    # As typed: what every span counts its columns in.
    text: str = field(default="", compare=False)

    @property
    def faults(self) -> tuple[Problem, ...]:
        """The problems for which a strict caller refuses the query."""
        return tuple(problem for problem in self.problems if not problem.advice)


class Problems(list[Problem]):
    """The problems of one query, as they are found."""

    def add(self, code: str, message: str, span: Span, *suggestions: str, advice: bool = False) -> None:
        self.append(Problem(code, message, *span, suggestions, advice))


def limited(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems in the order of the text, equal neighbours as one; at most MAX_PROBLEMS, and one more that
    counts the rest.
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
    """The And of what is there, without needless nesting; None if nothing is."""
    return _joined(And, parts)


def any_of(parts: Iterable[Tree | None]) -> Tree | None:
    """The Or of what is there, without needless nesting; None if nothing is."""
    return _joined(Or, parts)


def _joined(kind: type[And | Or], parts: Iterable[Tree | None]) -> Tree | None:
    flat: list[Tree] = []
    for part in parts:
        flat += part.parts if isinstance(part, kind) else (part,) if part is not None else ()
    if len(flat) < 2:
        return flat[0] if flat else None
    return kind(tuple(flat), span=Span(min(p.span.start for p in flat), max(p.span.end for p in flat)))


def none_of(part: Tree, start: int | None = None) -> Tree:
    """The opposite of a tree; ``start`` is the column of its minus sign."""
    if isinstance(part, Not):
        return part.part
    return Not(part, span=part.span if start is None else Span(start, part.span.end))


def parts_of(tree: Tree | None) -> tuple[Tree, ...]:
    """The parts that a query joins by “and”."""
    return tree.parts if isinstance(tree, And) else (tree,) if tree is not None else ()


def without(query: Query, unwanted: Iterable[Tree]) -> Query:
    """The query without some of its parts."""
    return instead_of(query, unwanted, None)


def instead_of(query: Query, parts: Iterable[Tree], other: Tree | None) -> Query:
    """The query with another part where the first of these stands, and without the rest of them."""
    gone = set(map(id, parts))
    place = next((number for number, part in enumerate(parts_of(query.tree)) if id(part) in gone), 0)
    kept = [None if id(part) in gone else part for part in parts_of(query.tree)]
    return Query(all_of([*kept[:place], other, *kept[place:]]), (), query.order)


# -- walking a tree --------------------------------------------------------------


def leaves(tree: Tree | None, excluded: bool = True) -> Iterator[Any]:
    """Every leaf of a tree; those behind a minus only if ``excluded``."""
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
    """The tree with each leaf replaced by what ``leaf`` makes of it; without those of which it makes None."""
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


OPERATOR = r"!=|<=|>=|==|=>|=<|<>|[=<>]"
# A field's name with the operator after it. Spaces may stand around a comparison, never beside
# a colon: "Operation: Paperclip" is a name.
KEY = re.compile(rf"([A-Za-z][A-Za-z0-9_-]*)(?:(:)|\s*({OPERATOR})\s*)")
BARE = re.compile(r'[^\s()"]+')
CONNECTIVES = ("or", "and")


def normal(query: Query | Tree | None) -> str:
    """The normal form of this query, or of a part of one. Reading it again gives the same."""
    match query:
        case None:
            return ""
        case Query(tree=tree, order=order):
            # Behind an "or" the order would look as if it belonged to the last alternative.
            conditions = f"({normal(tree)})" if isinstance(tree, Or) and order else normal(tree)
            return " ".join(filter(None, (conditions, ordered(order))))
        case Word(value):
            is_plain = value[0] not in "-!/:=<>" and value[-1] != "*" and not KEY.match(value)
            is_plain = is_plain and not query.in_quotes and value.casefold() not in CONNECTIVES
            return value if is_plain and BARE.fullmatch(value) else quoted(value)
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
            return " or ".join(map(normal, parts))


def written(value: str) -> str:
    """A value as it stands behind an operator: in quotes only where it must be."""
    return value if value[:1] not in tuple("!/:=<>") and BARE.fullmatch(value) else quoted(value)


def quoted(value: str) -> str:
    """A value in quotes; a backslash guards a quote, and itself where it would guard something."""
    if '"' not in value and "\\" not in value:
        return f'"{value}"'
    return '"' + re.sub(r'\\(?=[\\"]|\Z)|"', r"\\\g<0>", value) + '"'


def slashed(pattern: str) -> str:
    """A regular expression between slashes; a backslash guards those inside."""
    return "/" + re.sub(r"(\\.)|/", lambda match: match[1] or r"\/", pattern, flags=re.DOTALL) + "/"


def ordered(order: Iterable[SortKey]) -> str:
    """Return what to sort by as it is typed; empty without any."""
    keys = ",".join(f"{'-' if one.descending else ''}{one.key}" for one in order)
    return f"order:{written(keys)}" if keys else ""


def tree_json(tree: Tree | None) -> dict[str, Any] | None:
    """The tree as plain dicts and lists; ``start`` and ``end`` are columns of the typed text."""
    told: dict[str, Any] = {"kind": type(tree).__name__.lower()}
    match tree:
        case None:
            return None
        case AtLeast(like=like):
            told = {"kind": "similar", "value": like}
        case Not(part):
            told["part"] = tree_json(part)
        case And(parts) | Or(parts):
            told["parts"] = [tree_json(part) for part in parts]
        case _:
            told |= {name: getattr(tree, name) for name in tree.__match_args__}
    return {**told, "start": tree.span.start, "end": tree.span.end}
