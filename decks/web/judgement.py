"""A judged deck as templates need it: its verdict, and its cards by section and type."""

from __future__ import annotations

from typing import Any

from cardsdb.games.kit import Game
from decks.core.content import by_type
from decks.core.judging import Judged
from decks.identity.viewer import Viewer
from decks.models import Deck


def judged_context(judged: Judged) -> dict[str, Any]:
    """What the verdict and the list need in a template."""
    violations = judged.violation_views()
    return {
        "judged": judged,
        "game": judged.game,
        "violations": violations,
        "grave": [view for view in violations if view.severity != "note"],
        "sections": deck_sections(judged),
        "details": [(d.label, judged.deck.details[d.key]) for d in judged.format.details if d.key in judged.deck.details],
    }


def deck_sections(judged: Judged) -> list[dict[str, Any]]:
    """The deck by section and, within one, by type, each with its counts."""
    game, sections = judged.game, []
    for section in game.sections:
        entries = judged.deck.in_section(section.slug)
        if not entries:
            continue
        groups = [
            {"type": card_type, "entries": of_type, "count": sum(entry.count for entry in of_type)}
            for card_type, of_type in by_type(game, section, entries)
        ]
        sections.append({"section": section, "groups": groups, "count": sum(entry.count for entry in entries)})
    return sections


def sections_hidden_from(viewer: Viewer, deck: Deck, game: Game) -> list[str]:
    """The names of the sections of a deck's format that this visitor is not shown."""
    if deck.shows_secrets_to(viewer):
        return []
    return [section.name for section in game.sections if section.secret and section.slug in deck.format_used(game).sections]
