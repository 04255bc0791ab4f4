"""The looks of cards of a game of data: a few layouts of the family's face and which fact stands where in
them, emblems made of facts, marks of values, and backs, all from what is drawn here.

face = { layout = "column", corner = "cost", column = ["attack"], lines = ["traits"], marks = "suit" }
emblem = [{ ruling = "rays", count = "nerve" }, { ruling = "grid", count = "wit", corner = "bottom right" }]
                                         in a type's face
[marks.crew]                             drawings for the values of a word, as in Porters = "case": on faces
                                         and before names in lists
[[backs]]                                one for each deck; ``types``: the types it belongs to, all others if
                                         none is named; symbol = "wheel", pattern = "rails"
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

RULINGS: tuple[str, ...] = get_args(Ruling)
CORNERS: Mapping[str, Corner] = {
    "top left": (0, 0),
    "top right": (1, 0),
    "bottom left": (0, 1),
    "bottom right": (1, 1),
}
# Tiles of backs on a grid of 24; each is its own mirror image, so that a cut a little off shows nothing.
PATTERNS: Mapping[str, str] = table_beside(__file__, "patterns")
MAX_FIELDS, MAX_COUNT, MAX_BACKS, MAX_LABEL = 3, 24, 12, 30
# Between two fields, as a part of the window's height.
GAP = 0.03


@dataclass(frozen=True)
class Field:
    """A ruled field: as many lines as a number of the card, from a corner."""

    ruling: Ruling
    count: str
    corner: Corner


@dataclass(frozen=True)
class RuledFields:
    """The fields whose numbers are known, one under the other; nothing where none is known."""

    fields: tuple[Field, ...]

    def __call__(self, card: Card, window: Window) -> None:
        known = [
            (field, number)
            for field in self.fields
            if (number := card.number(field.count)) is not None and number > 0
        ]
        if not known:
            return
        gap = window.height * GAP
        high = (window.height + gap) / len(known) - gap
        for place, (field, number) in enumerate(known):
            part = window.part(0, place * (high + gap), window.width, high)
            part.ground("tint")
            rule(part, field.ruling, min(number, MAX_COUNT), "deep", field.corner)


def read_emblem(face: Table, numbers: Mapping[str, Fact]) -> Emblem | None:
    """The emblem that a face declares: a function of the game's code, or ruled fields; None without one."""
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


def read_marks(game: Table, facts: tuple[Fact, ...]) -> dict[str, tuple[tuple[str, str], ...]]:
    """Key of a fact of words -> (value, drawing), as [marks.FACT] says."""
    words = {fact.key for fact in facts if fact.kind in ("word", "words")}
    marks: dict[str, tuple[tuple[str, str], ...]] = {}
    for key, table in game.tables("marks", "fact"):
        if key not in words:
            game.fault(
                "marks", f"{key!r} is no word of the game; it has {', '.join(sorted(words)) or 'none'}"
            )
            continue
        marks[key] = drawings(table)
    return marks


def drawings(table: Table | None) -> tuple[tuple[str, str], ...]:
    """(word, its drawing), as a table says; none without one."""
    if table is None:
        return ()
    drawn = tuple((word, table.drawing(word, SYMBOLS, "card")) for word in table)
    table.close()
    return drawn


def read_backs(game: Table, types: Mapping[str, CardType]) -> tuple[Back, ...]:
    """The backs that a game declares; without any it has the plain one."""
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
    """The colour that a table says; empty without one."""
    colour = table.text(key)
    if not colour or COLOUR.fullmatch(colour):
        return colour
    table.fault(key, f"must be a colour such as '#7a2e6b', in small letters, not {colour[:40]!r}")
    return ""


EDGES: tuple[str, ...] = get_args(Partition)
# So many numbers and lines can be read on a card.
MAX_NUMBERS, MAX_LINES = 5, 8


@dataclass(frozen=True)
class Layout:
    """One layout: the list of numbers that it has, if any, and whether the card lies."""

    numbers: str = ""
    landscape: bool = False


LAYOUTS: Mapping[str, Layout] = {
    "lines": Layout(),  # a number in the corner, facts line by line
    "column": Layout("column"),  # and large numbers down the left
    "row": Layout("row"),  # and large numbers side by side
    "wide": Layout(landscape=True),  # as lines, on a card that lies
}
# Of a game with code: nothing but the elements of the face, whether it lies, and its art.
FREE = "free"


