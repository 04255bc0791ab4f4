"""Cards, sets and games as JSON: the same objects for the command line and the API."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from cardsdb.catalogue.stats import CatalogueStats
from cardsdb.games.kit import Card, CardSet, Claim, Game
from cardsdb.games.kit.model.citation import Citation
from cardsdb.web.pages.card_page import source_of

PRINT_PARTS = ("set", "number", "rarity", "code", "note")
# What a list gives of a card unless more is asked for, and all there is, in order.
STANDARD_PARTS = ("key", "game", "code", "name", "type", "facts", "prints")
ALL_PARTS = (*STANDARD_PARTS, "text", "aliases", "note", "sources", "credit")
SET_PARTS = ("key", "game", "code", "name", "year", "size", "official", "known")
RULE_PARTS = ("game", "code", "says", "document", "section", "lines", "certainty", "about", "checked_in")
GAME_PARTS = ("slug", "name", "publisher", "year", "summary", "cards", "credit", "types", "formats")


def card_json(game: Game, card: Card, full: bool = False) -> dict[str, Any]:
    """A card; ``full`` adds every fact's sources. Facts stand in the order the game declares them, whatever kept them."""
    keys = [fact.key for fact in game.facts if fact.key in card.facts]
    facts = {key: list(value) if isinstance(value := card.facts[key], tuple) else value for key in keys}
    found: dict[str, Any] = {"key": card.key, "game": card.game, "code": card.code, "name": card.name, "type": card.type, "facts": facts}
    found["prints"] = [{part: getattr(print_, part) for part in PRINT_PARTS} for print_ in card.prints]
    if not full:
        return found
    found["text"] = card.text
    found["aliases"] = list(card.aliases)
    found["note"] = card.note
    found["sources"] = {key: [source_json(game, claim) for claim in card.claims(key)] for key in sourced(game, card.facts, card.sources)}
    found["credit"] = credit_json(game)
    return found


def sourced(game: Game, facts: Container[str], sources: Container[str]) -> list[str]:
    """The keys whose sources a card tells: of what every card has if something is said of it, and of each of its facts."""
    spoken_of = [key for key in ("name", "type", "text") if key in sources]
    return spoken_of + [fact.key for fact in game.facts if fact.key in facts or fact.key in sources]


def source_json(game: Game, claim: Claim) -> dict[str, Any]:
    source = source_of(game, claim)
    return {
        "document": source.document,
        "section": claim.section,
        "lines": claim.lines,
        "certainty": claim.certainty,
        "value": claim.value,
        "note": claim.note,
    }


def credit_json(game: Game) -> dict[str, str] | None:
    """The credit that must accompany the game's material, None if there is none."""
    credit = game.credit
    if credit is None:
        return None
    return {
        "text": credit.text,
        "licence": credit.licence,
        "licence_url": credit.licence_url,
        "work_url": credit.work_url,
        "changes": credit.changes,
    }


def set_json(game: Game, card_set: CardSet, known: int) -> dict[str, Any]:
    """A set, of which the catalogue knows so many cards."""
    return {
        "key": f"{game.slug}/{card_set.code}",
        "game": game.slug,
        "code": card_set.code,
        "name": card_set.name,
        "year": card_set.year,
        "size": card_set.size,
        "official": card_set.official,
        "known": known,
    }


def game_json(game: Game, stats: CatalogueStats, full: bool = False) -> dict[str, Any]:
    """A game and how many cards the catalogue holds of it; ``full`` adds its facts, sections, rules, rulings and starters."""
    found: dict[str, Any] = {
        "slug": game.slug,
        "name": game.name,
        "publisher": game.publisher,
        "year": game.year,
        "summary": game.summary,
        "cards": stats.cards,
        "credit": credit_json(game),
        "types": [{"slug": t.slug, "name": t.name, "plural": t.plural, "in_decks": t.in_decks} for t in game.types],
        "formats": [
            {"slug": f.slug, "name": f.name, "help": f.help, "official": f.official, "sections": list(f.sections)} for f in game.formats
        ],
    }
    if not full:
        return found
    found["facts"] = [
        {"key": f.key, "kind": f.kind, "label": f.title, "help": f.help, "types": list(f.types), "aliases": list(f.aliases)}
        for f in game.facts
    ]
    found["sections"] = [{"slug": s.slug, "name": s.name, "types": list(s.types), "secret": s.secret} for s in game.sections]
    found["rules"] = [rule_json(game, citation) for citation in game.citations.values()]
    found["rulings"] = [
        {"id": r.id, "question": r.question, "treatment": r.treatment, "lines": r.lines, "rules": list(r.rules)} for r in game.rulings
    ]
    found["starters"] = [{"slug": s.slug, "name": s.name, "format": s.format, "text": s.text} for s in game.starters]
    return found


def rule_json(game: Game, citation: Citation) -> dict[str, Any]:
    """A rule in our words, where it was read, and the formats that check it."""
    return {
        "game": game.slug,
        "code": citation.code,
        "says": citation.says,
        "document": game.documents[citation.document].title,
        "section": citation.section,
        "lines": citation.lines,
        "certainty": citation.certainty,
        "about": citation.about,
        "checked_in": [format.slug for format in game.formats_with(citation.code)],
    }
