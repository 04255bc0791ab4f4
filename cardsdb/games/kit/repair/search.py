"""The smallest repair of a deck: a search for the fewest changes after which the rules are kept.

Nothing is offered that was not judged. The search is best first: by the changes made and those still needed
at least. The first found of two equals comes first, so that the search always ends the same.
"""

import heapq
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count, islice
from time import thread_time

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import (
    NO_MARKS,
    CardChange,
    Decklist,
    Entry,
    changes_between,
    size_of,
    with_changes,
)
from cardsdb.games.kit.model.format import (
    VERDICTS,
    Format,
    Lack,
    Report,
    Severity,
    Verdict,
    Violation,
    repair_words,
)
from cardsdb.games.kit.repair.steps import (
    Candidates,
    Step,
    StepFinder,
    badness,
    may_come_out,
    too_many,
)

Changes = tuple[CardChange, ...]

# How many alternatives are named for one repair, and how many cards are judged for them.
MAX_ALTERNATIVES, MAX_JUDGED = 5, 40


@dataclass(frozen=True)
class Limits:
    """How far a search goes. The judgements bound it alike on every machine; the seconds of processor time
    spare a slow one.

    What lacks more cards than ``lacking`` is left to the author; without a number nothing is.
    """

    judgements: int = 800
    seconds: float = 0.5
    repairs: int = 5
    lacking: int | None = None


USUAL_LIMITS = Limits()


@dataclass(frozen=True)
class Repair:
    """Changes to a deck, and the verdict that they lead to.

    ``for_example``: other cards would do as well as those added; ``alternatives`` names a few. ``words``: the
    changes as a sentence. ``is_smallest``: every smaller one was tried; not where the search had to end early.
    """

    changes: Changes
    verdict: Verdict
    words: str
    for_example: bool = False
    alternatives: "tuple[Alternative, ...]" = ()
    is_smallest: bool = True

    @property
    def size(self) -> int:
        """How many cards change: one put in for another counts once."""
        return size_of(self.changes)

    @property
    def outcome(self) -> str:
        """What the deck is then, and what nobody knows of it: ``legal; not proved the smallest``."""
        is_open = ", for no source decides what is left open" if self.verdict == "undecided" else ""
        unproved = "; not proved the smallest" if self.is_whole and not self.is_smallest else ""
        return f"{VERDICTS[self.verdict].lower()}{is_open}{unproved}"

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to be cured by the author."""
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

    Nothing new may be lacking either. ``before`` is the deck's report. Each call judges the deck once or twice
    more, so callers bound how many removals they ask for.
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
    """What is wrong with a deck: a rule that is broken in one way, and how often; and each kind of card that is
    lacking, once: where too few of them are there, one that may not stay makes no new gap.
    """
    found: Counter[object] = Counter()
    for violation in report.violations:
        lacks = violation.lacks if violation.severity is Severity.INCOMPLETE else ()
        found[violation.code, violation.problem] += violation.severity > Severity.UNKNOWN and not lacks
        for lack in lacks:
            found[lack.types, frozenset(lack.facts.items()), lack.name, lack.sections] = 1
    return found


def smallest_repairs(
    game: Game, deck: Decklist, format: Format, candidates: Candidates, limits: Limits = USUAL_LIMITS
) -> tuple[Repair, ...]:
    """Up to five different repairs, all as small as the smallest; none if the deck keeps every rule or
    nothing can be done.

    Where nothing in reach cures all, those offered come as far as can be, and their verdict says that more is
    wrong. Lines that are marked to be kept lose no copy but those beyond what the rules allow of that card.
    """
    search = _Search(game, deck, format, candidates, limits)
    # Where only the sources leave something open, the deck is not at fault.
    if search.start.report.verdict in ("legal", "undecided"):
        return ()
    search.run()
    return search.chosen()


def barred_by_marks(
    game: Game, deck: Decklist, format: Format, candidates: Candidates, limits: Limits = USUAL_LIMITS
) -> tuple[Repair, tuple[str, ...]] | None:
    """The repair that would make the deck legal if nothing were marked to be kept, and the marked cards that
    it takes out.

    None if even that repair would not make it legal, or if it takes out no marked card. It costs as much as
    looking for a repair.
    """
    marked = {(entry.card.key, entry.section) for entry in deck if entry.marks.keep}
    if not marked:
        return None
    open_to_all = too_many(game.judge(deck, format))
    free = replace(deck, entries=tuple(replace(entry, marks=NO_MARKS) for entry in deck))
    for repair in smallest_repairs(game, free, format, candidates, limits):
        out = [
            game.name_index.label(c.card)
            for c in repair.changes
            if (c.card.key, c.section) in marked and -c.by > open_to_all[c.card.key, c.section]
        ]
        if repair.is_whole and out:
            return repair, tuple(dict.fromkeys(out))
    return None


def cards_of_folder(game: Game) -> Candidates:
    """Candidates from the game's folder, for where there is no database."""
    return lambda lack, like: filter(lack.fits, game.cards)


