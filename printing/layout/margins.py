"""The surroundings of the cards of a sheet: cut marks, the fold, scale bars, a QR code, and a line of words
if there is room.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from cardsdb.games.kit.print.face import Align, Font
from printing.faces import colours, fonts
from printing.faces.colours import BLACK, PAPER, ROLES
from printing.faces.strokes import Line, Path, Rect, Stroke, TextRun, rounded, text_runs
from printing.layout import cuts, marks, qr_code
from printing.layout.geometry import Area, Layout, Segment
from printing.options.values import Options

USUAL, SMALLEST = fonts.micrometres(65), fonts.micrometres(60)
# The smallest size of whole sentences of a credit in a column; below it they run on in the next column.
SMALLEST_WHOLE = fonts.micrometres(42)
# A column that a code or a mark has left narrower than this is not used.
NARROW = 15_000
# The places at which a credit may go on in the next column: between its parts, and after a sentence.
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
    words: str, across: Iterable[Area], columns: tuple[Area, ...], size: int = USUAL
) -> tuple[Stroke, ...]:
    """The credit in one piece in the first of the areas ``across`` the sheet that holds it; else whole
    sentences down the columns; else running on through them.
    """
    words = fonts.plain(words)
    if not words:
        return ()
    wide = tuple(column for column in columns if column.width >= NARROW) or columns
    for place in across:
        # On one line where that can be read well, else on several; not where they would be too small.
        alone = min(size, place.width * 1000 // max(1, fonts.width("sans", words)))
        if alone >= min(size, SMALLEST):
            return _down([[words]], (place,), alone)
        if strokes := _largest(words, (place,), size, SMALLEST, _running_on):
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


# -- what stands around the cards ---------------------------------------------------------

# A mark is a dark line on a light one, wider by ``CASING``, so that it shows on white paper and on black art.
FOLD_PEN, CASING, BAR_PEN = 120, 240, 180
MARK_COLOURS = {"dark": ROLES["ink"], "grey": "#8c8c8c", "red": "#c8102e", "blue": "#1f5fbf"}

HINT = "Print at 100 %: the bars measure 50 mm and 2 in."
HINT_WITHOUT_BARS = "Print at 100 % (actual size)."
# The labels of the bars state their lengths, so the ink saver leaves these out here.
SHORT_HINT = "Print at 100 %."


class Notes(NamedTuple):
    """The words on every sheet: the print's title and settings, and the credit, of which ``shorter`` are
    forms for less room. The first of ``codes`` for which there is room leads back to the list.
    """

    title: str
    about: str
    credit: str
    codes: tuple[qr_code.Code, ...] = ()
    shorter: tuple[str, ...] = ()


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
    def tick(self) -> int:
        """The length of cut marks."""
        return min(self.options.mark_length, marks.SHORT_TICK if self.saver else self.options.mark_length)

    @property
    def type(self) -> int:
        """The largest size of words in the margins."""
        return SMALLEST if self.saver else USUAL

    @cached_property
    def _clear(self) -> tuple[Area, ...]:
        """The areas around registration marks where nothing else may be printed, for the machine's eye."""
        areas = marks.registration_marks(self.layout, marks.REGISTRATION_KINDS.get(self.options.marks, 0))
        quiet = (area.grown(*[marks.QUIET] * 4) for area in areas)
        return (*quiet, *(number.area.grown(cuts.AIR, 0, cuts.AIR, 0) for number in self.numbers))

    @cached_property
    def cut_order(self) -> tuple[cuts.Cut, ...]:
        """The cuts that are numbered beside their marks; none unless asked for."""
        asked = self.options.cut_order and self.options.marks in marks.CUT_MARKS
        return cuts.cuts_of(self.layout, self.options.skip) if asked else ()

    @cached_property
    def numbers(self) -> tuple[cuts.Numbered, ...]:
        """The numbers of cuts; none where the margins have no room for all."""
        return cuts.numbers_beside(self.cut_order, self.layout, self.type)

    def _furnished(self, kept_clear: tuple[Area, ...]) -> tuple[marks.Bands, tuple[marks.ScaleBar, ...]]:
        """The room for words, and the rules, beside marks, numbers and these areas."""
        inset = cuts.width_of(self.cut_order, self.type) if self.numbers else marks.INSET_WORDS
        return marks.furnish(self.layout, self.options.marks == "edges", kept_clear, self.tick, inset)

    @cached_property
    def code(self) -> tuple[qr_code.Code, Area] | None:
        """The first of the notes' codes for which there is room beside marks and rules, and the area for
        it.
        """
        layout, across = self.layout, self.options.marks == "edges"
        if not (self.notes and self.notes.codes):
            return None
        bands, bars = self._furnished(self._clear)
        lines = [*marks.crop_marks(layout, self.tick), *marks.fold_line(layout)]
        lines += marks.cut_lines(layout) if across else ()
        taken = (*(bar.area for bar in bars), *map(marks.area_of, lines), *self._clear)
        most = qr_code.MIN_MODULE if self.saver else qr_code.MAX_MODULE
        return qr_code.place_of(layout, self.notes.codes, taken, bands, most)

    @cached_property
    def furnished(self) -> tuple[marks.Bands, tuple[marks.ScaleBar, ...]]:
        """The room for words, and the rules, beside the marks and the code that the options ask for."""
        return self._furnished((*self._clear, qr_code.white_of(*self.code)) if self.code else self._clear)

    def furniture(self, side: Literal["front", "back"]) -> Furniture:
        """Marks, bars and words of one side of the sheets."""
        layout, options, bars = self.layout, self.options, self.furnished[1]
        cut_marks, above = self._cuts(side), options.marks_where == "above"
        over: list[Stroke] = [*(cut_marks if above else ()), *_two_tone(marks.fold_line(layout))]
        for bar in bars:
            over += bar_strokes(bar, self.type)
        if self.notes:
            over += self._set(self._words(self.notes, side))
        over += self._credit
        if side == "front" and self.code:
            over += qr_code.code_strokes(*self.code)
        if side == "front":
            over += cuts.number_strokes(self.numbers, self.type)
        if side == "front" and options.style == "outline":
            # The number of each slot in its corner, as ``start`` and ``skip`` count them.
            for place in range(layout.per_sheet):
                slot = layout.slot(place)
                corner = Area(slot.x + 2_000, slot.y + 2_000, slot.width - 4_000, 4_000)
                over += set_note(str(place + 1), corner, "left", "sans")
        return Furniture(self._inked(() if above else cut_marks), self._inked(over))

    def sheet_number(
        self, number: int, of: int, side: Literal["front", "back"] = "front"
    ) -> tuple[Stroke, ...]:
        """``Sheet 2 of 6``, top right; in a margin with one area only, it stands after the title."""
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
            segments = marks.crop_marks(layout, self.tick)
            segments += marks.card_corners(layout) if above and not options.corner else ()
        pens = ((options.mark_width + CASING, PAPER), (options.mark_width, MARK_COLOURS[options.mark_colour]))
        strokes = _two_tone(segments, pens)
        if options.corner and above:
            paths = [rounded(*cell, options.corner) for cell in layout.cells()]
            for pen, colour in pens:
                strokes += tuple(Path(path, colour, pen) for path in paths)
        return strokes

    def _words(self, notes: Notes, side: Literal["front", "back"]) -> Iterator[_Note]:
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
            hint = self._with_order(hint) if side == "front" and self.numbers else hint
            yield hint, "below", len(bands.below) - 1, "right", "sans"

    def _with_order(self, hint: str) -> str:
        """The hint and the order of cuts in as many words as have room in readable type."""
        bands, order = self.furnished[0], self.cut_order
        across, high = bands.below[-1][2:]
        room = (high, across) if bands.sideways else (across, high)
        whole = cuts.in_words(order, bool(self.layout.fold))
        tries = (f"{hint} {whole}", f"{SHORT_HINT} {whole}", f"{hint} Cut 1 to {len(order)} in order.")
        fits = (
            one for one in tries if fonts.fit(one, *room, self.type, SMALLEST, 2, "sans").size >= SMALLEST
        )
        return next(fits, hint)

    @cached_property
    def _credit(self) -> tuple[Stroke, ...]:
        """The first form of the credit that is readable in its place; if none is, the shortest."""
        if not self.notes:
            return ()
        bands, height = self.furnished[0], self.layout.paper.height
        foot = [bands.foot] if bands.foot else []
        # Closer to the paper's edge only where the credit needs it.
        sure = [one._replace(height=height - marks.SURELY_PRINTED - one.y) for one in foot]
        across = [one for one in sure if marks.MIN_FOOT <= one.height <= foot[0].height] + foot
        below = self._upright(bands.below)
        strokes: tuple[Stroke, ...] = ()
        for words in (self.notes.credit, *self.notes.shorter):
            strokes = set_credit(words, across, below[:-1] or below, self.type)
            if _least_size(strokes) >= SMALLEST:
                break
        return self._turned(strokes)

    @property
    def credit_size(self) -> int:
        """The size of type of the credit in micrometres; ``SMALLEST`` if there are no words."""
        return _least_size(self._credit)

    def _upright(self, band: Iterable[Area]) -> tuple[Area, ...]:
        """The areas of a band. One up the sides is as the sheet looks with its right edge down."""
        height, sideways = self.layout.paper.height, self.furnished[0].sideways
        return tuple(Area(height - a.bottom, a.x, a.height, a.width) if sideways else a for a in band)

    def _set(self, words: Iterable[_Note]) -> tuple[Stroke, ...]:
        """Words in their bands."""
        above, below = (self._upright(band) for band in self.furnished[0][:2])
        strokes: list[Stroke] = []
        for text, band, index, align, font in words:
            place = (above if band == "above" else below)[index]
            strokes += set_note(text, place, align, font, foot=band == "above", size=self.type)
        return self._turned(strokes)

    def _turned(self, strokes: Iterable[Stroke]) -> tuple[Stroke, ...]:
        """The strokes as they lie on the sheet: words of bands up the sides are turned."""
        height = self.layout.paper.height
        if not self.furnished[0].sideways:
            return tuple(strokes)
        turned = (one for one in strokes if isinstance(one, TextRun))
        return tuple(one._replace(x=one.y, y=height - one.x, turned=True) for one in turned)


def _least_size(strokes: Iterable[Stroke]) -> int:
    return min((one.size for one in strokes if isinstance(one, TextRun)), default=SMALLEST)


_FOLD_PENS = ((FOLD_PEN + CASING, PAPER), (FOLD_PEN, ROLES["ink"]))


def _two_tone(
    segments: Iterable[Segment], pens: Iterable[tuple[int, str]] = _FOLD_PENS
) -> tuple[Stroke, ...]:
    """All light lines before all dark ones, so that no casing cuts through a mark."""
    listed = tuple(segments)
    return tuple(Line(*one, *pen) for pen in pens for one in listed)
