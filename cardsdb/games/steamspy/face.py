"""What Steam Spy cards look like. No printed card is described, but for an initiative field along its edge.

A character's face is its sheet: the traits large, then the ranks that are written. A playing card
has room for its effect and a strip for its initiative, ruled where nothing is known.
"""

from __future__ import annotations

from collections.abc import Mapping

from cardsdb.games.kit.face import Box, Face, Fill, Lines, Notes, Number, Text, dossier
from cardsdb.games.steamspy.allegiances import CORPORATIONS, ORGANISATIONS
from cardsdb.games.steamspy.ranks import ACTIONS, SKILLS, TRAITS, key_of

HUE = ("#7a5417", "#d8b26a")

# One colour for a corporation and the organisation it sponsors. Each reads 4.5:1 on paper and 3:1 on slate.
_COLOURS = {
    "Das Wort": "#a6513e",
    "The Encyclopedia Englania Company": "#5c65b3",
    "Orisaku Artificials Inc": "#ab4682",
    "Transylvanian Transportation Company": "#8756ab",
    "Renningson & Sons Firearms": "#3a72a6",
    "Navidad Pharmaceuticals": "#3c7a52",
}
COLOURS = _COLOURS | {one.name: _COLOURS[one.sponsor] for one in ORGANISATIONS}
COLOURS |= {spelling: COLOURS[one.name] for one in (*CORPORATIONS, *ORGANISATIONS) for spelling in one.spellings}

# A lamp, a mask and a dumb-bell, on the grid of 24.
INTELLIGENCE = "M 9 18 L 9 15 C 4 12 6 3 12 3 C 18 3 20 12 15 15 L 15 18 Z M 9 21 L 15 21"
CHARISMA = "M 4 4 L 20 4 L 20 12 C 20 23 4 23 4 12 Z M 8 9 L 10 9 M 14 9 L 16 9 M 8 14 C 10 17 14 17 16 14"
BODY = "M 3 9 L 3 15 M 6 6 L 6 18 M 6 12 L 18 12 M 18 6 L 18 18 M 21 9 L 21 15"
INITIATIVE = ("protagonist", "antagonist")
TRAIT_SYMBOLS = (("Intelligence", INTELLIGENCE), ("Charisma", CHARISMA), ("Body", BODY))


def _keys(names: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(key_of(name) for of_type in names.values() for name in of_type)


def _character() -> Face:
    """The sheet: level top right, three traits across, allegiances, then actions left and skills right."""
    traits = [Number(Box(4_000 + index * 18_700, 20_000, 17_600, 13_000), key_of(trait), size=300) for index, trait in enumerate(TRAITS)]
    return Face(
        (
            Fill(Box(0, 0, 63_000, 88_000), "paper"),
            Fill(Box(0, 0, 63_000, 13_500), "hue"),
            Text(Box(4_000, 1_200, 43_000, 11_100), "name", 120, 90, "serif-bold", colour="paper", lines=3),
            Fill(Box(49_000, 1_500, 12_000, 10_800), "paper"),
            Number(Box(49_000, 1_800, 12_000, 10_500), "level"),
            Text(Box(4_000, 15_000, 43_000, 4_000), "type", 80, 65, "sans-bold", colour="soft"),
            *traits,
            Fill(Box(0, 34_500, 63_000, 15_500), "tint"),
            Lines(Box(4_000, 35_500, 55_000, 13_500), ("corporation", "organisation", "xp", "download"), ("corporation", "organisation")),
            Text(Box(4_000, 51_000, 26_500, 4_000), "=Actions", 75, 65, "sans-bold", colour="hue"),
            Lines(Box(4_000, 55_500, 26_500, 26_000), _keys(ACTIONS)),
            Text(Box(32_500, 51_000, 26_500, 4_000), "=Skills", 75, 65, "sans-bold", colour="hue"),
            Lines(Box(32_500, 55_500, 26_500, 26_000), _keys(SKILLS)),
            Text(Box(4_000, 82_200, 55_500, 3_800), "credit", 65, 50, colour="soft"),
        )
    )


def _played(allegiance: str, *, encounter: bool = False) -> Face:
    """A playing card: allegiance under the band, ruled room for the effect, the initiative strip at the foot."""
    lines = (allegiance, "encounter_type", "vehicle") if encounter else (allegiance, "vehicle")
    depth = 4_200 * (len(lines) - 1)
    notes = 21_500 + depth
    return Face(
        (
            Fill(Box(0, 0, 63_000, 88_000), "paper"),
            Fill(Box(0, 0, 63_000, 13_500), f"by:{allegiance}"),
            Text(Box(4_000, 1_200, 55_000, 11_100), "name", 120, 90, "serif-bold", colour="paper", lines=3),
            Text(Box(4_000, 15_000, 55_000, 4_000), "type", 80, 65, "sans-bold", colour="soft"),
            Lines(Box(4_000, 20_000, 55_500, depth), lines, lines[:-1]),
            Notes(Box(4_000, notes, 55_500, 63_000 - notes)),
            Fill(Box(0, 65_000, 63_000, 16_500), "tint"),
            Text(Box(4_000, 65_600, 55_000, 3_800), "=Initiative", 70, 65, "sans-bold", colour="soft"),
            Lines(Box(4_000, 70_000, 55_500, 10_500), INITIATIVE, INITIATIVE, 95),
            Text(Box(4_000, 82_200, 55_500, 3_800), "credit", 65, 50, colour="soft"),
        )
    )


_CORPORATION_CARD = _played("corporation")
_ORGANISATION_CARD = _played("organisation")
_TYPED = _played("organisation", encounter=True)

FACES = {
    "character": _character(),
    "ally": _CORPORATION_CARD,
    "interrupt": _CORPORATION_CARD,
    "corporation-card": _CORPORATION_CARD,
    "equipment": _TYPED,
    "add-on": _TYPED,
    "creature": _ORGANISATION_CARD,
    "organisation-card": _ORGANISATION_CARD,
    "corporation": dossier(
        lines=("region", "trait_bonus", "encounter_type", "skill_bonus", "sponsored"),
        marks="trait",
        symbols=TRAIT_SYMBOLS,
        edge="by:sponsored",
    ),
    "organisation": dossier(lines=("sponsor", "encounter_type", "action_bonus"), edge="by:sponsor"),
    "trait": dossier(corner="price", lines=("place",)),
    "action": dossier(corner="price", lines=("encounter_type", "place"), marks="trait", symbols=TRAIT_SYMBOLS),
    "skill": dossier(corner="price", lines=("encounter_type", "place")),
    "encounter-type": dossier(lines=("encounter_kind",)),
    "card-kind": dossier(lines=("listed_under",)),
    "goal": dossier(lines=("target", "encounters")),
}