def read_face(
    table: Table | None,
    card_type: CardType,
    facts: tuple[Fact, ...],
    marks: Mapping[str, tuple[tuple[str, str], ...]],
) -> Face:
    """The face that a type declares; without one the type's facts line by line. ``marks``: the drawings of
    the values of facts.
    """
    applying = {fact.key: fact for fact in facts if fact.applies_to(card_type.slug)}
    written = tuple(key for key, fact in applying.items() if fact.kind != "text")
    # What stands beside the game, such as the words by which effects are found, is on a card only if the face
    # names it.
    usual = tuple(key for key in written if not applying[key].is_aside)
    if table is None:
        return dossier(lines=usual[:MAX_LINES], symbol=card_type.symbol)
    words = {key for key, fact in applying.items() if fact.kind in ("word", "words")}
    named = table.choice("layout", (*LAYOUTS, FREE) if table.file.code else LAYOUTS, "lines")
    if named == FREE:
        band = _band(table, words)
        return table.made(Face, elements=tuple(_elements(table, marks)), band=band)
    layout = LAYOUTS[named]
    numbers = {key: fact for key, fact in applying.items() if fact.kind == "number"}
    corner = _one(table, "corner", applying if table.file.code else numbers, "number")
    foot = _one(table, "foot", numbers, "number")
    under, marked = (_one(table, key, words, "word") for key in ("under", "marks"))
    large = (
        _many(table, layout.numbers, numbers, "number", MAX_NUMBERS, needed=True) if layout.numbers else ()
    )
    shown = {corner, foot, under, marked, *large}
    lines = (
        _many(table, "lines", written, "fact", MAX_LINES)
        if "lines" in table
        else tuple(key for key in usual if key not in shown)
    )
    edge: Any = table.choice("edge", EDGES, "straight")
    band = _band(table, words)
    elements = tuple(_elements(table, marks))
    face = dossier(
        corner=corner,
        corner_name=table.text("corner_name", most=MAX_LABEL),
        shape=_words(table, "shape") if table.file.code and "shape" in table else "plate",
        kind=_words(table, "kind") if table.file.code and "kind" in table else "",
        under=under,
        column=large if layout.numbers == "column" else (),
        row=tuple((key, "", applying[key].title) for key in large) if layout.numbers == "row" else (),
        foot=foot,
        marks=marked,
        lines=() if elements else lines[:MAX_LINES],
        blanks=_many(table, "blanks", lines, "line", MAX_LINES),
        spare=_many(table, "spare", lines, "line", MAX_LINES),
        symbol=card_type.symbol,
        edge=band,
        symbols=(*marks.get(marked, ()), *marks.get(under, ()), *drawings(table.table("symbols"))),
        emblem=read_emblem(table, numbers),
        line=edge,
        landscape=layout.landscape,
    )
    if elements:
        face = Face(
            tuple(
                part for each in face.elements for part in (elements if isinstance(each, Notes) else (each,))
            ),
            art=read_box(table, "art") if "art" in table else None,
            band=band,
        )
    table.close()
    return face


def _band(face: Table, words: Iterable[str]) -> str:
    """The colour of the band: by the value of a word, or one of its own; else the game's hue."""
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


def _elements(face: Table, marks: Mapping[str, tuple[tuple[str, str], ...]]) -> Iterator[Element]:
    """The elements below the face's first rows in place of lines and notes, where a game with code lays out
    its cards by itself.
    """
    if not face.file.code:
        return
    kinds: Any = named_kinds(object, {kind.__name__: kind for kind in get_args(Element)})
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
            every = tuple(drawing for drawings in marks.values() for drawing in drawings)
            given["symbols"] = marks.get(table.text("fact"), every)
        if kind is NumberRow:
            given["facts"] = tuple(
                (key, each.drawing("symbol", SYMBOLS), each.text("name"))
                for key, each in table.tables("facts", "fact")
            )
        yield table.made(kind, **given)


def _words(table: Table, key: str) -> Any:
    """Words as they stand, or, after ``say:``, what a function of the game's code reads out of a card."""
    text = table.text(key, needed=True)
    if not text.startswith("say:"):
        return text
    if text[4:] not in table.file.code:
        table.fault(key, f"the game's code has no function {text[4:]!r}")
        return ""
    return Said(table.file.code[text[4:]])


def _length(table: Table, key: str) -> int:
    return sum(round(length * 1000) for length in table.lengths(key))


def read_box(table: Table, key: str) -> Box:
    """A box of a face: left, top, width and height in millimetres."""
    sides = table.lengths(key)
    if len(sides) != 4:
        table.fault(key, "must be left, top, width and height in millimetres, as in [4, 22, 55.5, 5]")
        return Box(0, 0, WIDTH, HEIGHT)
    return Box(*(round(side * 1000) for side in sides))


def _one(table: Table, key: str, known: Collection[str], kind: str) -> str:
    if not (named := table.text(key)):
        return ""
    if named not in known:
        table.fault(key, f"{named!r} is no {kind} of this type; it has {', '.join(sorted(known)) or 'none'}")
        return ""
    return named


def _many(
    table: Table, key: str, known: Collection[str], kind: str, most: int, needed: bool = False
) -> tuple[str, ...]:
    named = table.words(key, needed=needed, most=most)
    for name in named:
        if name not in known:
            table.fault(
                key, f"{name!r} is no {kind} of this type; it has {', '.join(sorted(known)) or 'none'}"
            )
    return tuple(name for name in named if name in known)
