"""Games, sets, rules and glossaries as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardsdb.api.serializers import picked
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
    about = picked(card_set, "code", "name", "year", "size", "official")
    return {"key": f"{game.slug}/{card_set.code}", "game": game.slug, **about, "known": known}


def kind_of(game: Game) -> str:
    """``data`` for a game without code of its own, else ``code``."""
    return "data" if game.is_data else "code"


def league_formats_at(game: Game) -> str:
    """The address of the formats that people made of the game: they change while the edition stays."""
    return f"/api/v1/formats/?game={game.slug}"


def game_json(game: Game, stats: CatalogueStats, full: bool = False) -> dict[str, Any]:
    """A game and how many cards the catalogue holds of it; ``full`` adds its facts, sections, rules, rulings
    and starters.
    """
    brief = {
        **picked(game, "slug", "name", "publisher", "year", "summary"),
        "cards": stats.cards,
        "entries": {kind: stats.kinds.get(kind, 0) for kind in ENTRY_KINDS},
        "credit": credit_json(game),
        "types": [picked(one, "slug", "name", "plural", "kind", "in_decks") for one in game.types],
        "formats": [picked(one, "slug", "name", "help", "official", "sections") for one in game.formats],
        "kind": kind_of(game),
        "league_formats": league_formats_at(game),
    }
    more = {
        "facts": [
            picked(one, "key", "kind") | {"label": one.title} | picked(one, "help", "types", "aliases")
            for one in game.facts
        ],
        "sections": [picked(one, "slug", "name", "types", "secret") for one in game.sections],
        "rules": [rule_json(game, citation) for citation in game.citations.values()],
        "rulings": [picked(one, "id", "question", "treatment", "lines", "rules") for one in game.rulings],
        "starters": [picked(one, "slug", "name", "format", "text") for one in game.starters],
    }
    return brief | more if full else brief


def rule_json(game: Game, citation: Citation) -> dict[str, Any]:
    """A rule in our words, where it was read, and the formats that check it."""
    return {
        "game": game.slug,
        **picked(citation, "code", "says"),
        **_place(game, citation),
        **picked(citation, "certainty", "about"),
        "checked_in": [format.slug for format in game.formats_with(citation.code)],
    }


def glossary_json(game: Game) -> list[dict[str, Any]]:
    """The game's terms in the order of the alphabet, each with its source; empty if the game has no
    glossary.
    """
    return [
        {
            "game": game.slug,
            **picked(entry, "slug", "term", "aliases", "meaning", "facts", "see"),
            "source": _source(game, entry.source),
            "credit": credit_json(game),
        }
        for entry in game.glossary
    ]


def play_json(game: Game, guide: PlayGuide) -> dict[str, Any]:
    """The guide to playing the game, part by part, each statement with its sources; who made it, and how
    far it can be played from here.
    """
    return {
        "game": game.slug,
        "reach": picked(guide.reach, "word", "title", "says") if guide.reach else None,
        "imprint": [
            picked(line, "label", "says", "url") | {"sources": _sources(game, line.sources)}
            for line in guide.imprint
        ],
        "parts": [_part_json(game, part) for part in guide.parts],
        "credit": credit_json(game),
    }


def _part_json(game: Game, part: PlayPart) -> dict[str, Any]:
    return {
        **picked(part, "slug", "title", "says"),
        "page": f"/games/{game.slug}/play/#{part.slug}",
        "ordered": part.ordered,
        "sources": _sources(game, part.sources),
        "steps": [
            picked(step, "title", "says", "note", "rulings") | {"sources": _sources(game, step.sources)}
            for step in part.steps
        ],
        "table": picked(part.table, "head", "rows") if part.table else None,
        "places": part.places,
    }


def _sources(game: Game, sources: Iterable[CitedClaim]) -> list[dict[str, Any]]:
    """The places that a statement stands on; ``rule`` is the code of one that is a rule."""
    return [{"rule": cited.code, **_source(game, cited.claim)} for cited in sources]


def _source(game: Game, claim: Claim) -> dict[str, Any]:
    return _place(game, claim) | picked(claim, "certainty", "note")


def _place(game: Game, read: Citation | Claim) -> dict[str, Any]:
    """The place in a document of the game where something was read."""
    document = game.documents[read.document]
    return {
        "document": document.title,
        **picked(read, "section", "lines"),
        "pages": document.pages_of(read.lines),
        "url": game.address_of(read.document, read.lines),
    }
