"""What the card page shows: each fact with who says so, what disagrees, and what is unknown."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse

from cardsdb.catalogue.card_json import document_title
from cardsdb.games.kit import Card, Claim, Game
from cardsdb.games.kit.model.cards import as_words

# A short title is no longer than this if there is a comma to cut it at.
SHORT = 48


@dataclass(frozen=True, slots=True)
class Source:
    """One claim, ready to be read. ``url``: the document's public address, if it has one."""

    document: str
    place: str
    certainty: str
    note: str = ""
    value: str = ""
    url: str = ""

    @property
    def short(self) -> str:
        """The document's title up to what only explains it."""
        whole = re.match(r"[^“(:]+", self.document)
        title = whole[0].strip() if whole else self.document
        return title if len(title) <= SHORT else title.partition(", ")[0]

    @property
    def in_full(self) -> str:
        """Everything in one line: document, place, certainty."""
        return f"{', '.join(part for part in (self.document, self.place) if part)} · {self.certainty}"


@dataclass(frozen=True, slots=True)
class FactRow:
    """One fact of a card: its value (empty when unknown), who says so, and the claims that differ.

    ``numbered`` are those of the card's sources that stand behind it, each with its number from 1;
    ``sources`` those that speak of this fact alone.
    """

    key: str
    title: str
    help: str
    value: str
    numbered: tuple[tuple[int, Source], ...] = ()
    sources: tuple[Source, ...] = ()
    others: tuple[Source, ...] = ()

    @property
    def common(self) -> tuple[int, ...]:
        return tuple(number for number, _ in self.numbered)


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
    numbered = tuple((behind_all.index(claim) + 1, source_of(game, claim)) for claim in claims if claim in behind_all)
    sources = tuple(source_of(game, claim) for claim in claims if claim not in behind_all)
    return FactRow(key, title, help, value, numbered, sources, tuple(source_of(game, claim) for claim in others))


def card_sources(game: Game, card: Card) -> list[Source]:
    """The sources behind the whole card, in the order of their numbers."""
    return [source_of(game, claim) for claim in card.sources.get("", ())]


def source_of(game: Game, claim: Claim) -> Source:
    """A claim as words: document, place in it, certainty."""
    if not claim.document:
        return Source(document_title(game, claim), "", "outside", claim.note)
    lines = ("line " if claim.lines.isdigit() else "lines ") + claim.lines if claim.lines else ""
    place = ", ".join(part for part in (claim.section, lines) if part)
    value = (claim.value or "").replace("<=", "at most").replace(">=", "at least")
    document = game.document_named(claim.document)
    return Source(document.title, place, claim.certainty, claim.note, value, document.url)


def true_size(game: Game) -> str:
    """A card's width and height: ``63.5 × 88.9 mm``."""
    width, height = (f"{side / 1000:g}" for side in game.trim)
    return f"{width} × {height} mm"


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
