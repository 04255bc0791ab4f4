"""Cards, games, sets, rules and glossaries as JSON: the same objects for the API, the command line and the
files of an edition.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from cardsdb.catalogue.stats import stats_of
from cardsdb.games.kit import ENTRY_KINDS, Card, Citation, Claim, Game
from cardsdb.games.kit.model.effects import EffectTags, told_lines
from cardsdb.games.kit.model.play_guide import PlayGuide
from cardsdb.games.kit.model.rulebook import CitedClaim

PRINT_PARTS = ("set", "number", "rarity", "code", "note")
# The parts of a card in a list, unless a request names others; and all parts, in order.
STANDARD_PARTS = ("key", "game", "code", "name", "type", "facts", "prints")
ALL_PARTS = (*STANDARD_PARTS, "text", "effects", "aliases", "note", "sources", "credit")


def picked(row: Any, *names: str) -> dict[str, Any]:
    """Return these attributes of a row by their names."""
    return {name: getattr(row, name) for name in names}


# -- cards -------------------------------------------------------------------------------


def card_json(game: Game, card: Card, full: bool = False) -> dict[str, Any]:
    """A card; ``full`` adds every fact's sources. Facts stand in the order in which the game declares
    them.
    """
    facts = {fact.key: card.facts[fact.key] for fact in game.facts if fact.key in card.facts}
    standard = picked(card, "key", "game", "code", "name", "type") | {
        "facts": {key: list(value) if isinstance(value, tuple) else value for key, value in facts.items()},
        "prints": [picked(print_, *PRINT_PARTS) for print_ in card.prints],
    }
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
    effects = []
    sentences = dict(zip(card.text.split("\n"), card.sentences, strict=False))
    for line, claim in told_lines(card):
        tags = EffectTags()
        with suppress(ValueError):
            tags = game.effect_words.read(line) if game.effect_words else tags
        told = {name: list(values) for name, values in picked(tags, "when", "does", "target").items()}
        source = _claim_json(game, claim)
        effects.append(
            {"line": line, "sentence": sentences.get(line, "").replace("**", ""), "tags": told}
            | {"source": source, "certainty": claim.certainty}
        )
    return effects


def sources_json(game: Game, card: Card) -> dict[str, list[dict[str, Any]]]:
    """The claims made about each fact of a card, as they are stored; under "" those behind every fact that
    has none of its own.
    """
    return {key: [_claim_json(game, claim) for claim in claims] for key, claims in card.sources.items()}


def _claim_json(game: Game, claim: Claim) -> dict[str, Any]:
    return {
        "document": document_title(game, claim),
        **picked(claim, "section", "lines"),
        "url": game.address_of(claim.document, claim.lines) if claim.document else "",
        **picked(claim, "certainty", "value", "note"),
    }


def document_title(game: Game, claim: Claim) -> str:
    """The title of the document that makes the claim; of a claim without one, who else makes it."""
    return game.document_named(claim.document).title if claim.document else "The author of the list"


def credit_json(game: Game) -> dict[str, str] | None:
    """The credit that must accompany the game's material, None if there is none."""
    return asdict(game.credit) if game.credit else None


# -- games ------------------------------------------------------------------------------


def sets_json(game: Game) -> list[dict[str, Any]]:
    """The game's sets, each with how many of its prints the catalogue knows."""
    known = stats_of(game.slug).sets
    return [
        {
            "key": f"{game.slug}/{one.code}",
            "game": game.slug,
            **picked(one, "code", "name", "year", "size", "official"),
            "known": known.get(one.code, 0),
        }
        for one in game.sets
    ]


def game_json(game: Game, full: bool = False) -> dict[str, Any]:
    """A game and how many cards the catalogue holds of it; ``full`` adds its facts, sections, rules, rulings
    and starters. Formats that people made of it are at an address: they change while the edition stays.
    """
    stats = stats_of(game.slug)
    brief = {
        **picked(game, "slug", "name", "publisher", "year", "summary"),
        "cards": stats.cards,
        "entries": {kind: stats.kinds.get(kind, 0) for kind in ENTRY_KINDS},
        "credit": credit_json(game),
        "types": [picked(one, "slug", "name", "plural", "kind", "in_decks") for one in game.types],
        "formats": [picked(one, "slug", "name", "help", "official", "sections") for one in game.formats],
        "kind": "data" if game.is_data else "code",
        "league_formats": f"/api/v1/formats/?game={game.slug}",
    }
    more = {
        "facts": [
            picked(one, "key", "kind") | {"label": one.title} | picked(one, "help", "types", "aliases")
            for one in game.facts
        ],
        "sections": [picked(one, "slug", "name", "types", "secret") for one in game.sections],
        "rules": rules_json(game),
        "rulings": [picked(one, "id", "question", "treatment", "lines", "rules") for one in game.rulings],
        "starters": [picked(one, "slug", "name", "format", "text") for one in game.starters],
    }
    return brief | more if full else brief


def rules_json(game: Game) -> list[dict[str, Any]]:
    """The game's rules in our words, where each was read, and the formats that check it."""
    return [
        {
            "game": game.slug,
            **picked(citation, "code", "says"),
            **_place(game, citation),
            **picked(citation, "certainty", "about"),
            "checked_in": [format.slug for format in game.formats_with(citation.code)],
        }
        for citation in game.citations.values()
    ]


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
        "parts": [
            {
                **picked(part, "slug", "title", "says"),
                "page": f"/games/{game.slug}/play/#{part.slug}",
                "ordered": part.ordered,
                "sources": _sources(game, part.sources),
                "steps": [
                    picked(step, "title", "says", "note", "rulings")
                    | {"sources": _sources(game, step.sources)}
                    for step in part.steps
                ],
                "table": picked(part.table, "head", "rows") if part.table else None,
                "places": part.places,
            }
            for part in guide.parts
        ],
        "credit": credit_json(game),
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
