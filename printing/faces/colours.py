"""Colours: the ink of a face's colour role, and inks that can be read on their ground; and drawings in other
styles: words and lines only, greys only, an outline only.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from colorsys import hls_to_rgb, rgb_to_hls

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.print.face import Font
from printing.faces import fonts
from printing.faces.strokes import Drawing, Line, Path, Picture, Rect, Stroke, TextRun, rounded

# White, so that paper costs no ink: the real paper or page has a colour of its own.
PAPER, INK = "#ffffff", "#1d1b18"
# For machines: the modules of a code, registration marks.
BLACK = "#000000"

# soft: labels and credits, 4.5 : 1 on paper. line: rules to write on, 3 : 1.
ROLES = {"paper": PAPER, "ink": INK, "soft": "#5d574d", "line": "#948b7b"}

# For lines that part and guide; lighter than those on which a fact is written.
FAINT = "#c9c0b1"


def ink(role: str, card: Card, game: Game) -> str:
    """The ``#rrggbb`` behind a role: a name of the family, the game's hue, ``by:FACT`` or a colour itself.

    A fact whose value has no colour of its own, or is unknown, gives the game's hue.
    """
    if role in ROLES:
        return ROLES[role]
    if role.startswith("by:"):
        return next(
            (colour for value in card.words(role[3:]) if (colour := colour_of(value, game))), game.hue[0]
        )
    if role == "tint":
        return mix(game.hue[0], PAPER, 12)
    return game.hue[0] if role == "hue" else role


def colour_of(value: str, game: Game) -> str:
    """The game's colour for a fact's value, however its letters are cased; empty when it has none."""
    return game.colours.get(value) or next(
        (c for key, c in game.colours.items() if key.casefold() == value.casefold()), ""
    )


def legible(colour: str, ground: str, least: float = 4.5) -> str:
    """``colour`` if its contrast to ``ground`` is enough, else paper or ink, whichever has the higher one."""
    if contrast(colour, ground) >= least:
        return colour
    return max((PAPER, INK), key=lambda other: contrast(other, ground))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2.2 defines it, 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def mix(colour: str, ground: str, percent: int) -> str:
    """``percent`` of ``colour`` mixed with ``ground``."""
    pairs = zip(channels(colour), channels(ground), strict=True)
    return "#" + "".join(f"{(a * percent + b * (100 - percent)) // 100:02x}" for a, b in pairs)


def grey_of(colour: str) -> str:
    """The grey as light as the colour, with the weights that printers use."""
    red, green, blue = channels(colour)
    return "#" + f"{(299 * red + 587 * green + 114 * blue) // 1000:02x}" * 3


def tint(colour: str) -> str:
    """The flat light step of a hue, on which dark figures and near-black words can be read."""
    hue, _, saturation = rgb_to_hls(*(value / 255 for value in channels(colour)))
    return "#" + "".join(
        f"{round(value * 255):02x}" for value in hls_to_rgb(hue, 0.83, min(0.8, saturation * 0.85))
    )


def channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (c / 255 for c in channels(colour))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# Pens of the ink saver, which draws in whole black, because a grey is dots, of which thin letters and lines
# keep few: no printer loses them. Of lines and of shapes.
THIN, SHAPE = 50, 60
# The least size of words in light letters.
LIGHT_TYPE = 1_400
# A line lighter than this guides the eye alone.
GUIDE = "#949494"
# The dots of a line that only guides the eye, and the dashes of a rule to write on: their length, and the
# distance from one to the next.
DOT, DASH, APART = 100, 700, 1_500
# An edge of a fill nearer to the trim than this is the card's own edge, which the cut shows.
AT_THE_EDGE = 600
OUTLINE = 200
# Words are centred if their middle is nearer to the card's than this.
NEARLY = 100
# The widest space between words, in thousandths of their size.
SPACE = 300


def saver(drawing: Drawing) -> Drawing:
    """Words and thin lines without colour: fills become their outlines, bold becomes plain, pictures go."""
    return drawing._replace(strokes=tuple(_saved(drawing)))


def grey(drawing: Drawing) -> Drawing:
    """The same drawing in greys as light as its colours."""
    return drawing._replace(strokes=greys(drawing.strokes))


def greys(strokes: Iterable[Stroke]) -> tuple[Stroke, ...]:
    """The strokes in greys as light as their colours."""
    return tuple(
        one._replace(grey=True) if isinstance(one, Picture) else one._replace(colour=grey_of(one.colour))
        for one in strokes
    )


def faint(strokes: Iterable[Stroke]) -> tuple[Stroke, ...]:
    """The strokes around the cards with as little ink as still shows: thin lines, light words. Marks for a
    cutter stay.
    """
    return tuple(_faint(one) for one in strokes)


def _faint(one: Stroke) -> Stroke:
    match one:
        case TextRun():
            return _thin(one)
        case Line() | Path() if one.colour != PAPER and one.pen:
            return one._replace(colour=BLACK, pen=min(one.pen, THIN))
    return one


def outline(width: int, height: int, corner: int = 0) -> Drawing:
    """The outline of a card, which is all that a test print shows of it."""
    inset = OUTLINE // 2
    path = rounded(inset, inset, width - 2 * inset, height - 2 * inset, corner)
    return Drawing("Outline of a card", width, height, (Path(path, INK, OUTLINE),))


def ground_at(drawing: Drawing, x: int, y: int) -> str:
    """The colour of the uppermost fill at this point, or of paper."""
    for one in reversed(drawing.strokes):
        if isinstance(one, Rect) and one.x <= x < one.x + one.width and one.y <= y < one.y + one.height:
            return one.colour
    return PAPER


def _saved(drawing: Drawing) -> Iterator[Stroke]:
    begins = Counter((one.x, one.turned) for one in drawing.strokes if isinstance(one, TextRun))
    was: Stroke | None = None
    now: TextRun | None = None
    for one in drawing.strokes:
        before, was = was, one
        match one:
            case TextRun():
                thin = _thin(one)
                if now and isinstance(before, TextRun) and _goes_on(before, one):
                    now = thin._replace(x=one.x + now.x - before.x + now.width - before.width)
                else:
                    # Lines that begin one below the other are not centred.
                    alone = begins[one.x, one.turned] == 1
                    now = _in_the_middle(one, thin, drawing.width) if alone else thin
                yield now
            case Line() | Path() if one.colour == PAPER:
                continue
            case Line() if grey_of(one.colour) > GUIDE:
                yield _dotted(one)
            case Line() if one.colour == ROLES["line"]:
                yield _dotted(one, DASH)
            case Line():
                yield one._replace(colour=BLACK, pen=min(one.pen, THIN))
            case Path():
                yield one._replace(colour=BLACK, pen=min(one.pen, SHAPE) or THIN)
            case Rect() if one.colour == BLACK:
                # A code's modules, which a camera does not read as outlines.
                yield one
            case Rect() if one.colour != PAPER:
                yield from _edges(one, drawing)


def _thin(run: TextRun) -> TextRun:
    """The words in thin letters, if that font has all of them."""
    font: Font = "sans-light" if run.size >= LIGHT_TYPE else "sans"
    if fonts.split(font, run.text) != ((font, run.text),):
        return run._replace(colour=BLACK)
    return run._replace(colour=BLACK, font=font, width=fonts.width(font, run.text) * run.size // 1000)


def _goes_on(before: TextRun, run: TextRun) -> bool:
    """True if the run stands a space behind the other, on its line."""
    beside = 0 <= run.x - before.x - before.width <= run.size * SPACE // 1_000
    return beside and before.y == run.y and not (before.turned or run.turned)


def _in_the_middle(was: TextRun, now: TextRun, width: int) -> TextRun:
    """The run ``now`` centred on the card if the longer run ``was`` is."""
    middle = abs(2 * was.x + was.width - width) < NEARLY and not was.turned
    return now._replace(x=(width - now.width) // 2) if middle else now


def _dotted(line: Line, dot: int = DOT) -> Path:
    """A line that only guides the eye, as dots along it; a rule to write on as dashes."""
    long = max(abs(line.x2 - line.x1), abs(line.y2 - line.y1))
    across, down = line.x2 != line.x1, line.y2 != line.y1
    steps: list[tuple[str, tuple[int, ...]]] = []
    for start in range(0, long + 1 - dot, APART):
        x, y = min(line.x1, line.x2) + across * start, min(line.y1, line.y2) + down * start
        steps += [("M", (x, y)), ("L", (x + across * dot, y + down * dot))]
    return Path(tuple(steps), BLACK, THIN)


def _edges(fill: Rect, drawing: Drawing) -> Iterator[Stroke]:
    left, top, right, bottom = fill.x, fill.y, fill.x + fill.width, fill.y + fill.height
    x1, x2, y1, y2 = max(left, 0), min(right, drawing.width), max(top, 0), min(bottom, drawing.height)
    lines = [
        Line(x, y1, x, y2, THIN, BLACK)
        for x in (left, right)
        if AT_THE_EDGE < x < drawing.width - AT_THE_EDGE
    ]
    lines += [
        Line(x1, y, x2, y, THIN, BLACK)
        for y in (top, bottom)
        if AT_THE_EDGE < y < drawing.height - AT_THE_EDGE
    ]
    yield from map(_dotted, lines) if grey_of(fill.colour) > GUIDE else lines
