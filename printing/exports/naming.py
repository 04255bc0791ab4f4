"""What the files of an archive are called: plain letters that every system takes, none twice, none that leads out of its folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from cardsdb.games.kit.model.text import slugify
from printing.faces.strokes import Drawing
from printing.layout.imposition import Piece

LONGEST = 60
BACK = "back"


def plain_name(words: str, otherwise: str = "card") -> str:
    """``RS-9, "The Koffin"`` -> ``rs-9-the-koffin``."""
    return slugify(words)[:LONGEST].strip("-") or otherwise


def each_once(names: Iterable[str]) -> list[str]:
    """The names with a number behind those that stood before."""
    taken: set[str] = set()
    found = []
    for name in names:
        number, one = 1, name
        while one in taken:
            number += 1
            one = f"{name}-{number}"
        taken.add(one)
        found.append(one)
    return found


def front_names(pieces: Sequence[Piece]) -> list[str]:
    """``02x-kai``: how often it is printed, and what it is."""
    return each_once(f"{piece.count:02d}x-{plain_name(piece.name)}" for piece in pieces)


def back_names(pieces: Sequence[Piece]) -> dict[int, tuple[str, Drawing]]:
    """id of a back -> its name and the back: ``back`` is the one that most cards have."""
    copies: Counter[int] = Counter()
    backs: dict[int, Drawing] = {}
    for piece in pieces:
        if piece.back:
            copies[id(piece.back)] += piece.count
            backs[id(piece.back)] = piece.back
    ranked = sorted(backs, key=lambda one: -copies[one])
    called = [BACK, *(plain_name(backs[one].name, BACK) for one in ranked[1:])]
    return {one: (name, backs[one]) for one, name in zip(ranked, each_once(called), strict=False)}
