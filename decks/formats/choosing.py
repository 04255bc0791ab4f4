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
from cardsdb.games.kit.listtext.sections import placed_words
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
    elsewhere = [one.count if one.key[0] in named else 0 for one in opens]
    free = [place for place, one in enumerate(opens) for _ in range(one.count) if one.key[0] not in named]
    moved, least = elsewhere, (0, 0)
    for number, tried in enumerate(_tries(free, elsewhere)):
        illegal, lacking, _ = badness(game.judge(Decklist(_moved(entries, opens, tried)), used))
        faults = (illegal, lacking if whole else 0)
        if not number or faults < least:
            moved, least = tried, faults
        if not any(least):
            break
    else:
        if free and least[0]:
            moved = _filled(game, used, entries, opens, elsewhere, free, least, moved)
    return _moved(entries, opens, moved), tuple(_choices(game, entries, opens, moved))


def _tries(free: list[int], elsewhere: list[int]) -> Iterator[list[int]]:
    """How many copies of each go to the main section: none, then the last, the last two, and so on."""
    yield elsewhere
    for stay in range(min(len(free) - 1, MAX_TRIED), -1, -1):
        yield [
            count + out for count, out in zip(elsewhere, _per_place(free[stay:], len(elsewhere)), strict=True)
        ]


def _filled(
    game: Game,
    format: Format,
    entries: Mapping[Key, Entry],
    opens: Sequence[Open],
    elsewhere: list[int],
    free: list[int],
    least: tuple[int, int],
    otherwise: list[int],
) -> list[int]:
    """Choose without the file's order: each copy goes into the special section unless that makes more
    illegal.
    """
    moved = [count + out for count, out in zip(elsewhere, _per_place(free, len(elsewhere)), strict=True)]
    before = badness(game.judge(Decklist(_moved(entries, opens, moved)), format))[0]
    for place in free[:MAX_TRIED]:
        moved[place] -= 1
        after = badness(game.judge(Decklist(_moved(entries, opens, moved)), format))[0]
        if after > before:
            moved[place] += 1
        else:
            before = after
    return moved if before < least[0] else otherwise


def _per_place(places: Iterable[int], length: int) -> list[int]:
    counts = Counter(places)
    return [counts[place] for place in range(length)]


def _moved(entries: Mapping[Key, Entry], opens: Sequence[Open], moved: Sequence[int]) -> tuple[Entry, ...]:
    """The entries with so many copies of the open ones in the main section instead, each where it stood in
    the file.
    """
    outs: dict[Key, list[Group]] = {}
    mains = {one.key: one.main for one in opens}
    for one, copies in zip(opens, moved, strict=True):
        outs.setdefault(one.key, []).append((one.print, copies))
    after: dict[Key, Entry] = {}
    for key, entry in entries.items():
        target = (mains.get(key, ""), key[1])
        out = sum(copies for _, copies in outs.get(key, ()))
        # The copies stay if the line they would join had too many then.
        if target in entries and entries[target].count + out > MAX_COUNT:
            out = 0
        stay, go = (
            entry.marks.prints.parted(entry.count, out, Prints.split(outs[key]))
            if out
            else (entry.marks.prints, ANY_PRINT)
        )
        if entry.count > out:
            _put(after, key, replace(entry, count=entry.count - out, marks=replace(entry.marks, prints=stay)))
        if out:
            _put(
                after,
                target,
                replace(entry, section=target[0], count=out, marks=replace(entry.marks, prints=go)),
            )
    return tuple(after.values())


def _put(entries: dict[Key, Entry], key: Key, entry: Entry) -> None:
    there = entries.get(key)
    entries[key] = joined(there, entry) if there else entry


def _choices(
    game: Game, entries: Mapping[Key, Entry], opens: Sequence[Open], moved: Sequence[int]
) -> Iterator[Loss]:
    """A loss, which is a sentence, for each section that cards were put into by choice; main sections come
    first.
    """
    put: dict[str, list[str]] = {}
    for one, out in zip(opens, moved, strict=True):
        name = entries[one.key].card.name
        for section, count in ((one.main, out), (one.key[0], one.count - out)):
            if count:
                put.setdefault(section, []).append(f"{count} {name}")
    mains = {one.main for one in opens}
    for section in sorted(put, key=lambda slug: slug not in mains):
        yield Loss("place_chosen", placed_words(game, section, put[section], "file"))
