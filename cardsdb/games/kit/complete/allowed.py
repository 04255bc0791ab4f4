"""What a rule forbids comes out of a deck before it is finished, and no more than that."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import CardChange, Decklist, Entry, with_changes
from cardsdb.games.kit.model.format import Format, Severity, Violation


@dataclass(frozen=True)
class Removed:
    """Copies that the rule with this code forbids in their section; ``to`` is the section that they moved to, empty
    if they came out.
    """

    card: Card
    count: int
    section: str
    code: str
    to: str = ""

    @property
    def changes(self) -> tuple[CardChange, ...]:
        out = CardChange(self.card, self.section, -self.count)
        return (out, CardChange(self.card, self.to, self.count)) if self.to else (out,)


def allowed(game: Game, deck: Decklist, format: Format) -> tuple[Decklist, tuple[Removed, ...]]:
    """The deck without what its rules forbid, and what that was. Of the ways to mend a fault that one is gone which
    leaves the fewest faults and takes the fewest cards out; a line that is marked to be kept keeps its last copy.
    """
    gone: tuple[Removed, ...] = ()
    left = _illegal(game, deck, format)
    while left:
        ways: list[tuple[Any, ...]] = []
        for way in (way for violation in left for way in _ways(game, format, deck, violation)):
            tried = with_changes(deck, [change for one in way for change in one.changes])
            moved = {one.card.name for one in way if one.to}
            noted = sum(not moved.isdisjoint(one.cards) for one in game.judge(tried, format).violations)
            still, out = _illegal(game, tried, format), sum(one.count for one in way if not one.to)
            ways.append((len(still), noted, out, len(ways), tried, still, way))
        if not ways or min(ways)[0] >= len(left):
            break
        *_, deck, left, way = min(ways)
        gone += way
    return deck, gone


def _illegal(game: Game, deck: Decklist, format: Format) -> list[Violation]:
    return [one for one in game.judge(deck, format).violations if one.severity is Severity.ILLEGAL]


def _ways(game: Game, format: Format, deck: Decklist, violation: Violation) -> Iterator[tuple[Removed, ...]]:
    """Moving what is too much to another section that takes it, and taking it out."""
    excess = [
        (entry, min(count, entry.count - entry.marks.keep))
        for entry, count in violation.excess or _too_dear(deck, violation)
    ]
    for moves in (True, False):
        way = []
        for entry, count in excess:
            others = [slug for slug in format.sections if moves and slug != entry.section]
            homes = [slug for slug in others if entry.card.type in game.sections_by_slug[slug].types]
            if count > 0:
                way.append(Removed(entry.card, count, entry.section, violation.code, *homes[:1]))
        if way and (not moves or any(one.to for one in way)):
            yield tuple(way)


def _too_dear(deck: Decklist, violation: Violation) -> Iterator[tuple[Entry, int]]:
    """Copies that bring a sum down to what is allowed: the least that is enough alone, else the largest first."""
    for lack in violation.lacks[:1]:
        over = int(str(violation.found)) - int(str(violation.wanted)) if lack.less else 0
        numbers = [
            (number, place, entry)
            for place, entry in enumerate(deck.in_section(*lack.sections))
            if (number := entry.card.number(lack.less)) and lack.fits(entry.card)
            for _ in range(entry.count - entry.marks.keep)
        ]
        while over > 0 and numbers:
            one = min([each for each in numbers if each[0] >= over] or [max(numbers)])
            numbers.remove(one)
            over -= one[0]
            yield one[2], 1
