"""Correct one misspelling in a query of the search language: ``faction:krypy`` -> ``faction:krypt``.

``ask.answer_of`` calls ``without_slip`` if the text as typed finds no card. Tests:
``tests/cardsdb/search/test_misspelling.py``, and ``understood.csv`` beside it.
"""

from collections.abc import Iterable
from dataclasses import replace

from cardsdb.catalogue.current import Catalogue, catalogue
from cardsdb.games.kit import fold
from cardsdb.games.kit.model.likeness import digits_of, letters_off
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.standard import folded
from cardsdb.search.query.tree import Exact, Query, Term, Tree, instead_of, normal, parts_of
from cardsdb.search.results import CardQuery, count_of

# Shorter words are not corrected, because too many others are one letter away.
MIN_LENGTH = 4
# Names that are compared with a misspelt one letter by letter.
MAX_NAMES = 8


def without_slip(query: CardQuery) -> Query | None:
    """Return the query with its one condition that finds no card corrected; None if several find none, or if
    the correction is in doubt (another value is as near) or finds no card either.
    """
    asked = query.query
    # The conditions that find no card by themselves.
    empty = [part for part in parts_of(asked.tree) if not count_of(query, part)]
    if len(empty) != 1 or asked.faults:
        return None
    corrected = _corrected(empty[0], query.fields, catalogue())
    if corrected is None:
        return None
    other = instead_of(asked, empty, corrected)
    other = replace(other, text=normal(other))
    return other if count_of(query, other.tree) else None


def _corrected(part: Tree, fields: Fields, whole: Catalogue) -> Tree | None:
    """Return a condition with its value corrected; None if that is not possible or in doubt."""
    match part:
        case Exact(value) if name := _name(value, whole):
            return Exact(name)
        case Term(key="name", op="=", value=value) if name := _name(value, whole):
            return replace(part, value=name)
        case Term(op=":" | "=") if part.key != "name" and (value := _value(part, fields)):
            return replace(part, value=value)
    return None


def _value(term: Term, fields: Fields) -> str:
    """Return the known value, as shown, or for ``:`` a word of one, that the term's value is one letter away
    from; empty if that is in doubt.
    """
    field = fields.get(term.key)
    known = field.values if field and field.kind in ("word", "words", "exact") else {}
    words = {word for value in known for word in value.split()} if term.op == ":" else set()
    known_value = nearest(folded(term.value), {*known, *words})
    return known.get(known_value, known_value)


def _name(typed: str, whole: Catalogue) -> str:
    """Return the one card name that is a letter away; empty if there is none, or more than one."""
    names = {fold(card.name): card.name for card in whole.named_like(typed, MAX_NAMES)}
    return names.get(nearest(fold(typed), names), "")


def nearest(typed: str, known: Iterable[str]) -> str:
    """Return the one known text that is a letter away: "krypy" -> "krypt"; empty if there is none. Of several
    it may be one that all the others contain, because that finds what they find.

    Digits must be the same: another number is another thing, not a misspelling.
    """
    if len(typed) < MIN_LENGTH:
        return ""
    near = [word for word in letters_off(typed, known, 1) if digits_of(word) == digits_of(typed)]
    shortest = min(near, key=len, default="")
    return shortest if all(shortest in word for word in near) else ""
