"""A character's sheet and its XP: its corporation and organisation, what was bought, what it cost, and which
level results; and a survey of a list, gathered in a single pass.

The rules page gives +2 to "any" skill or action of a type, which can be read as every one of
the three or as one that is chosen. Both readings are reckoned, for skills and for actions
apart; a sheet is accepted if some reading accounts for it, the reading "each" before "one".
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

from cardsdb.games.kit import Card, Decklist, Entry, slugify
from cardsdb.games.kit.model.text import table_beside

Kind = Literal["trait", "action", "skill"]

SAID = table_beside(__file__, "sheet")
TRAITS = tuple(SAID["traits"])
ENCOUNTER_TYPES = tuple(SAID["actions"])
START = 1
PRICES: dict[Kind, int] = {"trait": 4, "action": 3, "skill": 1}


@dataclass(frozen=True)
class Rank:
    """One line of the sheet. ``encounter_type`` is empty for a trait."""

    key: str
    name: str
    kind: Kind
    encounter_type: str = ""

    @property
    def price(self) -> int:
        """XP for each rank bought."""
        return PRICES[self.kind]


def key_of(name: str) -> str:
    """The fact that holds the rank of this trait, action or skill: ``Hand to Hand`` -> ``hand_to_hand``."""
    return name.lower().replace(" ", "_")


RANKS: dict[str, Rank] = {
    rank.key: rank
    for rank in (
        *(Rank(key_of(name), name, "trait") for name in TRAITS),
        *(
            Rank(key_of(name), name, kind, encounter)
            for kind in get_args(Kind)[1:]
            for encounter, names in SAID[f"{kind}s"].items()
            for name in names
        ),
    )
}


@dataclass(frozen=True)
class Corporation:
    """``traits``: fact key -> ranks added; ``skills``: the encounter type whose skills get BONUS."""

    name: str
    traits: Mapping[str, int]
    skills: str
    spellings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Organisation:
    """``actions``: the encounter type whose actions get BONUS; ``sponsor``: a corporation's name."""

    name: str
    actions: str
    sponsor: str
    spellings: tuple[str, ...] = ()


# Ranks added to a skill (by the corporation) or an action (by the organisation) of the type.
BONUS = 2

CORPORATIONS = tuple(
    Corporation(each["name"], each["traits"], each["skills"], tuple(each.get("spellings", ())))
    for each in SAID["corporations"]
)
ORGANISATIONS = tuple(
    Organisation(each["name"], each["actions"], each["sponsor"], tuple(each.get("spellings", ())))
    for each in SAID["organisations"]
)

_CORPORATIONS = {slugify(word): one for one in CORPORATIONS for word in (one.name, *one.spellings)}
_ORGANISATIONS = {slugify(word): one for one in ORGANISATIONS for word in (one.name, *one.spellings)}


def corporation_called(text: str) -> Corporation | None:
    """The corporation of this name or spelling, however it is punctuated; None if no source names it."""
    return _CORPORATIONS.get(slugify(text))


def organisation_called(text: str) -> Organisation | None:
    """The organisation of this name or spelling, however it is punctuated; None if no source names it."""
    return _ORGANISATIONS.get(slugify(text))


def several_in(text: str) -> tuple[str, ...]:
    """The corporations or organisations that a text lists, if it lists several of either; else none."""
    parts = [slugify(part) for part in re.split(r"[;,/+]|\band\b|\bor\b", text)]
    for known in (_CORPORATIONS, _ORGANISATIONS):
        names = tuple(dict.fromkeys(known[part].name for part in parts if part in known))
        if len(names) > 1:
            return names
    return ()


Reading = Literal["each", "one"]

STARTING_XP = 10
DOWNLOAD_PRICE = 10
XP_PER_LEVEL = 10
# Skills, or actions, of one encounter type.
OF_A_TYPE = 3


