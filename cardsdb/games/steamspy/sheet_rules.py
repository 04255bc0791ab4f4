"""The rules for a character's sheet, SS-01 to SS-09, in the order of the rules page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cardsdb.games.kit import Decklist, Rule, Severity, Violation
from cardsdb.games.kit.model.format import Meter
from cardsdb.games.steamspy.characters import Sheet, level_for, several_in, survey

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
