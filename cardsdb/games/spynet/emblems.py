"""SpyNet's emblems, and the words that its faces read from a card. ``game.toml`` names the public functions.

An emblem is a woven cloth: each branch of espionage has a weave of its own, and the letters of the card's
name choose which threads are dark. A plate on it shows what the card does. Lengths are micrometres; plain
factors are proportions chosen by eye. Tests of all emblems are in ``tests/cardsdb/games/test_emblems.py``.
"""

from collections.abc import Callable
from math import ceil

from cardsdb.games.kit import Card
from cardsdb.games.kit.print.deeds import DAY, ON_PAPER, draw_deed, first_deed
from cardsdb.games.kit.print.face import HEIGHT, WIDTH
from cardsdb.games.kit.print.shapes import PEN, Ink, Window, codes


def _herringbone(column: int, row: int) -> bool:
    """A twill that changes its direction every three columns: -||-||-||-|| above ||-|-|||-|-|."""
    along = column if column % 6 < 3 else -column
    return (along + row) % 3 > 0


# Branch -> its weave, a function of (column, row) that is true if the vertical thread lies on top there. The
# first two rows, | for a vertical thread on top and - for a horizontal one:
#   enforcement  -|-|-|-|-|-|   tech  --||--||--||   infiltration  -||-||-||-||   none  -||-|-||-|-|
#                |-|-|-|-|-|-         --||--||--||                 ||-||-||-||-         -|-||-|-||-|
WEAVES: dict[str, Callable[[int, int], bool]] = {
    # plain
    "enforcement": lambda column, row: (column + row) % 2 == 1,
    # basket: plain, of two threads each
    "tech": lambda column, row: (column // 2 + row // 2) % 2 == 1,
    # twill: two of three on top, one further in each row
    "infiltration": lambda column, row: (column + row) % 3 > 0,
    "counterespionage": _herringbone,
    # loose, for cards that belong to no branch
    "none": lambda column, row: (2 * column + row) % 5 > 1,
}
# Verb -> its picture in the kit's deeds.toml.
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
# Least columns of threads for agents.
FINE = 7
# Least columns of threads for other cards.
COARSE = 5
# Least rows of threads.
ROWS = 4
# Width of a thread as a share of its place.
THREAD = 0.74
# Margin around a plate as a share of the window's shorter side.
AROUND = 0.13
# Micrometres by which a thread reaches into the next place, so that no renderer shows a seam.
SEAM = 60


def weave(card: Card, window: Window) -> None:
    """Draw the branch's weave over the whole window, and a plate on it: with the picture of what the card
    does, or empty for the sign of a token. A card of unknown branch has the picture only.
    """
    branch, shown = card.word("branches"), first_deed(card, DEEDS)
    woven = branch in WEAVES and not card.fact("stand_in")
    if woven:
        _weave(card, window, branch)
    if shown or (woven and card.type in ("token", "branch")):
        free = window.short * AROUND if woven else 0
        plate = window.part(free, free, window.width - 2 * free, window.height - 2 * free)
        plate.ground("paper")
        if shown:
            deed, picture = shown
            draw_deed(plate, picture, deed.number, ON_PAPER if woven else DAY)
        if woven:
            plate.frame(PEN, "deep")


def _weave(card: Card, window: Window, branch: str) -> None:
    """Draw the weave place by place, from left to right and down. At each place, a square of one ``pitch``, a
    vertical thread crosses a horizontal one; a thread takes the middle of its place, with a gap on either
    side.
    """
    letters, vertical_on_top = codes(card.name), WEAVES[branch]
    least = FINE if card.type == "agent" else COARSE
    columns = max(least, ceil(ROWS * window.width / window.height))
    pitch = window.width / columns  # from one thread to the next
    # Width of a thread, and the gap on either side of it.
    wide, gap = pitch * THREAD, pitch * (1 - THREAD) / 2
    window.ground("paper")
    for column in range(columns):
        for row in range(int(window.height / pitch) + 1):
            x, y = column * pitch, row * pitch
            if window.light:
                # Only the edges of the thread on top are drawn, up to the next thread that crosses it.
                for edge in (gap, gap + wide - PEN):
                    if vertical_on_top(column, row):
                        window.rect(x + edge, y - gap, PEN, pitch + 2 * gap, "deep")
                    else:
                        window.rect(x - gap, y + edge, pitch + 2 * gap, PEN, "deep")
                continue
            # About a third of the vertical threads are dark, a quarter of the horizontal ones bright.
            down: Ink = "ink" if letters[column % len(letters)] % 3 == 0 else "deep"
            across: Ink = "paper" if letters[row % len(letters)] % 4 == 1 else "tint"
            length = pitch + SEAM
            # The thread below comes first, then the one on top, on a slightly wider strip of paper.
            place = window.part(x, y, min(length, window.width - x), min(length, window.height - y))
            if vertical_on_top(column, row):
                _across(place, length, gap, wide, across)
                place.rect(gap * 0.7, 0, wide + gap * 0.6, length, "paper")
                place.rect(gap, 0, wide, length, down)
            else:
                place.rect(gap, 0, wide, length, down)
                place.rect(0, gap * 0.7, length, wide + gap * 0.6, "paper")
                _across(place, length, gap, wide, across)


def _across(place: Window, length: float, gap: float, wide: float, ink: Ink) -> None:
    """Draw the horizontal thread of a place, with its edges."""
    place.rect(0, gap, length, wide, ink)
    for y in (gap, gap + wide - PEN):
        place.rect(0, y, length, PEN, "deep")


def stack(card: Card, window: Window) -> None:
    """Draw as many small cards as the box holds of this card, row by row."""
    if not (count := card.number("count")):
        return
    # So many columns that the place of a small card has about the proportions of a card: with columns x rows
    # = count, and width / columns to height / rows as WIDTH to HEIGHT.
    columns = ceil((count * window.width / window.height * HEIGHT / WIDTH) ** 0.5)
    across, down = window.width / columns, window.height / ceil(count / columns)
    window.ground("tint")
    for place in range(count):
        row, column = divmod(place, columns)
        # A card takes 70 % of the width and 76 % of the height of its place, in the middle of it.
        small = window.part(across * (column + 0.15), down * (row + 0.12), across * 0.7, down * 0.76)
        small.ground("paper")
        small.frame(PEN, "deep")


# -- words that faces read from a card ----------------------------------------------------

# Type -> keys of the flags shown after the name of the type.
FLAGS = {"agent": ("special", "mercenary"), "mission": ("condition",)}


def kind(card: Card) -> tuple[str, ...]:
    """Return the names of the card's flags, with a blank to write on if a flag is unknown. For a card of
    unknown type, first ``likely agent``.
    """
    flags = {key: card.fact(key) for key in FLAGS.get(card.type, ())}
    likely = (f"likely {guess}" for guess in card.words("type_guess"))
    return *likely, *(key if flag else f"{key} ____" for key, flag in flags.items() if flag is not False)
