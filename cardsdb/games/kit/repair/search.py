"""Search for the fewest changes of cards that make a deck legal, and choose which repairs to offer.

``smallest_repairs`` is an A* search: ``StepFinder`` (``steps.py``) gives the steps and a lower bound of the
changes still needed. Every deck that is offered was judged. The same deck always gets the same repairs:
states of equal estimate are tried in the order in which they were found. Cards marked to be kept are never
taken out, except surplus copies.

``decks/check/pasted.py`` and ``complete/search.py`` call ``smallest_repairs``, ``decks/core/judging.py``
calls ``removal_for``. ``Violation`` and ``Report`` are defined in ``model/format.py``, ``CardChange`` in
``model/decklist.py``. Tests: ``tests/cardsdb/games/kit/repair/test_search.py``.
"""

import heapq
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from itertools import count, product
from typing import NamedTuple

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
# Most alternatives named for one repair.
MAX_ALTERNATIVES = 5


@dataclass(frozen=True)
class Repair:
    """Changes to a deck, and the verdict that they lead to.

    ``words``: the changes as instructions. ``alternatives``: other cards that would do as well as one of
    those added. ``is_smallest``: False if the search ended early, so that a smaller repair may exist.
    """

    changes: Changes
    verdict: Verdict
    words: str
    alternatives: "tuple[Alternative, ...]" = ()
    is_smallest: bool = True

    @property
    def size(self) -> int:
        """The number of cards that change; replacing one card with another counts once."""
        return size_of(self.changes)

    @property
    def outcome(self) -> str:
        """The verdict after the repair, with reservations: ``legal; not proved the smallest``."""
        is_open = ", because no source decides what is left open" if self.verdict == "undecided" else ""
        unproved = "; not proved the smallest" if self.is_whole and not self.is_smallest else ""
        return f"{VERDICTS[self.verdict].lower()}{is_open}{unproved}"

    @property
    def is_whole(self) -> bool:
        """True if nothing is left for the author to cure."""
        return self.verdict in ("legal", "undecided")


@dataclass(frozen=True)
class Alternative:
    """A card that would do as well as ``instead_of``, which a repair puts in; and the repair with it."""

    card: Card
    instead_of: Card
    repair: Repair


def removal_for(
    game: Game, deck: Decklist, format: Format, violation: Violation, before: Report
) -> tuple[tuple[Entry, int], ...]:
    """Return the (entry, copies) to take out so that this violation is cured and nothing new is illegal or
    lacking; empty if that is impossible. ``5 Spoilsport``, of which 3 are allowed -> ((that entry, 2),)

    ``before``: the report of the deck. Each call judges the deck up to twice, so callers should bound their
    number of calls.
    """
    surplus_of_others = tuple(
        (entry, copies)
        for other in before.violations
        for entry, copies in other.excess
        if other is not violation and entry.card.name in violation.cards
    )
    # Copies that another rule calls too many as well are tried first: taking them out may cure both.
    for excess in (surplus_of_others, violation.excess):
        as_many = sum(copies for _, copies in excess) == sum(copies for _, copies in violation.excess)
        if not as_many or not may_come_out(replace(violation, excess=excess)):
            continue
        then, now = _faults(before), _faults(game.judge(deck.without(excess), format))
        cured, new = then - now, now - then
        if (violation.code, violation.problem) in cured and not new:
            return excess
    return ()


def _faults(report: Report) -> Counter[object]:
    """Return the faults of a deck, counted, to compare two decks.

    (rule's code, problem) counts how often a rule is broken in this way. Each kind of lacking card counts
    once, however many are lacking: where cards are lacking already, one more is no new fault.

    Two leaders of level 4 and none of level 3: {("AG-7", "same-value"): 1, "Lack(...'level': 3...)": 1}
    """
    found: Counter[object] = Counter()
    for violation in report.violations:
        lacks = violation.lacks if violation.severity is Severity.INCOMPLETE else ()
        if violation.severity > Severity.UNKNOWN and not lacks:
            found[violation.code, violation.problem] += 1
        found |= Counter(repr(replace(lack, count=0)) for lack in lacks)
    return found


