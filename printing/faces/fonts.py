"""The fonts: their files, the widths of their letters, and the characters that they lack.

Pages and sheets use the same two families. A character that a font lacks is taken from another
of our fonts; one that none has is for the caller to report, never to print as a box.
Sizes are whole micrometres (9 pt = 3,175), widths thousandths of the size.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from cardsdb.games.kit.print.face import Font


class Cut(NamedTuple):
    """One font file. ``cap`` is the height of a capital, ``drop`` the depth of a g, in thousandths of the
    size.
    """

    package: str
    file: str
    family: str
    weight: int
    cap: int
    drop: int


_SANS = Cut("font_source_sans_pro", "SourceSansPro-Regular.ttf", "Source Sans", 400, 660, 200)
_SANS_LIGHT = Cut("font_source_sans_pro", "SourceSansPro-Light.ttf", "Source Sans", 300, 660, 200)
_SANS_BOLD = Cut("font_source_sans_pro", "SourceSansPro-Semibold.ttf", "Source Sans", 600, 660, 200)
_SERIF_BOLD = Cut("font_source_serif_pro", "SourceSerifPro-Semibold.ttf", "Source Serif", 600, 670, 230)

# The family needs one weight of the serif: names are all it is used for. Light letters are for prints that
# save ink.
CUTS: dict[Font, Cut] = {
    "sans": _SANS,
    "sans-light": _SANS_LIGHT,
    "sans-bold": _SANS_BOLD,
    "serif": _SERIF_BOLD,
    "serif-bold": _SERIF_BOLD,
}

# The fonts in which a character is looked for, by the font in which it is set.
_NEXT: dict[Font, tuple[Font, ...]] = {
    "sans": ("sans", "serif-bold"),
    "sans-light": ("sans-light", "sans", "serif-bold"),
    "sans-bold": ("sans-bold", "sans", "serif-bold"),
    "serif": ("serif-bold", "sans-bold", "sans"),
    "serif-bold": ("serif-bold", "sans-bold", "sans"),
}

POINT = 25_400 / 72
# What is drawn in place of a character that none of our fonts has. All of them have this one.
STAND_IN = "\N{BALLOT BOX}"


def micrometres(tenths: int) -> int:
    """A type size in micrometres, from tenths of a point."""
    return round(tenths * POINT / 10)


def file_of(font: Font) -> Path:
    cut = CUTS[font]
    return Path(import_module(cut.package).__path__[0]) / "files" / cut.file


def plain(text: str) -> str:
    """The text as it is drawn: accents joined to their letters (NFC), spaces and line ends single.

    A line feed stays, because it begins a paragraph of a card's text.
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    lines = unicodedata.normalize("NFC", text).replace("\r\n", "\n").split("\n")
    return "\n".join(" ".join(line.split()) for line in lines).strip("\n")


def width(font: Font, text: str) -> int:
    """The length of the text in this font, in thousandths of the type size."""
    known = _widths().of_all[font]
    return sum([known.get(character, 500) for character in text])


def missing(text: str) -> tuple[str, ...]:
    """The characters of the text that none of our fonts has, each once, in order."""
    if text.isascii() and text.isprintable():
        return ()
    known = _widths().of_all["sans"]
    return tuple(dict.fromkeys(c for c in plain(text) if c not in known and c != "\n"))


def lacking(text: str) -> tuple[str, ...]:
    """The characters of the text that ought to be seen and that none of our fonts has, each once, in
    order.
    """
    # Joiners and the like, and what asks for another form of the letter before it, are seen in no font.
    return tuple(
        c
        for c in missing(text)
        if unicodedata.category(c) not in ("Cc", "Cf") and not "\ufe00" <= c <= "\ufe0f"
    )


def with_stand_ins(text: str) -> str:
    """The text on one line as it can be drawn whatever it says: ``STAND_IN`` in place of each character that
    is lacking.
    """
    gone, lacks = set(missing(text)), set(lacking(text))
    return " ".join("".join(STAND_IN if c in lacks else "" if c in gone else c for c in plain(text)).split())


def split(font: Font, text: str) -> tuple[tuple[Font, str], ...]:
    """The text in runs of one font each: characters that ``font`` lacks are in another."""
    own = _widths().own
    if text.isascii() or all(character in own[font] for character in text):
        return ((font, text),)
    runs: list[tuple[Font, str]] = []
    for character in text:
        chosen = next((other for other in _NEXT[font] if character in own[other]), font)
        if runs and runs[-1][0] == chosen:
            runs[-1] = (chosen, runs[-1][1] + character)
        else:
            runs.append((chosen, character))
    return tuple(runs)


class _Widths(NamedTuple):
    """Font -> character -> width: of its own letters; of those of other fonts too that it lacks."""

    own: dict[Font, dict[str, int]]
    of_all: dict[Font, dict[str, int]]


@cache
def _widths() -> _Widths:
    """Read from the files, which takes a moment."""
    own: dict[Font, dict[str, int]] = {font: _own(file_of(font)) for font in CUTS if font != "serif"}
    own["serif"] = own["serif-bold"]
    of_all: dict[Font, dict[str, int]] = {font: {} for font in CUTS}
    for font, others in _NEXT.items():
        for other in reversed(others):
            of_all[font].update(own[other])
    return _Widths(own, of_all)


def _own(path: Path) -> dict[str, int]:
    """Character -> width of one file. Characters beyond U+FFFF are left out: a PDF's text map names them
    wrongly.
    """
    with TTFont(path, lazy=True) as font:
        advances = font["hmtx"].metrics
        return {
            chr(code): advances[glyph][0]
            for code, glyph in font.getBestCmap().items()
            if 32 <= code <= 0xFFFF
        }
