"""The format that a deck is judged by: one of its game, or a league's that builds on it, with the numbers of
house rules; and what else a list may be: the other formats that it may be meant for, names that a misspelt
line may mean, and lines that name one of several cards, by every reading of which a deck is judged as long as
these are few.
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

# Finds the format of a game that a league made, by its link, if the visitor may see it.
LeagueLookup = Callable[[Game, str], Format | None]


def no_leagues(game: Game, link: str) -> Format | None:
    """No leagues: every link is lost."""
    return None


def format_or_refuse(game: Game, slug: object) -> Format | None:
    """The format with this slug, None for an empty one. Raises Refused naming the ones there are."""
    if not slug:
        return None
    format = game.formats_by_slug.get(slug) if isinstance(slug, str) else None
    if format is None:
        known = ", ".join(game.formats_by_slug)
        sentence = f"{game.name} has no format “{str(slug)[:40]}”. Formats: {known}."
        raise Refused(Fault("unknown_format", sentence, "format"))
    return format


def format_with(game: Game, slug: str, house: str, leagues: LeagueLookup = no_leagues) -> Format:
    """The stored format with the stored house rules, as far as the game and the league still have them."""
    format = game.formats_by_slug.get(slug, game.formats[0])
    if not house:
        return format
    format = in_league(game, format, house, leagues)
    return with_house_rules(format, still_known(format, house))


def in_league(game: Game, format: Format, house: str, leagues: LeagueLookup) -> Format:
    """The league's format that house rules name, if it builds on this one; else this one, which says that the
    league is lost.
    """
    if not (link := league_in(house)):
        return format
    made = leagues(game, link)
    return made if made and made.slug == format.slug else replace(format, league=League(link))


def house_or_refuse(game: Game, format: Format, house: str, leagues: LeagueLookup = no_leagues) -> Format:
    """The format with these house rules. Raises Refused with what is wrong about them."""
    try:
        return with_house_rules(in_league(game, format, house, leagues), house)
    except ValueError as error:
        raise Refused(Fault("bad_house_rule", str(error), "house")) from None


def league_json(format: Format) -> dict[str, Any]:
    """The league whose format a deck is judged by; ``lost``, without a name, where it is judged by the format
    beneath.
    """
    league = format.league or League("")
    document = league.document
    told = {
        name: getattr(document, key, "")
        for name, key in (("document", "title"), ("by", "by"), ("url", "url"))
    }
    return {"link": league.link, "name": league.name, **told, "lost": document is None}


class InFormat(NamedTuple):
    """The verdict on a deck in a format that it is not judged by. ``name``: what to call that format beside
    the other one.
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
    """The deck in the game's other formats, and in its own format without house rules or its league's if it
    has any.

    Formats that have a place for none of its cards are left out.
    """
    for other, name in _others(deck, format, game.formats):
        yield InFormat(other, game.judge(deck, other, unread), name)


def _others(deck: Decklist, format: Format, among: Iterable[Format]) -> Iterator[tuple[Format, str]]:
    """Those of the formats that are another than this one and have a place for some of the cards, each with
    what to call it.
    """
    used = {entry.section for entry in deck.entries}
    for other in among:
        is_own = other.slug == format.slug
        in_league = format.league is not None and not format.league.is_lost
        if used.intersection(other.sections) and (not is_own or house_rules_of(format) or in_league):
            without = f" without {'the league' if in_league else 'house rules'}" if is_own else ""
            yield other, f"{other.name}{without}"


def legal_elsewhere(game: Game, deck: Decklist, format: Format, unread: int) -> InFormat | None:
    """The format in which the deck is legal as it stands, an official one before a fan format; None if there
    is none.
    """
    # A list with a line that was not read is legal nowhere.
    if unread:
        return None
    fitting = {fit.slug for fit in game.fitting_formats(deck)}
    among = sorted((one for one in game.formats if one.slug in fitting), key=lambda one: not one.official)
    judged = (InFormat(other, game.judge(deck, other), name) for other, name in _others(deck, format, among))
    return next((one for one in judged if one.report.verdict == "legal"), None)


