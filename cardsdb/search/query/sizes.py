"""Sizes in plain English: "craft 4 or more", "4+ craft", "craft is at least 4", "craft between 3 and 5"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cardsdb.search.query.as_typed import MAX_NUMBER_DIGITS, AsTyped
from cardsdb.search.query.fields import Field, Fields
from cardsdb.search.query.normal_form import BEHIND_NUMBERS
from cardsdb.search.query.tree import Span, Term, Tree, Word

# What stands before a number, and the operator that it is.
BEFORE = {
    **dict.fromkeys((("at", "least"), ("no", "less", "than"), ("not", "less", "than"), ("minimum",), ("min",)), ">="),
    **dict.fromkeys((("at", "most"), ("up", "to"), ("no", "more", "than"), ("not", "more", "than"), ("maximum",), ("max",)), "<="),
    **dict.fromkeys(
        (("over",), ("above",), *((word, "than") for word in ("more", "greater", "higher", "better", "bigger", "larger"))), ">"
    ),
    **dict.fromkeys((("under",), ("below",), *((word, "than") for word in ("less", "fewer", "lower", "smaller"))), "<"),
    **dict.fromkeys((("exactly",), ("equal", "to"), ("equals",)), "="),
}
# What stands behind one, after "or", and the operator that it is.
BEHIND = {word: "<=" if word in ("less", "fewer", "lower", "smaller", "under", "below") else ">=" for word in BEHIND_NUMBERS}
# What may stand between a field and its size.
JOINTS = ("is", "are", "of")
# A field's name may be of several words, as in "victory points".
MAX_NAME_WORDS = 3
# Parts of "no more than 3" and of what may stand around it.
MAX_SIZE_WORDS = 8
_BEGINNING = {first: [(words, op) for words, op in BEFORE.items() if words[0] == first] for first in {words[0] for words in BEFORE}}
_OR_MORE = re.compile(rf"([0-9]{{1,{MAX_NUMBER_DIGITS}}})\+")
_RANGE = re.compile(rf"([0-9]{{1,{MAX_NUMBER_DIGITS}}})-([0-9]{{1,{MAX_NUMBER_DIGITS}}})")


@dataclass(frozen=True, slots=True)
class Amount:
    """Operators with their numbers, ``>=`` if the number alone is there and nothing says how it is meant; and how many parts that takes."""

    bounds: tuple[tuple[str, str], ...]
    length: int
    is_bare: bool = False


@dataclass(frozen=True, slots=True)
class Size:
    """A field with its amount: the terms that they are, and the parts that it takes. ``is_bare``: nothing says how the number is meant."""

    field: Field
    terms: tuple[Term, ...]
    length: int
    is_bare: bool


def or_more(op: str, number: str, span: Span) -> Term:
    """``4 or more`` as one part that waits for its field, which no finished tree has."""
    return Term("", op, number, span)


def bounds_of(typed: str) -> tuple[tuple[str, str], ...]:
    """What ``4+`` and ``3-5`` say; nothing if it is neither."""
    if more := _OR_MORE.fullmatch(typed):
        return ((">=", more[1]),)
    if (both := _RANGE.fullmatch(typed)) and int(both[1]) <= int(both[2]):
        return ((">=", both[1]), ("<=", both[2]))
    return ()


def _has_digits(part: Tree) -> bool:
    return part.value[:1].isdigit() if isinstance(part, Word) else isinstance(part, Term) and not part.key


class Sizes:
    """Finds sizes among parts that stand side by side. Changes nothing and reports nothing."""

    def __init__(self, typed: AsTyped, fields: Fields) -> None:
        self._typed = typed
        self._fields = fields

    def at(self, parts: Sequence[Tree], place: int, linked: bool = False) -> Size | None:
        """The size that begins at this place. Behind a linking word as in "with 4 craft" (``linked``) a bare number is exact."""
        if not any(_has_digits(part) for part in parts[place : place + MAX_SIZE_WORDS]):
            return None
        return self._field_first(parts, place, linked) or self._amount_first(parts, place, linked)

    def number_field(self, parts: Sequence[Tree]) -> Field | None:
        """The field of this name, if it is a number wherever it is anything."""
        field = self.field(parts)
        return field if field and all(place.kind == "number" for place in field.places) else None

    def field(self, parts: Sequence[Tree]) -> Field | None:
        """The field of this name, also with an ending as in "costs" and "costing"."""
        name = " ".join(self._typed.words(parts))
        if not name:
            return None
        stems = (name, name.removesuffix("s"), name.removesuffix("ing"))
        return next((field for stem in stems if stem and (field := self._fields.get(stem))), None)

    def _field_first(self, parts: Sequence[Tree], place: int, linked: bool) -> Size | None:
        for length in range(min(MAX_NAME_WORDS, len(parts) - place - 1), 0, -1):
            field = self.number_field(parts[place : place + length])
            if field is None:
                continue
            start = place + length
            joint = self._joint(parts, start)
            amount = self._amount(parts, start + joint) if self._are_beside(parts, start - 1, start + joint) else None
            if amount:
                is_bare = amount.is_bare and not linked and not joint
                return self._size(field, amount, parts, place, start + joint + amount.length, is_bare)
        return None

    def _amount_first(self, parts: Sequence[Tree], place: int, linked: bool) -> Size | None:
        amount = self._amount(parts, place)
        if amount is None or (amount.is_bare and not linked):
            return None
        start = place + amount.length
        for length in range(min(MAX_NAME_WORDS, len(parts) - start), 0, -1):
            field = self.number_field(parts[start : start + length])
            if field and self._typed.beside(parts[start - 1], parts[start]):
                return self._size(field, amount, parts, place, start + length, False)
        return None

    def _size(self, field: Field, amount: Amount, parts: Sequence[Tree], place: int, end: int, is_bare: bool) -> Size:
        span = Span(parts[place].span.start, parts[end - 1].span.end)
        terms = tuple(Term(field.word, op, number, span, span, span) for op, number in amount.bounds)
        return Size(field, terms, end - place, is_bare)

    def _joint(self, parts: Sequence[Tree], place: int) -> int:
        """How many parts stand between a field and its size."""
        return int(place + 1 < len(parts) and self._typed.word(parts[place]) in JOINTS)

    def _amount(self, parts: Sequence[Tree], place: int) -> Amount | None:
        part = parts[place]
        if isinstance(part, Term):
            return None if part.key else Amount(((part.op, part.value),), 1)
        if bounds := bounds_of(self._typed.word(part)):
            return Amount(bounds, 1)
        return self._between(parts, place) or self._compared(parts, place)

    def _compared(self, parts: Sequence[Tree], place: int) -> Amount | None:
        """``4``, ``4 and above``, ``at least 4``."""
        if number := self._typed.number(parts[place]):
            if place + 1 < len(parts) and self._typed.between(parts[place], parts[place + 1]) == "and":
                op = BEHIND.get(self._typed.word(parts[place + 1]))
                if op:
                    return Amount(((op, number),), 2)
            return Amount((("=", number),), 1, is_bare=True)
        for words, op in _BEGINNING.get(self._typed.word(parts[place]), ()):
            end = place + len(words)
            if end < len(parts) and self._typed.words(parts[place : end + 1])[:-1] == words and (number := self._typed.number(parts[end])):
                return Amount(((op, number),), end + 1 - place)
        return None

    def _between(self, parts: Sequence[Tree], place: int) -> Amount | None:
        """``between 3 and 5``, ``from 3 to 5``, ``3 to 5``."""
        start = place + int(self._typed.word(parts[place]) in ("between", "from"))
        if start > place and not (start < len(parts) and self._typed.beside(parts[place], parts[start])):
            return None
        low = self._typed.number(parts[start])
        if not low or start + 1 == len(parts):
            return None
        is_and = start > place and self._typed.between(parts[start], parts[start + 1]) == "and"
        if is_and or (self._typed.words(parts[start : start + 2])[1:] == ("to",) and self._are_beside(parts, start + 1, start + 2)):
            end = start + (1 if is_and else 2)
            high = self._typed.number(parts[end]) if end < len(parts) else ""
            if high and int(low) <= int(high):
                return Amount(((">=", low), ("<=", high)), end + 1 - place)
        return None

    def _are_beside(self, parts: Sequence[Tree], first: int, last: int) -> bool:
        return last < len(parts) and all(self._typed.beside(parts[at], parts[at + 1]) for at in range(first, last))
