"""Sizes and values said in words: what all who read the words of a query have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any

from cardsdb.search.query.english import NUMBER, WORDS, Bounds, bounds_at
from cardsdb.search.query.fields import Table, TableField
from cardsdb.search.query.scanner import Token
from cardsdb.search.query.tree import CONNECTIVES, Span, Term, Tree, Word, all_of, none_of

# Kinds of fields that have such values: "faction is krypt". A field's name may be of several words, as in
# "victory points".
VALUED, NUMBERS = ("word", "words", "exact", "name"), ("number",)
MAX_NAME = 3
# What is read, None if it is nothing; and of how many tokens it is made.
Reading = tuple[Tree | None, int]
NOTHING: Reading = None, 0


class Reader:
    """The tokens of a text, and the sizes and values among them."""

    def __init__(self, text: str, tokens: Sequence[Token], fields: Table[Any]) -> None:
        self._text, self._tokens, self._fields = text, tokens, fields
        # Each token in small letters if it is a word without quotes, else nothing; nothing stands behind the last.
        self._words = [*map(self._plain, tokens), "", ""]

    def _tree(self, place: int) -> Tree | None:
        """The part of a query that stands here, if anything was understood."""
        return self._tokens[place].tree if self._is_leaf(place) else None

    def _is_leaf(self, place: int) -> bool:
        return place < len(self._tokens) and self._tokens[place].kind == "leaf"

    def _typed(self, span: Span) -> str:
        return self._text[span.start : span.end]

    def _plain(self, token: Token) -> str:
        if token.kind in CONNECTIVES:
            return token.kind
        return self._word(token.tree) if token.tree else ""

    def _word(self, part: Tree) -> str:
        """The part in small letters if it is a word without quotes, else nothing."""
        is_plain = isinstance(part, Word) and self._typed(part.span) == part.value
        return part.value.casefold() if is_plain and isinstance(part, Word) else ""

    def _number(self, place: int) -> str:
        """The token if it is a number in plain digits."""
        return self._words[place] if NUMBER.fullmatch(self._words[place]) else ""

    def _span(self, place: int, length: int) -> Span:
        return Span(self._tokens[place].span.start, self._tokens[place + length - 1].span.end)

    def _are_beside(self, place: int, last: int) -> bool:
        """Return whether only spaces stand between the tokens from one place to another."""
        return last < len(self._tokens) and all(
            self._text[self._tokens[at].span.end : self._tokens[at + 1].span.start].isspace()
            for at in range(place, last)
        )

    def _fields_at(self, place: int, kinds: Sequence[str] = ()) -> Iterator[tuple[TableField, int]]:
        """The fields of these kinds whose names stand here, the longest first, and of how many words; also with an
        ending: "costs", "costing".
        """
        for length in range(min(MAX_NAME, len(self._tokens) - place), 0, -1):
            words = self._words[place : place + length]
            if all(words) and self._are_beside(place, place + length - 1):
                name = " ".join(words)
                stems = (name, name.removesuffix("s"), name.removesuffix("ing"))
                field = next((field for stem in stems if stem and (field := self._field_called(stem))), None)
                if field and (not kinds or is_of(field, kinds)):
                    yield field, length

    def _field_called(self, name: str) -> TableField | None:
        return self._fields.get(name)

    # -- sizes and values ------------------------------------------------------------

    def _amount(self, place: int) -> tuple[Bounds, int]:
        """``4+``, ``at least 4``, ``4 and above``, ``4``: its bounds, and of how many words."""
        if not self._words[place]:
            return (), 0
        bounds, end = bounds_at(self._text, self._tokens[place].span.start)
        reached = list(takewhile(lambda token: token.span.start < end, self._tokens[place:]))
        if bounds and reached[-1].span.end == end and all(self._words[place : place + len(reached)]):
            return bounds, len(reached)
        return ((("=", number),), 1) if (number := self._number(place)) else ((), 0)

    def _size(self, place: int, is_linked: bool = False) -> Reading:
        """The size that begins at this place; a bare number beside its field only if ``is_linked``, as exact."""
        for field, length in self._fields_at(place, NUMBERS):
            behind = place + length
            joint = int(self._words[behind] in WORDS["joint"] and behind + 1 < len(self._tokens))
            bounds, taken = self._amount(behind + joint)
            if taken and self._are_beside(behind - 1, behind + joint):
                span = self._span(place, length + joint + taken)
                if is_linked or joint or bounds[0][0] != "=" or taken > 1:
                    return self._sized(field, bounds, span), length + joint + taken
                return NOTHING
        bounds, taken = self._amount(place)
        for field, length in self._fields_at(place + taken, NUMBERS) if taken else ():
            end = place + taken + length
            if not self._are_beside(place + taken - 1, place + taken):
                break
            is_bare = taken == 1 and bool(self._number(place))
            if (
                is_bare
                and self._words[end] == "or"
                and (more := self._words[end + 1]) in WORDS["behind_number"]
            ):
                op = "<=" if more in WORDS["fewer"] else ">="
                sized = self._sized(field, ((op, bounds[0][1]),), self._span(place, taken + length + 2))
                return sized, taken + length + 2
            if is_linked or not is_bare:
                return self._sized(field, bounds, self._span(place, taken + length)), taken + length
        return NOTHING

    def _sized(self, field: TableField, bounds: Bounds, span: Span) -> Tree | None:
        return all_of(Term(field.word, op, number, span, span, span) for op, number in bounds)

    def _valued(self, place: int) -> Reading:
        """``faction is krypt`` as a term."""
        for field, length in self._fields_at(place, VALUED):
            joint = place + length
            if length < MAX_NAME and self._words[joint] in WORDS["value_joint"]:
                at, is_not = self._behind_not(joint + 1)
                if self._are_beside(joint - 1, joint) and isinstance(value := self._tree(at), Word):
                    span = self._span(place, at + 1 - place)
                    term = Term(field.word, ":", value.value, span, span, value.span, not self._words[at])
                    return none_of(term, span.start) if is_not else term, at + 1 - place
        return NOTHING

    def _behind_not(self, place: int) -> tuple[int, bool]:
        """The place of the value in "not the krypt", or "an agent"; and whether there is a "not"."""
        first = place
        while self._are_beside(place, place + 1):
            # A part such as "Operation:" says nothing by itself.
            is_dropped = self._is_leaf(place) and self._tree(place) is None
            if self._words[place] not in ("not", *WORDS["article"]) and not is_dropped:
                break
            place += 1
        return place, "not" in self._words[first:place]


def is_of(field: TableField, kinds: Sequence[str]) -> bool:
    """Return whether the field is of these kinds wherever it is anything."""
    return all(place.kind in kinds for place in field.places)
