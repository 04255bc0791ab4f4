"""The format that a deck is judged by: one of its game, or a league's that builds on it, with the numbers of
house rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Format, Game
from cardsdb.games.kit.model.format import League
from cardsdb.games.kit.rules.house_rules import league_in, still_known, with_house_rules

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
