"""The format that a deck is judged by, and the alternatives that a verdict mentions.

A deck stores the slug of a format of its game and a text of house rules, which may also name a league. From
both, ``format_with`` makes the format to judge by. Besides, this module finds other formats in which a deck
would be legal, names that a misspelt line may mean, and the verdicts of a list by every reading of its
ambiguous lines (``readings_of``). ``judging.py`` and the forms call it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Any, NamedTuple

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import (
    VERDICTS,
    Decklist,
    Entry,
    Format,
    Game,
    League,
    NameIndex,
    Report,
    Severity,
    listed,
)
from cardsdb.games.kit.listtext.line import name_in
from cardsdb.games.kit.listtext.reading import Unread, split_heading
from cardsdb.games.kit.model.format import message
from cardsdb.games.kit.model.names import digits_of, surely_meant
from cardsdb.games.kit.rules.house_rules import house_rules_of, league_in, still_known, with_house_rules

# (game, link of a league) -> the league's format, or None if the visitor may not see it or it is gone.
LeagueLookup = Callable[[Game, str], Format | None]


def no_leagues(game: Game, link: str) -> Format | None:
    """A ``LeagueLookup`` that finds no league."""
    return None


def format_or_refuse(game: Game, slug: object) -> Format | None:
    """Return the format with this slug, or None for an empty slug. Raise Refused, naming the known formats,
    for an unknown one.
    """
    if not slug:
        return None
    format = game.formats_by_slug.get(slug) if isinstance(slug, str) else None
    if format is None:
        known = ", ".join(game.formats_by_slug)
        sentence = f"{game.name} has no format “{str(slug)[:40]}”. Formats: {known}."
        raise Refused(Fault("unknown_format", sentence, "format"))
    return format


def format_with(game: Game, slug: str, house: str, leagues: LeagueLookup = no_leagues) -> Format:
    """Return the stored format with the stored house rules, without those numbers that the format no longer
    has.
    """
    format = game.formats_by_slug.get(slug, game.formats[0])
    if not house:
        return format
    format = in_league(game, format, house, leagues)
    return with_house_rules(format, still_known(format, house))


def in_league(game: Game, format: Format, house: str, leagues: LeagueLookup) -> Format:
    """Return the format of the league that the house rules name, if it builds on ``format``.

    Otherwise return ``format``; if the house rules name a league, it is marked as judged by a lost league.
    """
    if not (link := league_in(house)):
        return format
    leagues_format = leagues(game, link)
    if leagues_format and leagues_format.slug == format.slug:
        return leagues_format
    return replace(format, league=League(link))


def house_or_refuse(game: Game, format: Format, house: str, leagues: LeagueLookup = no_leagues) -> Format:
    """Return the format with these house rules. Raise Refused, saying what is wrong, if they do not fit
    it.
    """
    try:
        return with_house_rules(in_league(game, format, house, leagues), house)
    except ValueError as error:
        raise Refused(Fault("bad_house_rule", str(error), "house")) from None


def league_json(format: Format) -> dict[str, Any]:
    """Return the league of the format for the API. ``lost`` is true if the league's format cannot be found
    any more; then the deck is judged by the format that it built on, and the names are empty.
    """
    league = format.league or League("")
    document = league.document
    return {
        "link": league.link,
        "name": league.name,
        "document": getattr(document, "title", ""),
        "by": getattr(document, "by", ""),
        "url": getattr(document, "url", ""),
        "lost": document is None,
    }


class InFormat(NamedTuple):
    """The verdict on a deck in another format than its own. ``name``: the name to show, such as "Agency Deck
    without house rules".
    """

    format: Format
    report: Report
    name: str

    @property
    def verdict_words(self) -> str:
        return VERDICTS[self.report.verdict]

    @property
    def faults(self) -> int:
        """The number of violations that keep the deck from being legal."""
        return sum(violation.severity > Severity.NOTE for violation in self.report.violations)


def in_other_formats(game: Game, deck: Decklist, format: Format, unread: int) -> Iterator[InFormat]:
    """Yield the verdict of the deck in each other format of the game that has a section for some of its
    cards; and in its own format without house rules or league, if it has any.

    ``unread``: the number of lines of the list that could not be read.
    """
    for other, name in _others(deck, format, game.formats):
        yield InFormat(other, game.judge(deck, other, unread), name)


def _others(deck: Decklist, format: Format, among: Iterable[Format]) -> Iterator[tuple[Format, str]]:
    """Yield (format, name to show) of those formats in ``among`` that have a section for some of the cards
    and differ from ``format``.
    """
    used = {entry.section for entry in deck.entries}
    for other in among:
        is_own = other.slug == format.slug
        in_league = format.league is not None and not format.league.is_lost
        if used.intersection(other.sections) and (not is_own or house_rules_of(format) or in_league):
            without = f" without {'the league' if in_league else 'house rules'}" if is_own else ""
            yield other, f"{other.name}{without}"


def legal_elsewhere(game: Game, deck: Decklist, format: Format, unread: int) -> InFormat | None:
    """Return the first other format in which the deck is legal as it stands, official formats before fan
    formats, or None.
    """
    # A list with an unread line is legal in no format.
    if unread:
        return None
    fitting = {other.slug for other in game.fitting_formats(deck)}
    among = sorted((f for f in game.formats if f.slug in fitting), key=lambda f: not f.official)
    for other, name in _others(deck, format, among):
        report = game.judge(deck, other)
        if report.verdict == "legal":
            return InFormat(other, report, name)
    return None


def opening_words(game: Game, legal: str, other: Format, report: Report) -> str:
    """Return for example ``Legal as Basic. As Advanced it is incomplete: 49 cards; 60 or more are needed.``

    ``report``: the verdict in the format ``other``; its gravest violation is named.
    """
    gravest = max(report.violations, key=lambda violation: violation.severity)
    sentence = message(gravest, game.sentences)
    return f"Legal as {legal}. As {other.name} it is {VERDICTS[report.verdict].lower()}: {sentence}"


def stricter(game: Game, deck: Decklist, format: Format) -> InFormat | None:
    """Return the verdict in the format that the sections of the cards suggest, if the deck is not legal in
    it; else None.

    For a deck that is legal in ``format``, which was guessed: so that a lax format is not taken without a
    word.
    """
    likely = game.likely_format(deck)
    if likely.slug == format.slug:
        return None
    report = game.judge(deck, likely)
    return InFormat(likely, report, likely.name) if report.verdict != "legal" else None


# -- lines that could not be settled -------------------------------------------------------------

# Names offered for a misspelt line, of the game's cards and of own cards each.
MAX_NAMES = 3
# The blank and the sign that begin a set, a number or a mark behind a name: ``Kai (ON) 12``, ``Kai #flex``.
_BEHIND = re.compile(r"\s[(\[#^]")


def suggesting(game: Game, own: NameIndex) -> Callable[[Unread], Unread]:
    """Return a function that adds suggestions to an unread line that names no known card.

    ``suggestions``: names that the line may mean, those of the writer's ``own`` cards first. ``likely``: the
    one that it surely means, else empty.
    """

    def with_suggestions(unread: Unread) -> Unread:
        if unread.code != "unknown_card":
            return unread
        name = name_in(split_heading(game, unread.text)[1])
        # First without the text behind the name, then as it was typed.
        texts = dict.fromkeys((_BEHIND.split(name, maxsplit=1)[0], name))
        # Both indexes may suggest the same name; a dict keeps it once, in order.
        labels = dict.fromkeys(
            label for index in (own, game.name_index) for label in _labels_like(texts, index)[:MAX_NAMES]
        )
        suggestions = tuple(labels)
        # Other digits mean another card: "Agent 7" is not a slip of "Agent 8".
        sole = suggestions[0] if len(suggestions) == 1 and digits_of(name) == digits_of(*suggestions) else ""
        return replace(unread, suggestions=suggestions, likely=sole or surely_meant(name, suggestions))

    return with_suggestions


def _labels_like(texts: Iterable[str], index: NameIndex) -> list[str]:
    """Return the labels of cards with names like these texts, the best match first."""
    cards = (card for text in texts for card in index.cards_like(text, MAX_NAMES))
    return list(dict.fromkeys(map(index.label, cards)))


# Readings that are judged. They multiply: three lines of five cards each would be 125 decks to judge.
MAX_READINGS = 64
# Cards that the sentence names before it only counts them; the page shows each of them beside the line.
MAX_NAMED = 2


@dataclass(frozen=True)
class Readings:
    """The verdicts of a list by every reading of its ambiguous lines. A reading chooses one card for each
    such line.

    ``lines``: the ambiguous lines. ``total``: the number of readings. ``cases``: for each reading the entries
    chosen, one for each line, and the report; empty if there are more than ``MAX_READINGS``. ``deck``: the
    deck by the first reading.
    """

    lines: tuple[Unread, ...]
    total: int
    cases: tuple[tuple[tuple[Entry, ...], Report], ...] = ()
    deck: Decklist = field(default_factory=Decklist)

    @property
    def is_settled(self) -> bool:
        """True if every reading has the same verdict."""
        return len({report.verdict for _, report in self.cases}) == 1

    @property
    def are_all(self) -> bool:
        """True if the list has no other unread lines."""
        return not any(report.unread for _, report in self.cases)

    @property
    def report(self) -> Report:
        """A report with the violations that all readings share. If these alone do not give the verdict of the
        first reading, because every reading has a violation of its own, it is the report of the first
        reading.
        """
        first = self.cases[0][1]
        found = [{(v.code, v.problem) for v in report.violations} for _, report in self.cases]
        shared = set.intersection(*found)
        common = replace(
            first, violations=tuple(v for v in first.violations if (v.code, v.problem) in shared)
        )
        return common if common.verdict == first.verdict else first

    @property
    def words(self) -> str:
        """The sentence for the page: ``Legal whichever card line 7 means.``, ``Legal if line 7 is Tracer
        (ON), not otherwise.``
        """
        numbers = listed(tuple(str(line.line) for line in self.lines))
        which = f"card line {numbers} means" if len(self.lines) == 1 else f"cards lines {numbers} mean"
        if not self.cases:
            return (
                f"The {which} can be read in more than {MAX_READINGS} ways and is not judged. Correct some"
                " lines."
            )
        if self.is_settled:
            return f"{VERDICTS[self.cases[0][1].verdict]} whichever {which}."
        legal = [chosen for chosen, report in self.cases if report.verdict == "legal"]
        if not legal:
            return f"Not legal whichever {which}, for one reason or another."
        if len(self.lines) == 1 and len(legal) > MAX_NAMED:
            which = f"{len(legal)} of the {self.total} cards that line {numbers} may mean"
            return f"Legal by {which}, not by the others."
        if len(self.lines) == 1:
            labels = " or ".join(self._label(0, chosen[0]) for chosen in legal)
            return f"Legal if line {numbers} is {labels}, not otherwise."
        chosen = [self._label(place, entry) for place, entry in enumerate(legal[0])]
        example = listed(
            tuple(f"line {line.line} is {label}" for line, label in zip(self.lines, chosen, strict=True))
        )
        return f"Legal by {len(legal)} of {self.total} readings: for example if {example}."

    def _label(self, place: int, entry: Entry) -> str:
        """Return the label of the entry chosen for the line at this place of ``lines``."""
        line = self.lines[place]
        pairs = zip(line.suggestions, line.readings, strict=True)
        return next(label for label, reading in pairs if reading is entry)

    def outcomes(self, line: Unread) -> tuple[str, ...]:
        """Return the verdict in words for each card that the line may mean, "" if it depends on other lines.
        Empty if there are too many readings to judge.
        """
        if not self.cases:
            return ()
        place, found = self.lines.index(line), []
        for entry in line.readings:
            verdicts = {report.verdict for chosen, report in self.cases if chosen[place] is entry}
            found.append(VERDICTS[verdicts.pop()].lower() if len(verdicts) == 1 else "")
        return tuple(found)


def readings_of(game: Game, deck: Decklist, format: Format, unread: Iterable[Unread]) -> Readings | None:
    """Judge the list by every reading of its ambiguous lines. None if it has no such line. Other unread lines
    stay unread in every reading.
    """
    unread = tuple(unread)
    lines = tuple(line for line in unread if line.readings)
    if not lines:
        return None
    if (total := prod(len(line.readings) for line in lines)) > MAX_READINGS:
        return Readings(lines, total)
    rest = len(unread) - len(lines)
    read = [(chosen, _with(deck, chosen)) for chosen in product(*(line.readings for line in lines))]
    cases = tuple((chosen, game.judge(whole, format, rest)) for chosen, whole in read)
    return Readings(lines, total, cases, read[0][1])


def _with(deck: Decklist, chosen: Iterable[Entry]) -> Decklist:
    """Return the deck with these entries added, their copies joined to the lines that the deck has."""
    entries = {(entry.section, entry.card.code): entry for entry in deck}
    for entry in chosen:
        key = entry.section, entry.card.code
        before = entries.get(key)
        entries[key] = replace(before, count=before.count + entry.count) if before else entry
    return replace(deck, entries=tuple(entries.values()))
