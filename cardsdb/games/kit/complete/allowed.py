"""A deck loses what its rules forbid before it is finished, and no more than that."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import CardChange, Decklist, changes_between, with_changes
from cardsdb.games.kit.model.format import Format, Severity
from cardsdb.games.kit.repair.search import smallest_repairs
from cardsdb.games.kit.repair.steps import Limits, too_many

# What is lacking is left to the completion.
FORBIDDEN_ALONE = Limits(judgements=100, seconds=0.2, lacking=0)


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


def allowed(game: Game, deck: Decklist, format: Format) -> tuple[Decklist, tuple[Removed, ...]]:
    """The deck without what its rules forbid, and what that was; a line that is marked to be kept keeps its last
    copy.
    """
    report = game.judge(deck, format)
    wrong = [violation for violation in report.violations if violation.severity is Severity.ILLEGAL]
    codes = {name: violation.code for violation in reversed(wrong) for name in violation.cards}
    # Copies of one card that are too many come out first, so that a long list is judged a few times; not what may belong
    # in another section.
    alone = tuple(one for one in wrong if len({*one.cards}) == 1)
    surplus = too_many(replace(report, violations=alone))
    takes = {slug: game.sections_by_slug[slug].types for slug in format.sections}
    at_home = [entry for entry in deck if entry.card.type in takes.get(entry.section, ())]
    kept = with_changes(
        deck,
        [CardChange(one.card, one.section, -surplus.pop((one.card.key, one.section), 0)) for one in at_home],
    )
    repairs = (_out(repair.changes) for repair in smallest_repairs(game, kept, format, FORBIDDEN_ALONE))
    # Of the smallest repairs the one that leaves most cards in the deck.
    kept = with_changes(kept, max(repairs, key=lambda one: sum(change.by for change in one), default=()))
    changes = changes_between(deck, kept)
    moved = {change.card: change.section for change in changes if change.by > 0}
    return kept, tuple(
        Removed(out.card, -out.by, out.section, codes.get(out.card.name, ""), moved.get(out.card, ""))
        for out in changes
        if out.by < 0
    )


def _out(changes: Sequence[CardChange]) -> list[CardChange]:
    """The changes of a repair without the cards that it puts in the place of others: these are proposed by role."""
    gone = {change.card for change in changes if change.by < 0}
    return [change for change in changes if change.card in gone]
