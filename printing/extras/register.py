"""A deck's register, which a player hands in: counts, names and sections on one page, the verdict, lines to
sign.

A list that does not fit in type of a readable size goes on to further pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.text import plural
from printing.extras.charts import INK, SOFT, wrapped, write_line
from printing.faces import colours, fonts, wording
from printing.faces.canvas import Canvas
from printing.faces.strokes import Drawing, Line
from printing.layout import margins, marks, qr_code
from printing.options.sizes import MM

MARGIN, GUTTER, HEAD, SIGN, CODE = 14 * MM, 6 * MM, 17 * MM, 24 * MM, 26 * MM
# The distance of the rules to measure by from the edge: the middle of the margins.
BARS = MARGIN // 2
# The largest side of a code: one with the whole list in it is large.
MAX_CODE = 62 * MM
HAIR, PEN = 120, 200
# (type in tenths of a point, columns), in the order in which they are tried.
TRIED = tuple((size, columns) for size in (100, 90, 80, 70, 62) for columns in (1, 2, 3))
SMALLEST = TRIED[-1]
# The largest type of the list and the sentences where ink is saved; kinds of card are left out there, and so
# are most lines.
SAVING = 62
MAX_FINDINGS = 6
RULE = colours.ROLES["line"]


@dataclass(frozen=True)
class Register:
    """The content of the register. ``sections``: (name, its cards with their counts); ``findings``: sentences
    to the ``verdict``.

    ``remark``: what the list leaves out. ``codes``: the first that fits is printed. ``saving``: with little
    ink.
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


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of the list: a section with its number of cards (``heads``), or a card with its count."""

    count: int
    words: str
    more: str = ""
    heads: bool = False


def register_pages(register: Register, paper: tuple[int, int]) -> tuple[Drawing, ...]:
    """The pages of the register, on this paper as it lies."""
    width, height = paper
    rows = _rows(register)
    code = _code(register, paper)
    foot = height - MARGIN - _foot_depth(register, code, width)
    room = foot - MARGIN - HEAD
    trials = [trial for trial in TRIED if trial[0] <= SAVING or not register.saving]
    size, columns = next((trial for trial in trials if _fits(len(rows), room, *trial)), SMALLEST)
    each = max(4, _lines(room, size)) * columns
    parts = [rows[start : start + each] for start in range(0, len(rows), each)] or [[]]
    pages = []
    for number, part in enumerate(parts, 1):
        canvas = Canvas(Card(register.game.slug, "", "", ""), register.game, False, (width, height), 0)
        _head(canvas, register, f"page {number} of {len(parts)}" if len(parts) > 1 else "")
        _columns(canvas, part, size, columns, MARGIN + HEAD, room, register.saving)
        _foot(canvas, register, foot, code)
        canvas.strokes += [
            stroke for bar in marks.page_bars(width, height, BARS) for stroke in margins.bar_strokes(bar)
        ]
        page = f", page {number}" if len(parts) > 1 else ""
        pages.append(
            Drawing(
                f"Register of {fonts.with_stand_ins(register.name)}{page}",
                width,
                height,
                tuple(canvas.strokes),
            )
        )
    return tuple(pages)


def _rows(register: Register) -> list[_Row]:
    rows: list[_Row] = []
    for name, cards in register.sections:
        # An empty row stands above a heading.
        rows += [_Row(0, "")] if rows else []
        rows.append(_Row(sum(count for _, count in cards), name, heads=True))
        for card, count in cards:
            kind = register.game.type_named(card.type).name if card.type else "Unknown card"
            more = " · ".join(
                filter(
                    None,
                    (
                        "" if register.saving and card.type else kind,
                        wording.print_line(card),
                        "written in" if card.written else "",
                    ),
                )
            )
            rows.append(_Row(count, card.name, more))
    return rows


def _pitch(size: int) -> int:
    return fonts.micrometres(size) * 145 // 100


def _lines(room: int, size: int) -> int:
    return room // _pitch(size)


def _fits(rows: int, room: int, size: int, columns: int) -> bool:
    return rows <= _lines(room, size) * columns


def _code(register: Register, paper: tuple[int, int]) -> qr_code.Code | None:
    """The first of the codes that can be read at the size for which there is room."""
    most = min(MAX_CODE, paper[0] // 3, paper[1] // 4)
    return next(
        (code for code in register.codes if (code.side + 2 * qr_code.QUIET) * qr_code.MIN_MODULE <= most),
        None,
    )


def _code_side(code: qr_code.Code | None, saving: bool) -> int:
    if code and saving:
        return (code.side + 2 * qr_code.QUIET) * qr_code.MIN_MODULE
    return (
        max(CODE, (code.side + 2 * qr_code.QUIET) * 400)
        if code and code.side * 400 < MAX_CODE
        else MAX_CODE
        if code
        else 0
    )


def _head(canvas: Canvas, register: Register, page: str) -> None:
    hue, width = register.game.hue[0], canvas.width
    title, small = (120, 65) if register.saving else (190, 90)
    if not register.saving:
        canvas.paint(MARGIN, MARGIN, width - 2 * MARGIN, 1_200, hue)
    room = (width - 2 * MARGIN) * 2 // 3
    write_line(
        canvas, register.name, "serif-bold", fonts.micrometres(title), MARGIN, MARGIN + 9_000, INK, room
    )
    about = " · ".join((*register.about, f"{register.cards} {plural(register.cards, 'card')}"))
    write_line(
        canvas, about, "sans", fonts.micrometres(small), MARGIN, MARGIN + 14_000, SOFT, width - 2 * MARGIN
    )
    for text, y in (("Deck register", 6_000), (page, 9_800)):
        long = fonts.width("sans-bold", text) * fonts.micrometres(small) // 1000
        write_line(
            canvas, text, "sans-bold", fonts.micrometres(small), width - MARGIN - long, MARGIN + y, SOFT
        )


def _columns(
    canvas: Canvas, rows: Sequence[_Row], size: int, columns: int, top: int, room: int, saving: bool
) -> None:
    """Draw the rows down the columns, ruled, with a box to tick before each card; to save ink a short line to
    tick on, and no rules.
    """
    type_size, pitch = fonts.micrometres(size), _pitch(size)
    across = (canvas.width - 2 * MARGIN - (columns - 1) * GUTTER) // columns
    each = _lines(room, size)
    # Columns are equally long, so that a short list is read at a glance.
    each = min(each, max(1, -(-len(rows) // columns)))
    for number, row in enumerate(rows):
        column, line = divmod(number, each)
        x, y = MARGIN + column * (across + GUTTER), top + line * pitch
        base, box, counted = y + pitch * 7 // 10, type_size * 8 // 10, type_size * 2
        if not row.words:
            continue
        if row.heads:
            _heading(canvas, row, x, base, across, type_size, saving)
            continue
        canvas.strokes += _box(x, base - box, box)[2:3] if saving else _box(x, base - box, box)
        count = str(row.count)
        long = fonts.width("sans-bold", count) * type_size // 1000
        write_line(canvas, count, "sans-bold", type_size, x + box + counted - long, base)
        begin = x + box + counted + type_size * 6 // 10
        room_for = x + across - begin
        more = min(
            fonts.width("sans", fonts.with_stand_ins(row.more)) * type_size * 85 // 100_000, room_for * 2 // 5
        )
        write_line(canvas, row.words, "sans", type_size, begin, base, INK, room_for - more - type_size // 2)
        write_line(canvas, row.more, "sans", type_size * 85 // 100, x + across - more, base, SOFT, more)
        if not saving:
            canvas.strokes.append(Line(x, y + pitch, x + across, y + pitch, HAIR, colours.FAINT))


def _heading(canvas: Canvas, row: _Row, x: int, base: int, across: int, size: int, saving: bool) -> None:
    write_line(canvas, row.words, "serif-bold", size * 115 // 100, x, base, INK, across * 4 // 5)
    count, wide = str(row.count), size
    long = fonts.width("sans-bold", count) * wide // 1000
    write_line(canvas, count, "sans-bold", wide, x + across - long, base)
    canvas.strokes.append(
        Line(x, base + size // 4, x + across, base + size // 4, PEN, colours.FAINT if saving else INK)
    )


def _box(x: int, y: int, side: int) -> list[Line]:
    """The sides of a box to tick: upper, right, lower, left."""
    corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + side), (x, y))
    return [Line(*one, *other, HAIR, SOFT) for one, other in pairwise(corners)]


# -- the foot -----------------------------------------------------------------------

_SIGNED = ("Player", "Event and date", "Signature", "Checked by")


def _sentence(register: Register) -> int:
    """The type size of the verdict and the findings, in micrometres."""
    return fonts.micrometres(SAVING if register.saving else 85)


def _sentences(register: Register, width: int) -> list[tuple[str, str]]:
    """(font, line) of the verdict, the findings and the remark."""
    size = _sentence(register)
    lines = [("sans-bold", line) for line in wrapped(register.verdict, "sans-bold", size, width)]
    shown = list(register.findings[:MAX_FINDINGS])
    shown += (
        [f"And {len(register.findings) - len(shown)} more."] if len(register.findings) > len(shown) else []
    )
    for sentence in filter(None, (*shown, register.remark)):
        lines += [("sans", line) for line in wrapped(sentence, "sans", size, width)]
    return lines


def _words_width(register: Register, code: qr_code.Code | None, width: int) -> int:
    return width - 2 * MARGIN - (_code_side(code, register.saving) + GUTTER if code else 0)


def _foot_depth(register: Register, code: qr_code.Code | None, width: int) -> int:
    depth = len(_sentences(register, _words_width(register, code, width))) * _sentence(register) * 130 // 100
    return max(depth + SIGN + 4 * MM, _code_side(code, register.saving) + 4 * MM) + 5 * MM


def _foot(canvas: Canvas, register: Register, top: int, code: qr_code.Code | None) -> None:
    width, left = _words_width(register, code, canvas.width), MARGIN
    if not register.saving:
        canvas.strokes.append(Line(MARGIN, top + 2 * MM, canvas.width - MARGIN, top + 2 * MM, PEN, INK))
    y = top + 4 * MM
    for font, line in _sentences(register, width):
        y += _sentence(register) * 130 // 100
        write_line(canvas, line, "sans-bold" if font == "sans-bold" else "sans", _sentence(register), left, y)
    across = (width - GUTTER) // 2
    for number, label in enumerate(_SIGNED):
        x, base = left + number % 2 * (across + GUTTER), y + 11 * MM + number // 2 * 11 * MM
        canvas.strokes.append(
            Line(x, base, x + across, base, HAIR, colours.FAINT if register.saving else RULE)
        )
        write_line(
            canvas, label, "sans", fonts.micrometres(55 if register.saving else 70), x, base + 3 * MM, SOFT
        )
    small = fonts.micrometres(50 if register.saving else 55)
    lines = wrapped(wording.sheet_credit(register.game), "sans", small, canvas.width - 2 * MARGIN)[:2]
    for number, line in enumerate((*lines, margins.SHORT_HINT if register.saving else margins.HINT)):
        write_line(canvas, line, "sans", small, left, canvas.height - 11 * MM + number * 2_600, SOFT)
    if code:
        side = _code_side(code, register.saving)
        if place := qr_code.square(code, canvas.width - MARGIN - side, top + 4 * MM, side):
            canvas.strokes += qr_code.code_strokes(code, place)
