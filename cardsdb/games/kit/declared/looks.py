"""What cards of a game of data look like besides their layout: emblems made of facts, marks of values, backs,
all from what is drawn here.

emblem = [{ ruling = "rays", count = "nerve" }, { ruling = "grid", count = "wit", corner = "bottom right" }]
in a type's face [marks.crew]                       drawings for the values of a word: on faces and before
names in lists Porters = "case" [[backs]]                          one for each deck; ``types``: the types it
belongs to, all others if none is named symbol = "wheel" pattern = "rails"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import get_args

from cardsdb.games.kit.declared.table import Table
from cardsdb.games.kit.model.cards import Card, CardType, Fact
from cardsdb.games.kit.print import symbols
from cardsdb.games.kit.print.emblem import Corner, Emblem, Ruling, rule
from cardsdb.games.kit.print.face import LATTICE, Back
from cardsdb.games.kit.print.shapes import Window

COLOUR = re.compile("#[0-9a-f]{6}")
SYMBOLS = {
    name.lower(): path for name, path in vars(symbols).items() if name.isupper() and isinstance(path, str)
}
RULINGS: tuple[str, ...] = get_args(Ruling)
CORNERS: Mapping[str, Corner] = {
    "top left": (0, 0),
    "top right": (1, 0),
    "bottom left": (0, 1),
    "bottom right": (1, 1),
}
# Tiles of backs on a grid of 24; each is its own mirror image, so that a cut a little off shows nothing.
PATTERNS: Mapping[str, str] = {
    "lattice": LATTICE,
    "net": f"{LATTICE} M12 9 L15 12 L12 15 L9 12 Z",
    "rails": "M6 0 V24 M18 0 V24 M2 6 H22 M2 18 H22",
    "bricks": "M0 6 H24 M0 18 H24 M12 6 V18 M0 0 V6 M24 0 V6 M0 18 V24 M24 18 V24",
    "rings": "M12 4 C16.4 4 20 7.6 20 12 C20 16.4 16.4 20 12 20 C7.6 20 4 16.4 4 12 C4 7.6 7.6 4 12 4 Z",
    "crosses": "M12 6 V18 M6 12 H18 M0 0 L3 3 M24 0 L21 3 M0 24 L3 21 M24 24 L21 21",
    "stars": "M12 4 V20 M4 12 H20 M7 7 L17 17 M17 7 L7 17",
}
MAX_FIELDS, MAX_COUNT, MAX_BACKS, MAX_LABEL = 3, 24, 12, 30
# Between two fields, as a part of the window's height.
GAP = 0.03


@dataclass(frozen=True, slots=True)
class Field:
    """A ruled field: as many lines as a number of the card, from a corner."""

    ruling: Ruling
    count: str
    corner: Corner


@dataclass(frozen=True, slots=True)
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
            part.ground("paper" if window.light else "tint")
            rule(part, field.ruling, min(number, MAX_COUNT), "deep", field.corner)


def read_emblem(face: Table, numbers: Mapping[str, Fact], colour: str) -> Emblem | None:
    """The emblem that a face declares; None without one."""
    fields = tuple(_fields(face, numbers))
    if len(fields) > MAX_FIELDS:
        face.fault("emblem", f"has {len(fields)} fields; {MAX_FIELDS} can be told apart at most")
    return Emblem(RuledFields(fields[:MAX_FIELDS]), colour) if fields else None


def _fields(face: Table, numbers: Mapping[str, Fact]) -> Iterator[Field]:
    for table in face.listed_tables("emblem"):
        ruling: Ruling = table.choice("ruling", RULINGS, "rays", needed=True)  # type: ignore[assignment]
        count = table.choice("count", tuple(numbers), "", needed=True)
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
        marks[key] = tuple((value, SYMBOLS[table.choice(value, SYMBOLS, "card")]) for value in table)
        table.close()
    return marks


def read_backs(game: Table, types: Mapping[str, CardType]) -> tuple[Back, ...]:
    """The backs that a game declares; without any it has the plain one."""
    backs = []
    for table in game.listed_tables("backs"):
        colour = table.text("colour")
        if colour and not COLOUR.fullmatch(colour):
            table.fault(
                "colour", f"must be a colour such as '#7a2e6b', in small letters, not {colour[:40]!r}"
            )
        backs.append(
            Back(
                SYMBOLS[table.choice("symbol", SYMBOLS, "card")],
                PATTERNS[table.choice("pattern", PATTERNS, "lattice")],
                table.text("label", most=MAX_LABEL),
                table.known("types", types, "type"),
                colour if COLOUR.fullmatch(colour) else "",
            )
        )
        table.close()
    if len(backs) > MAX_BACKS:
        game.fault(
            "backs", f"there are {len(backs)}; {MAX_BACKS} decks of one game can be told apart at most"
        )
    return tuple(backs[:MAX_BACKS])
