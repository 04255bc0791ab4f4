"""Facts as drawn: a number with its name, lines of label and value, marks. Unknown is a ruled blank."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import NamedTuple

from cardsdb.games.kit import face as kit
from printing import colours, fonts, linebreak, wording
from printing.easel import Easel
from printing.strokes import Path

_STEPS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Z": 0}

# Every symbol is drawn on a grid of 24 with one pen, 2 wide.
GRID, SYMBOL_PEN = 24, 2


def draw_number(easel: Easel, element: kit.Number) -> None:
    """The value as large as the box lets it be, its name beneath."""
    words = wording.fact_words(element.fact, easel.card, easel.game)
    if words == "":
        return
    box = easel.box(element.box)
    name = element.label or wording.title_of(element.fact, easel.game)
    label_box = kit.Box(box.x, box.y, box.width, min(box.height // 2, easel.length(5_400)))
    label = easel.fit(name, label_box, "sans", easel.size(65), easel.size(55), 2)
    gap, bold = easel.length(1_200), fonts.CUTS["sans-bold"].cap
    foot = gap + (len(label.lines) - 1) * label.pitch + label.size * 660 // 1000
    size = min(easel.size(element.size), (box.height - foot) * 1000 // bold)
    # Value and name stand in the middle of the box together, the name where it stands on every card.
    top = box.y + (box.height - foot - size * bold // 1000) // 2
    baseline = top + size * bold // 1000
    if words is None:
        easel.rule(box.x + box.width // 6, box.x + box.width * 5 // 6, baseline)
    else:
        value = easel.fit(fonts.plain(words), kit.Box(box.x, top, box.width, size), "sans-bold", size, easel.size(90), 2)
        deep = (len(value.lines) - 1) * value.pitch + value.size * bold // 1000
        easel.block(value, kit.Box(box.x, baseline - deep, box.width, deep), "sans-bold", "centre", easel.readable("ink", box))
    place = kit.Box(box.x, baseline + gap, box.width, foot - gap)
    easel.block(label, place, "sans", "centre", easel.readable("soft", box))


def draw_blank(easel: Easel, label: str, box: kit.Box) -> None:
    """A fact's name and a rule to write its value on."""
    place = kit.Box(box.x, box.y, box.width * 2 // 3, box.height)
    fitted = easel.fit(label, place, "sans", min(easel.size(65), box.height), easel.size(45))
    easel.block(fitted, place, "sans", "left", easel.readable("soft", box))
    used = max((fonts.width("sans", line) * fitted.size // 1000 for line in fitted.lines), default=0)
    easel.rule(box.x + used + 800, box.x + box.width, box.y + box.height // 2 + fitted.size * 330 // 1000)


# -- lines ----------------------------------------------------------------------


# How far a value's further lines stand in, and how far lines are apart, in thousandths of the size.
_HANG, _PITCH = 1_000, 1_330
# A hand writes between rules of 5 mm.
_PEN_ROOM = 5_000


class _Row(NamedTuple):
    """One fact: its label's length and its value's lines, both in thousandths; no lines: a ruled blank."""

    label: str
    lines: list[str] | None
    reach: int


def draw_lines(easel: Easel, element: kit.Lines, room: int) -> int:
    """Facts as lines of label and value; returns the depth used.

    ``room`` may be more than the box when ruled lines follow: then long values take some of it.
    Two columns if one is too long, and only then smaller type than can be read at arm's length.
    """
    box = easel.box(element.box)
    facts = [
        (wording.title_of(key, easel.game), words)
        for key in element.facts
        if (words := wording.fact_words(key, easel.card, easel.game)) != "" and (words is not None or key in element.blanks)
    ]
    if not facts:
        return 0
    largest, least = easel.size(element.size), easel.size(60)
    for size in sorted({largest * percent // 100 for percent in range(100, 60, -4)} | {least}, reverse=True):
        if size >= least and (rows := _rows(facts, box.width, room, size)):
            return _set_rows(easel, rows, box.x, box.width, box.y, size, _air(easel, rows, size, room))
    half, across = (box.width - easel.length(2_000)) // 2, -(-len(facts) // 2)
    rows = _rows(facts, half, 2 * room, least)
    if rows and len(rows) == sum(len(row.lines or "-") for row in rows) and across * least * _PITCH <= room * 1000:
        _set_rows(easel, rows[across:], box.x + box.width - half, half, box.y, least)
        return _set_rows(easel, rows[:across], box.x, half, box.y, least)
    low, high = 1, least
    while high - low > low // 50:
        middle = (low + high) // 2
        low, high = (middle, high) if _rows(facts, box.width, room, middle) else (low, middle)
    return _set_rows(easel, _rows(facts, box.width, room, low), box.x, box.width, box.y, low)


def _rows(facts: list[tuple[str, str | None]], width: int, room: int, size: int) -> list[_Row]:
    """The facts broken into lines of this width and size; nothing when they do not fit into the room."""
    rows = [_row(label, words, width * 1000 // size) for label, words in facts]
    fit = sum(len(row.lines or "-") for row in rows) * size * _PITCH <= room * 1000 and all(
        row.reach * size <= width * 1000 for row in rows
    )
    return rows if fit else []


def _row(label: str, words: str | None, limit: int) -> _Row:
    first = fonts.width("sans-bold", label) + 450
    if words is None:
        return _Row(label, None, first)
    parts = linebreak.pieces(fonts.plain(words))
    return _Row(label, linebreak.wrap(parts, limit - _HANG, partial(fonts.width, "sans"), max(0, first - _HANG)), first)


def _air(easel: Easel, rows: list[_Row], size: int, room: int) -> int:
    """What may be added above each blank, so that a pen fits in, out of the room that is left."""
    blanks = sum(row.lines is None for row in rows)
    pitch = size * _PITCH // 1000
    spare = room - sum(len(row.lines or "-") for row in rows) * pitch
    return max(0, min(easel.length(_PEN_ROOM) - pitch, spare // blanks)) if blanks else 0


def _set_rows(easel: Easel, rows: list[_Row], x: int, width: int, top: int, size: int, air: int = 0) -> int:
    """Set the rows from ``top``, with ``air`` above each blank, and return their depth."""
    pitch, place = size * _PITCH // 1000, kit.Box(x, top, width, 1)
    soft, ink = easel.readable("soft", place), easel.readable("ink", place)
    y = top + (pitch + size * fonts.CUTS["sans"].cap // 1000) // 2
    for row in rows:
        if row.lines is None:
            y += air
        easel.write(row.label, "sans-bold", size, x, y, soft)
        reach = row.reach * size // 1000
        if row.lines is None:
            easel.rule(x + reach, x + width, y + 200)
            y += pitch
            continue
        for index, line in enumerate(row.lines):
            if line:
                easel.write(line, "sans", size, x + (_HANG * size // 1000 if index else reach), y, ink)
            y += pitch
    return sum(len(row.lines or "-") * pitch + (air if row.lines is None else 0) for row in rows)


# -- marks and symbols ------------------------------------------------------------


def draw_marks(easel: Easel, element: kit.Marks) -> None:
    """A mark for each value: its symbol or first letter in its colour, and the word beside it where there is room."""
    card, game, box = easel.card, easel.game, easel.box(element.box)
    values = [value for value in card.words(element.fact) if value.strip()]
    if not values:
        if wording.fact_words(element.fact, card, game) is None:
            draw_blank(easel, wording.title_of(element.fact, game), box)
        return
    side, near, far = min(box.height, easel.length(5_000)), easel.length(800), easel.length(2_200)
    size = easel.size(80)
    names = [fonts.plain(value[:1].upper() + value[1:]) for value in values]
    words = sum(fonts.width("sans-bold", name) for name in names)
    spare = box.width - len(values) * (side + near) - (len(values) - 1) * far
    size = min(size, spare * 1000 // words) if spare > 0 else 0
    if size < easel.size(60):
        size, near, far = 0, 0, easel.length(800)
        side = min(side, (box.width + far) // len(values) - far)
    symbols = dict(element.symbols)
    x, y = box.x, box.y + (box.height - side) // 2
    for value, name in zip(values, names, strict=True):
        _mark(easel, value, symbols.get(value, ""), kit.Box(x, y, side, side))
        x += side + near
        if size:
            baseline = box.y + (box.height + fonts.CUTS["sans-bold"].cap * size // 1000) // 2
            x += easel.write(name, "sans-bold", size, x, baseline, easel.readable("ink", box))
        x += far


def _mark(easel: Easel, value: str, symbol: str, box: kit.Box) -> None:
    colour = colours.colour_of(value, easel.game) or easel.game.hue[0]
    if symbol:
        draw_symbol(easel, box, symbol, colours.legible(colour, easel.ground(box), 3.0), stroke=True)
        return
    easel.paint(box.x, box.y, box.width, box.height, colour)
    fitted = easel.fit(fonts.plain(value)[:1].upper(), box, "sans-bold", box.height * 800 // 1000, 1)
    easel.block(fitted, box, "sans-bold", "centre", easel.readable("paper", box))


def draw_symbol(easel: Easel, box: kit.Box, path: str, colour: str, stroke: bool) -> None:
    """The drawing as large as the box lets it be, in its middle."""
    side = min(box.width, box.height)
    left, top = box.x + (box.width - side) // 2, box.y + (box.height - side) // 2
    steps = tuple(
        (letter, tuple((left if index % 2 == 0 else top) + number * side // (GRID * 1000) for index, number in enumerate(numbers)))
        for letter, numbers in read_path(path)
    )
    easel.strokes.append(Path(steps, colour, side * SYMBOL_PEN // GRID if stroke else 0))


@lru_cache(maxsize=500)
def read_path(path: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """SVG path data as steps M, L, C and Z, in thousandths of the grid. Raises ValueError for any other letter."""
    steps: list[tuple[str, tuple[int, ...]]] = []
    x = y = 0
    for letter, numbers in _commands(path):
        if letter == "H":
            letter, numbers = "L", (*numbers, y)
        elif letter == "V":
            letter, numbers = "L", (x, *numbers)
        if numbers:
            x, y = numbers[-2:]
        steps.append((letter, numbers))
    return tuple(steps)


def _commands(path: str) -> list[tuple[str, tuple[int, ...]]]:
    found: list[tuple[str, tuple[int, ...]]] = []
    for part in re.findall(r"[A-Za-z][^A-Za-z]*", path):
        letter, numbers = part[0], tuple(round(float(n) * 1000) for n in re.findall(r"-?[0-9]*\.?[0-9]+", part[1:]))
        if letter not in _STEPS:
            raise ValueError(f"a symbol's path has the step {letter!r}; only {', '.join(_STEPS)} are drawn")
        each = _STEPS[letter]
        if not each:
            found.append((letter, ()))
            continue
        if not numbers or len(numbers) % each:
            raise ValueError(f"a symbol's path has {len(numbers)} numbers after {letter}, which takes {each}")
        found += [(letter, numbers[start : start + each]) for start in range(0, len(numbers), each)]
    return found
