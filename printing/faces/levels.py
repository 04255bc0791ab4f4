"""Skills by level, best first; and the headline, a card's deciding number with the words around it.

`compose` calls `draw_levels` and `draw_headline` for the elements ``kit.Levels`` and ``kit.Headline`` of the
face. Levels share one box: their type shrinks together until all have room. Levels as they stand, the number
in its column, the names of all skills of that level beside it::

    3   Bureaucracy
    1   Alien, Criminal, Evidence, Subterfuge

Tests: ``tests/printing/faces/test_compose.py``, on whole cards.
"""

from dataclasses import replace
from typing import NamedTuple

from cardsdb.games.kit.print import face as kit
from printing.faces import fonts
from printing.faces.canvas import Canvas
from printing.faces.facts import draw_blank, set_writing_rules

# The smallest type of names and of the words around a headline, in tenths of a point.
_LEAST = 65
# The height of a capital, in thousandths of the size.
_CAP = fonts.CUTS["sans-bold"].cap
# The type of (number, names) of the best level, and of the others, in tenths of a point.
_BEST = (230, 105)
_LEVEL = (170, 80)
# The depth that levels may have, in per cent of their box, before their type shrinks.
_OVER = 118
# The sizes that are tried, in per cent, and those that large print tries before them.
_STEPS = (100, 92, 85, 80, 76, 70, 65, 60)
_LARGE_STEPS = (125, 112)
# In micrometres: the column of the levels' numbers and the space at its right, the space between levels, and
# the most by which that may grow.
_COLUMN = 7_000
_AFTER_COLUMN = 1_800
_LEVEL_GAP = 1_300
_SPARE = 1_200
# In micrometres: the height of the label above, of a blank for all skills, and of the foot of a small card.
_LABEL_ROOM = 4_400
_BLANK_ROOM = 6_000
_FOOT_ROOM = 8_000
# The distance of the lines of a level's names, in thousandths of the size.
_PITCH = 1_150


class _Level(NamedTuple):
    """The number of a level and the names of its skills in their font, with the depth that they take."""

    number: fonts.Fitted
    names: fonts.Fitted
    font: kit.Font
    deep: int


