"""The rules for a cell and its two decks, SS-20 to SS-31, in the order of the rules page, and the formats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cardsdb.games.kit import Card, Decklist, Entry, Rule, Severity, Violation
from cardsdb.games.kit.model.cards import FactValue
from cardsdb.games.kit.model.format import names_of, whole
from cardsdb.games.kit.model.text import some
from cardsdb.games.steamspy.characters import TRAITS, survey

CORPORATION_KINDS = ("ally", "interrupt")
ORGANISATION_KINDS = ("equipment", "add-on", "creature")
KINDS = CORPORATION_KINDS + ORGANISATION_KINDS


_TRAIT_WORDS = frozenset(trait.casefold() for trait in TRAITS)


@dataclass(frozen=True)
class OneCorporation(Rule):
    """All cards of the corporation deck are of one corporation."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        by_corporation = {
            name: entries for name, entries in survey(deck).corporation.by_allegiance.items() if name
        }
        if unknown := survey(deck).corporation.by_allegiance.get(None):
            yield self.broken("allegiance-unknown", Severity.UNKNOWN, unknown, what="corporation")
        if len(by_corporation) > 1:
            ordered = sorted(
                by_corporation.values(), key=lambda entries: -sum(entry.count for entry in entries)
            )
            yield self.broken(
                "mixed",
                Severity.ILLEGAL,
                what="The corporation",
                cards=tuple(name for entries in ordered for name in names_of(entries)),
                found=tuple(by_corporation),
                wanted=1,
                excess=tuple((entry, entry.count) for entries in ordered[1:] for entry in entries),
            )


@dataclass(frozen=True)
class Represented(Rule):
    """Every card of a deck belongs to a corporation or organisation (``fact``) that some character has.

    ``report_unknown`` is off where another rule already reports cards whose allegiance is unknown.
    """

    fact: str = "organisation"
    report_unknown: bool = True

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        looked = survey(deck)
        # A character who has chosen none counts for nothing.
        present = {allegiance for sheet in looked.cell if (allegiance := sheet.allegiance(self.fact)) != ""}
        for name, entries in looked.part(self.fact).by_allegiance.items():
            if name is None or name in present:
                continue
            # A character whose corporation no source knows may be meant for this one.
            doubtful = None in present
            severity = Severity.UNKNOWN if doubtful else Severity.ILLEGAL if present else Severity.INCOMPLETE
            yield self.broken(
                "nobody-known" if doubtful else "nobody",
                severity,
                what=self.fact,
                cards=names_of(entries),
                found=name,
                excess=(whole(entries) if severity is Severity.ILLEGAL else ()),
            )
        unknown = looked.part(self.fact).by_allegiance.get(None)
        if unknown and self.report_unknown:
            yield self.broken("allegiance-unknown", Severity.UNKNOWN, unknown, what=self.fact)


@dataclass(frozen=True)
class OneOfEachName(Rule):
    """No two cards of a deck bear one name, whatever their case; a name shared with the ``other`` deck is
    noted.
    """

    of: str = ""
    other: str = ""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        named = survey(deck).part(self.of).by_name
        for entries in named.values():
            if len(entries) == 1 and entries[0].count == 1:
                continue
            surplus = [(entry, entry.count) for entry in entries[1:]]
            surplus += [(entries[0], entries[0].count - 1)] if entries[0].count > 1 else []
            yield self.broken(
                "too-many-copies",
                Severity.ILLEGAL,
                entries,
                found=sum(entry.count for entry in entries),
                wanted=1,
                excess=tuple(surplus),
            )
        others = survey(deck).part(self.other).by_name if self.other else {}
        if both := [named[name][0] for name in named if name in others]:
            yield self.broken("in-both", Severity.NOTE, both)


@dataclass(frozen=True)
class DrawDeck(Rule):
    """Notes the size of the draw deck, which is both decks together and so follows from the size of each."""

    cards: int = 56
    numbers = {"cards": "cards in the draw deck, pointed out otherwise"}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        count = sum(entry.count for entry in _drawn(deck))
        if count != self.cards:
            yield self.broken("draw-deck", Severity.NOTE, found=count, wanted=self.cards)


@dataclass(frozen=True)
class KindsInTheirDecks(Rule):
    """Allies and interrupts are described as corporation cards, the other kinds as organisation cards."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for part, other in (
            (survey(deck).corporation, ORGANISATION_KINDS),
            (survey(deck).organisation, CORPORATION_KINDS),
        ):
            if odd := [entry for entry in part.entries if entry.card.type in other]:
                yield self.broken("odd-kind", Severity.NOTE, odd, what=part.fact)


@dataclass(frozen=True)
class InitiativeOnEach(Rule):
    """Every card names approved traits for both sides; a card that does not say them is noted."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        missing, wrong = [], []
        strange: list[str] = []
        for entry in _drawn(deck):
            facts = entry.card.facts
            protagonist, antagonist = facts.get("protagonist"), facts.get("antagonist")
            if protagonist is None or antagonist is None:
                missing.append(entry)
            if odd := _no_traits(protagonist, antagonist):
                wrong.append(entry)
                strange += odd
        if missing:
            yield self.broken("no-initiative", Severity.NOTE, missing)
        if wrong:
            yield self.broken("not-a-trait", Severity.NOTE, wrong, found=tuple(dict.fromkeys(strange)))


def _no_traits(*sides: FactValue | None) -> tuple[str, ...]:
    """The words of an initiative field that are not traits."""
    return tuple(
        word
        for words in sides
        if isinstance(words, tuple)
        for word in words
        if word.casefold() not in _TRAIT_WORDS
    )


@dataclass(frozen=True)
class Downloads(Rule):
    """Notes how many cards the cell's download abilities add to the opening five."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if able := tuple(sheet.name for sheet in survey(deck).cell if sheet.download):
            yield self.broken("downloads", Severity.NOTE, cards=able, found=some(len(able), "card"), wanted=5)


@dataclass(frozen=True)
class AddOnsHaveEquipment(Rule):
    """An add-on needs equipment in play; one without any of its type in the decks can never be played.

    Nothing is said while a card's kind is not known, since it may be the equipment.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        add_ons = [entry for entry in deck.entries if entry.card.type == "add-on"]
        if not add_ons or any(
            entry.card.type in ("corporation-card", "organisation-card") for entry in deck.entries
        ):
            return
        types = {_encounter(entry.card) for entry in deck.entries if entry.card.type == "equipment"}
        dead = [
            entry
            for entry in add_ons
            if not types
            or (_encounter(entry.card) and "" not in types and _encounter(entry.card) not in types)
        ]
        if dead:
            yield self.broken("no-equipment", Severity.NOTE, dead)


def _drawn(deck: Decklist) -> list[Entry]:
    looked = survey(deck)
    return looked.corporation.entries + looked.organisation.entries


def _encounter(card: Card) -> str:
    return str(card.facts.get("encounter_type") or "").casefold()
