"""The surroundings of the cards of a sheet: cut marks, the fold, scale bars, and a line of words where there
is room.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from cardsdb.games.kit.print.face import Align, Font
from printing.faces import colours, fonts
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
    fitted = fonts.fit(words, along, across, size, min(size, SMALLEST), 2, font)
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
    if across:
        # On one line where that can be read well, else on several; not where they would be too small.
        alone = min(size, across.width * 1000 // max(1, fonts.width("sans", words)))
        if alone >= min(size, SMALLEST_ALONE):
            return _down([[words]], (across,), alone)
        if strokes := _largest(words, (across,), size, SMALLEST, _running_on):
            return strokes
    by_sentences = _largest(words, wide, size, SMALLEST_WHOLE, _sentences)
    return by_sentences or _largest(words, wide, size, 1, _running_on)


def _largest(
    words: str,
    places: tuple[Area, ...],
    size: int,
    least: int,
    broken: Callable[[str, tuple[Area, ...], int], list[list[str]]],
) -> tuple[Stroke, ...]:
    """The words in the largest size for which they can be ``broken`` into a column of lines for each place;
    nothing if that is below ``least``.
    """
    while places and size >= least:
        if columns := broken(words, places, size):
            return _down(columns, places, size)
        size = size * 97 // 100
    return ()


def _running_on(words: str, places: tuple[Area, ...], size: int) -> list[list[str]]:
    """The lines of each column, as many in each as in the first; empty when they do not fit."""
    width, rows = min(place.width for place in places), _rows(places[0].height, size)
    lines = fonts.wrap(fonts.pieces(words), width * 1000 // size, "sans")
    fit = len(lines) <= rows * len(places)
    return [lines[start : start + rows] for start in range(0, len(lines), rows)] if fit else []


def _sentences(words: str, places: tuple[Area, ...], size: int) -> list[list[str]]:
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
    return next(iter(_running_on(words, (place,), size)), [])


def _rows(height: int, size: int) -> int:
    return max(1, (height - size) // (size * fonts.LEADING // 1000) + 1)


def _down(columns: list[list[str]], places: tuple[Area, ...], size: int) -> tuple[Stroke, ...]:
    strokes: list[Stroke] = []
    for lines, place in zip(columns, places, strict=False):
        y = place.y + fonts.CUTS["sans"].cap * size // 1000
        for line in lines:
            strokes += text_runs(line, "sans", size, place.x, y, ROLES["soft"])
            y += size * fonts.LEADING // 1000
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


def bar_strokes(bar: marks.ScaleBar, size: int = USUAL) -> tuple[Stroke, ...]:
    """A rule with its label in type of at most this size."""
    lines = (Line(*line, BAR_PEN, ROLES["ink"]) for line in (bar.line, *bar.ticks))
    return (*lines, *set_note(bar.label, bar.words, "centre", "sans", turned=bar.turned, size=size))


_Note = tuple[str, Literal["above", "below"], int, Align, Font]


@dataclass(frozen=True)
class Margins:
    """The margins of sheets with this layout and these options. Without ``notes`` they have no words."""

    layout: Layout
    options: Options
    notes: Notes | None = None

    @property
    def saver(self) -> bool:
        return self.options.style == "saver"

    @property
    def type(self) -> int:
        """The largest size of words in the margins."""
        return SMALLEST if self.saver else USUAL

    @cached_property
    def _clear(self) -> tuple[Area, ...]:
        """The areas around registration marks where nothing else may be printed, for the machine's eye."""
        areas = marks.registration_marks(self.layout, marks.REGISTRATION_KINDS.get(self.options.marks, 0))
        return tuple(area.grown(*[marks.QUIET] * 4) for area in areas)

    @cached_property
    def code(self) -> tuple[Code, Area] | None:
        """The first of the notes' codes for which there is room beside marks and rules, and the area for
        it.
        """
        layout, across = self.layout, self.options.marks == "edges"
        if not (self.notes and self.notes.codes):
            return None
        bands, bars = marks.furnish(layout, across, self._clear)
        lines = [*marks.crop_marks(layout), *marks.fold_line(layout)]
        lines += marks.cut_lines(layout) if across else ()
        taken = (*(bar.area for bar in bars), *map(marks.area_of, lines), *self._clear)
        return place_of(layout, self.notes.codes, taken, bands)

    @cached_property
    def furnished(self) -> tuple[marks.Bands, tuple[marks.ScaleBar, ...]]:
        """The room for words, and the rules, beside the marks and the code that the options ask for."""
        clear = (*self._clear, white_of(*self.code)) if self.code else self._clear
        return marks.furnish(self.layout, self.options.marks == "edges", clear)

    def furniture(self, side: Literal["front", "back"]) -> Furniture:
        """Marks, bars and words of one side of the sheets."""
        layout, options, bars = self.layout, self.options, self.furnished[1]
        cuts, above = self._cuts(side), options.marks_where == "above"
        over: list[Stroke] = [*(cuts if above else ()), *_two_tone(marks.fold_line(layout))]
        for bar in bars:
            over += bar_strokes(bar, self.type)
        if self.notes:
            over += self._set(self._words(self.notes), self.notes.credit)
        if side == "front" and self.code:
            over += code_strokes(*self.code, LARGE_INK if self.saver else BLACK)
        if side == "front" and options.style == "outline":
            # The number of each slot in its corner, as ``start`` and ``skip`` count them.
            for place in range(layout.per_sheet):
                slot = layout.slot(place)
                corner = Area(slot.x + 2_000, slot.y + 2_000, slot.width - 4_000, 4_000)
                over += set_note(str(place + 1), corner, "left", "sans")
        return Furniture(self._inked(() if above else cuts), self._inked(over))

    def sheet_number(
        self, number: int, of: int, side: Literal["front", "back"] = "front"
    ) -> tuple[Stroke, ...]:
        """``Sheet 2 of 6``, top right; where the margin has one area only, it stands after the title."""
        notes, last = self.notes, len(self.furnished[0].above) - 1
        if not (notes and self.options.header and last >= 0):
            return ()
        words = f"Sheet {number} of {of}{', back' if side == 'back' else ''}"
        words = words if last else " · ".join((notes.title, notes.about, words))
        return self._inked(self._set([(words, "above", last, "right" if last else "left", "sans")]))

    def _inked(self, strokes: Iterable[Stroke]) -> tuple[Stroke, ...]:
        drawn = colours.faint(strokes) if self.saver else tuple(strokes)
        return colours.greys(drawn) if self.options.ink == "grey" else drawn

    def _cuts(self, side: Literal["front", "back"]) -> tuple[Stroke, ...]:
        layout, options, above = self.layout, self.options, self.options.marks_where == "above"
        if number := marks.REGISTRATION_KINDS.get(options.marks):
            # The machine cuts with the fronts up.
            areas = marks.registration_marks(layout, number) if side == "front" else ()
            return tuple(Rect(*area, BLACK) for area in areas)
        if options.marks == "none":
            return ()
        if options.marks == "edges":
            segments = marks.cut_lines(layout)
            segments = marks.dashed(segments) if self.saver else segments
        else:
            segments = marks.crop_marks(layout, marks.SHORT_TICK if self.saver else marks.TICK)
            segments += marks.card_corners(layout) if above and not options.corner else ()
        strokes = _two_tone(segments)
        if options.corner and above:
            paths = [rounded(*cell, options.corner) for cell in layout.cells()]
            for colour, pen in ((PAPER, CASING_PEN), (ROLES["ink"], MARK_PEN)):
                strokes += tuple(Path(path, colour, pen) for path in paths)
        return strokes

    def _words(self, notes: Notes) -> Iterator[_Note]:
        """The notes besides the credit, each with the band, the area of it, the alignment and the font."""
        bands, bars = self.furnished
        if not self.options.header:
            return
        if len(bands.above) > 2:
            yield notes.about, "above", 1, "left", "sans"
            yield notes.title, "above", 0, "left", "sans-bold"
        elif len(bands.above) == 2:
            yield f"{notes.title} · {notes.about}", "above", 0, "left", "sans"
        if len(bands.below) > 1:
            hint = SHORT_HINT if self.saver else HINT if bars else HINT_WITHOUT_BARS
            yield hint, "below", len(bands.below) - 1, "right", "sans"

    def _set(self, words: Iterable[_Note], credit: str = "") -> tuple[Stroke, ...]:
        """Words in their bands. Those up the sides are set on the sheet as it looks with its right edge down,
        and turned with it.
        """
        height, bands = self.layout.paper.height, self.furnished[0]
        above, below = (
            [Area(height - a.bottom, a.x, a.height, a.width) if bands.sideways else a for a in band]
            for band in (bands.above, bands.below)
        )
        strokes: list[Stroke] = []
        for text, band, index, align, font in words:
            place = (above if band == "above" else below)[index]
            strokes += set_note(text, place, align, font, foot=band == "above", size=self.type)
        strokes += set_credit(credit, bands.foot, tuple(below[:-1] or below), self.type)
        if not bands.sideways:
            return tuple(strokes)
        turned = (one for one in strokes if isinstance(one, TextRun))
        return tuple(one._replace(x=one.y, y=height - one.x, turned=True) for one in turned)


def _two_tone(segments: Iterable[Segment]) -> tuple[Stroke, ...]:
    """All light lines before all dark ones, so that no casing cuts through a mark."""
    listed, pens = tuple(segments), ((CASING_PEN, PAPER), (MARK_PEN, ROLES["ink"]))
    return tuple(Line(*one, *pen) for pen in pens for one in listed)
