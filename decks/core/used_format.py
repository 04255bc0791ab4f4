"""The format that a deck is judged by, and other formats that a verdict mentions.

A deck stores the slug of a format of its game and a text of house rules, which may also name a league. From
both, ``format_with`` makes the format to judge by; ``house_or_refuse`` does so for house rules that a visitor
typed. The functions at the end judge a deck in other formats too: "Legal as Basic. As Advanced it is
incomplete." ``judging.py``, the tables (``Deck.format_used``), the check, the API and the pages of house
rules call this module. ``Format`` and ``League`` are defined in ``cardsdb/games/kit``.
Tests: ``tests/decks/core/test_used_format.py``; for leagues ``tests/decks/leagues``.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import VERDICTS, Decklist, Format, Game, League, Report, Severity
from cardsdb.games.kit.model.format import message
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
    has. If the game has no such format any more, return its first one.
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
    any more (``in_league``); then the deck is judged by the format that it built on, and the names are empty.
    """
    league = format.league or League("")
    document = league.document
    return {
        "link": league.link,
        "name": league.name,
        "document": document.title if document else "",
        "by": document.by if document else "",
        "url": document.url if document else "",
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


def in_other_formats(
    game: Game, deck: Decklist, format: Format, unread: int, among: Iterable[Format]
) -> Iterator[InFormat]:
    """Yield the verdict of the deck in each of the formats ``among`` that is another than ``format`` and has
    a section for some of the cards; and in ``format`` without house rules or league, if it has any.

    ``unread``: the number of lines of the list that could not be read.
    """
    sections = {entry.section for entry in deck.entries}
    for other in among:
        if not sections.intersection(other.sections):
            continue
        name = other.name
        if other.slug == format.slug:
            # The same format, as the rulebook has it.
            if format.league and not format.league.is_lost:
                name += " without the league"
            elif house_rules_of(format):
                name += " without house rules"
            else:
                continue
        yield InFormat(other, game.judge(deck, other, unread), name)


def legal_elsewhere(game: Game, deck: Decklist, format: Format, unread: int) -> InFormat | None:
    """Return the first other format in which the deck is legal as it stands, official formats before fan
    formats, or None.
    """
    # A list with an unread line is legal in no format.
    if unread:
        return None
    fitting = {other.slug for other in game.fitting_formats(deck)}
    among = [other for other in game.formats if other.slug in fitting]
    among.sort(key=lambda other: not other.official)
    others = in_other_formats(game, deck, format, unread, among)
    return next((other for other in others if other.report.verdict == "legal"), None)


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

    For a deck that is legal in ``format``, which was guessed, so that a visitor learns of the stricter one.
    """
    likely = game.likely_format(deck)
    if likely.slug == format.slug:
        return None
    report = game.judge(deck, likely)
    return InFormat(likely, report, likely.name) if report.verdict != "legal" else None
