"""A deck loses what its rules forbid before it is finished, and no more than that."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import CardChange, Decklist, changes_between, with_changes
from cardsdb.games.kit.model.format import Format, Severity
from cardsdb.games.kit.repair.search import Limits, smallest_repairs
from cardsdb.games.kit.repair.steps import may_come_out

# What is lacking is left to the completion.
FORBIDDEN_ALONE = Limits(judgements=300, seconds=0.2, lacking=0)


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
    kept, codes = deck, dict[str, str]()
    while forced := list(_forced(game, kept, format, codes)):
        kept = with_changes(kept, forced)
    # Of the smallest repairs the one that leaves most cards in the deck.
    repairs = smallest_repairs(game, kept, format, lambda lack, like: (), FORBIDDEN_ALONE)
    for repair in sorted(repairs, key=lambda one: -sum(change.by for change in one.changes))[:1]:
        kept = with_changes(kept, repair.changes)
    changes = changes_between(deck, kept)
    moved = {change.card: change.section for change in changes if change.by > 0}
    gone = [
        Removed(out.card, -out.by, out.section, codes.get(out.card.name, ""), moved.get(out.card, ""))
        for out in changes
        if out.by < 0
    ]
    return kept, tuple(gone)


def _forced(game: Game, deck: Decklist, format: Format, codes: dict[str, str]) -> Iterator[CardChange]:
    """Yield what comes out by one rule alone, so that a long list is judged a few times; it moves where it belongs, if
    its section does not take it. ``codes`` gets the first rule that forbids a card, by its name.
    """
    found = game.judge(deck, format).violations
    wrong = [violation for violation in found if violation.severity is Severity.ILLEGAL]
    named = Counter(name for violation in wrong for name in {*violation.cards})
    sections = {slug: game.sections_by_slug[slug].types for slug in format.sections}
    touched = set[str]()
    for violation in wrong:
        names = {*violation.cards}
        codes.update(dict.fromkeys(names - codes.keys(), violation.code))
        is_alone = len(names) == 1 or all(named[name] == 1 for name in names)
        if is_alone and may_come_out(violation) and not touched & names:
            touched |= names
            for entry, count in violation.excess:
                yield CardChange(entry.card, entry.section, -count)
                homes = [slug for slug, types in sections.items() if entry.card.type in types]
                if homes and entry.section not in homes:
                    yield CardChange(entry.card, homes[0], count)
