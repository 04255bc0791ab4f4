"""Our own drawings: SVG path data on a grid of 24, one pen 2 wide, as strokes of a card."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from printing.faces.strokes import Path

if TYPE_CHECKING:
    from cardsdb.games.kit.print.face import Box
    from printing.faces.canvas import Easel

_STEPS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Z": 0}

# Every symbol is drawn on a grid of 24 with one pen, 2 wide.
GRID, SYMBOL_PEN = 24, 2

Steps = tuple[tuple[str, tuple[int, ...]], ...]


def draw_symbol(easel: Easel, box: Box, path: str, colour: str, stroke: bool = True) -> None:
    """The drawing as large as the box lets it be, in its middle."""
    side = min(box.width, box.height)
    left, top = box.x + (box.width - side) // 2, box.y + (box.height - side) // 2
    easel.strokes.append(Path(placed(path, left, top, side), colour, side * SYMBOL_PEN // GRID if stroke else 0))


def placed(path: str, left: int, top: int, side: int) -> Steps:
    """The drawing's steps with its grid laid on a square."""
    return tuple(
        (letter, tuple((left if index % 2 == 0 else top) + number * side // (GRID * 1000) for index, number in enumerate(numbers)))
        for letter, numbers in read_path(path)
    )


@lru_cache(maxsize=500)
def read_path(path: str) -> Steps:
    """SVG path data as steps M, L, C and Z, in thousandths of the grid. Raises ValueError for any other letter."""
    steps: list[tuple[str, tuple[int, ...]]] = []
    x = y = 0
    for letter, numbers in _commands(path):
        if letter == "H":
            letter, numbers = "L", (*numbers, y)
        elif letter == "V":
            letter, numbers = "L", (x, *numbers)
        if numbers:
            x, y = numbers[-2:]
        steps.append((letter, numbers))
    return tuple(steps)


def _commands(path: str) -> list[tuple[str, tuple[int, ...]]]:
    found: list[tuple[str, tuple[int, ...]]] = []
    for part in re.findall(r"[A-Za-z][^A-Za-z]*", path):
        letter, numbers = part[0], tuple(round(float(n) * 1000) for n in re.findall(r"-?[0-9]*\.?[0-9]+", part[1:]))
        if letter not in _STEPS:
            raise ValueError(f"a symbol's path has the step {letter!r}; only {', '.join(_STEPS)} are drawn")
        each = _STEPS[letter]
        if not each:
            found.append((letter, ()))
            continue
        if not numbers or len(numbers) % each:
            raise ValueError(f"a symbol's path has {len(numbers)} numbers after {letter}, which takes {each}")
        found += [(letter, numbers[start : start + each]) for start in range(0, len(numbers), each)]
    return found
