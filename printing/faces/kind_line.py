"""The line with a card's type: the type, further words, and what the card demands, in outlines ("chips").

`compose` calls `draw_kind` for the element ``kit.Kind`` of the face. Type, words and demands each have a
usual and a smallest size; what does not fit goes on in further lines, and no word is cut off. ``size`` is a
size of type in micrometres; ``fonts.width`` measures words in thousandths of it.
Tests: ``tests/printing/faces/test_compose.py``, on whole cards.
"""

from typing import NamedTuple

from cardsdb.games.kit.print import face as kit
from printing.faces import fonts, wording
from printing.faces.canvas import RING_PEN, Canvas
from printing.faces.strokes import Path, rounded

# In tenths of a point: the usual and the smallest type of the line, of the card's demands, of their label.
_KIND = 85
_SMALLEST_KIND = 75
_ASKED = 70
_SMALLEST_ASKED = 60
_LABEL = 80
_SMALLEST_LABEL = 65
# In thousandths of the size: the distance of the lines, and the space after the card's type.
_CLOSE = 1_240
_AFTER_NAME = 400
# The lines may take a sixth of the card's height.
_SHARE = 6
# Type that is too large is tried again at so many per cent of its size.
_SHRINK = 97
# In micrometres: the side of the symbol, the space beside it and between outlines, the space between words
# and the end of their outline, and how much a second line, of demands, overlaps the first one's box.
_SYMBOL = 4_000
_CHIP_GAP = 1_100
_IN_CHIP = 1_400
_CLOSER = 400
# The height of an outline, in thousandths of the size of the words in it.
_CHIP_HEIGHT = 1_750


class _Demands(NamedTuple):
    """The demands of a card as chips: words in outlines. ``length`` includes a space after each."""

    values: tuple[str, ...]
    size: int
    length: int


