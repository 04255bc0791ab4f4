"""The changes of a repair as forms send them, and the deck with them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from cardsdb.catalogue.current import catalogue
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Decklist, Game
from cardsdb.games.kit.model.decklist import CardChange, with_changes
from cardsdb.games.kit.repair.search import Repair
from cardsdb.games.kit.repair.steps import badness, too_many
from decks.core.content import DeckContent
from decks.core.judging import Judged, judge_content
from decks.core.used_format import LeagueLookup, no_leagues

# Changes in one repair.
MAX_CHANGES = 200
_CHANGE = re.compile(
    r"(?P<by>[+-][0-9]{1,3}) (?P<section>[\w-]{1,40}) (?P<code>[\x21-\x2b\x2d-\x7e]{1,200})", re.ASCII
)


def written(repair: Repair) -> str:
    """The changes as a form sends them back: ``-1 deck kai, +1 deck termite``."""
    return ", ".join(f"{change.by:+d} {change.section} {change.card.code}" for change in repair.changes)


def parse_changes(game: Game, deck: Decklist, posted: Iterable[str]) -> tuple[CardChange, ...]:
    """Read changes as forms send them. Raises Refused for invalid ones, and for unknown cards."""
    lines = [part.strip() for text in posted for part in text.split(",")]
    matches = [_CHANGE.fullmatch(line) for line in lines[: MAX_CHANGES + 1]]
    if not lines or len(lines) > MAX_CHANGES or not all(matches):
        raise Refused(
            Fault(
                "bad_change",
                "That is no repair; look for repairs once more and choose one of them.",
                "change",
            )
        )
    changes = [(match["code"], match["section"], int(match["by"])) for match in matches if match]
    own = {entry.card.code: entry.card for entry in deck}
    lacking = {code for code, _, _ in changes} - own.keys()
    cards = own | catalogue().listed(game.slug, lacking)
    for code, section, by in changes:
        if code not in cards or section not in game.sections_by_slug or not by:
            sentence = (
                f"{game.name} has no card {code[:60]} for the section {section}; look for repairs once more."
            )
            raise Refused(Fault("bad_change", sentence, "change"))
    return tuple(CardChange(cards[code], section, by) for code, section, by in changes)


def repaired(judged: Judged, posted: Iterable[str]) -> Decklist:
    """The deck after changes that a form sent. Raises Refused if they no longer fit the deck or do not help
    it.
    """
    try:
        changes = parse_changes(judged.game, judged.deck, posted)
        deck = with_changes(judged.deck, changes)
    except ValueError as error:
        sentence = f"{error} The deck was changed since; look for repairs once more."
        raise Refused(Fault("changed_elsewhere", sentence, "change"), status=409) from None
    _refuse_kept(judged, changes)
    if badness(judged.game.judge(deck, judged.format)) >= badness(judged.report):
        sentence = (
            "With these changes the deck would be no better than it is now. It was changed since; look for"
            " repairs once more."
        )
        raise Refused(Fault("no_repair", sentence, "change"), status=409)
    return deck


def repairing(
    game: Game, posted: Iterable[str], leagues: LeagueLookup = no_leagues
) -> Callable[[DeckContent], DeckContent]:
    """A repair as an edit of a deck."""

    def edit(content: DeckContent) -> DeckContent:
        judged = judge_content(game, content, leagues)
        return replace(content, deck=repaired(judged, posted))

    return edit


def _refuse_kept(judged: Judged, changes: Iterable[CardChange]) -> None:
    """Raise Refused if more copies come out of a line that is marked to be kept than the rules have too
    many.
    """
    beyond = too_many(judged.report)
    marked = {(entry.card.key, entry.section) for entry in judged.deck if entry.marks.keep}
    out: Counter[tuple[str, str]] = Counter()
    for change in changes:
        place = (change.card.key, change.section)
        out[place] -= change.by
        if place in marked and out[place] > beyond[place]:
            sentence = (
                f"{change.card.name} is marked to be kept, so it stays in the deck. Take the mark off first,"
                " or look for repairs once more."
            )
            raise Refused(Fault("changed_elsewhere", sentence, "change"), status=409)