def cost(traits: int = 0, actions: int = 0, skills: int = 0, download: bool = False) -> int:
    """XP for so many bought ranks of traits, actions and skills, and the download ability."""
    bought = PRICES["trait"] * traits + PRICES["action"] * actions + PRICES["skill"] * skills
    return bought + (DOWNLOAD_PRICE if download else 0)


def level_for(spent: int) -> int:
    """The level of a character on whom so many XP have been spent; never below 1."""
    return max(1, spent // XP_PER_LEVEL)


def handicap(own_level: int, other_level: int) -> int:
    """The number that a character of one level adds to every roll against one of the other: 3 for level 2
    against level 5.
    """
    return max(0, other_level - own_level)


def award(encounters_won: int, won_game: bool = False, owed: int = 0) -> tuple[int, int]:
    """XP received for a game, and what is still owed for lost fights after it has been held back."""
    earned = encounters_won + int(won_game)
    return max(0, earned - owed), max(0, owed - earned)


@dataclass(frozen=True)
class Bonus:
    """The cost in XP of the ranks of the three skills (or actions) with the bonus, by each reading.

    None: by that reading a rank stands below its start.
    """

    each: int | None = 0
    one: int | None = 0

    def readings(self) -> Iterator[tuple[Reading, int]]:
        if self.each is not None:
            yield "each", self.each
        if self.one is not None:
            yield "one", self.one


@dataclass(frozen=True)
class Account:
    """One way to account for a sheet: how the two bonuses are read, and the XP spent by it."""

    skills: Reading
    actions: Reading
    spent: int


@dataclass(frozen=True)
class Sheet:
    """A character as its card describes it.

    ``corporation`` and ``organisation`` are None where the card names none or one that no
    source knows; the two ``_text`` fields hold what the card says. ``bought`` is the XP spent
    beside the skills and actions with a bonus. ``received`` is the XP the character has had in
    all, ``level`` the level it claims: None if the card does not say.
    """

    name: str
    corporation: Corporation | None
    organisation: Organisation | None
    corporation_text: str
    organisation_text: str
    below_one: tuple[str, ...]
    below_start: tuple[str, ...]
    skills: Bonus
    actions: Bonus
    bought: int
    download: bool
    received: int | None
    level: int | None

    @property
    def is_new(self) -> bool:
        """True if the character has had no more than its starting XP."""
        return self.received <= STARTING_XP if self.received is not None else (self.level or 1) <= 1

    @property
    def budget(self) -> int | None:
        """The XP it may have spent; None for one above level 1 that does not say what it has had."""
        return self.received if self.received is not None else STARTING_XP if self.is_new else None

    def allegiance(self, fact: str) -> str | None:
        """The proper name of its ``corporation`` or ``organisation``; empty if it has none, None if no source
        knows it.
        """
        known, text = (
            (self.corporation, self.corporation_text)
            if fact == "corporation"
            else (self.organisation, self.organisation_text)
        )
        return known.name if known else None if text else ""

    @property
    def bonuses_known(self) -> bool:
        """True if sources state the bonus of every allegiance that the card names."""
        return bool(
            (self.corporation or not self.corporation_text)
            and (self.organisation or not self.organisation_text)
        )

    @cached_property
    def accounts(self) -> tuple[Account, ...]:
        """Every way to account for the sheet, the default first; none if ranks are missing or a bonus is
        unknown.
        """
        if self.below_one or self.below_start or not self.bonuses_known:
            return ()
        return tuple(
            Account(skills, actions, self.bought + for_skills + for_actions)
            for skills, for_skills in self.skills.readings()
            for actions, for_actions in self.actions.readings()
        )

    @cached_property
    def affordable(self) -> tuple[Account, ...]:
        """The accounts within the budget that also lead to the level claimed; if none does, all within the
        budget.
        """
        budget = self.budget
        within = tuple(account for account in self.accounts if budget is None or account.spent <= budget)
        if self.level is None:
            return within
        return tuple(account for account in within if level_for(account.spent) == self.level) or within

    @cached_property
    def cheapest(self) -> Account | None:
        return min(self.accounts, key=lambda account: account.spent, default=None)


def sheet_of(card: Card) -> Sheet:
    """The sheet of a character's card. A rank that the card does not write is at its start: 1 and the
    bonus.
    """
    corporation_text = str(card.fact("corporation") or "")
    organisation_text = str(card.fact("organisation") or "")
    corporation = corporation_called(corporation_text)
    organisation = organisation_called(organisation_text)
    raised = corporation.traits if corporation else {}
    skill_type = corporation.skills if corporation else ""
    action_type = organisation.actions if organisation else ""
    below_one, below_start = [], []
    skills: list[int] = []
    actions: list[int] = []
    download = card.fact("download") is True
    bought = cost(download=download)
    for key in card.facts:
        line, rank = RANKS.get(key), card.number(key)
        if line is None or rank is None:
            continue
        start = START + raised.get(key, 0)
        if rank < START:
            below_one.append(line.name)
        elif rank < start:
            below_start.append(line.name)
        elif line.kind == "skill" and line.encounter_type == skill_type:
            skills.append(rank)
        elif line.kind == "action" and line.encounter_type == action_type:
            actions.append(rank)
        else:
            bought += line.price * (rank - start)
    return Sheet(
        card.name,
        corporation,
        organisation,
        corporation_text,
        organisation_text,
        tuple(below_one),
        tuple(below_start),
        _bonus(skills, PRICES["skill"]),
        _bonus(actions, PRICES["action"]),
        bought,
        download,
        card.number("xp"),
        card.number("level"),
    )


def _bonus(ranks: list[int], price: int) -> Bonus:
    """The cost, by each reading, of those of the three ranks sharing a bonus that are written."""
    raised = START + BONUS
    bought_alone = sum(rank - START for rank in ranks)
    each = price * sum(rank - raised for rank in ranks) if all(rank >= raised for rank in ranks) else None
    if any(rank >= raised for rank in ranks):
        # The bonus is on a written rank high enough to show it, where it saves the most.
        one = price * (bought_alone - BONUS)
    elif len(ranks) < OF_A_TYPE:
        # The bonus is on a rank that is not written.
        one = price * bought_alone
    else:
        one = None
    return Bonus(each, one)


@dataclass(frozen=True)
class Part:
    """One of the two decks. ``fact`` is what its cards belong to: a corporation or an organisation.

    ``by_allegiance`` goes by the one proper name; None gathers the cards of which no source
    knows it. ``by_name`` goes by the card's name without case.
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
    """The sheets of a list's characters and its two decks. ``cell``: the sheets that stand in the cell."""

    corporation: Part
    organisation: Part
    sheets: list[Sheet] = field(default_factory=list)
    cell: list[Sheet] = field(default_factory=list)

    def part(self, fact: str) -> Part:
        return self.corporation if fact == "corporation" else self.organisation


_last: tuple[tuple[Entry, ...], Survey] | None = None


def survey(deck: Decklist) -> Survey:
    """The survey of a deck. Its rules ask for the same deck one after the other, so the last survey is
    remembered.
    """
    global _last
    last = _last
    if last is None or last[0] is not deck.entries:
        last = _last = (deck.entries, _look(deck))
    return last[1]


def _look(deck: Decklist) -> Survey:
    gathered = Survey(Part("corporation", corporation_called), Part("organisation", organisation_called))
    for entry in deck.entries:
        if entry.section == "corporation":
            gathered.corporation.add(entry)
        elif entry.section == "organisation":
            gathered.organisation.add(entry)
        if entry.card.type == "character":
            sheet = sheet_of(entry.card)
            gathered.sheets.append(sheet)
            if entry.section == "cell":
                gathered.cell.append(sheet)
    return gathered
