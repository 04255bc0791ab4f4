"""Colours of faces, and drawings in other styles.

First: the colour behind a face's colour role (`ink`), and colours that can be read on their ground
(`legible`), for ``canvas`` and its callers. Then: whole drawings that save ink (`saver`), in greys (`grey`),
or reduced to an outline (`outline`), for `printing.job.pieces`. Colours are ``#rrggbb``.
Tests: ``tests/printing/faces/test_colours.py``; greys and saved ink on whole cards in
``tests/printing/job/test_pieces.py``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from colorsys import hls_to_rgb, rgb_to_hls
from itertools import pairwise

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.print.face import Font
from printing.faces import fonts
from printing.faces.strokes import Drawing, Line, Path, Picture, Rect, Stroke, TextRun, rounded

# White, so that paper costs no ink.
PAPER = "#ffffff"
# A warm near-black.
INK = "#1d1b18"
# Pure black is for machines: the modules of a QR code, registration marks.
BLACK = "#000000"

# Contrast on paper: "soft", for labels and credits, 4.5 : 1; "line", for rules to write on, 3 : 1.
ROLES = {"paper": PAPER, "ink": INK, "soft": "#5d574d", "line": "#948b7b"}

# Lines that only guide a pen, lighter than the rules for a fact.
FAINT = "#c9c0b1"


def ink(role: str, card: Card, game: Game) -> str:
    """Return the ``#rrggbb`` of a colour role.

    A role is a name of ``ROLES``, ``tint`` or ``hue`` of the game, ``by:FACT``, or a colour itself.
    ``by:FACT`` is the game's colour for the card's value of that fact, or the game's hue if the value has no
    colour or is unknown.
    """
    if role in ROLES:
        return ROLES[role]
    if role.startswith("by:"):
        known = filter(None, (colour_of(value, game) for value in card.words(role[3:])))
        return next(known, game.hue[0])
    if role == "tint":
        return mix(game.hue[0], PAPER, 12)
    return game.hue[0] if role == "hue" else role


def colour_of(value: str, game: Game) -> str:
    """Return the game's colour for a value of a fact, in any letter case; empty if it has none."""
    return game.colours.get(value) or next(
        (colour for key, colour in game.colours.items() if key.casefold() == value.casefold()), ""
    )


def legible(colour: str, ground: str, least: float = 4.5) -> str:
    """Return ``colour`` if its contrast to ``ground`` is enough; else paper or ink, whichever has more."""
    if contrast(colour, ground) >= least:
        return colour
    return max((PAPER, INK), key=lambda other: contrast(other, ground))


