"""Facts on a card, drawn as words: lines of label and value, marks, and the line with the card's type.

`compose` calls `draw_lines`, `draw_marks` and `draw_kind` for the elements of the face that have these names
(``kit.Lines``, ``kit.FactSymbols``, ``kit.Kind``). Each draws into a box and returns the depth that it used,
in micrometres. An unknown value becomes a ruled blank; long values make the type smaller, but none is cut
off. Tests: ``tests/printing/faces/test_facts.py``.
"""

from math import ceil
from typing import NamedTuple

from cardsdb.games.kit.print import face as kit
from printing.faces import colours, fonts, wording
from printing.faces.canvas import RING_PEN, Canvas
from printing.faces.strokes import Path, rounded

# In thousandths of the size of type: the space between a label and its value, and how far below the middle of
# a blank its rule lies.
_AFTER = 450
_BELOW_MIDDLE = 330
# A rule lies this much below the baseline of the words beside it, in micrometres.
_UNDER_BASE = 200


def draw_blank(canvas: Canvas, label: str, box: kit.Box) -> None:
    """Draw the title of a fact, on two thirds of the box at most, and a rule to write its value on."""
    place = kit.Box(box.x, box.y, box.width * 2 // 3, box.height)
    fitted = canvas.fit(label, place, "sans-bold", min(canvas.size(85), box.height), canvas.least(65))
    canvas.block(fitted, place, "sans-bold", "left", canvas.readable("soft", box))
    used = max((fonts.width("sans-bold", line) for line in fitted.lines), default=0) + _AFTER
    canvas.rule(
        box.x + used * fitted.size // 1000,
        box.x + box.width,
        box.y + box.height // 2 + fitted.size * _BELOW_MIDDLE // 1000 + _UNDER_BASE,
    )


# -- lines ----------------------------------------------------------------------


# In thousandths of the size: the indent of further lines of a value, and the distance of lines.
_HANG = 1_000
_PITCH = 1_330
# The height that a hand needs to write a line, in micrometres.
_PEN_ROOM = 5_000
# The sizes that are tried, in per cent of the face's. They are few, so that cards of a type look alike.
_STEPS = (100, 88, 80, 72)
# The space between two columns, in micrometres.
_GUTTER = 2_000


class _Row(NamedTuple):
    """One fact: its label, and the lines of its value (None for a ruled blank).

    ``reach`` is the length of the label and the space after it, in thousandths of the size.
    """

    label: str
    lines: list[str] | None
    reach: int


def _count(rows: list[_Row]) -> int:
    """Return the number of lines of these facts. A blank takes one line."""
    return sum(len(row.lines or "-") for row in rows)


def draw_lines(canvas: Canvas, element: kit.Lines, box: kit.Box, room: int) -> int:
    """Draw facts as lines of label and value from the top of the box, and return the depth used.

    ``room`` may be more than the box if ruled lines follow: long values may take some of their room. If the
    facts do not fit, these are tried in order: leaving out facts that can be spared, smaller type, two
    columns, type too small to be read at arm's length.
    """
    facts = _known(canvas, element)
    if not facts:
        return set_writing_rules(canvas, box, box.y) if element.ruled else 0
    needed = _known(canvas, element, element.spare) or facts
    largest, least = canvas.size(element.size), canvas.least(65)
    for size in sorted({largest * percent // 100 for percent in _STEPS} | {least}, reverse=True):
        for chosen in (facts, needed):
            if size >= least and (rows := _rows(chosen, box.width, room, size)):
                used = _set_rows(canvas, rows, box.x, box.width, box.y, size, _air(canvas, rows, size, room))
                return max(used, set_writing_rules(canvas, box, box.y + used)) if element.ruled else used
    # Two columns, if every fact then takes one line.
    half, in_first = (box.width - canvas.length(_GUTTER)) // 2, ceil(len(needed) / 2)
    rows = _rows(needed, half, 2 * room, least)
    if rows and len(rows) == _count(rows) and in_first * least * _PITCH <= room * 1000:
        _set_rows(canvas, rows[in_first:], box.x + box.width - half, half, box.y, least)
        return _set_rows(canvas, rows[:in_first], box.x, half, box.y, least)
    # The largest size below ``least`` that fits, to 2 per cent: ``low`` fits, ``high`` does not.
    low, high = 1, least
    while high - low > low // 50:
        middle = (low + high) // 2
        if _rows(needed, box.width, room, middle):
            low = middle
        else:
            high = middle
    return _set_rows(canvas, _rows(needed, box.width, room, low), box.x, box.width, box.y, low)


def _known(canvas: Canvas, element: kit.Lines, without: tuple[str, ...] = ()) -> list[tuple[str, str | None]]:
    """Return (title, words) of the facts that the card has, except ``without``.

    Words are None for a fact to fill in, which the element lists as one of its ``blanks``.
    """
    known = []
    for key in element.facts:
        words = wording.stated_words(key, canvas.card, canvas.game)
        is_shown = key in element.blanks if words is None else bool(words)
        if is_shown and key not in without:
            known.append((wording.title_of(key, canvas.game), words))
    return known


def set_writing_rules(canvas: Canvas, box: kit.Box, top: int) -> int:
    """Draw rules to write on between ``top`` and the end of the box, and return the height of the box."""
    pitch = canvas.spacing(_PEN_ROOM)
    if canvas.small:
        return box.height
    for y in range(box.y + box.height, top + pitch * 4 // 5, -pitch):
        canvas.rule(box.x, box.x + box.width, y, colours.FAINT)
    return box.height


def _rows(facts: list[tuple[str, str | None]], width: int, room: int, size: int) -> list[_Row]:
    """Return the facts broken into lines of this width and size; empty if they do not fit into the room."""
    rows = [_row(label, words, width * 1000 // size) for label, words in facts]
    labels_fit = all(row.reach * size <= width * 1000 for row in rows)
    return rows if labels_fit and _count(rows) * size * _PITCH <= room * 1000 else []


def _row(label: str, words: str | None, limit: int) -> _Row:
    """Return a fact, its value broken into lines of at most ``limit`` thousandths of the size."""
    first = fonts.width("sans-bold", label) + _AFTER
    if words is None:
        return _Row(label, None, first)
    parts = fonts.pieces(fonts.plain(words))
    # Lines are measured from the indent of further lines, beyond which the label of the first one reaches.
    return _Row(label, fonts.wrap(parts, limit - _HANG, "sans", max(0, first - _HANG)), first)


def _air(canvas: Canvas, rows: list[_Row], size: int, room: int) -> int:
    """Return the space above each blank that makes room for a pen, as far as there is room left."""
    blanks = sum(row.lines is None for row in rows)
    pitch = size * _PITCH // 1000
    spare = room - _count(rows) * pitch
    return max(0, min(canvas.spacing(_PEN_ROOM) - pitch, spare // blanks)) if blanks else 0


def _set_rows(canvas: Canvas, rows: list[_Row], x: int, width: int, top: int, size: int, air: int = 0) -> int:
    """Draw the rows from ``top``, with ``air`` above each blank, and return their depth."""
    pitch, place = size * _PITCH // 1000, kit.Box(x, top, width, 1)
    soft, ink = canvas.readable("soft", place), canvas.readable("ink", place)
    y = top + (pitch + fonts.cap("sans", size)) // 2
    for row in rows:
        if row.lines is None:
            y += air
        canvas.write(row.label, "sans-bold", size, x, y, soft)
        reach = row.reach * size // 1000
        if row.lines is None:
            canvas.rule(x + reach, x + width, y + _UNDER_BASE)
            y += pitch
            continue
        for index, line in enumerate(row.lines):
            if line:
                canvas.write(line, "sans", size, x + (_HANG * size // 1000 if index else reach), y, ink)
            y += pitch
    return _count(rows) * pitch + sum(air for row in rows if row.lines is None)


# -- marks and symbols ------------------------------------------------------------

# In tenths of a point: the words before the marks, the words of marks, and the smallest; below that they are
# left out.
_BEFORE = 80
_WORD = 90
_SMALLEST_WORD = 65
# In micrometres: the space after the words before the marks, between a mark and its word, between a word and
# the next mark, and between marks without words.
_AFTER_BEFORE = 1_600
_NEAR = 900
_FAR = 2_200
_APART = 900


def draw_marks(canvas: Canvas, element: kit.FactSymbols, box: kit.Box) -> int:
    """Draw a mark for each value of a fact: its symbol or first letter in its colour, and its word.

    Return the depth used; 0 if the card cannot have the fact. The lengths of a line of two marks::

        before   [side] near WORD   far   [side] near WORD

    If there is too little room for readable words, only the marks are drawn, ``_APART`` from each other.
    """
    card, game = canvas.card, canvas.game
    values = [value for value in wording.values_of(element.fact, card) if value.strip()]
    if not values:
        is_blank = element.named and isinstance(element.fact, str)
        if not (is_blank and wording.is_unknown(str(element.fact), card, game)):
            return 0
        draw_blank(canvas, wording.title_of(element.fact, game), box)
        return box.height
    if element.before:
        words = canvas.size(_BEFORE)
        baseline = box.y + (box.height + fonts.cap("sans", words)) // 2
        reach = canvas.write(element.before, "sans", words, box.x, baseline, canvas.readable("soft", box))
        reach += canvas.length(_AFTER_BEFORE)
        box = kit.Box(box.x + reach, box.y, box.width - reach, box.height)
    count, side = len(values), min(box.height, canvas.length(element.side))
    near, far = canvas.length(_NEAR), canvas.length(_FAR)
    names = [fonts.plain(value[:1].upper() + value[1:]) for value in values]
    letters = sum(fonts.width("sans-bold", name) for name in names)
    # The words share the width that the marks and the spaces leave.
    room = box.width - count * (side + near) - (count - 1) * far
    size = min(canvas.size(_WORD), max(room * 1000 // letters, 0)) if element.named else 0
    x = box.x
    if size < canvas.least(_SMALLEST_WORD):
        # Marks without words.
        size, near, far = 0, 0, canvas.length(_APART)
        side = min(side, (box.width + far) // count - far)
        if not element.named:
            x += (box.width - count * (side + far) + far) // 2
    elif element.align == "centre":
        x += max(0, room - letters * size // 1000) // 2
    for value, name in zip(values, names, strict=True):
        place = kit.Box(x, box.y + (box.height - side) // 2, side, side)
        _mark(canvas, value, _symbol_for(value, element.symbols), place)
        x += side + near
        if size:
            x += _word(canvas, name, size, x, place)
        x += far
    return box.height


def _word(canvas: Canvas, name: str, size: int, x: int, mark: kit.Box) -> int:
    """Draw the word of a mark beside it, and return its length."""
    baseline = mark.y + (mark.height + fonts.cap("sans-bold", size)) // 2
    return canvas.write(name, "sans-bold", size, x, baseline, canvas.readable("ink", mark))


def _symbol_for(value: str, symbols: tuple[tuple[str, str], ...]) -> str:
    """Return the symbol of a value; empty if it has none.

    A symbol's name may be a part of the value: Craft is the symbol for React Craft.
    """
    folded = value.casefold()
    paths = {name.casefold(): path for name, path in reversed(symbols)}
    return paths.get(folded) or next((path for name, path in symbols if name.casefold() in folded), "")


def _mark(canvas: Canvas, value: str, symbol: str, box: kit.Box) -> None:
    """Draw a value's symbol, or its first letter on a filled square."""
    colour = colours.colour_of(value, canvas.game) or canvas.deep
    if symbol:
        canvas.symbol(box, symbol, colours.legible(colour, canvas.ground(box), 3.0))
        return
    canvas.paint(box.x, box.y, box.width, box.height, colour)
    fitted = canvas.fit(fonts.plain(value)[:1].upper(), box, "sans-bold", box.height * 800 // 1000, 1)
    canvas.block(fitted, box, "sans-bold", "centre", canvas.readable("paper", box))


# -- the line with the card's type ----------------------------------------------------

# In tenths of a point: the usual and the smallest type of the line, of the card's demands, of their label.
_KIND = 85
_SMALLEST_KIND = 75
_ASKED = 70
_SMALLEST_ASKED = 60
_LABEL = 80
_SMALLEST_LABEL = 65
# The distance of the lines, in thousandths of the size.
_CLOSE = 1_240
# The lines may take a sixth of the card's height.
_SHARE = 6
# The space after the card's type, in thousandths of the size.
_AFTER_NAME = 400
# In micrometres: the side of the symbol, the space beside it and between outlines, and the space between
# words and the end of their outline.
_SYMBOL = 4_000
_CHIP_GAP = 1_100
_IN_CHIP = 1_400
# How much a second line, of demands, overlaps the first one's box.
_CLOSER = 400


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
    near, name = canvas.length(_CHIP_GAP), wording.type_name(canvas.card, canvas.game)
    words = fonts.plain(", ".join(wording.values_of(element.words, canvas.card)))
    demands = _demands(canvas, element, box.width)
    if demands.values and demands.size < canvas.least(_SMALLEST_ASKED):
        words = fonts.plain(f"{words}. {element.label} {', '.join(demands.values)}")
        demands = _Demands((), 0, 0)
    side = canvas.length(_SYMBOL) if element.symbol else 0
    indent = side + near if side else 0
    left, width = box.x + indent, box.width - indent
    name_length = fonts.width("sans-bold", name) + _AFTER_NAME
    length = name_length + fonts.width("sans", words)
    # The type may shrink so that the demands fit beside the words.
    size, least = canvas.size(_KIND), canvas.size(_SMALLEST_KIND)
    while size > least and length * size // 1000 + demands.length > width:
        size = max(size * 97 // 100, least)
    beside = length * size // 1000 + demands.length <= width
    size = size if beside else canvas.size(_KIND)
    lines = fonts.wrap(fonts.pieces(words), width * 1000 // size, "sans", name_length)
    while len(lines) * size * _CLOSE // 1000 > canvas.height // _SHARE:
        size = size * 97 // 100
        lines = fonts.wrap(fonts.pieces(words), width * 1000 // size, "sans", name_length)
    cap, pitch = fonts.cap("sans", size), size * _CLOSE // 1000
    y = box.y + (box.height + cap) // 2
    if side:
        place = kit.Box(box.x, box.y + (box.height - side) // 2, side, side)
        canvas.symbol(place, element.symbol, canvas.readable("band", box))
    canvas.write(name, "sans-bold", size, left, y, canvas.readable("band", box))
    for row, line in enumerate(lines):
        if line:
            x = left if row else left + name_length * size // 1000
            canvas.write(line, "sans", size, x, y + row * pitch, canvas.readable("ink", box))
    used = box.height + max(0, len(lines) - 1) * pitch
    if not demands.values:
        return used
    if beside:
        _draw_demands(canvas, demands, box.x + box.width - demands.length + near, box.y, box.height)
        return used
    # The second line, with a label before the demands if there is room for it.
    closer = canvas.length(_CLOSER)
    x, top, room = box.x, box.y + used - closer, (box.width - demands.length) * 1000
    label = min(canvas.size(_LABEL), room // (fonts.width("sans", element.label) + _AFTER_NAME))
    if label >= canvas.least(_SMALLEST_LABEL):
        y = top + (box.height + fonts.cap("sans", label)) // 2
        x += canvas.write(element.label, "sans", label, x, y, canvas.readable("soft", box)) + near
    _draw_demands(canvas, demands, x, top, box.height)
    return used + box.height - closer


def _draw_demands(canvas: Canvas, demands: _Demands, x: int, top: int, height: int) -> None:
    for value in demands.values:
        x += _draw_chip(canvas, value, demands.size, x, top, height) + canvas.length(_CHIP_GAP)


def _demands(canvas: Canvas, element: kit.Kind, width: int) -> _Demands:
    """Return the card's demands in the largest type in which all fit into the width; none on a small face."""
    values = () if canvas.small else wording.values_of(element.asks, canvas.card)
    near = canvas.length(_CHIP_GAP)
    spaces = (canvas.length(2 * _IN_CHIP) + near) * len(values)
    letters = max(1, sum(fonts.width("sans-bold", fonts.plain(value)) for value in values))
    size = min(canvas.size(_ASKED), (width - spaces) * 1000 // letters)
    return _Demands(values, size, sum(_chip(canvas, value, size) + near for value in values))


def _chip(canvas: Canvas, value: str, size: int) -> int:
    """Return the length of a value in its outline."""
    return fonts.length("sans-bold", fonts.plain(value), size) + canvas.length(2 * _IN_CHIP)


def _draw_chip(canvas: Canvas, value: str, size: int, x: int, top: int, room: int) -> int:
    """Draw a value in an outline with round ends, in the middle of the height ``room``; return its length."""
    width = _chip(canvas, value, size)
    high, cap = size * 1_750 // 1000, fonts.cap("sans-bold", size)
    y, colour = top + (room - high) // 2, canvas.readable("band", kit.Box(x, top, width, room))
    canvas.strokes.append(
        Path(rounded(x, y, width, high, high // 2), colour, canvas.length(RING_PEN * 2 // 3))
    )
    canvas.write(
        fonts.plain(value), "sans-bold", size, x + canvas.length(_IN_CHIP), y + (high + cap) // 2, colour
    )
    return width
