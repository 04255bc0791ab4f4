"""The face that all games share unless they lay out their own, so that they look like one family."""

from cardsdb.games.kit.print.face import (
    HEIGHT,
    WIDTH,
    Band,
    Box,
    Element,
    Face,
    FactSymbols,
    Fill,
    HairLine,
    Kind,
    Lines,
    Notes,
    Number,
    NumberRow,
    Text,
    Words,
)
from cardsdb.games.kit.print.shapes import Emblem, Partition

# The family's measures: the band on top with its name, deeper where a number stands in it; the distance and
# the depth of the row with the kind of the card below it; the foot.
BAND, DEEP_BAND, BELOW, TYPE_DEPTH, FOOT = 14_800, 19_200, 1_000, 5_200, 6_900
# Where words begin: at the left, and beside a number or a column of them.
LEFT, BESIDE = 4_000, 18_000
# How far the lower edge of a band swings.
SWING = 1_100


def dossier(
    *,
    corner: str = "",
    corner_name: str = "",
    shape: Words = "plate",
    under: str = "",
    column: tuple[str, ...] = (),
    foot: str = "",
    row: tuple[tuple[str, str, str], ...] = (),
    lines: tuple[str, ...] = (),
    blanks: tuple[str, ...] = (),
    spare: tuple[str, ...] = (),
    marks: str = "",
    symbols: tuple[tuple[str, str], ...] = (),
    symbol: str = "",
    kind: Words = "",
    edge: str = "hue",
    line: Partition = "straight",
    emblem: Emblem | None = None,
    landscape: bool = False,
) -> Face:
    """The face that all games share, so that they look like one family.

    ``corner`` is the number top left in its ``shape``, which a hand of cards shows (``corner_name`` if its
    title is long), ``under`` a fact shown as marks under it, ``column`` the numbers down the left, ``foot``
    the number bottom right, ``row`` numbers side by side where they are known; ``lines`` the facts written
    out above the text (``blanks``: those ruled when unknown, ``spare``: those that give way); ``marks`` a
    fact shown as marks; ``symbols`` the drawings for facts and values, ``symbol`` that of the type and
    ``kind`` the words behind its name; ``edge`` the colour of the band and ``line`` its lower edge, which
    tells the type; ``emblem`` what fills the window below the text.
    """
    width, height = (HEIGHT, WIDTH) if landscape else (WIDTH, HEIGHT)
    drawn = dict(symbols)
    band, left = (DEEP_BAND, BESIDE + 2_400) if corner else (BAND, LEFT)
    room = band - SWING * (line != "straight")
    parts: list[Element] = [
        Fill(Box(0, 0, width, height), "paper"),
        Band(band, "top", line),
        Text(
            Box(left, 2_600, width - left - LEFT, room - 4_000),
            "name",
            170,
            90,
            "serif-bold",
            colour="paper",
            lines=3,
        ),
    ]
    if corner:
        box = Box(2_600, 1_000, 15_600, room - 2_600)
        parts.append(Number(box, corner, corner_name, 400, shape=shape, filled=True, colour="paper"))
    top, left, right = band + BELOW, BESIDE if under else LEFT, width - 3_500
    if under:
        parts.append(FactSymbols(Box(LEFT, top, BESIDE - LEFT - 1_000, TYPE_DEPTH), under, symbols))
    parts.append(Kind(Box(left, top, right - left, TYPE_DEPTH), kind, symbol=symbol))
    top, left = top + TYPE_DEPTH + 1_400, LEFT
    numbers = Box(left, top, 12_800, min(15_000 * len(column), height - top - 9_000))
    left = BESIDE if column else left
    if marks:
        parts.append(FactSymbols(Box(left, top, right - left, 6_500), marks, symbols))
        top += 7_800
    if row:
        parts.append(NumberRow(Box(left, top, right - left, 13_500), row, 340, tiles=True))
        top += 15_000
    if lines:
        depth = min(4_700 * len(lines), (height - top - 20_000) // 2)
        parts.append(Lines(Box(left, top, right - left, depth), lines, blanks, spare=spare))
        top += depth + 1_600
    bottom = height - (19_200 if foot else 8_200)
    parts.append(Notes(Box(left, top, right - left, bottom - top), emblem=emblem))
    if column:
        facts = tuple((fact, drawn.get(fact, ""), "") for fact in column)
        parts.append(NumberRow(numbers, facts, 240, tiles=True, down=True))
    if foot:
        parts.append(Number(Box(width - 14_500, height - 18_600, 11_000, 10_500), foot, size=260))
        # No rule to write on ends above the foot.
        parts.append(HairLine(LEFT, height - FOOT, width - LEFT - 3_500))
    parts.append(
        Text(Box(LEFT, height - 7_000, width - LEFT - 3_500, 3_900), "credit", 60, 60, colour="soft")
    )
    return Face(tuple(parts), landscape, band=edge)
