"""The arithmetic of character sheets: the XP spent on ranks, bonuses of corporation and organisation, and the
level that results.

``rules.py``, statistics and worksheets use it; ``sheet.toml`` has the names. The rules page gives +2 to
"any" skill or action of a type, which can mean each of the three or one that is chosen. Both readings
("each", "one") are computed, separately for skills and actions; a sheet is valid if one of them accounts for
it, and "each" is preferred. A character of Das Wort (+2 Body, +2 skills of Stealing) with Body 4, Speed 2,
Forgery 3 and Pick Pocket 1 has spent 4 + 3 = 7 XP, and only by "one": Pick Pocket lacks the bonus. Tests:
``tests/cardsdb/games/steamspy/test_characters.py``.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from cardsdb.games.kit import Card, slugify
from cardsdb.games.kit.model.text import table_beside

Kind = Literal["trait", "action", "skill"]

SHEET = table_beside(__file__, "sheet")
TRAITS = tuple(SHEET["traits"])
ENCOUNTER_TYPES = tuple(SHEET["actions"])
# The rank of everything at first.
START = 1
# The XP for each further rank.
PRICES: dict[Kind, int] = {"trait": 4, "action": 3, "skill": 1}
# Ranks that a corporation adds to skills, or an organisation to actions, of its encounter type.
BONUS = 2
# Number of skills, and of actions, of one encounter type.
OF_A_TYPE = 3
# XP of a new character.
STARTING_XP = 10
# XP for the download ability.
DOWNLOAD_PRICE = 10
# XP spent that make a level.
XP_PER_LEVEL = 10


@dataclass(frozen=True)
class Rank:
    """A trait, action or skill: one line of the sheet. ``encounter_type`` is empty for a trait."""

    key: str
    name: str
    kind: Kind
    encounter_type: str = ""

    @property
    def price(self) -> int:
        """XP for each rank bought."""
        return PRICES[self.kind]


def key_of(name: str) -> str:
    """Return the key of the fact with the rank of a trait, action or skill: ``Hand to Hand`` ->
    ``hand_to_hand``.
    """
    return name.lower().replace(" ", "_")


def _ranks() -> Iterator[Rank]:
    """Yield the lines of the sheet: the traits, then the actions and the skills of each encounter type."""
    for name in TRAITS:
        yield Rank(key_of(name), name, "trait")
    kinds: tuple[Kind, ...] = ("action", "skill")
    for kind in kinds:
        for encounter, names in SHEET[f"{kind}s"].items():
            yield from (Rank(key_of(name), name, kind, encounter) for name in names)


# Key of a fact -> line of the sheet.
RANKS: dict[str, Rank] = {rank.key: rank for rank in _ranks()}


@dataclass(frozen=True)
class Corporation:
    """A corporation. ``traits``: key of a trait -> ranks added. ``skills``: encounter type whose skills get
    BONUS. ``spellings``: other names.
    """

    name: str
    traits: Mapping[str, int]
    skills: str
    spellings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Organisation:
    """An organisation. ``actions``: encounter type whose actions get BONUS. ``sponsor``: name of a
    corporation. ``spellings``: other names.
    """

    name: str
    actions: str
    sponsor: str
    spellings: tuple[str, ...] = ()


CORPORATIONS = tuple(
    Corporation(row["name"], row["traits"], row["skills"], tuple(row.get("spellings", ())))
    for row in SHEET["corporations"]
)
ORGANISATIONS = tuple(
    Organisation(row["name"], row["actions"], row["sponsor"], tuple(row.get("spellings", ())))
    for row in SHEET["organisations"]
)

# Slug of a name or spelling -> corporation, organisation.
_CORPORATIONS = {slugify(name): known for known in CORPORATIONS for name in (known.name, *known.spellings)}
_ORGANISATIONS = {slugify(name): known for known in ORGANISATIONS for name in (known.name, *known.spellings)}


def corporation_called(text: str) -> Corporation | None:
    """Return the corporation with this name or spelling, ignoring punctuation; None if no source names it."""
    return _CORPORATIONS.get(slugify(text))


def organisation_called(text: str) -> Organisation | None:
    """Return the organisation with this name or spelling, ignoring punctuation; None if no
    source names it.
    """
    return _ORGANISATIONS.get(slugify(text))


def several_in(text: str) -> tuple[str, ...]:
    """Return the names of the corporations, or of the organisations, that a text lists; empty unless it lists
    several of one of them.
    """
    parts = [slugify(part) for part in re.split(r"[;,/+]|\band\b|\bor\b", text)]
    for known in (_CORPORATIONS, _ORGANISATIONS):
        names = tuple(dict.fromkeys(known[part].name for part in parts if part in known))
        if len(names) > 1:
            return names
    return ()


# How the bonus is read: for each of the three skills (or actions), or for one of them.
Reading = Literal["each", "one"]


def level_for(spent: int) -> int:
    """Return the level of a character after ``spent`` XP; at least 1."""
    return max(1, spent // XP_PER_LEVEL)


def handicap(own_level: int, other_level: int) -> int:
    """Return the number that a character adds to every roll against one of the other level: 3 for level 2
    against level 5, 0 against a lower level.
    """
    return max(0, other_level - own_level)


def award(encounters_won: int, won_game: bool = False, owed: int = 0) -> tuple[int, int]:
    """Return (XP received for a game, XP still owed). ``owed``: XP for lost fights, taken from what was
    earned: 3 encounters won and the game make 4, of which 6 owed leave (0, 2).
    """
    earned = encounters_won + int(won_game)
    return max(0, earned - owed), max(0, owed - earned)


@dataclass(frozen=True)
class Account:
    """One way to account for a sheet: the readings of the two bonuses, and the XP spent by them."""

    skills: Reading
    actions: Reading
    spent: int


@dataclass(frozen=True)
class Sheet:
    """A character as its card describes it.

    - ``corporation``, ``organisation``: None if the card names none, or one that no source knows; the fields
      with ``_text`` have what the card says.
    - ``below_one``, ``below_start``: names of the lines with a rank below 1, or below 1 plus the bonus.
    - ``skills_xp``, ``actions_xp``: XP spent on the skills and actions of the types with a bonus, for each
      reading that can be meant. ``bought``: XP spent on everything else.
    - ``received``: all XP that the character has had. ``level``: the level that the card claims. None if the
      card does not say.
    """

    name: str
    corporation: Corporation | None
    organisation: Organisation | None
    corporation_text: str
    organisation_text: str
    below_one: tuple[str, ...]
    below_start: tuple[str, ...]
    skills_xp: Mapping[Reading, int]
    actions_xp: Mapping[Reading, int]
    bought: int
    download: bool
    received: int | None
    level: int | None

    @property
    def is_new(self) -> bool:
        """True if the character has had no more than its starting XP; if the card does not
        say, at level 1.
        """
        if self.received is not None:
            return self.received <= STARTING_XP
        return (self.level or 1) <= 1

    @property
    def budget(self) -> int | None:
        """The XP that it may have spent; None if it is above level 1 and does not say what it has had."""
        if self.received is not None:
            return self.received
        return STARTING_XP if self.is_new else None

    def allegiance(self, fact: str) -> str | None:
        """Return the proper name of its ``corporation`` or ``organisation`` (``fact``); empty if it has none,
        None if no source knows it.
        """
        known: Corporation | Organisation | None = getattr(self, fact)
        if known:
            return known.name
        return None if getattr(self, f"{fact}_text") else ""

    @property
    def bonuses_known(self) -> bool:
        """True if sources state the bonuses of all allegiances that the card names."""
        return None not in (self.allegiance("corporation"), self.allegiance("organisation"))

    @cached_property
    def accounts(self) -> tuple[Account, ...]:
        """Every way to account for the sheet, the preferred one first; empty if a rank is too low or a bonus
        unknown.
        """
        if self.below_one or self.below_start or not self.bonuses_known:
            return ()
        return tuple(
            Account(skills, actions, self.bought + for_skills + for_actions)
            for skills, for_skills in self.skills_xp.items()
            for actions, for_actions in self.actions_xp.items()
        )

    @cached_property
    def affordable(self) -> tuple[Account, ...]:
        """The accounts within the budget that lead to the claimed level; if none does, all
        within the budget.
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
    """Return the sheet of a character's card. A rank that the card does not state is at its start: 1 plus the
    bonus.
    """
    corporation_text = card.word("corporation")
    organisation_text = card.word("organisation")
    corporation = corporation_called(corporation_text)
    organisation = organisation_called(organisation_text)
    raised = corporation.traits if corporation else {}
    skill_type = corporation.skills if corporation else ""
    action_type = organisation.actions if organisation else ""
    below_one, below_start = [], []
    # The stated ranks of the types with a bonus; ``bought`` has the XP of all others.
    raised_skills: list[int] = []
    raised_actions: list[int] = []
    download = card.fact("download") is True
    bought = DOWNLOAD_PRICE if download else 0
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
            raised_skills.append(rank)
        elif line.kind == "action" and line.encounter_type == action_type:
            raised_actions.append(rank)
        else:
            bought += line.price * (rank - start)
    return Sheet(
        name=card.name,
        corporation=corporation,
        organisation=organisation,
        corporation_text=corporation_text,
        organisation_text=organisation_text,
        below_one=tuple(below_one),
        below_start=tuple(below_start),
        skills_xp=_xp_by_reading(raised_skills, PRICES["skill"]),
        actions_xp=_xp_by_reading(raised_actions, PRICES["action"]),
        bought=bought,
        download=download,
        received=card.number("xp"),
        level=card.number("level"),
    )


def _xp_by_reading(ranks: list[int], price: int) -> dict[Reading, int]:
    """Return reading -> XP for the stated ones of the three ranks that share a bonus, the preferred reading
    first. A reading by which a rank is lower than its start cannot be meant and is left out. At a price of 1:

    [4, 3, 3] -> {"each": 1, "one": 5}    every rank is at least 3 = 1 + 2 bonus, so both can be meant
    [3, 1]    -> {"one": 0}               the bonus is on the 3
    [1, 1]    -> {"one": 0}               the bonus is on the third rank, which is not stated
    [1, 1, 1] -> {}                       the bonus is nowhere
    """
    raised = START + BONUS
    spent: dict[Reading, int] = {}
    if all(rank >= raised for rank in ranks):
        spent["each"] = price * sum(rank - raised for rank in ranks)
    bought_alone = price * sum(rank - START for rank in ranks)
    if any(rank >= raised for rank in ranks):
        # The bonus is on a stated rank that is high enough for it.
        spent["one"] = bought_alone - price * BONUS
    elif len(ranks) < OF_A_TYPE:
        # The bonus is on a rank that is not stated, which therefore costs nothing.
        spent["one"] = bought_alone
    return spent
