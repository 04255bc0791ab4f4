"""What the card page shows: each fact with who says so, what disagrees, and what is unknown."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse

from cardsdb.games.kit import Card, Claim, Game
from cardsdb.games.kit.cards import as_words


@dataclass(frozen=True, slots=True)
class Source:
    """One claim, ready to be read."""

    document: str
    place: str
    certainty: str
    note: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class FactRow:
    """One fact of a card: its value (empty when unknown), who says so, and the claims that differ.

    ``common`` are the numbers, from 1, of the sources that stand behind the whole card; ``sources``
    those that speak of this fact alone.
    """

    key: str
    title: str
    help: str
    value: str
    common: tuple[int, ...] = ()
    sources: tuple[Source, ...] = ()
    others: tuple[Source, ...] = ()


def fact_rows(game: Game, card: Card) -> list[FactRow]:
    """Name and type, the facts a card has, then those it should have and nobody states."""
    known = [
        _row(game, card, "name", "Name", "What the card is called.", card.name),
        _row(game, card, "type", "Type", "What kind of card it is.", game.type_named(card.type).name),
    ]
    unknown = []
    for fact in game.facts_of(card.type):
        value = card.fact(fact.key)
        if value is not None:
            known.append(_row(game, card, fact.key, fact.title, fact.help, as_words(value)))
        elif fact.expected_of(card.type) and not any(key in card.facts for key in fact.unless):
            unknown.append(FactRow(fact.key, fact.title, fact.help, ""))
    return known + unknown


def _row(game: Game, card: Card, key: str, title: str, help: str, value: str) -> FactRow:
    behind_all = card.sources.get("", ())
    others = card.disagreements().get(key, ())
    claims = [claim for claim in card.claims(key) if claim not in others]
    common = tuple(behind_all.index(claim) + 1 for claim in claims if claim in behind_all)
    sources = tuple(source_of(game, claim) for claim in claims if claim not in behind_all)
    return FactRow(key, title, help, value, common, sources, tuple(source_of(game, claim) for claim in others))


def card_sources(game: Game, card: Card) -> list[Source]:
    """The sources behind the whole card, in the order of their numbers."""
    return [source_of(game, claim) for claim in card.sources.get("", ())]


def source_of(game: Game, claim: Claim) -> Source:
    """A claim as words: document, place in it, certainty."""
    if not claim.document:
        return Source("The author of the list", "", "outside", claim.note)
    lines = ("line " if claim.lines.isdigit() else "lines ") + claim.lines if claim.lines else ""
    place = ", ".join(part for part in (claim.section, lines) if part)
    value = (claim.value or "").replace("<=", "at most").replace(">=", "at least")
    return Source(game.document_named(claim.document).title, place, claim.certainty, claim.note, value)


def in_short(game: Game, card: Card, most: int = 6) -> str:
    """The card in a sentence for search engines and link previews: type, game and the first facts."""
    facts = [
        f"{fact.title} {as_words(card.facts[fact.key])}"
        for fact in game.facts_of(card.type)
        if fact.key in card.facts and fact.kind != "text"
    ]
    return ". ".join(part for part in (f"{game.type_named(card.type).name} of {game.name}", ", ".join(facts[:most])) if part) + "."


def address_of(name: str, *args: str) -> str:
    """An address of an app above the catalogue, which knows it by name alone; empty where that app is not installed."""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""