def smallest_repairs(
    game: Game, deck: Decklist, format: Format, limits: Limits = USUAL_LIMITS
) -> tuple[Repair, ...]:
    """Return up to ``limits.repairs`` different repairs, all of the smallest size that was found; empty if
    the deck breaks no rule or nothing can be done.

    If no repair within the limits cures everything, one is returned that cures as much as possible; its
    verdict is then not legal.
    """
    finder = StepFinder(game, format, limits)
    start = _State(deck, finder.judge(deck))
    # If only the sources leave something open, no change of the deck helps.
    if start.report.verdict in ("legal", "undecided"):
        return ()
    search = _Search(finder, start, best=start)
    search.run()
    return search.chosen()


def barred_by_marks(
    game: Game, deck: Decklist, format: Format, limits: Limits
) -> tuple[Repair, tuple[str, ...]] | None:
    """Return (the repair that would make the deck legal if no card were marked to be kept, names of the
    marked cards that it takes out).

    None if even that repair would not make the deck legal, or if it takes out no marked card. It takes as
    long as ``smallest_repairs``.
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
    """A deck that the search has reached, its report, and its changes from the first deck."""

    deck: Decklist
    report: Report
    changes: Changes = ()


class _Waiting(NamedTuple):
    """A state on the heap, which gives the lowest first: by the estimated size of a whole repair, then by the
    violations left, then by the order in which the states were found.
    """

    estimate: int
    uncured: int
    order: int  # no two are equal, so states are never compared
    state: _State


@dataclass
class _Search:
    """The search from one deck: first ``run``, then ``chosen``. ``solved``: the states found that have
    nothing left to cure. ``best``: the state with the least left to cure, at first ``start``.
    """

    finder: StepFinder
    start: _State
    best: _State
    solved: list[_State] = field(default_factory=list)

    def run(self) -> None:
        """Fill ``solved`` with states of the fewest changes, and ``best``.

        A deck with two leaders of level 4 and none of level 3: the first state has the estimate 1, since one
        card must go out and one come in. Children that have a leader of level 3 in place of one of the two
        come from the heap with the estimate 1 and are solved, since nothing is left to cure. Once the lowest
        estimate on the heap is 2, the search ends.
        """
        finder, start = self.finder, self.start
        # Violations that no change of cards can cure stay; only the others are searched for.
        finder.hopeless = {
            finder.key(v) for v in finder.grave(start.report) if finder.is_hopeless(start.deck, v)
        }
        order = count()
        waiting = [self._waiting(start, next(order))]
        seen: set[object] = {frozenset()}  # changes, in whatever order they were made
        kinds: set[object] = set()
        # Twice as many kinds as are offered, so that those that leave something open can be dropped.
        while waiting and not finder.over() and len(kinds) < 2 * finder.limits.repairs:
            nearest = heapq.heappop(waiting)
            if self.solved and nearest.estimate > size_of(self.solved[0].changes):
                break  # All repairs of the smallest size are found.
            state = nearest.state
            if not nearest.uncured and state is not start:
                self.solved.append(state)
                kinds.add(_kind(state.changes))
            for step in self._steps_from(state):
                changes = changes_between(start.deck, step.deck)
                if frozenset(changes) not in seen:
                    seen.add(frozenset(changes))
                    child = self._after(step, changes)
                    self.best = min(self.best, child, key=_rank)
                    heapq.heappush(waiting, self._waiting(child, next(order)))

    def _waiting(self, state: _State, order: int) -> _Waiting:
        estimate = self.finder.estimate(state.changes, state.report)
        return _Waiting(estimate, len(self.finder.grave(state.report)), order, state)

    def _steps_from(self, state: _State) -> list[Step]:
        """Return the steps against one grave violation that has any. The gravest is preferred, then one that
        names its excess, then one of the fewest cards. The others wait for later states, so that the same
        changes are not tried in every order.
        """

        def urgency(violation: Violation) -> tuple[int, bool, int]:
            return -violation.severity, not violation.excess, len(violation.cards)

        for violation in sorted(self.finder.grave(state.report), key=urgency):
            if steps := list(self.finder.steps(state.deck, state.report, violation)):
                return steps
        return []

    def _after(self, step: Step, changes: Changes) -> _State:
        """Return the state that a step leads to; its deck is judged if the step did not do so."""
        return _State(step.deck, step.report or self.finder.judge(step.deck), changes)

    def _finished(self, state: _State) -> _State:
        """Return the state after always taking the step that helps most, until none helps (greedy)."""
        while not self.finder.over():
            after = [
                self._after(step, changes_between(self.start.deck, step.deck))
                for step in self._steps_from(state)
            ]
            best = min(after, key=_rank, default=state)
            if badness(best.report) >= badness(state.report):
                break
            state = best
        return state

    def chosen(self) -> tuple[Repair, ...]:
        """Return the repairs to offer, one of each kind; those that leave the fewest things open first."""
        if not self.solved:
            # The greedy search has time of its own.
            self.finder.renew()
            best = min(map(self._finished, (self.best, self.start)), key=_rank)
            is_better = badness(best.report) < badness(self.start.report)
            return (replace(self._repair(best), is_smallest=False),) if is_better else ()
        ranked = sorted(self.solved, key=lambda state: (_unknown(state), _count(state, Severity.NOTE)))
        # A card with unknown facts that leave a rule undecided is offered only if no other card will do.
        most_unknown = max(_unknown(self.start), _unknown(ranked[0]))
        kinds: dict[object, list[_State]] = {}
        for state in ranked:
            if _unknown(state) <= most_unknown:
                kinds.setdefault(_kind(state.changes), []).append(state)
        return tuple(self._repair(*alike) for alike in list(kinds.values())[: self.finder.limits.repairs])

    def _repair(self, state: _State, *alike: _State) -> Repair:
        """Return the repair of a state. States of the same kind (``alike``) that differ from it in one copy
        of one card put in are its alternatives, for the card that has most of them. Alternatives have none.
        The repair that puts in Sandman, a leader of level 3, has the alternatives Entropy Jones and Rachel
        Dunn.
        """
        added = _put_in(state.changes)
        alternatives = defaultdict[Card, list[Alternative]](list)  # card put in -> cards in place of it
        for other in alike:
            gone, new = added - _put_in(other.changes), _put_in(other.changes) - added
            if gone.total() == new.total() == 1:
                (replaced,) = gone
                (card,) = new
                alternatives[replaced].append(Alternative(card, replaced, self._repair(other)))
        offered = max(alternatives.values(), key=len, default=[])[:MAX_ALTERNATIVES]
        words = _words(self.finder.game, state.changes, bool(offered))
        return Repair(state.changes, state.report.verdict, words, tuple(offered))


def _words(game: Game, changes: Changes, example: bool) -> str:
    """Return changes as instructions: ``Move 1 Kai to Reserve. Take out 2 Minx. Add 1 Tracer, for example.``
    ``example``: other cards than those added would do as well.
    """
    label = game.name_index.label
    # (card, section) -> copies that come in, or below 0 go out, and are in no sentence yet.
    left = {(change.card, change.section): change.by for change in changes}
    parts = []
    # A card that goes out of one section (``here``) and into another (``to``) is moved.
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
        # As many come in as go out, so the number is said once.
        parts.append(f"Swap {out[0]} for {into[0].partition(' ')[2]}{such_as}.")
    else:
        parts += [f"Take out {listed(tuple(out))}."] if out else []
        parts += [f"Add {listed(tuple(into))}{such_as}."] if into else []
    return " ".join(parts)


def _rank(state: _State) -> tuple[tuple[int, int, int], int]:
    """Return the key by which states are compared; lower is better: what is left to cure, then changes."""
    return badness(state.report), size_of(state.changes)


def _unknown(state: _State) -> int:
    """Return the number of things that are left open because no source states them."""
    return _count(state, Severity.UNKNOWN)


def _count(state: _State, severity: Severity) -> int:
    """Return the number of violations of just this severity."""
    return sum(violation.severity is severity for violation in state.report.violations)


def _put_in(changes: Changes) -> Counter[Card]:
    """Return the copies of each card that is put in and not moved from another section."""
    out = {change.card.key for change in changes if change.by < 0}
    return Counter(
        {change.card: change.by for change in changes if change.by > 0 and change.card.key not in out}
    )


def _kind(changes: Changes) -> object:
    """Return a key that is equal for repairs of one kind: they take out the same cards, and put new cards, or
    more copies of the deck's cards, into the same sections. All swaps of Nathan Sparks for a new leader are
    of one kind: {("nathan-sparks", "leaders")} goes out, {("leaders", False)} comes in, False since the deck
    has no copy yet.
    """
    out = frozenset((change.card.code, change.section) for change in changes if change.by < 0)
    return out, frozenset((change.section, change.before > 0) for change in changes if change.by > 0)
