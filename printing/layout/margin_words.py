"""Small words set in the margins of a sheet: notes, and the game's credit. They are returned as strokes.

`Margins` and the register say where the words stand. Words are made smaller, broken into lines and spread
over columns until they fit; none is left out, because the credit states the rights in the game. Where there
is little room the caller gives a shorter form of the credit (``Notes.shorter``).
Tests in ``tests/printing``: of the credit ``layout/test_margin_words.py``; of notes, which are set in real
margins, ``layout/test_margins.py`` and ``extras/test_register.py``.
"""

import re
from collections.abc import Callable, Iterable

from cardsdb.games.kit.print.face import Align, Font
from printing.faces import fonts
from printing.faces.colours import ROLES
from printing.faces.strokes import Stroke, text_runs
from printing.layout.geometry import Area

# Type of 6.5 points, and the smallest that is readable, 6 points.
USUAL = fonts.micrometres(65)
SMALLEST = fonts.micrometres(60)
# The smallest size in which the sentences of a credit are kept whole, each in one column. A credit that needs
# smaller type is broken anywhere instead.
SMALLEST_WHOLE = fonts.micrometres(42)
# A column narrower than 15 mm, because a code or a mark takes its place, is not used.
NARROW = 15_000
# The places at which a credit may go on in the next column: at a dot between two parts, after a full stop or
# after a semicolon. The group makes ``split`` return the separators as well.
_BREAK = re.compile(r"( · |(?<=[.;]) )")


def set_note(
    words: str,
    area: Area,
    align: Align,
    font: Font,
    *,
    foot: bool = False,
    turned: bool = False,
    size: int = USUAL,
) -> tuple[Stroke, ...]:
    """Return small words set in an area of a margin, close to the cards.

    ``foot``: the words stand at the foot of the area, because the cards lie below it; otherwise at its head,
    or in its middle if they are turned. ``turned``: they run upwards. ``size`` is the largest size of type,
    in micrometres.
    """
    words = fonts.plain(words).replace("\n", " ")
    along, across = (area.height, area.width) if turned else (area.width, area.height)
    fitted = fonts.fit(words, along, across, size, min(size, SMALLEST), 2, font)
    cut = fonts.CUTS[font]
    deep = (len(fitted.lines) - 1) * fitted.pitch + (cut.cap + cut.drop) * fitted.size // 1000
    # The distance from the area's upper edge (turned: its left edge) to the first baseline.
    down = cut.cap * fitted.size // 1000
    if foot:
        down += across - deep
    elif turned:
        down += (across - deep) // 2
    strokes: list[Stroke] = []
    for line in fitted.lines:
        length = fonts.length(font, line, fitted.size)
        indent = {"left": 0, "centre": (along - length) // 2, "right": along - length}[align]
        x, y = (area.x + down, area.bottom - indent) if turned else (area.x + indent, area.y + down)
        strokes += text_runs(line, font, fitted.size, x, y, ROLES["soft"], turned)
        down += fitted.pitch
    return tuple(strokes)


def set_credit(
    words: str, across: Iterable[Area], columns: tuple[Area, ...], size: int = USUAL
) -> tuple[Stroke, ...]:
    """Return the strokes of a game's credit, set in the first way that has room for it.

    1. In one piece, in the first area of ``across`` (strips across the whole sheet) that holds it.
    2. Down the columns, with each sentence whole within one column.
    3. Down the columns, broken anywhere.
    """
    words = fonts.plain(words)
    if not words:
        return ()
    wide_columns = tuple(column for column in columns if column.width >= NARROW) or columns
    for place in across:
        # On one line if that is readable, else on several lines if those are.
        one_line_size = min(size, place.width * 1000 // max(1, fonts.width("sans", words)))
        if one_line_size >= min(size, SMALLEST):
            return _down([[words]], (place,), one_line_size)
        if strokes := _largest(words, (place,), size, SMALLEST, _running_on):
            return strokes
    by_sentences = _largest(words, wide_columns, size, SMALLEST_WHOLE, _sentences)
    return by_sentences or _largest(words, wide_columns, size, 1, _running_on)


def _largest(
    words: str,
    places: tuple[Area, ...],
    size: int,
    least: int,
    break_into: Callable[[str, tuple[Area, ...], int], list[list[str]]],
) -> tuple[Stroke, ...]:
    """Return the words in the largest size at which they fit; nothing if that is less than ``least``.

    ``break_into`` (words, places, size) returns a list of lines for each place, or an empty list if they do
    not fit.
    """
    while places and size >= least:
        if columns := break_into(words, places, size):
            return _down(columns, places, size)
        size = size * 97 // 100  # 3 per cent smaller
    return ()


def _running_on(words: str, places: tuple[Area, ...], size: int) -> list[list[str]]:
    """Return the lines of each column, broken anywhere; empty if the words do not fit.

    Every column has as many lines as the first has room for.
    """
    width, rows = min(place.width for place in places), _rows(places[0].height, size)
    lines = fonts.wrap(fonts.pieces(words), width * 1000 // size, "sans")
    fit = len(lines) <= rows * len(places)
    return [lines[start : start + rows] for start in range(0, len(lines), rows)] if fit else []


def _sentences(words: str, places: tuple[Area, ...], size: int) -> list[list[str]]:
    """Return the lines of each column, with every sentence whole within one column.

    Empty if the words do not fit.
    """
    # Sentences alternate with the separators between them: ["SpyNet", " · ", "1996 Precedence.", " ", "All"].
    parts = _BREAK.split(words)
    sentences, separators = parts[::2], ("", *parts[1::2])
    # The lines of each column, and the words of the last one.
    columns: list[list[str]] = []
    column = ""
    for separator, sentence in zip(separators, sentences, strict=True):
        longer = column + separator + sentence
        if columns and (lines := _fitting(longer, places[len(columns) - 1], size)):
            # The sentence joins the current column.
            column, columns[-1] = longer, lines
        elif len(columns) < len(places) and (lines := _fitting(sentence, places[len(columns)], size)):
            # It begins the next column.
            column = sentence
            columns.append(lines)
        else:
            return []
    return columns


def _fitting(words: str, place: Area, size: int) -> list[str]:
    """Return the words as lines of this size; an empty list if they do not fit the place."""
    columns = _running_on(words, (place,), size)
    return columns[0] if columns else []


def _rows(height: int, size: int) -> int:
    """Return the number of lines of this size that fit the height; one at least."""
    return max(1, (height - size) // (size * fonts.LEADING // 1000) + 1)


def _down(columns: list[list[str]], places: tuple[Area, ...], size: int) -> tuple[Stroke, ...]:
    """Return the lines of each column, set from the top of its place downwards. Places may be left over."""
    strokes: list[Stroke] = []
    for lines, place in zip(columns, places, strict=False):
        y = place.y + fonts.cap("sans", size)
        for line in lines:
            strokes += text_runs(line, "sans", size, place.x, y, ROLES["soft"])
            y += size * fonts.LEADING // 1000
    return tuple(strokes)
