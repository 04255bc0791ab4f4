"""What stands around the cards of a sheet: cut marks, the fold, scale bars, and a line of words where there is room."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Literal, NamedTuple

from cardsdb.games.kit.face import Align, Font
from printing import fonts, linebreak, marks, styles
from printing.colours import PAPER, ROLES
from printing.geometry import Area, Layout, Segment
from printing.header import Code, code_strokes, place_of, white_of
from printing.options import Options
from printing.outputs import registration
from printing.strokes import Line, Path, Rect, Stroke, TextRun

# A mark is a dark line on a wider light one: seen on white paper and on black art.
MARK_PEN, CASING_PEN, BAR_PEN = 120, 360, 180

HINT = "Print at 100 %: the bars measure 50 mm and 2 in."
HINT_WITHOUT_BARS = "Print at 100 % (actual size)."


class Notes(NamedTuple):
    """The words on every sheet: what it is, and whose. Of ``codes`` the first for which there is room leads back to the list."""

    title: str
    about: str
    credit: str
    codes: tuple[Code, ...] = ()


class Furniture(NamedTuple):
    """What is the same on every sheet: ``under`` the cards and ``over`` them."""

    under: tuple[Stroke, ...]
    over: tuple[Stroke, ...]


def furniture(layout: Layout, notes: Notes | None, options: Options, side: Literal["front", "back"]) -> Furniture:
    """Marks, bars and words of one side of the sheets."""
    codes = notes.codes if notes else ()
    bands, bars = furnished(layout, options, codes)
    cuts = _cuts(layout, options, side)
    over: list[Stroke] = list(cuts) if options.marks_where == "above" else []
    over += _two_tone(marks.fold_line(layout))
    for bar in bars:
        over += [_line(bar.line, BAR_PEN), *(_line(tick, BAR_PEN) for tick in bar.ticks)]
        over += set_note(bar.label, bar.words, "centre", "sans", turned=bar.turned)
    if notes:
        over += _set(layout, bands, _words(bands, notes, options, bool(bars)))
    if side == "front" and (found := code_place(layout, options, codes)):
        over += code_strokes(*found)
    if options.style == "outline" and side == "front":
        over += _slot_numbers(layout)
    under = () if options.marks_where == "above" else cuts
    return Furniture(_inked(under, options), _inked(over, options))


def furnished(layout: Layout, options: Options, codes: tuple[Code, ...] = ()) -> tuple[marks.Bands, tuple[marks.ScaleBar, ...]]:
    """Where words and rules find room beside the marks and the code that were asked for."""
    found = code_place(layout, options, codes)
    clear = registration.kept_clear(layout, options.marks) + ((white_of(*found),) if found else ())
    return marks.furnish(layout, options.marks == "edges", clear)


def code_place(layout: Layout, options: Options, codes: tuple[Code, ...]) -> tuple[Code, Area] | None:
    """The first of the codes for which there is room beside marks and rules, and where."""
    if not codes:
        return None
    across, clear = options.marks == "edges", registration.kept_clear(layout, options.marks)
    bands, bars = marks.furnish(layout, across, clear)
    lines = (*marks.crop_marks(layout), *marks.fold_line(layout), *(marks.cut_lines(layout) if across else ()))
    return place_of(layout, codes, (*(bar.area for bar in bars), *map(marks.area_of, lines), *clear), bands)


def sheet_number(
    layout: Layout, options: Options, notes: Notes | None, number: int, of: int, side: Literal["front", "back"] = "front"
) -> tuple[Stroke, ...]:
    """``Sheet 2 of 6``, top right; where there is one area only, after the title."""
    bands, _ = furnished(layout, options, notes.codes if notes else ())
    if not (notes and options.header and bands.above):
        return ()
    words = f"Sheet {number} of {of}{', back' if side == 'back' else ''}"
    if len(bands.above) == 1:
        words = " · ".join((notes.title, notes.about, words))
    last = len(bands.above) - 1
    return _inked(_set(layout, bands, [(words, "above", last, "right" if last else "left", "sans")]), options)


def _inked(strokes: Iterable[Stroke], options: Options) -> tuple[Stroke, ...]:
    drawn = styles.faint(strokes) if options.style == "saver" else tuple(strokes)
    return styles.greys(drawn) if options.ink == "grey" else drawn


# -- marks --------------------------------------------------------------------------


def _cuts(layout: Layout, options: Options, side: Literal["front", "back"]) -> tuple[Stroke, ...]:
    above = options.marks_where == "above"
    if options.marks in registration.KINDS:
        # The machine cuts with the fronts up.
        areas = registration.marks(layout, registration.KINDS[options.marks]) if side == "front" else ()
        return tuple(Rect(*area, registration.BLACK) for area in areas)
    if options.marks == "none":
        return ()
    if options.marks == "edges":
        segments = marks.cut_lines(layout)
    else:
        segments = marks.crop_marks(layout) + (marks.card_corners(layout) if above and not options.corner else ())
    strokes = _two_tone(segments)
    if options.corner and above:
        paths = [styles.rounded(*cell, options.corner) for cell in layout.cells()]
        strokes += tuple(Path(path, PAPER, CASING_PEN) for path in paths) + tuple(Path(path, ROLES["ink"], MARK_PEN) for path in paths)
    return strokes


def _two_tone(segments: Iterable[Segment]) -> tuple[Stroke, ...]:
    """All light lines before all dark ones, so that no casing cuts through a mark."""
    listed = tuple(segments)
    return tuple(Line(*one, CASING_PEN, PAPER) for one in listed) + tuple(_line(one, MARK_PEN) for one in listed)


def _slot_numbers(layout: Layout) -> list[Stroke]:
    """The number of each slot in its corner, as ``start`` and ``skip`` count them."""
    strokes: list[Stroke] = []
    for place in range(layout.per_sheet):
        slot = layout.slot(place)
        strokes += set_note(str(place + 1), Area(slot.x + 2_000, slot.y + 2_000, slot.width - 4_000, 4_000), "left", "sans")
    return strokes


# -- words --------------------------------------------------------------------------

_Note = tuple[str, Literal["above", "below"], int, Align, Font]


def _words(bands: marks.Bands, notes: Notes, options: Options, bars: bool) -> list[_Note | str]:
    """What is said where; a bare string is the credit, which runs on through the areas below."""
    said: list[_Note | str] = [notes.credit]
    if not options.header:
        return said
    if len(bands.above) > 2:
        said.append((notes.about, "above", 1, "left", "sans"))
        said.append((notes.title, "above", 0, "left", "sans-bold"))
    elif len(bands.above) == 2:
        said.append((f"{notes.title} · {notes.about}", "above", 0, "left", "sans"))
    if len(bands.below) > 1:
        said.append((HINT if bars else HINT_WITHOUT_BARS, "below", len(bands.below) - 1, "right", "sans"))
    return said


def _set(layout: Layout, bands: marks.Bands, words: Iterable[_Note | str]) -> tuple[Stroke, ...]:
    """Words in their bands. Those up the sides are set on the sheet as it looks with its right edge down, and turned with it."""
    height = layout.paper.height
    above, below = ([_turned_area(area, height) if bands.sideways else area for area in band] for band in (bands.above, bands.below))
    strokes: list[Stroke] = []
    for one in words:
        if isinstance(one, str):
            strokes += flow(one, tuple(below[:-1] or below))
        else:
            text, band, index, align, font = one
            strokes += set_note(text, (above if band == "above" else below)[index], align, font, foot=band == "above")
    if not bands.sideways:
        return tuple(strokes)
    return tuple(one._replace(x=one.y, y=height - one.x, turned=True) for one in strokes if isinstance(one, TextRun))


def _turned_area(area: Area, height: int) -> Area:
    return Area(height - area.bottom, area.x, area.height, area.width)


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
        strokes += _run(line, "sans", size, place.x, y)
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
        strokes += _run(line, font, fitted.size, x, y, turned)
        down += fitted.pitch
    return tuple(strokes)


def _run(line: str, font: Font, size: int, x: int, y: int, turned: bool = False) -> list[Stroke]:
    strokes: list[Stroke] = []
    for run_font, run in fonts.split(font, line):
        reach = fonts.width(run_font, run) * size // 1000
        strokes.append(TextRun(x, y, run, run_font, size, reach, ROLES["soft"], turned))
        x, y = (x, y - reach) if turned else (x + reach, y)
    return strokes


def _line(segment: Segment, pen: int) -> Line:
    return Line(*segment, pen, ROLES["ink"])
