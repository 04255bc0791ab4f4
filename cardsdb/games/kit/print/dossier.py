"""``dossier``: the card face that games share unless they lay out their own, so that all look alike.

A game calls it from its faces (or names it in ``game.toml``) with the facts to show; the result is a ``Face``
like any other. All lengths are micrometres on a card of 63 x 88 mm, type sizes tenths of a point, as in
``face.py``. Numbers without a name are the gaps and depths of a single part, chosen by eye.
``tests/printing/faces/test_canvas.py`` and ``tests/printing/render/test_svg.py`` draw it.
"""

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

# Depth of the band on top with the name.
BAND = 14_800
# Depth of a band that also has a number.
DEEP_BAND = 19_200
# Gap between the band and the line with the card's type.
BELOW = 1_000
# Depth of that line.
TYPE_DEPTH = 5_200
# Depth of the foot.
FOOT = 6_900
# Left edge of words, and their distance from the right edge of the card.
LEFT = 4_000
RIGHT = 3_500
# Left edge of words beside a number or a column of numbers.
BESIDE = 18_000
# Depth of the waves or teeth at the lower edge of a band.
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
    band: str = "hue",
    edge: Partition = "straight",
    emblem: Emblem | None = None,
    landscape: bool = False,
) -> Face:
    """Return the shared face with these facts, given by their keys.

    - ``corner``: number at the top left in its ``shape``, visible in a hand of cards; ``corner_name``: a
      short name for it. ``under``: fact shown as symbols below it.
    - ``column``: numbers down the left. ``foot``: number at the bottom right. ``row``: (fact, symbol, name)
      of numbers side by side, if known.
    - ``lines``: facts written out above the text; ``blanks``: those with a ruled blank if unknown; ``spare``:
      those left out if there is no room. ``marks``: fact shown as symbols.
    - ``symbols``: (value, its drawing), for ``marks`` and ``under``. ``symbol``: drawing of the type.
      ``kind``: words after its name.
    - ``band``: colour of the band. ``edge``: shape of its lower edge, which tells the type.
    - ``emblem``: picture in the room below the text.
    """
    width, height = (HEIGHT, WIDTH) if landscape else (WIDTH, HEIGHT)
    # A number on the band is wider than one below it, so the name begins 2.4 mm further right.
    depth, name_left = (DEEP_BAND, BESIDE + 2_400) if corner else (BAND, LEFT)
    # Depth of the band without the waves or teeth of its edge.
    room = depth if edge == "straight" else depth - SWING
    parts: list[Element] = [
        Fill(Box(0, 0, width, height), "paper"),
        Band(depth, "top", edge),
        Text(
            Box(name_left, 2_600, width - name_left - LEFT, room - 4_000),
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
    # Parts follow from top to bottom; ``top`` is where the next one begins.
    top, right = depth + BELOW, width - RIGHT
    kind_left = BESIDE if under else LEFT
    if under:
        parts.append(FactSymbols(Box(LEFT, top, BESIDE - LEFT - 1_000, TYPE_DEPTH), under, symbols))
    parts.append(Kind(Box(kind_left, top, right - kind_left, TYPE_DEPTH), kind, symbol=symbol))
    top += TYPE_DEPTH + 1_400
    numbers = Box(LEFT, top, 12_800, min(15_000 * len(column), height - top - 9_000))
    # All that follows stands beside the column of numbers.
    left = BESIDE if column else LEFT
    if marks:
        parts.append(FactSymbols(Box(left, top, right - left, 6_500), marks, symbols))
        top += 7_800
    if row:
        parts.append(NumberRow(Box(left, top, right - left, 13_500), row, 340, tiles=True))
        top += 15_000
    if lines:
        # A line is 4.7 mm high; the lines take half of the room at most, above the 20 mm of foot and notes.
        high = min(4_700 * len(lines), (height - top - 20_000) // 2)
        parts.append(Lines(Box(left, top, right - left, high), lines, blanks, spare=spare))
        top += high + 1_600
    bottom = height - (19_200 if foot else 8_200)
    parts.append(Notes(Box(left, top, right - left, bottom - top), emblem=emblem))
    if column:
        facts = tuple((fact, "", "") for fact in column)
        parts.append(NumberRow(numbers, facts, 240, tiles=True, down=True))
    if foot:
        parts.append(Number(Box(width - 14_500, height - 18_600, 11_000, 10_500), foot, size=260))
        # The line closes the room for handwriting above the foot.
        parts.append(HairLine(LEFT, height - FOOT, width - LEFT - RIGHT))
    # A wide card of 44.5 x 63.5 mm is scaled so that its credit would come 0.05 mm too near to the cut.
    credit_top = height - (7_100 if landscape else 7_000)
    parts.append(Text(Box(LEFT, credit_top, width - LEFT - RIGHT, 3_900), "credit", 60, 60, colour="soft"))
    return Face(tuple(parts), landscape, band=band)
