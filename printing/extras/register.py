"""A deck's register, the sheet that a player hands in at a tournament: cards by section, the verdict, lines
to sign.

`printing.request.assembly` makes a `Register` and adds its pages to a print. Everything stands on one page in
the largest readable type; a list that does not fit in any goes on to further pages. No word may be smaller
than six points. Tests: ``tests/printing/extras/test_register.py``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import ceil

from cardsdb.games.kit import Card, Game, some
from cardsdb.games.kit.print.face import Font
from printing.extras.blank import INK, SOFT, tick_box, wrapped, write_line
from printing.faces import colours, fonts, wording
from printing.faces.canvas import Canvas
from printing.faces.strokes import Drawing, Line, TextRun
from printing.layout import bands, margins, qr_code
from printing.layout.margin_words import SMALLEST
from printing.options.sizes import MM

# Lengths are micrometres, sizes of type tenths of a point.
MARGIN = 14 * MM
# The space between columns.
GUTTER = 6 * MM
# The depths of the head, and of the lines to sign.
HEAD = 17 * MM
SIGN = 24 * MM
# The space between the list and the foot, and from there to the sentences and the code.
ABOVE_FOOT = 9 * MM
ABOVE_SENTENCES = 4 * MM
# The distance of the lines to sign.
SIGN_PITCH = 11 * MM
# The distance of the lines of the credit.
CREDIT_PITCH = 2_600
# The scale bars stand in the middle of the margins.
BARS = MARGIN // 2
# The usual and the largest side of a code. A code that contains the whole list is large.
CODE = 26 * MM
MAX_CODE = 62 * MM
# The usual side of a module of a code.
MODULE = 400
HAIR = 120
PEN = 200
# The smallest type of the list, and the largest to save ink; kinds of card and most lines are then left out.
SAVING = 62
# (type, number of columns), in the order in which they are tried.
TRIED = tuple((size, columns) for size in (100, 90, 80, 70, SAVING) for columns in (1, 2, 3))
# The last resort, for names that are too long in any of these.
LONG_NAMES = (SAVING, 1)
# The type of sentences.
SENTENCES = 85
# The distances of the baselines of sentences and of the list, in per cent of the size.
SENTENCE_PITCH = 130
LIST_PITCH = 145
# A column has at least this many rows, even if the verdict leaves less room.
MIN_ROWS = 4
# The register names at most this many findings of the verdict and counts the rest.
MAX_FINDINGS = 6
RULE = colours.ROLES["line"]


@dataclass(frozen=True)
class Register:
    """The content of a register.

    ``sections``: (name, ((card, count), ...)). ``findings``: sentences that belong to the ``verdict``.
    ``remark``: a sentence on the part of the list that is missing. ``codes``: the first that fits is printed.
    ``saving``: save ink.
    """

    game: Game
    name: str
    about: tuple[str, ...]
    sections: tuple[tuple[str, tuple[tuple[Card, int], ...]], ...]
    verdict: str = ""
    findings: tuple[str, ...] = ()
    remark: str = ""
    codes: tuple[qr_code.Code, ...] = ()
    saving: bool = False

    @property
    def cards(self) -> int:
        return sum(count for _, cards in self.sections for _, count in cards)


@dataclass(frozen=True)
class _Row:
    """A row of the list: a section with its number of cards (``heads``), a card with its count, or empty."""

    count: int
    words: str
    more: str = ""
    heads: bool = False


def register_pages(register: Register, paper: tuple[int, int]) -> tuple[Drawing, ...]:
    """Return the pages of the register, on paper of this (width, height)."""
    return tuple(_Pages(register, *paper).drawings())


class _Pages:
    """The pages of a register while they are drawn.

    From the top a page has its head, the list from ``top`` to ``foot``, and below that the sentences and the
    lines to sign, with the code at their right.
    """

    top = MARGIN + HEAD

    def __init__(self, register: Register, width: int, height: int) -> None:
        self.register, self.width, self.height, self.saving = register, width, height, register.saving
        self.along = width - 2 * MARGIN
        self.sentence = fonts.micrometres(SAVING if self.saving else SENTENCES)

    @cached_property
    def code(self) -> qr_code.Code | None:
        """The first code whose modules are large enough in its room."""
        room = min(MAX_CODE, self.width // 3, self.height // 4)
        fitting = (code for code in self.register.codes if _whole(code) * qr_code.MIN_MODULE <= room)
        return next(fitting, None)

    @property
    def code_side(self) -> int:
        """The side of the code with its border; 0 without a code."""
        if not self.code:
            return 0
        if self.saving:
            return _whole(self.code) * qr_code.MIN_MODULE
        return max(CODE, _whole(self.code) * MODULE) if self.code.side * MODULE < MAX_CODE else MAX_CODE

    @property
    def words(self) -> int:
        """The length of the sentences, which stand beside the code."""
        return self.along - (self.code_side + GUTTER if self.code else 0)

    @cached_property
    def sentences(self) -> list[tuple[Font, str]]:
        """(font, line) for the verdict, the findings and the remark.

        On small paper fewer findings are named, so that the list has room for some rows.
        """
        least = self.top + MIN_ROWS * _pitch(SAVING)
        whole = list(self._sentences(MAX_FINDINGS))
        fewer = (list(self._sentences(number)) for number in reversed(range(MAX_FINDINGS)))
        return next((lines for lines in chain((whole,), fewer) if self._list_end(lines) >= least), whole)

    @property
    def foot(self) -> int:
        """The y at which the list ends."""
        return self._list_end(self.sentences)

    def _list_end(self, sentences: Sequence[tuple[Font, str]]) -> int:
        deep = len(sentences) * self.sentence * SENTENCE_PITCH // 100 + SIGN
        return self.height - MARGIN - max(deep, self.code_side) - ABOVE_FOOT

    def drawings(self) -> Iterator[Drawing]:
        """Yield the pages, in the largest readable type that needs only one page, or else in the smallest.

        Settings that need only one page are tried first, from the largest with one column on; then all of
        them backwards, from the smallest with three. The first in which no name is too small is taken.
        """
        rows, room = list(self._rows()), self.foot - self.top
        trials = [trial for trial in TRIED if trial[0] <= SAVING or not self.saving]
        on_one_page = (
            (size, columns) for size, columns in trials if len(rows) <= room // _pitch(size) * columns
        )
        tries = chain(on_one_page, reversed(trials))
        size, columns = next((trial for trial in tries if self._can_be_read(rows, *trial)), LONG_NAMES)
        # The number of rows on a page.
        each = max(MIN_ROWS, room // _pitch(size)) * columns
        parts = [rows[start : start + each] for start in range(0, len(rows), each)] or [[]]
        name = fonts.with_stand_ins(self.register.name)
        for number, part in enumerate(parts, 1):
            canvas = self._blank()
            several = len(parts) > 1
            self._head(canvas, f"page {number} of {len(parts)}" if several else "")
            self._columns(canvas, part, size, columns, room // _pitch(size))
            self._foot(canvas)
            for bar in bands.page_bars(self.width, self.height, BARS):
                canvas.strokes += margins.bar_strokes(bar)
            title = f"Register of {name}" + (f", page {number}" if several else "")
            yield Drawing(title, self.width, self.height, tuple(canvas.strokes))

    def _blank(self) -> Canvas:
        game = self.register.game
        return Canvas(Card(game.slug, "", "", ""), game, False, (self.width, self.height), 0)

    def _can_be_read(self, rows: Sequence[_Row], size: int, columns: int) -> bool:
        """Return whether no word becomes smaller than six points to fit its column."""
        canvas = self._blank()
        self._columns(canvas, rows, size, columns, len(rows))
        return all(run.size >= SMALLEST for run in canvas.strokes if isinstance(run, TextRun))

    def _rows(self) -> Iterator[_Row]:
        """Yield the rows of the list, section by section."""
        for index, (name, cards) in enumerate(self.register.sections):
            # An empty row stands above each heading except the first.
            if index:
                yield _Row(0, "")
            yield _Row(sum(count for _, count in cards), name, heads=True)
            for card, count in cards:
                kind = self.register.game.type_named(card.type).name if card.type else "Unknown card"
                kind = "" if self.saving and card.type else kind
                more = (kind, wording.print_line(card), "written in" if card.written else "")
                yield _Row(count, card.name, " · ".join(filter(None, more)))

    def _sentences(self, most: int) -> Iterator[tuple[Font, str]]:
        register = self.register
        for line in wrapped(register.verdict, "sans-bold", self.sentence, self.words):
            yield "sans-bold", line
        more = len(register.findings) - most
        further = f"And {more} more." if more > 0 else ""
        for sentence in filter(None, (*register.findings[:most], further, register.remark)):
            for line in wrapped(sentence, "sans", self.sentence, self.words):
                yield "sans", line

    def _head(self, canvas: Canvas, page: str) -> None:
        """Draw the name of the deck, its game and format, and the number of the page."""
        register, right = self.register, self.width - MARGIN
        title, small = map(fonts.micrometres, (120, 65) if self.saving else (190, 90))
        if not self.saving:
            canvas.paint(MARGIN, MARGIN, self.along, 1_200, register.game.hue[0])
        write_line(
            canvas, register.name, "serif-bold", title, MARGIN, MARGIN + 9_000, room=self.along * 2 // 3
        )
        about = " · ".join((*register.about, some(register.cards, "card")))
        write_line(canvas, about, "sans", small, MARGIN, MARGIN + 14_000, SOFT, self.along)
        for text, y in (("Deck register", 6_000), (page, 9_800)):
            write_line(canvas, text, "sans-bold", small, right, MARGIN + y, SOFT, ends=True)

    def _columns(self, canvas: Canvas, rows: Sequence[_Row], size: int, columns: int, lines: int) -> None:
        """Draw the rows down the columns, with a box to tick before each card.

        To save ink there is a short line to tick on instead of the box, and no rules between rows. A section
        and a card, with the x of their parts::

            Agents                                          5
            [box]   2  Kai                       Agent · ON 12
            x       begin                      end - more    end

        ``lines`` is the most rows of a column.
        """
        type_size, pitch = fonts.micrometres(size), _pitch(size)
        across = (self.along - (columns - 1) * GUTTER) // columns
        # Columns are equally long, so that a short list can be taken in at a glance.
        each = min(lines, max(1, ceil(len(rows) / columns)))
        for number, row in enumerate(rows):
            column, line = divmod(number, each)
            x, y = MARGIN + column * (across + GUTTER), self.top + line * pitch
            # The baseline, the side of a box to tick, the right end of the column.
            base, box, end = y + pitch * 7 // 10, type_size * 8 // 10, x + across
            if row.heads:
                large = type_size * 115 // 100
                write_line(canvas, row.words, "serif-bold", large, x, base, room=across * 4 // 5)
                write_line(canvas, str(row.count), "sans-bold", type_size, end, base, ends=True)
                ink, below = colours.FAINT if self.saving else INK, base + type_size // 4
                canvas.strokes.append(Line(x, below, end, below, PEN, ink))
            elif row.words:
                upper, right, lower, left = tick_box(x, base - box, box, HAIR)
                canvas.strokes += [lower] if self.saving else [upper, right, lower, left]
                begin = x + box + type_size * 2
                write_line(canvas, str(row.count), "sans-bold", type_size, begin, base, ends=True)
                begin += type_size * 6 // 10
                small = max(type_size * 85 // 100, SMALLEST)
                name, more = _length(row.words, type_size), _length(row.more, small)
                room = end - begin - type_size // 2
                # If both are too long, the name gets three fifths of the room.
                more = min(more, max(room - name, room * 2 // 5))
                write_line(canvas, row.words, "sans", type_size, begin, base, INK, room - more)
                write_line(canvas, row.more, "sans", small, end - more, base, SOFT, more)
                if not self.saving:
                    canvas.strokes.append(Line(x, y + pitch, end, y + pitch, HAIR, colours.FAINT))

    def _foot(self, canvas: Canvas) -> None:
        """Draw the verdict with its findings, the lines to sign, the credit, and the code."""
        top, right = self.foot + ABOVE_SENTENCES, self.width - MARGIN
        if not self.saving:
            below = self.foot + ABOVE_SENTENCES // 2
            canvas.strokes.append(Line(MARGIN, below, right, below, PEN, INK))
        y = top
        for font, line in self.sentences:
            y += self.sentence * SENTENCE_PITCH // 100
            write_line(canvas, line, font, self.sentence, MARGIN, y)
        across = (self.words - GUTTER) // 2
        small = fonts.micrometres(60)
        label_size, ink = (small, colours.FAINT) if self.saving else (fonts.micrometres(70), RULE)
        for labels in (("Player", "Event and date"), ("Signature", "Checked by")):
            y += SIGN_PITCH
            for x, label in zip((MARGIN, MARGIN + across + GUTTER), labels, strict=True):
                canvas.strokes.append(Line(x, y, x + across, y, HAIR, ink))
                write_line(canvas, label, "sans", label_size, x, y + 3 * MM, SOFT)
        game = self.register.game
        forms = (wording.sheet_credit(game), *wording.shorter_credits(game))
        # The longest form of the credit that fits on two lines.
        in_lines = [wrapped(words, "sans", small, self.along) for words in forms]
        lines = next((lines for lines in in_lines if len(lines) <= 2), in_lines[-1])
        for number, line in enumerate((*lines, margins.SHORT_HINT if self.saving else margins.HINT)):
            y = self.height - 11 * MM + number * CREDIT_PITCH
            write_line(canvas, line, "sans", small, MARGIN, y, SOFT)
        side = self.code_side
        if self.code and (place := qr_code.square(self.code, right - side, top, side)):
            canvas.strokes += qr_code.code_strokes(self.code, place)


def _pitch(size: int) -> int:
    """Return the distance of the rows of the list for this size of type, in tenths of a point."""
    return fonts.micrometres(size) * LIST_PITCH // 100


def _length(words: str, size: int) -> int:
    """Return the length of words in this size, rounded up."""
    return fonts.length("sans", fonts.with_stand_ins(words), size) + 1


def _whole(code: qr_code.Code) -> int:
    """Return the number of modules along a side of the code with its white border."""
    return code.side + 2 * qr_code.QUIET