def contrast(colour: str, ground: str) -> float:
    """Return the contrast of two colours as WCAG 2.2 defines it, from 1 to 21."""
    lighter, darker = sorted((_luminance(colour), _luminance(ground)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def mix(colour: str, ground: str, percent: int) -> str:
    """Return ``percent`` of ``colour`` mixed with the rest of ``ground``."""
    pairs = zip(channels(colour), channels(ground), strict=True)
    return "#" + "".join(f"{(top * percent + below * (100 - percent)) // 100:02x}" for top, below in pairs)


def grey_of(colour: str) -> str:
    """Return the grey that is as light as the colour, by the weights that printers use."""
    red, green, blue = channels(colour)
    return "#" + f"{(299 * red + 587 * green + 114 * blue) // 1000:02x}" * 3


def tint(colour: str) -> str:
    """Return a flat, light step of a hue, on which dark figures and near-black words can be read."""
    hue, _, saturation = rgb_to_hls(*(value / 255 for value in channels(colour)))
    return "#" + "".join(
        f"{round(value * 255):02x}" for value in hls_to_rgb(hue, 0.83, min(0.8, saturation * 0.85))
    )


def channels(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue, 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2.2, from 0 (black) to 1 (white)."""
    shares = (channel / 255 for channel in channels(colour))
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# -- other styles ---------------------------------------------------------------------
#
# The ink saver draws in pure black. Printers make greys of dots, of which thin letters and lines would keep
# too few to be seen. Lengths are micrometres.

# The pens of lines and of shapes.
THIN = 50
SHAPE = 60
# The smallest words that are set in light letters.
LIGHT_TYPE = 1_400
# A line lighter than this grey only guides the eye.
GUIDE = "#949494"
# A guiding line becomes dots and a rule to write on becomes dashes, of these lengths.
DOT = 100
DASH = 700
# The distance from the begin of a dot or dash to the begin of the next.
APART = 1_500
# An edge of a fill that is nearer to the trim than this is the card's own edge and is not drawn.
AT_THE_EDGE = 600
# The pen of an outline.
OUTLINE = 200
# Words count as centred if twice the distance of their middle from the card's middle is less than this.
NEARLY = 100
# The widest space between two words of one line, in thousandths of their size.
SPACE = 300


def saver(drawing: Drawing) -> Drawing:
    """Return the drawing as words and thin black lines, to save ink.

    Fills become outlines, bold letters become plain, and pictures are left out.
    """
    return drawing._replace(strokes=tuple(_saved(drawing)))


def grey(drawing: Drawing) -> Drawing:
    """Return the drawing in greys that are as light as its colours."""
    return drawing._replace(strokes=greys(drawing.strokes))


def greys(strokes: Iterable[Stroke]) -> tuple[Stroke, ...]:
    """Return the strokes in greys that are as light as their colours."""
    return tuple(
        stroke._replace(grey=True)
        if isinstance(stroke, Picture)
        else stroke._replace(colour=grey_of(stroke.colour))
        for stroke in strokes
    )


def faint(strokes: Iterable[Stroke]) -> tuple[Stroke, ...]:
    """Return the strokes around the cards with as little ink as still shows: thin lines, light words.

    Registration marks for a cutter, which are rectangles, stay as they are.
    """
    return tuple(_faint(stroke) for stroke in strokes)


def _faint(stroke: Stroke) -> Stroke:
    """Return a stroke in thin black lines or light words. Fills and white lines stay."""
    match stroke:
        case TextRun():
            return _thin(stroke)
        case Line() | Path() if stroke.colour != PAPER and stroke.pen:
            return stroke._replace(colour=BLACK, pen=min(stroke.pen, THIN))
    return stroke


def outline(width: int, height: int, corner: int = 0) -> Drawing:
    """Return the outline of a card, which is all that a test print shows of it."""
    inset = OUTLINE // 2
    path = rounded(inset, inset, width - 2 * inset, height - 2 * inset, corner)
    return Drawing("Outline of a card", width, height, (Path(path, INK, OUTLINE),))


def ground_at(drawing: Drawing, x: int, y: int) -> str:
    """Return the colour of the uppermost fill at this point; paper if there is none."""
    for stroke in reversed(drawing.strokes):
        if (
            isinstance(stroke, Rect)
            and stroke.x <= x < stroke.x + stroke.width
            and stroke.y <= y < stroke.y + stroke.height
        ):
            return stroke.colour
    return PAPER


def _saved(drawing: Drawing) -> Iterator[Stroke]:
    """Yield the strokes of a drawing in the style that saves ink.

    Thin letters are narrower: centred words are centred again, and words that go on after others on their
    line keep the distance to these.
    """
    # (x, turned) -> the number of lines of words that begin there.
    begins = Counter((stroke.x, stroke.turned) for stroke in drawing.strokes if isinstance(stroke, TextRun))
    # How far the end of the last words has moved.
    end_moved = 0
    for before, stroke in pairwise((None, *drawing.strokes)):
        if not isinstance(stroke, TextRun):
            yield from _saved_shape(stroke, drawing)
            continue
        thin = _thin(stroke)
        if isinstance(before, TextRun) and _goes_on(before, stroke):
            thin = thin._replace(x=stroke.x + end_moved)
        elif begins[stroke.x, stroke.turned] == 1:
            # Lines that begin at the same x as others are not centred.
            thin = _in_the_middle(stroke, thin, drawing.width)
        end_moved = thin.x + thin.width - stroke.x - stroke.width
        yield thin


def _saved_shape(stroke: Stroke | None, drawing: Drawing) -> Iterator[Stroke]:
    """Yield a line or shape in thin black lines; nothing for a picture and for what is as white as paper."""
    match stroke:
        case Line() | Path() if stroke.colour == PAPER:
            return
        case Line() if grey_of(stroke.colour) > GUIDE:
            yield _dotted(stroke)
        case Line() if stroke.colour == ROLES["line"]:
            yield _dotted(stroke, DASH)
        case Line():
            yield stroke._replace(colour=BLACK, pen=min(stroke.pen, THIN))
        case Path():
            yield stroke._replace(colour=BLACK, pen=min(stroke.pen, SHAPE) or THIN)
        case Rect() if stroke.colour == BLACK:
            # The modules of a QR code: a camera could not read their outlines.
            yield stroke
        case Rect() if stroke.colour != PAPER:
            yield from _edges(stroke, drawing)


def _thin(run: TextRun) -> TextRun:
    """Return the words in thin black letters; in their own font if the thin one lacks some of the letters."""
    font: Font = "sans-light" if run.size >= LIGHT_TYPE else "sans"
    if fonts.split(font, run.text) != ((font, run.text),):
        return run._replace(colour=BLACK)
    return run._replace(colour=BLACK, font=font, width=fonts.length(font, run.text, run.size))


def _goes_on(before: TextRun, run: TextRun) -> bool:
    """Return whether the run stands on the same line as the one before it, with a space between them."""
    beside = 0 <= run.x - before.x - before.width <= run.size * SPACE // 1_000
    return beside and before.y == run.y and not (before.turned or run.turned)


def _in_the_middle(original: TextRun, thin: TextRun, width: int) -> TextRun:
    """Return the thin run, centred on the card if the original run was centred."""
    centred = abs(2 * original.x + original.width - width) < NEARLY and not original.turned
    return thin._replace(x=(width - thin.width) // 2) if centred else thin


def _dotted(line: Line, dot: int = DOT) -> Path:
    """Return a level or upright line as dots along it, or as dashes if ``dot`` is longer."""
    length = max(abs(line.x2 - line.x1), abs(line.y2 - line.y1))
    left, top = min(line.x1, line.x2), min(line.y1, line.y2)
    steps: list[tuple[str, tuple[int, ...]]] = []
    for start in range(0, length + 1 - dot, APART):
        for letter, way in (("M", start), ("L", start + dot)):
            steps.append((letter, (left + way, top) if line.y1 == line.y2 else (left, top + way)))
    return Path(tuple(steps), BLACK, THIN)


def _edges(fill: Rect, drawing: Drawing) -> Iterator[Stroke]:
    """Yield the edges of a fill that lie inside the card; those of a very light fill are dotted."""
    left, top, right, bottom = fill.x, fill.y, fill.x + fill.width, fill.y + fill.height
    x1, x2, y1, y2 = max(left, 0), min(right, drawing.width), max(top, 0), min(bottom, drawing.height)
    uprights = [x for x in (left, right) if AT_THE_EDGE < x < drawing.width - AT_THE_EDGE]
    levels = [y for y in (top, bottom) if AT_THE_EDGE < y < drawing.height - AT_THE_EDGE]
    lines = [Line(x, y1, x, y2, THIN, BLACK) for x in uprights]
    lines += [Line(x1, y, x2, y, THIN, BLACK) for y in levels]
    yield from map(_dotted, lines) if grey_of(fill.colour) > GUIDE else lines
