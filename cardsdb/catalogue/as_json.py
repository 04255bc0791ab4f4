"""Cards, games, sets, rules, glossaries and play guides as JSON-ready dicts.

The API, the command line and the files of an edition (``edition_files.py``) all use these functions, so the
same thing looks the same everywhere. Keys are public: they appear in ``docs/api.md`` and in stored files. A
new key also goes into ``cardsdb/api/answers.toml``; a change of ``card_json`` needs a new ``FORM`` in
``edition_files.py``. Tests: ``tests/cardsdb/api/test_views.py`` and ``test_schema_holds.py``.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from cardsdb.catalogue.stats import stats_of
from cardsdb.games.kit import ENTRY_KINDS, Card, Citation, Claim, Game
from cardsdb.games.kit.model.effects import EffectTags, told_lines
from cardsdb.games.kit.model.play_guide import PlayGuide, PlayPart
from cardsdb.games.kit.model.rulebook import CitedClaim

# Keys of a print.
PRINT_PARTS = ("set", "number", "rarity", "code", "note")
# Keys of a card in a list, unless a request names others; and all keys, in order.
STANDARD_PARTS = ("key", "game", "code", "name", "type", "facts", "prints")
ALL_PARTS = (*STANDARD_PARTS, "text", "effects", "aliases", "note", "sources", "credit")


def picked(row: Any, *names: str) -> dict[str, Any]:
    """Return name -> value of these attributes."""
    return {name: getattr(row, name) for name in names}


# -- cards -------------------------------------------------------------------------------


def card_json(game: Game, card: Card, full: bool = False) -> dict[str, Any]:
    """Return a card with the keys of STANDARD_PARTS, or of ALL_PARTS if ``full``. Facts are in the order in
    which the game declares them.
    """
    facts = {fact.key: card.facts[fact.key] for fact in game.facts if fact.key in card.facts}
    standard = picked(card, "key", "game", "code", "name", "type") | {
        "facts": {key: list(value) if isinstance(value, tuple) else value for key, value in facts.items()},
        "prints": [picked(print_, *PRINT_PARTS) for print_ in card.prints],
    }
    if not full:
        return standard
    sources = sources_json(game, card)
    # Keys with sources: name, type and text if there are claims about them, and every fact.
    stated = [key for key in ("name", "type", "text") if key in card.sources]
    stated += [fact.key for fact in game.facts if fact.key in card.facts or fact.key in card.sources]
    return {
        **standard,
        "text": card.text,
        "effects": effects_json(game, card),
        "aliases": list(card.aliases),
        "note": card.note,
        # The key "" has the claims behind all facts that have none of their own.
        "sources": {key: sources.get(key) or sources.get("", []) for key in stated},
        "credit": credit_json(game),
    }


def effects_json(game: Game, card: Card) -> list[dict[str, Any]]:
    """Return the lines that tell what the card does, each with its sentence, tags, source and certainty.

    A line of a retired card may have words that the game no longer knows; it has no tags.
    """
    effects = []
    # Not strict, because a card without text has one empty line and no sentence.
    sentences = dict(zip(card.text.split("\n"), card.sentences, strict=False))
    for line, claim in told_lines(card):
        tags = EffectTags()
        with suppress(ValueError):
            tags = game.effect_words.read(line) if game.effect_words else tags
        effects.append(
            {
                "line": line,
                "sentence": sentences.get(line, "").replace("**", ""),
                "tags": {key: list(values) for key, values in picked(tags, "when", "does", "target").items()},
                "source": _claim_json(game, claim),
                "certainty": claim.certainty,
            }
        )
    return effects


def sources_json(game: Game, card: Card) -> dict[str, list[dict[str, Any]]]:
    """Return key of a fact -> the claims about it. The key "" has the claims behind every fact that has none
    of its own.
    """
    return {key: [_claim_json(game, claim) for claim in claims] for key, claims in card.sources.items()}


def _claim_json(game: Game, claim: Claim) -> dict[str, Any]:
    """Return a claim with its document and place."""
    return {
        "document": document_title(game, claim),
        **picked(claim, "section", "lines"),
        "url": game.address_of(claim.document, claim.lines) if claim.document else "",
        **picked(claim, "certainty", "value", "note"),
    }


def document_title(game: Game, claim: Claim) -> str:
    """Return the title of the claim's document; without a document, the claim is the list author's."""
    return game.document_named(claim.document).title if claim.document else "The author of the list"


def credit_json(game: Game) -> dict[str, str] | None:
    """Return the credit that the licence of the game's material asks for; None if it asks for none."""
    return asdict(game.credit) if game.credit else None


