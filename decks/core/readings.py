"""Lines that could not be settled: names that a misspelt one may mean, and lines that name one of several
cards, by every reading of which a deck is judged as long as these are few.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import product

from cardsdb.games.kit import Decklist, Entry, Format, Game, Report
from cardsdb.games.kit.listtext.line import name_in
from cardsdb.games.kit.listtext.reading import Unread, split_heading
from cardsdb.games.kit.model.format import VERDICTS
from cardsdb.games.kit.model.names import NameIndex, surely_meant
from cardsdb.games.kit.model.text import fold, listed

# Names of the game, and of one's own cards, that are offered in place of a misspelt one.
MAX_NAMES = 3
# Where a set, a number or a mark may begin behind a name.
_BEHIND = re.compile(r"\s[(\[#^]")


def suggesting(game: Game, own: NameIndex) -> Callable[[Unread], Unread]:
    """Gives a line of no card the names that it may mean, those of ``own`` cards of its writer first, and the
    one that it surely means.
    """

    def with_suggestions(unread: Unread) -> Unread:
        if unread.code != "unknown_card":
            return unread
        words = fold(unread.text).strip(" 0123456789x*-[]()").split("|")[0].strip()
        # With what stands behind the name, and without it.
        texts = tuple(dict.fromkeys(filter(None, (_BEHIND.split(words, maxsplit=1)[0], words))))
        mine, others = (_labels_like(texts, index) for index in (own, game.name_index))
        suggestions = (*mine, *others)
        return replace(
            unread,
            suggestions=suggestions,
            likely=surely_meant(name_in(split_heading(game, unread.text)[1]), suggestions),
        )

    return with_suggestions


def _labels_like(texts: Iterable[str], index: NameIndex) -> tuple[str, ...]:
    """Return how lists call the few cards of names like these texts, best first."""
    names = dict.fromkeys(name for text in texts for name in index.like(text, MAX_NAMES))
    return tuple(dict.fromkeys(index.label(index.called(name)[0]) for name in names))[:MAX_NAMES]


# Readings multiply: three lines of five cards each are a hundred and twenty-five decks to judge.
MAX_READINGS = 64
# Cards that the sentence names; more are counted, since each stands beside its line with its verdict.
MAX_NAMED = 2


@dataclass(frozen=True, slots=True)
class Readings:
    """What a deck is by each reading of its ambiguous lines.

    ``total``: how many readings there are, as far as they were counted. ``cases``: the cards chosen, line by
    line, and the verdict; none if they are too many. ``deck``: the deck by the first of them.
    """

    lines: tuple[Unread, ...]
    total: int
    cases: tuple[tuple[tuple[Entry, ...], Report], ...] = ()
    deck: Decklist = field(default_factory=Decklist)

    @property
    def is_settled(self) -> bool:
        """Whether the verdict is the same by every reading."""
        return len({report.verdict for _, report in self.cases}) == 1

    @property
    def are_all(self) -> bool:
        """Whether no other line of the list is unread."""
        return not any(report.unread for _, report in self.cases)

    @property
    def report(self) -> Report:
        """The verdict that every reading comes to, with what is wrong by all of them; by the first where each
        has its own fault.
        """
        first = self.cases[0][1]
        shared = set.intersection(
            *({(v.code, v.problem) for v in report.violations} for _, report in self.cases)
        )
        common = replace(
            first, violations=tuple(v for v in first.violations if (v.code, v.problem) in shared)
        )
        return common if common.verdict == first.verdict else first

    @property
    def words(self) -> str:
        """``Legal whichever card line 7 means.``, ``Legal if line 7 is Tracer (ON).``"""
        numbers = listed(tuple(str(line.line) for line in self.lines))
        which = f"card line {numbers} means" if len(self.lines) == 1 else f"cards lines {numbers} mean"
        if not self.cases:
            return (
                f"The {which} can be read in more than {MAX_READINGS} ways, which are not judged: settle some"
                " of these lines."
            )
        if self.is_settled:
            return f"{VERDICTS[self.cases[0][1].verdict]} whichever {which}."
        legal = [chosen for chosen, report in self.cases if report.verdict == "legal"]
        if not legal:
            return f"Not legal whichever {which}, for one reason or another."
        if len(self.lines) == 1 and len(legal) > MAX_NAMED:
            return (
                f"Legal by {len(legal)} of the {self.total} cards that line {numbers} may mean, not by the"
                " others."
            )
        if len(self.lines) == 1:
            return (
                f"Legal if line {numbers} is {' or '.join(self._label(0, chosen[0]) for chosen in legal)},"
                " not otherwise."
            )
        example = listed(
            tuple(
                f"line {line.line} is {self._label(place, legal[0][place])}"
                for place, line in enumerate(self.lines)
            )
        )
        return f"Legal by {len(legal)} of {self.total} readings: for example if {example}."

    def _label(self, place: int, entry: Entry) -> str:
        line = self.lines[place]
        return next(label for label, one in zip(line.suggestions, line.readings, strict=True) if one is entry)

    def outcomes(self, line: Unread) -> tuple[str, ...]:
        """For each card that the line may mean the verdict by it, in words; empty where other lines
        decide. None where the readings are too many to be judged.
        """
        if not self.cases:
            return ()
        place, found = self.lines.index(line), []
        for entry in line.readings:
            verdicts = {report.verdict for chosen, report in self.cases if chosen[place] is entry}
            found.append(VERDICTS[verdicts.pop()].lower() if len(verdicts) == 1 else "")
        return tuple(found)


def readings_of(game: Game, deck: Decklist, format: Format, unread: Iterable[Unread]) -> Readings | None:
    """The readings of a list's ambiguous lines, judged; None if it has no such line. Other unread lines stay
    unread by each.
    """
    unread = tuple(unread)
    lines = tuple(line for line in unread if line.readings)
    if not lines:
        return None
    total = 1
    for line in lines:
        total *= len(line.readings)
        if total > MAX_READINGS:
            return Readings(lines, total)
    rest = len(unread) - len(lines)
    read = [(chosen, _with(deck, chosen)) for chosen in product(*(line.readings for line in lines))]
    return Readings(
        lines, total, tuple((chosen, game.judge(whole, format, rest)) for chosen, whole in read), read[0][1]
    )


def _with(deck: Decklist, chosen: Iterable[Entry]) -> Decklist:
    """The deck with these entries, copies added to a line that it has."""
    entries = {(entry.section, entry.card.code): entry for entry in deck}
    for entry in chosen:
        before = entries.get((entry.section, entry.card.code))
        entries[entry.section, entry.card.code] = (
            replace(before, count=before.count + entry.count) if before else entry
        )
    return replace(deck, entries=tuple(entries.values()))
