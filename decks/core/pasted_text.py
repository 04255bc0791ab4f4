"""A pasted list, read: what its unclear lines may mean, and its comments as notes.

``judging.judge_text``, the editor, the forms, the API and the commands read lists with ``read_text``, which
suggests names for misspelt lines: ``1 Glok 17`` -> Glock 17.

Other lines fit several cards: ``1 Tracer`` -> Tracer (ON), Tracer (ML). Such a list has several verdicts, and
three things are called readings::

    ``Reading``, here ``reading``    the whole list as it was read, with its unread lines
    ``Unread.readings``              the entries that one line may mean, and ``suggestions`` their names
    ``Readings``, ``Case``           a verdict for each choice of one entry for each such line

Two lines that fit two cards each give four cases. ``judging.judge_reading`` gets them from ``readings_of``;
the page of a verdict and the command ``check_deck`` show ``Readings.words``. ``Reading`` and ``Unread`` are
defined in ``cardsdb/games/kit/listtext``, which understands lines.
Tests: ``tests/decks/core/test_pasted_text.py``.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import NamedTuple

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import VERDICTS, Card, Decklist, Entry, Format, Game, NameIndex, Report, listed
from cardsdb.games.kit.listtext.deck import ListTooLarge, read_deck
from cardsdb.games.kit.listtext.line import name_in
from cardsdb.games.kit.listtext.reading import Reading, Unread, split_heading
from cardsdb.games.kit.model.likeness import digits_of, surely_meant

# Unread lines that get suggestions of names. Each search for similar names compares with every name of the
# game, and a list may have thousands of unread lines.
MAX_SUGGESTED = 30
# Names offered for a misspelt line, of the game's cards and of own cards each.
MAX_NAMES = 3
# The blank and the sign that begin a set, a number or a mark behind a name: ``Kai (ON) 12``, ``Kai #flex``.
_BEHIND = re.compile(r"\s[(\[#^]")


def read_text(
    game: Game, text: str, format: Format | None = None, also: Iterable[Card] = (), *, titled: bool = True
) -> Reading:
    """Read a pasted list, with suggestions for names that are unknown. Raise Refused with status 413 if it is
    too large.

    ``also``: retired and own cards that the list may name besides the cards of the game. ``titled``: see
    ``read_deck``.
    """
    also = tuple(also)
    try:
        reading = read_deck(game, text, format, also, titled=titled)
    except ListTooLarge as error:
        raise Refused(Fault("too_large", str(error), "text"), status=413) from None
    if not reading.unread:
        return reading
    own = NameIndex(also)
    suggested = (_with_suggestions(game, own, line) for line in reading.unread[:MAX_SUGGESTED])
    return replace(reading, unread=(*suggested, *reading.unread[MAX_SUGGESTED:]))


def _with_suggestions(game: Game, own: NameIndex, unread: Unread) -> Unread:
    """Return the line; if it names no known card, with names that it may mean.

    ``suggestions``: names of the ``own`` cards first, then of the game's. ``likely``: the name that the line
    surely means, else empty. ``1 Kia`` may mean Kai or Kim, ``1 Glok 17 (ON) 4`` only Glock 17.
    """
    if unread.code != "unknown_card":
        return unread
    _, line = split_heading(game, unread.text)
    name = name_in(line)
    # First without the text behind the name, then as it was typed. Both texts, and both indexes, may give the
    # same label; dicts keep it once, in order.
    texts = dict.fromkeys((_BEHIND.split(name, maxsplit=1)[0], name))
    labels: dict[str, None] = {}
    for index in (own, game.name_index):
        cards = (card for text in texts for card in index.cards_like(text, MAX_NAMES))
        labels_of_index = dict.fromkeys(map(index.label, cards))
        labels |= dict.fromkeys([*labels_of_index][:MAX_NAMES])
    suggestions = tuple(labels)
    # Other digits mean another card: "Agent 7" is not a slip of "Agent 8".
    is_sole = len(suggestions) == 1 and digits_of(name) == digits_of(suggestions[0])
    likely = suggestions[0] if is_sole else surely_meant(name, suggestions)
    return replace(unread, suggestions=suggestions, likely=likely)


def with_comments(notes: str, reading: Reading) -> str:
    """Return the notes of a deck, followed by those comments of the list that are not yet lines of the
    notes.
    """
    known = notes.splitlines()
    new = (comment for comment in reading.comments if comment not in known)
    return "\n".join(filter(None, (notes, *new)))


# -- lines that several cards fit --------------------------------------------------------

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
        """True if the list has no unread lines besides the ambiguous ones. Also if nothing was judged."""
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
        # A violation of one reading is that of another if code and problem are equal.
        found = [{(v.code, v.problem) for v in case.report.violations} for case in self.cases]
        shared = set.intersection(*found)
        kept = tuple(v for v in first.report.violations if (v.code, v.problem) in shared)
        report = replace(first.report, violations=kept)
        if report.verdict != first.report.verdict:
            report = first.report
        return report, first.deck

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
        place = self.lines.index(line)
        found = []
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
