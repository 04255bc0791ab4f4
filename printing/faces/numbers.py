"""Numbers on a card: alone above their names, in shapes, in rows and tiles.

`compose` calls `draw_number` and `draw_row` for the elements ``kit.Number`` and ``kit.NumberRow`` of the
face. The numbers of a row share one size, so that none looks more important by chance. An unknown number
becomes a rule to write on; a number that does not apply to the card is left out.
Tests: ``tests/printing/faces/test_numbers.py``.
"""

from dataclasses import replace
from typing import NamedTuple

from cardsdb.games.kit.print import face as kit
from printing.faces import colours, fonts, wording
from printing.faces.canvas import Canvas

# Lengths are micrometres on the face's grid, sizes of type tenths of a point.
# The greatest distance of numbers in a row, however few there are, and the space between them; between tiles.
_CELL = 15_000
_GAP = 600
_TILE_GAP = 800
# The largest type of a word in a number's place. It is longer, and its slash reaches below the line.
_WORD = 130
# The height of a box that stays free, so that numbers below each other do not touch.
_ABOVE = 800
# The space above a name, below the shape above a name, and around a symbol.
_OVER_NAME = 1_200
_UNDER_SHAPE = 600
_NEAR = 900
# The side of the largest symbol beside a number, and above a number.
_BESIDE = 5_400
_ON_TOP = 3_600
# The greatest height of a name under a number, which may take half of the box.
_NAME_ROOM = 5_400
# The type of names under numbers, and the smallest.
_NAME = 65
_MIN_NAME = 60
# A word in a number's place is at least this large beside a symbol, and is broken before it becomes smaller.
_MIN_WORD = 90
# The depth of letters that hang below the line of a name, in thousandths of the size.
_HANGS = 240
# The height of a capital, in thousandths of the size.
_CAP = fonts.CUTS["sans-bold"].cap
# The part of a shape's (width, height) that a number may take, in per cent.
_HELD = {"circle": (70, 60), "diamond": (48, 48), "arrow": (56, 56), "eye": (50, 50), "sun": (56, 50)}
_HELD_BY_OTHERS = (72, 62)


class _Setting(NamedTuple):
    """How a number fills its box: its value, its name, the largest sizes of both, the side of its symbol.

    ``words`` is None if the value is unknown, ``side`` 0 without a symbol. ``room`` is the size of the
    numbers beside it: a smaller value takes as much height, so that names stay in line. Sizes are micrometres
    of this card. `_setting` makes one for a box alone, `draw_row` evens out those of a row, `_draw` draws it.
    """

    words: str | None
    name: str
    size: int
    name_size: int
    side: int
    room: int = 0


def draw_number(canvas: Canvas, element: kit.Number) -> None:
    """Draw the value as large as fits the box or its shape, with its symbol beside it and its name below."""
    if element.shape:
        _draw_held(canvas, element)
    elif setting := _setting(canvas, element):
        _draw(canvas, element, setting)


