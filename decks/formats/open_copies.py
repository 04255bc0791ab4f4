"""Copies of cards for which a file leaves the section open: their sections are chosen so that the rules are
kept, and every choice is reported.

A card may fit both the main section and a special one, such as the cards that start in play. ``placing.py``
puts such copies into the special section and calls ``OpenCopies.settled`` once all rows are read::

    opens         2 Kai, 1 Shade, 3 Termite, each an ``Open``; all are in the special section
    moves         [0, 1, 3]: Shade and three Termite move to the main section, two Kai stay
    by order      tried first, because our own files name the special section's cards before the others: the
                  first copies stay and the last ones move: [0, 0, 0], [0, 0, 1], [0, 0, 2], ... [2, 1, 3]
    by rules      tried if cards are illegal then: every copy moves, then each stays if the rules allow it

Tests: ``tests/decks/formats/test_placing.py``.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from cardsdb.games.kit import Decklist, Entry, Format, Game, Prints, joined
from cardsdb.games.kit.listtext.line import MAX_COUNT
from cardsdb.games.kit.listtext.reading import placed_words
from cardsdb.games.kit.model.decklist import ANY_PRINT, Group
from cardsdb.games.kit.repair.steps import badness
from decks.formats.contract import Loss

# Copies for which both sections are tried; further ones go to the main section. Each try judges the deck.
MAX_TRIED = 60

# Identifies an entry of a deck: (section, code), the code followed by the type for a written-in card.
Key: TypeAlias = tuple[str, str]
# For each ``Open`` in turn, the number of its copies that move to its main section.
Moves: TypeAlias = list[int]
# (cards that must come out, cards that are lacking) after some moves; a lower one is better.
Faults: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Open:
    """Copies of a card for which the file leaves the section open. They are in the special section, that of
    ``key``, and may be moved to the section ``main``.
    """

    key: Key
    main: str
    count: int
    print: str = ""


@dataclass(frozen=True)
class OpenCopies:
    """The entries of a file with some ``opens``, and the format by which their sections are chosen.

    ``all_read``: every row of the file was read. Otherwise a lacking card may be in an unread row, so only
    what is illegal counts.
    """

    game: Game
    format: Format
    entries: Mapping[Key, Entry]
    opens: Sequence[Open]
    all_read: bool

    def settled(self, named: Collection[str]) -> tuple[tuple[Entry, ...], tuple[Loss, ...]]:
        """Return the entries, each in its section, and a loss for every choice.

        ``named``: the sections that the file names by themselves; open cards from other parts of the file do
        not belong to these.
        """
        # Copies that must move, because the file names their special section elsewhere.
        fixed = [copies.count if copies.key[0] in named else 0 for copies in self.opens]
        # Each copy that is free to stay or move, as its place in ``opens``.
        free: list[int] = []
        for place, copies in enumerate(self.opens):
            if copies.key[0] not in named:
                free += [place] * copies.count
        moves, faults = self._by_order(fixed, free)
        if free and faults[0]:
            others, illegal = self._by_rules(fixed, free)
            moves = others if illegal < faults[0] else moves
        return self._moved(moves), tuple(self._choices(moves))

    def _by_order(self, fixed: Moves, free: Sequence[int]) -> tuple[Moves, Faults]:
        """Return the best moves that keep the file's order, and their faults: none of the free copies, the
        last one, the last two, and so on, until there are no faults.
        """
        best, least = fixed, self._faults(fixed)
        # ``stay``: how many of the free copies, the first ones, stay.
        for stay in range(min(len(free) - 1, MAX_TRIED), -1, -1):
            if not any(least):
                break
            moves = _with_copies(fixed, free[stay:])
            faults = self._faults(moves)
            if faults < least:
                best, least = moves, faults
        return best, least

    def _by_rules(self, fixed: Moves, free: Sequence[int]) -> tuple[Moves, int]:
        """Return moves in any order, and the number of illegal cards: all free copies move, then each stays
        unless that makes more cards illegal.
        """
        moves = _with_copies(fixed, free)
        illegal = self._faults(moves)[0]
        for place in free[:MAX_TRIED]:
            moves[place] -= 1
            after = self._faults(moves)[0]
            if after > illegal:
                moves[place] += 1
            else:
                illegal = after
        return moves, illegal

    def _faults(self, moves: Moves) -> Faults:
        """Judge the deck after these moves."""
        report = self.game.judge(Decklist(self._moved(moves)), self.format)
        illegal, lacking, _ = badness(report)
        return illegal, lacking if self.all_read else 0

    def _moved(self, moves: Moves) -> tuple[Entry, ...]:
        """Return the entries after these moves, in the file's order."""
        mains = {copies.key: copies.main for copies in self.opens}
        # Key -> (print, copies) of each group that moves. An entry may have several ``opens``, one for each
        # row of the file that was added to it.
        groups: dict[Key, list[Group]] = {}
        for copies, count in zip(self.opens, moves, strict=True):
            groups.setdefault(copies.key, []).append((copies.print, count))
        after: dict[Key, Entry] = {}
        for key, entry in self.entries.items():
            target = (mains.get(key, ""), key[1])
            moved = sum(count for _, count in groups.get(key, ()))
            # They stay if the line that they would join would have too many copies.
            if target in self.entries and self.entries[target].count + moved > MAX_COUNT:
                moved = 0
            stay_prints, moved_prints = entry.marks.prints, ANY_PRINT
            if moved:
                stay_prints, moved_prints = stay_prints.parted(entry.count, moved, Prints.split(groups[key]))
            parts = (key, entry.count - moved, stay_prints), (target, moved, moved_prints)
            for there, count, prints in parts:
                if count:
                    marks = replace(entry.marks, prints=prints)
                    part = replace(entry, section=there[0], count=count, marks=marks)
                    after[there] = joined(after[there], part) if there in after else part
        return tuple(after.values())

    def _choices(self, moves: Moves) -> Iterator[Loss]:
        """Yield a loss for each section into which cards were put by choice, main sections first."""
        put: dict[str, list[str]] = {}
        for copies, out in zip(self.opens, moves, strict=True):
            name = self.entries[copies.key].card.name
            for section, count in ((copies.main, out), (copies.key[0], copies.count - out)):
                if count:
                    put.setdefault(section, []).append(f"{count} {name}")
        mains = {copies.main for copies in self.opens}
        for section in sorted(put, key=lambda slug: slug not in mains):
            yield Loss("place_chosen", placed_words(self.game, section, put[section], "file"))


def _with_copies(moves: Moves, places: Iterable[int]) -> Moves:
    """Return the moves with one more copy for each of these places: [0, 0], places 1, 1 -> [0, 2]."""
    more = Counter(places)
    return [count + more[place] for place, count in enumerate(moves)]
