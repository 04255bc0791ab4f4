"""Our reading of a font's file finds what libraries for fonts find."""

from __future__ import annotations

from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from reportlab.pdfbase.ttfonts import TTFontFace

from printing.faces import fonts
from printing.faces.font_file import read_font
from printing.render.pdf_document import registered_fonts

FILES = sorted({fonts.file_of(font) for font in fonts.CUTS})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_character_has_the_glyph_and_the_advance_that_fonttools_finds(path: Path) -> None:
    font = read_font(path)
    with TTFont(path) as theirs:
        advances = theirs["hmtx"].metrics
        named = {code: (theirs.getGlyphID(name), advances[name][0]) for code, name in theirs.getBestCmap().items()}
    assert {code: (glyph, font.metrics[glyph][0]) for code, glyph in font.glyphs.items()} == named


@pytest.mark.parametrize("name", ["sans", "sans-light", "sans-bold", "serif-bold"])
def test_reportlab_is_told_what_it_would_have_read_itself(name: fonts.Font) -> None:
    ours, theirs = vars(registered_fonts()[name].face), vars(TTFontFace(str(fonts.file_of(name))))
    # How far it had come, a function, and a table that is for scripts whose letters join.
    assert {key for key, value in theirs.items() if ours.get(key) != value} == {"_pos", "_pdfScale", "glyphToChar"}


def test_a_font_without_the_map_of_characters_is_refused_by_name(tmp_path: Path) -> None:
    data = FILES[0].read_bytes()
    at, without = data.index(b"cmap"), tmp_path / "without.ttf"
    table = int.from_bytes(data[at + 8 : at + 12], "big")
    without.write_bytes(data[: table + 2] + b"\0\0" + data[table + 4 :])
    with pytest.raises(ValueError, match=r"without\.ttf: no map"):
        read_font(without)
