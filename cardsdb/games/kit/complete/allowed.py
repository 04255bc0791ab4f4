"""A deck loses what its rules forbid before it is finished, and no more than that."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import CardChange, Decklist, Entry, with_changes
from cardsdb.games.kit.model.format import Format, Severity, Violation

# Faults that are tried, of those that touch one another, for the one to mend first.
MAX_TRIED = 12


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
    """The deck without what its rules forbid, and what that was. Of the faults that one is mended first which leaves
    the fewest others and takes the fewest cards; a line that is marked to be kept keeps its last copy.
    """
    gone: tuple[Removed, ...] = ()
    wrong = _illegal(game, deck, format)
    while wrong:
        mended = []
        named = Counter(name for violation in wrong for name in {*violation.cards})
        # Faults whose cards no other fault names are mended at once, so that a long list is judged a few times.
        alone = [violation for violation in wrong if all(named[name] == 1 for name in violation.cards)]
        for place, together in enumerate(
            [alone] if alone else [[violation] for violation in wrong[:MAX_TRIED]]
        ):
            way = tuple(one for violation in together for one in _way(game, format, deck, violation))
            tried = with_changes(deck, [change for one in way for change in one.changes])
            left = _illegal(game, tried, format)
            mended.append((len(left), sum(one.count for one in way), place, tried, left, way))
        best = min(mended, key=lambda one: one[:3])
        if best[0] >= len(wrong):
            break
        *_, deck, wrong, way = best
        gone += way
    return deck, gone


def _illegal(game: Game, deck: Decklist, format: Format) -> list[Violation]:
    return [one for one in game.judge(deck, format).violations if one.severity is Severity.ILLEGAL]


def _way(game: Game, format: Format, deck: Decklist, violation: Violation) -> Iterator[Removed]:
    """Yield what is too much: it moves where it belongs, from a section that does not take it or a set that is too dear; else it
    comes out.
    """
    sections = [game.sections_by_slug[slug] for slug in format.sections]
    for entry, count in violation.excess or _too_dear(deck, violation):
        takers = [section.slug for section in sections if entry.card.type in section.types]
        homes = [slug for slug in takers if slug != entry.section]
        moves = not violation.excess or entry.section not in takers
        if taken := min(count, entry.count - entry.marks.keep):
            yield Removed(entry.card, taken, entry.section, violation.code, *homes[:moves])


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