@dataclass(frozen=True)
class _State:
    """A deck that the search has reached, its report, and the changes that led to it."""

    deck: Decklist
    report: Report
    changes: Changes = ()
    for_example: bool = False


@dataclass
class _Search:
    game: Game
    deck: Decklist
    format: Format
    candidates: Candidates
    limits: Limits
    solved: list[_State] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.until = thread_time() + self.limits.seconds
        self.left = self.limits.judgements
        self.best = self.start = _State(self.deck, self._judge(self.deck))
        self.finder = StepFinder(
            self.game, self.format, self.candidates, self._judge, max_lacking=self.limits.lacking
        )

    def _judge(self, deck: Decklist) -> Report:
        self.left -= 1
        return self.game.judge(deck, self.format)

    def _is_over(self) -> bool:
        return self.left <= 0 or thread_time() > self.until

    def run(self) -> None:
        """Look for decks that keep every rule, with the fewest changes."""
        finder = self.finder
        finder.over = self._is_over
        # Violations that no change of cards touches stay; the others are to be cured.
        finder.hopeless = {
            finder.key(v) for v in finder.grave(self.start.report) if finder.is_hopeless(self.deck, v)
        }
        order = count()
        waiting = [(finder.estimate((), self.start.report), 0, next(order), self.start)]
        seen: set[Changes] = {()}
        kinds: set[object] = set()
        while waiting and not self._is_over() and len(kinds) < 2 * self.limits.repairs:
            estimate, _, _, state = heapq.heappop(waiting)
            if self.solved and estimate > size_of(self.solved[0].changes):
                break
            wrong = finder.grave(state.report)
            if not wrong and state is not self.start:
                self.solved.append(state)
                kinds.add(_kind(state.changes))
            for step in self._children(state, wrong):
                changes = changes_between(self.deck, step.deck)
                key = tuple(sorted(changes, key=lambda change: (change.section, change.card.code)))
                if key in seen:
                    continue
                seen.add(key)
                child = self._after(state, step, changes)
                self.best = min(self.best, child, key=_rank)
                left = len(finder.grave(child.report))
                heapq.heappush(waiting, (finder.estimate(changes, child.report), left, next(order), child))

    def _children(self, state: _State, wrong: list[Violation]) -> Iterator[Step]:
        """The ways to cure the gravest thing wrong, of several the one that leaves the least choice. All else comes
        later, so that no order of the same changes is tried twice.
        """
        for violation in sorted(wrong, key=lambda v: (-v.severity, not v.excess, len(v.cards))):
            if steps := list(self.finder.steps(state.deck, state.report, violation)):
                yield from steps
                return

    def _after(self, state: _State, step: Step, changes: Changes) -> _State:
        report = step.report or self._judge(step.deck)
        return _State(step.deck, report, changes, state.for_example or step.for_example)

    def _finished(self, state: _State) -> _State:
        """The state after the step that helps most, and so on as long as one helps."""
        while not self._is_over():
            steps = self._children(state, self.finder.grave(state.report))
            after = (self._after(state, step, changes_between(self.deck, step.deck)) for step in steps)
            best = min(after, key=_rank, default=state)
            if badness(best.report) >= badness(state.report):
                break
            state = best
        return state

    def chosen(self) -> tuple[Repair, ...]:
        """The repairs worth offering: different in kind, those first that leave the least to point out."""
        # A plain finish and naming alternatives have time of their own.
        self.until, self.left = thread_time() + self.limits.seconds, self.limits.judgements
        before = self.start.report
        if not self.solved:
            best = min(map(self._finished, (self.best, self.start)), key=_rank)
            found = replace(self._repair(best), is_smallest=False)
            return (found,) if badness(best.report) < badness(before) else ()

        def more(state: _State, severity: Severity) -> int:
            found = (sum(one.severity is severity for one in of.violations) for of in (state.report, before))
            return max(0, next(found) - next(found))

        # A card of which too little is known is offered only where no other card will do.
        known = [state for state in self.solved if not more(state, Severity.UNKNOWN)] or self.solved
        known.sort(key=lambda state: more(state, Severity.NOTE))
        offered = list({_kind(state.changes): state for state in reversed(known)}.values())[::-1]
        # First one repair of every way to go about it, then a second of each.
        ways = [_way(state.changes) for state in offered]
        turns = [ways[:place].count(way) for place, way in enumerate(ways)]
        placed = sorted(range(len(offered)), key=turns.__getitem__)[: self.limits.repairs]
        return tuple(self._repair(offered[place]) for place in placed)

    def _repair(self, state: _State) -> Repair:
        named = tuple(islice(self._alternatives(state), MAX_ALTERNATIVES))
        example = bool(named) or (state.for_example and any(change.by > 0 for change in state.changes))
        return replace(self._plain(state.changes, state.report, example), alternatives=named)

    def _plain(self, changes: Changes, report: Report, example: bool = False) -> Repair:
        sections = {section.slug: section.name for section in self.game.sections}
        called = self.game.name_index.label
        told = [(called(c.card), c.card.key, c.section, c.by) for c in changes]
        return Repair(changes, report.verdict, repair_words(told, sections, example), example)

    # -- other cards that would do ------------------------------------------------------

    def _alternatives(self, state: _State) -> Iterator[Alternative]:
        """Yield cards that can be put in for the last one that is not merely moved, each with the repair that this
        makes.
        """
        out = {change.card.key for change in state.changes if change.by < 0}
        into = [change for change in state.changes if change.by > 0 and change.card.key not in out]
        for card in islice(self._like(state.changes, into[-1].card), MAX_JUDGED) if into else ():
            if thread_time() > self.until:
                return
            made = tuple(
                self._instead(change, card) if change is into[-1] else change for change in state.changes
            )
            report = self._judge(with_changes(self.deck, made))
            if report.verdict == state.report.verdict and badness(report) <= badness(state.report):
                yield Alternative(card, into[-1].card, self._plain(made, report))

    def _like(self, changes: Changes, card: Card) -> Iterator[Card]:
        """Cards of the kind that is lacking: those like the one put in, then more copies of the deck's own."""
        lacks = [lack for one in self.start.report.violations for lack in one.lacks if lack.fits(card)]
        # A card that no rule calls lacking was put in for one of its type.
        lack = replace(lacks[0], less="") if lacks else Lack(types=(card.type,))
        own, new = self.finder.fitting(self.deck, lack)
        used = {change.card.key for change in changes}
        new.sort(key=lambda other: other.type != card.type)
        return (other for other in (*new, *own) if other.key not in used)

    def _instead(self, change: CardChange, card: Card) -> CardChange:
        section = self.game.sections_by_slug.get(change.section)
        if section is None or card.type not in section.types:
            return CardChange(card, self.game.section_for(card.type, self.format), change.by)
        return CardChange(card, change.section, change.by)


def _rank(state: _State) -> tuple[tuple[int, int, int], int]:
    """How far a state is from being cured, then how much was changed."""
    return badness(state.report), size_of(state.changes)


def _way(changes: Changes) -> object:
    """Whether cards move, come out, come in, or some for others."""
    out, into = (
        {change.card.key for change in changes if (change.by > 0) is added} for added in (False, True)
    )
    return bool(out & into), bool(out - into), bool(into - out)


def _kind(changes: Changes) -> object:
    """Repairs of one kind take out the same cards and put in cards of the same types."""
    out = frozenset((change.card.code, change.section) for change in changes if change.by < 0)
    return out, frozenset(
        (change.card.type, change.section, change.before > 0) for change in changes if change.by > 0
    )
