"""Other cards that would do as well as one that a repair puts in: looked for once the repair is found, each judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import Decklist
from cardsdb.games.kit.model.report import Lack, Report
from cardsdb.games.kit.repair.changes import CardChange, with_changes
from cardsdb.games.kit.repair.steps import Workbench, badness

# Others named for one repair, and cards that are judged for them.
MOST_OTHERS, MOST_JUDGED = 5, 40

Changes = tuple[CardChange, ...]


def replaceable(changes: Changes) -> CardChange | None:
    """The last card that comes in and is not merely moved."""
    out = {change.card.key for change in changes if change.by < 0}
    into = [change for change in changes if change.by > 0 and change.card.key not in out]
    return into[-1] if into else None


def others(
    bench: Workbench, deck: Decklist, before: Report, changes: Changes, after: Report, over: Callable[[], bool]
) -> tuple[tuple[Card, Changes, Report], ...]:
    """Up to five cards that can be put in for the last one, with the changes that then make the repair and their report."""
    last = replaceable(changes)
    if last is None:
        return ()

    def judged() -> Iterator[tuple[Card, Changes, Report]]:
        for card in islice(_candidates(bench, deck, before, changes, last), MOST_JUDGED):
            if over():
                return
            made = tuple(_instead(bench, change, card) if change is last else change for change in changes)
            report = bench.judge(with_changes(deck, made))
            if report.verdict == after.verdict and badness(report) <= badness(after):
                yield card, made, report

    return tuple(islice(judged(), MOST_OTHERS))


def _candidates(bench: Workbench, deck: Decklist, before: Report, changes: Changes, last: CardChange) -> Iterator[Card]:
    """Cards of the kind that is lacking: those like the one put in, then more copies of the deck's own."""
    lacks = [lack for violation in before.violations for lack in violation.lacks if lack.fits(last.card)]
    # What no rule says is lacking was put in for a card of its type.
    own, new = bench.fitting(deck, replace(lacks[0], less="") if lacks else Lack(types=(last.card.type,)))
    used = {change.card.key for change in changes}
    new.sort(key=lambda card: card.type != last.card.type)
    yield from (card for card in (*new, *own) if card.key not in used)


def _instead(bench: Workbench, change: CardChange, card: Card) -> CardChange:
    section = bench.game.sections_by_slug.get(change.section)
    fits = section is not None and card.type in section.types
    return CardChange(card, change.section if fits else bench.game.section_for(card.type, bench.format), change.by)
