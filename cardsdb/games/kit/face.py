"""What a card looks like: where name, numbers and text sit. Pure data; printing draws it.

Lengths are whole micrometres from the top left corner of a card of 63,000 x 88,000
(landscape: 88,000 x 63,000); the drawing stretches them to the trim size asked for. Type
sizes are tenths of a point. Colours are roles (``ink``, ``soft``, ``line``, ``paper``,
``tint``, ``hue``), ``#rrggbb``, or ``by:FACT``: the game's colour for that fact's value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Font = Literal["sans", "sans-bold", "serif", "serif-bold"]
Align = Literal["left", "centre", "right"]

WIDTH, HEIGHT = 63_000, 88_000


@dataclass(frozen=True, slots=True)
class Box:
    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Fill:
    """A filled rectangle. One that touches the trim runs on into the bleed."""

    box: Box
    colour: str


@dataclass(frozen=True, slots=True)
class Text:
    """Words fitted into a box: shrunk from ``size`` to ``least``, or wrapped to ``lines`` where that keeps them larger.

    ``of`` is ``name``, ``type``, ``set`` (set code and number), ``text``, ``credit``, ``game``,
    ``fact:KEY`` (nothing when unknown) or ``=literal words``. ``turned`` text runs up the box's left side.
    Words that cannot be read on the fill under them are drawn in ink or paper instead.
    """

    box: Box
    of: str
    size: int = 80
    least: int = 65
    font: Font = "sans"
    align: Align = "left"
    colour: str = "ink"
    lines: int = 1
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """A number with its name under it. Unknown is a ruled blank; a fact that does not apply is nothing."""

    box: Box
    fact: str
    label: str = ""
    size: int = 200


@dataclass(frozen=True, slots=True)
class Lines:
    """Facts as lines of "label  value", one after the other, those that apply to the card.

    Facts in ``blanks`` get a ruled blank when unknown; the others are left out then.
    """

    box: Box
    facts: tuple[str, ...]
    blanks: tuple[str, ...] = ()
    size: int = 70


@dataclass(frozen=True, slots=True)
class Notes:
    """The card's effect in our words, then ruled lines to write on down to the box's end.

    Directly after ``Lines`` they begin where those end, a little higher or lower than the box says.
    """

    box: Box
    size: int = 75


@dataclass(frozen=True, slots=True)
class Symbol:
    """A drawing of ours: SVG path data (M, L, H, V, C, Z, absolute) on a grid of 24 x 24."""

    box: Box
    path: str
    colour: str = "ink"
    stroke: bool = True


@dataclass(frozen=True, slots=True)
class Marks:
    """One mark for each value of a ``words`` or ``word`` fact: its symbol, or its first letter, in its colour."""

    box: Box
    fact: str
    symbols: tuple[tuple[str, str], ...] = ()


Element = Fill | Text | Number | Lines | Notes | Symbol | Marks


@dataclass(frozen=True, slots=True)
class Face:
    elements: tuple[Element, ...]
    landscape: bool = False


def dossier(
    *,
    corner: str = "",
    column: tuple[str, ...] = (),
    foot: str = "",
    lines: tuple[str, ...] = (),
    blanks: tuple[str, ...] = (),
    marks: str = "",
    symbols: tuple[tuple[str, str], ...] = (),
    edge: str = "hue",
    name_up_edge: bool = False,
    landscape: bool = False,
) -> Face:
    """The family's face, so that five games look like one.

    ``corner`` is the number top right, ``column`` the numbers down the left, ``foot`` the number
    bottom right; ``lines`` the facts written out above the text (``blanks``: those ruled when
    unknown); ``marks`` a fact shown as marks under the name, with ``symbols`` for its values;
    ``edge`` the colour of the band. ``name_up_edge`` puts the name up the left edge, as on
    Spycraft's printed cards; otherwise it stands in a band on top.
    """
    width, height = (HEIGHT, WIDTH) if landscape else (WIDTH, HEIGHT)
    left = 9_000 if name_up_edge else 4_000
    parts: list[Element] = [Fill(Box(0, 0, width, height), "paper")]
    if name_up_edge:
        parts += [
            Fill(Box(0, 0, 8_000, height), edge),
            Text(Box(1_000, 3_500, 6_000, height - 7_000), "name", 120, 90, "serif-bold", "right", "paper", turned=True, lines=2),
        ]
        top = 4_000
    else:
        room = width - 8_000 - (12_000 if corner else 0)
        parts += [
            Fill(Box(0, 0, width, 13_500), edge),
            Text(Box(4_000, 1_200, room, 11_100), "name", 120, 90, "serif-bold", colour="paper", lines=3),
        ]
        top = 15_000
    if corner:
        # On the band the number would lose its contrast, so it gets paper of its own.
        if not name_up_edge:
            parts.append(Fill(Box(width - 14_000, 1_500, 12_000, 10_800), "paper"))
        parts.append(Number(Box(width - 14_000, 1_800, 12_000, 10_500), corner))
    parts.append(Text(Box(left, top, width - left - 16_000, 4_000), "type", 80, 65, "sans-bold", colour="soft"))
    top += 5_000
    text_left = left
    if column:
        step = min(12_500, (height - top - 9_000) // len(column))
        parts += [Number(Box(left, top + index * step, 11_000, step - 500), fact, size=180) for index, fact in enumerate(column)]
        text_left = left + 13_000
    right = width - 3_500
    if name_up_edge and corner:
        top += 4_000
    if marks:
        parts.append(Marks(Box(text_left, top, right - text_left, 6_500), marks, symbols))
        top += 7_500
    if lines:
        depth = min(4_200 * len(lines), (height - top - 20_000) // 2)
        parts.append(Lines(Box(text_left, top, right - text_left, depth), lines, blanks))
        top += depth + 1_000
    bottom = height - (17_500 if foot else 7_500)
    parts.append(Notes(Box(text_left, top, right - text_left, bottom - top)))
    if foot:
        parts.append(Number(Box(width - 14_500, height - 16_500, 11_000, 10_500), foot))
    parts.append(Text(Box(left, height - 5_800, right - left, 3_800), "credit", 65, 50, colour="soft"))
    return Face(tuple(parts), landscape)
