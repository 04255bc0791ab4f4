"""What the card page shows: each fact with who says so, what disagrees, and what is unknown."""

from __future__ import annotations

from dataclasses import dataclass

from cardsdb.games.kit import Card, Claim, Fact, Game
from cardsdb.games.kit.cards import as_words

UNKNOWN = "not stated in any source we have"


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
    """One fact of a card: its value (empty when unknown), its sources, and the claims that differ."""

    fact: Fact
    value: str
    sources: tuple[Source, ...]
    others: tuple[Source, ...]

    @property
    def key(self) -> str:
        return self.fact.key


def fact_rows(game: Game, card: Card) -> list[FactRow]:
    """The facts a card has, then those it should have and nobody states."""
    disagreements = card.disagreements()
    known, unknown = [], []
    for fact in game.facts_of(card.type):
        value = card.fact(fact.key)
        others = tuple(source_of(game, claim) for claim in disagreements.get(fact.key, ()))
        if value is not None:
            claims = [claim for claim in card.claims(fact.key) if claim not in disagreements.get(fact.key, ())]
            known.append(FactRow(fact, as_words(value), tuple(source_of(game, claim) for claim in claims), others))
        elif fact.expected_of(card.type):
            unknown.append(FactRow(fact, "", (), others))
    return known + unknown


def source_of(game: Game, claim: Claim) -> Source:
    """A claim as words: document, place in it, certainty."""
    if not claim.document:
        return Source("The author of the list", "", "outside", claim.note)
    lines = ("line " if claim.lines.isdigit() else "lines ") + claim.lines if claim.lines else ""
    place = ", ".join(part for part in (claim.section, lines) if part)
    return Source(game.documents[claim.document].title, place, claim.certainty, claim.note, claim.value or "")


def name_rows(game: Game, card: Card) -> list[tuple[str, list[Source]]]:
    """Claims about the name and the type themselves, where there are any."""
    return [(key, [source_of(game, claim) for claim in card.sources[key]]) for key in ("name", "type") if key in card.sources]


def sourced_count(card: Card) -> tuple[int, int]:
    """(facts, facts that carry a source) of a card, for the catalogue's own statistics."""
    return len(card.facts), sum(1 for key in card.facts if card.claims(key))
