"""Texts of somebody's own, laid beside the cards of a snapshot: searches that may look into them find their
cards too.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyroaring import BitMap

from cardsdb.search.engine.postings import Cache, Lines, Text
from cardsdb.search.engine.snapshot import Snapshot

# Of the words of a text by which others are like it: how many, how long, and which share of all texts may
# have each.
MAX_WORDS, MIN_LETTERS, COMMON = 12, 3, 0.1
# Bytes of bitmaps that were made for one answer and are stored for the next: there are as many indexes as
# owners.
CACHE_BYTES = 500_000


class OwnTexts:
    """The folded text of some cards of a snapshot, by position. It never changes."""

    def __init__(self, snapshot: Snapshot, texts: Mapping[int, str]) -> None:
        self.with_text = BitMap(texts)
        lines = Lines(texts.get(position, "") for position in range(max(texts, default=-1) + 1))
        self._text = Text(lines, Cache(snapshot.total, CACHE_BYTES))
        # About so many bytes it takes in memory.
        self.bytes = self._text.bytes + (CACHE_BYTES if self.with_text else 0)

    def containing(self, part: str, among: BitMap | None = None) -> BitMap:
        """The cards with this part in their own text; those outside ``among`` may be left out."""
        return self._text.containing(part, among)

    def with_words_of(self, cards: BitMap) -> list[BitMap]:
        """For each of the rarest words that these cards' own texts have in common with others, the cards with
        it.
        """
        words = {
            word
            for position in cards & self.with_text
            for word in self._text.lines[position].split()
            if len(word) >= MIN_LETTERS
        }
        shared = (
            (len(found), word, found) for word in words if len(found := self._text.words.cards_of(word)) > 1
        )
        rare = sorted(
            (one for one in shared if one[0] <= max(2, len(self.with_text) * COMMON)), key=lambda one: one[:2]
        )
        return [found for _, _, found in rare[:MAX_WORDS]]

    def matching(self, pattern: str, among: BitMap | None = None) -> BitMap:
        """The cards whose own text the expression matches. Raises ``re2.error``."""
        cards = self.with_text if among is None else self.with_text & among
        return self._text.matching(pattern, cards) & self.with_text
