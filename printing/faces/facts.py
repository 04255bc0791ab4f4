"""Facts as words and numbers: lines of label and value, tables, marks, numbers in a row. Unknown is a ruled
blank.
"""

from typing import NamedTuple

from cardsdb.games.kit.print import face as kit
from printing.faces import colours, fonts, wording
from printing.faces.canvas import Canvas

# The space between a label and its value, in thousandths of the size.
_AFTER = 450


def draw_blank(canvas: Canvas, label: str, box: kit.Box) -> None:
    """A fact's name and a rule to write its value on."""
    place = kit.Box(box.x, box.y, box.width * 2 // 3, box.height)
    fitted = canvas.fit(label, place, "sans-bold", min(canvas.size(85), box.height), canvas.least(65))
    canvas.block(fitted, place, "sans-bold", "left", canvas.readable("soft", box))
    used = max((fonts.width("sans-bold", line) for line in fitted.lines), default=0) + _AFTER
    canvas.rule(
        box.x + used * fitted.size // 1000,
        box.x + box.width,
        box.y + box.height // 2 + fitted.size * 330 // 1000 + 200,
    )


# -- lines ----------------------------------------------------------------------


# The indent of a value's further lines, and the distance of lines, in thousandths of the size.
_HANG, _PITCH = 1_000, 1_330
# The least distance of lines of a table, which hair lines part.
_CLOSE = 1_240
# The distance of rules that a hand writes between.
_PEN_ROOM = 5_000
# The sizes that lines may have, in per cent of the face's.
_STEPS = (100, 88, 80, 72)
# The most marks that stand under each other.
_STACKED = 3


class _Row(NamedTuple):
    """One fact: its label, the lines of its value (None: a ruled blank), and how far the label reaches in
    thousandths of the size.
    """

    label: str
    lines: list[str] | None
    reach: int


def _count(rows: list[_Row]) -> int:
    """The number of lines of these facts: a blank is one."""
    return sum(len(row.lines or "-") for row in rows)


def draw_lines(canvas: Canvas, element: kit.Lines, box: kit.Box, room: int) -> int:
    """Draw facts as lines of label and value from the box's head; returns the depth used.

    ``room`` may be more than the box when ruled lines follow: then long values take some of it. Facts that
    can be spared give way before the type shrinks, and it shrinks in few steps, so that cards of a type look
    alike. Facts that are too long for one column get two, and only then type that is smaller than can be read
    at arm's length.
    """
    if element.table:
        return _set_table(canvas, element, box)
    facts = _known(canvas, element)
    if not facts:
        return _set_writing_rules(canvas, box, box.y) if element.ruled else 0
    needed = _known(canvas, element, element.spare) or facts
    largest, least = canvas.size(element.size), canvas.least(65)
    for size in sorted({largest * percent // 100 for percent in _STEPS} | {least}, reverse=True):
        for chosen in (facts, needed):
            if size >= least and (rows := _rows(chosen, box.width, room, size)):
                used = _set_rows(canvas, rows, box.x, box.width, box.y, size, _air(canvas, rows, size, room))
                return max(used, _set_writing_rules(canvas, box, box.y + used)) if element.ruled else used
    half, across = (box.width - canvas.length(2_000)) // 2, -(-len(needed) // 2)
    rows = _rows(needed, half, 2 * room, least)
    if rows and len(rows) == _count(rows) and across * least * _PITCH <= room * 1000:
        _set_rows(canvas, rows[across:], box.x + box.width - half, half, box.y, least)
        return _set_rows(canvas, rows[:across], box.x, half, box.y, least)
    low, high = 1, least
    while high - low > low // 50:
        middle = (low + high) // 2
        low, high = (middle, high) if _rows(needed, box.width, room, middle) else (low, middle)
    return _set_rows(canvas, _rows(needed, box.width, room, low), box.x, box.width, box.y, low)


def _known(canvas: Canvas, element: kit.Lines, without: tuple[str, ...] = ()) -> list[tuple[str, str | None]]:
    """Title and words of the facts that the card has; words are None for facts that are to be filled in."""
    return [
        (wording.title_of(key, canvas.game), words)
        for key in element.facts
        if key not in without
        if (words := wording.stated_words(key, canvas.card, canvas.game)) != ""
        and (words is not None or key in element.blanks)
    ]


def _set_writing_rules(canvas: Canvas, box: kit.Box, top: int) -> int:
    """Rules to write on from below ``top`` down to the box's end; returns the depth of the box."""
    pitch = canvas.spacing(_PEN_ROOM)
    for y in range(box.y + box.height, top + pitch * 4 // 5, -pitch):
        canvas.rule(box.x, box.x + box.width, y, colours.FAINT)
    return box.height


def _rows(facts: list[tuple[str, str | None]], width: int, room: int, size: int) -> list[_Row]:
    """The facts broken into lines of this width and size; empty when they do not fit into the room."""
    rows = [_row(label, words, width * 1000 // size) for label, words in facts]
    fit = _count(rows) * size * _PITCH <= room * 1000 and all(
        row.reach * size <= width * 1000 for row in rows
    )
    return rows if fit else []


def _row(label: str, words: str | None, limit: int) -> _Row:
    first = fonts.width("sans-bold", label) + _AFTER
    if words is None:
        return _Row(label, None, first)
    parts = fonts.pieces(fonts.plain(words))
    return _Row(
        label,
        fonts.wrap(parts, limit - _HANG, "sans", max(0, first - _HANG)),
        first,
    )


def _air(canvas: Canvas, rows: list[_Row], size: int, room: int) -> int:
    """The space above each blank, so that a pen fits in, out of the room that is left."""
    blanks = sum(row.lines is None for row in rows)
    pitch = size * _PITCH // 1000
    spare = room - _count(rows) * pitch
    return max(0, min(canvas.spacing(_PEN_ROOM) - pitch, spare // blanks)) if blanks else 0


def _set_rows(canvas: Canvas, rows: list[_Row], x: int, width: int, top: int, size: int, air: int = 0) -> int:
    """Set the rows from ``top``, with ``air`` above each blank, and return their depth."""
    pitch, place = size * _PITCH // 1000, kit.Box(x, top, width, 1)
    soft, ink = canvas.readable("soft", place), canvas.readable("ink", place)
    y = top + (pitch + size * fonts.CUTS["sans"].cap // 1000) // 2
    for row in rows:
        if row.lines is None:
            y += air
        canvas.write(row.label, "sans-bold", size, x, y, soft)
        reach = row.reach * size // 1000
        if row.lines is None:
            canvas.rule(x + reach, x + width, y + 200)
            y += pitch
            continue
        for index, line in enumerate(row.lines):
            if line:
                canvas.write(line, "sans", size, x + (_HANG * size // 1000 if index else reach), y, ink)
            y += pitch
    return sum(len(row.lines or "-") * pitch + (air if row.lines is None else 0) for row in rows)


def _set_table(canvas: Canvas, element: kit.Lines, box: kit.Box) -> int:
    """Draw every fact on a line of its own, the values under each other on the right, hair lines between;
    returns the depth used.

    On a card with a text, on small cards and in large print all facts of value 0 share one line.
    """
    facts = _known(canvas, element)
    if not facts:
        return 0
    longest = max(
        fonts.width("sans", label) + 800 + fonts.width("sans-bold", fonts.plain(words or ""))
        for label, words in facts
    )
    size, pitch = canvas.size(element.size), box.height // len(facts)
    nothing = [label for label, words in facts if words == "0"]
    if (canvas.card.text or canvas.tight) and len(nothing) > 1:
        facts = [
            *(fact for fact in facts if fact[1] != "0"),
            ("Others" if len(nothing) < len(facts) else "All", "0"),
        ]
    if canvas.tight:
        pitch = max(pitch, min(box.height // len(facts), size * _PITCH // 1000))
    size = min(size, pitch * 1000 // _CLOSE, box.width * 1000 // longest)
    cap = size * fonts.CUTS["sans"].cap // 1000
    soft, ink = canvas.readable("soft", box), canvas.readable("ink", box)
    for index, (label, words) in enumerate(facts):
        y = box.y + index * pitch + (pitch + cap) // 2
        if index:
            canvas.rule(box.x, box.x + box.width, box.y + index * pitch, colours.FAINT)
        canvas.write(label, "sans", size, box.x, y, soft)
        if words is None:
            canvas.rule(box.x + box.width - 2 * size, box.x + box.width, y)
            continue
        value = fonts.plain(words)
        # A value of 0 is pale, so that what the card can do is seen at once.
        colour = soft if value == "0" else ink
        font: kit.Font = "sans" if value == "0" else "sans-bold"
        canvas.write(
            value, font, size, box.x + box.width - fonts.width(font, value) * size // 1000, y, colour
        )
    return pitch * len(facts)


# -- marks and symbols ------------------------------------------------------------


def draw_marks(canvas: Canvas, element: kit.FactSymbols, box: kit.Box, stacked: bool = False) -> int:
    """Draw a mark for each value into the box: its symbol or first letter in its colour, the word beside it
    where there is room.

    Returns the depth used: 0 when the card cannot have the fact, more than the box where two or three values
    stand under each other, which they do if they may be ``stacked`` and would be small side by side.
    """
    card, game = canvas.card, canvas.game
    values = [value for value in card.words(element.fact) if value.strip()]
    if not values:
        unknown = element.named and wording.is_unknown(element.fact, card, game)
        if unknown:
            draw_blank(canvas, wording.title_of(element.fact, game), box)
        return box.height if unknown else 0
    side, near, far = min(box.height, canvas.length(element.side)), canvas.length(900), canvas.length(2_200)
    size = canvas.size(90) if element.named else 0
    names = [fonts.plain(value[:1].upper() + value[1:]) for value in values]
    lengths = [fonts.width("sans-bold", name) for name in names]
    beside = (box.width - len(values) * (side + near) - (len(values) - 1) * far) * 1000 // sum(lengths)
    longest = (box.width - side - near) * 1000 // max(lengths)
    if stacked and 1 < len(values) <= _STACKED and beside < size * _STEPS[1] // 100 and beside < longest:
        size, pitch = min(size, longest), side + canvas.length(800)
        for index, (value, name) in enumerate(zip(values, names, strict=True)):
            place = kit.Box(box.x, box.y + (box.height - side) // 2 + index * pitch, side, side)
            _mark(canvas, value, _symbol_for(value, element.symbols), place)
            _word(canvas, name, size, place.x + side + near, place)
        return box.height + (len(values) - 1) * pitch
    size = min(size, max(beside, 0))
    x = box.x
    if size < canvas.least(65):
        size, near, far = 0, 0, canvas.length(900)
        side = min(side, (box.width + far) // len(values) - far)
        x += 0 if element.named else (box.width - len(values) * (side + far) + far) // 2
    for value, name in zip(values, names, strict=True):
        place = kit.Box(x, box.y + (box.height - side) // 2, side, side)
        _mark(canvas, value, _symbol_for(value, element.symbols), place)
        x += side + near + (_word(canvas, name, size, x + side + near, place) if size else 0) + far
    return box.height


def _word(canvas: Canvas, name: str, size: int, x: int, mark: kit.Box) -> int:
    """Set the word of a mark beside it; returns its length."""
    baseline = mark.y + (mark.height + fonts.CUTS["sans-bold"].cap * size // 1000) // 2
    return canvas.write(name, "sans-bold", size, x, baseline, canvas.readable("ink", mark))


def _symbol_for(value: str, symbols: tuple[tuple[str, str], ...]) -> str:
    """The symbol whose word is the value, or part of it: that of Craft for React Craft. Empty for none."""
    folded = value.casefold()
    return next((path for key, path in symbols if key.casefold() == folded), "") or next(
        (path for key, path in symbols if key.casefold() in folded), ""
    )


def _mark(canvas: Canvas, value: str, symbol: str, box: kit.Box) -> None:
    colour = colours.colour_of(value, canvas.game) or canvas.game.hue[0]
    if symbol:
        canvas.symbol(box, symbol, colours.legible(colour, canvas.ground(box), 3.0))
        return
    canvas.paint(box.x, box.y, box.width, box.height, colour)
    fitted = canvas.fit(fonts.plain(value)[:1].upper(), box, "sans-bold", box.height * 800 // 1000, 1)
    canvas.block(fitted, box, "sans-bold", "centre", canvas.readable("paper", box))


# The greatest distance of numbers in a row, however few they are.
_CELL = 15_000
# The largest type of a word in a number's place: it is longer, and its slash reaches below the line.
_WORD = 130
# The part of the box that stays free, for numbers that stand under each other.
_ABOVE = 800
_CAP = fonts.CUTS["sans-bold"].cap


class _Set(NamedTuple):
    """The content of a number's box: the value (None: nobody stated it), its name, the largest size of each,
    the side of the symbol.
    """

    words: str | None
    name: str
    size: int
    name_size: int
    side: int


def draw_number(canvas: Canvas, element: kit.Number) -> None:
    """Draw the value as large as fits the box, its symbol beside it and its name beneath."""
    if setting := _setting(canvas, element):
        _draw(canvas, element, setting)


def draw_row(canvas: Canvas, element: kit.NumberRow) -> bool:
    """Draw numbers side by side from the left, all in one size; returns whether there are any."""
    shown = [fact for fact in element.facts if canvas.card.fact(fact[0]) is not None]
    box, cell = element.box, min(_CELL, element.box.width // max(1, len(shown)))
    numbers = [
        kit.Number(
            kit.Box(box.x + index * cell, box.y, cell - 600, box.height), key, label, element.size, symbol
        )
        for index, (key, symbol, label) in enumerate(shown)
    ]
    pairs = [(number, setting) for number in numbers if (setting := _setting(canvas, number, element.signed))]
    if not pairs:
        return False
    size, side = min(setting.size for _, setting in pairs), min(setting.side for _, setting in pairs)
    name_size = min(setting.name_size for _, setting in pairs)
    # Names too small to be read are left out: the symbols alone tell the numbers apart.
    named = name_size >= canvas.least(60) or not side
    for number, setting in pairs:
        name = setting.name if named else ""
        _draw(canvas, number, setting._replace(size=size, name=name, name_size=name_size, side=side))
    return True


def _setting(canvas: Canvas, element: kit.Number, signed: bool = False) -> _Set | None:
    """The setting of the number in its box; None for a fact that does not apply. ``signed``: with a plus, as
    +2.
    """
    words, most = wording.fact_words(element.fact, canvas.card, canvas.game), element.size
    if (
        words is None
        and element.instead
        and (words := wording.fact_words(element.instead, canvas.card, canvas.game) or None)
    ):
        most = min(element.size, _WORD) if len(words) > 2 else element.size
    elif words and signed and words.isdigit() and words != "0":
        words = f"+{words}"
    if words == "":
        return None
    box = canvas.box(element.box)
    name = element.label or wording.title_of(element.fact, canvas.game)
    name_size = _name(canvas, name, box, canvas.size(70)).size
    deepest = (box.height - canvas.length(1_200 + _ABOVE) - name_size * 660 // 1000) * 1000 // _CAP
    size, usual = min(canvas.size(most), deepest), min(canvas.size(element.size), deepest)
    side = min(canvas.length(5_400), usual * _CAP // 1000) if element.symbol else 0
    if side and words:
        # Beside a number the symbol may be as low as the number; a word that is too long stands without one.
        room, long = box.width - canvas.length(900), fonts.width("sans-bold", fonts.plain(words))
        beside = (room - side) * 1000 // long
        if words.lstrip("+-").isdigit():
            size = min(size, max(room * 1000 // (long + _CAP), beside))
            side = min(side, size * _CAP // 1000)
        elif beside >= canvas.least(90):
            size = min(size, beside)
        else:
            size, side = min(size, (box.width - 2 * canvas.length(900)) * 1000 // long), 0
    return _Set(words, name, size, name_size, side)


def _name(canvas: Canvas, name: str, box: kit.Box, size: int) -> fonts.Fitted:
    place = kit.Box(box.x, box.y, box.width, min(box.height // 2, canvas.spacing(5_400)))
    return canvas.fit(name, place, "sans", size, canvas.least(60), 2 if " " in name else 1)


def _draw(canvas: Canvas, element: kit.Number, setting: _Set) -> None:
    box, words = canvas.box(element.box), setting.words
    name, gap = _name(canvas, setting.name, box, setting.name_size), canvas.length(1_200)
    foot = gap + (len(name.lines) - 1) * name.pitch + name.size * 660 // 1000 if name.lines else 0
    size = min(setting.size, (box.height - foot) * 1000 // _CAP)
    # Value and name stand in the middle of the box together; the name has the same place on every card.
    cap = size * _CAP // 1000
    top = box.y + (box.height - foot - cap) // 2
    baseline = top + cap
    value = None
    side, near = (setting.side, canvas.length(900)) if setting.side else (0, 0)
    if words is not None:
        value = canvas.fit(
            fonts.plain(words),
            kit.Box(box.x, top, box.width - side - near, size),
            "sans-bold",
            size,
            canvas.least(90),
            2,
        )
    reach = _reach(value) if value else (box.width - side - near) * 2 // 3
    left = box.x + (box.width - side - near - reach) // 2
    if side:
        place = kit.Box(left, top + (cap - side) // 2, side, side)
        colour = colours.colour_of(setting.name, canvas.game) or canvas.ink("hue")
        canvas.symbol(place, element.symbol, colours.legible(colour, canvas.ground(place), 3.0))
        left += side + near
    if value is None:
        canvas.rule(left, left + reach, baseline)
    else:
        deep = (len(value.lines) - 1) * value.pitch + value.size * _CAP // 1000
        canvas.block(
            value,
            kit.Box(left, baseline - deep, reach, deep),
            "sans-bold",
            "centre",
            canvas.readable("ink", box),
        )
    place = kit.Box(box.x, baseline + gap, box.width, foot - gap)
    canvas.block(name, place, "sans", "centre", canvas.readable("soft", box))


def _reach(fitted: fonts.Fitted) -> int:
    return max((fonts.width("sans-bold", line) * fitted.size // 1000 for line in fitted.lines), default=0)
