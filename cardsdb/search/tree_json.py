"""A query's tree as the API gives it."""

from __future__ import annotations

from typing import Any

from cardsdb.search.tree import And, AtLeast, Exact, Not, Or, Regex, Term, Tree, Versus, Word


def tree_json(tree: Tree | None) -> dict[str, Any] | None:
    """The tree as plain dicts and lists; ``start`` and ``end`` are columns of the typed text."""
    if tree is None:
        return None
    place = {"start": tree.span.start, "end": tree.span.end}
    match tree:
        case Word(value):
            return {"kind": "word", "value": value, **place}
        case Exact(value):
            return {"kind": "exact", "value": value, **place}
        case Term(key, op, value):
            return {"kind": "term", "key": key, "op": op, "value": value, **place}
        case Regex(key, pattern):
            return {"kind": "regex", "key": key, "pattern": pattern, **place}
        case Versus(left, op, right):
            return {"kind": "versus", "left": left, "op": op, "right": right, **place}
        case AtLeast(like=like):
            return {"kind": "similar", "value": like, **place}
        case Not(part):
            return {"kind": "not", "part": tree_json(part), **place}
        case And(parts):
            return {"kind": "and", "parts": [tree_json(part) for part in parts], **place}
        case Or(parts):
            return {"kind": "or", "parts": [tree_json(part) for part in parts], **place}
