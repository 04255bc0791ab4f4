"""Say a query about decks in plain words, so that a reader sees whether it was understood."""

from __future__ import annotations

from collections.abc import Iterable

from cardsdb.search.query.tree import And, Not, Or, Tree
from decks.public.meaning import Meant


def in_words(tree: Tree | None, has_own: bool) -> str:
    """``Public Spycraft decks that are legal in Agency Deck and use Kai``. ``has_own``: the visitor's own are among them."""
    parts = list(tree.parts) if isinstance(tree, And) else [tree] if tree else []
    # A game that all must be for stands before the word.
    games = [part for part in parts if isinstance(part, Meant) and part.game]
    rest = [part for part in parts if part not in games]
    of = f"{games[0].game} " if len(games) == 1 else ""
    subject = f"Public {of}decks{', and yours,' if has_own else ''}"
    clauses = rest if of else parts
    return f"{subject} that {_joined([_clause(part) for part in clauses], 'and')}" if clauses else subject.rstrip(",")


def _clause(tree: Tree, negated: bool = False) -> str:
    match tree:
        case Not(part):
            return _clause(part, not negated)
        case And(parts) | Or(parts):
            # Not all of them is one or another not; none of them is each of them not.
            word = "and" if isinstance(tree, And) != negated else "or"
            return f"({_joined([_clause(part, negated) for part in parts], word)})"
        case Meant():
            return tree.opposite if negated else tree.phrase
    raise ValueError(f"no query of decks has {tree!r}")


def _joined(clauses: Iterable[str], word: str) -> str:
    """``a and b``; from three on ``a, b, and c``."""
    *first, last = clauses
    if not first:
        return last.removeprefix("(").removesuffix(")") if last.startswith("(") else last
    return f"{first[0]} {word} {last}" if len(first) == 1 else f"{', '.join(first)}, {word} {last}"
