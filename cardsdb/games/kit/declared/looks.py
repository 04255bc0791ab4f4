"""Reads what cards look like from the tables of a ``game.toml``: faces, emblems, marks and backs.

``game_file.py`` calls it. A file names our layouts, drawings, rulings and patterns and says which fact stands
where; only the file of a game with code may draw by itself, with functions of that code or SVG path data.

face = { layout = "column", corner = "cost", column = ["attack"], lines = ["traits"], marks = "suit" }
emblem = [{ ruling = "rays", count = "nerve" }, { ruling = "grid", count = "wit", corner = "bottom right" }]
                                         inside a type's face
[marks.crew]                             drawings for the values of a word, as in Porters = "case": on faces
                                         and before names in lists
[[backs]]                                one for each deck: symbol = "wheel", pattern = "rails"; ``types`` are
                                         the types that it belongs to, all others if absent

Tests: ``tests/cardsdb/games/kit/declared/test_looks.py``.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from cardsdb.games.kit.folder.table import COLOUR, Table, named_kinds
from cardsdb.games.kit.model.cards import Card, CardType, Fact
from cardsdb.games.kit.model.text import table_beside
from cardsdb.games.kit.print.dossier import dossier
from cardsdb.games.kit.print.face import (
    HEIGHT,
    WIDTH,
    Back,
    Box,
    Element,
    Face,
    FactSymbols,
    Notes,
    NumberRow,
    Said,
    Words,
)
from cardsdb.games.kit.print.shapes import SYMBOLS, Corner, Emblem, Partition, Ruling, Window, rule

# (value of a fact, SVG path data of its drawing) for each value.
Drawings = tuple[tuple[str, str], ...]

RULINGS: tuple[str, ...] = get_args(Ruling)
CORNERS: Mapping[str, Corner] = {
    "top left": (0, 0),
    "top right": (1, 0),
    "bottom left": (0, 1),
    "bottom right": (1, 1),
}
# Name -> tile of a back, as SVG path data on a grid of 24.
PATTERNS: Mapping[str, str] = table_beside(__file__, "patterns")
MAX_FIELDS = 3  # ruled fields of an emblem
MAX_COUNT = 24  # lines of a field
MAX_BACKS = 12  # of a game
MAX_LABEL = 30  # characters
GAP = 0.03  # between two fields of an emblem, as a part of the window's height


@dataclass(frozen=True)
class Field:
    """A field of an emblem, ruled with as many lines as a number fact of the card says."""

    ruling: Ruling
    count: str  # key of the number fact
    corner: Corner  # where the lines begin


@dataclass(frozen=True)
class RuledFields:
    """Draws fields one below the other. A field whose number is 0 or not known is left out."""

    fields: tuple[Field, ...]

    def __call__(self, card: Card, window: Window) -> None:
        numbers = [(field, card.number(field.count) or 0) for field in self.fields]
        known = [(field, number) for field, number in numbers if number > 0]
        if not known:
            return
        # n fields and n - 1 gaps fill the window, so n times (height + gap) is the window with one gap more.
        gap = window.height * GAP
        height = (window.height + gap) / len(known) - gap
        for place, (field, number) in enumerate(known):
            part = window.part(0, place * (height + gap), window.width, height)
            part.ground("tint")
            rule(part, field.ruling, min(number, MAX_COUNT), "deep", field.corner)


def read_emblem(face: Table, numbers: Mapping[str, Fact]) -> Emblem | None:
    """The emblem of a face: drawn by a function of the game's code, or made of ruled fields. None if the face
    declares none. ``numbers``: key -> fact, the number facts of the type.
    """
    if face.file.code and "emblem" in face and not face.lists_tables("emblem"):
        return Emblem(face.named("emblem"))
    fields = tuple(_fields(face, numbers))
    if len(fields) > MAX_FIELDS:
        face.fault("emblem", f"has {len(fields)} fields; {MAX_FIELDS} can be told apart at most")
    return Emblem(RuledFields(fields[:MAX_FIELDS])) if fields else None


def _fields(face: Table, numbers: Mapping[str, Fact]) -> Iterator[Field]:
    for table in face.listed_tables("emblem"):
        ruling: Ruling = table.choice("ruling", RULINGS, "rays", needed=True)  # type: ignore[assignment]
        count = table.choice("count", tuple(numbers), needed=True)
        corner = CORNERS[table.choice("corner", CORNERS, "top left")]
        table.close()
        yield Field(ruling, count, corner)


def read_marks(game: Table, facts: tuple[Fact, ...]) -> dict[str, Drawings]:
    """Key of a fact -> (value, its drawing) for each value, from the tables [marks.FACT]."""
    words = {fact.key for fact in facts if fact.kind in ("word", "words")}
    marks: dict[str, Drawings] = {}
    for key, table in game.tables("marks", "fact"):
        if key not in words:
            game.fault(
                "marks", f"{key!r} is no word of the game; it has {', '.join(sorted(words)) or 'none'}"
            )
            continue
        marks[key] = drawings(table)
    return marks


def drawings(table: Table) -> Drawings:
    """(word, its drawing) for each key of a table."""
    drawn = tuple((word, table.drawing(word, SYMBOLS, "card")) for word in table)
    table.close()
    return drawn


def read_backs(game: Table, types: Mapping[str, CardType]) -> tuple[Back, ...]:
    """The backs that a game declares; empty for a game with the plain back only."""
    backs = tuple(
        table.made(
            Back,
            emblem=table.drawing("symbol", SYMBOLS, "card"),
            pattern=table.drawing("pattern", PATTERNS, "lattice"),
            label=table.text("label", most=MAX_LABEL),
            types=table.known("types", types, "type"),
            colour=read_colour(table, "colour"),
        )
        for table in game.listed_tables("backs")
    )
    if len(backs) > MAX_BACKS:
        game.fault(
            "backs", f"there are {len(backs)}; {MAX_BACKS} decks of one game can be told apart at most"
        )
    return backs[:MAX_BACKS]


def read_colour(table: Table, key: str) -> str:
    """The colour of this key, as "#rrggbb"; empty if the table has none."""
    colour = table.text(key)
    if not colour or COLOUR.fullmatch(colour):
        return colour
    table.fault(key, f"must be a colour such as '#7a2e6b', in small letters, not {colour[:40]!r}")
    return ""


EDGES: tuple[str, ...] = get_args(Partition)
# As many as can be read on a card.
MAX_NUMBERS = 5  # large ones
MAX_LINES = 8  # of facts


@dataclass(frozen=True)
class Layout:
    """A layout of a face."""

    numbers: str = ""  # the key under which a face lists its large numbers; empty if the layout has none
    landscape: bool = False


LAYOUTS: Mapping[str, Layout] = {
    "lines": Layout(),  # a number in the corner, facts line by line
    "column": Layout("column"),  # the same, with large numbers one below the other on the left
    "row": Layout("row"),  # the same, with large numbers side by side
    "wide": Layout(landscape=True),  # like "lines", on a card in landscape format
}
# The layout of a game with code whose face consists of nothing but its own elements.
FREE = "free"


@dataclass(frozen=True)
class TypeFacts:
    """The facts of a card type by what its face can do with them. ``all`` and ``numbers``: key -> fact."""

    all: Mapping[str, Fact]
    numbers: Mapping[str, Fact]
    words: Collection[str]
    # All but texts, which are too long for the lines of a face.
    short: tuple[str, ...]
    # Those of the lines of a face that names none. Asides, such as the artist or the words by which effects
    # are found, are shown only if a face names them.
    usual: tuple[str, ...]

    @classmethod
    def of(cls, card_type: CardType, facts: Iterable[Fact]) -> "TypeFacts":
        """Return those of the facts that apply to the type, sorted."""
        applying = {fact.key: fact for fact in facts if fact.applies_to(card_type.slug)}
        short = {key: fact for key, fact in applying.items() if fact.kind != "text"}
        return cls(
            applying,
            {key: fact for key, fact in applying.items() if fact.kind == "number"},
            {key for key, fact in applying.items() if fact.kind in ("word", "words")},
            tuple(short),
            tuple(key for key, fact in short.items() if not fact.is_aside),
        )


def read_face(
    table: Table | None,
    card_type: CardType,
    facts: tuple[Fact, ...],
    marks: Mapping[str, Drawings],
) -> Face:
    """The face of a card type. Without a table it shows the type's facts line by line. ``marks``: key of a
    fact -> drawings of its values (``read_marks``).

    A face of a layout is the shared one (``dossier``), in which own elements replace the notes; one of the
    layout "free" has its own elements only. Both kinds of own elements need code.
    """
    known = TypeFacts.of(card_type, facts)
    if table is None:
        return dossier(lines=known.usual[:MAX_LINES], symbol=card_type.symbol)
    layouts = (*LAYOUTS, FREE) if table.file.code else LAYOUTS
    named = table.choice("layout", layouts, "lines")
    if named == FREE:
        return table.made(Face, elements=tuple(_elements(table, marks)), band=_band(table, known.words))
    face = _face_of_layout(table, LAYOUTS[named], card_type.symbol, known, marks)
    table.close()
    return face


def _face_of_layout(
    table: Table, layout: Layout, symbol: str, known: TypeFacts, marks: Mapping[str, Drawings]
) -> Face:
    """The shared face with the facts that the table puts in its places, and with own elements if it has any.
    ``symbol``: the type's.
    """
    numbers, words = known.numbers, known.words
    # Each place shows the fact of one key; the lines show the rest, if the table names none.
    corner = _one(table, "corner", known.all if table.file.code else numbers, "number")
    foot = _one(table, "foot", numbers, "number")
    under = _one(table, "under", words, "word")
    marked = _one(table, "marks", words, "word")
    large: tuple[str, ...] = ()
    if layout.numbers:
        large = table.known(layout.numbers, numbers, "number of this type", needed=True, most=MAX_NUMBERS)
    in_places = {corner, foot, under, marked, *large}
    rest = tuple(key for key in known.usual if key not in in_places)
    lines = table.known("lines", known.short, "fact of this type", rest, most=MAX_LINES)
    edge: Any = table.choice("edge", EDGES, "straight")
    band = _band(table, words)
    elements = tuple(_elements(table, marks))
    shared = dossier(
        corner=corner,
        corner_name=table.text("corner_name", most=MAX_LABEL),
        shape=_words(table, "shape", "plate"),
        kind=_words(table, "kind", ""),
        under=under,
        column=large if layout.numbers == "column" else (),
        row=tuple((key, "", known.all[key].title) for key in large) if layout.numbers == "row" else (),
        foot=foot,
        marks=marked,
        lines=() if elements else lines[:MAX_LINES],
        blanks=table.known("blanks", lines, "line of this face", most=MAX_LINES),
        spare=table.known("spare", lines, "line of this face", most=MAX_LINES),
        symbol=symbol,
        band=band,
        symbols=(*marks.get(marked, ()), *marks.get(under, ())),
        emblem=read_emblem(table, numbers),
        edge=edge,
        landscape=layout.landscape,
    )
    if not elements:
        return shared
    art = read_box(table, "art") if "art" in table else None
    return Face(_without_notes(shared.elements, elements), art=art, band=band)


def _without_notes(shared: tuple[Element, ...], own: tuple[Element, ...]) -> tuple[Element, ...]:
    """The elements of the shared face with own elements in place of the notes, which else fill its lower
    part.
    """
    elements: list[Element] = []
    for element in shared:
        elements += own if isinstance(element, Notes) else (element,)
    return tuple(elements)


def _band(face: Table, words: Iterable[str]) -> str:
    """The colour of the band as ``Face.band`` takes it: "#rrggbb", "by:FACT" (the colour of the fact's value)
    or "hue".
    """
    colour = face.text("band")
    if not colour or COLOUR.fullmatch(colour):
        return colour or "hue"
    if colour not in words:
        face.fault(
            "band",
            "must be a word of the type, by whose value the band has its colour:"
            f" {', '.join(sorted(words)) or 'none'}",
        )
    return f"by:{colour}"


def _elements(face: Table, marks: Mapping[str, Drawings]) -> Iterator[Element]:
    """Yield the elements that a game with code lays out below the first rows of a face, in place of lines and
    notes: ``[[types.agent.face.elements]]`` with ``element = "number_row"`` is a ``NumberRow``. A game of
    data has none.
    """
    if not face.file.code:
        return
    kinds: Any = named_kinds(object, {kind.__name__: kind for kind in get_args(Element)})
    # ``Table.made`` reads a field of an element by its name or its type. These readers tell it how, for this
    # file from here on: fields of these names are lengths, those of the type ``Box`` are boxes, and so on.
    face.file.readers |= dict.fromkeys(("x", "y", "width", "side", "deep", "below"), _length) | {
        Box: read_box,
        Words: _words,
        Said: _words,
        "emblem": lambda table, key: Emblem(table.named(key)),
        "path": lambda table, key: table.drawing(key, SYMBOLS),
    }
    for table in face.listed_tables("elements"):
        kind = kinds[table.choice("element", kinds, "text", needed=True)]
        given: dict[str, Any] = {}
        if kind is FactSymbols:
            of_all = tuple(pair for pairs in marks.values() for pair in pairs)
            given["symbols"] = marks.get(table.text("fact"), of_all)
        if kind is NumberRow:
            given["facts"] = tuple(
                (key, each.drawing("symbol", SYMBOLS), each.text("name"))
                for key, each in table.tables("facts", "fact")
            )
        yield table.made(kind, **given)


def _words(table: Table, key: str, usual: str | None = None) -> Any:
    """Words of a face: text that is printed as it stands, or ``say:NAME``, for what that function of the
    game's code returns for a card. Only the file of a game with code may say them.
    """
    if usual is not None and not (table.file.code and key in table):
        return usual
    text = table.text(key, needed=True)
    if not text.startswith("say:"):
        return text
    name = text.removeprefix("say:")
    if name not in table.file.code:
        table.fault(key, f"the game's code has no function {name!r}")
        return ""
    return Said(table.file.code[name])


def _length(table: Table, key: str) -> int:
    """A length in micrometres; the file states millimetres. Of a list of lengths it is the sum."""
    return sum(round(length * 1000) for length in table.lengths(key))


def read_box(table: Table, key: str) -> Box:
    """A box of a face in micrometres; the file states left, top, width and height in millimetres."""
    sides = table.lengths(key)
    if len(sides) != 4:
        table.fault(key, "must be left, top, width and height in millimetres, as in [4, 22, 55.5, 5]")
        return Box(0, 0, WIDTH, HEIGHT)
    return Box(*(round(side * 1000) for side in sides))


def _one(table: Table, key: str, known: Collection[str], kind: str) -> str:
    """The fact that a key names; empty if it names none, or one that is not ``known``, which is a fault.
    ``kind``: what the fault calls such facts.
    """
    if not (named := table.text(key)):
        return ""
    if named not in known:
        table.fault(key, f"{named!r} is no {kind} of this type; it has {', '.join(sorted(known)) or 'none'}")
        return ""
    return named
