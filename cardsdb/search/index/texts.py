"""Text of every card, a line each: found by part, by phrase and by pattern."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path

from pyroaring import BitMap

from cardsdb.search.index.container import Container, Writer
from cardsdb.search.index.patterns import certain_parts, lines_matching
from cardsdb.search.index.postings import Cache, Postings, encoded

# A part of so many words or more is looked up whole instead of joined from the cards of each word.
BROAD = 64
LONGEST_GRAM = 3
# Beyond this share of the cards one scan of everything is quicker than a look at each.
MANY = 1 / 16
# So many are looked at sooner than narrowed down.
FEW_ENOUGH = 500
_BEHIND_A_MARK = re.compile(r"(?<=[\W_])[^\W_]")


def words_of_name(name: str) -> set[str]:
    """The words of a folded name, and what stands in them behind a mark: ``"doc"`` is found by its d, ``x-ray`` by its r."""
    words = set(name.split())
    for word in [word for word in words if not word.isalnum()]:
        words.update(word[match.start() :] for match in _BEHIND_A_MARK.finditer(word))
    return words


class LineWriter:
    """Gathers the lines of all cards in a file, and where each begins."""

    def __init__(self, path: Path) -> None:
        self._name = path.name
        self._file = path.open("w+b")
        self._starts = array("Q", (0,))
        self._place = 0

    def add(self, line: str) -> None:
        data = encoded(line) + b"\n"
        self._file.write(data)
        self._place += len(data)
        self._starts.append(self._place)

    def close(self) -> None:
        self._file.close()

    def write(self, writer: Writer) -> None:
        """Sections ``name.lines`` and ``name.starts``."""
        writer.add_file(f"{self._name}.lines", self._file)
        writer.add(f"{self._name}.starts", self._starts)


class Lines:
    """A line per card, by position."""

    def __init__(self, container: Container, name: str) -> None:
        self.view = container.section(f"{name}.lines")
        self.starts = container.numbers(f"{name}.starts", "Q")
        self._data = container.data
        self._offset = container.start_of(f"{name}.lines")

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, position: int) -> str:
        return self.raw(position).decode("utf-8", "surrogatepass")

    def raw(self, position: int) -> bytes:
        return bytes(self.view[self.starts[position] : self.starts[position + 1] - 1])

    def with_part(self, part: str, among: Iterable[int]) -> BitMap:
        """Those of some cards whose line has the part in it."""
        find, offset, starts, wanted = self._data.find, self._offset, self.starts, encoded(part)
        return BitMap([p for p in among if find(wanted, offset + starts[p], offset + starts[p + 1]) >= 0])


class Text:
    """The lines of all cards with the words that occur in them. What is looked for is folded: single spaces, no line ends."""

    def __init__(self, container: Container, name: str, cache: Cache) -> None:
        self._name = name
        self._cache = cache
        self.lines = Lines(container, name)
        self.words = Postings(container, f"{name}.words", cache)
        self.grams = Postings(container, f"{name}.grams", cache)

    def having(self, part: str, among: BitMap | None = None) -> BitMap:
        """The cards with this part in their text; of a phrase perhaps only those ``among`` some."""
        first, *others = part.split(" ")
        if not others:
            return self._with_piece(part)
        candidates = self._candidates(first, others)
        if among is not None:
            candidates = candidates & among
        return self.lines.with_part(part, candidates)

    def _with_piece(self, piece: str) -> BitMap:
        """The cards of all words with the piece in them."""
        number = self.grams.number(piece) if len(piece) <= LONGEST_GRAM else None
        if number is not None:
            return self.grams.cards(number)
        return self._cache.get((self._name, piece), lambda: self.words.cards_of_any(self.words.containing(piece)))

    def _candidates(self, first: str, others: Sequence[str]) -> BitMap:
        """The cards with all words of a phrase: one that ends as it begins, the inner ones, one that begins as it ends."""
        words = self.words
        *inner, last = others
        found = self.beginning(last)
        for word in inner:
            found = found & words.cards_of(word)
        if len(found) <= FEW_ENOUGH:
            return found
        return found & self._cache.get((self._name, "…", first), lambda: words.cards_of_any(words.ending(first)))

    def beginning(self, prefix: str) -> BitMap:
        """The cards with a word that begins so."""
        return self._cache.get((self._name, prefix, "…"), lambda: self.words.cards_of_any(self.words.starting(prefix)))

    def matching(self, pattern: str, among: BitMap | None) -> BitMap:
        """The cards in a line of which the pattern is found; perhaps only those ``among`` some. Raises ``re2.error``."""
        parts = certain_parts(pattern)
        candidates = among
        for part in parts:
            held = self._with_piece(part)
            candidates = held if candidates is None else candidates & held
        if candidates is not None and pattern.lower() in parts:
            return candidates
        if candidates is not None and len(candidates) <= len(self.lines) * MANY:
            return self._found(pattern, candidates)
        # Asked again for the next page, and for every facet: what all cards were looked at for is kept.
        return self._cache.get((self._name, "/", pattern), lambda: self._found(pattern, None))

    def _found(self, pattern: str, among: BitMap | None) -> BitMap:
        return BitMap(array("I", lines_matching(pattern, self.lines.view, self.lines.starts, among)))
