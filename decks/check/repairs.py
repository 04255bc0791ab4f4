"""Repairs of a judged deck: found among the cards of the catalogue or of a game's folder, sent by forms as
changes, and made.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from cardsdb.catalogue.current import catalogue
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Decklist, Game
from cardsdb.games.kit.model.cards import FactValue
from cardsdb.games.kit.model.decklist import CardChange, with_changes
from cardsdb.games.kit.model.report import Lack
from cardsdb.games.kit.repair.search import (
    USUAL_LIMITS,
    Candidates,
    Limits,
    Repair,
    barred_by_marks,
    smallest_repairs,
)
from cardsdb.games.kit.repair.steps import badness, too_many
from decks.core.content import DeckContent
from decks.core.judging import Judged, judge_content
from decks.core.used_format import LeagueLookup

# Cards that are looked at for one lack, and values by which some are like the deck.
MAX_CARDS, MAX_SHARED = 300, 3


def cards_of_catalogue(game: Game) -> Candidates:
    """The cards that fit a lack, for one search: those like the deck first, then by name."""
    by_name = [entry.card for entry in catalogue().entries if entry.card.game == game.slug]
    cards = [card for card in by_name if game.type_named(card.type).in_decks]
    found: dict[object, tuple[Card, ...]] = {}

    def candidates(lack: Lack, like: Mapping[str, FactValue]) -> tuple[Card, ...]:
        shared = list(like.items())[:MAX_SHARED]
        facts = sorted(lack.facts.items(), key=str)
        key = (lack.types, tuple(facts), lack.name, lack.less, tuple(shared))
        if key not in found:
            fitting = [card for card in cards if lack.fits(card)]
            fitting.sort(key=lambda card: not any(card.fact(fact) == value for fact, value in shared))
            found[key] = tuple(fitting[:MAX_CARDS])
        return found[key]

    return candidates


# Beside a verdict a repair is looked for at once, with less patience; a deck that lacks more cards is not
# finished yet.
AT_ONCE = Limits(judgements=200, seconds=0.15, repairs=1, lacking=8)


def repairs_of(judged: Judged, candidates: Candidates) -> tuple[Repair, ...]:
    """Up to five repairs, smallest first, with cards among the candidates: those of the catalogue, or of the
    game's folder.

    A list with unread lines gets none, since these may hold the cards that it lacks.
    """
    if judged.unread:
        return ()
    return smallest_repairs(judged.game, judged.deck, judged.format, candidates, USUAL_LIMITS)


def repair_at_once(judged: Judged, candidates: Candidates) -> Repair | None:
    """The smallest repair of a pasted list as far as it is found at once: of what is illegal, and of a few
    cards that are lacking.

    Where lines are unread these may be the cards that are lacking, so that only what is illegal is mended.
    """
    limits = replace(AT_ONCE, lacking=0) if judged.unread else AT_ONCE
    found = smallest_repairs(judged.game, judged.deck, judged.format, candidates, limits)
    return found[0] if found else None


def barring(judged: Judged, candidates: Candidates) -> tuple[Repair, tuple[str, ...]] | None:
    """For a deck without a whole repair: the one that marks prevent, with the names of the marked cards; None
    if there is none.
    """
    if judged.unread:
        return None
    return barred_by_marks(judged.game, judged.deck, judged.format, candidates, USUAL_LIMITS)


def repair_json(repair: Repair) -> dict[str, Any]:
    """A repair for the command line and the API."""
    return {
        "message": repair.words,
        "verdict": repair.verdict,
        "size": repair.size,
        "for_example": repair.for_example,
        "changes": _changes_json(repair),
        "others": [
            {
                "card": other.card.key,
                "name": other.card.name,
                "instead_of": other.instead_of.key,
                "message": other.repair.words,
                "changes": _changes_json(other.repair),
            }
            for other in repair.alternatives
        ],
    }


def _changes_json(repair: Repair) -> list[dict[str, Any]]:
    return [
        {"card": None if card.written else card.key, "name": card.name, "section": section, "by": by}
        for card, section, by in ((change.card, change.section, change.by) for change in repair.changes)
    ]


# Changes in one repair.
MAX_CHANGES = 200
_CHANGE = re.compile(
    r"(?P<by>[+-][0-9]{1,3}) (?P<section>[\w-]{1,40}) (?P<code>[\x21-\x2b\x2d-\x7e]{1,200})", re.ASCII
)


def written(repair: Repair) -> str:
    """The changes as a form sends them back: ``-1 deck kai, +1 deck termite``."""
    return ", ".join(f"{change.by:+d} {change.section} {change.card.code}" for change in repair.changes)


def _refused(sentence: str, code: str = "changed_elsewhere", status: int = 409) -> Refused:
    return Refused(Fault(code, sentence, "change"), status=status)


def parse_changes(game: Game, deck: Decklist, posted: Iterable[str]) -> tuple[CardChange, ...]:
    """Read changes as forms send them. Raises Refused for invalid ones, and for unknown cards."""
    lines = [part.strip() for text in posted for part in text.split(",")]
    matches = [match for line in lines[: MAX_CHANGES + 1] if (match := _CHANGE.fullmatch(line))]
    if not lines or len(matches) < len(lines) or len(lines) > MAX_CHANGES:
        sentence = "That is no repair; look for repairs once more and choose one of them."
        raise _refused(sentence, "bad_change", 400)
    own = {entry.card.code: entry.card for entry in deck}
    cards = own | catalogue().listed(game.slug, {match["code"] for match in matches} - own.keys())
    changes = []
    for match in matches:
        code, section, by = match["code"], match["section"], int(match["by"])
        if code not in cards or section not in game.sections_by_slug or not by:
            sentence = (
                f"{game.name} has no card {code[:60]} for the section {section}; look for repairs once more."
            )
            raise _refused(sentence, "bad_change", 400)
        changes.append(CardChange(cards[code], section, by))
    return tuple(changes)


def repaired(judged: Judged, posted: Iterable[str]) -> Decklist:
    """The deck after changes that a form sent. Raises Refused if they no longer fit the deck or do not help
    it.
    """
    changes = parse_changes(judged.game, judged.deck, posted)
    try:
        deck = with_changes(judged.deck, changes)
    except ValueError as error:
        raise _refused(f"{error} The deck was changed since; look for repairs once more.") from None
    # No more copies come out of a line that is marked to be kept than the rules have too many.
    beyond = too_many(judged.report)
    marked = {(entry.card.key, entry.section) for entry in judged.deck if entry.marks.keep}
    out: Counter[tuple[str, str]] = Counter()
    for change in changes:
        place = (change.card.key, change.section)
        out[place] -= change.by
        if place in marked and out[place] > beyond[place]:
            raise _refused(
                f"{change.card.name} is marked to be kept, so it stays in the deck. Take the mark off first,"
                " or look for repairs once more."
            )
    if badness(judged.game.judge(deck, judged.format)) >= badness(judged.report):
        sentence = (
            "With these changes the deck would be no better than it is now. It was changed since; look for"
            " repairs once more."
        )
        raise _refused(sentence, "no_repair")
    return deck


def repairing(
    game: Game, posted: Iterable[str], leagues: LeagueLookup
) -> Callable[[DeckContent], DeckContent]:
    """A repair as an edit of a deck."""
    return lambda content: replace(content, deck=repaired(judge_content(game, content, leagues), posted))
