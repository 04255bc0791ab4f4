"""The fonts: their files and the widths of their letters; and text fitted into a box.

A text that does not fit is first shrunk, then broken into lines, then broken within words; no letter is lost.
Pages and sheets use the same two families. A character that a font lacks is taken from another of our fonts;
the caller must refuse a character that none has, because it would be printed as an empty box. Sizes are whole
micrometres (9 pt = 3,175), widths are thousandths of the size. Tests: ``tests/printing/faces/test_fonts.py``;
texts in the boxes of all faces in ``test_compose.py`` beside it.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from cardsdb.games.kit.print.face import Font


class Cut(NamedTuple):
    """One font file.

    ``cap`` is the height of a capital, ``drop`` the depth of a g, in thousandths of the size.
    """

    package: str
    file: str
    family: str
    weight: int
    cap: int
    drop: int


_SANS = Cut("font_source_sans_pro", "SourceSansPro-Regular.ttf", "Source Sans", 400, 660, 200)
_SANS_LIGHT = _SANS._replace(file="SourceSansPro-ExtraLight.ttf", weight=200)
_SANS_BOLD = _SANS._replace(file="SourceSansPro-Semibold.ttf", weight=600)
_SERIF_BOLD = Cut("font_source_serif_pro", "SourceSerifPro-Semibold.ttf", "Source Serif", 600, 670, 230)

# The serif has one weight, because only names are set in it. Light letters are for prints that save ink.
CUTS: dict[Font, Cut] = {
    "sans": _SANS,
    "sans-light": _SANS_LIGHT,
    "sans-bold": _SANS_BOLD,
    "serif": _SERIF_BOLD,
    "serif-bold": _SERIF_BOLD,
}

# Font -> the fonts in which its characters are looked up, in order.
_NEXT: dict[Font, tuple[Font, ...]] = {
    "sans": ("sans", "serif-bold"),
    "sans-light": ("sans-light", "sans", "serif-bold"),
    "sans-bold": ("sans-bold", "sans", "serif-bold"),
    "serif": ("serif-bold", "sans-bold", "sans"),
    "serif-bold": ("serif-bold", "sans-bold", "sans"),
}

# One point in micrometres.
POINT = 25_400 / 72
# Drawn in place of a character that none of our fonts has. All of them have this one.
STAND_IN = "\N{BALLOT BOX}"


def micrometres(tenths: int) -> int:
    """Return a size of type in micrometres, given in tenths of a point."""
    return round(tenths * POINT / 10)


def file_of(font: Font) -> Path:
    cut = CUTS[font]
    return Path(import_module(cut.package).__path__[0]) / "files" / cut.file


def plain(text: str) -> str:
    """Return the text as it is drawn: accents joined to their letters (NFC), runs of spaces as one space.

    Line feeds stay, because each begins a paragraph of a card's text.
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    lines = unicodedata.normalize("NFC", text).replace("\r\n", "\n").split("\n")
    return "\n".join(" ".join(line.split()) for line in lines).strip("\n")


def width(font: Font, text: str) -> int:
    """Return the length of the text in this font, in thousandths of the size of type."""
    known = _widths().of_all[font]
    # ``sum`` of a list is faster than of a generator, and this function is called very often.
    return sum([known.get(character, 500) for character in text])


def length(font: Font, text: str, size: int) -> int:
    """Return the length of the text in this font and size, in micrometres."""
    return width(font, text) * size // 1000


def cap(font: Font, size: int) -> int:
    """Return the height of a capital in this font and size, in micrometres."""
    return CUTS[font].cap * size // 1000


def missing(text: str) -> tuple[str, ...]:
    """Return the characters of the text that none of our fonts has, each once, in order."""
    if text.isascii() and text.isprintable():
        return ()
    known = _widths().of_all["sans"]
    return tuple(dict.fromkeys(letter for letter in plain(text) if letter not in known and letter != "\n"))


def lacking(text: str) -> tuple[str, ...]:
    """Return the visible characters of the text that none of our fonts has, each once, in order."""
    # Control and format characters (Cc, Cf) and variation selectors (U+FE00 to U+FE0F) are invisible.
    return tuple(
        letter
        for letter in missing(text)
        if unicodedata.category(letter) not in ("Cc", "Cf") and not "\ufe00" <= letter <= "\ufe0f"
    )


