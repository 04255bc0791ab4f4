"""What stands around the cards of a sheet: cut marks, the fold, scale bars, and a line of words where there
is room.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import Literal, NamedTuple

from cardsdb.games.kit.print.face import Align, Font
from printing.faces import colours, fonts, linebreak
from printing.faces.colours import BLACK, LARGE_INK, PAPER, ROLES
from printing.faces.strokes import Line, Path, Rect, Stroke, TextRun, rounded, text_runs
from printing.layout import marks
from printing.layout.geometry import Area, Layout, Segment
from printing.layout.qr_code import Code, code_strokes, place_of, white_of
from printing.options.values import Options

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


# A mark is a dark line on a wider light one, so that it shows on white paper and on black art.
MARK_PEN, CASING_PEN, BAR_PEN = 120, 360, 180

HINT = "Print at 100 %: the bars measure 50 mm and 2 in."
HINT_WITHOUT_BARS = "Print at 100 % (actual size)."
# Where ink is saved the bars say themselves how long they are.
SHORT_HINT = "Print at 100 %."


class Notes(NamedTuple):
    """The words on every sheet: what it is, and whose. The first of ``codes`` for which there is room leads
    back to the list.
    """

    title: str
    about: str
    credit: str
    codes: tuple[Code, ...] = ()


class Furniture(NamedTuple):
    """The strokes that are the same on every sheet: those ``under`` the cards and those ``over`` them."""

    under: tuple[Stroke, ...]
    over: tuple[Stroke, ...]


def furniture(
    layout: Layout, notes: Notes | None, options: Options, side: Literal["front", "back"]
) -> Furniture:
    """Marks, bars and words of one side of the sheets."""
    codes = notes.codes if notes else ()
    bands, bars = furnished(layout, options, codes)
    cuts = _cuts(layout, options, side)
    over: list[Stroke] = list(cuts) if options.marks_where == "above" else []
    over += _two_tone(marks.fold_line(layout))
    for bar in bars:
        over += bar_strokes(bar, _type(options))
    if notes:
        over += _set(layout, bands, _words(bands, notes, options, bool(bars)), _type(options), notes.credit)
    if side == "front" and (code := code_place(layout, options, codes)):
        over += code_strokes(*code, LARGE_INK if options.style == "saver" else BLACK)
    if options.style == "outline" and side == "front":
        over += _slot_numbers(layout)
    under = () if options.marks_where == "above" else cuts
    return Furniture(_inked(under, options), _inked(over, options))


def bar_strokes(bar: marks.ScaleBar, size: int = USUAL) -> tuple[Stroke, ...]:
    """A rule with its label in type of at most this size."""
    lines = (_line(bar.line, BAR_PEN), *(_line(tick, BAR_PEN) for tick in bar.ticks))
    return (*lines, *set_note(bar.label, bar.words, "centre", "sans", turned=bar.turned, size=size))


def furnished(
    layout: Layout, options: Options, codes: tuple[Code, ...] = ()
) -> tuple[marks.Bands, tuple[marks.ScaleBar, ...]]:
    """The room for words, and the rules, beside the marks and the code that the options ask for."""
    code = code_place(layout, options, codes)
    clear = marks.registration_clear(layout, options.marks) + ((white_of(*code),) if code else ())
    return marks.furnish(layout, options.marks == "edges", clear)


def code_place(layout: Layout, options: Options, codes: tuple[Code, ...]) -> tuple[Code, Area] | None:
    """The first of the codes for which there is room beside marks and rules, and the area for it."""
    if not codes:
        return None
    across, clear = options.marks == "edges", marks.registration_clear(layout, options.marks)
    bands, bars = marks.furnish(layout, across, clear)
    lines = (
        *marks.crop_marks(layout),
        *marks.fold_line(layout),
        *(marks.cut_lines(layout) if across else ()),
    )
    return place_of(layout, codes, (*(bar.area for bar in bars), *map(marks.area_of, lines), *clear), bands)


def sheet_number(
    layout: Layout,
    options: Options,
    notes: Notes | None,
    number: int,
    of: int,
    side: Literal["front", "back"] = "front",
) -> tuple[Stroke, ...]:
    """``Sheet 2 of 6``, top right; where the margin has one area only, it stands after the title."""
    bands, _ = furnished(layout, options, notes.codes if notes else ())
    if not (notes and options.header and bands.above):
        return ()
    words = f"Sheet {number} of {of}{', back' if side == 'back' else ''}"
    if len(bands.above) == 1:
        words = " · ".join((notes.title, notes.about, words))
    last = len(bands.above) - 1
    return _inked(
        _set(layout, bands, [(words, "above", last, "right" if last else "left", "sans")], _type(options)),
        options,
    )


def _inked(strokes: Iterable[Stroke], options: Options) -> tuple[Stroke, ...]:
    drawn = colours.faint(strokes) if options.style == "saver" else tuple(strokes)
    return colours.greys(drawn) if options.ink == "grey" else drawn


# -- marks --------------------------------------------------------------------------


def _cuts(layout: Layout, options: Options, side: Literal["front", "back"]) -> tuple[Stroke, ...]:
    above = options.marks_where == "above"
    if options.marks in marks.REGISTRATION_KINDS:
        # The machine cuts with the fronts up.
        areas = (
            marks.registration_marks(layout, marks.REGISTRATION_KINDS[options.marks])
            if side == "front"
            else ()
        )
        return tuple(Rect(*area, BLACK) for area in areas)
    if options.marks == "none":
        return ()
    if options.marks == "edges":
        segments = marks.cut_lines(layout)
        if options.style == "saver":
            segments = marks.dashed(segments)
    else:
        segments = marks.crop_marks(layout, marks.SHORT_TICK if options.style == "saver" else marks.TICK)
        segments += marks.card_corners(layout) if above and not options.corner else ()
    strokes = _two_tone(segments)
    if options.corner and above:
        paths = [rounded(*cell, options.corner) for cell in layout.cells()]
        strokes += tuple(Path(path, PAPER, CASING_PEN) for path in paths) + tuple(
            Path(path, ROLES["ink"], MARK_PEN) for path in paths
        )
    return strokes


def _two_tone(segments: Iterable[Segment]) -> tuple[Stroke, ...]:
    """All light lines before all dark ones, so that no casing cuts through a mark."""
    listed = tuple(segments)
    return tuple(Line(*one, CASING_PEN, PAPER) for one in listed) + tuple(
        _line(one, MARK_PEN) for one in listed
    )


def _slot_numbers(layout: Layout) -> list[Stroke]:
    """The number of each slot in its corner, as ``start`` and ``skip`` count them."""
    strokes: list[Stroke] = []
    for place in range(layout.per_sheet):
        slot = layout.slot(place)
        strokes += set_note(
            str(place + 1), Area(slot.x + 2_000, slot.y + 2_000, slot.width - 4_000, 4_000), "left", "sans"
        )
    return strokes


# -- words --------------------------------------------------------------------------

_Note = tuple[str, Literal["above", "below"], int, Align, Font]


def _words(bands: marks.Bands, notes: Notes, options: Options, bars: bool) -> list[_Note]:
    """The notes besides the credit, each with the band, the area of it, the alignment and the font."""
    placed: list[_Note] = []
    if not options.header:
        return placed
    if len(bands.above) > 2:
        placed.append((notes.about, "above", 1, "left", "sans"))
        placed.append((notes.title, "above", 0, "left", "sans-bold"))
    elif len(bands.above) == 2:
        placed.append((f"{notes.title} · {notes.about}", "above", 0, "left", "sans"))
    if len(bands.below) > 1:
        hint = HINT if bars else HINT_WITHOUT_BARS
        placed.append(
            (SHORT_HINT if options.style == "saver" else hint, "below", len(bands.below) - 1, "right", "sans")
        )
    return placed


def _set(
    layout: Layout, bands: marks.Bands, words: Iterable[_Note], size: int, credit: str = ""
) -> tuple[Stroke, ...]:
    """Words in their bands. Those up the sides are set on the sheet as it looks with its right edge down, and
    turned with it.
    """
    height = layout.paper.height
    above, below = (
        [_turned_area(area, height) if bands.sideways else area for area in band]
        for band in (bands.above, bands.below)
    )
    strokes: list[Stroke] = []
    for text, band, index, align, font in words:
        strokes += set_note(
            text, (above if band == "above" else below)[index], align, font, foot=band == "above", size=size
        )
    strokes += set_credit(credit, bands.foot, tuple(below[:-1] or below), size)
    if not bands.sideways:
        return tuple(strokes)
    return tuple(
        one._replace(x=one.y, y=height - one.x, turned=True) for one in strokes if isinstance(one, TextRun)
    )


def _type(options: Options) -> int:
    """The largest size of words in the margins."""
    return SMALLEST if options.style == "saver" else USUAL


def _turned_area(area: Area, height: int) -> Area:
    return Area(height - area.bottom, area.x, area.height, area.width)


def _line(segment: Segment, pen: int) -> Line:
    return Line(*segment, pen, ROLES["ink"])
