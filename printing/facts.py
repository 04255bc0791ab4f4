"""Facts as drawn: a number with its name, lines of label and value, marks. Unknown is a ruled blank."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from cardsdb.games.kit import face as kit
from printing import colours, fonts, linebreak, wording
from printing.easel import Easel
from printing.symbols import draw_symbol

# A row's numbers stand no further apart than this, however few they are.
_CELL = 15_000

# A word in a number's place is no larger: it is longer, and its slash reaches below the line.
_WORD = 150


def draw_number(easel: Easel, element: kit.Number, *, signed: bool = False) -> None:
    """The value as large as the box lets it be, its symbol beside it and its name beneath; ``signed``: +2."""
    words, most = wording.fact_words(element.fact, easel.card, easel.game), element.size
    if words is None and element.instead:
        words, most = wording.fact_words(element.instead, easel.card, easel.game) or None, min(element.size, _WORD)
    elif words and signed and words.isdigit() and words != "0":
        words = f"+{words}"
    if words == "":
        return
    box = easel.box(element.box)
    name = element.label or wording.title_of(element.fact, easel.game)
    label_box = kit.Box(box.x, box.y, box.width, min(box.height // 2, easel.length(5_400)))
    label = easel.fit(name, label_box, "sans", easel.size(70), easel.least(60), 2)
    gap, bold = easel.length(1_200), fonts.CUTS["sans-bold"].cap
    foot = gap + (len(label.lines) - 1) * label.pitch + label.size * 660 // 1000
    size = min(easel.size(most), (box.height - foot) * 1000 // bold)
    # Value and name stand in the middle of the box together, the name where it stands on every card.
    cap = size * bold // 1000
    top = box.y + (box.height - foot - cap) // 2
    baseline = top + cap
    value = None
    side, near = (min(easel.length(5_400), cap), easel.length(900)) if element.symbol else (0, 0)
    if words is not None:
        value = easel.fit(fonts.plain(words), kit.Box(box.x, top, box.width - side - near, size), "sans-bold", size, easel.least(90), 2)
    reach = _reach(value) if value else (box.width - side - near) * 2 // 3
    left = box.x + (box.width - side - near - reach) // 2
    if element.symbol:
        place = kit.Box(left, top + (cap - side) // 2, side, side)
        draw_symbol(easel, place, element.symbol, colours.legible(easel.ink("hue"), easel.ground(place), 3.0))
        left += side + near
    if value is None:
        easel.rule(left, left + reach, baseline)
    else:
        deep = (len(value.lines) - 1) * value.pitch + value.size * bold // 1000
        easel.block(value, kit.Box(left, baseline - deep, reach, deep), "sans-bold", "centre", easel.readable("ink", box))
    place = kit.Box(box.x, baseline + gap, box.width, foot - gap)
    easel.block(label, place, "sans", "centre", easel.readable("soft", box))


def _reach(fitted: linebreak.Fitted) -> int:
    return max((fonts.width("sans-bold", line) * fitted.size // 1000 for line in fitted.lines), default=0)


def draw_row(easel: Easel, element: kit.Row) -> bool:
    """Numbers side by side from the left; says whether there were any."""
    shown = [fact for fact in element.facts if easel.card.fact(fact[0]) is not None]
    if shown:
        box, cell = element.box, min(_CELL, element.box.width // len(shown))
        for index, (key, symbol, label) in enumerate(shown):
            place = kit.Box(box.x + index * cell, box.y, cell - 600, box.height)
            draw_number(easel, kit.Number(place, key, label, element.size, symbol), signed=element.signed)
    return bool(shown)


def draw_blank(easel: Easel, label: str, box: kit.Box) -> None:
    """A fact's name and a rule to write its value on."""
    place = kit.Box(box.x, box.y, box.width * 2 // 3, box.height)
    fitted = easel.fit(label, place, "sans", min(easel.size(85), box.height), easel.least(65))
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


def draw_lines(easel: Easel, element: kit.Lines, box: kit.Box, room: int) -> int:
    """Facts as lines of label and value from the box's head; returns the depth used.

    ``room`` may be more than the box when ruled lines follow: then long values take some of it.
    Two columns if one is too long, and only then smaller type than can be read at arm's length.
    """
    facts = [
        (wording.title_of(key, easel.game), words)
        for key in element.facts
        if (words := wording.fact_words(key, easel.card, easel.game)) != "" and (words is not None or key in element.blanks)
    ]
    if not facts:
        return 0
    largest, least = easel.size(element.size), easel.least(65)
    if element.table:
        return _set_table(easel, facts, box, largest)
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


def _set_table(easel: Easel, facts: list[tuple[str, str | None]], box: kit.Box, size: int) -> int:
    """Every fact on a line of its own, the values under each other on the right, hair lines between; returns the depth used.

    On a card with a text all that is nothing is one line, so that the text gets the room.
    """
    pitch = box.height // len(facts)
    nothing = [label for label, words in facts if words == "0"]
    if easel.card.text and len(nothing) > 1:
        facts = [*(fact for fact in facts if fact[1] != "0"), ("Others" if len(nothing) < len(facts) else "All", "0")]
    longest = max(fonts.width("sans", label) + 800 + fonts.width("sans-bold", fonts.plain(words or "")) for label, words in facts)
    size = min(size, pitch * 1000 // _PITCH, box.width * 1000 // longest)
    cap = size * fonts.CUTS["sans"].cap // 1000
    soft, ink = easel.readable("soft", box), easel.readable("ink", box)
    for index, (label, words) in enumerate(facts):
        y = box.y + index * pitch + (pitch + cap) // 2
        if index:
            easel.rule(box.x, box.x + box.width, box.y + index * pitch, colours.FAINT)
        easel.write(label, "sans", size, box.x, y, soft)
        if words is None:
            easel.rule(box.x + box.width - 2 * size, box.x + box.width, y)
            continue
        value = fonts.plain(words)
        # What is nothing stands back, so that what the card can do is seen at once.
        colour = soft if value == "0" else ink
        font: kit.Font = "sans" if value == "0" else "sans-bold"
        easel.write(value, font, size, box.x + box.width - fonts.width(font, value) * size // 1000, y, colour)
    return pitch * len(facts)


# -- marks and symbols ------------------------------------------------------------


def draw_marks(easel: Easel, element: kit.Marks) -> bool:
    """A mark for each value: its symbol or first letter in its colour, and the word beside it where there is room.

    Says whether the card has, or may have, the fact at all.
    """
    card, game, box = easel.card, easel.game, easel.box(element.box)
    values = [value for value in card.words(element.fact) if value.strip()]
    if not values:
        unknown = wording.fact_words(element.fact, card, game) is None
        if unknown:
            draw_blank(easel, wording.title_of(element.fact, game), box)
        return unknown
    side, near, far = min(box.height, easel.length(element.side)), easel.length(900), easel.length(2_200)
    size = easel.size(90) if element.named else 0
    names = [fonts.plain(value[:1].upper() + value[1:]) for value in values]
    words = sum(fonts.width("sans-bold", name) for name in names)
    spare = box.width - len(values) * (side + near) - (len(values) - 1) * far
    size = min(size, spare * 1000 // words) if spare > 0 else 0
    x = box.x
    if size < easel.least(65):
        size, near, far = 0, 0, easel.length(900)
        side = min(side, (box.width + far) // len(values) - far)
        x += 0 if element.named else (box.width - len(values) * (side + far) + far) // 2
    y = box.y + (box.height - side) // 2
    for value, name in zip(values, names, strict=True):
        _mark(easel, value, _symbol_for(value, element.symbols), kit.Box(x, y, side, side))
        x += side + near
        if size:
            baseline = box.y + (box.height + fonts.CUTS["sans-bold"].cap * size // 1000) // 2
            x += easel.write(name, "sans-bold", size, x, baseline, easel.readable("ink", box))
        x += far
    return True


def _symbol_for(value: str, symbols: tuple[tuple[str, str], ...]) -> str:
    """The drawing whose word is the value, or is in it: that of Craft for React Craft."""
    told = value.casefold()
    return next((path for key, path in symbols if key.casefold() == told), "") or next(
        (path for key, path in symbols if key.casefold() in told), ""
    )


def _mark(easel: Easel, value: str, symbol: str, box: kit.Box) -> None:
    colour = colours.colour_of(value, easel.game) or easel.game.hue[0]
    if symbol:
        draw_symbol(easel, box, symbol, colours.legible(colour, easel.ground(box), 3.0))
        return
    easel.paint(box.x, box.y, box.width, box.height, colour)
    fitted = easel.fit(fonts.plain(value)[:1].upper(), box, "sans-bold", box.height * 800 // 1000, 1)
    easel.block(fitted, box, "sans-bold", "centre", easel.readable("paper", box))
