"""A worksheet on paper: filled in, or blank with room to write. Draws with the same letters and strokes as the cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from cardsdb.games.kit import Game
from cardsdb.games.kit.model.text import plural, slugify
from cardsdb.games.kit.play.worksheet import Field, FieldGroup, Outcome, Worksheet, WorksheetResult
from cardsdb.games.kit.print.face import Font
from printing.faces import colours, fonts, linebreak, wording
from printing.faces.strokes import Drawing, Line, Rect, Stroke, TextRun
from printing.job.job import TooMuch
from printing.job.pieces import MissingCharacters, MissingGlyph
from printing.layout import geometry, margin_notes
from printing.layout.imposition import Placed, SheetSide
from printing.options.sizes import PAPERS
from printing.options.values import NAMED, BadOption
from printing.render import pdf
from printing.render.files import Sheets

MAX_SHEETS = 60
MARGIN, GUTTER, AIR, FOOT = 14_000, 7_000, 4_500, 17_000
# The left column may be so much longer before the right one is used: the order stays that of reading.
SLACK = 15_000
BAND, HEADING, PART_NAME = 15_000, 6_500, 4_600
NUMBER_ROW, WORDS_ROW, LINE_ROW = 7_000, 10_500, 5_000
BOX = (11_000, 5_600)
HAIR, BOX_PEN = 150, 220
INK, SOFT, RULE = colours.INK, colours.ROLES["soft"], colours.ROLES["line"]


@dataclass(frozen=True, slots=True)
class Paper:
    """One sheet to print. ``result`` is None for a blank one; ``verdict`` has the words for its list and what was found."""

    game: Game
    sheet: Worksheet
    result: WorksheetResult | None = None
    verdict: tuple[str, tuple[str, ...]] | None = None

    @property
    def title(self) -> str:
        """``Character sheet: Nora Field``."""
        name = str(self.result.values.get("name") or "") if self.result else ""
        return f"{self.sheet.name}: {name}" if name else self.sheet.name


class Block(NamedTuple):
    """Strokes of one part of the page from its own top left corner, and how deep they are."""

    strokes: tuple[Stroke, ...]
    depth: int


def print_worksheets(papers: Sequence[Paper], paper: str = "a4", title: str = "") -> Sheets:
    """Print the sheets, each on a page of its own or more. Raises CannotPrint before a PDF is begun."""
    if paper not in PAPERS:
        raise BadOption(NAMED["paper"], paper, tuple(PAPERS))
    if not papers:
        raise TooMuch("there is nothing to print: the deck has no card with a sheet")
    if len(papers) > MAX_SHEETS:
        raise TooMuch(f"at most {MAX_SHEETS} sheets are printed at once, not {len(papers)}")
    size = PAPERS[paper]
    drawn = [(one, page) for one in papers for page in compose(one, size.width, size.height)]
    missing = {
        MissingGlyph(one.title, c): None for one, page in drawn for s in page if isinstance(s, TextRun) for c in fonts.missing(s.text)
    }
    if missing:
        raise MissingCharacters(tuple(missing))
    drawings = [Drawing(one.title, size.width, size.height, page) for one, page in drawn]
    pages = [SheetSide(number, "front", (Placed(drawing, 0, 0),), drawing.name, role="P") for number, drawing in enumerate(drawings, 1)]
    first = papers[0]
    heading = title or (first.title if len(papers) == 1 else f"{first.game.name} sheets")
    counted = f"{len(pages)} {plural(len(pages), 'page')}, {size.name}"
    data = pdf.make_pdf(size.lengths, pages, pdf.About(heading, f"{first.game.name}, {counted}"))
    name = f"{first.game.slug}-{slugify(heading)[:60].strip('-') or 'sheets'}.pdf"
    return Sheets(name, "application/pdf", data, len(pages), len(papers))


def compose(paper: Paper, width: int, height: int) -> list[tuple[Stroke, ...]]:
    """The pages of one sheet: fields under their headings in two columns, then what was worked out."""
    column = (width - 2 * MARGIN - GUTTER) // 2
    pages: list[list[Stroke]] = [_band(paper, width)]
    tops = [MARGIN + BAND + AIR] * 2
    for block in _blocks(paper, column):
        side = 0 if tops[0] <= tops[1] + SLACK else 1
        if tops[side] + block.depth > height - FOOT and tops[side] > MARGIN + BAND + AIR:
            pages.append(_band(paper, width))
            tops, side = [MARGIN + BAND + AIR] * 2, 0
        pages[-1] += _moved(block.strokes, MARGIN + side * (column + GUTTER), tops[side])
        tops[side] += block.depth + AIR
    return [(*page, *_foot(paper, width, height, number, len(pages))) for number, page in enumerate(pages, 1)]


def _blocks(paper: Paper, width: int) -> Iterable[Block]:
    for group in paper.sheet.groups:
        yield _group(paper, group, width)
    if paper.result is None:
        return
    for outcome in paper.result.calculation.outcomes:
        yield _outcome(outcome, width)
    if paper.verdict:
        words, found = paper.verdict
        strokes, y = _title(words, width, 0)
        for sentence in found:
            lines, y = _paragraph(sentence, width, y, 80, INK)
            strokes += lines
        yield Block(tuple(strokes), y)


def _band(paper: Paper, width: int) -> list[Stroke]:
    """The head of a page: the sheet's name in the game's colour, as cards have theirs."""
    hue = paper.game.hue[0]
    ground = colours.legible(colours.PAPER, hue)
    along = width - 2 * MARGIN
    strokes: list[Stroke] = [Rect(MARGIN, MARGIN, along, BAND, hue)]
    name = linebreak.fit(
        fonts.plain(paper.title), along * 2 // 3, BAND, fonts.micrometres(190), fonts.micrometres(110), 2, _measure("serif-bold")
    )
    top = MARGIN + (BAND - (len(name.lines) - 1) * name.pitch + name.size * 620 // 1000) // 2
    for number, line in enumerate(name.lines):
        strokes += _write(line, "serif-bold", name.size, MARGIN + 4_000, top + number * name.pitch, ground)
    game = fonts.micrometres(100)
    long = fonts.width("sans-bold", paper.game.name) * game // 1000
    strokes += _write(paper.game.name, "sans-bold", game, width - MARGIN - 4_000 - long, MARGIN + BAND // 2 + game // 3, ground)
    return strokes


def _foot(paper: Paper, width: int, height: int, number: int, of: int) -> tuple[Stroke, ...]:
    """Whose game it is, and which page of how many."""
    along = width - 2 * MARGIN
    credit = wording.sheet_credit(paper.game)
    words = margin_notes.flow(credit, (geometry.Area(MARGIN, height - 12_500, along * 4 // 5, 6_000),))
    page = geometry.Area(MARGIN + along * 4 // 5, height - 12_500, along // 5, 6_000)
    return (*words, *margin_notes.set_note(f"Cutout · page {number} of {of}", page, "right", "sans"))


# -- fields -------------------------------------------------------------------------


def _group(paper: Paper, group: FieldGroup, width: int) -> Block:
    strokes, top = _title(group.name, width, 0) if group.name else ([], 0)
    across = (width - (len(group.parts) - 1) * 4_000) // len(group.parts)
    deepest = top
    for number, part in enumerate(group.parts):
        x, y = number * (across + 4_000), top
        if part.name:
            strokes += _write(part.name, "sans-bold", fonts.micrometres(75), x, y + 3_300, SOFT)
            y += PART_NAME
        for one in part.fields:
            block = _field(paper, one, across)
            strokes += _moved(block.strokes, x, y)
            y += block.depth
        deepest = max(deepest, y)
    return Block(tuple(strokes), deepest)


def _field(paper: Paper, one: Field, width: int) -> Block:
    filled = paper.result is not None
    text = one.shown(paper.result.values[one.key]) if paper.result else ""
    note = paper.result.calculation.notes.get(one.key, "") if paper.result else ""
    if one.kind in ("number", "flag"):
        return _boxed(one, text, note, width)
    strokes = _write(one.label, "sans", fonts.micrometres(70), 0, 2_800, SOFT)
    if filled and text:
        place = linebreak.fit(fonts.plain(text), width, 6_000, fonts.micrometres(110), fonts.micrometres(70), 2, _measure("sans-bold"))
        top = 8_300 - (len(place.lines) - 1) * place.pitch
        for number, line in enumerate(place.lines):
            strokes += _write(line, "sans-bold", place.size, 0, top + number * place.pitch, INK)
    return Block((*strokes, Line(0, 9_600, width, 9_600, HAIR, RULE)), WORDS_ROW)


def _boxed(one: Field, text: str, note: str, width: int) -> Block:
    """A label and a box at the end of the row: for a number, or to tick."""
    wide, high = (BOX[1], BOX[1]) if one.kind == "flag" else BOX
    left, top = width - wide, (NUMBER_ROW - high) // 2
    label = linebreak.fit(one.label, left - 1_500, 5_000, fonts.micrometres(95), fonts.micrometres(60), 1, _measure("sans"))
    baseline = NUMBER_ROW // 2 + (0 if note else 1_100)
    strokes = _write("".join(label.lines), "sans", label.size, 0, baseline, INK)
    if note:
        strokes += _write(note, "sans", fonts.micrometres(60), 0, baseline + 2_500, SOFT)
    corners = ((left, top), (left + wide, top), (left + wide, top + high), (left, top + high), (left, top))
    for (x1, y1), (x2, y2) in pairwise(corners):
        strokes.append(Line(x1, y1, x2, y2, BOX_PEN, SOFT))
    if one.kind == "flag":
        if text == "yes":
            strokes.append(Line(left + 1_000, top + 1_000, left + wide - 1_000, top + high - 1_000, 500, INK))
            strokes.append(Line(left + wide - 1_000, top + 1_000, left + 1_000, top + high - 1_000, 500, INK))
    elif text:
        value = linebreak.fit(text, wide - 1_000, high, fonts.micrometres(120), fonts.micrometres(60), 1, _measure("sans-bold"))
        long = fonts.width("sans-bold", "".join(value.lines)) * value.size // 1000
        strokes += _write("".join(value.lines), "sans-bold", value.size, left + (wide - long) // 2, NUMBER_ROW // 2 + value.size // 3, INK)
    return Block(tuple(strokes), NUMBER_ROW)


# -- what was worked out --------------------------------------------------------------


def _outcome(outcome: Outcome, width: int) -> Block:
    codes = f" ({', '.join(outcome.cites)})" if outcome.cites else ""
    if outcome.kind == "table":
        strokes, y = _title(outcome.label, width, 0)
        rows, y = _table(outcome, width, y)
        strokes += rows
    else:
        strokes, y = _said(outcome, width)
    note = f"{outcome.note}{codes}".strip()
    if note:
        words, y = _paragraph(note, width, y, 70, SOFT)
        strokes += words
    return Block(tuple(strokes), y)


def _said(outcome: Outcome, width: int) -> tuple[list[Stroke], int]:
    """A label and its value; what has several lines stands under its label."""
    bold = outcome.kind in ("total", "warning")
    size = fonts.micrometres(115 if outcome.kind == "total" else 95)
    label = f"Look: {outcome.label}" if outcome.kind == "warning" else outcome.label
    strokes = _write(label, "sans-bold" if bold else "sans", size, 0, 4_300, INK)
    y = LINE_ROW + 600
    if "\n" in outcome.value:
        for line in outcome.value.split("\n"):
            words, y = _paragraph(line, width, y, 90, INK)
            strokes += words
    else:
        long = fonts.width("sans-bold", outcome.value) * size // 1000
        strokes += _write(outcome.value, "sans-bold", size, width - long, 4_300, INK)
    return [*strokes, Line(0, y, width, y, HAIR, RULE)], y + 400


def _table(outcome: Outcome, width: int, y: int) -> tuple[list[Stroke], int]:
    size = fonts.micrometres(80)
    reach = [
        max(fonts.width("sans-bold", cell) for cell in cells) * size // 1000 + 2_500
        for cells in zip(outcome.columns, *outcome.rows, strict=True)
    ]
    if sum(reach) > width:
        widest = reach.index(max(reach))
        reach[widest] = max(width // 4, width - (sum(reach) - reach[widest]))
    strokes: list[Stroke] = []
    for number, row in enumerate((outcome.columns, *outcome.rows)):
        font: Font = "sans" if number else "sans-bold"
        x, deep = 0, 1
        for cell, room in zip(row, reach, strict=True):
            lines = linebreak.wrap(linebreak.pieces(fonts.plain(cell)), (room - 1_500) * 1000 // size, _measure(font))
            for place, line in enumerate(lines):
                strokes += _write(line, font, size, x, y + 3_400 + place * 3_400, INK if number else SOFT)
            x, deep = x + room, max(deep, len(lines))
        y += LINE_ROW + (deep - 1) * 3_400
        strokes.append(Line(0, y, width, y, HAIR, RULE))
    return strokes, y + 400


# -- words --------------------------------------------------------------------------


def _title(text: str, width: int, y: int) -> tuple[list[Stroke], int]:
    strokes = _write(text, "serif-bold", fonts.micrometres(120), 0, y + 4_200, INK)
    return [*strokes, Line(0, y + HEADING - 1_000, width, y + HEADING - 1_000, 250, INK)], y + HEADING


def _paragraph(text: str, width: int, y: int, tenths: int, colour: str) -> tuple[list[Stroke], int]:
    size = fonts.micrometres(tenths)
    strokes: list[Stroke] = []
    for line in linebreak.wrap(linebreak.pieces(fonts.plain(text)), width * 1000 // size, _measure("sans")):
        y += size * 1_250 // 1000
        strokes += _write(line, "sans", size, 0, y, colour)
    return strokes, y + 900


def _measure(font: Font) -> linebreak.Measure:
    return partial(fonts.width, font)


def _write(text: str, font: Font, size: int, x: int, y: int, colour: str) -> list[Stroke]:
    strokes: list[Stroke] = []
    for run_font, run in fonts.split(font, fonts.plain(text)):
        long = fonts.width(run_font, run) * size // 1000
        if run:
            strokes.append(TextRun(x, y, run, run_font, size, long, colour))
        x += long
    return strokes


def _moved(strokes: Iterable[Stroke], x: int, y: int) -> list[Stroke]:
    moved: list[Stroke] = []
    for one in strokes:
        if isinstance(one, Line):
            moved.append(one._replace(x1=one.x1 + x, x2=one.x2 + x, y1=one.y1 + y, y2=one.y2 + y))
        elif isinstance(one, TextRun | Rect):
            moved.append(one._replace(x=one.x + x, y=one.y + y))
    return moved
