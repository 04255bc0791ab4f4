"""Numbers on a card: alone above their names, in shapes, in rows and tiles, by level, and as a headline.

`compose` calls a function of each kind for an element of the face. The numbers of a row share one size, so
that none looks more important by chance. An unknown number becomes a rule to write on; a number that does not
apply to the card is left out.
"""

from dataclasses import replace
from typing import NamedTuple

from cardsdb.games.kit.print import face as kit
from printing.faces import colours, fonts, wording
from printing.faces.canvas import Canvas
from printing.faces.facts import draw_blank, set_writing_rules

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
_LEAST_NAME = 60
# A word in a number's place is at least this large beside a symbol, and is broken before it becomes smaller.
_LEAST_WORD = 90
# The depth of letters that hang below the line of a name, in thousandths of the size.
_HANGS = 240
# The height of a capital, in thousandths of the size.
_CAP = fonts.CUTS["sans-bold"].cap
# The part of a shape's (width, height) that a number may take, in per cent.
_HELD = {"circle": (70, 60), "diamond": (48, 48), "arrow": (56, 56), "eye": (50, 50), "sun": (56, 50)}
_HELD_BY_OTHERS = (72, 62)


class _Set(NamedTuple):
    """How a number fills its box: value (None if unknown), name, largest sizes, side of its symbol."""

    words: str | None
    name: str
    size: int
    name_size: int
    side: int
    # The size of the numbers beside it: a smaller value takes as much height, so that names stay in line.
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
    name = (element.label or wording.title_of(element.fact, canvas.game)).strip()
    name_size = canvas.least(_NAME)
    if name and element.beside:
        side = min(box.height, box.width // 2)
        place = replace(box, width=box.width - side - canvas.length(_NEAR))
        canvas.block(canvas.fit(name, place, "sans", name_size, 1), place, "sans", "right", soft)
        box = replace(box, x=box.x + box.width - side, width=side)
    elif name:
        deep = name_size * _CAP // 1000
        place = replace(box, y=box.y + box.height - deep, height=deep)
        canvas.block(
            canvas.fit(name, kit.Box(0, 0, box.width, name_size), "sans", name_size, 1),
            place,
            "sans",
            "centre",
            soft,
        )
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

    ``top`` is the y at which the row begins, in micrometres of this card.
    """
    # Facts are (key, symbol, label).
    shown = [fact for fact in element.facts if _stands(canvas, element, fact[0])]
    shown = shown or [fact for fact in element.facts if element.blanks]
    box, count = element.box, max(1, len(shown))
    whole, gap = (box.height if element.down else box.width), _TILE_GAP if element.tiles else _GAP
    cell = (whole + gap) // count if element.tiles else min(_CELL, whole // count)
    numbers = [
        kit.Number(
            kit.Box(box.x, box.y + index * cell, box.width, cell - gap)
            if element.down
            else kit.Box(box.x + index * cell, box.y, cell - gap, box.height),
            key,
            label,
            element.size,
            symbol,
            key + element.instead if element.instead else "",
        )
        for index, (key, symbol, label) in enumerate(shown)
    ]
    moved = top - canvas.box(box).y
    pairs = [
        (number, setting)
        for number in numbers
        if (setting := _setting(canvas, number, element.signed, element.down))
    ]
    if not pairs:
        return False
    settings = [setting for _, setting in pairs]
    # Words in a number's place do not make the numbers smaller.
    of_numbers = [setting for setting in settings if _is_number(setting.words)] or settings
    size, side = min(setting.size for setting in of_numbers), min(setting.side for setting in settings)
    name_size = min(setting.name_size for setting in settings)
    # Names that are too small to read are left out if symbols tell the numbers apart.
    named = name_size >= canvas.least(_LEAST_NAME) or not side
    strongest = _strongest(canvas, [str(number.fact) for number, _ in pairs]) if element.strongest else ()
    for number, setting in pairs:
        if element.tiles:
            place = canvas.box(number.box)
            canvas.tile(replace(place, y=place.y + moved), number.fact in strongest)
        _draw(
            canvas,
            number,
            setting._replace(
                room=max(size, canvas.least(element.size) // 2),
                size=min(size, setting.size),
                name=setting.name if named else "",
                name_size=name_size,
                side=side,
            ),
            element.down,
            moved,
        )
    return True


def _stands(canvas: Canvas, element: kit.NumberRow, key: str) -> bool:
    """Return whether a row shows a number: it is known, a word replaces it, or it is unknown on a tile."""
    card = canvas.card
    return (
        card.fact(key) is not None
        or bool(element.instead and card.fact(key + element.instead) is not None)
        or (element.tiles and wording.is_unknown(key, card, canvas.game))
    )


def _strongest(canvas: Canvas, keys: list[str]) -> tuple[str, ...]:
    """Return the facts with the highest number; none if more than two share it, or if all do."""
    numbers = {key: canvas.card.number(key) or 0 for key in keys}
    best = tuple(key for key in keys if numbers[key] == max(numbers.values()))
    return best if len(best) < min(3, len(keys)) else ()


def _is_number(words: str | None) -> bool:
    return words is not None and words.lstrip("+-").isdigit()


def _words(canvas: Canvas, element: kit.Number) -> str | None:
    """Return the value of a number, or the word in its place; None if unknown, empty if it does not apply."""
    words = wording.fact_words(element.fact, canvas.card, canvas.game)
    if words is None and element.instead:
        return wording.fact_words(element.instead, canvas.card, canvas.game) or None
    return words


def _setting(canvas: Canvas, element: kit.Number, signed: bool = False, down: bool = False) -> _Set | None:
    """Return how the number fills its box; None for a fact that does not apply.

    ``signed`` writes +2 for 2. ``down`` puts the symbol above the number instead of beside it.
    """
    words = _words(canvas, element)
    if words == "":
        return None
    is_word = words is not None and not _is_number(words) and len(words) >= 3
    largest = min(element.size, _WORD) if is_word else element.size
    if words and signed and words.isdigit() and words != "0":
        words = f"+{words}"
    box = canvas.box(element.box)
    name = (element.label or wording.title_of(element.fact, canvas.game)).strip()
    name_size = _fit_name(canvas, name, box, canvas.size(_NAME)).size
    on_top = canvas.length(_ON_TOP + _NEAR) if down and element.symbol else 0
    deepest = box.height - on_top - canvas.length(_OVER_NAME + _ABOVE) - name_size * (_CAP + _HANGS) // 1000
    deepest = deepest * 1000 // _CAP
    size, usual = min(canvas.size(largest), deepest), min(canvas.size(element.size), deepest)
    near, long = canvas.length(_NEAR), fonts.width("sans-bold", fonts.plain(words or "0"))
    if down:
        size = min(size, (box.width - 2 * near) * 1000 // long)
        return _Set(words, name, size, name_size, canvas.length(_ON_TOP) if element.symbol else 0)
    side = min(canvas.length(_BESIDE), usual * _CAP // 1000) if element.symbol else 0
    if side and words:
        # A symbol is no higher than the number beside it. A word that would become too small has no symbol.
        room = box.width - near
        beside = (room - side - near) * 1000 // long
        if _is_number(words):
            size = min(size, max((room - near) * 1000 // (long + _CAP), beside))
            side = min(side, size * _CAP // 1000)
        elif beside >= canvas.least(_LEAST_WORD):
            size = min(size, beside)
        else:
            size, side = min(size, (box.width - 2 * near) * 1000 // long), 0
    elif words:
        size = min(size, (box.width - near) * 1000 // long) if _is_number(words) else size
    return _Set(words, name, size, name_size, side)


def _fit_name(canvas: Canvas, name: str, box: kit.Box, size: int) -> fonts.Fitted:
    # A little narrower than the box, so that the name does not touch the edges of a tile.
    place = kit.Box(box.x, box.y, box.width * 97 // 100, min(box.height // 2, canvas.spacing(_NAME_ROOM)))
    return canvas.fit(name, place, "sans", size, canvas.least(_LEAST_NAME), 2 if " " in name else 1)


def _draw(canvas: Canvas, element: kit.Number, setting: _Set, down: bool = False, moved: int = 0) -> None:
    """Draw a number in its box, ``moved`` micrometres of the card downwards."""
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
        value = canvas.fit(fonts.plain(words), place, "sans-bold", size, canvas.least(_LEAST_WORD), 2)
    reach = _reach(value) if value else wide * 2 // 3
    left = box.x + (wide - reach) // 2
    # Band colour on paper, paper colour on the band's colour, ink on any other ground such as a tint.
    role = {colours.PAPER: "band", canvas.deep: "paper"}.get(canvas.ground(box), "ink")
    if side:
        symbol = (
            kit.Box(box.x + (box.width - side) // 2, top - on_top, side, side)
            if down
            else kit.Box(left, top + (cap - side) // 2, side, side)
        )
        canvas.symbol(symbol, element.symbol, canvas.readable(role, symbol))
        left += 0 if down else side + near
    if value is None:
        canvas.rule(left, left + reach, baseline)
    else:
        deep = value.depth("sans-bold")
        place = kit.Box(left, baseline - deep - max(0, cap - deep) // 2, reach, deep)
        canvas.block(
            value,
            place,
            "sans-bold",
            "centre",
            canvas.readable("paper" if role == "paper" else element.colour, box),
        )
    place = kit.Box(box.x, baseline + gap, box.width, foot - gap)
    role = {colours.PAPER: "soft", canvas.deep: "paper"}.get(canvas.ground(box), "ink")
    canvas.block(name, place, "sans", "centre", canvas.readable(role, box))


def _reach(fitted: fonts.Fitted) -> int:
    """Return the length of the longest line."""
    return max((fonts.width("sans-bold", line) * fitted.size // 1000 for line in fitted.lines), default=0)


# -- skills by level, and the headline ----------------------------------------------------

# The type of (number, names) of the best level, and of the others.
_BEST = (230, 105)
_LEVEL = (170, 80)
# The depth that levels may have, in per cent of their box, before their type shrinks.
_OVER = 118
# The sizes that are tried, in per cent. Only large print begins above 100.
_STEPS = (125, 112, 100, 92, 85, 80, 76, 70, 65, 60)


def draw_levels(canvas: Canvas, element: kit.Levels, box: kit.Box) -> int:
    """Draw the levels, best first, each with the names of its skills; return the depth used.

    Skills of level 0 are left out. If no level is known, one blank is drawn for all skills. The emblem stands
    at the right; on a small face it replaces the levels.
    """
    if canvas.small and element.emblem:
        canvas.emblem(
            element.emblem,
            replace(box, height=canvas.height - box.y - canvas.length(8_000)),
            framed=False,
        )
        return box.height
    if element.emblem:
        side = box.height
        canvas.emblem(element.emblem, kit.Box(box.x + box.width - side, box.y, side, side), framed=False)
        box = replace(box, width=box.width - side)
    head = canvas.length(4_400) if element.label else 0
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
            draw_blank(canvas, "Skills", replace(box, height=canvas.length(6_000)))
        return head + box.height
    column, gap = canvas.length(7_000), canvas.length(1_300)
    for percent in _STEPS if canvas.large else _STEPS[2:]:
        rows, used = [], 0
        for place, level in enumerate(levels):
            large, small = _LEVEL if place else _BEST
            # Only a single best skill has a large name.
            small = small if len(by_level[level]) == 1 else _LEVEL[1]
            font: kit.Font = "sans" if place else "sans-bold"
            size = max(canvas.least(small) * percent // 100, canvas.least(_NAME))
            room = (column - canvas.length(1_800)) * 1000 // fonts.width("sans-bold", str(level))
            digits = min(canvas.least(large) * percent // 100, room)
            words = fonts.pieces(", ".join(by_level[level]))
            lines = tuple(fonts.wrap(words, (box.width - column) * 1000 // size, font))
            deep = max(digits * _CAP // 1000, len(lines) * size * 1_150 // 1000)
            number = fonts.Fitted(digits, (str(level),), digits)
            rows.append((number, fonts.Fitted(size, lines, size * 1_150 // 1000), font, used, deep))
            used += deep + gap
        if used - gap <= box.height * _OVER // 100:
            break
    spare = max(0, min(canvas.length(1_200), (box.height - used + gap) // len(rows)))
    for place, (number, named, font, y, deep) in enumerate(rows):
        y += box.y + place * spare
        ink = canvas.readable("ink", box)
        canvas.block(
            number, kit.Box(box.x, y, column - canvas.length(1_800), deep), "sans-bold", "centre", ink
        )
        canvas.block(named, kit.Box(box.x + column, y, box.width - column, deep), font, "left", ink)
    if element.ruled:
        set_writing_rules(canvas, box, y + deep)
    return head + max(box.height, used - gap)


def draw_headline(canvas: Canvas, element: kit.Headline, box: kit.Box) -> bool:
    """Draw the card's deciding number with the words around it; return False if the card has none."""
    if not (headline := element.says.read(canvas.card)):
        return False
    number, above, words, below = map(fonts.plain, headline)
    near = canvas.length(2_400)
    size = min(canvas.size(element.size), box.height * 1000 // _CAP)
    fitted = canvas.fit(number, kit.Box(0, 0, box.width * 2 // 5, size), "sans-bold", size, 1)
    reach = _reach(fitted)
    canvas.block(fitted, replace(box, width=reach), "sans-bold", "left", canvas.readable("band", box))
    left, wide = box.x + reach + near, box.width - reach - near
    small, large = canvas.size(80), canvas.size(130)
    rest = kit.Box(left, box.y, wide, box.height - (2 if above and below else 1) * small * 1_300 // 1000)
    parts = [
        canvas.fit(above, rest, "sans", small, canvas.least(_NAME), 2),
        canvas.fit(words, rest, "sans-bold", large, canvas.least(85), 3),
        canvas.fit(below, rest, "sans", small, canvas.least(_NAME), 2),
    ]
    gap = canvas.spacing(1_500)
    depths = [part.depth("sans") + gap if part.lines else 0 for part in parts]
    y = box.y + (box.height - sum(depths) + gap) // 2
    roles: tuple[tuple[kit.Font, str], ...] = (("sans", "soft"), ("sans-bold", "ink"), ("sans", "ink"))
    for part, deep, (font, role) in zip(parts, depths, roles, strict=True):
        canvas.block(part, kit.Box(left, y, wide, deep - gap), font, "left", canvas.readable(role, box))
        y += deep
    return True
