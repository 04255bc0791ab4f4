"""The meaning of ``similar:name``: cards that share most facts with the named card, and why they do.

``check`` expands a ``similar:`` term by ``like_card`` into an ``AtLeast`` tree, which ``matching`` runs like
any other. ``closeness`` gives the compared facts, by which results are ordered; ``reasons`` explains one
likeness on a card's page. Tests: ``tests/cardsdb/search/query/test_similar.py``.
"""

from collections.abc import Iterator, Mapping
from math import ceil

from cardsdb.games.kit import Card, FactValue, Game, fold
from cardsdb.search.query.standard import small
from cardsdb.search.query.tree import NOWHERE, And, AtLeast, Exact, Not, Or, Span, Term, Tree

# Per cent of the named card's facts that another card must share.
SHARE = 60
# Numbers are alike if they differ by at most this.
NEAR = 1
# Facts that are compared.
MAX_SIMILAR = 60
# Words of one fact that are compared.
MAX_SIMILAR_WORDS = 12


def like_card(card: Card, game: Game, name: str, span: Span = NOWHERE) -> AtLeast | None:
    """Return the tree that ``similar:name`` stands for: cards of the same game and type with another name
    that share ``SHARE`` per cent of the facts. None if the card has no facts to compare.

    Kai of Spycraft has ten facts, of which others must share six. With each condition as it would be typed:

        AtLeast(1, like="Kai"), an And of
            game=spycraft
            type=agent
            AtLeast(6) of faction="Nine Tiger", expense>=6 expense<=8, ..., traits=Soldier, does=give
            -!Kai
    """
    near = (_near(key, value) for key, value in comparable(card.facts, game))
    parts = tuple(part for part in near if part)[:MAX_SIMILAR]
    if not parts:
        return None
    shared = AtLeast(ceil(len(parts) * SHARE / 100), parts, span=span)
    every = (Term("game", "=", card.game), Term("type", "=", card.type), shared, Not(Exact(card.name)))
    # The outer AtLeast only carries the name, so that ``normal`` can write the term as it was typed.
    return AtLeast(1, (And(every, span=span),), like=name, span=span)


def comparable(facts: Mapping[str, FactValue], game: Game) -> Iterator[tuple[str, FactValue]]:
    """Yield (key, value) of the facts by which cards are compared, in the game's order."""
    for fact in game.facts:
        value = facts.get(fact.key)
        if fact.kind in ("number", "word", "words") and value is not None:
            yield fact.key, value


def _near(key: str, value: FactValue) -> Tree | None:
    """Return the condition that another card has the same value, or nearly so; None for an empty value:
    ``expense>=6 expense<=8`` for a 7, and one of several words for a list of words.
    """
    if isinstance(value, int):
        return And((Term(key, ">=", str(value - NEAR)), Term(key, "<=", str(value + NEAR))))
    words = tuple(Term(key, "=", word) for word in _words(value)[:MAX_SIMILAR_WORDS] if fold(word))
    if len(words) > 1:
        return Or(words)
    return words[0] if words else None


def _words(value: FactValue) -> tuple[str, ...]:
    """Return the words of a value; a single word as a tuple of one."""
    return tuple(value) if isinstance(value, tuple | list) else (str(value),)


def reasons(reference: Mapping[str, FactValue], other: Mapping[str, FactValue], game: Game) -> str:
    """Return why another card is like the reference card: ``same expense, combat +1, both Soldier``."""
    all_reasons = (
        _reason(game.facts_by_key[key].title, value, other.get(key))
        for key, value in comparable(reference, game)
    )
    return ", ".join(reason for reason in all_reasons if reason)


def _reason(title: str, value: FactValue, other: FactValue | None) -> str:
    """Return in what a fact of another card is alike: "same expense"; empty if it is not."""
    what = small(title)
    if other is None:
        return ""
    if isinstance(value, int):
        if not isinstance(other, int) or abs(other - value) > NEAR:
            return ""
        return f"same {what}" if other == value else f"{what} {other - value:+d}"
    if isinstance(value, str):
        return f"same {what}" if fold(value) == fold(str(other)) else ""
    shared = [word for word in value if fold(word) in map(fold, _words(other))]
    return f"both {' and '.join(shared)}" if shared else ""


def asked_like(tree: Tree | None) -> AtLeast | None:
    """Return the expanded form of a query's first ``similar:``; None without one."""
    match tree:
        case AtLeast(_, (And(),)) if tree.like:
            return tree
        case And(parts):
            return next((found for part in parts if (found := asked_like(part))), None)
    return None


def closeness(tree: Tree | None) -> tuple[Tree, ...]:
    """Return the facts that a query's first ``similar:`` compares, each as a condition; empty without one.
    Results that meet more of them come earlier.
    """
    found = asked_like(tree)
    parts = found.parts[0].parts if found and isinstance(found.parts[0], And) else ()
    return next((part.parts for part in parts if isinstance(part, AtLeast)), ())