def with_stand_ins(text: str) -> str:
    """Return the text on one line, with ``STAND_IN`` for each lacking character, so that it can be drawn."""
    # Visible characters get the stand-in, invisible ones are left out.
    stand_ins = dict.fromkeys(missing(text), "") | dict.fromkeys(lacking(text), STAND_IN)
    return " ".join("".join(stand_ins.get(letter, letter) for letter in plain(text)).split())


def split(font: Font, text: str) -> tuple[tuple[Font, str], ...]:
    """Return the text as (font, run) pairs: characters that ``font`` lacks are in another font."""
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
    """Widths as font -> character -> width: ``own`` for a font's own letters, ``of_all`` also for letters
    that it takes from other fonts.
    """

    own: dict[Font, dict[str, int]]
    of_all: dict[Font, dict[str, int]]


@cache
def _widths() -> _Widths:
    """Return the widths of all letters. They are read from the font files once, which takes a moment."""
    own: dict[Font, dict[str, int]] = {font: _own(file_of(font)) for font in CUTS if font != "serif"}
    own["serif"] = own["serif-bold"]
    of_all: dict[Font, dict[str, int]] = {font: {} for font in CUTS}
    for font, others in _NEXT.items():
        # Fonts that are looked up earlier overwrite those that are looked up later.
        for other in reversed(others):
            of_all[font].update(own[other])
    return _Widths(own, of_all)


def _own(path: Path) -> dict[str, int]:
    """Return the width of each character of one font file.

    Characters beyond U+FFFF are left out, because the text map of a PDF would name them wrongly.
    """
    with TTFont(path, lazy=True) as font:
        advances = font["hmtx"].metrics
        return {
            chr(code): advances[glyph][0]
            for code, glyph in font.getBestCmap().items()
            if 32 <= code <= 0xFFFF
        }


# Returns the length of a text in thousandths of the size. Functions take one of these or the name of a font.
Measure = Callable[[str], int]


def _measure(font: Font | Measure) -> Measure:
    return font if callable(font) else partial(width, font)


# In thousandths of the size: the distance of baselines; and the height of a single line from the top of its
# capitals to its lowest tail.
LEADING = 1_180
ENDS = 1_100

# Another line is added only if the type then grows to at least this many per cent.
CLEARLY_LARGER = 115


class Fitted(NamedTuple):
    """Lines of text in one size. ``pitch`` is the distance from baseline to baseline."""

    size: int
    lines: tuple[str, ...]
    pitch: int

    def depth(self, font: Font) -> int:
        """Return the distance from the top of the first line's capitals to the last baseline."""
        return (len(self.lines) - 1) * self.pitch + cap(font, self.size)

    def reach(self, font: Font) -> int:
        """Return the length of the longest line; 0 if there is none."""
        return max((length(font, line, self.size) for line in self.lines), default=0)


