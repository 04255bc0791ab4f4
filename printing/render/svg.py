"""Strokes to SVG: inline for pages, or as files. They show the very strokes that are printed.

Pages call `card_svg`, `picture_svg` and, through `preview`, `stroke_svg`; `files` makes files with `draw_svg`
and `strip_svg`. Inline SVG may only use presentation attributes, because the site's security policy forbids
inline styles. Every run of text states its length, so that a card looks alike in whatever font the browser
has. Files have their letters as outlines instead, so that they look right without our fonts. Elements and
path data are those of SVG 1.1. Tests: ``tests/printing/render/test_svg.py``.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from html import escape
from itertools import chain, groupby
from typing import Any, NamedTuple

from fontTools.pens.basePen import decomposeQuadraticSegment  # type: ignore[import-untyped]
from fontTools.pens.recordingPen import DecomposingRecordingPen  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.print.face import Font, box_in_strip
from cardsdb.games.kit.print.shapes import Steps
from printing.faces import fonts, wording
from printing.faces.colours import INK, PAPER
from printing.faces.compose import card_drawing
from printing.faces.strokes import Drawing, Line, Path, Picture, Rect, Stroke, TextRun, rounded
from printing.render.xmp import described, escaped

# Sizes of type in micrometres.

# Chromium draws larger type as stretched smaller letters; see ``_text``.
MAX_TYPE = 9_000

# The smallest readable type, and the smallest name, of a card as small as a stamp (2 pixels per millimetre).
LEGIBLE_SMALL = 3_500
SMALLEST_NAME = 3_100
# The smallest readable type at 3 pixels per millimetre, as on the home page.
LEGIBLE_AT_GLANCE = 2_600


def card_svg(card: Card, game: Game, picture: PictureRef | None = None, at_a_glance: bool = False) -> str:
    """Return the card as SVG at its game's trim size.

    ``picture`` is an own picture that is the whole card or stands in its window. ``at_a_glance`` leaves out
    the text and the smallest words, for pages that show several cards.
    """
    drawing = card_drawing(card, game, picture, small=at_a_glance)
    if at_a_glance:
        seen = seen_small(card.name, drawing.strokes, LEGIBLE_AT_GLANCE)
        drawing = drawing._replace(strokes=tuple(seen))
    told = wording.read_aloud(card, game, with_text=not at_a_glance)
    return draw_svg(drawing, wording.whole_name(card, game), told=told)


def seen_small(name: str, strokes: Iterable[Stroke], legible: int = LEGIBLE_SMALL) -> Iterator[Stroke]:
    """Yield the strokes of a small face that can be seen: no words below ``legible`` except the name."""
    for stroke in strokes:
        if (
            not isinstance(stroke, TextRun)
            or stroke.size >= legible
            or (stroke.size >= SMALLEST_NAME and _is_name(stroke, name))
        ):
            yield stroke


def _is_name(run: TextRun, name: str) -> bool:
    """Return whether the words are the name or a line of it. Nothing but names is set in small serif type."""
    return run.font.startswith("serif") and run.text in name


def draw_svg(
    drawing: Drawing, title: str, rights: str | None = None, small: bool = False, told: str = ""
) -> str:
    """Return a drawing as SVG, with millimetres outside and micrometres inside.

    ``title`` is its name, ``told`` its words for a screen reader. Unless ``rights`` is None it is a file: it
    states its maker and the rights and has its letters as outlines. ``small``: the outlines of a file are
    coarse; without ``rights`` it has no effect.
    """
    width, height = drawing.width, drawing.height
    label = f' aria-label="{escape(told)}"' if told else ""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="card-face" role="img"{label}'
        f' width="{width / 1000:g}mm"'
        f' height="{height / 1000:g}mm" viewBox="0 0 {width} {height}"><title>{escape(title)}</title>'
    )
    if rights is None:
        return "".join([head, *map(stroke_svg, drawing.strokes), "</svg>"])
    size = STAMP if small else WHOLE
    return "".join([head, _about(title, rights), _outlined(drawing.strokes, size), "</svg>"])


def strip_svg(drawings: Iterable[Drawing], trim: tuple[int, int], rights: str) -> str:
    """Return small drawings side by side as one file, each at its ``box_in_strip``.

    A page shows one of them at a time.
    """
    parts: list[str] = []
    side = max(trim)
    for drawing in drawings:
        box = box_in_strip(trim, drawing.width > drawing.height, len(parts))
        inside = _outlined(drawing.strokes, STAMP)
        # An inner <svg> clips its content: bleed would otherwise reach into the next drawing.
        parts.append(f'<svg x="{box.x}" width="{box.width}" height="{box.height}">{inside}</svg>')
    across = side * len(parts)
    size = f'width="{across / 1000:g}mm" height="{side / 1000:g}mm" viewBox="0 0 {across} {side}"'
    return "".join(
        [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', _about("Faces", rights), *parts, "</svg>"]
    )


def _about(title: str, rights: str) -> str:
    """Return title, maker and rights in the vocabulary that drawing programs read."""
    title, rights = escaped(title), escaped(rights)
    words = f"<dc:title>{title}</dc:title><dc:creator>Cutout</dc:creator><dc:rights>{rights}</dc:rights>"
    return f"<metadata>{described(words)}</metadata>"


def stroke_svg(stroke: Stroke) -> str:
    """Return one stroke as an element."""
    match stroke:
        case TextRun():
            return _text(stroke)
        case Rect(x, y, width, height, colour):
            return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{escape(colour)}"/>'
        case Line(x1, y1, x2, y2, pen, colour):
            return f'<path d="M{x1} {y1}L{x2} {y2}" stroke="{escape(colour)}" stroke-width="{pen}"/>'
        case Path(steps, colour, pen):
            ink = f'fill="{escape(colour)}"'
            if pen:
                ink = f'fill="none" stroke="{escape(colour)}" stroke-width="{pen}" {_ROUND}'
            return f'<path d="{path_data(steps)}" {ink}/>'
        case Picture():
            return _picture(stroke)


_ROUND = 'stroke-linecap="round" stroke-linejoin="round"'


def path_data(steps: Steps, as_text: Callable[[int], str] = str) -> str:
    """Return the steps of a shape as path data, with numbers written by ``as_text``."""
    return "".join(letter + " ".join(map(as_text, numbers)) for letter, numbers in steps)


def _picture(picture: Picture) -> str:
    """Return a link to the picture, clipped by its window; on paper if it is see-through.

    Only the browser of the picture's owner can follow the link.
    """
    x, y, width, height, image = picture[:5]
    # ``picture.matrix`` starts from a square of side 1. Here the <image> is as large as the file has pixels,
    # so that no number is too small for a renderer, and (0, 0) is the corner (x, y) of the inner <svg>. Of a
    # picture of 400 x 300 pixels, in a window of that size, the right half has ``matrix(2 0 0 1 -400 0)``:
    # twice as wide, and its left half out of the window.
    a, b, c, d, e, f = picture.matrix
    numbers = (a / image.width, b / image.width, c / image.height, d / image.height, e - x, f - y)
    matrix = " ".join(f"{value:.6f}".rstrip("0").rstrip(".") for value in numbers)
    filtered = ' filter="url(#greys)"' if picture.grey else ""
    greys = '<filter id="greys"><feColorMatrix type="saturate" values="0"/></filter>' if picture.grey else ""
    paper = f'<rect width="{width}" height="{height}" fill="{PAPER}"/>' if image.see_through else ""
    return (
        f'<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="0 0 {width}'
        f' {height}">{greys}{paper}<image href="{escape(image.address)}" width="{image.width}"'
        f' height="{image.height}" preserveAspectRatio="none" transform="matrix({matrix})"{filtered}/></svg>'
    )


def picture_svg(ref: PictureRef, title: str) -> str:
    """Return the whole upright picture with a frame around the part that is shown."""
    width, height = ref.upright
    left, top, across, down = (round(value) for value in ref.shown)
    whole = _picture(Picture(0, 0, width, height, ref, (0, 0, width, height)))
    # A dark line with a light one in it shows on any picture.
    frames = [
        f'<rect x="{left}" y="{top}" width="{across}" height="{down}" fill="none" stroke="{colour}"'
        f' stroke-width="{pen}" vector-effect="non-scaling-stroke"/>'
        for colour, pen in ((INK, 4), (PAPER, 2))
    ]
    attributes = (
        f'class="whole-picture" role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg"'
        f" {attributes}><title>{escape(title)}</title>{whole}{''.join(frames)}</svg>"
    )


def _text(run: TextRun) -> str:
    """Return a run of text, stretched to its length in whatever font the browser has."""
    cut = fonts.CUTS[run.font]
    fallback = "serif" if "Serif" in cut.family else "sans-serif"
    if run.size > MAX_TYPE:
        # Type that is too large is set ten times smaller and then enlarged.
        turned = " rotate(-90)" if run.turned else ""
        place = f'transform="translate({run.x} {run.y}){turned} scale(10)"'
        size, width = f"{run.size / 10:g}", f"{run.width / 10:g}"
    else:
        turned = f' transform="rotate(-90 {run.x} {run.y})"' if run.turned else ""
        place = f'x="{run.x}" y="{run.y}"{turned}'
        size, width = f"{run.size}", f"{run.width}"
    fixed = f' textLength="{width}" lengthAdjust="spacingAndGlyphs"' if run.width else ""
    return (
        f'<text {place} font-family="\'{cut.family}\', {fallback}" font-weight="{cut.weight}"'
        f' font-size="{size}" fill="{escape(run.colour)}"{fixed}>{escape(run.text)}</text>'
    )


# -- files ---------------------------------------------------------------------------


class Grain(NamedTuple):
    """The precision of outlines. Points of letters are rounded to 1/``parts`` of the type size, all others to
    ``step`` micrometres.
    """

    parts: int
    step: int


WHOLE = Grain(parts=250, step=1)
# A file of the size of a stamp is half as large with coarse outlines, and looks the same.
STAMP = Grain(parts=80, step=100)
# The parts of the size of type in which fonts state their letters.
EM = 1000


def _outlined(strokes: Iterable[Stroke], grain: Grain) -> str:
    """Return the strokes in as few elements as possible.

    Neighbouring strokes of the same colour, width and ends become one ``<path>``; a run of text becomes one
    ``<path>`` of the outlines of its letters, because drawing programs and cutters ignore embedded fonts.
    """
    step, elements = grain.step, []
    for pen, alike in groupby(strokes, _pen):
        if pen:
            colour, width, ends = pen
            lines, thick = "".join(_data(stroke, step) for stroke in alike), f"{width / step:g}"
            elements.append(
                f'<path d="{lines}" fill="none" stroke="{escape(colour)}" stroke-width="{thick}"{ends}/>'
            )
            continue
        for stroke in alike:
            match stroke:
                case TextRun():
                    elements.append(_letters(stroke, grain))
                case Picture():
                    # Undo the scale of the whole: a picture is placed in micrometres.
                    elements.append(f'<g transform="scale({1 / step:g})">{stroke_svg(stroke)}</g>')
                case _:
                    elements.append(f'<path d="{_data(stroke, step)}" fill="{escape(stroke.colour)}"/>')
    return f'<g transform="scale({step})">{"".join(elements)}</g>'


def _pen(stroke: Stroke) -> tuple[str, int, str] | None:
    """Return (colour, thickness, attributes of the ends) of the pen of a stroke; None for a filled stroke.

    Straight lines have flat ends, as in a PDF.
    """
    if not isinstance(stroke, Line | Path) or not stroke.pen:
        return None
    return stroke.colour, stroke.pen, f" {_ROUND}" if isinstance(stroke, Path) else ""


def _data(stroke: Stroke, step: int) -> str:
    """Return the path data of a line, rectangle or shape.

    It begins with an absolute point, so that it can be appended to other data.
    """
    match stroke:
        case Line(x1, y1, x2, y2):
            steps: Steps = (("M", (x1, y1)), ("L", (x2, y2)))
        case Rect(x, y, width, height):
            steps = rounded(x, y, width, height, corner=0)
        case Path():
            steps = stroke.steps
        case _:
            raise TypeError(stroke)
    # ``_short`` begins with a relative "m".
    return f"M{_short(steps, 1 / step)[1:]}"


def _letters(run: TextRun, grain: Grain) -> str:
    """Return the words as one shape, letter by letter, with the widths of the drawing.

    The shape counts y upwards, in ``grain.parts`` of the size of type. ``il`` in type of 2300 micrometres,
    250 parts: ``<path fill="#000000" transform="translate(1000 2000) scale(9.2 -9.2)" d="M0 0m20 0v122...M62
    0m42-3q..."/>``; the second letter begins at 62 parts.
    """
    # ``across``: the start of the letter, in 1/EM of the size of type.
    across, shape = 0, []
    for character in run.text:
        if outline := outline_of(run.font, character, grain.parts):
            shape.append(f"M{round(across * grain.parts / EM)} 0{outline}")
        across += fonts.width(run.font, character)
    if not shape:
        return ""
    turned, scale = " rotate(-90)" if run.turned else "", f"{round(run.size / grain.parts / grain.step, 5):g}"
    place = f"translate({run.x // grain.step} {run.y // grain.step}){turned} scale({scale} -{scale})"
    return f'<path fill="{escape(run.colour)}" transform="{place}" d="{"".join(shape)}"/>'


@lru_cache(maxsize=2_000)
def outline_of(font: Font, character: str, parts: int = EM) -> str:
    """Return the outline of a character as SVG path data, y upwards, in ``parts`` of the size of type.

    Empty for a space, or for a character that the font lacks. The stem of ``i`` in 250 parts is
    ``m20 0v122h21v-122z``.
    """
    font_file = _opened(font)
    glyph = font_file.getBestCmap().get(ord(character))
    if glyph is None or character.isspace():
        return ""
    pen = DecomposingRecordingPen(font_file.getGlyphSet())
    pen.glyphSet[glyph].draw(pen)
    steps: list[tuple[str, tuple[float, ...]]] = []
    for name, points in pen.value:
        # TrueType states several quadratic curves as one, with only their handles.
        if name == "qCurveTo":
            steps += [("Q", (*handle, *end)) for handle, end in decomposeQuadraticSegment(points)]
        else:
            steps.append((_LETTERS[name], tuple(chain.from_iterable(points))))
    return _short(steps, parts / EM)


_LETTERS = {"moveTo": "M", "lineTo": "L", "curveTo": "C", "closePath": "Z"}


def _short(steps: Iterable[tuple[str, tuple[float, ...]]], scale: float) -> str:
    """Return the steps of a shape as the shortest path data: whole numbers, relative points.

    ``M 0 0, L 10 0, L 10 10, L 20 30, Q 22 34 24 38, Z`` becomes ``m0 0h10v10l10 20 4 8z``: level and upright
    lines have one number, the straight curve became a line, and the second ``l`` is left out.
    """
    parts: list[str] = []
    # The letter of the step before, the point at which it ended, and the point to which Z returns.
    last, at, start = "", (0, 0), (0, 0)
    for letter, coordinates in steps:
        if letter == "Z":
            parts.append("z")
            last, at = "z", start
            continue
        whole = [round(number * scale) for number in coordinates]
        if letter == "Q" and _is_straight(at, whole):
            # Without its handle, which comes first, a curve is a line.
            letter, whole = "L", whole[2:]
        # x and y in turn, each relative to the last point.
        numbers = [str(number - at[index % 2]) for index, number in enumerate(whole)]
        at = whole[-2], whole[-1]
        start = at if letter == "M" else start
        letter = letter.lower()
        if letter == "l" and "0" in numbers:
            letter, numbers = ("v", numbers[1:]) if numbers[0] == "0" else ("h", numbers[:1])
        # A letter that repeats the last one may be left out (two moves never follow each other), and so may a
        # space before a minus.
        data = " ".join(numbers).replace(" -", "-")
        if letter != last:
            data = letter + data
        elif data[0] != "-":
            data = " " + data
        parts.append(data)
        last = letter
    return "".join(parts)


def _is_straight(at: tuple[int, int], whole: list[int]) -> bool:
    """Return whether a curve from ``at`` is a line after rounding, as many parts of small letters are.

    It is if its handle lies on the line from ``at`` to its end, between the two.
    """
    (x, y), (handle_x, handle_y, end_x, end_y) = at, whole
    in_line = (handle_x - x) * (end_y - y) == (handle_y - y) * (end_x - x)
    return in_line and (handle_x - x) * (end_x - handle_x) + (handle_y - y) * (end_y - handle_y) >= 0


@cache
def _opened(font: Font) -> Any:
    # Read completely at once, because threads must not share an open file.
    opened = TTFont(fonts.file_of(font), lazy=False)
    for table in ("cmap", "glyf", "hmtx"):
        opened[table]
    return opened
