"""A deck in the formats of its game that it is not judged by: another one may be what it is meant for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cardsdb.games.kit import Decklist, Format, Game, Report, Severity
from cardsdb.games.kit.model.report import VERDICTS, message
from cardsdb.games.kit.rules.construction import judge_if_legal
from cardsdb.games.kit.rules.house_rules import house_rules_of


@dataclass(frozen=True, slots=True)
class InFormat:
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
        """How many violations keep the deck from being legal."""
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
            yield (
                other,
                f"{other.name} without {'the league' if in_league else 'house rules'}"
                if is_own
                else other.name,
            )


def legal_elsewhere(game: Game, deck: Decklist, format: Format, unread: int) -> InFormat | None:
    """The format in which the deck is legal as it stands, an official one before a fan format; None if there
    is none.
    """
    # With a line that nobody could read a list is legal nowhere.
    if unread:
        return None
    fitting = {fit.slug for fit in game.fitting_formats(deck)}
    among = sorted(
        (other for other in game.formats if other.slug in fitting), key=lambda other: not other.official
    )
    judged = ((other, name, judge_if_legal(deck, other)) for other, name in _others(deck, format, among))
    return next((InFormat(other, report, name) for other, name, report in judged if report), None)


def opening_words(game: Game, legal: str, other: Format, report: Report) -> str:
    """``Legal as Basic. As Advanced it is incomplete: 49 cards; 60 or more are needed.``"""
    gravest = max(report.violations, key=lambda violation: violation.severity)
    sentence = message(gravest, game.sentences | other.sentences)
    return f"Legal as {legal}. As {other.name} it is {VERDICTS[report.verdict].lower()}: {sentence}"


def stricter(game: Game, deck: Decklist, format: Format) -> InFormat | None:
    """Where the deck is legal in this format, which was guessed: the likeliest format by its cards' places,
    if it is not legal there.
    """
    likely = game.likely_format(deck)
    if likely.slug == format.slug:
        return None
    report = game.judge(deck, likely)
    return InFormat(likely, report, likely.name) if report.verdict != "legal" else None