def fit(
    text: str,
    width: int,
    height: int,
    size: int,
    least: int,
    lines: int,
    font: Font | Measure,
) -> Fitted:
    """Fit a short run of words (a name, a type, a credit) into a box.

    The words stand on as few lines as keep the type large. One line shrinks from ``size`` down to ``least``;
    more lines, up to ``lines``, are used if the type is then clearly larger. Words are broken only at
    ``least``, and the type shrinks below that only if even broken words do not fit. ``Night Watch of Berlin``
    in sans in a box of 20 x 10 mm, from 3175 micrometres down: on one line 2267, so it is set as
    ``Night Watch`` and ``of Berlin`` in 3175.
    """
    words, measure = pieces(text), _measure(font)
    if not words:
        return Fitted(size, (), size * LEADING // 1000)
    length = measure("".join(words))
    chosen = min(size, height, width * 1000 // length if length else size)
    chosen_lines: tuple[str, ...] = ("".join(words),)
    for count in range(2, lines + 1):
        if chosen >= size or len(words) < count:
            break
        trial = _balance(words, count, measure)
        longest = max(1, *map(measure, trial))
        trial_size = min(size, height * 1000 // _depth(len(trial)), width * 1000 // longest)
        if trial_size * 100 >= chosen * CLEARLY_LARGER or chosen < least <= trial_size:
            chosen, chosen_lines = trial_size, trial
    if chosen >= least:
        return Fitted(chosen, chosen_lines, chosen * LEADING // 1000)
    return _squeeze([words], width, height, least, lines, measure)


def fill(text: str, width: int, height: int, size: int, least: int, font: Font | Measure) -> Fitted:
    """Fit paragraphs, in the largest size from ``size`` down to ``least`` at which all lines fit.

    If none does, the size shrinks below ``least``, with words broken.
    """
    paragraphs = [words for words in map(pieces, text.split("\n")) if words]
    step, measure = max(1, (size - least) // 8), _measure(font)
    for trial_size in [*range(size, least, -step), least]:
        broken = _lines(paragraphs, width * 1000 // trial_size, measure)
        if trial_size * _depth(len(broken)) <= height * 1000:
            return Fitted(trial_size, broken, trial_size * LEADING // 1000)
    return _squeeze(paragraphs, width, height, least, 10_000, measure)


def wrap(words: Iterable[str], limit: int, font: Font | Measure, first: int = 0) -> list[str]:
    """Break words into lines of at most ``limit`` thousandths of the size.

    ``first`` is the length of the first line that is already taken; if no word fits beside it, the first line
    is empty. A word that is longer than a line is broken without a hyphen, because a hyphen would change the
    word. ``Berlin, Prague, Rome`` in sans, limit 5000, with 3000 of the first line taken, becomes
    ``["", "Berlin,", "Prague,", "Rome"]``.
    """
    measure, lines = _measure(font), list[str]()
    line, used = "", first
    for word in words:
        length = measure(word)
        # The space at the end of a line may stick out.
        if used + length <= limit or (used and word.endswith(" ") and used + measure(word[:-1]) <= limit):
            line, used = line + word, used + length
            continue
        if used:
            lines.append(line)
        while length > limit and (cut := _longest(word, limit, measure)) < len(word.rstrip(" ")):
            lines.append(word[:cut])
            word = word[cut:]
            length = measure(word)
        line, used = word, length
    if line:
        lines.append(line)
    return [line.rstrip(" ") for line in lines]


# A line may end after a space, and after a hyphen, dash or slash with letters on both sides.
_BREAK = re.compile(r"(?<=\s)|(?<=[^\W\d_]{2}[-–—/])(?=[^\W\d_]{2})")


def pieces(text: str) -> list[str]:
    """Return the parts of the text between which a line may end: ``"read on"`` -> ``["read ", "on"]``.

    Each part keeps the space after it, so that the parts joined are the text.
    """
    return [piece for piece in _BREAK.split(" ".join(text.split())) if piece]


def _depth(lines: int) -> int:
    """Return the depth of this many lines, in thousandths of the size."""
    return (lines - 1) * LEADING + ENDS


def _lines(paragraphs: list[list[str]], limit: int, measure: Measure) -> tuple[str, ...]:
    return tuple(line for words in paragraphs for line in wrap(words, limit, measure))


def _balance(words: list[str], count: int, measure: Measure) -> tuple[str, ...]:
    """Break the words into at most ``count`` lines so that the longest line is as short as possible."""
    low = max(measure(word.rstrip(" ")) for word in words)
    limits = range(low, measure("".join(words)))
    # The place in ``limits`` of the first limit with few enough lines.
    narrowest = bisect_left(limits, True, key=lambda limit: len(wrap(words, limit, measure)) <= count)
    return tuple(wrap(words, low + narrowest, measure))


def _squeeze(
    paragraphs: list[list[str]], width: int, height: int, most: int, lines: int, measure: Measure
) -> Fitted:
    """Return the text in the largest size up to ``most`` at which it fits, with words broken if necessary."""

    def fits(size: int) -> bool:
        count = len(_lines(paragraphs, width * 1000 // size, measure))
        return count <= lines and size * _depth(count) <= height * 1000

    # The sizes from ``most`` down to 2; ``bisect_left`` counts those that are too large. If all are, it is 1.
    size = max(1, most) - bisect_left(range(most, 1, -1), True, key=fits)
    return Fitted(size, _lines(paragraphs, width * 1000 // size, measure), size * LEADING // 1000)


def _longest(word: str, limit: int, measure: Measure) -> int:
    """Return the number of letters of the word that fit into the limit, at least one.

    The word may be very long, so no more than about two lines of it are measured.
    """
    # Double the letters until they are too long: then the answer lies between ``low`` and ``high``.
    low, high = 1, 2
    while high < len(word) and measure(word[:high]) <= limit:
        low, high = high, high * 2
    high = min(high, len(word))
    # From ``high`` down, ``bisect_left`` counts the numbers of letters that are too many.
    return high - bisect_left(range(high, low, -1), True, key=lambda cut: measure(word[:cut]) <= limit)
