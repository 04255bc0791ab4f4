"""Repairs of a judged deck, of whatever cards they may be made. No database."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cardsdb.games.kit.repair.search import (
    USUAL_LIMITS,
    Candidates,
    Limits,
    Repair,
    barred_by_marks,
    smallest_repairs,
)
from decks.core.judging import Judged

# Beside a verdict a repair is looked for at once, with less patience; a deck that lacks more cards is not
# finished yet.
AT_ONCE = Limits(judgements=200, seconds=0.15, repairs=1, lacking=8)


def repairs_of(judged: Judged, candidates: Candidates, limits: Limits | None = None) -> tuple[Repair, ...]:
    """Up to five repairs, smallest first, with cards among the candidates: those of the catalogue, or of the
    game's folder.

    A list with unread lines gets none, since these may hold the cards that it lacks.
    """
    if judged.unread:
        return ()
    return smallest_repairs(judged.game, judged.deck, judged.format, candidates, limits or USUAL_LIMITS)


def repair_at_once(judged: Judged, candidates: Candidates) -> Repair | None:
    """The smallest repair of a pasted list as far as it is found at once: of what is illegal, and of a few
    cards that are lacking.

    Where lines are unread these may be the cards that are lacking, so that only what is illegal is mended.
    """
    limits = replace(AT_ONCE, lacking=0) if judged.unread else AT_ONCE
    found = smallest_repairs(judged.game, judged.deck, judged.format, candidates, limits)
    return found[0] if found else None


def barring(
    judged: Judged, candidates: Candidates, limits: Limits | None = None
) -> tuple[Repair, tuple[str, ...]] | None:
    """For a deck without a whole repair: the one that marks prevent, with the names of the marked cards; None
    if there is none.
    """
    if judged.unread:
        return None
    return barred_by_marks(judged.game, judged.deck, judged.format, candidates, limits or USUAL_LIMITS)


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
        {
            "card": None if change.card.written else change.card.key,
            "name": change.card.name,
            "section": change.section,
            "by": change.by,
        }
        for change in repair.changes
    ]
