"""What cards of a game of data look like: a few layouts of the family's face, and which fact stands where in
them.

face = { layout = "column", corner = "cost", column = ["attack", "health"], lines = ["traits"], marks = "suit"
}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from cardsdb.games.kit.declared.looks import read_emblem
from cardsdb.games.kit.declared.table import Table
from cardsdb.games.kit.model.cards import CardType, Fact
from cardsdb.games.kit.print.emblem import Partition
from cardsdb.games.kit.print.face import Face, dossier

EDGES: tuple[str, ...] = get_args(Partition)
# So many numbers and lines can be read on a card.
MAX_NUMBERS, MAX_LINES = 5, 8


@dataclass(frozen=True, slots=True)
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


def read_face(
    table: Table | None,
    card_type: CardType,
    facts: tuple[Fact, ...],
    symbols: Mapping[str, tuple[tuple[str, str], ...]],
) -> Face:
    """The face that a type declares; without one the type's facts line by line. ``symbols``: of the values of
    facts.
    """
    applying = {fact.key: fact for fact in facts if fact.applies_to(card_type.slug)}
    written = tuple(key for key, fact in applying.items() if fact.kind != "text")
    # What stands beside the game, such as the words by which effects are found, is on a card only if the face
    # names it.
    usual = tuple(key for key in written if not applying[key].is_aside)
    if table is None:
        return dossier(lines=usual[:MAX_LINES], symbol=card_type.symbol)
    layout = LAYOUTS[table.choice("layout", LAYOUTS, "lines")]
    numbers = {key for key, fact in applying.items() if fact.kind == "number"}
    corner = _one(table, "corner", numbers, "number")
    foot = _one(table, "foot", numbers, "number")
    words = {key for key, fact in applying.items() if fact.kind in ("word", "words")}
    under, marks = (_one(table, key, words, "word") for key in ("under", "marks"))
    large = (
        _many(table, layout.numbers, numbers, "number", MAX_NUMBERS, needed=True) if layout.numbers else ()
    )
    shown = {corner, foot, under, marks, *large}
    lines = (
        _many(table, "lines", set(written), "fact", MAX_LINES)
        if "lines" in table
        else [key for key in usual if key not in shown]
    )
    edge = table.choice("edge", EDGES, "straight")
    colour = table.text("band")
    if colour and colour not in words:
        table.fault(
            "band",
            "must be a word of the type, by whose value the band has its colour:"
            f" {', '.join(sorted(words)) or 'none'}",
        )
    band = f"by:{colour}" if colour in words else "hue"
    emblem = read_emblem(table, {key: fact for key, fact in applying.items() if fact.kind == "number"}, band)
    table.close()
    return dossier(
        corner=corner,
        under=under,
        column=tuple(large) if layout.numbers == "column" else (),
        row=tuple((key, "", applying[key].title) for key in large) if layout.numbers == "row" else (),
        signed=False,
        foot=foot,
        marks=marks,
        lines=tuple(lines)[:MAX_LINES],
        symbol=card_type.symbol,
        edge=band,
        symbols=(*symbols.get(marks, ()), *symbols.get(under, ())),
        emblem=emblem,
        line=edge,  # type: ignore[arg-type]
        landscape=layout.landscape,
    )


def _one(table: Table, key: str, known: set[str], kind: str) -> str:
    if not (named := table.text(key)):
        return ""
    if named not in known:
        table.fault(key, f"{named!r} is no {kind} of this type; it has {', '.join(sorted(known)) or 'none'}")
        return ""
    return named


def _many(
    table: Table, key: str, known: set[str], kind: str, most: int, needed: bool = False
) -> tuple[str, ...]:
    named = table.words(key, needed=needed, most=most)
    for name in named:
        if name not in known:
            table.fault(
                key, f"{name!r} is no {kind} of this type; it has {', '.join(sorted(known)) or 'none'}"
            )
    return tuple(name for name in named if name in known)
