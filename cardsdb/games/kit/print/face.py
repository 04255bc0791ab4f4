"""The looks of a card: where name, numbers and text sit on its face, and what its back shows. Pure data;
printing draws it.

Lengths are whole micrometres from the top left corner of a card of 63,000 x 88,000
(landscape: 88,000 x 63,000); the drawing stretches them to the trim size asked for. Type
sizes are tenths of a point. Colours are roles (``ink``, ``soft``, ``line``, ``paper``,
``tint``, ``hue``, ``band``), ``#rrggbb``, or ``by:FACT``: the game's colour for that fact's value.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.print.shapes import SYMBOLS, Emblem, named_in_code

Font = Literal["sans", "sans-light", "sans-bold", "serif", "serif-bold"]
Align = Literal["left", "centre", "right"]

WIDTH, HEIGHT = 63_000, 88_000


@dataclass(frozen=True)
class Box:
    x: int
    y: int
    width: int
    height: int


def box_in_strip(trim: tuple[int, int], landscape: bool, number: int) -> Box:
    """The place of a face in a strip of faces, counted from 0: at the top left of a square as wide as the
    card is long.
    """
    short, long = sorted(trim)
    return Box(number * long, 0, *((long, short) if landscape else (short, long)))


@dataclass(frozen=True)
class Fill:
    """A filled rectangle. One that touches the trim runs on into the bleed."""

    box: Box
    colour: str


@dataclass(frozen=True)
class Said:
    """Something that a function of the game's code reads out of a card: words, values, the name of a shape or
    a line.
    """

    read: Callable[[Card], Any]

    def __repr__(self) -> str:
        return f"Said({named_in_code(self.read)})"


# Words that stand in the file, a fact's key for one, or what is read out of the card.
Words = str | Said


@dataclass(frozen=True)
class Band:
    """The band along a card's edge ``at`` the left, or on top, ``deep`` wide, in the colour of the face's
    band.

    Its inner edge is a ``line`` that tells the type or the faction; in light ink nothing else of it is drawn,
    and that ``below`` so much, where a shape covers the band before.
    """

    deep: int
    at: Literal["left", "top"] = "left"
    line: Words = "straight"
    below: int = 0


@dataclass(frozen=True)
class Head:
    """The head of a band: a filled shape of ``SHAPES`` by its name, as large as fits the box, in the colour
    of the face's band; where it touches the trim it runs on into the bleed. In light ink it is an outline
    that keeps off the cut.
    """

    box: Box
    shape: Words


@dataclass(frozen=True)
class Text:
    """Words fitted into a box: shrunk from ``size`` to ``least``, or wrapped to ``lines`` where that keeps
    them larger.

    ``of`` is ``name``, ``type``, ``set`` (set code and number), ``text``, ``credit``, ``game``, ``fact:KEY``
    (nothing when unknown) or ``=literal words``. ``turned`` text runs up the box's left side. Words that
    cannot be read on the fill under them are drawn in ink or paper instead. A fact that no source states is
    nothing, or a ruled ``blank`` under its name. Words of fewer lines than the box has room for ``stand`` in
    its middle, at its head or on its foot.
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
    """A number with its name under it and its ``symbol`` left of it. An unknown one is a ruled blank; one
    that does not apply is left out.

    The fact ``instead`` is the word that may be printed in the number's place (N/A, a formula). In a
    ``shape`` of ``SHAPES`` the number stands in that shape's middle, in paper on a ``filled`` one; its name
    stands below, or ``beside`` it on the left. A label of one space is none.
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
    """Numbers side by side, only those that are known: (fact, its symbol, its name on the card).

    A ``signed`` number that adds says so with a plus. As ``tiles`` each stands on a ground of its own, and
    they share the whole width; ``down`` they stand under each other with their symbols above. The
    ``strongest`` stands on solid ground, two of them if they are equal, none of three. Where a card has the
    fact's key with ``instead`` after it, that word stands in the number's place. Of ``blanks`` all are ruled
    where none is known.
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
    """Facts as lines of "label  value", one after the other, those that apply to the card.

    Facts in ``blanks`` get a ruled blank when unknown; the others are left out then. Those in ``spare``
    are left out where the others would have to be smaller because of them. ``ruled`` lines can be added to by
    hand, down to the box's end.
    """

    box: Box
    facts: tuple[str, ...]
    blanks: tuple[str, ...] = ()
    size: int = 85
    spare: tuple[str, ...] = ()
    ruled: bool = False


