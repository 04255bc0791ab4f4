"""SpyNet's emblem: a branch of espionage is a way to weave, and the letters of a name choose which threads are dyed."""

from collections.abc import Callable

from cardsdb.games.kit import Card
from cardsdb.games.kit.print.shapes import PEN, Ink, Window, codes

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
