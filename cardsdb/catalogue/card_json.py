"""A card as JSON: the same object for the API, the command line and the files of an edition."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from typing import Any

from cardsdb.games.kit import Card, Claim, Game
from cardsdb.games.kit.model.effects import EffectTags, EffectWords, told_lines

PRINT_PARTS = ("set", "number", "rarity", "code", "note")
# The parts of a card in a list, unless a request names others; and all parts, in order.
STANDARD_PARTS = ("key", "game", "code", "name", "type", "facts", "prints")
ALL_PARTS = (*STANDARD_PARTS, "text", "effects", "aliases", "note", "sources", "credit")

# Fact -> the claims about it; under "" those behind every fact that has none of its own.
Sources = dict[str, list[dict[str, Any]]]


def card_json(game: Game, card: Card, full: bool = False) -> dict[str, Any]:
    """A card; ``full`` adds every fact's sources. Facts stand in the order in which the game declares
    them.
    """
    keys = [fact.key for fact in game.facts if fact.key in card.facts]
    facts = {key: list(value) if isinstance(value := card.facts[key], tuple) else value for key in keys}
    standard = {part: getattr(card, part) for part in STANDARD_PARTS if part not in ("facts", "prints")}
    standard["facts"] = facts
    standard["prints"] = [{part: getattr(print_, part) for part in PRINT_PARTS} for print_ in card.prints]
    if not full:
        return standard
    sources = sources_json(game, card)
    # Name, type and text where a claim is made about them, and each of the card's facts.
    stated = [key for key in ("name", "type", "text") if key in card.sources]
    stated += [fact.key for fact in game.facts if fact.key in card.facts or fact.key in card.sources]
    return {
        **standard,
        "text": card.text,
        "effects": effects_json(game, card),
        "aliases": list(card.aliases),
        "note": card.note,
        "sources": {key: sources.get(key) or sources.get("", []) for key in stated},
        "credit": credit_json(game),
    }


def effects_json(game: Game, card: Card) -> list[dict[str, Any]]:
    """The lines of what the card does, each with the tags that follow from its words, who says so and how
    certain that is.

    A line in words that the game has no longer (of a retired card) has no tags.
    """
    return [
        {
            "line": line,
            "tags": _tags_json(game.effect_words, line),
            "source": _claim_json(game, claim),
            "certainty": claim.certainty,
        }
        for line, claim in told_lines(card)
    ]


def _tags_json(words: EffectWords | None, line: str) -> dict[str, list[str]]:
    tags = EffectTags()
    if words:
        with suppress(ValueError):
            tags = words.read(line)
    return {"when": list(tags.when), "does": list(tags.does), "target": list(tags.target)}


def sources_json(game: Game, card: Card) -> Sources:
    """The claims made about a card, as they are stored."""
    return {key: [_claim_json(game, claim) for claim in claims] for key, claims in card.sources.items()}


def _claim_json(game: Game, claim: Claim) -> dict[str, Any]:
    return {
        "document": document_title(game, claim),
        "section": claim.section,
        "lines": claim.lines,
        "url": game.address_of(claim.document, claim.lines) if claim.document else "",
        "certainty": claim.certainty,
        "value": claim.value,
        "note": claim.note,
    }


def document_title(game: Game, claim: Claim) -> str:
    """The title of the document that makes the claim; of a claim without one, who else makes it."""
    return game.document_named(claim.document).title if claim.document else "The author of the list"


def credit_json(game: Game) -> dict[str, str] | None:
    """The credit that must accompany the game's material, None if there is none."""
    return asdict(game.credit) if game.credit else None
