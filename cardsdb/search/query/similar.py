"""The cards most like another, by ``similar:``: the facts that are compared, and the reasons for a
likeness.
"""

from collections.abc import Iterator, Mapping

from cardsdb.games.kit import Card, FactValue, Game, fold
from cardsdb.search.query.standard import small
from cardsdb.search.query.tree import NOWHERE, And, AtLeast, Exact, Not, Or, Span, Term, Tree

# The share of a card's facts that another must share, in hundredths.
SHARE = 60
# How far a number may be off.
NEAR = 1
# Facts of a card that others may be similar in, and words of one of them.
MAX_SIMILAR = 60
MAX_SIMILAR_WORDS = 12


def like_card(card: Card, game: Game, name: str, span: Span = NOWHERE) -> AtLeast | None:
    """Return what ``similar:name`` stands for; None if nothing is known of the card that others could be
    compared with.

    The card itself is left out by its name, and with it any other card of that name.
    """
    parts = tuple(part for key, value in comparable(card.facts, game) if (part := _near(key, value)))[
        :MAX_SIMILAR
    ]
    if not parts:
        return None
    shared = AtLeast(-(-len(parts) * SHARE // 100), parts, span=span)
    every = (Term("game", "=", card.game), Term("type", "=", card.type), shared, Not(Exact(card.name)))
    return AtLeast(1, (And(every, span=span),), like=name, span=span)


def comparable(facts: Mapping[str, FactValue], game: Game) -> Iterator[tuple[str, FactValue]]:
    """The facts by which cards are compared, in the game's order."""
    for fact in game.facts:
        value = facts.get(fact.key)
        if fact.kind in ("number", "word", "words") and value is not None:
            yield fact.key, value


def _near(key: str, value: FactValue) -> Tree | None:
    """The same fact on another card, or nearly so."""
    if isinstance(value, int):
        return And((Term(key, ">=", str(value - NEAR)), Term(key, "<=", str(value + NEAR))))
    words = tuple(Term(key, "=", word) for word in _words(value)[:MAX_SIMILAR_WORDS] if fold(word))
    return Or(words) if len(words) > 1 else words[0] if words else None


def _words(value: FactValue) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, tuple | list) else (str(value),)


def reasons(reference: Mapping[str, FactValue], other: Mapping[str, FactValue], game: Game) -> str:
    """Why the other card is like the first, by their facts: ``same expense, combat +1, both Soldier``."""
    all_reasons = (
        _reason(game.facts_by_key[key].title, value, other.get(key))
        for key, value in comparable(reference, game)
    )
    return ", ".join(reason for reason in all_reasons if reason)


def _reason(title: str, value: FactValue, other: FactValue | None) -> str:
    what = small(title)
    if other is None:
        return ""
    if isinstance(value, int):
        difference = other - value if isinstance(other, int) else NEAR + 1
        return "" if abs(difference) > NEAR else f"{what} {difference:+d}" if difference else f"same {what}"
    if isinstance(value, str):
        return f"same {what}" if fold(value) == fold(str(other)) else ""
    shared = [word for word in value if fold(word) in map(fold, _words(other))]
    return f"both {' and '.join(shared)}" if shared else ""


def asked_like(tree: Tree | None) -> AtLeast | None:
    """Return what a query's first ``similar:`` stands for; None without one."""
    match tree:
        case AtLeast(_, (And(),)) if tree.like:
            return tree
        case And(parts):
            return next((found for part in parts if (found := asked_like(part))), None)
    return None


def closeness(tree: Tree | None) -> tuple[Tree, ...]:
    """The facts that a query's first ``similar:`` compares; the more of them a card shares, the earlier it
    comes. Empty without one.
    """
    found = asked_like(tree)
    parts = found.parts[0].parts if found and isinstance(found.parts[0], And) else ()
    return next((part.parts for part in parts if isinstance(part, AtLeast)), ())
