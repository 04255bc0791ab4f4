"""What stands around the cards of a sheet: crop marks, scale bars, and a line of words where there is room."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from cardsdb.games.kit.face import Align, Font
from printing import fonts, linebreak
from printing.colours import ROLES
from printing.geometry import Area, Layout, Segment
from printing.strokes import Line, Stroke, TextRun

MARK_PEN, BAR_PEN = 120, 180

HINT = "Print at 100 %: the bars measure 50 mm and 2 in."


class Notes(NamedTuple):
    """The words on every sheet: what it is, and whose."""

    title: str
    about: str
    credit: str


def fixed_margin(layout: Layout, notes: Notes, marks: bool) -> tuple[Stroke, ...]:
    """Everything that is the same on every sheet."""
    strokes: list[Stroke] = []
    if marks:
        strokes += [_line(mark, MARK_PEN) for mark in layout.crop_marks()]
    for bar in layout.scale_bars():
        strokes += [_line(bar.line, BAR_PEN), *(_line(tick, BAR_PEN) for tick in bar.ticks)]
        strokes += set_note(bar.label, bar.words, "centre", "sans", turned=True)
    above, below = layout.notes()
    if above:
        strokes += set_note(notes.title, above[0], "left", "sans-bold", foot=True)
    if len(above) > 2:
        strokes += set_note(notes.about, above[1], "left", "sans", foot=True)
    strokes += flow(notes.credit, below[:-1] or below)
    if len(below) > 1:
        strokes += set_note(HINT, below[-1], "right", "sans")
    return tuple(strokes)


def sheet_number(layout: Layout, number: int, of: int) -> tuple[Stroke, ...]:
    """``Sheet 2 of 6``, top right; on a sheet one card wide the title needs the room."""
    above, _ = layout.notes()
    return set_note(f"Sheet {number} of {of}", above[-1], "right", "sans", foot=True) if len(above) > 1 else ()


def flow(words: str, places: tuple[Area, ...]) -> tuple[Stroke, ...]:
    """Small words that run on from one place to the next, as large as lets all of them stand."""
    parts, measure = linebreak.pieces(fonts.plain(words)), partial(fonts.width, "sans")
    if not parts or not places:
        return ()
    width, height = places[0].width, places[0].height
    size = fonts.micrometres(65)
    while True:
        lines = linebreak.wrap(parts, width * 1000 // size, measure)
        pitch = size * linebreak.LEADING // 1000
        rows = max(1, (height - size) // pitch + 1)
        if len(lines) <= rows * len(places):
            break
        size = size * 97 // 100
    strokes: list[Stroke] = []
    for number, line in enumerate(lines):
        place, row = places[number // rows], number % rows
        y = place.y + fonts.CUTS["sans"].cap * size // 1000 + row * pitch
        strokes += _words(line, "sans", size, place.x, y)
    return tuple(strokes)


def set_note(words: str, area: Area, align: Align, font: Font, *, foot: bool = False, turned: bool = False) -> tuple[Stroke, ...]:
    """Small words in a margin, close to the cards: on the area's ``foot`` above them, else at its head."""
    words = fonts.plain(words).replace("\n", " ")
    along, across = (area.height, area.width) if turned else (area.width, area.height)
    fitted = linebreak.fit(words, along, across, fonts.micrometres(65), fonts.micrometres(50), 2, partial(fonts.width, font))
    cut = fonts.CUTS[font]
    deep = (len(fitted.lines) - 1) * fitted.pitch + (cut.cap + cut.drop) * fitted.size // 1000
    down = (across - deep if foot else (across - deep) // 2 if turned else 0) + cut.cap * fitted.size // 1000
    strokes: list[Stroke] = []
    for line in fitted.lines:
        length = fonts.width(font, line) * fitted.size // 1000
        indent = {"left": 0, "centre": (along - length) // 2, "right": along - length}[align]
        x, y = (area.x + down, area.bottom - indent) if turned else (area.x + indent, area.y + down)
        strokes += _words(line, font, fitted.size, x, y, turned)
        down += fitted.pitch
    return tuple(strokes)


def _words(line: str, font: Font, size: int, x: int, y: int, turned: bool = False) -> list[Stroke]:
    strokes: list[Stroke] = []
    for run_font, run in fonts.split(font, line):
        reach = fonts.width(run_font, run) * size // 1000
        strokes.append(TextRun(x, y, run, run_font, size, reach, ROLES["soft"], turned))
        x, y = (x, y - reach) if turned else (x + reach, y)
    return strokes


def _line(segment: Segment, pen: int) -> Line:
    return Line(*segment, pen, ROLES["ink"])
