"""Cards, sets and games as JSON: the same objects for the command line and the API."""

from __future__ import annotations

from typing import Any

from cardsdb.card_page import source_of
from cardsdb.games.kit import Card, CardSet, Game
from cardsdb.games.kit.game import Citation


def card_json(game: Game, card: Card, full: bool = False) -> dict[str, Any]:
    """A card; ``full`` adds every fact's sources."""
    facts = {key: list(value) if isinstance(value, tuple) else value for key, value in card.facts.items()}
    found: dict[str, Any] = {"key": card.key, "game": card.game, "code": card.code, "name": card.name, "type": card.type, "facts": facts}
    found["prints"] = [{"set": p.set, "number": p.number, "rarity": p.rarity, "code": p.code, "note": p.note} for p in card.prints]
    if not full:
        return found
    found["text"] = card.text
    found["aliases"] = list(card.aliases)
    found["note"] = card.note
    found["sources"] = {key: [_source_json(game, claim) for claim in card.claims(key)] for key in (*card.facts, *card.sources) if key}
    found["credit"] = credit_json(game)
    return found


def _source_json(game: Game, claim: Any) -> dict[str, Any]:
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


def set_json(game: Game, card_set: CardSet) -> dict[str, Any]:
    known = sum(any(p.set == card_set.code for p in card.prints) for card in game.cards)
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


def game_json(game: Game, full: bool = False) -> dict[str, Any]:
    """A game; ``full`` adds its facts, sections, formats, rules and rulings."""
    found: dict[str, Any] = {
        "slug": game.slug,
        "name": game.name,
        "publisher": game.publisher,
        "year": game.year,
        "summary": game.summary,
        "cards": len(game.cards),
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
    return {
        "code": citation.code,
        "says": citation.says,
        "document": game.documents[citation.document].title,
        "section": citation.section,
        "lines": citation.lines,
        "certainty": citation.certainty,
        "about": citation.about,
        "checked_in": [format.slug for format in game.formats_with(citation.code)],
    }
