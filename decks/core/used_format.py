"""The format that a deck is judged by: one of its game, or a league's that builds on it, with the numbers of
house rules; and the other formats that it may be meant for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Decklist, Format, Game, Report, Severity
from cardsdb.games.kit.model.format import VERDICTS, League, message
from cardsdb.games.kit.rules.construction import judge_if_legal
from cardsdb.games.kit.rules.house_rules import house_rules_of, league_in, still_known, with_house_rules

# Finds the format of a game that a league made, by its link, if whoever asks may see it.
LeagueLookup = Callable[[Game, str], Format | None]


def no_leagues(game: Game, link: str) -> Format | None:
    """Nobody's leagues: every link is lost."""
    return None


def format_or_refuse(game: Game, slug: object) -> Format | None:
    """The format with this slug, None for an empty one. Raises Refused naming the ones there are."""
    if not slug:
        return None
    format = game.formats_by_slug.get(slug) if isinstance(slug, str) else None
    if format is None:
        known = ", ".join(game.formats_by_slug)
        raise Refused(
            Fault(
                "unknown_format", f"{game.name} has no format “{str(slug)[:40]}”. Formats: {known}.", "format"
            )
        )
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
    league = format.league
    document = league.document if league else None
    return {
        "link": league.link if league else "",
        "name": league.name if league else "",
        "document": document.title if document else "",
        "by": document.by if document else "",
        "url": document.url if document else "",
        "lost": document is None,
    }


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
    sentence = message(gravest, game.sentences)
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