def opening_words(game: Game, legal: str, other: Format, report: Report) -> str:
    """``Legal as Basic. As Advanced it is incomplete: 49 cards; 60 or more are needed.``"""
    gravest = max(report.violations, key=lambda violation: violation.severity)
    sentence = message(gravest, game.sentences)
    return f"Legal as {legal}. As {other.name} it is {VERDICTS[report.verdict].lower()}: {sentence}"


def stricter(game: Game, deck: Decklist, format: Format) -> InFormat | None:
    """The likeliest format by the places of the cards, if the deck is not legal in it; the deck is legal in
    this format, which was guessed.
    """
    likely = game.likely_format(deck)
    if likely.slug == format.slug:
        return None
    report = game.judge(deck, likely)
    return InFormat(likely, report, likely.name) if report.verdict != "legal" else None


# -- lines that could not be settled -------------------------------------------------------------

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
        name = name_in(split_heading(game, unread.text)[1])
        # With what stands behind the name, and without it.
        texts = dict.fromkeys((_BEHIND.split(name, maxsplit=1)[0], name))
        # A stored deck's list may name its own cards, most of which are the game's too.
        labels = dict.fromkeys(
            label for index in (own, game.name_index) for label in _labels_like(texts, index)[:MAX_NAMES]
        )
        suggestions = tuple(labels)
        sole = suggestions[0] if len(suggestions) == 1 and digits_of(name) == digits_of(*suggestions) else ""
        return replace(unread, suggestions=suggestions, likely=sole or surely_meant(name, suggestions))

    return with_suggestions


def _labels_like(texts: Iterable[str], index: NameIndex) -> list[str]:
    """Return how lists call the cards of names like these texts, best first."""
    cards = (card for text in texts for card in index.cards_like(text, MAX_NAMES))
    return list(dict.fromkeys(map(index.label, cards)))


# Readings multiply: three lines of five cards each are a hundred and twenty-five decks to judge.
MAX_READINGS = 64
# Cards that the sentence names; more are counted, since each stands beside its line with its verdict.
MAX_NAMED = 2


@dataclass(frozen=True)
class Readings:
    """The readings of a deck's ambiguous lines, each with its verdict.

    ``total``: the number of readings, as far as they were counted. ``cases``: the cards chosen, line by line,
    and the verdict; none if they are too many. ``deck``: the deck by the first of them.
    """

    lines: tuple[Unread, ...]
    total: int
    cases: tuple[tuple[tuple[Entry, ...], Report], ...] = ()
    deck: Decklist = field(default_factory=Decklist)

    @property
    def is_settled(self) -> bool:
        """True if the verdict is the same by every reading."""
        return len({report.verdict for _, report in self.cases}) == 1

    @property
    def are_all(self) -> bool:
        """True if no other line of the list is unread."""
        return not any(report.unread for _, report in self.cases)

    @property
    def report(self) -> Report:
        """The verdict that every reading comes to, with what is wrong by all of them; by the first where each
        has its own fault.
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
        """``Legal whichever card line 7 means.``, ``Legal if line 7 is Tracer (ON).``"""
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
            tuple(f"line {one.line} is {label}" for one, label in zip(self.lines, chosen, strict=True))
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
    if (total := prod(len(line.readings) for line in lines)) > MAX_READINGS:
        return Readings(lines, total)
    rest = len(unread) - len(lines)
    read = [(chosen, _with(deck, chosen)) for chosen in product(*(line.readings for line in lines))]
    cases = tuple((chosen, game.judge(whole, format, rest)) for chosen, whole in read)
    return Readings(lines, total, cases, read[0][1])


def _with(deck: Decklist, chosen: Iterable[Entry]) -> Decklist:
    """The deck with these entries, copies added to a line that it has."""
    entries = {(entry.section, entry.card.code): entry for entry in deck}
    for entry in chosen:
        key = entry.section, entry.card.code
        before = entries.get(key)
        entries[key] = replace(before, count=before.count + entry.count) if before else entry
    return replace(deck, entries=tuple(entries.values()))
