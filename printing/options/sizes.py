"""Papers and card sizes by their usual names, and lengths as people write them.

Lengths are whole micrometres, so 2.5 in is 63,500 exactly. To add a paper or a card size, add it to
``sizes.toml``; any other size is written as ``WxH``. Tests: ``tests/printing/options/test_sizes.py``.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from cardsdb.games.kit.model.text import table_beside

# Micrometres of a millimetre and of an inch.
MM = 1_000
INCH = 25_400

# Shortest and longest side of a card, from tokens to large tiles.
MIN_TRIM = 15 * MM
MAX_TRIM = 200 * MM
# Shortest and longest side of a paper, up to a little over A0.
MIN_PAPER = 60 * MM
MAX_PAPER = 1_200 * MM
# Words of a card whose shorter side is below this cannot be read.
READABLE = 30 * MM
# Some words of a card whose shorter side is below this are set smaller than 6 pt.
SIX_POINTS = 50 * MM
# The option ``sleeves`` makes cards narrower and lower by this much: docs/decisions/0013.
SLEEVE = 1 * MM


@dataclass(frozen=True)
class Size:
    """A paper or a card size. ``width`` and ``height`` are micrometres; ``source`` says who states them."""

    slug: str
    name: str
    width: int
    height: int
    source: str = ""

    @property
    def lengths(self) -> tuple[int, int]:
        """(width, height) in micrometres."""
        return self.width, self.height

    def across(self) -> "Size":
        """The same size turned by a quarter: width and height are swapped."""
        return Size(self.slug, self.name, self.height, self.width, self.source)


class NoSize(ValueError):
    """The text is not a size. ``allowed`` lists the known sizes and how to write another."""

    def __init__(self, text: str, allowed: tuple[str, ...]) -> None:
        self.allowed = allowed
        super().__init__(f"“{text}” is not {' or '.join(allowed)}")


@dataclass(frozen=True)
class CutterTemplate:
    """A cutting template of silhouette-card-maker. ``paper`` and ``card`` are slugs of sizes, ``gap`` and
    ``gap_y`` the micrometres between columns and between rows.
    """

    name: str
    paper: str
    card: str
    gap: int
    gap_y: int


_KNOWN = table_beside(__file__, "sizes")
# Papers and card sizes by their slugs, as declared in ``sizes.toml``.
PAPERS = {slug: Size(slug, **row) for slug, row in _KNOWN["papers"].items()}
TRIMS = {slug: Size(slug, **row) for slug, row in _KNOWN["cards"].items()}
# Perforated papers as presets: name, help and settings by slug.
STOCKS: dict[str, dict[str, Any]] = _KNOWN["stocks"]
_CUTTERS = [CutterTemplate(name, **row) for name, row in _KNOWN["cutters"].items()]


def cutter_template(paper: Size, card: tuple[int, int]) -> CutterTemplate | None:
    """The cutting template for cards of this size on this paper; None if there is none."""
    fits = (row for row in _CUTTERS if row.paper == paper.slug and TRIMS[row.card].lengths == card)
    return next(fits, None)


def read_paper(text: str) -> Size:
    """A paper by its name or as ``210x297`` in millimetres (``8.5x11in`` in inches). Raises NoSize."""
    return PAPERS.get(text.strip().casefold()) or _read_size(text, PAPERS, MIN_PAPER, MAX_PAPER)


def read_trim(text: str) -> Size:
    """A card size by its name or as ``63x88`` in millimetres (``2.5x3.5in`` in inches). Raises NoSize."""
    return TRIMS.get(text.strip().casefold()) or _read_size(text, TRIMS, MIN_TRIM, MAX_TRIM)


def _read_size(text: str, known: dict[str, Size], least: int, most: int) -> Size:
    """Read ``63x88``, ``2.5x3.5in``. Return the known size with these lengths, else a new one named after
    them. Raises NoSize unless both sides are from ``least`` to ``most``.
    """
    words = text.strip().casefold().replace("×", "x")
    unit = "in" if words.endswith("in") else "mm"
    # A unit at the end holds for both sides. A side that is no length is None here.
    sides = [read_length(part.strip().removesuffix(unit) + unit) for part in words.split("x")]
    match sides:
        case [int(width), int(height)] if least <= min(width, height) and max(width, height) <= most:
            lengths = width, height
        case _:
            raise NoSize(text, (*known, f"width x height in millimetres, {least // MM} to {most // MM} each"))
    for size in known.values():
        if size.lengths == lengths:
            return size
    return Size(f"{shown(width)}x{shown(height)}", millimetres(lengths), width, height)


def read_length(text: str) -> int | None:
    """Read a length (``2.5``, ``2,5 mm``, ``-0.3``, ``0.125 in``; millimetres without a unit) into
    micrometres. None if the text is not a length.
    """
    # Only digits and one point: with an exponent, a short text could mean a number of a million digits.
    match = re.fullmatch(
        r"([+-]?[0-9]{1,4}(?:\.[0-9]{1,6})?)\s*(mm|in)?", text.strip().casefold().replace(",", "."), re.ASCII
    )
    return int(Decimal(match[1]) * (INCH if match[2] == "in" else MM)) if match else None


def shown(length: int) -> str:
    """Write micrometres as millimetres without unit and trailing zeros: ``63500`` -> ``63.5``."""
    return f"{length / MM:.3f}".rstrip("0").rstrip(".")


def millimetres(size: tuple[int, int]) -> str:
    """Write a (width, height) in micrometres as ``63.5 × 88.9 mm``."""
    return " × ".join(shown(length) for length in size) + " mm"
