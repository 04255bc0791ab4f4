"""The ways through a tree, whatever stands at its leaves: words and terms as typed, or what others made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from operator import and_, or_
from typing import Any

from cardsdb.search.tree import And, Not, Or, Tree, all_of, any_of, none_of


def leaves(tree: Tree | None, excluded: bool = True) -> Iterator[Any]:
    """What a query asks, wherever it stands in it; of what a minus stands before only if ``excluded`` is wanted."""
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


def rewritten(tree: Tree | None, leaf: Callable[[Any], Tree | None]) -> Tree | None:
    """The tree with what ``leaf`` makes of each of its leaves; without those of which it makes None."""
    match tree:
        case None:
            return None
        case And(parts):
            return all_of([rewritten(part, leaf) for part in parts])
        case Or(parts):
            return any_of([rewritten(part, leaf) for part in parts])
        case Not(part):
            inner = rewritten(part, leaf)
            return none_of(inner, tree.span.start) if inner else None
    return leaf(tree)


def joined(tree: Tree, leaf: Callable[[Any, bool], Any], negated: bool = False) -> Any:
    """One condition for the whole tree, of those that ``leaf`` makes of its leaves or their opposites."""
    match tree:
        case Not(part):
            return joined(part, leaf, not negated)
        case And(parts) | Or(parts):
            join = and_ if isinstance(tree, And) != negated else or_
            return reduce(join, (joined(part, leaf, negated) for part in parts))
    return leaf(tree, negated)
