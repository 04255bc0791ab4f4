"""Rules that only Steam Spy has: for a cell (a team of characters) and its two decks (SS-20 to SS-31), then
for a character's sheet (SS-01 to SS-09).

``game.toml`` lists them in its formats (``rule = "draw_deck"`` is ``DrawDeck``) with their codes and
sentences; ``rulebook.toml`` cites each code, ``examples.toml`` has a deck that breaks it, which
``tests/cardsdb/games/test_games.py`` judges. "Notes" in a docstring: the rule changes no verdict. All read a
deck through ``survey``, which finds its two decks and its character sheets once for all rules.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from cardsdb.games.kit import (
    Card,
    Decklist,
    Entry,
    Meter,
    Rule,
    Severity,
    Violation,
    count_of,
    some,
)
from cardsdb.games.kit.model.format import last_of, names_of, whole
from cardsdb.games.steamspy.characters import (
    BONUS,
    START,
    TRAITS,
    Corporation,
    Organisation,
    Sheet,
    corporation_called,
    level_for,
    organisation_called,
    several_in,
    sheet_of,
)

CORPORATION_KINDS = ("ally", "interrupt")
ORGANISATION_KINDS = ("equipment", "add-on", "creature")
_TRAIT_WORDS = frozenset(trait.casefold() for trait in TRAITS)


@dataclass(frozen=True)
class Part:
    """One of the two decks of a list. ``fact``: "corporation" or "organisation", to which its cards belong.
    ``called``: finds one by its name.

    ``by_allegiance``: proper name of the corporation or organisation, None if no source knows it -> entries.
    ``by_name``: name of a card without case -> entries.
    """

    fact: str
    called: Callable[[str], Corporation | Organisation | None]
    entries: list[Entry] = field(default_factory=list)
    by_allegiance: dict[str | None, list[Entry]] = field(default_factory=dict)
    by_name: dict[str, list[Entry]] = field(default_factory=dict)

    def add(self, entry: Entry) -> None:
        card = entry.card
        text = card.facts.get(self.fact)
        known = self.called(text) if isinstance(text, str) else None
        self.entries.append(entry)
        self.by_allegiance.setdefault(known.name if known else None, []).append(entry)
        self.by_name.setdefault(card.name.casefold(), []).append(entry)


@dataclass(frozen=True)
class Survey:
    """The two decks and all character sheets of a list. ``cell``: the sheets of characters in the cell."""

    corporation: Part
    organisation: Part
    sheets: list[Sheet] = field(default_factory=list)
    cell: list[Sheet] = field(default_factory=list)

    def part(self, fact: str) -> Part:
        return self.corporation if fact == "corporation" else self.organisation


# (entries of the last deck, its survey): all rules judge one deck before the next. Decks are told apart by
# the tuple of their entries, which no change of a deck keeps.
_last: tuple[tuple[Entry, ...], Survey] | None = None


def survey(deck: Decklist) -> Survey:
    """Return the survey of a deck. It is made once for all rules that judge the same deck."""
    global _last
    # A local copy, because another thread may replace the global between two reads.
    last = _last
    if last is None or last[0] is not deck.entries:
        last = _last = (deck.entries, _surveyed(deck))
    return last[1]


def _surveyed(deck: Decklist) -> Survey:
    found = Survey(Part("corporation", corporation_called), Part("organisation", organisation_called))
    for entry in deck.entries:
        if entry.section == "corporation":
            found.corporation.add(entry)
        elif entry.section == "organisation":
            found.organisation.add(entry)
        if entry.card.type == "character":
            sheet = sheet_of(entry.card)
            found.sheets.append(sheet)
            if entry.section == "cell":
                found.cell.append(sheet)
    return found


# -- a cell and its two decks ---------------------------------------------------------


class OneCorporation(Rule):
    """All cards of the corporation deck belong to one corporation. Cards of the smaller ones come out."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        by_allegiance = survey(deck).corporation.by_allegiance
        by_corporation = {name: entries for name, entries in by_allegiance.items() if name}
        yield from self.doubted("allegiance-unknown", by_allegiance.get(None, ()), what="corporation")
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
    """Every card of a deck belongs to a corporation or organisation (``fact``) of a character in the cell.

    ``report_unknown`` is False if another rule reports cards of unknown allegiance already.
    """

    fact: str = "organisation"
    report_unknown: bool = True

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        surveyed = survey(deck)
        # None stands for an allegiance that no source knows; characters without one do not count.
        present = {allegiance for sheet in surveyed.cell if (allegiance := sheet.allegiance(self.fact)) != ""}
        for name, entries in surveyed.part(self.fact).by_allegiance.items():
            if name is None or name in present:
                continue
            values: dict[str, Any] = {"what": self.fact, "found": name}
            if None in present:
                # An allegiance that no source knows may be another spelling of this one.
                yield self.broken(Severity.UNKNOWN, "nobody-known", entries, **values)
            elif present:
                yield from self.barred("nobody", entries, **values)
            else:
                yield self.incomplete("nobody", entries, **values)
        unknown = surveyed.part(self.fact).by_allegiance.get(None, ()) if self.report_unknown else ()
        yield from self.doubted("allegiance-unknown", unknown, what=self.fact)


