"""The single steps of a repair: for one violation of a deck, the cards to take out, move, replace or add.

``StepFinder`` serves the search in ``search.py``: it yields steps, judges decks within the limits, and
estimates how many changes a deck still needs. The estimate must never be too high, or the search would miss
the smallest repair. Cards marked to be kept are never chosen, except surplus copies (``may_come_out``).

The functions below the class are used elsewhere too: ``decks/check/pasted.py`` and
``decks/formats/open_copies.py`` compare decks by ``badness``, ``complete/`` takes out what is ``too_many``.
``Violation``, ``Lack`` (cards that a deck has too few of) and ``Report`` are defined in ``model/format.py``.
Tests: ``tests/cardsdb/games/kit/repair/test_steps.py`` compares repairs of random decks with an independent
count, and would find an estimate that is too high.
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

# (entry of a deck, number of its copies).
Copies: TypeAlias = tuple[tuple[Entry, int], ...]

# A deck that lacks at most this number of cards is nearly complete.
FEW = 8
# Most cards tried for one gap that break nothing else.
MAX_GOOD = 6
# Most cards tried for one gap that do break something, if there are no others.
MAX_DOUBTFUL = 4
# Most entries tried for removal because of one violation, those added last first.
MAX_TAKEN = 8
# Most sets of copies tried where a total is too high.
MAX_SETS = 3


@dataclass(frozen=True)
class Limits:
    """The bounds of a search. ``judgements``: most decks judged, the same on every machine. ``seconds``: most
    processor time. ``repairs``: most repairs offered. ``lacking``: a gap of more cards than this is left to
    the author.
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
    """Finds the steps that may cure a violation, and judges decks until a limit is reached. ``hopeless``:
    keys of the violations that the search leaves as they are; the search fills it before its first step.
    """

    game: Game
    format: Format
    limits: Limits
    hopeless: set[tuple[object, ...]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        """Start counting time and judgements anew."""
        self.until = thread_time() + self.limits.seconds
        self.judgements_left = self.limits.judgements

    def judge(self, deck: Decklist) -> Report:
        self.judgements_left -= 1
        return self.game.judge(deck, self.format)

    def over(self) -> bool:
        """True once a limit is reached."""
        return self.judgements_left <= 0 or thread_time() > self.until

    @staticmethod
    def key(violation: Violation) -> tuple[object, ...]:
        """Return a key by which the same violation is known in different reports."""
        return violation.code, violation.problem, violation.what

    def grave(self, report: Report) -> list[Violation]:
        """Return the violations that the search should cure: illegal ones, and incomplete ones within
        ``limits.lacking``, unless they are hopeless.
        """
        curable = [v for v in report.violations if self.key(v) not in self.hopeless]
        return [
            v
            for v in curable
            if v.severity is Severity.ILLEGAL
            or (v.severity is Severity.INCOMPLETE and cards_at_fault(v) <= self.limits.lacking)
        ]

    def estimate(self, changes: Iterable[CardChange], report: Report) -> int:
        """Return a lower bound for the size of a repair that begins with these changes and led to this
        report.

        Besides the cards that came out, those of the largest illegal violation must; besides the cards that
        came in, those of the largest gap must. Swaps count once, so the larger of both numbers is the bound:
        1 card came out, 2 more must, and 4 are lacking -> max(1 + 2, 0 + 4) = 4.
        """
        wrong = self.grave(report)

        def largest(severity: Severity) -> int:
            return max((cards_at_fault(v) for v in wrong if v.severity is severity), default=0)

        out, into = out_and_in(changes)
        return max(out + largest(Severity.ILLEGAL), into + largest(Severity.INCOMPLETE))

    def is_hopeless(self, deck: Decklist, violation: Violation) -> bool:
        """True if no change of cards can cure this violation, because for example the list lacks a number or
        the game has no such cards.
        """
        if not violation.excess and not violation.lacks:
            # The rule names nothing to take out or add; its cards may still be in the wrong section.
            return not any(self._other_sections(entry) for entry in _pool(deck, violation))
        if violation.severity is not Severity.INCOMPLETE:
            return not _pool(deck, violation) and not may_come_out(violation)
        return not any(
            any(self.fitting(deck, lack)) or any(self._moved_in(deck, lack)) for lack in violation.lacks
        )

    # -- steps ------------------------------------------------------------------

    def steps(self, deck: Decklist, report: Report, violation: Violation) -> Iterator[Step]:
        """Yield every step that may help against a violation, the most promising first: against a gap cards
        put in, or moved in from another section; else, for each choice of copies (``_chosen``), these copies
        moved, swapped and taken out, as far as the violation says what would help::

            the violation has        such as                     moved   swapped          taken out
            an excess alone          AG-4, too many copies       yes     no               yes
            an excess and lacks      AG-8, mixed factions        yes     a single entry   yes
            a lack with ``less``     S4, too high a total        yes     a single entry   yes
            neither excess nor lack  AD-20, cards out of order   yes     no               no
        """
        if violation.severity is Severity.INCOMPLETE and violation.lacks:
            filled = list(self._filled(deck, report, violation.lacks[0]))
            yield from filled
            # Cards of the deck are moved in only if no new card fits well.
            if not any(step.report and self._harmless(step.report, report) for step in filled):
                yield from self._moved_in(deck, violation.lacks[0])
            return
        for chosen in self._chosen(deck, violation):
            # Each of the copies moves to its first other section, then each to its second, as long as all
            # have one: of [x, y] and [z] only (x, z). Other combinations are not tried.
            for sections in zip(*(self._other_sections(entry) for entry, _ in chosen), strict=False):
                yield Step(_moved(deck, chosen, sections))
            if len(chosen) == 1:
                # Without lacks nothing is known that could take the entry's place.
                ((entry, _),) = chosen
                for lack in violation.lacks:
                    yield from self._swapped(deck, report, entry, lack, _over(violation))
            if violation.excess or violation.lacks:
                yield Step(deck.without(chosen))

    def _chosen(self, deck: Decklist, violation: Violation) -> Iterator[Copies]:
        """Yield the choices of copies that may come out or move together:

        - if a total is too high, the smallest sets of copies that lower it enough, those that lower it least
          first (``_lowering``);
        - else the excess, or all named cards if there is none; then each named entry alone. Of 5 Spoilsport,
          of which 3 are allowed: 2 copies (the excess), then the entry alone, again with 2 copies.

        An excess with kept cards that must stay is left out (``may_come_out``).
        """
        pool = _pool(deck, violation)
        # Of the lacks of a violation at most one asks for a lower total (``rules.construction.TotalAtMost``).
        totals = [lack.less for lack in violation.lacks if lack.less]
        if totals:
            yield from _lowering(pool, totals[0], _over(violation))
            return
        if may_come_out(violation) or not violation.excess:
            yield violation.excess or whole(pool)
        # Without an excess any number of copies may be too many.
        need = cards_at_fault(violation) if violation.excess else deck.size
        yield from (((entry, min(entry.count, need)),) for entry in pool[:MAX_TAKEN])

    def _other_sections(self, entry: Entry) -> list[str]:
        """Return the sections of the format that the entry could move to."""
        return [
            section
            for section in self.format.sections
            if section != entry.section and self._takes(section, entry.card)
        ]

    def _takes(self, section: str, card: Card) -> bool:
        known = self.game.sections_by_slug.get(section)
        return known is not None and card.type in known.types

    def _moved_in(self, deck: Decklist, lack: Lack) -> Iterator[Step]:
        """Yield the deck with an entry moved from another section to the one that lacks it, one step each."""
        for entry in reversed(deck.entries):
            is_elsewhere = lack.sections and entry.section not in lack.sections
            if is_elsewhere and not entry.marks.keep and lack.fits(entry.card):
                section = self._section_for(entry.card, lack)
                yield Step(_moved(deck, ((entry, min(entry.count, lack.count)),), (section,)))

    def _filled(self, deck: Decklist, report: Report, lack: Lack) -> Iterator[Step]:
        """Yield the deck with the lacking cards added: once with more copies of its own cards first, and, if
        more than one card is lacking, once with new cards only.

        The last card is the author's choice, so there is a step for each card that would do: if 4 agents are
        lacking, 3 are put in, and the steps differ in the fourth.
        """
        own, new = self.fitting(deck, lack)
        orders = [[*own, *new]]
        # For a single card, the second order would give steps of the first again.
        if lack.count > 1:
            orders.append(new)
        for cards in orders:
            filled, after, lacking = self._filled_but_one(deck, report, lack, cards)
            # If no card could be added, each is tried as the first one.
            if lacking in (1, lack.count):
                yield from self._each((self._added(filled, card, lack) for card in cards), after)
            else:
                yield Step(filled, after)

    def _filled_but_one(
        self, deck: Decklist, report: Report, lack: Lack, cards: list[Card]
    ) -> tuple[Decklist, Report, int]:
        """Add these cards one after the other until one is lacking, or each that is left would break
        something. Return (the deck, its report, the number of cards that it still lacks).
        """
        lacking = lack.count
        for card in cards:
            while lacking > 1 and not self.over():
                larger = self._added(deck, card, lack)
                after = self.judge(larger)
                if not self._harmless(after, report):
                    break
                deck, report, lacking = larger, after, lacking - 1
        return deck, report, lacking

    def _swapped(self, deck: Decklist, report: Report, entry: Entry, lack: Lack, over: int) -> Iterator[Step]:
        """Yield the deck with another card in place of one copy of the entry, the most similar cards first.

        If a total is too high by ``over``, only cards that lower it enough are tried, the dearest first, so
        that the deck loses as little as possible.
        """
        own, new = self.fitting(deck, lack, like=(entry.card,))
        if lack.less:

            def number(card: Card) -> int:
                return card.number(lack.less) or 0

            bound = number(entry.card) - over
            own = [card for card in own if number(card) <= bound]
            new = [card for card in new if number(card) <= bound]
            new.sort(key=number, reverse=True)
        rest = deck.without([(entry, 1)])
        cards = [card for card in (*new, *own) if card.key != entry.card.key]
        yield from self._each((self._added(rest, card, lack, entry.section) for card in cards), report)

    def _each(self, decks: Iterable[Decklist], report: Report) -> Iterator[Step]:
        """Yield the first few of these decks that break nothing new; if there are none, the
        first few others.
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

    def _harmless(self, after: Report, before: Report) -> bool:
        """True if a deck got better and nothing else got worse: not more is illegal or unknown, and less is
        illegal or lacking.
        """
        now, then = badness(after), badness(before)
        is_better = now.illegal < then.illegal or now.lacking < then.lacking
        return is_better and now.illegal <= then.illegal and now.unknown <= then.unknown

    # -- cards ------------------------------------------------------------------

    def fitting(
        self, deck: Decklist, lack: Lack, like: tuple[Card, ...] = ()
    ) -> tuple[list[Card], list[Card]]:
        """Return (cards of the deck that fit, those added last first; other cards of the game that fit, the
        most similar to ``like`` first). By default ``like`` are the deck's cards of the lacking types; if it
        has none, all its cards; in an empty deck, all cards that fit.
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
        # Similar cards share words. Numbers do not count: two cards that cost the same need not be similar.
        # (key, value) of a fact -> the cards of ``like`` that have it.
        shared: Counter[object] = Counter(
            (key, value)
            for card in like
            for key, value in card.facts.items()
            if isinstance(value, str | tuple)
        )
        new.sort(key=lambda card: -sum(shared[fact] for fact in card.facts.items()))
        return list(own.values()), new

    def _section_for(self, card: Card, lack: Lack, first: str = "") -> str:
        """Return the section to put a card in: ``first`` or one of the lack's if it takes the type."""
        for section in (first, *lack.sections):
            if self._takes(section, card):
                return section
        return self.game.section_for(card.type, self.format)

    def _added(self, deck: Decklist, card: Card, lack: Lack, section: str = "") -> Decklist:
        return with_changes(deck, [CardChange(card, self._section_for(card, lack, section), 1)])


def may_come_out(violation: Violation) -> bool:
    """True if the excess of a violation may be taken out although some of it is marked to be kept.

    An author who marks a card wants to keep it, but not more copies than a deck may have. So if there are too
    many copies of one card, the surplus may come out as long as one copy of each marked line stays.
    """
    if not violation.excess:
        return False
    marked = [(entry, count) for entry, count in violation.excess if entry.marks.keep]
    if not marked:
        return True
    is_of_one_card = len(set(violation.cards)) == 1
    return is_of_one_card and all(count < entry.count for entry, count in marked)


def too_many(report: Report) -> Counter[tuple[str, str]]:
    """Return (key of a card, section) -> surplus copies that may come out, marked to be kept or not."""
    surplus: Counter[tuple[str, str]] = Counter()
    for violation in filter(may_come_out, report.violations):
        surplus |= Counter({(entry.card.key, entry.section): count for entry, count in violation.excess})
    return surplus


def kept_that_come_out(deck: Decklist, report: Report, changes: Iterable[CardChange]) -> tuple[Card, ...]:
    """Return the cards marked to be kept that lose more copies by these changes than their surplus in the
    report of the deck.
    """
    surplus = too_many(report)
    marked = {(entry.card.key, entry.section): entry.card for entry in deck if entry.marks.keep}
    out: Counter[tuple[str, str]] = Counter()
    for change in changes:
        out[change.card.key, change.section] -= change.by
    return tuple(dict.fromkeys(card for place, card in marked.items() if out[place] > surplus[place]))


class Badness(NamedTuple):
    """The faults of a deck, the gravest first; a lower one is better."""

    illegal: int  # cards that must come out
    lacking: int  # cards
    unknown: int  # things that no source states


def badness(report: Report) -> Badness:
    """Return the faults of the deck of this report, counted."""
    counts: Counter[Severity] = Counter()
    for violation in report.violations:
        is_unknown = violation.severity is Severity.UNKNOWN
        counts[violation.severity] += 1 if is_unknown else cards_at_fault(violation)
    return Badness(counts[Severity.ILLEGAL], counts[Severity.INCOMPLETE], counts[Severity.UNKNOWN])


def _over(violation: Violation) -> int:
    """Return by how much a total is too high; 0 if the violation is not about numbers."""
    found, wanted = violation.found, violation.wanted
    return found - wanted if isinstance(found, int) and isinstance(wanted, int) else 0


def cards_at_fault(violation: Violation) -> int:
    """Return the number of cards, at least 1, that must come in (incomplete) or out (otherwise)."""
    lacks = [lack.count for lack in violation.lacks]
    excess = [count for _, count in violation.excess]
    return sum(lacks if violation.severity is Severity.INCOMPLETE else excess) or 1


def _pool(deck: Decklist, violation: Violation) -> list[Entry]:
    """Return the entries that may change because of a violation and are not marked to be kept: its excess,
    then other cards it names, each with those added last first.
    """
    first = {id(entry) for entry, _ in violation.excess}
    free = [entry for entry in reversed(deck.entries) if not entry.marks.keep]
    named = [entry for entry in free if id(entry) in first or entry.card.name in violation.cards]
    return sorted(named, key=lambda entry: id(entry) not in first)


def _lowering(pool: list[Entry], total_of: str, over: int) -> Iterator[Copies]:
    """Yield the smallest sets of copies that make up at least ``over`` of the total of a number fact, those
    that lower it least first; all dearest copies together if they do not make up so much. Of Agents that cost
    7, 5, 4 and 3 the sets for 8 over are 5 and 3; 5 and 4; 7 and 3.
    """

    def made_up(copies: Copies) -> int:
        return sum(entry.card.number(total_of) or 0 for entry, _ in copies)

    singles = [(entry, 1) for entry in pool for _ in range(entry.count)]
    dearest = sorted(singles, key=lambda copy: -made_up((copy,)))[:MAX_TAKEN]
    for size in range(1, len(dearest) + 1):
        if enough := [some for some in combinations(dearest, size) if made_up(some) >= over]:
            yield from sorted(enough, key=made_up)[:MAX_SETS]
            return
    yield tuple(dearest)


def _moved(deck: Decklist, copies: Copies, sections: Iterable[str]) -> Decklist:
    """Return the deck with these copies moved, each to the section at the same place in ``sections``."""
    into = [CardChange(entry.card, to, count) for (entry, count), to in zip(copies, sections, strict=True)]
    return with_changes(deck.without(copies), into)