def draw_levels(canvas: Canvas, element: kit.Levels, box: kit.Box) -> int:
    """Draw the levels, best first, each with the names of its skills; return the depth used.

    Skills of level 0 are left out. If no level is known, one blank is drawn for all skills. The emblem stands
    at the right; on a small face it replaces the levels.
    """
    if canvas.small and element.emblem:
        canvas.emblem(
            element.emblem,
            replace(box, height=canvas.height - box.y - canvas.length(_FOOT_ROOM)),
            framed=False,
        )
        return box.height
    if element.emblem:
        side = box.height
        canvas.emblem(element.emblem, kit.Box(box.x + box.width - side, box.y, side, side), framed=False)
        box = replace(box, width=box.width - side)
    head = canvas.length(_LABEL_ROOM) if element.label else 0
    if head:
        over, size = replace(box, height=head), canvas.size(85)
        fitted = canvas.fit(element.label, over, "sans-bold", size, size)
        canvas.block(fitted, over, "sans-bold", "left", canvas.readable("band", over))
    box = replace(box, y=box.y + head, height=box.height - head)
    by_level: dict[int | None, list[str]] = {}
    for key, name in element.facts:
        by_level.setdefault(canvas.card.number(key), []).append(name)
    levels = sorted((level for level in by_level if level), reverse=True)
    if not levels:
        if element.ruled:
            set_writing_rules(canvas, box, box.y)
        elif None in by_level:
            draw_blank(canvas, "Skills", replace(box, height=canvas.length(_BLANK_ROOM)))
        return head + box.height
    column, gap = canvas.length(_COLUMN), canvas.length(_LEVEL_GAP)
    named = [(level, by_level[level]) for level in levels]
    rows = _rows_that_fit(canvas, named, box.width - column, box.height)
    used = _depth(canvas, rows)
    spare = max(0, min(canvas.length(_SPARE), (box.height - used) // len(rows)))
    y, foot, ink = box.y, box.y, canvas.readable("ink", box)
    for row in rows:
        place = kit.Box(box.x, y, column - canvas.length(_AFTER_COLUMN), row.deep)
        canvas.block(row.number, place, "sans-bold", "centre", ink)
        place = kit.Box(box.x + column, y, box.width - column, row.deep)
        canvas.block(row.names, place, row.font, "left", ink)
        foot = y + row.deep
        y = foot + gap + spare
    if element.ruled:
        set_writing_rules(canvas, box, foot)
    return head + max(box.height, used)


def _rows_that_fit(
    canvas: Canvas, levels: list[tuple[int, list[str]]], width: int, height: int
) -> list[_Level]:
    """Return the levels, best first, in the largest type in which they fit; in the smallest if none does."""
    rows: list[_Level] = []
    for percent in (*_LARGE_STEPS, *_STEPS) if canvas.large else _STEPS:
        rows = [
            _level(canvas, level, names, index == 0, width, percent)
            for index, (level, names) in enumerate(levels)
        ]
        if _depth(canvas, rows) <= height * _OVER // 100:
            break
    return rows


def _depth(canvas: Canvas, rows: list[_Level]) -> int:
    """Return the depth of the levels below each other, without the space that may be spared."""
    gap = canvas.length(_LEVEL_GAP)
    return sum(row.deep + gap for row in rows) - gap


def _level(canvas: Canvas, level: int, names: list[str], is_best: bool, width: int, percent: int) -> _Level:
    """Return a level with its skills on lines of this width, in ``percent`` of its usual type."""
    large, small = _BEST if is_best else _LEVEL
    # Only a single best skill has a large name.
    small = small if len(names) == 1 else _LEVEL[1]
    font: kit.Font = "sans-bold" if is_best else "sans"
    size = max(canvas.least(small) * percent // 100, canvas.least(_LEAST))
    column = canvas.length(_COLUMN) - canvas.length(_AFTER_COLUMN)
    digits = min(canvas.least(large) * percent // 100, column * 1000 // fonts.width("sans-bold", str(level)))
    lines = tuple(fonts.wrap(fonts.pieces(", ".join(names)), width * 1000 // size, font))
    deep = max(digits * _CAP // 1000, len(lines) * size * _PITCH // 1000)
    named = fonts.Fitted(size, lines, size * _PITCH // 1000)
    return _Level(fonts.Fitted(digits, (str(level),), digits), named, font, deep)


def draw_headline(canvas: Canvas, element: kit.Headline, box: kit.Box) -> bool:
    """Draw the card's deciding number with the words around it; return False if the card has none.

    The three parts on the right have their own type and stand together in the middle of the height::

        |       above
        |  12   words
        |       below
    """
    if not (headline := element.says.read(canvas.card)):
        return False
    number, above, words, below = map(fonts.plain, headline)
    # The space between the number and the words.
    near = canvas.length(2_400)
    size = min(canvas.size(element.size), box.height * 1000 // _CAP)
    fitted = canvas.fit(number, kit.Box(0, 0, box.width * 2 // 5, size), "sans-bold", size, 1)
    reach = fitted.reach("sans-bold")
    canvas.block(fitted, replace(box, width=reach), "sans-bold", "left", canvas.readable("band", box))
    left, wide = box.x + reach + near, box.width - reach - near
    small, large = canvas.size(80), canvas.size(130)
    rest = kit.Box(left, box.y, wide, box.height - (2 if above and below else 1) * small * 1_300 // 1000)
    parts = [
        canvas.fit(above, rest, "sans", small, canvas.least(_LEAST), 2),
        canvas.fit(words, rest, "sans-bold", large, canvas.least(85), 3),
        canvas.fit(below, rest, "sans", small, canvas.least(_LEAST), 2),
    ]
    gap = canvas.spacing(1_500)
    depths = [part.depth("sans") + gap if part.lines else 0 for part in parts]
    y = box.y + (box.height - sum(depths) + gap) // 2
    roles: tuple[tuple[kit.Font, str], ...] = (("sans", "soft"), ("sans-bold", "ink"), ("sans", "ink"))
    for part, deep, (font, role) in zip(parts, depths, roles, strict=True):
        canvas.block(part, kit.Box(left, y, wide, deep - gap), font, "left", canvas.readable(role, box))
        y += deep
    return True