@dataclass(frozen=True)
class OneOfEachName(Rule):
    """No two cards of the deck ``of`` have the same name, ignoring case. A name that is also in the deck
    ``other`` is noted.
    """

    of: str = ""
    other: str = ""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        by_name = survey(deck).part(self.of).by_name
        for entries in by_name.values():
            if (count := count_of(entries)) > 1:
                # One copy of the first entry stays.
                excess = tuple(last_of(entries, count - 1))
                yield self.illegal("too-many-copies", entries, found=count, wanted=1, excess=excess)
        others = survey(deck).part(self.other).by_name if self.other else {}
        yield from self.noted("in-both", [by_name[name][0] for name in by_name if name in others])


@dataclass(frozen=True)
class DrawDeck(Rule):
    """Notes a draw deck of another size than ``cards``. It consists of both decks, which have sizes of their
    own, so this changes no verdict.
    """

    cards: int = 56
    numbers = {"cards": "cards in the draw deck, pointed out otherwise"}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if (count := count_of(_drawn(deck))) != self.cards:
            yield self.note("draw-deck", found=count, wanted=self.cards)


class KindsInTheirDecks(Rule):
    """Notes organisation kinds in the corporation deck, and corporation kinds in the organisation deck."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for part, other in (
            (survey(deck).corporation, ORGANISATION_KINDS),
            (survey(deck).organisation, CORPORATION_KINDS),
        ):
            odd = [entry for entry in part.entries if entry.card.type in other]
            yield from self.noted("odd-kind", odd, what=part.fact)


class InitiativeOnEach(Rule):
    """Notes cards that do not name initiative traits for both sides, and words there that are no traits."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        missing, wrong = [], []
        other_words: list[str] = []
        for entry in _drawn(deck):
            sides = [entry.card.words(key) for key in ("protagonist", "antagonist")]
            if not all(sides):
                missing.append(entry)
            if words := [word for side in sides for word in side if word.casefold() not in _TRAIT_WORDS]:
                wrong.append(entry)
                other_words += words
        yield from self.noted("no-initiative", missing)
        yield from self.noted("not-a-trait", wrong, found=tuple(dict.fromkeys(other_words)))


class Downloads(Rule):
    """Notes how many cards the cell's download abilities add to the opening hand of five."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if able := tuple(sheet.name for sheet in survey(deck).cell if sheet.download):
            yield self.note("downloads", cards=able, found=some(len(able), "card"), wanted=5)


class AddOnsHaveEquipment(Rule):
    """Notes add-ons that can never be played, because the decks have no equipment of their encounter type.

    Nothing is noted if the deck has cards of unknown kind, since these may be equipment.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        add_ons = [entry for entry in deck.entries if entry.card.type == "add-on"]
        if not add_ons or any(
            entry.card.type in ("corporation-card", "organisation-card") for entry in deck.entries
        ):
            return
        types = {_encounter(entry.card) for entry in deck.entries if entry.card.type == "equipment"}
        if not types:
            yield from self.noted("no-equipment", add_ons)
        elif "" not in types:
            # "" is an unknown encounter type, which may be any.
            fitting = {"", *types}
            useless = [entry for entry in add_ons if _encounter(entry.card) not in fitting]
            yield from self.noted("no-equipment", useless)


def _drawn(deck: Decklist) -> list[Entry]:
    """Return the entries of the draw deck: those of both decks."""
    surveyed = survey(deck)
    return surveyed.corporation.entries + surveyed.organisation.entries


def _encounter(card: Card) -> str:
    """Return the card's encounter type without case; empty if it is unknown."""
    return card.word("encounter_type").casefold()


# Most sheets of a list that have a meter; a list may have a hundred sheets.
MAX_METERS = 8


class RanksFromOne(Rule):
    """Every stated rank is at least 1."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for sheet in survey(deck).sheets:
            if sheet.below_one:
                yield self.illegal("below-one", cards=(sheet.name,), found=sheet.below_one, wanted=1)


class OneAllegiance(Rule):
    """A character has at most one corporation and one organisation. A missing one is noted."""

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
    """The ranks of a sheet include the bonus of its corporation or organisation (``fact``): traits of the
    corporation, and skills or actions (``raised``) by one of the readings. The reading is noted.
    """

    fact: str
    raised: str

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for sheet in survey(deck).sheets:
            subject: dict[str, Any] = {"what": self.fact, "cards": (sheet.name,)}
            # ``fact`` ("corporation") and ``raised`` ("skills") name fields: ``sheet.corporation``,
            # ``corporation.skills`` (a type), ``account.skills`` (a reading) and ``sheet.skills_xp``.
            known: Corporation | Organisation | None = getattr(sheet, self.fact)
            if known is None:
                text = getattr(sheet, f"{self.fact}_text")
                if text and not several_in(text):
                    yield self.broken(Severity.UNKNOWN, "unknown-bonus", **subject, found=text)
                continue
            if isinstance(known, Corporation):
                for name in sheet.below_start:
                    start = START + known.traits[name.lower()]
                    yield self.illegal("bonus-missing", **subject, found=name, wanted=start)
            ranks = f"{getattr(known, self.raised)} {self.raised}"
            readings = {getattr(account, self.raised) for account in sheet.affordable}
            if not getattr(sheet, f"{self.raised}_xp"):
                yield self.illegal("bonus-nowhere", **subject, found=ranks, wanted=START + BONUS)
            elif len(readings) == 1:
                yield self.note(f"read-as-{readings.pop()}", **subject, found=ranks)


@dataclass(frozen=True)
class WithinXp(Rule):
    """A character spends no more than the XP it has had. Unspent XP are noted.

    ``new``: True for characters with only their starting XP, False for those with more; two rules with codes
    of their own. Of the ways to account for a sheet the first that fits its budget and level counts.
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
    """The level that a sheet claims is the one that its spent XP give. The level is noted."""

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
