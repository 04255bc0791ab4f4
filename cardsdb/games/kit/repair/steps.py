"""The single steps of a repair: from a violation to the cards that may come out, go elsewhere or be put
in.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TypeAlias

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.cards import Card, FactValue
from cardsdb.games.kit.model.decklist import NO_MARKS, CardChange, Decklist, Entry, out_and_in, with_changes
from cardsdb.games.kit.model.format import Format, Lack, Report, Severity, Violation, whole

# Returns cards that fit what is lacking; where there is a choice, those that are like the deck in these
# facts.
Copies: TypeAlias = tuple[tuple[Entry, int], ...]
Candidates: TypeAlias = Callable[[Lack, Mapping[str, FactValue]], Iterable[Card]]

# A deck that lacks no more cards than these is nearly whole.
FEW = 8
# How many cards are tried of those that would do equally well, and how many of those that break something
# else.
MAX_GOOD, MAX_DOUBTFUL = 6, 4
# How many cards that might come out are tried: those added last. Of those that come to too much together, how
# many sets are tried.
MAX_TAKEN, MAX_SETS = 8, 3


@dataclass(frozen=True)
class Step:
    """The deck after one step, its report if it was judged already, and whether other cards would have done
    as well.
    """

    deck: Decklist
    report: Report | None = None
    for_example: bool = False


@dataclass
class StepFinder:
    """Finds the steps that may cure a violation. Those that are hopeless, or lack more than ``max_lacking``
    cards, are not to be cured.
    """

    game: Game
    format: Format
    candidates: Candidates
    judge: Callable[[Decklist], Report]
    over: Callable[[], bool] = lambda: False
    hopeless: set[tuple[object, ...]] = field(default_factory=set)
    max_lacking: int | None = None

    @staticmethod
    def key(violation: Violation) -> tuple[object, ...]:
        return violation.code, violation.problem, violation.what

    def grave(self, report: Report) -> list[Violation]:
        """The violations that are to be cured, in the rulebook's order."""
        grave = (
            v for v in report.violations if v.severity > Severity.UNKNOWN and self.key(v) not in self.hopeless
        )
        return [v for v in grave if not self._is_left_to_the_author(v)]

    def _is_left_to_the_author(self, violation: Violation) -> bool:
        most = self.max_lacking
        return (
            most is not None and violation.severity is Severity.INCOMPLETE and cards_lacking(violation) > most
        )

    def estimate(self, changes: Iterable[CardChange], report: Report) -> int:
        """The least size that a repair which begins with these changes can have."""
        out, into = out_and_in(changes)
        wrong = self.grave(report)
        out += max((_least_out(v) for v in wrong if v.severity is not Severity.INCOMPLETE), default=0)
        into += max((cards_lacking(v) for v in wrong if v.severity is Severity.INCOMPLETE), default=0)
        return max(out, into)

    def is_hopeless(self, deck: Decklist, violation: Violation) -> bool:
        """Whether no change of cards touches this violation: the list lacks a number, say, or the catalogue
        lacks the cards.

        Where a rule names neither what is too much nor what is lacking, its cards may only lie in the wrong
        place.
        """
        if not violation.excess and not violation.lacks:
            return not any(self._other_sections(entry) for entry in _pool(deck, violation))
        if violation.severity is not Severity.INCOMPLETE:
            return not _pool(deck, violation) and not may_come_out(violation)
        return not any(
            any(self.fitting(deck, lack)) or any(self._moved_in(deck, lack)) for lack in violation.lacks
        )

    # -- steps ------------------------------------------------------------------

    def steps(self, deck: Decklist, report: Report, violation: Violation) -> Iterator[Step]:
        """Every step that may help against a violation, the likeliest first."""
        if violation.severity is Severity.INCOMPLETE and violation.lacks:
            filled = list(self._filled(deck, report, violation.lacks[0]))
            yield from filled
            if not any(step.report and self._harmless(step.report, report) for step in filled):
                yield from self._moved_in(deck, violation.lacks[0])
            return
        for chosen in self._chosen(deck, violation):
            yield from self._moved(deck, chosen)
            if len(chosen) == 1:
                for lack in violation.lacks:
                    yield from self._swapped(deck, report, chosen[0][0], lack, _over(violation))
            if violation.excess or violation.lacks:
                yield Step(deck.without(chosen))

    def _chosen(self, deck: Decklist, violation: Violation) -> Iterator[Copies]:
        """The copies that come out or go elsewhere together: what is too much, else all that the violation names;
        then of each card alone. Of those whose total is too high the fewest that lower it enough, of these sets
        first those that lose least.
        """
        pool, less = _pool(deck, violation), "".join(lack.less for lack in violation.lacks)
        if not less:
            if may_come_out(violation) or not violation.excess:
                yield violation.excess or whole(pool)
            need = _least_out(violation) if violation.excess else deck.size
            yield from (((entry, min(entry.count, need)),) for entry in pool[:MAX_TAKEN])
            return

        def lost(copies: Copies) -> int:
            """Return by how much the total falls without them."""
            return sum(entry.card.number(less) or 0 for entry, _ in copies)

        copies = sorted(((e, 1) for e in pool for _ in range(e.count)), key=lambda copy: -lost((copy,)))[
            :MAX_TAKEN
        ]
        for size in range(1, len(copies) + 1):
            if enough := [one for one in combinations(copies, size) if lost(one) >= _over(violation)]:
                yield from sorted(enough, key=lost)[:MAX_SETS]
                return
        yield tuple(copies)

    def _moved(self, deck: Decklist, chosen: Copies) -> Iterator[Step]:
        """Move copies to other sections of the format that take their types."""
        for sections in zip(*(self._other_sections(entry) for entry, _ in chosen), strict=False):
            yield Step(_moved(deck, chosen, sections))

    def _other_sections(self, entry: Entry) -> list[str]:
        known = self.game.sections_by_slug
        return [
            s
            for s in self.format.sections
            if s != entry.section and s in known and entry.card.type in known[s].types
        ]

    def _moved_in(self, deck: Decklist, lack: Lack) -> Iterator[Step]:
        """Move cards from another section to the one that lacks them."""
        for entry in reversed(deck.entries):
            section = self._section_for(entry.card, lack)
            if (
                lack.sections
                and not entry.marks.keep
                and lack.fits(entry.card)
                and entry.section not in lack.sections
            ):
                yield Step(_moved(deck, ((entry, min(entry.count, lack.count)),), (section,)))

    def _filled(self, deck: Decklist, report: Report, lack: Lack) -> Iterator[Step]:
        """One card more, of every kind that does no harm; where many are lacking, all of them: more copies
        first, or only new cards.
        """
        own, new = self.fitting(deck, lack)
        if lack.count == 1:
            yield from self._each(
                (_added(deck, card, self._section_for(card, lack)) for card in (*own, *new)), report
            )
            return
        for cards in ((*own, *new), new):
            filled, after, left = deck, report, lack.count
            for card in cards:
                while left and not self.over():
                    more = _added(filled, card, self._section_for(card, lack))
                    now = self.judge(more)
                    if not self._harmless(now, after):
                        break
                    filled, after, left = more, now, left - 1
            if left < lack.count:
                yield Step(filled, after, for_example=True)

    def _swapped(self, deck: Decklist, report: Report, entry: Entry, lack: Lack, over: int) -> Iterator[Step]:
        """Another card in the place of one copy, of so much less where a total is too high. The cards most like
        it come first; of those that are cheap enough the dearest, so that as little as possible is lost.
        """
        own, new = self.fitting(deck, lack)
        new.sort(key=lambda card: -_alike(card, entry.card))
        if lack.less:
            most = (entry.card.number(lack.less) or 0) - over
            own, new = ([c for c in cards if (c.number(lack.less) or 0) <= most] for cards in (own, new))
            new.sort(key=lambda card: -(card.number(lack.less) or 0))
        rest = deck.without([(entry, 1)])
        cards = [card for card in (*new, *own) if card.key != entry.card.key]
        yield from self._each(
            (_added(rest, card, self._section_for(card, lack, entry)) for card in cards), report
        )

    def _each(self, decks: Iterable[Decklist], report: Report) -> Iterator[Step]:
        """The first few of these decks that break nothing new; if there are none, the first few of the
        others.
        """
        good: list[Step] = []
        doubtful: list[Step] = []
        for deck in decks:
            if len(good) >= MAX_GOOD or self.over():
                break
            now = self.judge(deck)
            if self._harmless(now, report):
                good.append(Step(deck, now))
            elif len(doubtful) < MAX_DOUBTFUL:
                doubtful.append(Step(deck, now))
        for step in good or doubtful:
            yield replace(step, for_example=len(good) > 1)

    def _harmless(self, now: Report, before: Report) -> bool:
        then, since = badness(before), badness(now)
        return since[0] <= then[0] and since[2] <= then[2] and (since[0] < then[0] or since[1] < then[1])

    # -- cards ------------------------------------------------------------------

    def fitting(self, deck: Decklist, lack: Lack) -> tuple[list[Card], list[Card]]:
        """The fitting cards of the deck, those added last first; and those of the catalogue, the ones most
        like the deck first.
        """
        own = {entry.card.key: entry.card for entry in reversed(deck.entries) if lack.fits(entry.card)}
        of_types = [entry for entry in deck.entries if not lack.types or entry.card.type in lack.types]
        looked_at = of_types or deck.entries
        shared = _shared(looked_at)
        commonest = {key: values.most_common(1)[0] for key, values in shared.items() if key not in lack.facts}
        wanted = {key: value for key, (value, times) in commonest.items() if times >= len(looked_at) / 2}
        known = self.game.types_by_slug
        fitting = [
            card
            for card in self.candidates(lack, wanted)
            if card.key not in own
            and lack.fits(card)
            and card.type in known
            and known[card.type].in_decks
            and self._section_for(card, lack) in self.format.sections
        ]
        if not shared:
            return list(own.values()), _going_together(fitting)
        fitting.sort(
            key=lambda card: (
                -sum(
                    shared[key][value]
                    for key, value in card.facts.items()
                    if key in shared and isinstance(value, str | tuple)
                )
            )
        )
        return list(own.values()), fitting

    def _section_for(self, card: Card, lack: Lack, instead: Entry | None = None) -> str:
        known = self.game.sections_by_slug
        wanted: tuple[str, ...] = (instead.section, *lack.sections) if instead else lack.sections
        for section in wanted:
            if section in known and card.type in known[section].types:
                return section
        return self.game.section_for(card.type, self.format)


