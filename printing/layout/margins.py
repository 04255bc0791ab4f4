"""Everything that is drawn around the cards of a sheet: marks, the fold, scale bars, a QR code, and words.

`Margins` is the entry: `sheets_of` asks it for the strokes of each side. It chooses by the print's options.
Positions come from `marks`, `bands`, `cuts` and `qr_code`; `margin_words` sets the words.

A change must keep the credit of the game on every sheet, because it states the rights: it may be set smaller,
or in one of its own shorter forms. Tests in ``tests/printing``: ``layout/test_margins.py``; of the order of
cuts ``layout/test_cuts.py``, of the credit on the sheets of a PDF ``render/test_pdf.py``, and of the remark
that it is too small ``job/test_remarks.py``.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from cardsdb.games.kit.print.face import Align, Font
from printing.faces import colours, fonts
from printing.faces.colours import BLACK, PAPER, ROLES
from printing.faces.strokes import Line, Path, Rect, Stroke, TextRun, rounded
from printing.layout import cuts, marks, qr_code
from printing.layout.bands import INSET_WORDS, MIN_FOOT, SURELY_PRINTED, Bands, ScaleBar, furnish
from printing.layout.geometry import Area, Layout, Segment, SideName
from printing.layout.margin_words import SMALLEST, USUAL, set_credit, set_note
from printing.options.values import Options

# The pens of the fold and of scale bars, in micrometres.
FOLD_PEN = 120
BAR_PEN = 180
# A mark is a dark line on a light line that is wider by this, so that it shows on white paper and on black
# pictures.
CASING = 240
MARK_COLOURS = {"dark": ROLES["ink"], "grey": "#8c8c8c", "red": "#c8102e", "blue": "#1f5fbf"}

HINT = "Print at 100 %: the bars measure 50 mm and 2 in."
HINT_WITHOUT_BARS = "Print at 100 % (actual size)."
# The labels of the scale bars state their lengths, so the words that save ink leave them out.
SHORT_HINT = "Print at 100 %."


class Notes(NamedTuple):
    """The words on every sheet.

    ``title`` and ``about`` are the print's title and settings. ``credit`` names the game and its rights;
    ``shorter`` are forms of it for less room, the longest first. ``codes`` are QR codes that lead back to the
    list; the first for which there is room is printed.
    """

    title: str
    about: str
    credit: str
    codes: tuple[qr_code.Code, ...] = ()
    shorter: tuple[str, ...] = ()


class Furniture(NamedTuple):
    """The strokes that are the same on every sheet: those drawn before the cards, and those after them."""

    under: tuple[Stroke, ...]
    over: tuple[Stroke, ...]


def bar_strokes(bar: ScaleBar, size: int = USUAL) -> tuple[Stroke, ...]:
    """Return the lines of a scale bar and its label, in type of at most ``size`` micrometres."""
    lines = (Line(*line, BAR_PEN, ROLES["ink"]) for line in (bar.line, *bar.ticks))
    return (*lines, *set_note(bar.label, bar.words, "centre", "sans", turned=bar.turned, size=size))


class _Note(NamedTuple):
    """Words for the area over (or under) this column of a band; columns count from 0."""

    text: str
    band: Literal["above", "below"]
    column: int
    align: Align = "left"
    font: Font = "sans"


@dataclass(frozen=True)
class Margins:
    """The margins of sheets with this layout and these options. Without ``notes`` they have no words.

    Places are found in this order. A property may ask only those above it, or the two would call each other
    without end. So `_furnished` finds bars twice: the code is placed beside bars, and then they beside it::

        cut_order, numbers    beside the cut marks
        _clear                registration marks and numbers
        code                  beside _clear, and beside the bars as _furnished(_clear) places them
        furnished             bars and words at last, as _furnished(_clear, code) places them
    """

    layout: Layout
    options: Options
    notes: Notes | None = None

    @property
    def saver(self) -> bool:
        return self.options.style == "saver"

    @property
    def tick(self) -> int:
        """The length of cut marks, in micrometres."""
        long = self.options.mark_length
        return min(long, marks.SHORT_TICK) if self.saver else long

    @property
    def type(self) -> int:
        """The largest size of words in the margins, in micrometres."""
        return SMALLEST if self.saver else USUAL

    @cached_property
    def _clear(self) -> tuple[Area, ...]:
        """The areas around registration marks and numbers of cuts in which nothing else may be printed.

        A machine must see its marks alone.
        """
        areas = marks.registration_marks(self.layout, marks.REGISTRATION_KINDS.get(self.options.marks, 0))
        quiet = (area.grown(*[marks.QUIET] * 4) for area in areas)
        return (*quiet, *(numbered.area.grown(cuts.AIR, 0, cuts.AIR, 0) for numbered in self.numbers))

    @cached_property
    def cut_order(self) -> tuple[cuts.Cut, ...]:
        """The cuts that are numbered beside their marks; none unless the option asks for them."""
        wanted = self.options.cut_order and self.options.marks in marks.CUT_MARKS
        return cuts.cuts_of(self.layout, self.options.skip) if wanted else ()

    @cached_property
    def numbers(self) -> tuple[cuts.Numbered, ...]:
        """The numbers of the cuts with their areas; none if the margins have no room for all of them."""
        return cuts.numbers_beside(self.cut_order, self.layout, self.type)

    def _furnished(self, kept_clear: tuple[Area, ...]) -> tuple[Bands, tuple[ScaleBar, ...]]:
        """Return the areas for words, and the bars, beside marks, numbers and the ``kept_clear`` areas."""
        inset = cuts.width_of(self.cut_order, self.type) if self.numbers else INSET_WORDS
        return furnish(self.layout, self.options.marks == "edges", kept_clear, self.tick, inset)

    @cached_property
    def code(self) -> tuple[qr_code.Code, Area] | None:
        """The first of the notes' codes for which there is room beside marks and bars, and its area.

        None if there is no code or no room.
        """
        layout, across = self.layout, self.options.marks == "edges"
        if not (self.notes and self.notes.codes):
            return None
        bands, bars = self._furnished(self._clear)
        lines = [*marks.crop_marks(layout, self.tick), *marks.fold_line(layout)]
        lines += marks.cut_lines(layout) if across else ()
        taken = (*(bar.area for bar in bars), *map(marks.area_of, lines), *self._clear)
        largest = qr_code.MIN_MODULE if self.saver else qr_code.MAX_MODULE
        return qr_code.place_of(layout, self.notes.codes, taken, bands, largest)

    @cached_property
    def furnished(self) -> tuple[Bands, tuple[ScaleBar, ...]]:
        """The areas for words, and the bars, beside everything else that the options ask for."""
        return self._furnished((*self._clear, qr_code.white_of(*self.code)) if self.code else self._clear)

    def furniture(self, side: SideName) -> Furniture:
        """Return the marks, bars and words of one side of every sheet."""
        layout, options, bars = self.layout, self.options, self.furnished[1]
        cut_marks, above = self._cut_marks(side), options.marks_where == "above"
        over: list[Stroke] = [*(cut_marks if above else ()), *_two_tone(marks.fold_line(layout))]
        for bar in bars:
            over += bar_strokes(bar, self.type)
        if self.notes:
            over += self._set_notes(self._words(self.notes, side))
        over += self._credit
        if side == "front" and self.code:
            over += qr_code.code_strokes(*self.code)
        if side == "front":
            over += cuts.number_strokes(self.numbers, self.type)
        if side == "front" and options.style == "outline":
            # An outline shows the number of each slot in its corner, as ``start`` and ``skip`` count slots.
            for place in range(layout.per_sheet):
                slot = layout.slot(place)
                corner = Area(slot.x + 2_000, slot.y + 2_000, slot.width - 4_000, 4_000)
                over += set_note(str(place + 1), corner, "left", "sans")
        return Furniture(self._inked(() if above else cut_marks), self._inked(over))

    def sheet_number(self, number: int, of: int, side: SideName = "front") -> tuple[Stroke, ...]:
        """Return ``Sheet 2 of 6``, set top right.

        If the margin has only one area, the title and settings come before it.
        """
        notes, last = self.notes, len(self.furnished[0].above) - 1
        if not (notes and self.options.header and last >= 0):
            return ()
        words = f"Sheet {number} of {of}{', back' if side == 'back' else ''}"
        words = words if last else " · ".join((notes.title, notes.about, words))
        return self._inked(self._set_notes([_Note(words, "above", last, "right" if last else "left")]))

    def _inked(self, strokes: Iterable[Stroke]) -> tuple[Stroke, ...]:
        """Return the strokes in the colours of the print: faint to save ink, or grey."""
        drawn = colours.faint(strokes) if self.saver else tuple(strokes)
        return colours.greys(drawn) if self.options.ink == "grey" else drawn

    def _cut_marks(self, side: SideName) -> tuple[Stroke, ...]:
        """Return the marks by which one side is cut, of the kind that the options ask for."""
        layout, options, above = self.layout, self.options, self.options.marks_where == "above"
        if number := marks.REGISTRATION_KINDS.get(options.marks):
            # The machine sees the fronts only.
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

    def _words(self, notes: Notes, side: SideName) -> Iterator[_Note]:
        """Yield the notes of one side, except the credit and the sheet number."""
        bands, bars = self.furnished
        if not self.options.header:
            return
        if len(bands.above) > 2:
            yield _Note(notes.about, "above", 1)
            yield _Note(notes.title, "above", 0, font="sans-bold")
        elif len(bands.above) == 2:
            yield _Note(f"{notes.title} · {notes.about}", "above", 0)
        if len(bands.below) > 1:
            hint = SHORT_HINT if self.saver else HINT if bars else HINT_WITHOUT_BARS
            hint = self._with_order(hint) if side == "front" and self.numbers else hint
            yield _Note(hint, "below", len(bands.below) - 1, "right")

    def _with_order(self, hint: str) -> str:
        """Return the hint, followed by as many words about the order of cuts as fit in readable type.

        The first of three forms that fits is taken, the longest first: ``Print at 100 %: the bars measure
        50 mm and 2 in. Cut 1 to 8 in order; stack pieces before 4 and 8.`` If none fits, the hint alone.
        """
        order = self.cut_order
        room = self._upright(self.furnished[0].below)[-1][2:]
        whole = cuts.in_words(order, bool(self.layout.fold))
        forms = (f"{hint} {whole}", f"{SHORT_HINT} {whole}", f"{hint} Cut 1 to {len(order)} in order.")
        sizes = ((fonts.fit(form, *room, self.type, SMALLEST, 2, "sans").size, form) for form in forms)
        return next((form for size, form in sizes if size >= SMALLEST), hint)

    @cached_property
    def _credit(self) -> tuple[Stroke, ...]:
        """The first form of the credit that is readable in its place; if none is, the shortest."""
        if not self.notes:
            return ()
        below = self._upright(self.furnished[0].below)
        # The last column below the cards holds the hint, unless it is the only one.
        columns = below[:-1] or below
        for words in (self.notes.credit, *self.notes.shorter):
            strokes = set_credit(words, self._foot_strips, columns, self.type)
            if _least_size(strokes) >= SMALLEST:
                break
        # Without a break these are the strokes of the last and shortest form.
        return self._turned(strokes)

    @property
    def _foot_strips(self) -> tuple[Area, ...]:
        """The strip at the foot, below all columns; before it, its upper part that printers surely print.

        On A4, 297 mm high, with a strip from y = 285.3 mm to 290.5 mm: surely printed is everything above
        290.5 mm, so both are the same strip.
        """
        foot = self.furnished[0].foot
        if not foot:
            return ()
        surely_printed = foot._replace(height=self.layout.paper.height - SURELY_PRINTED - foot.y)
        return (surely_printed, foot) if MIN_FOOT <= surely_printed.height <= foot.height else (foot,)

    @property
    def credit_size(self) -> int:
        """The size of the credit's smallest type, in micrometres; ``SMALLEST`` if there is no credit."""
        return _least_size(self._credit)

    def _upright(self, band: Iterable[Area]) -> tuple[Area, ...]:
        """Return the areas of a band as areas for level words.

        Bands up the sides are seen with the sheet turned clockwise by a quarter, so that its left edge is on
        top; `_turned` turns their words back. On A4, 297 mm high, an area 5.2 mm wide, from y = 17.7 mm to
        103.3 mm at x = 4.5 mm, becomes one of 85.6 x 5.2 mm at (297 - 103.3, 4.5).
        """
        if not self.furnished[0].sideways:
            return tuple(band)
        height = self.layout.paper.height
        return tuple(Area(height - area.bottom, area.x, area.height, area.width) for area in band)

    def _set_notes(self, notes: Iterable[_Note]) -> tuple[Stroke, ...]:
        """Return the words, set in their bands."""
        above, below = (self._upright(band) for band in self.furnished[0][:2])
        strokes: list[Stroke] = []
        for note in notes:
            is_above = note.band == "above"
            place = (above if is_above else below)[note.column]
            strokes += set_note(note.text, place, note.align, note.font, foot=is_above, size=self.type)
        return self._turned(strokes)

    def _turned(self, strokes: Iterable[Stroke]) -> tuple[Stroke, ...]:
        """Return the strokes as they lie on the sheet: words in bands up the sides are turned."""
        height = self.layout.paper.height
        if not self.furnished[0].sideways:
            return tuple(strokes)
        turned = (run for run in strokes if isinstance(run, TextRun))
        return tuple(run._replace(x=run.y, y=height - run.x, turned=True) for run in turned)


def _least_size(strokes: Iterable[Stroke]) -> int:
    return min((run.size for run in strokes if isinstance(run, TextRun)), default=SMALLEST)


_FOLD_PENS = ((FOLD_PEN + CASING, PAPER), (FOLD_PEN, ROLES["ink"]))


def _two_tone(
    segments: Iterable[Segment], pens: Iterable[tuple[int, str]] = _FOLD_PENS
) -> tuple[Stroke, ...]:
    """Draw all light lines before all dark ones, so that no light line covers a mark.

    ``pens``: (thickness, colour), the light one first.
    """
    listed = tuple(segments)
    return tuple(Line(*segment, *pen) for pen in pens for segment in listed)
