"""The cards that must be there, since decks of so many different cards are asked for; no source names one."""

from __future__ import annotations

from cardsdb.games.kit.model.checklist import PlaceGroup
from cardsdb.games.kit.model.text import slugify

CORPORATIONS = (
    "Das Wort",
    "The Encyclopedia Englania Company",
    "Orisaku Artificials Inc",
    "Transylvanian Transportation Company",
    "Renningson & Sons Firearms",
    "Navidad Pharmaceuticals",
)
ORGANISATIONS = (
    "Diamond Club",
    "M-5",
    "Dragon Sect",
    "Shadow Bureau",
    'Federal Agency "Feds"',
    "Unified Alliance",
)

CHECKLIST = (
    *(
        PlaceGroup(
            f"corporation-{slugify(name)[:30].strip('-')}",
            f"{name}, card",
            "corporation-card",
            32,
            "SS-23",
            "A corporation deck has 32 cards of different names, so each corporation has so many at least.",
            {"corporation": name},
        )
        for name in CORPORATIONS
    ),
    *(
        PlaceGroup(
            f"organisation-{slugify(name)[:30].strip('-')}",
            f"{name}, card",
            "organisation-card",
            24,
            "SS-26",
            "An organisation deck has 24 cards of different names, and where all in a cell spy for one"
            " organisation they are all of it.",
            {"organisation": name},
        )
        for name in ORGANISATIONS
    ),
)
