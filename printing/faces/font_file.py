"""What a TrueType file says of its glyphs: which a character has, how wide each is, where its outline lies.

A library for fonts reads one number after the other, and more than is needed: 8 ms a font. Here tables are read whole.
It is for the fonts that Cutout brings, whose map of characters is of format 12.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from struct import iter_unpack, unpack, unpack_from
from typing import NamedTuple


class FontFile(NamedTuple):
    """``glyphs``: code of a character -> number of its glyph. ``metrics``: of each glyph its advance and its left side bearing,
    both without a sign, in the font's units. ``places``: where each outline begins in the table of outlines, and where the last ends.
    """

    glyphs: dict[int, int]
    metrics: list[tuple[int, int]]
    places: list[int]


@cache
def read_font(path: Path) -> FontFile:
    data = path.read_bytes()
    (tables,) = unpack_from(">H", data, 4)
    table = {tag: data[at : at + length] for tag, at, length in iter_unpack(">4s4xII", data[12 : 12 + 16 * tables]) if tag in _READ}
    (long_places,) = unpack_from(">h", table[b"head"], 50)
    places = unpack(f">{len(table[b'loca']) // (4 if long_places else 2)}{'I' if long_places else 'H'}", table[b"loca"])
    (wide,) = unpack_from(">H", table[b"hhea"], 34)
    metrics = list(iter_unpack(">HH", table[b"hmtx"][: 4 * wide]))
    # The glyphs that follow are as wide as the last, and have bearings alone.
    metrics += [(metrics[-1][0], bearing) for (bearing,) in iter_unpack(">H", table[b"hmtx"][4 * wide :])]
    return FontFile(_glyphs(table[b"cmap"], path), metrics, [place * (1 if long_places else 2) for place in places])


_READ = {b"head", b"hhea", b"hmtx", b"loca", b"cmap"}


def _glyphs(cmap: bytes, path: Path) -> dict[int, int]:
    (maps,) = unpack_from(">H", cmap, 2)
    for platform, at in iter_unpack(">H2xI", cmap[4 : 4 + 8 * maps]):
        form, groups = unpack_from(">H10xI", cmap, at)
        if platform == 3 and form == 12:
            found: dict[int, int] = {}
            for first, last, glyph in iter_unpack(">III", cmap[at + 16 : at + 16 + 12 * groups]):
                found.update(zip(range(first, last + 1), range(glyph, glyph + last + 1 - first), strict=True))
            return found
    raise ValueError(f"{path}: no map of characters of format 12")
