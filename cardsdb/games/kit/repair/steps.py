"""The single steps of a repair: from a violation to the cards that may come out, go elsewhere or be put
in.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from math import inf
from time import thread_time
from typing import NamedTuple, TypeAlias

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import CardChange, Decklist, Entry, out_and_in, with_changes
from cardsdb.games.kit.model.format import Format, Lack, Report, Severity, Violation, whole

Copies: TypeAlias = tuple[tuple[Entry, int], ...]

# A deck that lacks no more cards than these is nearly whole.
FEW = 8
# How many cards are tried of those that would do equally well, and how many of those that break something
# else.
MAX_GOOD, MAX_DOUBTFUL = 6, 4
# How many cards that might come out are tried: those added last. Of those that come to too much together, how
# many sets are tried.
MAX_TAKEN, MAX_SETS = 8, 3


@dataclass(frozen=True)
class Limits:
    """The bounds of a search. The judgements bound it alike on every machine; the seconds of processor time
    spare a slow one.

    What lacks more cards than ``lacking`` is left to the author; without a number nothing is.
    """

    judgements: int = 800
    seconds: float = 0.5
    repairs: int = 5
    lacking: float = inf


class Step(NamedTuple):
    """The deck after one step, and its report if it was judged already."""

    deck: Decklist
    report: Report | None = None


@dataclass
class StepFinder:
    """Finds the steps that may cure a violation, and judges decks until the limits are reached. Violations
    that are hopeless, or lack more cards than the limits say, are not to be cured.
    """

    game: Game
    format: Format
    limits: Limits
    hopeless: set[tuple[object, ...]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        """Begin the time and the judgements anew."""
        self.until, self.left = thread_time() + self.limits.seconds, self.limits.judgements

    def judge(self, deck: Decklist) -> Report:
        self.left -= 1
        return self.game.judge(deck, self.format)

    def over(self) -> bool:
        """True once a limit is reached."""
        return self.left <= 0 or thread_time() > self.until

    @staticmethod
    def key(violation: Violation) -> tuple[object, ...]:
        return violation.code, violation.problem, violation.what

    def grave(self, report: Report) -> list[Violation]:
        """The violations that are to be cured, in the rulebook's order."""
        return [
            v
            for v in report.violations
            if v.severity > Severity.UNKNOWN
            and self.key(v) not in self.hopeless
            and (v.severity is Severity.ILLEGAL or cards_at_fault(v) <= self.limits.lacking)
        ]

    def estimate(self, changes: Iterable[CardChange], report: Report) -> int:
        """The least size that a repair which begins with these changes can have."""
        wrong = self.grave(report)
        made = zip(out_and_in(changes), (Severity.ILLEGAL, Severity.INCOMPLETE), strict=True)
        return max(
            number + max((cards_at_fault(v) for v in wrong if v.severity is severity), default=0)
            for number, severity in made
        )

    def is_hopeless(self, deck: Decklist, violation: Violation) -> bool:
        """True where no change of cards touches this violation: the list lacks a number, say, or the game
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
            # Copies go to other sections of the format that take their types.
            for sections in zip(*(self._other_sections(entry) for entry, _ in chosen), strict=False):
                yield Step(_moved(deck, chosen, sections))
            if len(chosen) == 1:
                for lack in violation.lacks:
                    yield from self._swapped(deck, report, chosen[0][0], lack, _over(violation))
            if violation.excess or violation.lacks:
                yield Step(deck.without(chosen))

    def _chosen(self, deck: Decklist, violation: Violation) -> Iterator[Copies]:
        """The copies that come out or go elsewhere together: what is too much, else all that the violation
        names; then of each card alone. Of those whose total is too high the fewest that lower it enough, of
        these sets first those that lose least.
        """
        pool, less = _pool(deck, violation), "".join(lack.less for lack in violation.lacks)
        if not less:
            if may_come_out(violation) or not violation.excess:
                yield violation.excess or whole(pool)
            need = cards_at_fault(violation) if violation.excess else deck.size
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

    def _other_sections(self, entry: Entry) -> list[str]:
        return [s for s in self.format.sections if s != entry.section and self._takes(s, entry.card)]

    def _takes(self, section: str, card: Card) -> bool:
        known = self.game.sections_by_slug.get(section)
        return known is not None and card.type in known.types

    def _moved_in(self, deck: Decklist, lack: Lack) -> Iterator[Step]:
        """Move cards from another section to the one that lacks them."""
        for entry in reversed(deck.entries):
            is_elsewhere = lack.sections and entry.section not in lack.sections
            if is_elsewhere and not entry.marks.keep and lack.fits(entry.card):
                section = self._section_for(entry.card, lack)
                yield Step(_moved(deck, ((entry, min(entry.count, lack.count)),), (section,)))

    def _filled(self, deck: Decklist, report: Report, lack: Lack) -> Iterator[Step]:
        """The cards that are lacking, with one step for each that may be the last: more copies first, or,
        where more than one is lacking, only new cards.
        """
        own, new = self.fitting(deck, lack)
        for cards in ((*own, *new), new)[: lack.count]:
            filled, after, left = deck, report, lack.count
            for card in cards:
                while left > 1 and not self.over():
                    more = self._added(filled, card, lack)
                    now = self.judge(more)
                    if not self._harmless(now, after):
                        break
                    filled, after, left = more, now, left - 1
            if left in (1, lack.count):
                yield from self._each((self._added(filled, card, lack) for card in cards), after)
            else:
                yield Step(filled, after)

    def _swapped(self, deck: Decklist, report: Report, entry: Entry, lack: Lack, over: int) -> Iterator[Step]:
        """Another card in the place of one copy, of so much less where a total is too high. The cards most
        like it come first; of those that are cheap enough the dearest, so that as little as possible is lost.
        """
        own, new = self.fitting(deck, lack, like=(entry.card,))
        if lack.less:
            most = (entry.card.number(lack.less) or 0) - over
            own, new = ([c for c in cards if (c.number(lack.less) or 0) <= most] for cards in (own, new))
            new.sort(key=lambda card: -(card.number(lack.less) or 0))
        rest = deck.without([(entry, 1)])
        cards = [card for card in (*new, *own) if card.key != entry.card.key]
        yield from self._each((self._added(rest, card, lack, entry.section) for card in cards), report)

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
        yield from good or doubtful

    def _harmless(self, now: Report, before: Report) -> bool:
        then, since = badness(before), badness(now)
        return since[0] <= then[0] and since[2] <= then[2] and (since[0] < then[0] or since[1] < then[1])

    # -- cards ------------------------------------------------------------------

    def fitting(
        self, deck: Decklist, lack: Lack, like: tuple[Card, ...] = ()
    ) -> tuple[list[Card], list[Card]]:
        """The fitting cards of the deck, those added last first; and those of the game that are not in it,
        first the ones most ``like`` these cards: by default the deck's of the types that are lacking.
        """
        own = {entry.card.key: entry.card for entry in reversed(deck.entries) if lack.fits(entry.card)}
        new = [
            card
            for card in self.game.cards
            if lack.fits(card)
            and card.key not in own
            and self.game.types_by_slug[card.type].in_decks
            and self._section_for(card, lack) in self.format.sections
        ]
        cards = [entry.card for entry in deck]
        like = like or tuple(card for card in cards if card.type in lack.types) or tuple(cards or new)
        # Numbers do not show what a card is for: two cards that cost the same need not be alike.
        shared = Counter(
            fact for card in like for fact in card.facts.items() if isinstance(fact[1], str | tuple)
        )
        new.sort(key=lambda card: -sum(shared[fact] for fact in card.facts.items()))
        return list(own.values()), new

    def _section_for(self, card: Card, lack: Lack, first: str = "") -> str:
        for section in (first, *lack.sections):
            if self._takes(section, card):
                return section
        return self.game.section_for(card.type, self.format)

    def _added(self, deck: Decklist, card: Card, lack: Lack, section: str = "") -> Decklist:
        return with_changes(deck, [CardChange(card, self._section_for(card, lack, section), 1)])


def may_come_out(violation: Violation) -> bool:
    """True where what is too much may be taken out, although some of it may be marked to be kept.

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


