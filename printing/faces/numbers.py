"""Facts as large numbers: the value, its symbol beside it, its name beneath. Unknown is a ruled blank."""

from __future__ import annotations

from typing import NamedTuple

from cardsdb.games.kit.print import face as kit
from printing.faces import colours, fonts, linebreak, wording
from printing.faces.canvas import Canvas

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


def _name(canvas: Canvas, name: str, box: kit.Box, size: int) -> linebreak.Fitted:
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


def _reach(fitted: linebreak.Fitted) -> int:
    return max((fonts.width("sans-bold", line) * fitted.size // 1000 for line in fitted.lines), default=0)
