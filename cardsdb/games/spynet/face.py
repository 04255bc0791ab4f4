"""SpyNet's faces, with power and funding value at the top left as on the printed cards, and its emblems: a branch of
espionage is a way to weave, and the letters of a name choose which threads are dyed.
"""

from __future__ import annotations

from collections.abc import Callable

from cardsdb.games.kit import Card
from cardsdb.games.kit.print.face import (
    Box,
    Face,
    FactSymbols,
    dossier,
    foot_line,
    name_band,
    paper,
    type_row,
)
from cardsdb.games.kit.print.shapes import PEN, Emblem, Ink, Window, codes
from cardsdb.games.kit.print.symbols import (
    CARD,
    CASE,
    COIN,
    EYE,
    FLAG,
    FOLDER,
    KEYHOLE,
    PERSON,
    RINGS,
    SHIELD,
)

# Whether the thread that runs down lies above in this column and row: plain, basket, twill, herringbone;
# loose without a branch.
WEAVES: dict[str, Callable[[int, int], bool]] = {
    "enforcement": lambda column, row: (column + row) % 2 == 1,
    "tech": lambda column, row: (column // 2 + row // 2) % 2 == 1,
    "infiltration": lambda column, row: (column + row) % 3 > 0,
    "counterespionage": lambda column, row: ((column if column % 6 < 3 else -column) + row) % 3 > 0,
    "none": lambda column, row: (2 * column + row) % 5 > 1,
}
# Agents are woven finer than everything else.
FINE, COARSE = 7, 5
# How much of its place a thread is wide.
THREAD = 0.74
SEAM = 60


def weave(card: Card, window: Window) -> None:
    """The branch's weave over the whole window; a card whose branch nobody states has no emblem."""
    branch = next(iter(card.words("branches")), "")
    if branch not in WEAVES or card.fact("stand_in"):
        return
    letters, over = codes(card.name), WEAVES[branch]
    columns = FINE if card.type == "agent" else COARSE
    pitch = window.width / columns
    wide, beside = pitch * THREAD, pitch * (1 - THREAD) / 2
    window.ground("paper")
    for column in range(columns):
        for row in range(int(window.height / pitch) + 1):
            x, y = column * pitch, row * pitch
            down: Ink = "ink" if letters[column % len(letters)] % 3 == 0 else "deep"
            across: Ink = "paper" if window.light or letters[row % len(letters)] % 4 == 1 else "tint"
            # Each thread reaches a little into the next place, so that no renderer shows a seam.
            length = pitch + SEAM
            place = window.part(x, y, min(length, window.width - x), min(length, window.height - y))
            if over(column, row):
                _across(place, length, beside, wide, across)
                place.rect(beside * 0.7, 0, wide + beside * 0.6, length, "paper")
                _down(place, length, beside, wide, down)
            else:
                _down(place, length, beside, wide, down)
                place.rect(0, beside * 0.7, length, wide + beside * 0.6, "paper")
                _across(place, length, beside, wide, across)


def _down(place: Window, length: float, beside: float, wide: float, ink: Ink) -> None:
    if not place.light:
        place.rect(beside, 0, wide, length, ink)
        return
    for x in (beside, beside + wide - PEN):
        place.rect(x, 0, PEN, length, "deep")


def _across(place: Window, length: float, beside: float, wide: float, ink: Ink) -> None:
    place.rect(0, beside, length, wide, ink)
    for y in (beside, beside + wide - PEN):
        place.rect(0, y, length, PEN, "deep")


# Our own drawings of the four branches: a shield, a keyhole, an eye and a chip.
CHIP = "M7 7 H17 V17 H7 Z M10 7 V3 M14 7 V3 M10 21 V17 M14 21 V17 M7 10 H3 M7 14 H3 M21 10 H17 M21 14 H17"
SYMBOLS = (
    ("enforcement", f"{SHIELD} M8 12 L11 15 L16.5 9"),
    ("infiltration", KEYHOLE),
    ("counterespionage", EYE),
    ("tech", CHIP),
)


def _emblem(symbol: str) -> Face:
    """A piece that is nothing but its branch: the drawing as large as the card."""
    return Face(
        (
            paper(),
            *name_band(colour="by:branches"),
            *type_row(symbol),
            FactSymbols(Box(9_000, 24_000, 45_000, 50_000), "branches", SYMBOLS, 40_000, named=False),
            *foot_line(),
        ),
        art=Box(4_000, 22_200, 55_000, 57_600),
    )


_WEAVE = Emblem(weave, "by:branches")

# The band has the branch's colour, its lower edge tells the type.
FACES: dict[str, Face] = {
    "agent": dossier(
        corner="power",
        marks="branches",
        symbols=SYMBOLS,
        symbol=PERSON,
        lines=("special", "mercenary"),
        blanks=("special", "mercenary"),
        edge="by:branches",
        emblem=_WEAVE,
    ),
    "mission": dossier(
        corner="stars",
        marks="branches",
        symbols=SYMBOLS,
        symbol=FLAG,
        lines=("condition",),
        blanks=("condition",),
        edge="by:branches",
        line="raked",
        emblem=_WEAVE,
    ),
    "funding": dossier(
        corner="value",
        corner_name="Value",
        symbol=COIN,
        edge="#4d4a45",
        line="scalloped",
        emblem=Emblem(weave, "#4d4a45"),
    ),
    "situation": dossier(symbol=FOLDER, edge="#3d2a63", line="wavy", emblem=Emblem(weave, "#3d2a63")),
    "unplaced": dossier(symbol=CARD, lines=("type_guess",), edge="#4d4a45", line="indented"),
    "token": _emblem(COIN),
    "branch": _emblem(RINGS),
    "component": dossier(symbol=CASE, corner="count", corner_name="In box", edge="#4a4458"),
}
