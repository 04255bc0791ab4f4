"""Ambiguous lines: lines of a list that several cards fit, such as a name without its set.

``judging.judge_reading`` calls ``readings_of``, which judges the list once for each reading: a choice of one
card for each such line. The page of a verdict and the command ``check_deck`` show ``Readings.words``. The
lines are ``Unread`` lines (``cardsdb/games/kit/listtext/reading.py``) with the possible entries in
``readings`` and their names in ``suggestions``.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import NamedTuple

from cardsdb.games.kit import VERDICTS, Decklist, Entry, Format, Game, Report, listed
from cardsdb.games.kit.listtext.reading import Unread

# Readings that are judged. They multiply: three lines of five cards each would be 125 decks to judge.
MAX_READINGS = 64
# Cards that the sentence names before it only counts them; the page shows each of them beside the line.
MAX_NAMED = 2


class Case(NamedTuple):
    """One reading: the entry chosen for each ambiguous line, in order, the deck with them, and its report."""

    chosen: tuple[Entry, ...]
    deck: Decklist
    report: Report


@dataclass(frozen=True)
class Readings:
    """The verdicts of a list by every reading of its ambiguous ``lines``.

    ``total``: the number of readings. ``cases``: all of them, empty if there are more than ``MAX_READINGS``.
    """

    lines: tuple[Unread, ...]
    total: int
    cases: tuple[Case, ...] = ()

    @property
    def is_settled(self) -> bool:
        """True if every reading has the same verdict. Never if they were too many to be judged."""
        return len({case.report.verdict for case in self.cases}) == 1

    @property
    def are_all(self) -> bool:
        """True if the list has no other unread lines."""
        return not any(case.report.unread for case in self.cases)

    @property
    def settled(self) -> tuple[Report, Decklist] | None:
        """The report and the deck that stand for all readings, None unless ``is_settled``.

        The deck is that of the first reading. The report has the violations that all readings share. If these
        alone do not give the verdict, because every reading has a violation of its own, it is the report of
        the first reading.
        """
        if not self.is_settled:
            return None
        first = self.cases[0]
        found = [{(v.code, v.problem) for v in case.report.violations} for case in self.cases]
        shared = set.intersection(*found)
        kept = tuple(v for v in first.report.violations if (v.code, v.problem) in shared)
        report = replace(first.report, violations=kept)
        return report if report.verdict == first.report.verdict else first.report, first.deck

    @property
    def words(self) -> str:
        """The sentence for the page: ``Legal whichever card line 7 means.``, ``Legal if line 7 is Tracer
        (ON), not otherwise.``
        """
        numbers = listed(tuple(str(line.line) for line in self.lines))
        is_one = len(self.lines) == 1
        which = f"card line {numbers} means" if is_one else f"cards lines {numbers} mean"
        if not self.cases:
            return (
                f"The {which} can be read in more than {MAX_READINGS} ways and is not judged. Correct some"
                " lines."
            )
        if self.is_settled:
            return f"{VERDICTS[self.cases[0].report.verdict]} whichever {which}."
        legal = [case.chosen for case in self.cases if case.report.verdict == "legal"]
        if not legal:
            return f"Not legal whichever {which}, for one reason or another."
        if not is_one:
            pairs = zip(self.lines, legal[0], strict=True)
            example = [f"line {line.line} is {_label(line, entry)}" for line, entry in pairs]
            return f"Legal by {len(legal)} of {self.total} readings: for example if {listed(tuple(example))}."
        if len(legal) > MAX_NAMED:
            return (
                f"Legal by {len(legal)} of the {self.total} cards that line {numbers} may mean, not by the"
                " others."
            )
        labels = " or ".join(_label(self.lines[0], entry) for (entry,) in legal)
        return f"Legal if line {numbers} is {labels}, not otherwise."

    def outcomes(self, line: Unread) -> tuple[str, ...]:
        """Return the verdict in words for each card that the line may mean, "" if it depends on other lines.
        Empty if there are too many readings to judge.
        """
        if not self.cases:
            return ()
        place, found = self.lines.index(line), []
        for entry in line.readings:
            verdicts = {case.report.verdict for case in self.cases if case.chosen[place] is entry}
            found.append(VERDICTS[verdicts.pop()].lower() if len(verdicts) == 1 else "")
        return tuple(found)


def _label(line: Unread, entry: Entry) -> str:
    """Return the name under which the line offers this entry."""
    offered = zip(line.suggestions, line.readings, strict=True)
    return next(label for label, reading in offered if reading is entry)


def readings_of(game: Game, deck: Decklist, format: Format, unread: Iterable[Unread]) -> Readings | None:
    """Judge the list by every reading of its ambiguous lines. None if it has no such line. Other unread lines
    stay unread in every reading.
    """
    unread = tuple(unread)
    lines = tuple(line for line in unread if line.readings)
    if not lines:
        return None
    total = prod(len(line.readings) for line in lines)
    if total > MAX_READINGS:
        return Readings(lines, total)
    others = len(unread) - len(lines)
    cases = []
    for chosen in product(*(line.readings for line in lines)):
        whole = _with(deck, chosen)
        cases.append(Case(chosen, whole, game.judge(whole, format, others)))
    return Readings(lines, total, tuple(cases))


def _with(deck: Decklist, chosen: Iterable[Entry]) -> Decklist:
    """Return the deck with these entries added, their copies joined to the lines that the deck has."""
    entries = {(entry.section, entry.card.code): entry for entry in deck}
    for entry in chosen:
        key = entry.section, entry.card.code
        before = entries.get(key)
        entries[key] = replace(before, count=before.count + entry.count) if before else entry
    return replace(deck, entries=tuple(entries.values()))
