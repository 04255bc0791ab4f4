"""The layout of a card as data: elements of its face (names, numbers, texts, emblems) in their boxes, and its
back. ``declared/looks.py`` reads them from ``game.toml``, ``printing/faces`` draws them.

To add a kind of element, add its class to ``Element``; ``declared/looks.py`` and ``printing/faces`` must know
it. Tests: ``tests/cardsdb/games/kit/declared/test_looks.py``, ``tests/printing/faces``.

Lengths are whole micrometres from the top left corner of a card of 63,000 x 88,000 (landscape: 88,000 x
63,000); drawing stretches them to the trim size that is asked for. Type sizes are tenths of a point. A colour
is a role (``ink``, ``soft``, ``line``, ``paper``, ``tint``, ``hue``, ``band``), ``#rrggbb``, or ``by:FACT``:
the game's colour for the fact's value. An element whose fact is unknown draws nothing or a ruled blank, never
a guess.

Each element says in its docstring what it draws; its fields are the keys of ``[[types.TYPE.face.elements]]``.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.print.shapes import SYMBOLS, Emblem, named_in_code

Font = Literal["sans", "sans-light", "sans-bold", "serif", "serif-bold"]
Align = Literal["left", "centre", "right"]

# Size of a card in micrometres.
WIDTH = 63_000
HEIGHT = 88_000


@dataclass(frozen=True)
class Box:
    x: int
    y: int
    width: int
    height: int


def box_in_strip(trim: tuple[int, int], landscape: bool, number: int) -> Box:
    """Return the place of the face with this number, from 0, in a strip of faces. Each has a square as wide
    as the card is long, and lies at its top left: (63_000, 88_000), False, 1 -> Box(88_000, 0, 63_000,
    88_000).
    """
    short, long = sorted(trim)
    width, height = (long, short) if landscape else (short, long)
    return Box(number * long, 0, width, height)


@dataclass(frozen=True)
class Fill:
    """A filled rectangle. If it touches the edge of the card, it extends into the bleed."""

    box: Box
    colour: str


@dataclass(frozen=True)
class Said:
    """A function of the game's code that returns something of a card: words, values, the name of a shape or
    of an edge. ``repr`` is stable, because tags of drawings are made from it.
    """

    read: Callable[[Card], Any]

    def __repr__(self) -> str:
        return f"Said({named_in_code(self.read)})"


# A text such as the key of a fact, or a function that returns one for a card.
Words = str | Said


@dataclass(frozen=True)
class Band:
    """A band along the left or top edge of a card, ``deep`` wide, in the colour of the face's band.

    ``line``: the shape of its inner edge, which tells the type or the faction. In light ink only that edge is
    drawn, from ``below`` on, where a shape covers its beginning.
    """

    deep: int
    at: Literal["left", "top"] = "left"
    line: Words = "straight"
    below: int = 0


@dataclass(frozen=True)
class Head:
    """The head of a band: the filled shape of ``SHAPES`` with this name, as large as fits the box, in the
    colour of the face's band. If it touches the edge of the card, it extends into the bleed. In light ink it
    is an outline that keeps a distance from the cut.
    """

    box: Box
    shape: Words


@dataclass(frozen=True)
class Text:
    """Words fitted into a box: shrunk from ``size`` to ``least``, or wrapped to at most ``lines`` if that
    keeps them larger.

    ``of``: ``name``, ``type``, ``set`` (set code and number), ``text``, ``credit``, ``game``, ``fact:KEY`` or
    ``=literal words``. An unknown fact draws nothing, or with ``blank`` a ruled line under its name.
    ``turned``: the text runs up the left side of the box. ``stand``: the place of words that do not fill the
    box. If the colour cannot be read on the fill below, ink or paper is used instead.
    """

    box: Box
    of: Words
    size: int = 80
    least: int = 65
    font: Font = "sans"
    align: Align = "left"
    colour: str = "ink"
    lines: int = 1
    turned: bool = False
    blank: bool = False
    stand: Literal["middle", "head", "foot"] = "middle"


@dataclass(frozen=True)
class Number:
    """A number with its name below and its ``symbol`` left of it. An unknown number is a ruled blank; one
    that does not apply to the card is left out.

    ``label``: replaces the fact's title; a single space means none. ``instead``: key of the fact with a word
    in place of the number (N/A, a formula). ``shape``: name in ``SHAPES`` of a shape around the number, drawn
    in paper on it if ``filled``. ``beside``: the name is left of the number instead of below.
    """

    box: Box
    fact: Words
    label: str = ""
    size: int = 200
    symbol: str = ""
    instead: str = ""
    shape: Words = ""
    filled: bool = False
    beside: bool = False
    colour: str = "ink"


@dataclass(frozen=True)
class NumberRow:
    """The known ones of several numbers side by side. ``facts``: (key, symbol, name on the card).

    ``signed``: positive numbers have a plus. ``tiles``: each number has a ground of its own, and together
    they fill the width. ``down``: one below the other, symbols above. ``strongest``: the highest number has a
    solid ground, also two equal ones but not three. ``instead``: suffix of a fact's key; that fact's word
    replaces the number. ``blanks``: if no number is known, all are ruled blanks.
    """

    box: Box
    facts: tuple[tuple[str, str, str], ...]
    size: int = 200
    signed: bool = False
    tiles: bool = False
    down: bool = False
    strongest: bool = False
    instead: str = ""
    blanks: bool = False


@dataclass(frozen=True)
class Lines:
    """Facts that apply to the card, as lines of "label  value".

    Unknown facts are left out, or with ``blanks`` ruled. Facts in ``spare`` are left out if they would make
    the others smaller. ``ruled``: empty ruled lines follow for handwriting, down to the end of the box.
    """

    box: Box
    facts: tuple[str, ...]
    blanks: tuple[str, ...] = ()
    size: int = 85
    spare: tuple[str, ...] = ()
    ruled: bool = False


@dataclass(frozen=True)
class Levels:
    """Skills by level, the best level first, with the short names of the skills at each. ``facts``: (key,
    short name).

    ``emblem``: drawn on the right; on a small face it takes the room of the names too. ``label``: heading.
    ``ruled``: empty ruled lines follow for handwriting, down to the end of the box.
    """

    box: Box
    facts: tuple[tuple[str, str], ...]
    emblem: Emblem | None = None
    label: str = ""
    ruled: bool = False


@dataclass(frozen=True)
class Headline:
    """The most important number of a card, ``size`` large, with words beside it. ``says`` returns (number,
    small words above, words, small words below), or None for a card without such a number.
    """

    box: Box
    says: Said
    size: int


@dataclass(frozen=True)
class Kind:
    """A line with the card's type, then its ``words``. ``asks``: values in outlines on the right, or after
    ``label`` in a line of their own.
    """

    box: Box
    words: Words
    asks: Words = ""
    symbol: str = ""
    label: str = "To play:"


@dataclass(frozen=True)
class Notes:
    """The card's effect in our words, and its ``emblem`` in the rest of the box. On a small face there is
    only the emblem.

    A card with neither text nor facts for an emblem has ruled lines for handwriting, as has every card if the
    print asks for them. Directly after ``Lines``, notes begin where the lines end instead of at ``box``.
    ``without``: returns the header that is left out because the face shows it elsewhere.
    """

    box: Box
    size: int = 115
    emblem: Emblem | None = None
    without: Said | None = None


@dataclass(frozen=True)
class Figure:
    """An emblem in a box of its own, ``framed`` or not. Nothing is drawn if the card lacks facts for it."""

    box: Box
    emblem: Emblem
    framed: bool = True


@dataclass(frozen=True)
class HairLine:
    """A horizontal hair line from (x, y) to the right."""

    x: int
    y: int
    width: int


@dataclass(frozen=True)
class Symbol:
    """A drawing of ours: SVG path data (M, L, H, V, C, Z, absolute) on a grid of 24 x 24."""

    box: Box
    path: str
    colour: str = "ink"


@dataclass(frozen=True)
class FactSymbols:
    """A mark for each value of a ``words`` or ``word`` fact: its symbol or its first letter, in its colour.

    ``symbols``: (word, drawing); a drawing serves every value that contains its word. ``side``: size of a
    mark. ``named``: with the values beside the marks; otherwise only marks, in the middle of the box.
    ``before``: words before the first mark.
    """

    box: Box
    fact: Words
    symbols: tuple[tuple[str, str], ...] = ()
    side: int = 5_000
    named: bool = True
    before: str = ""
    align: Literal["left", "centre"] = "left"


Element = (
    Fill
    | Band
    | Head
    | Figure
    | HairLine
    | Text
    | Number
    | NumberRow
    | Levels
    | Headline
    | Kind
    | Lines
    | Notes
    | Symbol
    | FactSymbols
)


@dataclass(frozen=True)
class Face:
    """The face of a type of card: its elements, drawn in order.

    ``art``: box of a picture, declared if neither notes nor an emblem leave room for one; elements that it
    covers, except words, are then left out. ``band``: colour of the card's bands, shapes and emblem.
    """

    elements: tuple[Element, ...]
    landscape: bool = False
    art: Box | None = None
    band: str = "hue"

    @property
    def art_window(self) -> Box | None:
        """The box of a picture of the card's art: ``art``, else the largest box of notes or an emblem; None
        without any.
        """
        boxes = [element.box for element in self.elements if isinstance(element, Notes | Figure)]
        return self.art or max(boxes, key=lambda box: box.width * box.height, default=None)

    @property
    def name_runs_up(self) -> bool:
        """True if the name runs up the left edge, so that a fan of such cards lies sideways."""
        return any(
            isinstance(element, Text) and element.of == "name" and element.turned for element in self.elements
        )

    @property
    def skills_end(self) -> int:
        """The percentage of the card that a fan of cards must show so that its skills are visible: the end of
        its rows of three or more unsigned numbers; 0 without such a row. Of
        numbers one below the other the end is the right side of their row, of others its foot.
        """
        rows = (
            element
            for element in self.elements
            if isinstance(element, NumberRow) and len(element.facts) >= 3 and not element.signed
        )
        ends = (
            (row.box.x + row.box.width) / WIDTH if row.down else (row.box.y + row.box.height) / HEIGHT
            for row in rows
        )
        return round(100 * max(ends, default=0))


# -- backs ------------------------------------------------------------------------

# The pattern of a game that declares none.
LATTICE = "M0 12 L12 0 L24 12 L12 24 Z"


@dataclass(frozen=True)
class Back:
    """A card back: our ``emblem`` over a tiled ``pattern``, both SVG path data on a grid of 24 x 24.

    The tile should be its own mirror image in both directions, so that a cut slightly off does not show.
    ``label``: name of the deck in a game with several. ``types``: card types with this back; empty for all
    that no other back takes. ``colour``: its ground; empty for the game's hue.
    """

    emblem: str = SYMBOLS["card"]
    pattern: str = LATTICE
    label: str = ""
    types: tuple[str, ...] = ()
    colour: str = ""


def back_for(backs: Iterable[Back], card_type: str) -> Back:
    """Return the back of a card type: its own, else the one declared for all types, else a plain one."""
    listed = tuple(backs)
    own = next((back for back in listed if card_type in back.types), None)
    return own or next((back for back in listed if not back.types), Back())
