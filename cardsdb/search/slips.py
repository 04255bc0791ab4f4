"""A condition of a query that finds nothing for one slip in it: the condition that was meant."""

from collections.abc import Iterable
from dataclasses import replace

from cardsdb.catalogue.current import Catalogue
from cardsdb.games.kit import fold
from cardsdb.games.kit.model.names import digits_of, letters_off
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.standard import folded
from cardsdb.search.query.tree import Exact, Term, Tree

# A shorter word is one letter away from too much; names like the one typed that are compared letter by letter.
MIN_LENGTH, MAX_NAMES = 4, 8


def mended(part: Tree, fields: Fields, whole: Catalogue) -> Tree | None:
    """Return the condition that was meant by one with a letter wrong; None if that is not sure."""
    match part:
        case Exact(value) if name := _name(value, whole):
            return Exact(name)
        case Term(key="name", op="=", value=value) if name := _name(value, whole):
            return replace(part, value=name)
        case Term(op=":" | "=") if part.key != "name" and (value := _value(part, fields)):
            return replace(part, value=value)
    return None


def _value(term: Term, fields: Fields) -> str:
    """The value that a term means: a whole one as it is shown, or a word of some; empty if that is not
    sure.
    """
    field = fields.get(term.key)
    known = field.values if field and field.kind in ("word", "words", "exact") else {}
    words = {word for value in known for word in value.split()} if term.op == ":" else set()
    nearest = _nearest(folded(term.value), {*known, *words})
    return known.get(nearest, nearest)


def _name(typed: str, whole: Catalogue) -> str:
    """The one name a letter away; empty if there is none, or more than one."""
    names = {fold(card.name): card.name for card in whole.named_like(typed, MAX_NAMES)}
    return names.get(_nearest(fold(typed), names), "")


def _nearest(typed: str, known: Iterable[str]) -> str:
    """The one word of these a letter away; of several, one that is part of all the others, so that it finds
    what they find.

    Another number is another thing: digits are no slips.
    """
    if len(typed) < MIN_LENGTH:
        return ""
    near = [word for word in letters_off(typed, known, 1) if digits_of(word) == digits_of(typed)]
    shortest = min(near, key=len, default="")
    return shortest if all(shortest in word for word in near) else ""