def may_come_out(violation: Violation) -> bool:
    """Whether what is too much may be taken out, although some of it may be marked to be kept.

    An author who marks a card wants it in the deck, but not more of it than any deck may have: where there
    are too many of one card, the surplus may come out as long as a copy of each marked line stays.
    """
    marked = [(entry, count) for entry, count in violation.excess if entry.marks.keep]
    of_one_card = len(set(violation.cards)) == 1
    return bool(violation.excess) and (
        not marked or (of_one_card and all(count < entry.count for entry, count in marked))
    )


def too_many(report: Report) -> Counter[tuple[str, str]]:
    """(Key of the card, section) -> copies that may come out because there are too many of them, marked to be
    kept or not.
    """
    surplus: Counter[tuple[str, str]] = Counter()
    for violation in filter(may_come_out, report.violations):
        surplus |= Counter({(entry.card.key, entry.section): count for entry, count in violation.excess})
    return surplus


def badness(report: Report) -> tuple[int, int, int]:
    """How far a deck is from being cured: cards that must come out, cards that are lacking, things
    unknown.
    """
    illegal = sum(_least_out(v) for v in report.violations if v.severity is Severity.ILLEGAL)
    lacking = sum(cards_lacking(v) for v in report.violations if v.severity is Severity.INCOMPLETE)
    return illegal, lacking, sum(v.severity is Severity.UNKNOWN for v in report.violations)


