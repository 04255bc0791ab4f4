"""The smallest repair of a deck: a search for the fewest changes after which the rules are kept.

Nothing is offered that was not judged. The search is best first: by the changes made and those still needed
at least. The first found of two equals comes first, so that the search always ends the same.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count, product

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import NO_MARKS, CardChange, Decklist, Entry, changes_between, size_of
from cardsdb.games.kit.model.format import (
    VERDICTS,
    Format,
    Report,
    Severity,
    Verdict,
    Violation,
)
from cardsdb.games.kit.model.text import listed
from cardsdb.games.kit.repair.steps import (
    Limits,
    Step,
    StepFinder,
    badness,
    kept_that_come_out,
    may_come_out,
)

Changes = tuple[CardChange, ...]

USUAL_LIMITS = Limits()
# How many alternatives are named for one repair.
MAX_ALTERNATIVES = 5


@dataclass(frozen=True)
class Repair:
    """Changes to a deck, and the verdict that they lead to.

    ``alternatives``: other cards that would do as well as one of those added. ``words``: the changes as a
    sentence. ``is_smallest``: every smaller one was tried; not where the search had to end early.
    """

    changes: Changes
    verdict: Verdict
    words: str
    alternatives: "tuple[Alternative, ...]" = ()
    is_smallest: bool = True

    @property
    def size(self) -> int:
        """The number of cards that change: one put in for another counts once."""
        return size_of(self.changes)

    @property
    def outcome(self) -> str:
        """The state of the deck then, and what is not known of it: ``legal; not proved the smallest``."""
        is_open = ", for no source decides what is left open" if self.verdict == "undecided" else ""
        unproved = "; not proved the smallest" if self.is_whole and not self.is_smallest else ""
        return f"{VERDICTS[self.verdict].lower()}{is_open}{unproved}"

    @property
    def is_whole(self) -> bool:
        """True where nothing is left to be cured by the author."""
        return self.verdict in ("legal", "undecided")


@dataclass(frozen=True)
class Alternative:
    """A card that would do as well as one of those that a repair puts in, and the repair with it."""

    card: Card
    instead_of: Card
    repair: Repair


def removal_for(
    game: Game, deck: Decklist, format: Format, violation: Violation, before: Report
) -> tuple[tuple[Entry, int], ...]:
    """The entries, with copies, that may come out so that this violation is gone and nothing new is illegal;
    empty if nothing helps.

    Nothing new may be lacking either. ``before`` is the deck's report. Each call judges the deck once or
    twice more, so callers bound how many removals they ask for.
    """
    also = tuple(
        (entry, copies)
        for other in before.violations
        for entry, copies in other.excess
        if other is not violation and entry.card.name in violation.cards
    )
    # What another rule calls too much as well comes out first.
    for excess in (also, violation.excess):
        as_many = sum(copies for _, copies in excess) == sum(copies for _, copies in violation.excess)
        if not as_many or not may_come_out(replace(violation, excess=excess)):
            continue
        then, now = _faults(before), _faults(game.judge(deck.without(excess), format))
        if (violation.code, violation.problem) in then - now and not now - then:
            return excess
    return ()


def _faults(report: Report) -> Counter[object]:
    """The faults of a deck, counted: a rule that is broken in one way, and how often; and each kind of card
    that is lacking, once: where too few of them are there, one that may not stay makes no new gap.
    """
    found: Counter[object] = Counter()
    for violation in report.violations:
        lacks = violation.lacks if violation.severity is Severity.INCOMPLETE else ()
        found[violation.code, violation.problem] += violation.severity > Severity.UNKNOWN and not lacks
        found |= Counter(repr(replace(lack, count=0)) for lack in lacks)
    return found


def smallest_repairs(
    game: Game, deck: Decklist, format: Format, limits: Limits = USUAL_LIMITS
) -> tuple[Repair, ...]:
    """Up to five different repairs, all as small as the smallest, with cards of the game; none if the deck
    keeps every rule or nothing can be done.

    Where nothing in reach cures all, those offered come as far as can be, and their verdict says that more is
    wrong. Lines that are marked to be kept lose no copy but those beyond what the rules allow of that card.
    """
    finder = StepFinder(game, format, limits)
    search = _Search(finder, _State(deck, finder.judge(deck)))
    # Where only the sources leave something open, the deck is not at fault.
    if search.start.report.verdict in ("legal", "undecided"):
        return ()
    search.run()
    return search.chosen()


def barred_by_marks(
    game: Game, deck: Decklist, format: Format, limits: Limits
) -> tuple[Repair, tuple[str, ...]] | None:
    """The repair that would make the deck legal if nothing were marked to be kept, and the marked cards that
    it takes out.

    None if even that repair would not make it legal, or if it takes out no marked card. It costs as much as
    looking for a repair.
    """
    if not any(entry.marks.keep for entry in deck):
        return None
    before = game.judge(deck, format)
    free = replace(deck, entries=tuple(replace(entry, marks=NO_MARKS) for entry in deck))
    for repair in smallest_repairs(game, free, format, limits):
        if repair.is_whole and (out := kept_that_come_out(deck, before, repair.changes)):
            return repair, tuple(map(game.name_index.label, out))
    return None


@dataclass(frozen=True)
class _State:
    """A deck that the search has reached, its report, and the changes that led to it."""

    deck: Decklist
    report: Report
    changes: Changes = ()


@dataclass
class _Search:
    finder: StepFinder
    start: _State
    solved: list[_State] = field(default_factory=list)

    def run(self) -> None:
        """Look for decks that keep every rule, with the fewest changes."""
        finder, start = self.finder, self.start
        self.best = start
        # Violations that no change of cards touches stay; the others are to be cured.
        finder.hopeless = {
            finder.key(v) for v in finder.grave(start.report) if finder.is_hopeless(start.deck, v)
        }
        order = count()
        waiting = [(finder.estimate((), start.report), 0, next(order), start)]
        seen: set[Changes] = {()}
        kinds: set[object] = set()
        while waiting and not finder.over() and len(kinds) < 2 * finder.limits.repairs:
            estimate, _, _, state = heapq.heappop(waiting)
            if self.solved and estimate > size_of(self.solved[0].changes):
                break
            wrong = finder.grave(state.report)
            if not wrong and state is not start:
                self.solved.append(state)
                kinds.add(_kind(state.changes))
            for step in self._children(state, wrong):
                changes = changes_between(start.deck, step.deck)
                key = tuple(sorted(changes, key=lambda change: (change.section, change.card.code)))
                if key in seen:
                    continue
                seen.add(key)
                child = self._after(state, step, changes)
                self.best = min(self.best, child, key=_rank)
                left = len(finder.grave(child.report))
                heapq.heappush(waiting, (finder.estimate(changes, child.report), left, next(order), child))

    def _children(self, state: _State, wrong: list[Violation]) -> Iterator[Step]:
        """The ways to cure the gravest thing wrong, of several the one that leaves the least choice. All else
        comes later, so that no order of the same changes is tried twice.
        """
        for violation in sorted(wrong, key=lambda v: (-v.severity, not v.excess, len(v.cards))):
            if steps := list(self.finder.steps(state.deck, state.report, violation)):
                yield from steps
                return

    def _after(self, state: _State, step: Step, changes: Changes) -> _State:
        return _State(step.deck, step.report or self.finder.judge(step.deck), changes)

    def _finished(self, state: _State) -> _State:
        """The state after the step that helps most, and so on as long as one helps."""
        while not self.finder.over():
            steps = self._children(state, self.finder.grave(state.report))
            after = (self._after(state, step, changes_between(self.start.deck, step.deck)) for step in steps)
            best = min(after, key=_rank, default=state)
            if badness(best.report) >= badness(state.report):
                break
            state = best
        return state

    def chosen(self) -> tuple[Repair, ...]:
        """The repairs worth offering: different in kind, those first that leave the least to point out."""
        if not self.solved:
            # A plain finish has time of its own.
            self.finder.renew()
            best = min(map(self._finished, (self.best, self.start)), key=_rank)
            is_better = badness(best.report) < badness(self.start.report)
            return (replace(self._repair(best), is_smallest=False),) if is_better else ()
        # A card of which too little is known is offered only where no other card will do.
        ranked = sorted(self.solved, key=_left_open)
        most = max(_left_open(self.start)[0], _left_open(ranked[0])[0])
        kinds: dict[object, list[_State]] = {}
        for state in ranked:
            if _left_open(state)[0] <= most:
                kinds.setdefault(_kind(state.changes), []).append(state)
        return tuple(self._repair(*alike) for alike in list(kinds.values())[: self.finder.limits.repairs])

    def _repair(self, state: _State, *alike: _State) -> Repair:
        """The repair, and repairs of the same kind that put in another card for one copy of the same card."""
        into, found = _put_in(state.changes), defaultdict[Card, list[Alternative]](list)
        for other in alike:
            gone, new = into - _put_in(other.changes), _put_in(other.changes) - into
            if gone.total() == new.total() == 1:
                (instead,), (card,) = gone, new
                found[instead].append(Alternative(card, instead, self._repair(other)))
        named = max(found.values(), key=len, default=[])[:MAX_ALTERNATIVES]
        words = _words(self.finder.game, state.changes, bool(named))
        return Repair(state.changes, state.report.verdict, words, tuple(named))


def _words(game: Game, changes: Changes, example: bool) -> str:
    """Changes as a sentence of instructions: what moves, what is put in for what, what comes out, what comes
    in.
    """
    label = game.name_index.label
    left = {(change.card, change.section): change.by for change in changes}
    parts = []
    for (card, here), (other, to) in product(left, left):
        moved = min(-left[card, here], left[other, to])
        if card.key == other.key and moved > 0:
            left[card, here] += moved
            left[other, to] -= moved
            parts.append(f"Move {moved} {label(card)} to {game.sections_by_slug[to].name}.")
    out = [f"{-by} {label(card)}" for (card, _), by in left.items() if by < 0]
    into = [f"{by} {label(card)}" for (card, _), by in left.items() if by > 0]
    such_as = ", for example" if example else ""
    if len(out) == len(into) == 1 and sum(left.values()) == 0:
        parts.append(f"Swap {out[0]} for {into[0].partition(' ')[2]}{such_as}.")
    else:
        parts += [f"Take out {listed(tuple(out))}."] if out else []
        parts += [f"Add {listed(tuple(into))}{such_as}."] if into else []
    return " ".join(parts)


def _rank(state: _State) -> tuple[tuple[int, int, int], int]:
    """The distance of a state from being cured, then how much was changed."""
    return badness(state.report), size_of(state.changes)


def _left_open(state: _State) -> tuple[int, int]:
    """The number of things that are unknown, and of notes."""
    severities = [violation.severity for violation in state.report.violations]
    return severities.count(Severity.UNKNOWN), severities.count(Severity.NOTE)


def _put_in(changes: Changes) -> Counter[Card]:
    """The copies of each card put in that comes from no other section."""
    out = {change.card.key for change in changes if change.by < 0}
    return Counter({c.card: c.by for c in changes if c.by > 0 and c.card.key not in out})


def _kind(changes: Changes) -> object:
    """Repairs of one kind take out the same cards, and put new ones or more of the deck's into the same
    sections.
    """
    out = frozenset((change.card.code, change.section) for change in changes if change.by < 0)
    return out, frozenset((change.section, change.before > 0) for change in changes if change.by > 0)
