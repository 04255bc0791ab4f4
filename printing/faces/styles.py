"""A drawing in another style: words and lines only, greys only, an outline only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardsdb.games.kit.print.face import Font
from printing.faces import colours, fonts
from printing.faces.colours import BLACK, LARGE_INK, RULE_INK, SMALL_INK, grey_of
from printing.faces.strokes import Drawing, Line, Path, Picture, Rect, Stroke, TextRun, rounded

# The least size of large type.
LARGE_TYPE = 3_300
# Pens of the ink saver, so thick that no printer loses them: of lines, of shapes, and of lines around the
# cards.
THIN, SHAPE, FAINT = 50, 90, 60
# The least size of words in light letters.
LIGHT_TYPE = 1_400
# The dots of a line that only guides the eye: their length, and the distance from one to the next.
DOT, APART = 100, 1_500
# An edge of a fill nearer to the trim than this is the card's own edge, which the cut shows.
AT_THE_EDGE = 600
OUTLINE = 200
# Words are centred if their middle is nearer to the card's than this.
NEARLY = 100


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
    """The strokes around the cards with as little ink as still shows: thin grey lines, light words. Marks for
    a cutter stay.
    """
    return tuple(_faint(one) for one in strokes)


def _faint(one: Stroke) -> Stroke:
    match one:
        case TextRun():
            return _thin(one)
        case Line() | Path() if one.colour != colours.PAPER and one.pen:
            return one._replace(colour=RULE_INK, pen=min(one.pen, FAINT))
    return one


def outline(width: int, height: int, corner: int = 0) -> Drawing:
    """The outline of a card, which is all that a test print shows of it."""
    inset = OUTLINE // 2
    path = rounded(inset, inset, width - 2 * inset, height - 2 * inset, corner)
    return Drawing("Outline of a card", width, height, (Path(path, colours.INK, OUTLINE),))


def ground_at(drawing: Drawing, x: int, y: int) -> str:
    """The colour of the uppermost fill at this point, or of paper."""
    for one in reversed(drawing.strokes):
        if isinstance(one, Rect) and one.x <= x < one.x + one.width and one.y <= y < one.y + one.height:
            return one.colour
    return colours.PAPER


def _saved(drawing: Drawing) -> Iterator[Stroke]:
    for one in drawing.strokes:
        match one:
            case TextRun():
                yield _in_the_middle(one, _thin(one), drawing.width)
            case Line() if colours.PAPER > grey_of(one.colour) > RULE_INK:
                yield _dotted(one)
            case Line():
                yield one._replace(colour=max(grey_of(one.colour), RULE_INK), pen=min(one.pen, THIN))
            case Path():
                yield one._replace(colour=LARGE_INK, pen=min(one.pen, SHAPE) or THIN)
            case Rect() if one.colour == BLACK:
                # A code's modules: a camera reads them in this grey as well, and not at all as outlines.
                yield one._replace(colour=LARGE_INK)
            case Rect() if one.colour != colours.PAPER:
                yield from _edges(one, drawing)


def _thin(run: TextRun) -> TextRun:
    """The words in thin letters, if that font has all of them, in a grey that suits their size."""
    grey = SMALL_INK if run.size < LARGE_TYPE else LARGE_INK
    font: Font = "sans-light" if run.size >= LIGHT_TYPE else "sans"
    if fonts.split(font, run.text) != ((font, run.text),):
        return run._replace(colour=grey)
    return run._replace(colour=grey, font=font, width=fonts.width(font, run.text) * run.size // 1000)


def _in_the_middle(was: TextRun, now: TextRun, width: int) -> TextRun:
    """The run ``now`` centred on the card if the longer run ``was`` is."""
    middle = abs(2 * was.x + was.width - width) < NEARLY and not was.turned
    return now._replace(x=(width - now.width) // 2) if middle else now


def _dotted(line: Line) -> Path:
    """A line that only guides the eye, as dots along it."""
    long = max(abs(line.x2 - line.x1), abs(line.y2 - line.y1))
    across, down = line.x2 != line.x1, line.y2 != line.y1
    steps: list[tuple[str, tuple[int, ...]]] = []
    for start in range(0, long + 1 - DOT, APART):
        x, y = min(line.x1, line.x2) + across * start, min(line.y1, line.y2) + down * start
        steps += [("M", (x, y)), ("L", (x + across * DOT, y + down * DOT))]
    return Path(tuple(steps), RULE_INK, THIN)


def _edges(fill: Rect, drawing: Drawing) -> Iterator[Stroke]:
    left, top, right, bottom = fill.x, fill.y, fill.x + fill.width, fill.y + fill.height
    x1, x2, y1, y2 = max(left, 0), min(right, drawing.width), max(top, 0), min(bottom, drawing.height)
    lines = [
        Line(x, y1, x, y2, THIN, RULE_INK)
        for x in (left, right)
        if AT_THE_EDGE < x < drawing.width - AT_THE_EDGE
    ]
    lines += [
        Line(x1, y, x2, y, THIN, RULE_INK)
        for y in (top, bottom)
        if AT_THE_EDGE < y < drawing.height - AT_THE_EDGE
    ]
    yield from map(_dotted, lines) if grey_of(fill.colour) > RULE_INK else lines