def _draw_held(canvas: Canvas, element: kit.Number) -> None:
    """Draw a number in its shape, with its name below or beside the shape."""
    words, shape = _words(canvas, element), wording.said(element.shape, canvas.card)
    if words == "" or not shape:
        return
    box, soft = canvas.box(element.box), canvas.readable("soft", canvas.box(element.box))
    name = _name_of(canvas, element)
    name_size = canvas.least(_NAME)
    if name and element.beside:
        side = min(box.height, box.width // 2)
        place = replace(box, width=box.width - side - canvas.length(_NEAR))
        canvas.block(canvas.fit(name, place, "sans", name_size, 1), place, "sans", "right", soft)
        box = replace(box, x=box.x + box.width - side, width=side)
    elif name:
        deep = name_size * _CAP // 1000
        place = replace(box, y=box.y + box.height - deep, height=deep)
        fitted = canvas.fit(name, replace(box, height=name_size), "sans", name_size, 1)
        canvas.block(fitted, place, "sans", "centre", soft)
        box = replace(box, height=box.height - deep - canvas.length(_UNDER_SHAPE))
    middle = canvas.shape(shape, box, canvas.ink(element.colour), element.filled)
    across, down = (middle.width * percent // 100 for percent in _HELD.get(shape, _HELD_BY_OTHERS))
    role = "band" if element.colour == "paper" else "ink"
    if element.filled and canvas.ground(middle) != colours.PAPER:
        role = "paper"
    place = kit.Box(middle.x + (middle.width - across) // 2, middle.y, across, middle.height)
    if words is None:
        y = place.y + place.height * 2 // 3
        canvas.rule(place.x, place.x + across, y, canvas.readable(role, middle))
        return
    fitted = canvas.fit(
        fonts.plain(words),
        kit.Box(0, 0, across, down * 1000 // _CAP),
        "sans-bold",
        canvas.size(element.size),
        canvas.least(_NAME),
    )
    canvas.block(fitted, place, "sans-bold", "centre", canvas.readable(role, middle))


def draw_row(canvas: Canvas, element: kit.NumberRow, top: int) -> bool:
    """Draw numbers side by side or below each other, all in one size; return False if there are none.

    ``top`` is the y at which the row begins, in micrometres of this card; the boxes of the face are moved
    there when they are drawn.
    """
    # Facts are (key, symbol, label).
    shown = [fact for fact in element.facts if _stands(canvas, element, fact[0])]
    if element.blanks and not shown:
        shown = list(element.facts)
    # ``cell`` is the distance from one number to the next; the last ``gap`` of it stays free.
    box, count = element.box, max(1, len(shown))
    whole, gap = (box.height if element.down else box.width), _TILE_GAP if element.tiles else _GAP
    cell = (whole + gap) // count if element.tiles else min(_CELL, whole // count)
    pairs = []
    for index, (key, symbol, label) in enumerate(shown):
        if element.down:
            place = replace(box, y=box.y + index * cell, height=cell - gap)
        else:
            place = replace(box, x=box.x + index * cell, width=cell - gap)
        instead = key + element.instead if element.instead else ""
        number = kit.Number(place, key, label, element.size, symbol, instead)
        if setting := _setting(canvas, number, element.signed, element.down):
            pairs.append((number, setting))
    if not pairs:
        return False
    settings = [setting for _, setting in pairs]
    # Words in a number's place do not make the numbers smaller.
    of_numbers = [setting for setting in settings if _is_number(setting.words)] or settings
    size, side = min(setting.size for setting in of_numbers), min(setting.side for setting in settings)
    name_size = min(setting.name_size for setting in settings)
    # Names that are too small to read are left out if symbols tell the numbers apart.
    named = name_size >= canvas.least(_MIN_NAME) or not side
    strongest = _strongest(canvas, [str(number.fact) for number, _ in pairs]) if element.strongest else ()
    moved, room = top - canvas.box(box).y, max(size, canvas.least(element.size) // 2)
    for number, setting in pairs:
        if element.tiles:
            place = canvas.box(number.box)
            canvas.tile(replace(place, y=place.y + moved), number.fact in strongest)
        name = setting.name if named else ""
        shared = _Setting(setting.words, name, min(size, setting.size), name_size, side, room)
        _draw(canvas, number, shared, element.down, moved)
    return True


def _stands(canvas: Canvas, element: kit.NumberRow, key: str) -> bool:
    """Return whether a row shows a number: it is known, a word replaces it, or it is unknown on a tile."""
    card = canvas.card
    if card.fact(key) is not None or (element.instead and card.fact(key + element.instead) is not None):
        return True
    return element.tiles and wording.is_unknown(key, card, canvas.game)


def _strongest(canvas: Canvas, keys: list[str]) -> tuple[str, ...]:
    """Return the facts with the highest number; none if more than two share it, or if all do."""
    numbers = {key: canvas.card.number(key) or 0 for key in keys}
    best = tuple(key for key in keys if numbers[key] == max(numbers.values()))
    return best if len(best) <= 2 and len(best) < len(keys) else ()


def _is_number(words: str | None) -> bool:
    return words is not None and words.lstrip("+-").isdigit()


def _words(canvas: Canvas, element: kit.Number) -> str | None:
    """Return the value of a number, or the word in its place; None if unknown, empty if it does not apply."""
    words = wording.fact_words(element.fact, canvas.card, canvas.game)
    if words is None and element.instead:
        return wording.fact_words(element.instead, canvas.card, canvas.game) or None
    return words


def _name_of(canvas: Canvas, element: kit.Number) -> str:
    return (element.label or wording.title_of(element.fact, canvas.game)).strip()


def _setting(
    canvas: Canvas, element: kit.Number, signed: bool = False, down: bool = False
) -> _Setting | None:
    """Return how the number fills its box; None for a fact that does not apply.

    ``signed`` writes +2 for 2. ``down`` puts the symbol above the number instead of beside it.
    """
    words = _words(canvas, element)
    if words == "":
        return None
    # One or two letters, such as X, are set as large as numbers.
    is_word = words is not None and not _is_number(words) and len(words) > 2
    largest = min(element.size, _WORD) if is_word else element.size
    if words and signed and words.isdigit() and words != "0":
        words = f"+{words}"
    box, name = canvas.box(element.box), _name_of(canvas, element)
    name_size = _fit_name(canvas, name, box, canvas.size(_NAME)).size
    on_top = canvas.length(_ON_TOP + _NEAR) if down and element.symbol else 0
    deepest = box.height - on_top - canvas.length(_OVER_NAME + _ABOVE) - name_size * (_CAP + _HANGS) // 1000
    deepest = deepest * 1000 // _CAP
    size, usual = min(canvas.size(largest), deepest), min(canvas.size(element.size), deepest)
    # A value of combining signs alone has no width.
    near, long = canvas.length(_NEAR), max(1, fonts.width("sans-bold", fonts.plain(words or "0")))
    # The size in which the value alone fills the box, with a space on both sides.
    alone = (box.width - 2 * near) * 1000 // long
    if down:
        side = canvas.length(_ON_TOP) if element.symbol else 0
        return _Setting(words, name, min(size, alone), name_size, side)
    # Beside the number: no symbol, a number with a symbol, or a word with one.
    side = min(canvas.length(_BESIDE), usual * _CAP // 1000) if element.symbol else 0
    if not words:
        return _Setting(words, name, size, name_size, side)
    if not side:
        if _is_number(words):
            size = min(size, (box.width - near) * 1000 // long)
        return _Setting(words, name, size, name_size, 0)
    beside = (box.width - side - 2 * near) * 1000 // long
    if _is_number(words):
        # A symbol is no higher than the number beside it, so it may become smaller together with it: value
        # and symbol are then (long + _CAP) / 1000 of the size long.
        size = min(size, max((box.width - 2 * near) * 1000 // (long + _CAP), beside))
        side = min(side, size * _CAP // 1000)
    elif beside >= canvas.least(_MIN_WORD):
        size = min(size, beside)
    else:
        # A word that would become too small has no symbol.
        size, side = min(size, alone), 0
    return _Setting(words, name, size, name_size, side)


def _fit_name(canvas: Canvas, name: str, box: kit.Box, size: int) -> fonts.Fitted:
    # A little narrower than the box, so that the name does not touch the edges of a tile.
    place = kit.Box(box.x, box.y, box.width * 97 // 100, min(box.height // 2, canvas.spacing(_NAME_ROOM)))
    return canvas.fit(name, place, "sans", size, canvas.least(_MIN_NAME), 2 if " " in name else 1)


def _draw(canvas: Canvas, element: kit.Number, setting: _Setting, down: bool = False, moved: int = 0) -> None:
    """Draw a number in its box, ``moved`` micrometres of the card downwards.

    All of it stands in the middle of the box. The heights, from the top, beside their variables::

        symbol + space      on_top      only if ``down``; otherwise the symbol stands left of the value
        value               cap         ends at ``baseline``
        gap + name          foot        0 without a name
    """
    box, words = canvas.box(element.box), setting.words
    box = replace(box, y=box.y + moved)
    name, gap = _fit_name(canvas, setting.name, box, setting.name_size), canvas.length(_OVER_NAME)
    foot = gap + name.depth("sans") if name.lines else 0
    side, near = (setting.side, canvas.length(_NEAR)) if setting.side else (0, 0)
    on_top = side + near if down else 0
    size = min(setting.size, (box.height - foot - on_top) * 1000 // _CAP)
    # Value and name together stand in the middle of the box, and the name has the same place on every card.
    cap = max(size, setting.room) * _CAP // 1000
    top = box.y + (box.height - foot - cap - on_top) // 2 + on_top
    baseline, value = top + cap, None
    wide = box.width - (0 if down else side + near)
    if words is not None:
        place = kit.Box(box.x, top, wide, size)
        value = canvas.fit(fonts.plain(words), place, "sans-bold", size, canvas.least(_MIN_WORD), 2)
    reach = value.reach("sans-bold") if value else wide * 2 // 3
    left = box.x + (wide - reach) // 2
    # Band colour on paper, paper colour on the band's colour, ink on any other ground such as a tint.
    role = {colours.PAPER: "band", canvas.deep: "paper"}.get(canvas.ground(box), "ink")
    if side:
        # The symbol, left of the value or above it.
        symbol = kit.Box(left, top + (cap - side) // 2, side, side)
        if down:
            symbol = replace(symbol, x=box.x + (box.width - side) // 2, y=top - on_top)
        else:
            left += side + near
        canvas.symbol(symbol, element.symbol, canvas.readable(role, symbol))
    if value is None:
        canvas.rule(left, left + reach, baseline)
    else:
        deep = value.depth("sans-bold")
        place = kit.Box(left, baseline - deep - max(0, cap - deep) // 2, reach, deep)
        colour = canvas.readable("paper" if role == "paper" else element.colour, box)
        canvas.block(value, place, "sans-bold", "centre", colour)
    # The name, softer than the value where the ground allows it.
    place = kit.Box(box.x, baseline + gap, box.width, foot - gap)
    role = {colours.PAPER: "soft", canvas.deep: "paper"}.get(canvas.ground(box), "ink")
    canvas.block(name, place, "sans", "centre", canvas.readable(role, box))
