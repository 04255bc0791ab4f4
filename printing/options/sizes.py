"""Papers and card sizes by the names people know, and lengths as people write them.

Lengths are whole micrometres, so 2.5 in is 63,500 exactly. To add a paper or a card size, add a line
to ``PAPERS`` or ``TRIMS``; what is not there is written as ``WxH``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

MM, INCH = 1_000, 25_400

# The least and the largest side of a card and of a paper: from cards that can be held to posters, up to a
# little more than A0.
MIN_TRIM, MAX_TRIM = 30 * MM, 200 * MM
MIN_PAPER, MAX_PAPER = 60 * MM, 1_200 * MM

# A card for a sleeve is 1 mm less wide and 1 mm less high: see docs/decisions/0016.
SLEEVE = 1 * MM


@dataclass(frozen=True, slots=True)
class Size:
    """A paper or a card size: the name by which people know it, width and height, and the source of these."""

    slug: str
    name: str
    width: int
    height: int
    source: str = ""

    @property
    def lengths(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height

    def across(self) -> Size:
        """The same size lying on its side."""
        return Size(self.slug, self.name, self.height, self.width, self.source)


class NoSize(ValueError):
    """The words are no size; ``allowed`` lists those that are."""

    def __init__(self, text: str, allowed: tuple[str, ...]) -> None:
        self.allowed = allowed
        super().__init__(f"“{text}” is not {' or '.join(allowed)}")


def _table(*sizes: Size) -> dict[str, Size]:
    return {size.slug: size for size in sizes}


_ISO, _ANSI = "ISO 216", "ANSI/ASME Y14.1"

PAPERS = _table(
    Size("a4", "A4", 210_000, 297_000, _ISO),
    Size("letter", "US Letter", 215_900, 279_400, _ANSI),
    Size("a3", "A3", 297_000, 420_000, _ISO),
    Size("legal", "US Legal", 215_900, 355_600, "8.5 x 14 in, common in the United States"),
    Size("tabloid", "Tabloid", 279_400, 431_800, _ANSI),
)

_CUTTERS = "sizes of silhouette-card-maker"
_TOOLS = "sizes of silhouette-card-maker and rpg-cards"

TRIMS = _table(
    Size("poker", "Poker, 63.5 x 88.9 mm", 63_500, 88_900, "2.5 x 3.5 in; silhouette-card-maker"),
    Size(
        "standard",
        "Standard, 63 x 88 mm",
        63_000,
        88_000,
        "trading cards; silhouette-card-maker, mpc-autofill, rpg-cards",
    ),
    Size("bridge", "Bridge, 57.15 x 88.9 mm", 57_150, 88_900, f"2.25 x 3.5 in; {_CUTTERS}"),
    Size("japanese", "Japanese, 59 x 86 mm", 59_000, 86_000, _CUTTERS),
    Size("european", "European, 59 x 92 mm", 59_000, 92_000, "sizes of rpg-cards and Squib"),
    Size("ffg", "Large trading card, 61.5 x 88 mm", 61_500, 88_000, "tokeeto/shoggoth, issue 166"),
    Size("tarot", "Tarot, 69.85 x 120.65 mm", 69_850, 120_650, f"2.75 x 4.75 in; {_TOOLS}"),
    Size("tarot-70", "Tarot, 70 x 120 mm", 70_000, 120_000, "sizes of rpg-cards"),
    Size("jumbo", "Jumbo, 88.9 x 139.7 mm", 88_900, 139_700, f"3.5 x 5.5 in; {_CUTTERS}"),
    Size("mini", "Mini, 44.45 x 63.5 mm", 44_450, 63_500, f"1.75 x 2.5 in; {_TOOLS}"),
    Size("mini-american", "Mini American, 41 x 63 mm", 41_000, 63_000, _CUTTERS),
    Size("mini-european", "Mini European, 44 x 68 mm", 44_000, 68_000, _TOOLS),
    Size("micro", "Micro, 31.75 x 44.45 mm", 31_750, 44_450, f"1.25 x 1.75 in; {_CUTTERS}"),
    Size("square", "Square, 70 x 70 mm", 70_000, 70_000, _CUTTERS),
    Size("square-small", "Small square, 44.45 x 44.45 mm", 44_450, 44_450, f"1.75 in; {_CUTTERS}"),
    Size("square-medium", "Medium square, 57.15 x 57.15 mm", 57_150, 57_150, f"2.25 in; {_CUTTERS}"),
    Size("square-3in", "Square, 3 x 3 in", 76_200, 76_200, "sizes of rpg-cards"),
    Size("square-3.5in", "Square, 3.5 x 3.5 in", 88_900, 88_900, "sizes of rpg-cards"),
    Size("square-4.75in", "Square, 4.75 x 4.75 in", 120_650, 120_650, "sizes of rpg-cards"),
)


def read_paper(text: str) -> Size:
    """A paper by its name or as ``210x297`` in millimetres (``8.5x11in`` in inches). Raises NoSize."""
    return PAPERS.get(text.strip().casefold()) or _read_size(text, PAPERS, MIN_PAPER, MAX_PAPER)


def read_trim(text: str) -> Size:
    """A card size by its name or as ``63x88`` in millimetres (``2.5x3.5in`` in inches). Raises NoSize."""
    return TRIMS.get(text.strip().casefold()) or _read_size(text, TRIMS, MIN_TRIM, MAX_TRIM)


def _read_size(text: str, known: dict[str, Size], least: int, most: int) -> Size:
    words = text.strip().casefold().replace("×", "x")
    unit = "in" if words.endswith("in") else "mm"
    lengths = [read_length(part.strip().removesuffix(unit) + unit) for part in words.split("x")]
    if len(lengths) == 2 and all(length is not None and least <= length <= most for length in lengths):
        width, height = lengths[0] or 0, lengths[1] or 0
        same = next((size for size in known.values() if size.lengths == (width, height)), None)
        return same or Size(f"{shown(width)}x{shown(height)}", millimetres((width, height)), width, height)
    raise NoSize(text, (*known, f"width x height in millimetres, {least // MM} to {most // MM} each"))


def read_length(text: str) -> int | None:
    """A length as people write it (``2.5``, ``2,5 mm``, ``-0.3``, ``0.125 in``) in whole micrometres; None
    when it is none.
    """
    # Digits and one point: an exponent would ask for numbers of a million digits.
    match = re.fullmatch(
        r"([+-]?[0-9]{1,4}(?:\.[0-9]{1,6})?)\s*(mm|in)?", text.strip().casefold().replace(",", "."), re.ASCII
    )
    return int(Decimal(match[1]) * (INCH if match[2] == "in" else MM)) if match else None


def shown(length: int) -> str:
    """A length in millimetres without trailing zeros: ``63.5``."""
    return f"{length / MM:.3f}".rstrip("0").rstrip(".")


def millimetres(size: tuple[int, int]) -> str:
    """A size as people write it: ``63.5 × 88.9 mm``."""
    return " × ".join(shown(length) for length in size) + " mm"
