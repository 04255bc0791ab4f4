"""The smallest repair of a deck: a search for the fewest changes after which the rules are kept.

Nothing is offered that was not judged. The search is best first: by the changes made and those still needed
at least. The first found of two equals comes first, so that the search always ends the same.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count, islice
from time import thread_time

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.cards import Card, FactValue
from cardsdb.games.kit.model.decklist import (
    NO_MARKS,
    CardChange,
    Decklist,
    Entry,
    changes_between,
    size_of,
    with_changes,
)
from cardsdb.games.kit.model.format import Format
from cardsdb.games.kit.model.report import VERDICTS, Lack, Report, Severity, Verdict, Violation, repair_words
from cardsdb.games.kit.repair.steps import Candidates, Step, StepFinder, badness, may_come_out, too_many

Removal = tuple[tuple[Entry, int], ...]
Changes = tuple[CardChange, ...]

# How many alternatives are named for one repair, and how many cards are judged for them.
MAX_ALTERNATIVES, MAX_JUDGED = 5, 40


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Repair:
    """Changes to a deck, and the verdict that they lead to.

    ``for_example``: other cards would do as well as those added; ``alternatives`` names a few. ``words``: the
    changes as a sentence.
    """

    changes: tuple[CardChange, ...]
    verdict: Verdict
    words: str
    for_example: bool = False
    alternatives: tuple[Alternative, ...] = ()

    @property
    def size(self) -> int:
        """How many cards change: one put in for another counts once."""
        return size_of(self.changes)

    @property
    def verdict_words(self) -> str:
        return VERDICTS[self.verdict]

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to be cured by the author."""
        return self.verdict in ("legal", "undecided")


@dataclass(frozen=True, slots=True)
class Alternative:
    """A card that would do as well as one of those that a repair puts in, and the repair with it."""

    card: Card
    instead_of: Card
    repair: Repair


def removal_for(game: Game, deck: Decklist, format: Format, violation: Violation, before: Report) -> Removal:
    """The entries, with copies, that may come out so that this violation is gone and nothing new is illegal;
    empty if nothing helps.

    ``before`` is the deck's report. Each call judges the deck once more, so callers bound how many removals
    they ask for.
    """
    if not may_come_out(violation):
        return ()
    after = game.judge(deck.without(violation.excess), format)

    def same(other: Violation) -> bool:
        return (other.code, other.problem, other.cards) == (
            violation.code,
            violation.problem,
            violation.cards,
        )

    cured = not any(same(other) and other.severity is Severity.ILLEGAL for other in after.violations)
    illegal = set(after.codes(Severity.INCOMPLETE)) - set(before.codes(Severity.INCOMPLETE))
    return violation.excess if cured and not illegal else ()


def smallest_repairs(
    game: Game,
    deck: Decklist,
    format: Format,
    candidates: Candidates,
    limits: Limits = USUAL_LIMITS,
    clock: Callable[[], float] = thread_time,
) -> tuple[Repair, ...]:
    """Up to five different repairs, all as small as the smallest; none if the deck keeps every rule or
    nothing can be done.

    Where nothing in reach cures all, those offered come as far as can be, and their verdict says that more is
    wrong. Lines that are marked to be kept lose no copy but those beyond what the rules allow of that card.
    """
    search = _Search(game, deck, format, candidates, limits, clock)
    # Where only the sources leave something open, the deck is not at fault.
    if search.start.report.verdict in ("legal", "undecided"):
        return ()
    search.run()
    return search.chosen()


