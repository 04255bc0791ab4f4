"""The rules of Steam Spy: for a cell and its two decks, SS-20 to SS-31, then for a character's sheet, SS-01 to
SS-09, both in the order of the rules page.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cardsdb.games.kit import Card, Decklist, Entry, FactValue, Meter, Rule, Severity, Violation, some
from cardsdb.games.kit.model.format import names_of, whole
from cardsdb.games.steamspy.characters import TRAITS, Sheet, level_for, several_in, survey

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


# Nobody reads the meters of a hundred sheets.
MAX_METERS = 8


@dataclass(frozen=True)
class RanksFromOne(Rule):
    """Every rank that is written is at least 1."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for sheet in survey(deck).sheets:
            if sheet.below_one:
                yield self.broken(
                    "below-one", Severity.ILLEGAL, cards=(sheet.name,), found=sheet.below_one, wanted=1
                )


@dataclass(frozen=True)
class OneAllegiance(Rule):
    """A character has at most one corporation and one organisation; having none is noted."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for sheet in survey(deck).sheets:
            for what, known, text in (
                ("corporation", sheet.corporation, sheet.corporation_text),
                ("organisation", sheet.organisation, sheet.organisation_text),
            ):
                if text and not known and (names := several_in(text)):
                    yield self.broken(
                        "several", Severity.ILLEGAL, what=what, cards=(sheet.name,), found=names, wanted=1
                    )
            missing = tuple(
                what
                for what, text in (
                    ("corporation", sheet.corporation_text),
                    ("organisation", sheet.organisation_text),
                )
                if not text
            )
            if missing:
                yield self.broken("none", Severity.NOTE, cards=(sheet.name,), found=missing)


@dataclass(frozen=True)
class CorporationBonus(Rule):
    """The corporation's bonus stands on the sheet: its traits, and its skills by either reading."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for sheet in survey(deck).sheets:
            corporation = sheet.corporation
            if corporation is None:
                if sheet.corporation_text and not several_in(sheet.corporation_text):
                    yield _unknown(self, sheet, "corporation", sheet.corporation_text)
                continue
            for name in sheet.below_start:
                start = 1 + corporation.traits[name.lower()]
                yield self.broken(
                    "bonus-missing",
                    Severity.ILLEGAL,
                    what="corporation",
                    cards=(sheet.name,),
                    found=name,
                    wanted=start,
                )
            skills = f"{corporation.skills} skills"
            if sheet.skills.each is None and sheet.skills.one is None:
                yield _nowhere(self, sheet, "corporation", skills)
            elif len(readings := {account.skills for account in sheet.affordable}) == 1:
                yield _read_as(self, sheet, "corporation", skills, readings.pop())


@dataclass(frozen=True)
class OrganisationBonus(Rule):
    """The organisation's bonus stands on the sheet, by either reading."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for sheet in survey(deck).sheets:
            organisation = sheet.organisation
            if organisation is None:
                if sheet.organisation_text and not several_in(sheet.organisation_text):
                    yield _unknown(self, sheet, "organisation", sheet.organisation_text)
                continue
            actions = f"{organisation.actions} actions"
            if sheet.actions.each is None and sheet.actions.one is None:
                yield _nowhere(self, sheet, "organisation", actions)
            elif len(readings := {account.actions for account in sheet.affordable}) == 1:
                yield _read_as(self, sheet, "organisation", actions, readings.pop())


def _unknown(rule: Rule, sheet: Sheet, what: str, text: str) -> Violation:
    return rule.broken("unknown-bonus", Severity.UNKNOWN, what=what, cards=(sheet.name,), found=text)


def _nowhere(rule: Rule, sheet: Sheet, what: str, ranks: str) -> Violation:
    return rule.broken(
        "bonus-nowhere", Severity.ILLEGAL, what=what, cards=(sheet.name,), found=ranks, wanted=3
    )


def _read_as(rule: Rule, sheet: Sheet, what: str, ranks: str, reading: str) -> Violation:
    return rule.broken(f"read-as-{reading}", Severity.NOTE, what=what, cards=(sheet.name,), found=ranks)


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
                yield self.broken(
                    "overspent",
                    Severity.ILLEGAL,
                    cards=(sheet.name,),
                    found=cheapest.spent,
                    wanted=sheet.budget,
                )
            elif sheet.budget is not None and within[0].spent < sheet.budget:
                yield self.broken(
                    "unspent", Severity.NOTE, cards=(sheet.name,), found=within[0].spent, wanted=sheet.budget
                )


@dataclass(frozen=True)
class LevelBySpentXp(Rule):
    """The level that a sheet claims is the one that its XP give; every level is noted."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for sheet in survey(deck).sheets:
            if not (within := sheet.affordable):
                continue
            spent = within[0].spent
            level = level_for(spent)
            if sheet.level is not None and sheet.level != level:
                yield self.broken(
                    "wrong-level", Severity.ILLEGAL, cards=(sheet.name,), found=sheet.level, wanted=level
                )
            else:
                yield self.broken("level", Severity.NOTE, cards=(sheet.name,), found=level, wanted=spent)
