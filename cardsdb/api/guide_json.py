"""Glossaries and set-ups as JSON, for the API."""

from __future__ import annotations

from typing import Any

from cardsdb.api.card_json import credit_json
from cardsdb.games import games
from cardsdb.games.kit import Claim, Game
from cardsdb.games.kit.model.set_up import Guide, Quantity, StepSource


def glossary_json(game: Game) -> list[dict[str, Any]]:
    """The game's terms in the order of the alphabet, each with its source; empty if the game has no glossary."""
    return [
        {
            "game": game.slug,
            "slug": entry.slug,
            "term": entry.term,
            "aliases": list(entry.aliases),
            "meaning": entry.meaning,
            "facts": list(entry.facts),
            "see": list(entry.see),
            "source": _claim_json(game, entry.source),
            "credit": credit_json(game),
        }
        for entry in game.glossary
    ]


def guide_json(guide: Guide) -> dict[str, Any]:
    """A set-up for one choice. A number nobody states is null; ``at_least`` marks a lower bound."""
    game = games()[guide.game]
    return {
        "game": guide.game,
        "players": guide.players,
        "options": dict(guide.options),
        "steps": [
            {
                "number": step.number,
                "title": step.title,
                "says": step.says,
                "quantities": [_quantity_json(game, quantity) for quantity in step.quantities],
                "sources": [_cited_json(game, cited) for cited in step.sources],
            }
            for step in guide.steps
        ],
        "components": [_quantity_json(game, component) for component in guide.components],
        "open": [{"question": asked.question, "treatment": asked.treatment, "ruling": asked.ruling} for asked in guide.open],
        "credit": credit_json(game),
    }


def _quantity_json(game: Game, quantity: Quantity) -> dict[str, Any]:
    return {
        "what": quantity.what,
        "kind": quantity.kind,
        "total": quantity.total,
        "each": quantity.each,
        "at_least": quantity.least,
        "sources": [_cited_json(game, cited) for cited in quantity.sources],
    }


def _cited_json(game: Game, cited: StepSource) -> dict[str, Any]:
    return {"code": cited.code, **_claim_json(game, cited.claim)}


def _claim_json(game: Game, claim: Claim) -> dict[str, Any]:
    return {
        "document": game.documents[claim.document].title,
        "section": claim.section,
        "lines": claim.lines,
        "certainty": claim.certainty,
        "note": claim.note,
    }
