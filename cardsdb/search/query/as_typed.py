"""The parts of a query as they stand in its text: which of them are plain words, and which stand side by side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from cardsdb.search.query.scanner import MINUSES
from cardsdb.search.query.tree import Span, Tree, Word

MAX_NUMBER_DIGITS = 18


class AsTyped:
    """Looks parts of a tree up in the text that they were read from."""

    def __init__(self, text: str) -> None:
        self._text = text
        # Every part is looked at several times, and most are no more than a word.
        self._words: dict[Span, str] = {}

    def typed(self, span: Span) -> str:
        return self._text[span.start : span.end]

    def word(self, part: Tree) -> str:
        """The part in small letters if it is a word without quotes, else nothing."""
        if not isinstance(part, Word):
            return ""
        word = self._words.get(part.span)
        if word is None:
            word = self._words[part.span] = part.value.casefold() if self.typed(part.span) == part.value else ""
        return word

    def words(self, parts: Sequence[Tree]) -> tuple[str, ...]:
        """The parts as plain words with only spaces between them; none if they are anything else."""
        words = tuple(self.word(part) for part in parts)
        side_by_side = all(self.beside(one, other) for one, other in pairwise(parts))
        return words if all(words) and side_by_side else ()

    def number(self, part: Tree) -> str:
        """The part if it is a number in plain digits."""
        word = self.word(part)
        return word if word.isascii() and word.isdigit() and len(word) <= MAX_NUMBER_DIGITS else ""

    def minuses(self, column: int) -> int:
        """How many minus signs stand directly before a column."""
        before = self._text[:column]
        return len(before) - len(before.rstrip(MINUSES))

    def between(self, one: Tree, other: Tree) -> str:
        """What stands between the two, without the spaces around it."""
        return self._text[one.span.end : other.span.start].strip().casefold()

    def beside(self, one: Tree, other: Tree) -> bool:
        return self._text[one.span.end : other.span.start].isspace()