def kept_that_come_out(deck: Decklist, report: Report, changes: Iterable[CardChange]) -> tuple[Card, ...]:
    """The cards that are marked to be kept and of which the changes take out more copies than the rules, by
    this report of the deck, have too many.
    """
    surplus = too_many(report)
    marked = {(entry.card.key, entry.section): entry.card for entry in deck if entry.marks.keep}
    out: Counter[tuple[str, str]] = Counter()
    for change in changes:
        out[change.card.key, change.section] -= change.by
    return tuple(dict.fromkeys(card for place, card in marked.items() if out[place] > surplus[place]))


def badness(report: Report) -> tuple[int, int, int]:
    """The distance of a deck from being cured: cards that must come out, cards that are lacking, things
    unknown.
    """
    illegal, lacking, unknown = (
        [cards_at_fault(v) for v in report.violations if v.severity is severity]
        for severity in (Severity.ILLEGAL, Severity.INCOMPLETE, Severity.UNKNOWN)
    )
    return sum(illegal), sum(lacking), len(unknown)


def _over(violation: Violation) -> int:
    """By how much a total is too high."""
    found, wanted = violation.found, violation.wanted
    return found - wanted if isinstance(found, int) and isinstance(wanted, int) else 0


def cards_at_fault(violation: Violation) -> int:
    """The number of cards, at least 1, that must come in where the violation says the deck is incomplete,
    else out.
    """
    lacks = [lack.count for lack in violation.lacks]
    excess = [count for _, count in violation.excess]
    return sum(lacks if violation.severity is Severity.INCOMPLETE else excess) or 1


def _pool(deck: Decklist, violation: Violation) -> list[Entry]:
    """Entries that may change because of a violation: what is too much, then others it names; those added
    last first.
    """
    first = {id(entry) for entry, _ in violation.excess}
    free = [entry for entry in reversed(deck.entries) if not entry.marks.keep]
    named = [entry for entry in free if id(entry) in first or entry.card.name in violation.cards]
    return sorted(named, key=lambda entry: id(entry) not in first)


def _moved(deck: Decklist, copies: Copies, sections: Iterable[str]) -> Decklist:
    """The deck with these copies in other sections, one for each."""
    into = [CardChange(entry.card, to, count) for (entry, count), to in zip(copies, sections, strict=True)]
    return with_changes(deck.without(copies), into)
