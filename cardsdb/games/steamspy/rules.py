"""The rules of Steam Spy: for a cell and its two decks, SS-20 to SS-31, then for a character's sheet, SS-01
to SS-09, both in the order of the rules page.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cardsdb.games.kit import (
    Card,
    Decklist,
    Entry,
    FactValue,
    Meter,
    Rule,
    Severity,
    Violation,
    count_of,
    some,
)
from cardsdb.games.kit.model.format import names_of, whole
from cardsdb.games.steamspy.characters import TRAITS, level_for, several_in, survey

CORPORATION_KINDS = ("ally", "interrupt")
ORGANISATION_KINDS = ("equipment", "add-on", "creature")
KINDS = CORPORATION_KINDS + ORGANISATION_KINDS


_TRAIT_WORDS = frozenset(trait.casefold() for trait in TRAITS)


class OneCorporation(Rule):
    """All cards of the corporation deck are of one corporation."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        by_corporation = {
            name: entries for name, entries in survey(deck).corporation.by_allegiance.items() if name
        }
        unknown = survey(deck).corporation.by_allegiance.get(None, ())
        yield from self.doubted("allegiance-unknown", unknown, what="corporation")
        if len(by_corporation) > 1:
            ordered = sorted(by_corporation.values(), key=lambda entries: -count_of(entries))
            yield self.illegal(
                "mixed",
                what="The corporation",
                cards=tuple(name for entries in ordered for name in names_of(entries)),
                found=tuple(by_corporation),
                wanted=1,
                excess=whole(entry for entries in ordered[1:] for entry in entries),
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
                entries,
                what=self.fact,
                found=name,
                excess=(whole(entries) if severity is Severity.ILLEGAL else ()),
            )
        unknown = looked.part(self.fact).by_allegiance.get(None, ()) if self.report_unknown else ()
        yield from self.doubted("allegiance-unknown", unknown, what=self.fact)


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
            yield self.illegal(
                "too-many-copies", entries, found=count_of(entries), wanted=1, excess=tuple(surplus)
            )
        others = survey(deck).part(self.other).by_name if self.other else {}
        yield from self.noted("in-both", [named[name][0] for name in named if name in others])


@dataclass(frozen=True)
class DrawDeck(Rule):
    """Notes the size of the draw deck, which is both decks together and so follows from the size of each."""

    cards: int = 56
    numbers = {"cards": "cards in the draw deck, pointed out otherwise"}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if (count := count_of(_drawn(deck))) != self.cards:
            yield self.note("draw-deck", found=count, wanted=self.cards)


class KindsInTheirDecks(Rule):
    """Allies and interrupts are described as corporation cards, the other kinds as organisation cards."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for part, other in (
            (survey(deck).corporation, ORGANISATION_KINDS),
            (survey(deck).organisation, CORPORATION_KINDS),
        ):
            odd = [entry for entry in part.entries if entry.card.type in other]
            yield from self.noted("odd-kind", odd, what=part.fact)


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
        yield from self.noted("no-initiative", missing)
        yield from self.noted("not-a-trait", wrong, found=tuple(dict.fromkeys(strange)))


def _no_traits(*sides: FactValue | None) -> tuple[str, ...]:
    """The words of an initiative field that are not traits."""
    return tuple(
        word
        for words in sides
        if isinstance(words, tuple)
        for word in words
        if word.casefold() not in _TRAIT_WORDS
    )


class Downloads(Rule):
    """Notes how many cards the cell's download abilities add to the opening five."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if able := tuple(sheet.name for sheet in survey(deck).cell if sheet.download):
            yield self.note("downloads", cards=able, found=some(len(able), "card"), wanted=5)


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
        yield from self.noted("no-equipment", dead)


def _drawn(deck: Decklist) -> list[Entry]:
    looked = survey(deck)
    return looked.corporation.entries + looked.organisation.entries


def _encounter(card: Card) -> str:
    return str(card.facts.get("encounter_type") or "").casefold()


# The meters of a hundred sheets are too many to be read.
MAX_METERS = 8


class RanksFromOne(Rule):
    """Every rank that is written is at least 1."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for sheet in survey(deck).sheets:
            if sheet.below_one:
                yield self.illegal("below-one", cards=(sheet.name,), found=sheet.below_one, wanted=1)


class OneAllegiance(Rule):
    """A character has at most one corporation and one organisation; having none is noted."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for sheet in survey(deck).sheets:
            stated = (
                ("corporation", sheet.corporation, sheet.corporation_text),
                ("organisation", sheet.organisation, sheet.organisation_text),
            )
            for what, known, text in stated:
                if text and not known and (names := several_in(text)):
                    yield self.illegal("several", what=what, cards=(sheet.name,), found=names, wanted=1)
            if missing := tuple(what for what, _, text in stated if not text):
                yield self.note("none", cards=(sheet.name,), found=missing)


@dataclass(frozen=True)
class AllegianceBonus(Rule):
    """The bonus of the corporation or the organisation (``fact``) stands on the sheet: the traits of the one,
    and the skills or actions (``raised``) by either reading.
    """

    fact: str
    raised: str

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for sheet in survey(deck).sheets:
            known, text = getattr(sheet, self.fact), getattr(sheet, f"{self.fact}_text")
            said: dict[str, Any] = {"what": self.fact, "cards": (sheet.name,)}
            if known is None:
                if text and not several_in(text):
                    yield self.broken("unknown-bonus", Severity.UNKNOWN, **said, found=text)
                continue
            for name in sheet.below_start if self.fact == "corporation" else ():
                start = 1 + known.traits[name.lower()]
                yield self.illegal("bonus-missing", **said, found=name, wanted=start)
            bonus, ranks = getattr(sheet, self.raised), f"{getattr(known, self.raised)} {self.raised}"
            if bonus.each is None and bonus.one is None:
                yield self.illegal("bonus-nowhere", **said, found=ranks, wanted=3)
            elif len(readings := {getattr(account, self.raised) for account in sheet.affordable}) == 1:
                yield self.note(f"read-as-{readings.pop()}", **said, found=ranks)


@dataclass(frozen=True)
class WithinXp(Rule):
    """A character spends no more than the XP it has had; unspent XP are noted.

    ``new`` looks at characters with their starting XP alone, otherwise at those with more.
    """

    new: bool = True

    def meters(self, deck: Decklist) -> Iterator[Meter]:
        for sheet in survey(deck).sheets[:MAX_METERS]:
            if sheet.is_new is self.new and (cheapest := sheet.cheapest) is not None:
                yield self.meter(
                    f"XP of {sheet.name}", (sheet.affordable or (cheapest,))[0].spent, most=sheet.budget
                )

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for sheet in survey(deck).sheets:
            if sheet.is_new is not self.new or (cheapest := sheet.cheapest) is None:
                continue
            within = sheet.affordable
            if not within:
                yield self.illegal(
                    "overspent", cards=(sheet.name,), found=cheapest.spent, wanted=sheet.budget
                )
            elif sheet.budget is not None and within[0].spent < sheet.budget:
                yield self.note("unspent", cards=(sheet.name,), found=within[0].spent, wanted=sheet.budget)


class LevelBySpentXp(Rule):
    """The level that a sheet claims is the one that its XP give; every level is noted."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for sheet in survey(deck).sheets:
            if not (within := sheet.affordable):
                continue
            spent = within[0].spent
            level = level_for(spent)
            if sheet.level is not None and sheet.level != level:
                yield self.illegal("wrong-level", cards=(sheet.name,), found=sheet.level, wanted=level)
            else:
                yield self.note("level", cards=(sheet.name,), found=level, wanted=spent)