@dataclass(frozen=True)
class Levels:
    """Skills by level, best first, each level with the short names of its skills, (fact, short name), and the
    emblem made of them on their right; on a small face it has the room of the names and of the text. Under a
    ``label``, and ``ruled`` so that more can be written in down to the box's end.
    """

    box: Box
    facts: tuple[tuple[str, str], ...]
    emblem: Emblem | None = None
    label: str = ""
    ruled: bool = False


@dataclass(frozen=True)
class Headline:
    """The number that decides, ``size`` large, and beside it its words with small words above or below them:
    (number, small words above, words, small words below), as a function of the game reads them; None for a
    card without one.
    """

    box: Box
    says: Said
    size: int


@dataclass(frozen=True)
class Kind:
    """One line that says what a card is: its type, then its ``words``; on the right, or in a line of their
    own after ``label``, what it ``asks``, each value in an outline.
    """

    box: Box
    words: Words
    asks: Words = ""
    symbol: str = ""
    label: str = "To play:"


@dataclass(frozen=True)
class Notes:
    """The card's effect in our words, as large as leaves its emblem some room, then the emblem in all that is
    left of the box. A card small on a page has the emblem alone.

    Rules to write on stand there instead on a card without a text whose emblem has no facts to be made of, or
    where they are asked for. Notes directly after ``Lines`` begin where the lines end, a little higher or
    lower than the box says. The header ``without`` is told elsewhere on the face.
    """

    box: Box
    size: int = 115
    emblem: Emblem | None = None
    without: Said | None = None


@dataclass(frozen=True)
class Figure:
    """An emblem that has a box of its own, ``framed`` or not; nothing where it has no facts to be made of."""

    box: Box
    emblem: Emblem
    framed: bool = True


@dataclass(frozen=True)
class HairLine:
    """A hair line from (x, y) rightwards."""

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
    """One mark for each value of a ``words`` or ``word`` fact: its symbol, or its first letter, in its
    colour.

    A symbol belongs to every value that has its word in it. FactSymbols are ``side`` large; without
    ``named`` they stand alone, in the middle of the box. ``before``: words before the first of them.
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
    """``art`` is declared where neither notes nor an emblem leave room for a picture; what it covers besides
    words then gives way. ``band`` is the colour of the card's bands, shapes and emblem.
    """

    elements: tuple[Element, ...]
    landscape: bool = False
    art: Box | None = None
    band: str = "hue"

    @property
    def art_window(self) -> Box | None:
        """The place of a picture of the card's art: as declared, else the largest box of notes or of an
        emblem; None without either.
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
        """The percentage of the card that a fan must show for the numbers that people are compared by; 0 for
        other cards.
        """
        rows = (
            one
            for one in self.elements
            if isinstance(one, NumberRow) and len(one.facts) > 2 and not one.signed
        )
        ends = (
            (one.box.x + one.box.width) / WIDTH if one.down else (one.box.y + one.box.height) / HEIGHT
            for one in rows
        )
        return round(100 * max(ends, default=0))


# -- backs ------------------------------------------------------------------------

# The pattern of a game that declares none.
LATTICE = "M0 12 L12 0 L24 12 L12 24 Z"


@dataclass(frozen=True)
class Back:
    """A back: our ``emblem`` and one tile of its ``pattern``, both SVG path data on a grid of 24 x 24.

    A tile is its own mirror image from side to side and from top to bottom, or nearly, so that the
    cut may be a little off. ``label`` says which deck it is of a game with several, ``types`` are
    the types of card it belongs to (none: all that no other back takes), ``colour`` is its ground,
    the game's hue where it is empty.
    """

    emblem: str = SYMBOLS["card"]
    pattern: str = LATTICE
    label: str = ""
    types: tuple[str, ...] = ()
    colour: str = ""


def back_for(backs: Iterable[Back], card_type: str) -> Back:
    """The back of a type of card: its own, else the one declared for all types, else the plain one."""
    listed = tuple(backs)
    own = next((back for back in listed if card_type in back.types), None)
    return own or next((back for back in listed if not back.types), Back())
