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
    Lines,
    Notes,
    Number,
    NumberRow,
    Symbol,
    Text,
)
from cardsdb.games.kit.print.shapes import Emblem, Partition

# The family's measures: the band on top with its name, the row that says what kind of card this is, the foot.
BAND, TYPE_TOP, TYPE_DEPTH, FOOT = 14_800, 16_000, 4_800, 6_900
# Where words begin: at the left, and beside a number or a column of them.
LEFT, BESIDE = 4_000, 18_000
# Print services cut off an eighth of an inch at worst: words keep that far from the trim.
SAFE = 3_200


def paper(width: int = WIDTH, height: int = HEIGHT) -> Fill:
    """The card itself."""
    return Fill(Box(0, 0, width, height), "paper")


def name_band(
    left: int = LEFT, right: int = WIDTH - 4_000, line: Partition = "straight"
) -> tuple[Element, ...]:
    """The band on top, and the name in it from ``left`` to ``right``. Its lower edge is a line that tells the
    type of card.
    """
    name = Text(
        Box(left, 2_600, right - left, 10_800), "name", 135, 90, "serif-bold", colour="paper", lines=3
    )
    return Band(BAND, "top", line), name


def on_the_band(fact: str, label: str = "", x: int = 2_000) -> tuple[Element, ...]:
    """A number at the left of the band, where a hand of cards shows it, on paper so that it stands out from
    the band's colour.
    """
    ground = Fill(Box(x, 1_700, 12_500, 11_400), "paper")
    return ground, Number(Box(x + 1_200, SAFE, 10_100, 8_900), fact, label, 240)


def type_row(symbol: str = "", left: int = LEFT, right: int = WIDTH - 3_500) -> tuple[Element, ...]:
    """What kind of card this is, with its mark."""
    words = left + 6_000 if symbol else left
    row: tuple[Element, ...] = (
        Text(Box(words, TYPE_TOP, right - words, TYPE_DEPTH), "type", 90, 65, "sans-bold", colour="soft"),
    )
    return (Symbol(Box(left, TYPE_TOP, TYPE_DEPTH, TYPE_DEPTH), symbol, "hue"), *row) if symbol else row


def foot_line(
    left: int = LEFT, width: int = WIDTH, height: int = HEIGHT, *, ruled: bool = False
) -> tuple[Element, ...]:
    """Where print, source and credit stand; under a hair line where no rule to write on ends above them."""
    across = width - left - 3_500
    rule = (HairLine(left, height - FOOT, across),) if ruled else ()
    return *rule, Text(Box(left, height - 7_000, across, 3_900), "credit", 60, 60, colour="soft")


def dossier(
    *,
    corner: str = "",
    corner_name: str = "",
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
    edge: str = "hue",
    line: Partition = "straight",
    emblem: Emblem | None = None,
    landscape: bool = False,
) -> Face:
    """The face that all games share, so that they look like one family.

    ``corner`` is the number top left, which a hand of cards shows (``corner_name`` if its title is long),
    ``under`` a fact shown as marks under it, ``column`` the numbers down the left, ``foot`` the number bottom
    right, ``row`` numbers side by side where they are known; ``lines`` the facts
    written out above the text (``blanks``: those ruled when unknown, ``spare``: those that give way);
    ``marks`` a fact shown as marks; ``symbols`` the drawings for facts and values, ``symbol`` that of the
    type; ``edge`` the colour of the band and ``line`` its lower edge, which tells the type; ``emblem`` what
    fills the window below the text.
    """
    width, height = (HEIGHT, WIDTH) if landscape else (WIDTH, HEIGHT)
    drawn = dict(symbols)
    parts: list[Element] = [
        paper(width, height),
        *name_band(BESIDE if corner else LEFT, width - 4_000, line),
    ]
    parts += on_the_band(corner, corner_name) if corner else ()
    if under:
        parts.append(FactSymbols(Box(LEFT, TYPE_TOP, BESIDE - LEFT - 1_000, TYPE_DEPTH), under, symbols))
    parts += type_row(symbol, BESIDE if under else LEFT, width - 3_500)
    top = TYPE_TOP + TYPE_DEPTH + 1_400
    left, right = LEFT, width - 3_500
    if column:
        step = min(15_000, (height - top - 9_000) // len(column))
        for place, fact in enumerate(column):
            box = Box(left - 500, top + place * step, 13_500, step - 800)
            parts.append(Number(box, fact, "", 240, drawn.get(fact, "")))
        left = BESIDE
    if marks:
        parts.append(FactSymbols(Box(left, top, right - left, 6_500), marks, symbols))
        top += 7_800
    if row:
        parts.append(NumberRow(Box(left, top, right - left, 11_500), row, 240))
        top += 12_500
    if lines:
        depth = min(4_700 * len(lines), (height - top - 20_000) // 2)
        parts.append(Lines(Box(left, top, right - left, depth), lines, blanks, spare=spare))
        top += depth + 1_200
    bottom = height - (19_200 if foot else 8_200)
    parts.append(Notes(Box(left, top, right - left, bottom - top), 100, emblem))
    if foot:
        parts.append(Number(Box(width - 14_500, height - 18_600, 11_000, 10_500), foot, size=260))
    parts += foot_line(LEFT, width, height, ruled=bool(foot))
    return Face(tuple(parts), landscape, band=edge)