def barred_by_marks(
    game: Game,
    deck: Decklist,
    format: Format,
    candidates: Candidates,
    limits: Limits = USUAL_LIMITS,
    clock: Callable[[], float] = thread_time,
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
    for repair in smallest_repairs(game, free, format, candidates, limits, clock):
        out = [
            c.card.name
            for c in repair.changes
            if (c.card.key, c.section) in marked and -c.by > open_to_all[c.card.key, c.section]
        ]
        if repair.is_whole and out:
            return repair, tuple(dict.fromkeys(out))
    return None


def cards_of_folder(game: Game) -> Candidates:
    """Candidates from the game's folder, for where there is no database."""

    def candidates(lack: Lack, like: Mapping[str, FactValue]) -> Iterator[Card]:
        return (card for card in game.cards if lack.fits(card))

    return candidates


@dataclass(frozen=True, slots=True)
class _State:
    """A deck that the search has reached, its report, and the changes that led to it."""

    deck: Decklist
    report: Report
    changes: tuple[CardChange, ...] = ()
    for_example: bool = False


@dataclass
class _Search:
    game: Game
    deck: Decklist
    format: Format
    candidates: Candidates
    limits: Limits
    clock: Callable[[], float]
    solved: list[_State] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.until = self.clock() + self.limits.seconds
        self.left = self.limits.judgements
        self.start = _State(self.deck, self._judge(self.deck))
        self.best = self.start
        self.finder = StepFinder(
            self.game, self.format, self.candidates, self._judge, max_lacking=self.limits.lacking
        )

    def _judge(self, deck: Decklist) -> Report:
        self.left -= 1
        return self.game.judge(deck, self.format)

    @property
    def _over(self) -> bool:
        return self.left <= 0 or self.clock() > self.until

    def run(self) -> None:
        """Look for decks that keep every rule, with the fewest changes."""
        finder = self.finder
        finder.over = lambda: self._over
        # Violations that no change of cards touches stay; the others are to be cured.
        finder.hopeless = {
            finder.key(v) for v in finder.grave(self.start.report) if finder.is_hopeless(self.deck, v)
        }
        order = count()
        waiting = [(finder.estimate(self.start.changes, self.start.report), 0, next(order), self.start)]
        seen: set[tuple[CardChange, ...]] = {()}
        kinds: set[object] = set()
        while waiting and not self._over and len(kinds) < 2 * self.limits.repairs:
            estimate, _, _, state = heapq.heappop(waiting)
            if self.solved and estimate > size_of(self.solved[0].changes):
                break
            wrong = finder.grave(state.report)
            if not wrong:
                if state is not self.start:
                    self.solved.append(state)
                    kinds.add(_kind(state.changes))
                continue
            for step in self._children(state, wrong):
                changes = changes_between(self.deck, step.deck)
                key = tuple(sorted(changes, key=lambda change: (change.section, change.card.code)))
                if key in seen:
                    continue
                seen.add(key)
                child = _State(
                    step.deck,
                    step.report or self._judge(step.deck),
                    changes,
                    state.for_example or step.for_example,
                )
                if self._badness(child) < self._badness(self.best):
                    self.best = child
                heapq.heappush(
                    waiting,
                    (
                        finder.estimate(changes, child.report),
                        len(finder.grave(child.report)),
                        next(order),
                        child,
                    ),
                )

    def _children(self, state: _State, wrong: list[Violation]) -> Iterator[Step]:
        """The ways to cure the gravest thing wrong. All else comes later, so that no order of the same
        changes is tried twice.
        """
        for violation in sorted(wrong, key=lambda violation: -violation.severity):
            steps = list(self.finder.steps(state.deck, state.report, violation))
            if steps:
                yield from steps
                return

    def _badness(self, state: _State) -> tuple[int, ...]:
        return (*badness(state.report), size_of(state.changes))

    def chosen(self) -> tuple[Repair, ...]:
        """The repairs worth offering: different in kind, those first that leave the least to point out."""
        # Naming alternatives has time of its own.
        self.until = self.clock() + self.limits.seconds
        if not self.solved:
            better = badness(self.best.report) < badness(self.start.report)
            return (self._repair(self.best),) if better else ()
        unknown = {id(state): _severe(state.report, Severity.UNKNOWN) for state in self.solved}
        before = _severe(self.start.report, Severity.UNKNOWN)
        # A card of which too little is known is offered only where no other card will do.
        known = [state for state in self.solved if unknown[id(state)] <= before] or self.solved
        notes = {
            id(state): max(
                0, _severe(state.report, Severity.NOTE) - _severe(self.start.report, Severity.NOTE)
            )
            for state in known
        }
        known.sort(key=lambda state: notes[id(state)])
        offered = list({_kind(state.changes): state for state in reversed(known)}.values())[::-1]
        # First one repair of every way to go about it, then a second of each.
        turns: Counter[object] = Counter()
        places = {}
        for state in offered:
            turns[_way(state.changes)] += 1
            places[id(state)] = turns[_way(state.changes)]
        offered.sort(key=lambda state: places[id(state)])
        return tuple(self._repair(state) for state in offered[: self.limits.repairs])

    def _repair(self, state: _State) -> Repair:
        last = replaceable(state.changes)
        made = _alternatives(
            self.finder,
            self.deck,
            self.start.report,
            state.changes,
            state.report,
            lambda: self.clock() > self.until,
        )
        named = (
            tuple(
                Alternative(card, last.card, self._plain(changes, report)) for card, changes, report in made
            )
            if last
            else ()
        )
        example = bool(named) or (state.for_example and any(change.by > 0 for change in state.changes))
        return replace(self._plain(state.changes, state.report, example), alternatives=named)

    def _plain(self, changes: tuple[CardChange, ...], report: Report, example: bool = False) -> Repair:
        sections = {section.slug: section.name for section in self.game.sections}
        words = repair_words(
            [(c.card.name, c.card.type, c.card.key, c.section, c.by) for c in changes], sections, example
        )
        return Repair(changes, report.verdict, words, example)


def _severe(report: Report, severity: Severity) -> int:
    return sum(violation.severity is severity for violation in report.violations)


def _way(changes: tuple[CardChange, ...]) -> object:
    """Whether cards move, come out, come in, or some for others."""
    out, into = (
        {change.card.key for change in changes if (change.by > 0) is added} for added in (False, True)
    )
    return bool(out & into), bool(out - into), bool(into - out)


def _kind(changes: tuple[CardChange, ...]) -> object:
    """Repairs of one kind take out the same cards and put in cards of the same types."""
    out = frozenset((change.card.code, change.section) for change in changes if change.by < 0)
    return out, frozenset(
        (change.card.type, change.section, change.before > 0) for change in changes if change.by > 0
    )


# -- other cards that would do ------------------------------------------------------


def replaceable(changes: Changes) -> CardChange | None:
    """The change that puts in the last card which is not merely moved; None if no card comes in."""
    out = {change.card.key for change in changes if change.by < 0}
    into = [change for change in changes if change.by > 0 and change.card.key not in out]
    return into[-1] if into else None


def _alternatives(
    finder: StepFinder,
    deck: Decklist,
    before: Report,
    changes: Changes,
    after: Report,
    over: Callable[[], bool],
) -> tuple[tuple[Card, Changes, Report], ...]:
    """Up to five cards that can be put in for the last one, with the changes that then make the repair and
    their report.
    """
    last = replaceable(changes)
    if last is None:
        return ()

    def judged() -> Iterator[tuple[Card, Changes, Report]]:
        for card in islice(_candidates(finder, deck, before, changes, last), MAX_JUDGED):
            if over():
                return
            made = tuple(_instead(finder, change, card) if change is last else change for change in changes)
            report = finder.judge(with_changes(deck, made))
            if report.verdict == after.verdict and badness(report) <= badness(after):
                yield card, made, report

    return tuple(islice(judged(), MAX_ALTERNATIVES))


def _candidates(
    finder: StepFinder, deck: Decklist, before: Report, changes: Changes, last: CardChange
) -> Iterator[Card]:
    """Cards of the kind that is lacking: those like the one put in, then more copies of the deck's own."""
    lacks = [lack for violation in before.violations for lack in violation.lacks if lack.fits(last.card)]
    # A card that no rule calls lacking was put in for one of its type.
    own, new = finder.fitting(deck, replace(lacks[0], less="") if lacks else Lack(types=(last.card.type,)))
    used = {change.card.key for change in changes}
    new.sort(key=lambda card: card.type != last.card.type)
    yield from (card for card in (*new, *own) if card.key not in used)


def _instead(finder: StepFinder, change: CardChange, card: Card) -> CardChange:
    section = finder.game.sections_by_slug.get(change.section)
    fits = section is not None and card.type in section.types
    return CardChange(
        card, change.section if fits else finder.game.section_for(card.type, finder.format), change.by
    )