def draw_kind(canvas: Canvas, element: kit.Kind, box: kit.Box) -> int:
    """Draw the card's type, further words, and its demands in outlines; return the depth used.

    The demands stand at the right of the line, or in a second line if the first has no room for them. If they
    are too many, they are written as words. The Conundrum of The X-Files, in both ways::

        Bluff Phenomena, Evolutionary        (Conspiracy) (Evidence Collection)

        Bluff Phenomena, Evolutionary
        To play: (Conspiracy) (Evidence Collection)
    """
    words = fonts.plain(", ".join(wording.values_of(element.words, canvas.card)))
    demands = _demands(canvas, element, box.width)
    if demands.values and demands.size < canvas.least(_SMALLEST_ASKED):
        words = fonts.plain(f"{words}. {element.label} {', '.join(demands.values)}")
        demands = _Demands((), 0, 0)
    indent = 0
    if element.symbol:
        side = canvas.length(_SYMBOL)
        place = kit.Box(box.x, box.y + (box.height - side) // 2, side, side)
        canvas.symbol(place, element.symbol, canvas.readable("band", box))
        indent = side + canvas.length(_CHIP_GAP)
    name = wording.type_name(canvas.card, canvas.game)
    # 0 if the words need more lines, or the demands a line of their own.
    on_one_line = _size_on_one_line(canvas, name, words, box.width - indent - demands.length)
    used = _draw_words(canvas, name, words, on_one_line or canvas.size(_KIND), indent, box)
    if not demands.values:
        return used
    if on_one_line:
        # ``length`` counts a space after the last demand too.
        x = box.x + box.width - demands.length + canvas.length(_CHIP_GAP)
        _draw_demands(canvas, demands, x, box.y, box.height)
        return used
    overlap = canvas.length(_CLOSER)
    _draw_second_line(canvas, element.label, demands, box, box.y + used - overlap)
    return used + box.height - overlap


def _size_on_one_line(canvas: Canvas, name: str, words: str, width: int) -> int:
    """Return the size, from _KIND to _SMALLEST_KIND, in which type and words fit into the width on one line;
    0 if none does.
    """
    length = fonts.width("sans-bold", name) + _AFTER_NAME + fonts.width("sans", words)
    size, least = canvas.size(_KIND), canvas.size(_SMALLEST_KIND)
    while size > least and length * size // 1000 > width:
        size = max(size * _SHRINK // 100, least)
    return size if length * size // 1000 <= width else 0


def _draw_words(canvas: Canvas, name: str, words: str, size: int, indent: int, box: kit.Box) -> int:
    """Draw the card's type and the words after it; return the depth used. The size shrinks until all lines
    take no more than their share of the card's height.
    """
    after_name, parts = fonts.width("sans-bold", name) + _AFTER_NAME, fonts.pieces(words)
    width = (box.width - indent) * 1000
    lines = fonts.wrap(parts, width // size, "sans", after_name)
    while len(lines) * size * _CLOSE // 1000 > canvas.height // _SHARE:
        size = size * _SHRINK // 100
        lines = fonts.wrap(parts, width // size, "sans", after_name)
    left, y = box.x + indent, box.y + (box.height + fonts.cap("sans", size)) // 2
    canvas.write(name, "sans-bold", size, left, y, canvas.readable("band", box))
    x, pitch = left + after_name * size // 1000, size * _CLOSE // 1000
    for line in lines:
        if line:
            canvas.write(line, "sans", size, x, y, canvas.readable("ink", box))
        # Further lines begin below the type.
        x = left
        y += pitch
    return box.height + max(0, len(lines) - 1) * pitch


def _draw_second_line(canvas: Canvas, label: str, demands: _Demands, box: kit.Box, top: int) -> None:
    """Draw the demands in a line from ``top``, after the label if it has room. ``box`` is the first line."""
    x = box.x
    room_for_label = (box.width - demands.length) * 1000
    size = min(canvas.size(_LABEL), room_for_label // (fonts.width("sans", label) + _AFTER_NAME))
    if size >= canvas.least(_SMALLEST_LABEL):
        y = top + (box.height + fonts.cap("sans", size)) // 2
        x += canvas.write(label, "sans", size, x, y, canvas.readable("soft", box))
        x += canvas.length(_CHIP_GAP)
    _draw_demands(canvas, demands, x, top, box.height)


def _demands(canvas: Canvas, element: kit.Kind, width: int) -> _Demands:
    """Return the card's demands in the largest type in which all fit into the width; none on a small face."""
    values = () if canvas.small else wording.values_of(element.asks, canvas.card)
    gap = canvas.length(_CHIP_GAP)
    spaces = (canvas.length(2 * _IN_CHIP) + gap) * len(values)
    letters = max(1, sum(fonts.width("sans-bold", fonts.plain(value)) for value in values))
    size = min(canvas.size(_ASKED), (width - spaces) * 1000 // letters)
    return _Demands(values, size, sum(_chip_length(canvas, value, size) + gap for value in values))


def _chip_length(canvas: Canvas, value: str, size: int) -> int:
    """Return the length of a value in its outline."""
    return fonts.length("sans-bold", fonts.plain(value), size) + canvas.length(2 * _IN_CHIP)


def _draw_demands(canvas: Canvas, demands: _Demands, x: int, top: int, line_height: int) -> None:
    """Draw the demands from x, each in an outline with round ends in the middle of the line."""
    size = demands.size
    height, cap = size * _CHIP_HEIGHT // 1000, fonts.cap("sans-bold", size)
    y = top + (line_height - height) // 2
    baseline, margin, pen = y + (height + cap) // 2, canvas.length(_IN_CHIP), canvas.length(RING_PEN * 2 // 3)
    for value in demands.values:
        length = _chip_length(canvas, value, size)
        colour = canvas.readable("band", kit.Box(x, top, length, line_height))
        canvas.strokes.append(Path(rounded(x, y, length, height, height // 2), colour, pen))
        canvas.write(fonts.plain(value), "sans-bold", size, x + margin, baseline, colour)
        x += length + canvas.length(_CHIP_GAP)
