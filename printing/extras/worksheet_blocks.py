"""The blocks of a worksheet on paper: rows of fields with room to write, outcomes, the verdict, notes.

`worksheets` puts the blocks into columns and pages: a block has a width and must know nothing of its place.
Lengths are micrometres, y grows downwards, and words are written from the left end of their baseline; plain
numbers in the functions are the distances of baselines and pens from the edges of their row, chosen by eye.
The worksheet itself, without its looks, is in ``cardsdb.games.kit.play.worksheet``.
``tests/printing/extras/test_worksheets.py`` tests both modules.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cardsdb.games.kit.play.worksheet import Field, FieldGroup, Outcome, WorksheetResult
from cardsdb.games.kit.print.face import Font
from printing.faces import colours, fonts
from printing.faces.strokes import Line, Path, Stroke, moved, rounded, text_runs

# In tenths of a point: no type is smaller, so that it can be read at the table.
MIN_TYPE = 70
# The depth of a heading, the depth of the name of a part, and the gap between parts that stand side by side.
HEADING = 6_500
PART_NAME = 4_600
PART_GAP = 4_000
# The depths of rows: for a number or a tick, for words to write, for an outcome, for a line of notes.
NUMBER_ROW = 7_000
WORDS_ROW = 10_500
LINE_ROW = 5_000
NOTE_ROW = 9_000
# The (width, height) of the box for a number. The box for a tick is square.
BOX = (11_000, 5_600)
# The pens of lines to write on, of boxes, and of the rule below a heading.
HAIR = 150
BOX_PEN = 220
RULE_PEN = 250
INK = colours.INK
SOFT = colours.ROLES["soft"]
RULE = colours.ROLES["line"]


class Setting(NamedTuple):
    """The size of type and the depth of rows, in per cent of the usual ones."""

    type: int = 100
    room: int = 100

    def size(self, tenths: int) -> int:
        """Return a size of type in micrometres, from tenths of a point."""
        return fonts.micrometres(max(MIN_TYPE, tenths * self.type // 100))

    def length(self, usual: int) -> int:
        """Return a length that grows with the type."""
        return usual * self.type // 100

    def row(self, usual: int) -> int:
        """Return the depth of a row with room to write."""
        return usual * self.room // 100


class Block(NamedTuple):
    """The strokes of a part of a sheet that is never divided between columns, and its depth.

    Strokes count from the block's top left corner. ``joined``: the block continues the one before it, without
    a gap between them in a column.
    """

    strokes: tuple[Stroke, ...]
    depth: int
    joined: bool = False


# -- fields -------------------------------------------------------------------------


def group_blocks(
    group: FieldGroup, result: WorksheetResult | None, width: int, setting: Setting
) -> Iterator[Block]:
    """Yield a block for each row of fields. The parts of the group stand side by side.

    The first block also has the heading and the names of the parts. Without a ``result`` the fields are
    blank. Two parts of three and of two fields yield three blocks, the last with one field::

        heading
        part 1      part 2
        field       field       block 1, from the heading on
        field       field       block 2, joined
        field                   block 3, joined
    """
    strokes, y = _title(group.name, width, 0, setting) if group.name else ([], 0)
    part_width = (width - (len(group.parts) - 1) * PART_GAP) // len(group.parts)
    lefts = [number * (part_width + PART_GAP) for number in range(len(group.parts))]
    if any(part.name for part in group.parts):
        for part, x in zip(group.parts, lefts, strict=True):
            strokes += write(part.name, "sans-bold", setting.size(75), x, y + setting.length(3_300), SOFT)
        y += setting.length(PART_NAME)
    for number in range(max(len(part.fields) for part in group.parts)):
        row = [
            (_field(part.fields[number], result, part_width, setting), x)
            for part, x in zip(group.parts, lefts, strict=True)
            if number < len(part.fields)
        ]
        for block, x in row:
            strokes += moved(block.strokes, x, y)
        yield Block(tuple(strokes), y + max(block.depth for block, _ in row), number > 0)
        # Only the first block has what stands above.
        strokes, y = [], 0


def _field(field: Field, result: WorksheetResult | None, width: int, setting: Setting) -> Block:
    """Return a field with its label and, if there is a result, its value.

    A number or a tick has a box beside the label, words have a line below it.
    """
    text = field.shown(result.values[field.key]) if result else ""
    note = result.calculation.notes.get(field.key, "") if result else ""
    if field.kind in ("number", "flag"):
        return _boxed(field, text, note, width, setting)
    depth = setting.row(WORDS_ROW)
    label = fitted(field.label, width, setting.length(4_000), setting.size(MIN_TYPE), "sans", 1)
    strokes = write_lines(label, "sans", 0, setting.length(2_800), SOFT)
    if text:
        value = fitted(text, width, setting.length(6_000), setting.size(110), "sans-bold", 2)
        first = depth - setting.length(2_200) - (len(value.lines) - 1) * value.pitch
        strokes += write_lines(value, "sans-bold", 0, first, INK)
    return Block((*strokes, Line(0, depth - 900, width, depth - 900, HAIR, RULE)), depth)


def _boxed(field: Field, text: str, note: str, width: int, setting: Setting) -> Block:
    """Return a label, below it a note on the value, and beside it a box for a number or a tick."""
    depth = setting.row(NUMBER_ROW)
    box_height = setting.row(BOX[1])
    box_width = box_height if field.kind == "flag" else min(setting.row(BOX[0]), width // 2)
    left, top = width - box_width, (depth - box_height) // 2
    lines = 1 if note else 2
    label = fitted(field.label, left - 1_500, depth - 600, setting.size(95), "sans", lines)
    # The baseline of words is a third of their size below the middle of the row.
    baseline = depth // 2 + label.size // 3 - (len(label.lines) - 1) * label.pitch // 2
    baseline -= setting.length(1_300) if note else 0
    strokes = write_lines(label, "sans", 0, baseline, INK)
    if note:
        small = fitted(note, left - 1_500, setting.length(2_600), setting.size(MIN_TYPE), "sans", 1)
        strokes += write_lines(small, "sans", 0, baseline + setting.length(2_700), SOFT)
    # The box is one closed path, because four lines would leave notches at the corners.
    foot, inset = top + box_height, box_height // 5
    strokes.append(Path(rounded(left, top, box_width, box_height, corner=0), SOFT, BOX_PEN))
    if field.kind == "flag" and text == "yes":
        strokes.append(Line(left + inset, top + inset, width - inset, foot - inset, 500, INK))
        strokes.append(Line(width - inset, top + inset, left + inset, foot - inset, 500, INK))
    elif field.kind != "flag" and text:
        value = fitted(text, box_width - 1_000, box_height, setting.size(120), "sans-bold", 1)
        number_words, size = "".join(value.lines), value.size
        x = left + (box_width - fonts.length("sans-bold", number_words, size)) // 2
        strokes += write(number_words, "sans-bold", size, x, depth // 2 + size // 3, INK)
    return Block(tuple(strokes), depth)


def notes_block(width: int, depth: int, setting: Setting) -> Block:
    """Return a block of this depth with a heading and ruled lines for notes."""
    strokes, below = _title("Notes", width, 0, setting)
    lines = range(below + NOTE_ROW - 1_000, depth + 1, NOTE_ROW)
    strokes += [Line(0, y, width, y, HAIR, RULE) for y in lines]
    return Block(tuple(strokes), depth)


# -- outcomes -------------------------------------------------------------------------


def verdict_blocks(words: str, findings: Sequence[str], width: int, setting: Setting) -> Iterator[Block]:
    """Yield a block with the words of a verdict and its first finding, then a block for each further finding.

    A long verdict can thus go on in the next column.
    """
    strokes, y = _title(words, width, 0, setting)
    if not findings:
        yield Block(tuple(strokes), y)
    for index, sentence in enumerate(findings):
        lines, depth = _paragraph(sentence, width, y, 80, INK, setting)
        yield Block((*strokes, *lines), depth, index > 0)
        # Only the first block has the heading.
        strokes, y = [], 0


def outcome_blocks(outcome: Outcome, width: int, setting: Setting) -> Iterator[Block]:
    """Yield a block with a label and its value, or a block for each row of a table.

    The last block also has the note and the codes of the rules.
    """
    codes = f" ({', '.join(outcome.cites)})" if outcome.cites else ""
    blocks = list((_table if outcome.kind == "table" else _labelled)(outcome, width, setting))
    if note := f"{outcome.note}{codes}".strip():
        words, depth = _paragraph(note, width, blocks[-1].depth, MIN_TYPE, SOFT, setting)
        blocks[-1] = blocks[-1]._replace(strokes=(*blocks[-1].strokes, *words), depth=depth)
    yield from blocks


def _labelled(outcome: Outcome, width: int, setting: Setting) -> Iterator[Block]:
    """Yield one block with a label and its value, which is below the label if it is long."""
    bold: Font = "sans-bold" if outcome.kind in ("total", "warning") else "sans"
    size = setting.size(115 if outcome.kind == "total" else 95)
    label = f"Look: {outcome.label}" if outcome.kind == "warning" else outcome.label
    strokes = write(label, bold, size, 0, setting.length(4_300), INK)
    y = setting.length(LINE_ROW + 600)
    value_width = fonts.length("sans-bold", outcome.value, size)
    if "\n" in outcome.value or fonts.length(bold, label, size) + 2_000 + value_width > width:
        for line in outcome.value.split("\n"):
            words, y = _paragraph(line, width, y, 90, INK, setting)
            strokes += words
    else:
        strokes += write(outcome.value, "sans-bold", size, width - value_width, setting.length(4_300), INK)
    yield Block((*strokes, Line(0, y, width, y, HAIR, RULE)), y + 400)


def _table(outcome: Outcome, width: int, setting: Setting) -> Iterator[Block]:
    """Yield a block for each row of a table. The first also has the heading and the names of the columns."""
    size, line_pitch = setting.size(80), setting.length(3_400)
    widths = [
        max(fonts.width("sans-bold", cell) for cell in cells) * size // 1000 + 2_500
        for cells in zip(outcome.columns, *outcome.rows, strict=True)
    ]
    # In a table that is too wide the widest column gets what the others leave, and its words are wrapped.
    if sum(widths) > width:
        widest = widths.index(max(widths))
        widths[widest] = max(width // 4, width - (sum(widths) - widths[widest]))
    strokes, y = _title(outcome.label, width, 0, setting)
    for index, row in enumerate((outcome.columns, *outcome.rows)):
        font: Font = "sans" if index else "sans-bold"
        x, most_lines = 0, 1
        for cell, cell_width in zip(row, widths, strict=True):
            lines = wrapped(cell, font, size, cell_width - 1_500)
            for place, line in enumerate(lines, 1):
                strokes += write(line, font, size, x, y + line_pitch * place, INK if index else SOFT)
            x, most_lines = x + cell_width, max(most_lines, len(lines))
        y += setting.length(LINE_ROW) + (most_lines - 1) * line_pitch
        strokes.append(Line(0, y, width, y, HAIR, RULE))
        # Row 0, the names of the columns, is in one block with the first row.
        if index or not outcome.rows:
            yield Block(tuple(strokes), y, index > 1)
            strokes, y = [], 0


# -- words --------------------------------------------------------------------------


def _title(text: str, width: int, y: int, setting: Setting) -> tuple[list[Stroke], int]:
    """Return the strokes of a heading with a rule below it, from ``y`` on, and the y below them."""
    depth = setting.length(HEADING)
    name = fitted(text, width, depth, setting.size(120), "serif-bold", 1)
    strokes = write_lines(name, "serif-bold", 0, y + setting.length(4_200), INK)
    return [*strokes, Line(0, y + depth - 1_000, width, y + depth - 1_000, RULE_PEN, INK)], y + depth


def _paragraph(
    text: str, width: int, y: int, tenths: int, colour: str, setting: Setting
) -> tuple[list[Stroke], int]:
    """Return the strokes of a text from ``y`` on, in tenths of a point, and the y below them."""
    size = setting.size(tenths)
    strokes: list[Stroke] = []
    for line in wrapped(text, "sans", size, width):
        y += size * 1_250 // 1000
        strokes += write(line, "sans", size, 0, y, colour)
    return strokes, y + 900


def wrapped(text: str, font: Font, size: int, width: int) -> list[str]:
    """Return the text in lines of at most this width.

    The last line is not a single word if somewhat shorter lines, at least three quarters as long, avoid that
    without a further line.
    """
    words, limit = fonts.pieces(fonts.plain(text)), width * 1000 // size
    lines = fonts.wrap(words, limit, font)
    if len(lines) > 1 and " " not in lines[-1]:
        # Shorter lines look better than a last line with a single word.
        for narrower in range(limit * 98 // 100, limit * 3 // 4, -max(1, limit // 50)):
            trial = fonts.wrap(words, narrower, font)
            if len(trial) > len(lines):
                break
            if " " in trial[-1]:
                return trial
    return lines


def fitted(
    text: str, width: int, height: int, size: int, font: Font, lines: int, least: int = 0
) -> fonts.Fitted:
    """Return the text in at most this many lines, in the largest type up to ``size`` micrometres that fits.

    Words are broken before type becomes smaller than ``least`` micrometres; 0 stands for MIN_TYPE.
    """
    least = least or fonts.micrometres(MIN_TYPE)
    return fonts.fit(fonts.plain(text), width, height, size, least, lines, font)


def write(text: str, font: Font, size: int, x: int, y: int, colour: str) -> list[Stroke]:
    """Return the strokes of words from (x, y) on; none for an empty text."""
    return [run for run in text_runs(fonts.plain(text), font, size, x, y, colour) if run.text]


def write_lines(words: fonts.Fitted, font: Font, x: int, y: int, colour: str) -> list[Stroke]:
    """Return the strokes of fitted words, the first line from (x, y) on."""
    strokes: list[Stroke] = []
    for number, line in enumerate(words.lines):
        strokes += write(line, font, words.size, x, y + number * words.pitch, colour)
    return strokes


def whole(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the blocks, each merged with those that continue it, so that no column divides them."""
    merged: Block | None = None
    for block in blocks:
        if merged and block.joined:
            strokes = (*merged.strokes, *moved(block.strokes, 0, merged.depth))
            merged = Block(strokes, merged.depth + block.depth)
            continue
        if merged:
            yield merged
        merged = block._replace(joined=False)
    if merged:
        yield merged


def depth_of(blocks: Iterable[Block], air: int) -> int:
    """Return the depth of blocks below each other.

    ``air`` is the space above each that is not joined, except the first.
    """
    depth = 0
    for block in blocks:
        depth += (air if depth and not block.joined else 0) + block.depth
    return depth
