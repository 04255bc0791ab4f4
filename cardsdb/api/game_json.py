"""Games, sets, rules and glossaries as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardsdb.catalogue.card_json import credit_json
from cardsdb.catalogue.stats import CatalogueStats
from cardsdb.games.kit import CardSet, Citation, Claim, Game
from cardsdb.games.kit.model.cards import ENTRY_KINDS
from cardsdb.games.kit.model.guides import PlayGuide, PlayPart
from cardsdb.games.kit.model.rulebook import CitedClaim

SET_PARTS = ("key", "game", "code", "name", "year", "size", "official", "known")
RULE_PARTS = (
    "game",
    "code",
    "says",
    "document",
    "section",
    "lines",
    "pages",
    "url",
    "certainty",
    "about",
    "checked_in",
)
GAME_PARTS = (
    "slug",
    "name",
    "publisher",
    "year",
    "summary",
    "cards",
    "entries",
    "credit",
    "types",
    "formats",
    "kind",
    "league_formats",
)
GLOSSARY_PARTS = ("game", "slug", "term", "aliases", "meaning", "facts", "see", "source", "credit")


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


def kind_of(game: Game) -> str:
    """``data`` for a game without code of its own, else ``code``."""
    return "data" if game.is_data else "code"


def league_formats_at(game: Game) -> str:
    """Where the formats stand that people made of the game: they change while the edition stays."""
    return f"/api/v1/formats/?game={game.slug}"


def game_json(game: Game, stats: CatalogueStats, full: bool = False) -> dict[str, Any]:
    """A game and how many cards the catalogue holds of it; ``full`` adds its facts, sections, rules, rulings
    and starters.
    """
    answer: dict[str, Any] = {
        "slug": game.slug,
        "name": game.name,
        "publisher": game.publisher,
        "year": game.year,
        "summary": game.summary,
        "cards": stats.cards,
        "entries": {kind: stats.kinds.get(kind, 0) for kind in ENTRY_KINDS},
        "credit": credit_json(game),
        "types": [
            {"slug": t.slug, "name": t.name, "plural": t.plural, "kind": t.kind, "in_decks": t.in_decks}
            for t in game.types
        ],
        "formats": [
            {
                "slug": f.slug,
                "name": f.name,
                "help": f.help,
                "official": f.official,
                "sections": list(f.sections),
            }
            for f in game.formats
        ],
    }
    answer |= {"kind": kind_of(game), "league_formats": league_formats_at(game)}
    if not full:
        return answer
    answer["facts"] = [
        {
            "key": f.key,
            "kind": f.kind,
            "label": f.title,
            "help": f.help,
            "types": list(f.types),
            "aliases": list(f.aliases),
        }
        for f in game.facts
    ]
    answer["sections"] = [
        {"slug": s.slug, "name": s.name, "types": list(s.types), "secret": s.secret} for s in game.sections
    ]
    answer["rules"] = [rule_json(game, citation) for citation in game.citations.values()]
    answer["rulings"] = [
        {
            "id": r.id,
            "question": r.question,
            "treatment": r.treatment,
            "lines": r.lines,
            "rules": list(r.rules),
        }
        for r in game.rulings
    ]
    answer["starters"] = [
        {"slug": s.slug, "name": s.name, "format": s.format, "text": s.text} for s in game.starters
    ]
    return answer


def rule_json(game: Game, citation: Citation) -> dict[str, Any]:
    """A rule in our words, where it was read, and the formats that check it."""
    return {
        "game": game.slug,
        "code": citation.code,
        "says": citation.says,
        "document": game.documents[citation.document].title,
        "section": citation.section,
        "lines": citation.lines,
        "pages": list(game.documents[citation.document].pages_of(citation.lines)),
        "url": game.address_of(citation.document, citation.lines),
        "certainty": citation.certainty,
        "about": citation.about,
        "checked_in": [format.slug for format in game.formats_with(citation.code)],
    }


def glossary_json(game: Game) -> list[dict[str, Any]]:
    """The game's terms in the order of the alphabet, each with its source; empty if the game has no
    glossary.
    """
    return [
        {
            "game": game.slug,
            "slug": entry.slug,
            "term": entry.term,
            "aliases": list(entry.aliases),
            "meaning": entry.meaning,
            "facts": list(entry.facts),
            "see": list(entry.see),
            "source": _source(game, entry.source),
            "credit": credit_json(game),
        }
        for entry in game.glossary
    ]


def play_json(game: Game, guide: PlayGuide) -> dict[str, Any]:
    """How the game is played, part by part, each statement with its sources; who made it, and how far it can
    be played from here.
    """
    reach = guide.reach
    return {
        "game": game.slug,
        "reach": {"word": reach.word, "title": reach.title, "says": reach.says} if reach else None,
        "imprint": [
            {"label": line.label, "says": line.says, "url": line.url, "sources": _sources(game, line.sources)}
            for line in guide.imprint
        ],
        "parts": [_part_json(game, part) for part in guide.parts],
        "credit": credit_json(game),
    }


def _part_json(game: Game, part: PlayPart) -> dict[str, Any]:
    return {
        "slug": part.slug,
        "title": part.title,
        "says": part.says,
        "page": f"/games/{game.slug}/play/#{part.slug}",
        "ordered": part.ordered,
        "sources": _sources(game, part.sources),
        "steps": [
            {
                "title": step.title,
                "says": step.says,
                "note": step.note,
                "rulings": list(step.rulings),
                "sources": _sources(game, step.sources),
            }
            for step in part.steps
        ],
        "table": {"head": list(part.table.head), "rows": [list(row) for row in part.table.rows]}
        if part.table
        else None,
        "places": list(part.places),
    }


def _sources(game: Game, sources: Iterable[CitedClaim]) -> list[dict[str, Any]]:
    """The places that a statement stands on; ``rule`` is the code of one that is a rule."""
    return [{"rule": cited.code, **_source(game, cited.claim)} for cited in sources]


def _source(game: Game, claim: Claim) -> dict[str, Any]:
    return {
        "document": game.documents[claim.document].title,
        "section": claim.section,
        "lines": claim.lines,
        "pages": list(game.documents[claim.document].pages_of(claim.lines)),
        "url": game.address_of(claim.document, claim.lines),
        "certainty": claim.certainty,
        "note": claim.note,
    }
