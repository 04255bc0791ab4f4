"""Steam Spy's faces and their emblem: three cogs that truly mesh, for Intelligence, Charisma and Body, with eight
teeth and four for each point.

A character's face is its sheet: the traits large, then the ranks that are written. A playing card
has room for its effect and a strip for its initiative along the edge, ruled where nothing is known; of printed
cards no source describes more than that strip.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, sin
from typing import Any

from cardsdb.games.kit import Card
from cardsdb.games.kit.print.face import (
    BESIDE,
    Box,
    Face,
    FactSymbols,
    Figure,
    Fill,
    Lines,
    Notes,
    Number,
    Text,
    dossier,
    foot_line,
    name_band,
    on_the_band,
    paper,
    type_row,
)
from cardsdb.games.kit.print.shapes import PEN, Emblem, Ink, Window, codes
from cardsdb.games.kit.print.symbols import (
    BLADES,
    BOLT,
    BOMB,
    BOOK,
    BUILDING,
    CARD,
    CASE,
    CLAW,
    COIN,
    FLAG,
    GEM,
    KEYHOLE,
    PERSON,
    PLUS,
    RINGS,
    SPEECH,
    STOP,
)
from cardsdb.games.steamspy.characters import CORPORATIONS, ORGANISATIONS
from cardsdb.games.steamspy.facts import ACTIONS, SKILLS, TRAITS, key_of

# A tooth as (share of its pitch, modules beyond the pitch circle).
_TOOTH = ((-0.27, -0.95), (-0.14, 0.95), (0.14, 0.95), (0.27, -0.95))


def train(card: Card, window: Window) -> None:
    """The strongest trait drives the two others; a wheel has as many spokes as its trait has points, and two
    more.
    """
    values = _values(card)
    if values is None:
        return
    order = sorted(range(3), key=lambda trait: -values[trait])
    teeth = [8 + 4 * values[trait] for trait in order]
    lean = 0.25 + 0.1 * (codes(card.name)[0] % 5)
    wide = window.width > window.height * 0.9
    angles = (-lean, pi - lean + 0.35) if wide else (-pi / 2 + lean, pi / 2 + lean)
    # Each cog as (x, y, teeth, turn), in modules; the first stands at the origin.
    cogs = [(0.0, 0.0, teeth[0], 0.1)]
    for angle, count in zip(angles, teeth[1:], strict=True):
        apart, passed = (teeth[0] + count) * 0.51, (angle - 0.1) / (2 * pi) * teeth[0]
        turn = angle + pi + passed % 1 * 2 * pi / count + pi / count
        cogs.append((apart * cos(angle), apart * sin(angle), count, turn))
    left, right = (
        min(x - count / 2 for x, _, count, _ in cogs) - 1.6,
        max(x + count / 2 for x, _, count, _ in cogs) + 1.6,
    )
    top, bottom = (
        min(y - count / 2 for _, y, count, _ in cogs) - 1.6,
        max(y + count / 2 for _, y, count, _ in cogs) + 1.6,
    )
    module = min(window.width / (right - left), window.height / (bottom - top))
    window.ground("paper" if window.light else "tint")
    inks: tuple[Ink, ...] = ("deep", "ink", "deep")
    for (x, y, count, turn), trait, ink in zip(cogs, order, inks, strict=True):
        at = (
            window.width / 2 + (x - (left + right) / 2) * module,
            window.height / 2 + (y - (top + bottom) / 2) * module,
        )
        _cog(window, *at, count, module, turn, ink, max(3, values[trait] + 2) if values[trait] else 0)


def _values(card: Card) -> list[int] | None:
    """The three traits of a character, or what a corporation or an action is about; None where nothing is
    stated.
    """
    if card.type == "character":
        stated = [card.number(trait.casefold()) for trait in TRAITS]
        return None if None in stated else [value or 0 for value in stated]
    named = [trait for trait in TRAITS if trait in card.words("trait") or trait == card.name]
    bonus = card.number("trait_bonus") or 1
    return [bonus + 1 if trait in named else 0 for trait in TRAITS] if named else None


def _cog(
    window: Window, x: float, y: float, teeth: int, module: float, turn: float, ink: Ink, spokes: int
) -> None:
    radius = teeth * module / 2
    rim = [
        (x + (radius + beyond * module) * cos(angle), y + (radius + beyond * module) * sin(angle))
        for tooth in range(teeth)
        for share, beyond in _TOOTH
        for angle in (turn + 2 * pi * (tooth + share) / teeth,)
    ]
    hole: Ink = "paper" if window.light else "tint"
    metal: Ink = "paper" if window.light else ink
    window.area(rim, metal)
    window.outline(rim, PEN, "ink")
    inner = radius - module * 2.1
    if spokes:
        window.disc(x, y, inner, hole)
        for spoke in range(spokes):
            angle = turn + 2 * pi * spoke / spokes
            window.bar(
                x,
                y,
                x + inner * 1.03 * cos(angle),
                y + inner * 1.03 * sin(angle),
                module * 1.15,
                "ink" if window.light else ink,
            )
    window.disc(x, y, module * 1.7, "ink" if window.light else ink)
    window.disc(x, y, module * 0.8, hole)


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
COLOURS |= {
    spelling: COLOURS[one.name] for one in (*CORPORATIONS, *ORGANISATIONS) for spelling in one.spellings
}

# A lamp, a mask and a dumb-bell, on the grid of 24.
INTELLIGENCE = "M 9 18 L 9 15 C 4 12 6 3 12 3 C 18 3 20 12 15 15 L 15 18 Z M 9 21 L 15 21"
CHARISMA = "M 4 4 L 20 4 L 20 12 C 20 23 4 23 4 12 Z M 8 9 L 10 9 M 14 9 L 16 9 M 8 14 C 10 17 14 17 16 14"
BODY = "M 3 9 L 3 15 M 6 6 L 6 18 M 6 12 L 18 12 M 18 6 L 18 18 M 21 9 L 21 15"
SERVED = ("corporation", "organisation")
INITIATIVE = ("protagonist", "antagonist")
TRAIT_SYMBOLS = (("Intelligence", INTELLIGENCE), ("Charisma", CHARISMA), ("Body", BODY))
# The six types of encounter: a keyhole, a running pair of chevrons, two blades, a gem, a word and a bomb.
CHASE = "M4 5 L11 12 L4 19 M12 5 L19 12 L12 19"
ENCOUNTER_SYMBOLS = (
    ("Infiltration", KEYHOLE),
    ("Chase", CHASE),
    ("Fighting", BLADES),
    ("Stealing", GEM),
    ("Interaction", SPEECH),
    ("Sabotage", BOMB),
)


def _keys(names: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(key_of(name) for of_type in names.values() for name in of_type)


def _character() -> Face:
    """The sheet: level top left, three traits across, allegiances beside the cogs, then actions left and
    skills right.
    """
    symbols = dict(TRAIT_SYMBOLS)
    traits = [
        Number(
            Box(3_200 + index * 18_900, 21_800, 18_200, 13_000),
            key_of(trait),
            size=320,
            symbol=symbols[trait],
        )
        for index, trait in enumerate(TRAITS)
    ]
    return Face(
        (
            paper(),
            *name_band(BESIDE),
            *on_the_band("level"),
            *type_row(PERSON),
            *traits,
            Fill(Box(0, 35_800, 63_000, 16_400), "tint"),
            Lines(
                Box(4_000, 36_400, 33_000, 15_200),
                (*SERVED, "xp", "download"),
                SERVED,
                80,
                spare=("xp", "download"),
            ),
            Figure(Box(38_500, 36_500, 21_000, 15_000), Emblem(train)),
            Text(Box(4_000, 53_200, 26_500, 4_200), "=Actions", 85, 65, "sans-bold", colour="hue"),
            Lines(Box(4_000, 57_600, 26_500, 22_200), _keys(ACTIONS), ruled=True),
            Text(Box(32_500, 53_200, 27_000, 4_200), "=Skills", 85, 65, "sans-bold", colour="hue"),
            Lines(Box(32_500, 57_600, 27_000, 22_200), _keys(SKILLS), ruled=True),
            *foot_line(),
        )
    )


def _played(allegiance: str, symbol: str, *, encounter: bool = False) -> Face:
    """A playing card: allegiance under the band, ruled room for the effect, the initiative strip at the
    foot.
    """
    typed = (
        (FactSymbols(Box(4_000, 28_000, 55_500, 6_000), "encounter_type", ENCOUNTER_SYMBOLS),)
        if encounter
        else ()
    )
    notes = 35_500 if encounter else 28_500
    return Face(
        (
            paper(),
            *name_band(colour=f"by:{allegiance}"),
            *type_row(symbol),
            Lines(Box(4_000, 22_000, 55_500, 5_000), (allegiance, "vehicle"), (allegiance,)),
            *typed,
            Notes(Box(4_000, notes, 55_500, 62_000 - notes)),
            Fill(Box(0, 63_500, 63_000, 17_000), "tint"),
            Text(Box(4_000, 64_200, 55_000, 3_800), "=Initiative", 80, 65, "sans-bold", colour="soft"),
            Lines(Box(4_000, 68_400, 55_500, 11_200), INITIATIVE, INITIATIVE, 100),
            *foot_line(),
        )
    )


def _listed(symbol: str, **options: Any) -> Face:
    """The face of something that a list of the rules names: its encounter type as a mark, the rest as
    lines.
    """
    return dossier(symbol=symbol, symbols=ENCOUNTER_SYMBOLS, **options)


FACES = {
    "character": _character(),
    "ally": _played("corporation", PERSON),
    "interrupt": _played("corporation", BOLT),
    "corporation-card": _played("corporation", CARD),
    "equipment": _played("organisation", CASE, encounter=True),
    "add-on": _played("organisation", PLUS, encounter=True),
    "creature": _played("organisation", CLAW),
    "organisation-card": _played("organisation", CARD),
    "corporation": dossier(
        lines=("region", "trait_bonus", "encounter_type", "skill_bonus", "sponsored"),
        marks="trait",
        symbols=TRAIT_SYMBOLS,
        symbol=BUILDING,
        edge="by:sponsored",
        line="dovetailed",
        emblem=Emblem(train, "by:sponsored"),
    ),
    "organisation": _listed(
        RINGS, lines=("sponsor", "action_bonus"), marks="encounter_type", edge="by:sponsor"
    ),
    "trait": dossier(corner="price", symbol=COIN, lines=("place",), emblem=Emblem(train)),
    "action": dossier(
        corner="price",
        symbol=BOLT,
        lines=("encounter_type", "place"),
        marks="trait",
        symbols=TRAIT_SYMBOLS,
        line="raked",
        emblem=Emblem(train),
    ),
    "skill": _listed(BOOK, corner="price", lines=("place",), marks="encounter_type"),
    "encounter-type": _listed(STOP, lines=("encounter_kind",)),
    "card-kind": _listed(CARD, lines=("listed_under",)),
    "goal": _listed(FLAG, lines=("aim",), marks="encounters"),
}
