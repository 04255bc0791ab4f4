"""Facts as large numbers: the value, its drawing beside it, its name beneath. Unknown is a ruled blank."""

from __future__ import annotations

from typing import NamedTuple

from cardsdb.games.kit.print import face as kit
from printing.faces import colours, fonts, linebreak, wording
from printing.faces.canvas import Easel, draw_symbol

# A row's numbers stand no further apart than this, however few they are.
_CELL = 15_000
# A word in a number's place is no larger: it is longer, and its slash reaches below the line.
_WORD = 130
# So much of the box stays free, for numbers that stand under each other.
_ABOVE = 800
_CAP = fonts.CUTS["sans-bold"].cap


class _Set(NamedTuple):
    """What stands in a number's box: the value (None: nobody stated it), its name, the largest size each may have, the drawing's side."""

    words: str | None
    name: str
    size: int
    name_size: int
    side: int


def draw_number(easel: Easel, element: kit.Number) -> None:
    """The value as large as the box lets it be, its symbol beside it and its name beneath."""
    if setting := _setting(easel, element):
        _draw(easel, element, setting)


def draw_row(easel: Easel, element: kit.NumberRow) -> bool:
    """Numbers side by side from the left, all in one size; says whether there were any."""
    shown = [fact for fact in element.facts if easel.card.fact(fact[0]) is not None]
    box, cell = element.box, min(_CELL, element.box.width // max(1, len(shown)))
    numbers = [
        kit.Number(kit.Box(box.x + index * cell, box.y, cell - 600, box.height), key, label, element.size, symbol)
        for index, (key, symbol, label) in enumerate(shown)
    ]
    pairs = [(number, setting) for number in numbers if (setting := _setting(easel, number, element.signed))]
    if not pairs:
        return False
    size, side = min(setting.size for _, setting in pairs), min(setting.side for _, setting in pairs)
    name_size = min(setting.name_size for _, setting in pairs)
    # Names too small to be read say nothing: there the drawings alone tell what is what.
    named = name_size >= easel.least(60) or not side
    for number, setting in pairs:
        name = setting.name if named else ""
        _draw(easel, number, setting._replace(size=size, name=name, name_size=name_size, side=side))
    return True


def _setting(easel: Easel, element: kit.Number, signed: bool = False) -> _Set | None:
    """How the number is set in its box; nothing for a fact that does not apply. ``signed``: +2."""
    words, most = wording.fact_words(element.fact, easel.card, easel.game), element.size
    if words is None and element.instead and (words := wording.fact_words(element.instead, easel.card, easel.game) or None):
        most = min(element.size, _WORD) if len(words) > 2 else element.size
    elif words and signed and words.isdigit() and words != "0":
        words = f"+{words}"
    if words == "":
        return None
    box = easel.box(element.box)
    name = element.label or wording.title_of(element.fact, easel.game)
    name_size = _name(easel, name, box, easel.size(70)).size
    deepest = (box.height - easel.length(1_200 + _ABOVE) - name_size * 660 // 1000) * 1000 // _CAP
    size, usual = min(easel.size(most), deepest), min(easel.size(element.size), deepest)
    side = min(easel.length(5_400), usual * _CAP // 1000) if element.symbol else 0
    if side and words:
        # On one line with its drawing. That of a number may be as low as the number; a word that is too long stands alone.
        room, long = box.width - easel.length(900), fonts.width("sans-bold", fonts.plain(words))
        beside = (room - side) * 1000 // long
        if words.lstrip("+-").isdigit():
            size = min(size, max(room * 1000 // (long + _CAP), beside))
            side = min(side, size * _CAP // 1000)
        elif beside >= easel.least(90):
            size = min(size, beside)
        else:
            size, side = min(size, (box.width - 2 * easel.length(900)) * 1000 // long), 0
    return _Set(words, name, size, name_size, side)


def _name(easel: Easel, name: str, box: kit.Box, size: int) -> linebreak.Fitted:
    place = kit.Box(box.x, box.y, box.width, min(box.height // 2, easel.spacing(5_400)))
    return easel.fit(name, place, "sans", size, easel.least(60), 2 if " " in name else 1)


def _draw(easel: Easel, element: kit.Number, setting: _Set) -> None:
    box, words = easel.box(element.box), setting.words
    name, gap = _name(easel, setting.name, box, setting.name_size), easel.length(1_200)
    foot = gap + (len(name.lines) - 1) * name.pitch + name.size * 660 // 1000 if name.lines else 0
    size = min(setting.size, (box.height - foot) * 1000 // _CAP)
    # Value and name stand in the middle of the box together, the name where it stands on every card.
    cap = size * _CAP // 1000
    top = box.y + (box.height - foot - cap) // 2
    baseline = top + cap
    value = None
    side, near = (setting.side, easel.length(900)) if setting.side else (0, 0)
    if words is not None:
        value = easel.fit(fonts.plain(words), kit.Box(box.x, top, box.width - side - near, size), "sans-bold", size, easel.least(90), 2)
    reach = _reach(value) if value else (box.width - side - near) * 2 // 3
    left = box.x + (box.width - side - near - reach) // 2
    if side:
        place = kit.Box(left, top + (cap - side) // 2, side, side)
        colour = colours.colour_of(setting.name, easel.game) or easel.ink("hue")
        draw_symbol(easel, place, element.symbol, colours.legible(colour, easel.ground(place), 3.0))
        left += side + near
    if value is None:
        easel.rule(left, left + reach, baseline)
    else:
        deep = (len(value.lines) - 1) * value.pitch + value.size * _CAP // 1000
        easel.block(value, kit.Box(left, baseline - deep, reach, deep), "sans-bold", "centre", easel.readable("ink", box))
    place = kit.Box(box.x, baseline + gap, box.width, foot - gap)
    easel.block(name, place, "sans", "centre", easel.readable("soft", box))


def _reach(fitted: linebreak.Fitted) -> int:
    return max((fonts.width("sans-bold", line) * fitted.size // 1000 for line in fitted.lines), default=0)
