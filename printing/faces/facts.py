"""Facts on a card, drawn as words: lines of label and value, and marks.

`compose` calls `draw_lines` and `draw_marks` for the elements ``kit.Lines`` and ``kit.FactSymbols`` of the
face. Each draws into a box and returns the depth that it used, in micrometres. An unknown value becomes a
ruled blank; long values make the type smaller, but none is cut off. ``size`` is a size of type in
micrometres; ``fonts.width`` measures words in thousandths of it. Tests:
``tests/printing/faces/test_facts.py``.
"""

from dataclasses import replace
from itertools import product
from math import ceil
from typing import NamedTuple

from cardsdb.games.kit.print import face as kit
from printing.faces import colours, fonts, wording
from printing.faces.canvas import Canvas

# In thousandths of the size of type: the space between a label and its value, and how far below the middle of
# a blank its rule lies.
_AFTER_LABEL = 450
_BELOW_MIDDLE = 330
# A rule lies this much below the baseline of the words beside it, in micrometres.
_UNDER_BASE = 200


def draw_blank(canvas: Canvas, label: str, box: kit.Box) -> None:
    """Draw the title of a fact, on two thirds of the box at most, and a rule to write its value on."""
    place = kit.Box(box.x, box.y, box.width * 2 // 3, box.height)
    fitted = canvas.fit(label, place, "sans-bold", min(canvas.size(85), box.height), canvas.least(65))
    canvas.block(fitted, place, "sans-bold", "left", canvas.readable("soft", box))
    used = max((fonts.width("sans-bold", line) for line in fitted.lines), default=0) + _AFTER_LABEL
    y = box.y + box.height // 2 + fitted.size * _BELOW_MIDDLE // 1000 + _UNDER_BASE
    canvas.rule(box.x + used * fitted.size // 1000, box.x + box.width, y)


# -- lines ----------------------------------------------------------------------

# In thousandths of the size: the indent of further lines of a value, and the distance of lines.
_HANG = 1_000
_PITCH = 1_330
# In micrometres: the height that a hand needs to write a line, and the space between two columns.
_PEN_ROOM = 5_000
_GUTTER = 2_000
# The sizes that are tried, in per cent of the face's. They are few, so that cards of a type look alike.
_STEPS = (100, 88, 80, 72)

# A fact's title and words. Words are None for a blank to fill in.
_Fact = tuple[str, str | None]


class _Row(NamedTuple):
    """One fact: its label, and the lines of its value, None for a blank. ``reach`` is the length of the label
    and the space after it, in thousandths of the size::

        Branches  enforcement, tech,      the first line of the value begins after ``reach``,
          infiltration                    further lines after ``_HANG``
    """

    label: str
    lines: list[str] | None
    reach: int


def _count(rows: list[_Row]) -> int:
    """Return the number of lines of these facts. A blank takes one line."""
    return sum(len(row.lines or "-") for row in rows)


def draw_lines(canvas: Canvas, element: kit.Lines, box: kit.Box, room: int) -> int:
    """Draw facts as lines of label and value from the top of the box, and return the depth used.

    ``room`` may be more than the box if ruled lines follow: long values may take some of their room. The
    first of these that fits is drawn:

    1. in each size from the largest to the smallest readable one: all facts, or those that are needed;
    2. the needed facts in two columns, in the smallest readable size;
    3. the needed facts in type that is too small to be read at arm's length.
    """
    facts = _known(canvas, element)
    if not facts:
        return set_writing_rules(canvas, box, box.y) if element.ruled else 0
    needed = _known(canvas, element, element.spare) or facts
    largest, least = canvas.size(element.size), canvas.least(65)
    sizes = {least, *(max(least, largest * percent // 100) for percent in _STEPS)}
    space = replace(box, height=room)
    for size, chosen in product(sorted(sizes, reverse=True), (facts, needed)):
        if rows := _rows(chosen, space, size):
            used = _set_rows(canvas, rows, space, size, _air(canvas, rows, size, room))
            return max(used, set_writing_rules(canvas, box, box.y + used)) if element.ruled else used
    return _set_columns(canvas, needed, space, least) or _set_smaller(canvas, needed, space, least)


def _set_columns(canvas: Canvas, facts: list[_Fact], box: kit.Box, size: int) -> int:
    """Draw facts of one line each in two columns; return their depth, 0 undrawn if they do not fit."""
    width, in_first = (box.width - canvas.length(_GUTTER)) // 2, ceil(len(facts) / 2)
    left = replace(box, width=width)
    right = replace(left, x=box.x + box.width - width)
    first, second = _rows(facts[:in_first], left, size), _rows(facts[in_first:], right, size)
    rows = first + second
    if len(rows) < len(facts) or _count(rows) > len(facts):
        return 0
    _set_rows(canvas, second, right, size)
    return _set_rows(canvas, first, left, size)


def _set_smaller(canvas: Canvas, facts: list[_Fact], box: kit.Box, size: int) -> int:
    """Draw facts in the largest type below ``size`` in which they fit, to 2 per cent; return their depth."""
    fitting, too_large = 1, size
    while too_large - fitting > fitting // 50:
        middle = (fitting + too_large) // 2
        if _rows(facts, box, middle):
            fitting = middle
        else:
            too_large = middle
    return _set_rows(canvas, _rows(facts, box, fitting), box, fitting)


def _known(canvas: Canvas, element: kit.Lines, without: tuple[str, ...] = ()) -> list[_Fact]:
    """Return the facts that the card has or that are ``blanks`` of the element, except ``without``."""
    known = []
    for key in element.facts:
        # None for a value that is unknown, empty for a fact that the card does not have.
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


def _rows(facts: list[_Fact], box: kit.Box, size: int) -> list[_Row]:
    """Return the facts broken into lines of this size; empty if they do not fit into the box."""
    rows = [_row(label, words, box.width * 1000 // size) for label, words in facts]
    labels_fit = all(row.reach * size <= box.width * 1000 for row in rows)
    return rows if labels_fit and _count(rows) * size * _PITCH <= box.height * 1000 else []


def _row(label: str, words: str | None, limit: int) -> _Row:
    """Return a fact, its value broken into lines of at most ``limit`` thousandths of the size."""
    reach = fonts.width("sans-bold", label) + _AFTER_LABEL
    if words is None:
        return _Row(label, None, reach)
    parts = fonts.pieces(fonts.plain(words))
    # All lines are measured from the indent of the further ones. The first line begins at ``reach`` instead,
    # so what lies between the two is taken: with a limit of 20000 and a reach of 6000 lines are 19000 long,
    # and 5000 of the first are taken.
    return _Row(label, fonts.wrap(parts, limit - _HANG, "sans", max(0, reach - _HANG)), reach)


def _air(canvas: Canvas, rows: list[_Row], size: int, room: int) -> int:
    """Return the space above each blank that makes room for a pen, as far as there is room left."""
    blanks, pitch = sum(row.lines is None for row in rows), size * _PITCH // 1000
    spare = room - _count(rows) * pitch
    return max(0, min(canvas.spacing(_PEN_ROOM) - pitch, spare // blanks)) if blanks else 0


def _set_rows(canvas: Canvas, rows: list[_Row], box: kit.Box, size: int, air: int = 0) -> int:
    """Draw the rows from the top of the box, with ``air`` above each blank, and return their depth."""
    pitch, top_line = size * _PITCH // 1000, replace(box, height=1)
    soft, ink = canvas.readable("soft", top_line), canvas.readable("ink", top_line)
    first_baseline = y = box.y + (pitch + fonts.cap("sans", size)) // 2
    for row in rows:
        if row.lines is None:
            y += air
        canvas.write(row.label, "sans-bold", size, box.x, y, soft)
        x = box.x + row.reach * size // 1000
        if row.lines is None:
            canvas.rule(x, box.x + box.width, y + _UNDER_BASE)
            y += pitch
            continue
        for line in row.lines or [""]:
            if line:
                canvas.write(line, "sans", size, x, y, ink)
            # Further lines begin at the indent.
            x = box.x + _HANG * size // 1000
            y += pitch
    return y - first_baseline


# -- marks and symbols ------------------------------------------------------------

# In tenths of a point: words before the marks, words of marks, and the smallest, below which none are set.
_BEFORE = 80
_WORD = 90
_SMALLEST_WORD = 65
# In micrometres: the space after the words before the marks, between a mark and its word, between a word and
# the next mark, and between marks without words.
_AFTER_BEFORE = 1_600
_TO_WORD = 900
_TO_NEXT = 2_200
_APART = 900
# The letter that stands for a symbol, in thousandths of the height of its square.
_LETTER = 800


class _MarkLine(NamedTuple):
    """The lengths of a line of marks. ``to_word``: the space between a mark and its word, ``to_next``: that
    between a word and the next mark. ``size``: the type of the words, 0 for none.
    """

    begin: int
    side: int
    to_word: int
    to_next: int
    size: int


def draw_marks(canvas: Canvas, element: kit.FactSymbols, box: kit.Box) -> int:
    """Draw a mark for each value of a fact: its symbol or first letter in its colour, and its word.

    Return the depth used; 0 if the card cannot have the fact. If there is too little room for readable words,
    only the marks are drawn.
    """
    card, game, fact = canvas.card, canvas.game, element.fact
    values = [value for value in wording.values_of(fact, card) if value.strip()]
    if not values:
        is_blank = element.named and isinstance(fact, str) and wording.is_unknown(fact, card, game)
        if is_blank:
            draw_blank(canvas, wording.title_of(fact, game), box)
        return box.height if is_blank else 0
    if element.before:
        box = _draw_before(canvas, element.before, box)
    names = [fonts.plain(value[:1].upper() + value[1:]) for value in values]
    line = _mark_line(canvas, element, box, names)
    x = line.begin
    for value, name in zip(values, names, strict=True):
        mark = kit.Box(x, box.y + (box.height - line.side) // 2, line.side, line.side)
        _draw_mark(canvas, value, _symbol_for(value, element.symbols), mark)
        x += line.side + line.to_word
        if line.size:
            baseline = mark.y + (mark.height + fonts.cap("sans-bold", line.size)) // 2
            x += canvas.write(name, "sans-bold", line.size, x, baseline, canvas.readable("ink", mark))
        x += line.to_next
    return box.height


def _draw_before(canvas: Canvas, words: str, box: kit.Box) -> kit.Box:
    """Draw the words before the marks, and return the rest of the box."""
    size = canvas.size(_BEFORE)
    baseline = box.y + (box.height + fonts.cap("sans", size)) // 2
    taken = canvas.write(words, "sans", size, box.x, baseline, canvas.readable("soft", box))
    taken += canvas.length(_AFTER_BEFORE)
    return kit.Box(box.x + taken, box.y, box.width - taken, box.height)


def _mark_line(canvas: Canvas, element: kit.FactSymbols, box: kit.Box, names: list[str]) -> _MarkLine:
    """Return the line of marks with these words, or of marks alone if no words are wanted or readable."""
    count, side = len(names), min(box.height, canvas.length(element.side))
    if element.named:
        to_word, to_next = canvas.length(_TO_WORD), canvas.length(_TO_NEXT)
        # The words share the width that the marks and the spaces leave.
        width_of_words = box.width - count * (side + to_word) - (count - 1) * to_next
        letters = sum(fonts.width("sans-bold", name) for name in names)
        size = min(canvas.size(_WORD), width_of_words * 1000 // letters)
        if size >= canvas.least(_SMALLEST_WORD):
            spare = max(0, width_of_words - letters * size // 1000)
            indent = spare // 2 if element.align == "centre" else 0
            return _MarkLine(box.x + indent, side, to_word, to_next, size)
    apart = canvas.length(_APART)
    side = min(side, (box.width + apart) // count - apart)
    # Marks that never have words stand in the middle.
    indent = 0 if element.named else (box.width - count * (side + apart) + apart) // 2
    return _MarkLine(box.x + indent, side, 0, apart, 0)


def _symbol_for(value: str, symbols: tuple[tuple[str, str], ...]) -> str:
    """Return the symbol of a value; empty if it has none.

    A symbol's name may be a part of the value: Craft is the symbol for React Craft.
    """
    folded = value.casefold()
    paths = {name.casefold(): path for name, path in reversed(symbols)}
    return paths.get(folded) or next((path for name, path in symbols if name.casefold() in folded), "")


def _draw_mark(canvas: Canvas, value: str, symbol: str, box: kit.Box) -> None:
    """Draw a value's symbol, or its first letter on a filled square."""
    colour = colours.colour_of(value, canvas.game) or canvas.deep
    if symbol:
        canvas.symbol(box, symbol, colours.legible(colour, canvas.ground(box), 3.0))
        return
    canvas.paint(box.x, box.y, box.width, box.height, colour)
    fitted = canvas.fit(fonts.plain(value)[:1].upper(), box, "sans-bold", box.height * _LETTER // 1000, 1)
    canvas.block(fitted, box, "sans-bold", "centre", canvas.readable("paper", box))
