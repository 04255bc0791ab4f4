"""Choose the section of cards where a file leaves it open, such as one zone for several sections, so that the
rules are kept.

A card's type may be taken by a special section, such as the cards that start in play, and by the main one
as well. The file's order is tried first, because our own files name the special section's cards before the
others; then as many as the rules allow go to the special section, and the rest to the main one. Every
choice is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cardsdb.games.kit import Decklist, Entry, Format, Game
from cardsdb.games.kit.listtext.line import MAX_COUNT
from cardsdb.games.kit.listtext.reading import placed_words
from cardsdb.games.kit.model.decklist import ANY_PRINT, Group, Prints
from cardsdb.games.kit.model.marks import joined
from cardsdb.games.kit.repair.steps import badness
from cardsdb.games.kit.rules.house_rules import still_known, with_house_rules
from decks.formats.contract import Loss

# How many copies are tried in both sections; further ones go to the main section.
MAX_TRIED = 60

# Identifies an entry of a deck: its section, and its card, with the type if the list writes the card in.
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Open:
    """Copies of a card that may stand in the main section or in the special one, where they are put at
    first.
    """

    key: Key
    main: str
    count: int
    print: str = ""


def settled(
    game: Game,
    format: Format | None,
    house: str,
    entries: Mapping[Key, Entry],
    opens: Sequence[Open],
    named: Collection[str],
    whole: bool,
) -> tuple[tuple[Entry, ...], tuple[Loss, ...]]:
    """The entries, each in its section, and a sentence for every choice.

    ``named`` are the sections that the file names by themselves: cards elsewhere in the file do not belong to
    them. ``whole``: every card of the file was read, so a deck with too few cards in a section may need these
    there.
    """
    if not opens:
        return tuple(entries.values()), ()
    used = format or game.likely_format(Decklist(tuple(entries.values())))
    used = with_house_rules(used, still_known(used, house)) if house else used
    choice = _Choice(game, used, entries, opens, whole)
    elsewhere = [one.count if one.key[0] in named else 0 for one in opens]
    free = [place for place, one in enumerate(opens) for _ in range(one.count) if one.key[0] not in named]
    moved, least = elsewhere, choice.faults(elsewhere)
    # In the file's order: the last copy goes to the main section, the last two, and so on.
    for stay in range(min(len(free) - 1, MAX_TRIED), -1, -1):
        if not any(least):
            break
        tried = _with_copies(elsewhere, free[stay:])
        if (faults := choice.faults(tried)) < least:
            moved, least = tried, faults
    if free and least[0]:
        moved = choice.filled(_with_copies(elsewhere, free), free, least[0]) or moved
    return choice.moved(moved), tuple(choice.losses(moved))


def _with_copies(counts: Iterable[int], places: Iterable[int]) -> list[int]:
    """The counts with one more for each of these places."""
    more = Counter(places)
    return [count + more[place] for place, count in enumerate(counts)]


@dataclass(frozen=True, slots=True)
class _Choice:
    """What there is to choose. Lists of numbers say how many copies of each open one go to the main section."""

    game: Game
    format: Format
    entries: Mapping[Key, Entry]
    opens: Sequence[Open]
    whole: bool

    def faults(self, moved: Sequence[int]) -> tuple[int, int]:
        """How much is illegal and, if every card is known, lacking then."""
        illegal, lacking, _ = badness(self.game.judge(Decklist(self.moved(moved)), self.format))
        return illegal, lacking if self.whole else 0

    def filled(self, moved: list[int], free: Sequence[int], least: int) -> list[int] | None:
        """Choose without the file's order: each copy goes into the special section unless that makes more
        illegal. None where that breaks no fewer rules.
        """
        before = self.faults(moved)[0]
        for place in free[:MAX_TRIED]:
            moved[place] -= 1
            after = self.faults(moved)[0]
            if after > before:
                moved[place] += 1
            else:
                before = after
        return moved if before < least else None

    def moved(self, moved: Sequence[int]) -> tuple[Entry, ...]:
        """The entries with so many copies of the open ones in the main section instead, each where it stood
        in the file.
        """
        outs: dict[Key, list[Group]] = {}
        mains = {one.key: one.main for one in self.opens}
        for one, copies in zip(self.opens, moved, strict=True):
            outs.setdefault(one.key, []).append((one.print, copies))
        after: dict[Key, Entry] = {}
        for key, entry in self.entries.items():
            target = (mains.get(key, ""), key[1])
            out = sum(copies for _, copies in outs.get(key, ()))
            # The copies stay if the line they would join had too many then.
            if target in self.entries and self.entries[target].count + out > MAX_COUNT:
                out = 0
            had = entry.marks.prints
            stay, go = had.parted(entry.count, out, Prints.split(outs[key])) if out else (had, ANY_PRINT)
            for section, count, prints in ((key[0], entry.count - out, stay), (target[0], out, go)):
                if count:
                    marks = replace(entry.marks, prints=prints)
                    part, there = replace(entry, section=section, count=count, marks=marks), (section, key[1])
                    after[there] = joined(after[there], part) if there in after else part
        return tuple(after.values())

    def losses(self, moved: Sequence[int]) -> Iterator[Loss]:
        """A loss, which is a sentence, for each section that cards were put into by choice; main sections
        come first.
        """
        put: dict[str, list[str]] = {}
        for one, out in zip(self.opens, moved, strict=True):
            name = self.entries[one.key].card.name
            for section, count in ((one.main, out), (one.key[0], one.count - out)):
                if count:
                    put.setdefault(section, []).append(f"{count} {name}")
        mains = {one.main for one in self.opens}
        for section in sorted(put, key=lambda slug: slug not in mains):
            yield Loss("place_chosen", placed_words(self.game, section, put[section], "file"))