# -- games ------------------------------------------------------------------------------


def sets_json(game: Game) -> list[dict[str, Any]]:
    """Return the game's sets. ``known``: number of prints of the set in the catalogue."""
    known = stats_of(game.slug).sets
    return [
        {
            "key": f"{game.slug}/{card_set.code}",
            "game": game.slug,
            **picked(card_set, "code", "name", "year", "size", "official"),
            "known": known.get(card_set.code, 0),
        }
        for card_set in game.sets
    ]


def game_json(game: Game, full: bool = False) -> dict[str, Any]:
    """Return a game with the number of its cards; ``full`` adds facts, sections, rules, rulings and starters.

    ``league_formats`` is only a URL: formats that people made change without a new edition, and this object
    is cached by edition.
    """
    stats = stats_of(game.slug)
    brief = {
        **picked(game, "slug", "name", "publisher", "year", "summary"),
        "cards": stats.cards,
        "entries": {kind: stats.kinds.get(kind, 0) for kind in ENTRY_KINDS},
        "credit": credit_json(game),
        "types": [picked(row, "slug", "name", "plural", "kind", "in_decks") for row in game.types],
        "formats": [picked(row, "slug", "name", "help", "official", "sections") for row in game.formats],
        "kind": "data" if game.is_data else "code",
        "league_formats": f"/api/v1/formats/?game={game.slug}",
    }
    if not full:
        return brief
    return brief | {
        "facts": [
            picked(row, "key", "kind") | {"label": row.title} | picked(row, "help", "types", "aliases")
            for row in game.facts
        ],
        "sections": [picked(row, "slug", "name", "types", "secret") for row in game.sections],
        "rules": rules_json(game),
        "rulings": [picked(row, "id", "question", "treatment", "lines", "rules") for row in game.rulings],
        "starters": [picked(row, "slug", "name", "format", "text") for row in game.starters],
    }


def rules_json(game: Game) -> list[dict[str, Any]]:
    """Return the game's rules in our words, with their places and the slugs of the formats
    that check them.
    """
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
    """Return the game's terms in alphabetical order with their sources; empty without a glossary."""
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
    """Return the play guide of a game: its parts and steps with sources, its imprint, and how far the game
    can be played with what this site has.
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
    """Return a part of a play guide with its steps."""
    steps = [
        picked(step, "title", "says", "note", "rulings") | {"sources": _sources(game, step.sources)}
        for step in part.steps
    ]
    return {
        **picked(part, "slug", "title", "says"),
        "page": f"/games/{game.slug}/play/#{part.slug}",
        "ordered": part.ordered,
        "sources": _sources(game, part.sources),
        "steps": steps,
        "table": picked(part.table, "head", "rows") if part.table else None,
        "places": part.places,
    }


def _sources(game: Game, sources: Iterable[CitedClaim]) -> list[dict[str, Any]]:
    """Return the sources of a statement. ``rule``: the code of a source that is a rule, else empty."""
    return [{"rule": cited.code, **_source(game, cited.claim)} for cited in sources]


def _source(game: Game, claim: Claim) -> dict[str, Any]:
    """Return a claim about a statement: its place, certainty and note."""
    return _place(game, claim) | picked(claim, "certainty", "note")


def _place(game: Game, source: Citation | Claim) -> dict[str, Any]:
    """Return the place of a citation or claim in its document."""
    document = game.documents[source.document]
    return {
        "document": document.title,
        **picked(source, "section", "lines"),
        "pages": document.pages_of(source.lines),
        "url": game.address_of(source.document, source.lines),
    }