def _over(violation: Violation) -> int:
    """By how much a total is too high."""
    found, wanted = violation.found, violation.wanted
    return found - wanted if isinstance(found, int) and isinstance(wanted, int) else 0


def _least_out(violation: Violation) -> int:
    return sum(count for _, count in violation.excess) or 1


def cards_lacking(violation: Violation) -> int:
    """How many cards the violation calls lacking, at least one."""
    return sum(lack.count for lack in violation.lacks) or 1


def _pool(deck: Decklist, violation: Violation) -> list[Entry]:
    """Entries that may change because of a violation: what is too much, then others it names; those added
    last first.
    """
    first = {id(entry) for entry, _ in violation.excess}
    free = [entry for entry in reversed(deck.entries) if not entry.marks.keep]
    named = [entry for entry in free if id(entry) in first or entry.card.name in violation.cards]
    return sorted(named, key=lambda entry: id(entry) not in first)


def _added(deck: Decklist, card: Card, section: str) -> Decklist:
    return with_changes(deck, [CardChange(card, section, 1)])


def _moved(deck: Decklist, copies: Copies, sections: Iterable[str]) -> Decklist:
    """The deck with these copies in other sections, one for each."""
    into = [CardChange(entry.card, to, count) for (entry, count), to in zip(copies, sections, strict=True)]
    after = with_changes(deck.without(copies), into)
    # The author's notes go with a card that is moved.
    marks = {
        (entry.card.key, change.section): entry.marks for (entry, _), change in zip(copies, into, strict=True)
    }
    marked = (
        replace(e, marks=marks.get((e.card.key, e.section), e.marks)) if e.marks == NO_MARKS else e
        for e in after.entries
    )
    return replace(after, entries=tuple(marked))


def _shared(entries: Iterable[Entry]) -> dict[str, Counter[FactValue]]:
    """Fact -> how many of these entries have each of its values."""
    shared: dict[str, Counter[FactValue]] = {}
    for entry in entries:
        for key, value in entry.card.facts.items():
            # Numbers do not show what a card is for: two cards that cost the same need not be alike.
            if isinstance(value, str | tuple):
                shared.setdefault(key, Counter())[value] += 1
    return shared


def _going_together(cards: list[Card]) -> list[Card]:
    """Cards for an empty deck: first those that have the commonest word of all, last those that have another
    in its place.
    """
    counts = Counter(
        (key, value) for card in cards for key, value in card.facts.items() if isinstance(value, str)
    )
    if not counts:
        return cards
    key, value = counts.most_common(1)[0][0]
    return sorted(
        cards, key=lambda card: 0 if card.facts.get(key) == value else 1 if card.facts.get(key) is None else 2
    )


def _alike(card: Card, other: Card) -> int:
    """The number of facts in which two cards are the same."""
    return sum(other.facts.get(key) == value for key, value in card.facts.items())
