"""What people type who do not know the language: sizes in plain English, "not", a star behind a word.

Only what can hardly mean anything else is read, and the reader is told how; of the rest the reader is only advised.
Words in quotes are always just words.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from cardsdb.search.fields import Field, Fields
from cardsdb.search.tree import And, AtLeast, Not, Or, Problem, Query, Span, Term, Tree, Word, all_of, any_of, none_of, normal

# What stands before a number; behind one, after "or"; the operator that each is.
BEFORE = {("at", "least"): ">=", ("at", "most"): "<=", ("over",): ">", ("under",): "<"}
BEHIND = {"more": ">=", "less": "<="}
# A field's name may be of several words, as in "victory points".
LONGEST_NAME = 3
LONGEST_NUMBER = 18


def read_plainly(query: Query, fields: Fields) -> tuple[Tree | None, list[Problem]]:
    """The query's tree with plain English read, and the advice about it."""
    reader = _Reader(query.text, fields)
    return (reader.read(query.tree) if query.tree else None), reader.advice


class _Reader:
    def __init__(self, text: str, fields: Fields) -> None:
        self._text = text
        self._fields = fields
        self.advice: list[Problem] = []

    def read(self, tree: Tree) -> Tree:
        match tree:
            case Word(value) if value.endswith("*") and value.strip("*") and self._word(tree):
                plain = value.rstrip("*")
                self._advise("star", f"The star is left out: “{plain}” finds parts of words anyway.", tree.span, plain)
                return Word(plain, tree.span)
            case Not(part):
                return none_of(self.read(part), tree.span.start)
            case And(parts):
                return all_of(self._row(parts)) or tree
            case Or(parts):
                rows = [list(part.parts) if isinstance(part, And) else [part] for part in parts]
                return any_of(all_of(self._row(row)) for row in self._joined(rows)) or tree
        return tree

    # -- what stands side by side --------------------------------------------------

    def _row(self, parts: Sequence[Tree]) -> list[Tree]:
        """The parts of an And, with the sizes among them read."""
        found: list[Tree] = []
        place = 0
        while place < len(parts):
            part, taken = self._size(parts, place)
            found.append(part)
            place += taken
        for part, after in pairwise(found):
            if self._word(part) == "not" and self._beside(part, after) and not isinstance(after, Not | And | Or | AtLeast):
                typed = self._typed(after.span)
                without = f"-{normal(after) if isinstance(after, Term) and after.op not in typed else typed}"
                message = "“not” is looked for as a word. A minus directly before something excludes it."
                self._advise("word-not", message, Span(part.span.start, after.span.end), without)
        return found

    def _size(self, parts: Sequence[Tree], place: int) -> tuple[Tree, int]:
        """The part at this place, and of how many it is made: more than one if they are a field and its size."""
        for length in range(min(LONGEST_NAME, len(parts) - place - 1), 0, -1):
            field = self._number_field(parts[place : place + length])
            if field is None:
                continue
            behind = place + length
            for words, op in BEFORE.items():
                end = behind + len(words)
                if end < len(parts) and self._words(parts[place : end + 1])[length:-1] == words and self._number(parts[end]):
                    return self._term(field, op, parts[end], Span(parts[place].span.start, parts[end].span.end)), end + 1 - place
            is_new = not self.advice or self.advice[-1].end != parts[behind].span.end
            if (number := self._number(parts[behind])) and self._beside(parts[behind - 1], parts[behind]) and is_new:
                span = Span(parts[place].span.start, parts[behind].span.end)
                message = f"“{self._typed(span)}” is looked for as words. A number is compared with an operator between the two."
                self._advise("field-and-number", message, span, f"{field.word}>={number}", f"{field.word}={number}")
        return self.read(parts[place]), 1

    # -- "or more", "or less" --------------------------------------------------------

    def _joined(self, rows: list[list[Tree]]) -> list[list[Tree]]:
        """The alternatives, of which two are one where "or more" or "or less" stands between them."""
        found = [rows[0]]
        for row in rows[1:]:
            joined = self._or_more(found[-1], row)
            if joined:
                found[-1] = joined
            else:
                found.append(row)
        return found

    def _or_more(self, before: list[Tree], row: list[Tree]) -> list[Tree]:
        """``craft 4`` and ``more kai`` as one row, or ``4`` and ``more craft``; empty if they are none."""
        op = BEHIND.get(self._word(row[0]))
        number, more = before[-1], row[0]
        between = self._text[number.span.end : more.span.start].casefold().split()
        if op is None or not self._number(number) or between != ["or"]:
            return []
        for length in range(min(LONGEST_NAME, len(before) - 1), 0, -1):
            start = len(before) - 1 - length
            if (field := self._number_field(before[start:-1])) and self._beside(before[-2], number):
                return [*before[:start], self._term(field, op, number, Span(before[start].span.start, more.span.end)), *row[1:]]
        for length in range(min(LONGEST_NAME, len(row) - 1), 0, -1):
            if (field := self._number_field(row[1 : length + 1])) and self._beside(more, row[1]):
                span = Span(number.span.start, row[length].span.end)
                return [*before[:-1], self._term(field, op, number, span), *row[length + 1 :]]
        return []

    # -- pieces ----------------------------------------------------------------------

    def _term(self, field: Field, op: str, number: Tree, span: Span) -> Term:
        term = Term(field.word, op, self._number(number), span, span, number.span)
        message = f"“{self._typed(span)}” is read as {normal(term)}. To look for it as words, put it in quotes."
        self._advise("read-as-comparison", message, span, normal(term))
        return term

    def _number_field(self, parts: Sequence[Tree]) -> Field | None:
        """The field of this name, if it is a number wherever it is anything."""
        words = self._words(parts)
        field = self._fields.get(" ".join(words)) if words else None
        return field if field and all(place.kind == "number" for place in field.places) else None

    def _words(self, parts: Sequence[Tree]) -> tuple[str, ...]:
        """The parts as plain words with only spaces between them; none if they are anything else."""
        words = tuple(self._word(part) for part in parts)
        side_by_side = all(self._beside(one, other) for one, other in pairwise(parts))
        return words if all(words) and side_by_side else ()

    def _word(self, part: Tree) -> str:
        """The part in small letters if it is a word without quotes, else nothing."""
        return part.value.casefold() if isinstance(part, Word) and self._typed(part.span) == part.value else ""

    def _number(self, part: Tree) -> str:
        word = self._word(part)
        return word if word.isascii() and word.isdigit() and len(word) <= LONGEST_NUMBER else ""

    def _beside(self, one: Tree, other: Tree) -> bool:
        return self._text[one.span.end : other.span.start].isspace()

    def _typed(self, span: Span) -> str:
        return self._text[span.start : span.end]

    def _advise(self, code: str, message: str, span: Span, *suggestions: str) -> None:
        self.advice.append(Problem(code, message, *span, suggestions, advice=True))
