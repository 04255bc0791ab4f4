"""``manage.py build_fonts``: make the site's web fonts from Source Sans and Source Serif, with only the
needed characters.

``prepare`` calls it. It does nothing if the sources and this file are unchanged.
``tests/house/test_journeys.py`` looks at the fonts of each page.
"""

import hashlib
import logging
from collections.abc import Iterable
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand
from fontTools import subset
from fontTools.ttLib import TTFont

SANS, SERIF = files("font_source_sans_pro") / "files", files("font_source_serif_pro") / "files"
FACES = {
    "sans-regular": SANS / "SourceSansPro-Regular.ttf",
    "sans-light": SANS / "SourceSansPro-ExtraLight.ttf",
    "sans-semibold": SANS / "SourceSansPro-Semibold.ttf",
    "serif-semibold": SERIF / "SourceSerifPro-Semibold.ttf",
}
# Each font is split in two: PLAIN is needed by nearly every page; browsers fetch the rest (rare signs,
# accented letters, Greek, Cyrillic) only for a page that uses it. unicode-range in the stylesheet divides
# them in the same way: change both together. Numbers are code points of Unicode.
PLAIN = (
    # ASCII without control characters; dashes and quotes; more punctuation.
    *(*range(0x20, 0x7F), *range(0x2010, 0x2028), *range(0x2030, 0x2040)),
    *map(ord, "\xa0£¦©«°·»×÷⁄€™←↑→↓−≈≠≤≥▲▼✓"),
)
# Signs of Latin-1 that PLAIN does not have.
RARE = tuple({*range(0xA1, 0xC0)}.difference(PLAIN))
ACCENTED = (*range(0xC0, 0xD7), *range(0xD8, 0xF7), *range(0xF8, 0x180), *range(0x218, 0x21C))
GREEK_AND_CYRILLIC = (*range(0x370, 0x400), *range(0x400, 0x460), 0x490, 0x491)
# Suffix of the file's name -> (characters, their OpenType features: kerning, lining and proportional figures,
# composed and local forms, placed marks). Figures are tabular unless the stylesheet asks for ``pnum``.
ALPHABETS = {
    "": (PLAIN, ["kern", "lnum", "pnum"]),
    "-more": ((*RARE, *ACCENTED, *GREEK_AND_CYRILLIC), ["ccmp", "kern", "locl", "mark"]),
}
LICENCES = {"sans-licence.txt": SANS / "LICENSE.txt", "serif-licence.txt": SERIF / "LICENSE.txt"}
STAMP = ".made-from"  # A name that collectstatic passes over.


class Command(BaseCommand):
    help = "Write the site's fonts (woff2, only the letters pages use) where the static files are found."
    requires_system_checks = ()  # Fonts can be cut before there is a site to check.

    def handle(self, *args: object, **options: object) -> None:
        logging.getLogger("fontTools").setLevel(logging.WARNING)  # It logs every letter of the subset.
        folder = Path(settings.CUTOUT_FONT_DIR)
        folder.mkdir(parents=True, exist_ok=True)
        names = [f"{face}{suffix}.woff2" for face in FACES for suffix in ALPHABETS]
        recipe = _recipe()
        stamp = folder / STAMP
        if stamp.exists() and stamp.read_text() == recipe and all((folder / name).exists() for name in names):
            self.stdout.write("The fonts are up to date.")
            return
        for face, source in FACES.items():
            for suffix, (alphabet, features) in ALPHABETS.items():
                size = _write_font(source, alphabet, features, folder / f"{face}{suffix}.woff2")
                self.stdout.write(f"{face}{suffix}.woff2  {size:,} bytes")
        # The licence must accompany the fonts.
        for name, text in LICENCES.items():
            _replace(folder / name, text.read_bytes())
        _replace(stamp, recipe.encode())


def _recipe() -> str:
    """Return a digest of the sources and of this file; if it changes, the fonts are made again."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for source in (*FACES.values(), *LICENCES.values()):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _write_font(source: Traversable, alphabet: Iterable[int], features: list[str], target: Path) -> int:
    """Write a font with only these characters, and return its size in bytes."""
    # Numbers of the name table (OpenType): 0 copyright, 1 family, 2 style, 3 unique, 4 full, 5 version,
    # 6 PostScript, 13 licence, 14 address of the licence. All other names are dropped.
    options = subset.Options(
        layout_features=features, hinting=False, notdef_outline=True, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14]
    )
    with source.open("rb") as file:
        font = TTFont(file, recalcTimestamp=False)
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=alphabet)
        cutter.subset(font)
        _rename(font)
        font.flavor = "woff2"
        cut = BytesIO()
        font.save(cut)
    _replace(target, cut.getvalue())
    return len(cut.getvalue())


def _rename(font: TTFont) -> None:
    """Rename the font, because the licence reserves the name "Source" for the complete one."""
    # The family, the unique, the full and the PostScript name (see ``_write_font``).
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6):
            record.string = record.toUnicode().replace("Source", "Cutout")


def _replace(target: Path, content: bytes) -> None:
    """Write a file in one step, so that no reader sees half of it."""
    # Always the same temporary name, so that the remains of a killed run are overwritten.
    part = target.with_name(f"{target.name}.part")
    part.write_bytes(content)
    part.replace(target)
