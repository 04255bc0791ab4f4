"""The six corporations and six organisations, their bonuses, and the spellings people use for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from cardsdb.games.kit.model.text import slugify


@dataclass(frozen=True, slots=True)
class Corporation:
    """``traits``: fact key -> ranks added; ``skills``: the encounter type whose skills get BONUS."""

    name: str
    traits: Mapping[str, int]
    skills: str
    spellings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Organisation:
    """``actions``: the encounter type whose actions get BONUS; ``sponsor``: a corporation's name."""

    name: str
    actions: str
    sponsor: str
    spellings: tuple[str, ...] = ()


# Ranks added to a skill (by the corporation) or an action (by the organisation) of the type.
BONUS = 2

CORPORATIONS = (
    Corporation("Das Wort", {"body": 2}, "Stealing"),
    Corporation(
        "The Encyclopedia Englania Company",
        {"intelligence": 2},
        "Interaction",
        (
            "The Encyclopedia Englandia",
            "The Encyclopedia Englandia Company",
            "Encyclopedia Englania Company",
            "Encyclopedia Englania",
            "Encyclopedia Englandia",
            "Englania",
            "Englandia",
        ),
    ),
    Corporation(
        "Orisaku Artificials Inc",
        {"intelligence": 1, "charisma": 1},
        "Fighting",
        ("Orisaku Artificials", "Orisaku"),
    ),
    Corporation(
        "Transylvanian Transportation Company",
        {"charisma": 2},
        "Infiltration",
        (
            "Translatvian Transportation Company",
            "Transylvanian Transportation",
            "Transylvanian",
            "Translatvian",
        ),
    ),
    Corporation(
        "Renningson & Sons Firearms",
        {"intelligence": 1, "body": 1},
        "Chase",
        ("Renningson & Sons", "Renningson and Sons Firearms", "Renningson and Sons", "Renningson"),
    ),
    Corporation("Navidad Pharmaceuticals", {"charisma": 1, "body": 1}, "Sabotage", ("Navidad",)),
)

ORGANISATIONS = (
    Organisation("Diamond Club", "Sabotage", "Das Wort", ("The Diamond Club",)),
    Organisation("M-5", "Stealing", "The Encyclopedia Englania Company", ("M5",)),
    Organisation("Dragon Sect", "Infiltration", "Orisaku Artificials Inc", ("The Dragon Sect",)),
    Organisation("Shadow Bureau", "Chase", "Transylvanian Transportation Company", ("The Shadow Bureau",)),
    Organisation(
        'Federal Agency "Feds"',
        "Fighting",
        "Renningson & Sons Firearms",
        ("Feds", "The Feds", "Federal Agency"),
    ),
    Organisation("Unified Alliance", "Interaction", "Navidad Pharmaceuticals", ("The Unified Alliance",)),
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
