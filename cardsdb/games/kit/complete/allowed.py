"""What a rule forbids comes out of a deck before it is finished, and no more than that."""

from collections.abc import Iterator
from dataclasses import dataclass

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


Way = tuple[Removed, ...]


def allowed(game: Game, deck: Decklist, format: Format) -> tuple[Decklist, Way]:
    """The deck without what its rules forbid, and what that was. Of the ways to mend a fault that one is gone which
    leaves the fewest faults and takes the fewest cards out; a line that is marked to be kept keeps its last copy.
    """
    gone: list[Removed] = []
    wrong = _illegal(game, deck, format)
    while wrong:
        best: tuple[tuple[int, ...], Decklist, Way, list[Violation]] | None = None
        for violation in wrong:
            for way in _ways(game, format, deck, violation):
                tried = with_changes(deck, [change for one in way for change in one.changes])
                report = game.judge(tried, format)
                left = [one for one in report.violations if one.severity is Severity.ILLEGAL]
                moved = {one.card.name for one in way if one.to}
                noted = sum(not moved.isdisjoint(one.cards) for one in report.violations)
                out = sum(one.count for one in way if not one.to)
                cost = (len(left), noted, out, sum(one.count for one in way))
                if best is None or cost < best[0]:
                    best = cost, tried, way, left
        if best is None or len(best[3]) >= len(wrong):
            break
        _, deck, way, wrong = best
        gone += way
    return deck, tuple(gone)


def _illegal(game: Game, deck: Decklist, format: Format) -> list[Violation]:
    return [one for one in game.judge(deck, format).violations if one.severity is Severity.ILLEGAL]


def _ways(game: Game, format: Format, deck: Decklist, violation: Violation) -> Iterator[Way]:
    """Moving what is too much to where it belongs, and taking it out."""
    excess = violation.excess or tuple(_too_dear(deck, violation))
    taken = [(entry, min(count, entry.count - entry.marks.keep)) for entry, count in excess]
    for moves in (True, False):
        way = tuple(
            Removed(
                entry.card, count, entry.section, violation.code, _home(game, format, entry) if moves else ""
            )
            for entry, count in taken
            if count > 0
        )
        if way and (not moves or any(one.to for one in way)):
            yield way


def _home(game: Game, format: Format, entry: Entry) -> str:
    """The first other section of the format that takes the card; empty if none does."""
    others = (slug for slug in format.sections if slug != entry.section)
    return next((slug for slug in others if entry.card.type in game.sections_by_slug[slug].types), "")


def _too_dear(deck: Decklist, violation: Violation) -> Iterator[tuple[Entry, int]]:
    """Copies that bring a sum down to what is allowed: the least that is enough alone, else the largest first."""
    lack = next((lack for lack in violation.lacks if lack.less), None)
    if lack is None or not isinstance(violation.found, int) or not isinstance(violation.wanted, int):
        return
    over = violation.found - violation.wanted
    numbers = [
        (number, entry)
        for entry in (deck.in_section(*lack.sections) if lack.sections else deck.entries)
        if lack.fits(entry.card) and (number := entry.card.number(lack.less)) and not entry.marks.keep
        for _ in range(entry.count)
    ]
    numbers.sort(key=lambda one: one[0])
    while over > 0 and numbers:
        place = next((at for at, (number, _) in enumerate(numbers) if number >= over), len(numbers) - 1)
        number, entry = numbers.pop(place)
        over -= number
        yield entry, 1
