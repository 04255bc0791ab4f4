"""SpyNet's emblem: a branch of espionage is a way to weave, and the letters of a name choose which threads
are dyed; what the card does lies on it. At the end stand the words that its faces read out of a card.
"""

from collections.abc import Callable
from math import ceil

from cardsdb.games.kit import Card
from cardsdb.games.kit.print.deeds import DAY, ON_PAPER, draw_deed, first_deed
from cardsdb.games.kit.print.face import HEIGHT, WIDTH
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
# The picture of each verb in the kit's deeds.toml.
DEEDS = {
    "add": "draws",
    "allow": "gate",
    "choose": "aim",
    "forbid": "tape",
    "ignore": "unseen",
    "look": "eye",
    "play": "bolts",
    "swap": "swap",
}
# Agents are woven finer than everything else; no window has fewer rows.
FINE, COARSE, ROWS = 7, 5, 4
# The width of a thread, as a part of its place, and the free room round a plate, of a window's shorter side.
THREAD, AROUND = 0.74, 0.13
SEAM = 60


def weave(card: Card, window: Window) -> None:
    """The branch's weave over the whole window, with a plate on it for what the card does, or for the sign of
    a token. A card whose branch no source states has the picture alone, and no emblem if it does nothing.
    """
    branch, deed = card.word("branches"), first_deed(card, DEEDS)
    woven = branch in WEAVES and not card.fact("stand_in")
    if woven:
        _weave(card, window, branch)
    if deed or (woven and card.type in ("token", "branch")):
        free = min(window.width, window.height) * AROUND if woven else 0
        plate = window.part(free, free, window.width - 2 * free, window.height - 2 * free)
        plate.ground("paper")
        if deed:
            draw_deed(plate, deed[1], deed[0].number, ON_PAPER if woven else DAY)
        if woven:
            plate.frame(PEN, "deep")


def _weave(card: Card, window: Window, branch: str) -> None:
    letters, over = codes(card.name), WEAVES[branch]
    columns = max(FINE if card.type == "agent" else COARSE, ceil(ROWS * window.width / window.height))
    pitch = window.width / columns
    wide, beside = pitch * THREAD, pitch * (1 - THREAD) / 2
    window.ground("paper")
    for column in range(columns):
        for row in range(int(window.height / pitch) + 1):
            x, y = column * pitch, row * pitch
            if window.light:
                # Only the thread that lies above is drawn, as far as the next one that crosses it.
                for edge in (beside, beside + wide - PEN):
                    if over(column, row):
                        window.rect(x + edge, y - beside, PEN, pitch + 2 * beside, "deep")
                    else:
                        window.rect(x - beside, y + edge, pitch + 2 * beside, PEN, "deep")
                continue
            down: Ink = "ink" if letters[column % len(letters)] % 3 == 0 else "deep"
            across: Ink = "paper" if letters[row % len(letters)] % 4 == 1 else "tint"
            # Each thread reaches a little into the next place, so that no renderer shows a seam.
            length = pitch + SEAM
            place = window.part(x, y, min(length, window.width - x), min(length, window.height - y))
            if over(column, row):
                _across(place, length, beside, wide, across)
                place.rect(beside * 0.7, 0, wide + beside * 0.6, length, "paper")
                place.rect(beside, 0, wide, length, down)
            else:
                place.rect(beside, 0, wide, length, down)
                place.rect(0, beside * 0.7, length, wide + beside * 0.6, "paper")
                _across(place, length, beside, wide, across)


def _across(place: Window, length: float, beside: float, wide: float, ink: Ink) -> None:
    place.rect(0, beside, length, wide, ink)
    for y in (beside, beside + wide - PEN):
        place.rect(0, y, length, PEN, "deep")


def stack(card: Card, window: Window) -> None:
    """As many cards as the box holds, row by row."""
    if not (count := card.number("count")):
        return
    columns = ceil((count * window.width / window.height * HEIGHT / WIDTH) ** 0.5)
    across, down = window.width / columns, window.height / -(-count // columns)
    window.ground("tint")
    for place in range(count):
        row, column = divmod(place, columns)
        one = window.part(across * (column + 0.15), down * (row + 0.12), across * 0.7, down * 0.76)
        one.ground("paper")
        one.frame(PEN, "deep")


# -- words and shapes that faces read out of a card ------------------------------------

# The flags that stand behind the name of a type.
FLAGS = {"agent": ("special", "mercenary"), "mission": ("condition",)}


def kind(card: Card) -> tuple[str, ...]:
    """The flags of the card, each a blank to write in while no source states it; of a card of no stated type
    the likely one.
    """
    flags = {key: card.fact(key) for key in FLAGS.get(card.type, ())}
    likely = (f"likely {guess}" for guess in card.words("type_guess"))
    return *likely, *(key if flag else f"{key} ____" for key, flag in flags.items() if flag is not False)
