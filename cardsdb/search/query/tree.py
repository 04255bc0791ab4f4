"""What a query means: a tree of terms with its problems, and how to build and to walk such trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import and_, or_
from typing import Any, NamedTuple

# Problems that are reported one by one.
MAX_PROBLEMS = 20


class Span(NamedTuple):
    """A piece of the typed text: the column of its first character, from 0, and the one after its last."""

    start: int
    end: int


NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Word:
    """A word or phrase that occurs somewhere on the card."""

    value: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Exact:
    """The whole name of the card."""

    value: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Term:
    """A field, an operator (``: = != < <= > >=``) and a value as typed; whether they fit is not checked
    here.
    """

    key: str
    op: str
    value: str
    span: Span = field(default=NOWHERE, compare=False)
    key_span: Span = field(default=NOWHERE, compare=False)
    value_span: Span = field(default=NOWHERE, compare=False)
    # A value typed in quotes is never the name of another field.
    in_quotes: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Regex:
    """A regular expression, in re2's syntax and whatever the case, that is found in the folded name, text or
    one value of a field.
    """

    key: str
    pattern: str
    span: Span = field(default=NOWHERE, compare=False)
    key_span: Span = field(default=NOWHERE, compare=False)
    value_span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Versus:
    """Two number fields of the same card compared (``= != < <= > >=``). Where either is unknown it does not
    hold.
    """

    left: str
    op: str
    right: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class AtLeast:
    """So many of the parts, or more. Nobody types this: ``like`` is the card's name in the ``similar:`` that
    it stands for.
    """

    count: int
    parts: tuple[Tree, ...]
    span: Span = field(default=NOWHERE, compare=False)
    like: str = ""


@dataclass(frozen=True, slots=True)
class Not:
    part: Tree
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class And:
    """All of the parts: two or more, none of them an And."""

    parts: tuple[Tree, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Or:
    """Any of the parts: two or more, none of them an Or."""

    parts: tuple[Tree, ...]
    span: Span = field(default=NOWHERE, compare=False)


Tree = Word | Exact | Term | Regex | Versus | AtLeast | Not | And | Or


@dataclass(frozen=True, slots=True)
class SortKey:
    """What the results are sorted by, a field's name; what is unknown comes last either way."""

    key: str
    descending: bool = False
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with text[start:end]. Each suggestion may take that text's place.

    ``advice`` marks what is valid and yet probably not meant: nothing was dropped.
    """

    code: str
    message: str
    start: int
    end: int
    suggestions: tuple[str, ...] = ()
    advice: bool = False

    def as_json(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "message": self.message,
            "start": self.start,
            "end": self.end,
            "suggestions": list(self.suggestions),
        }


@dataclass(frozen=True, slots=True)
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
        return tuple(problem for problem in self.problems if not problem.advice) if self.problems else ()


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
    flat: list[Tree] = []
    for part in parts:
        flat += part.parts if isinstance(part, And) else (part,) if part is not None else ()
    return And(tuple(flat), _around(flat)) if len(flat) > 1 else flat[0] if flat else None


def any_of(parts: Iterable[Tree | None]) -> Tree | None:
    """The Or of what is there, without needless nesting; None if nothing is."""
    flat: list[Tree] = []
    for part in parts:
        flat += part.parts if isinstance(part, Or) else (part,) if part is not None else ()
    return Or(tuple(flat), _around(flat)) if len(flat) > 1 else flat[0] if flat else None


def none_of(part: Tree, start: int | None = None) -> Tree:
    """The opposite of a tree; ``start`` is the column of its minus sign."""
    if isinstance(part, Not):
        return part.part
    return Not(part, part.span if start is None else Span(start, part.span.end))


def _around(parts: list[Tree]) -> Span:
    return Span(min((p.span.start for p in parts), default=0), max((p.span.end for p in parts), default=0))


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


def combined(tree: Tree, leaf: Callable[[Any, bool], Any], negated: bool = False) -> Any:
    """One condition for the whole tree, made of the conditions that ``leaf(leaf, negated)`` makes of its
    leaves.
    """
    match tree:
        case Not(part):
            return combined(part, leaf, not negated)
        case And(parts) | Or(parts):
            join = and_ if isinstance(tree, And) != negated else or_
            return reduce(join, (combined(part, leaf, negated) for part in parts))
    return leaf(tree, negated)
