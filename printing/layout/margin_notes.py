"""Small words beside the cards: a note in its place, and the credit in one piece wherever there is room.
Pure.
"""

from __future__ import annotations

import re
from functools import partial

from cardsdb.games.kit.print.face import Align, Font
from printing.faces import fonts, linebreak
from printing.faces.colours import ROLES
from printing.faces.strokes import Stroke, text_runs
from printing.layout.geometry import Area

USUAL, SMALLEST = fonts.micrometres(65), fonts.micrometres(50)
# The smallest size to which a credit shrinks to stand on one line.
SMALLEST_ALONE = fonts.micrometres(55)
# The smallest size of whole sentences in a column; below it they run on in the next column.
SMALLEST_WHOLE = fonts.micrometres(42)
# A column that a code or a mark has left narrower than this is not used.
NARROW = 15_000
_WIDTH = partial(fonts.width, "sans")
# Where a credit may go on in the next column: between its parts, and after a sentence.
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
    """Small words in a margin, close to the cards: at the ``foot`` of an area above them, else at its head.
    ``size`` is the largest.
    """
    words = fonts.plain(words).replace("\n", " ")
    along, across = (area.height, area.width) if turned else (area.width, area.height)
    fitted = linebreak.fit(words, along, across, size, min(size, SMALLEST), 2, partial(fonts.width, font))
    cut = fonts.CUTS[font]
    deep = (len(fitted.lines) - 1) * fitted.pitch + (cut.cap + cut.drop) * fitted.size // 1000
    down = (across - deep if foot else (across - deep) // 2 if turned else 0) + cut.cap * fitted.size // 1000
    strokes: list[Stroke] = []
    for line in fitted.lines:
        length = fonts.width(font, line) * fitted.size // 1000
        indent = {"left": 0, "centre": (along - length) // 2, "right": along - length}[align]
        x, y = (area.x + down, area.bottom - indent) if turned else (area.x + indent, area.y + down)
        strokes += text_runs(line, font, fitted.size, x, y, ROLES["soft"], turned)
        down += fitted.pitch
    return tuple(strokes)


def set_credit(
    words: str, across: Area | None, columns: tuple[Area, ...], size: int = USUAL
) -> tuple[Stroke, ...]:
    """The credit in one piece ``across`` the sheet; else whole sentences down the columns; else running on
    through them.
    """
    words = fonts.plain(words)
    if not words:
        return ()
    wide = tuple(column for column in columns if column.width >= NARROW) or columns
    return (
        (across and _across(words, across, size))
        or _by_sentences(words, wide, size)
        or flow(words, wide, size)
    )


def flow(words: str, places: tuple[Area, ...], size: int = USUAL, least: int = 1) -> tuple[Stroke, ...]:
    """Small words that run on from one place to the next, in the largest size that fits; nothing if that is
    below ``least``.
    """
    parts = linebreak.pieces(fonts.plain(words))
    if not parts or not places:
        return ()
    width, height = min(place.width for place in places), places[0].height
    while size >= least:
        lines, rows = linebreak.wrap(parts, width * 1000 // size, _WIDTH), _rows(height, size)
        if len(lines) <= rows * len(places):
            return _down([lines[start : start + rows] for start in range(0, len(lines), rows)], places, size)
        size = size * 97 // 100
    return ()


def _across(words: str, place: Area, size: int) -> tuple[Stroke, ...]:
    """The words on one line where that can be read well, else on several; nothing where they would be too
    small.
    """
    alone = min(size, place.width * 1000 // max(1, _WIDTH(words)))
    return (
        _down([[words]], (place,), alone)
        if alone >= min(size, SMALLEST_ALONE)
        else flow(words, (place,), size, SMALLEST)
    )


def _by_sentences(words: str, places: tuple[Area, ...], size: int) -> tuple[Stroke, ...]:
    """The words with each sentence in one column; nothing when that makes them too small to read."""
    if not places:
        return ()
    while size >= SMALLEST_WHOLE:
        columns = _columns(words, places, size)
        if columns:
            return _down(columns, places, size)
        size = size * 97 // 100
    return ()


def _columns(words: str, places: tuple[Area, ...], size: int) -> list[list[str]]:
    """The lines of each column, every sentence whole; empty when they do not fit."""
    parts = _BREAK.split(words)
    columns: list[list[str]] = []
    column = ""
    for joint, sentence in zip(("", *parts[1::2]), parts[::2], strict=True):
        if columns and (longer := _fitting(column + joint + sentence, places[len(columns) - 1], size)):
            column, columns[-1] = column + joint + sentence, longer
            continue
        if len(columns) == len(places) or not (lines := _fitting(sentence, places[len(columns)], size)):
            return []
        column = sentence
        columns.append(lines)
    return columns


def _fitting(words: str, place: Area, size: int) -> list[str]:
    """The words as lines of this size; empty when they do not fit the place."""
    lines = linebreak.wrap(linebreak.pieces(words), place.width * 1000 // size, _WIDTH)
    return lines if len(lines) <= _rows(place.height, size) else []


def _rows(height: int, size: int) -> int:
    return max(1, (height - size) // (size * linebreak.LEADING // 1000) + 1)


def _down(columns: list[list[str]], places: tuple[Area, ...], size: int) -> tuple[Stroke, ...]:
    strokes: list[Stroke] = []
    for lines, place in zip(columns, places, strict=False):
        y = place.y + fonts.CUTS["sans"].cap * size // 1000
        for line in lines:
            strokes += text_runs(line, "sans", size, place.x, y, ROLES["soft"])
            y += size * linebreak.LEADING // 1000
    return tuple(strokes)
