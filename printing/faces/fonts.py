"""The fonts: their files, the widths of their letters, and the characters that they lack; and words fitted
into a box: shrunk, then broken into lines, then within words, without losing a letter.

Pages and sheets use the same two families. A character that a font lacks is taken from another of our fonts.
The caller reports a character that no font has, and never prints it as a box. Sizes are whole micrometres (9
pt = 3,175), widths thousandths of the size.
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
_SANS_LIGHT = Cut("font_source_sans_pro", "SourceSansPro-ExtraLight.ttf", "Source Sans", 200, 660, 200)
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
# The character that is drawn in place of one that none of our fonts has. All of them have it.
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
    """The visible characters of the text that none of our fonts has, each once, in order."""
    # Joiners and the like, and what asks for another form of the letter before it, are seen in no font.
    return tuple(
        c
        for c in missing(text)
        if unicodedata.category(c) not in ("Cc", "Cf") and not "\ufe00" <= c <= "\ufe0f"
    )


def with_stand_ins(text: str) -> str:
    """The text on one line with ``STAND_IN`` in place of each character that is lacking, so that any text can
    be drawn.
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
    """The widths by font and character: of the font's own letters, and of letters that it takes from another
    font.
    """

    own: dict[Font, dict[str, int]]
    of_all: dict[Font, dict[str, int]]


@cache
def _widths() -> _Widths:
    """The widths of all letters of a font. They are read from its files, which takes a moment."""
    own: dict[Font, dict[str, int]] = {font: _own(file_of(font)) for font in CUTS if font != "serif"}
    own["serif"] = own["serif-bold"]
    of_all: dict[Font, dict[str, int]] = {font: {} for font in CUTS}
    for font, others in _NEXT.items():
        for other in reversed(others):
            of_all[font].update(own[other])
    return _Widths(own, of_all)


def _own(path: Path) -> dict[str, int]:
    """The width of each character of one file. Characters beyond U+FFFF are left out, because a PDF's text
    map names them wrongly.
    """
    with TTFont(path, lazy=True) as font:
        advances = font["hmtx"].metrics
        return {
            chr(code): advances[glyph][0]
            for code, glyph in font.getBestCmap().items()
            if 32 <= code <= 0xFFFF
        }


# A font, or what gives the length of a text in thousandths of the type size.
Measure = Callable[[str], int]


def _measure(font: Font | Measure) -> Measure:
    return font if callable(font) else partial(width, font)


# The distance of baselines, and the height of the first line with the last tail, in thousandths of the type
# size.
LEADING, ENDS = 1_180, 1_100

# One more line is worth it if its type has at least this many per cent of the size on fewer lines.
CLEARLY_LARGER = 115


class Fitted(NamedTuple):
    """Lines of one size. ``pitch`` is the distance from baseline to baseline."""

    size: int
    lines: tuple[str, ...]
    pitch: int


def fit(
    text: str,
    width: int,
    height: int,
    size: int,
    least: int,
    lines: int,
    font: Font | Measure,
) -> Fitted:
    """Fit one run of words: a name, a type, a credit.

    The words stand on as few lines as keep the type large: shrunk from ``size`` to ``least`` on one line, or
    on more, up to ``lines``, if the type is then clearly larger. Words are broken only at ``least``, and the
    type shrinks further only if they do not fit even so.
    """
    words, measure = pieces(text), _measure(font)
    if not words:
        return Fitted(size, (), size * LEADING // 1000)
    length = measure("".join(words))
    chosen = min(size, height, width * 1000 // length if length else size)
    broken: tuple[str, ...] = ("".join(words),)
    for count in range(2, lines + 1):
        if chosen >= size or len(words) < count:
            break
        trial = _balance(words, count, measure)
        longest = max(1, *map(measure, trial))
        larger = min(size, height * 1000 // _deep(len(trial), LEADING), width * 1000 // longest)
        if larger * 100 >= chosen * CLEARLY_LARGER or chosen < least <= larger:
            chosen, broken = larger, trial
    if chosen >= least:
        return Fitted(chosen, broken, chosen * LEADING // 1000)
    return _squeeze([words], width, height, least, lines, measure, LEADING)


def fill(
    text: str, width: int, height: int, size: int, least: int, font: Font | Measure, leading: int = LEADING
) -> Fitted:
    """Fit paragraphs in the largest size from ``size`` down to ``least`` at which all lines fit, else in a
    smaller one.
    """
    paragraphs = [words for words in map(pieces, text.split("\n")) if words]
    step, measure = max(1, (size - least) // 8), _measure(font)
    for trial in [*range(size, least, -step), least]:
        broken = _lines(paragraphs, width * 1000 // trial, measure)
        if trial * _deep(len(broken), leading) <= height * 1000:
            return Fitted(trial, broken, trial * leading // 1000)
    return _squeeze(paragraphs, width, height, least, 10_000, measure, leading)


def wrap(words: Iterable[str], limit: int, font: Font | Measure, first: int = 0) -> list[str]:
    """Break words into lines of at most ``limit`` thousandths of the size.

    ``first`` is the part of the first line that is taken; if no word fits beside it, the first line is empty.
    A word longer than a line is broken without a hyphen: a hyphen would change the word.
    """
    measure, lines = _measure(font), list[str]()
    line, used = "", first
    for word in words:
        length = measure(word)
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
    """The parts of the text between which a line may end. Each keeps the space behind it, so that joined they
    are the text.
    """
    return [piece for piece in _BREAK.split(" ".join(text.split())) if piece]


def _deep(lines: int, leading: int) -> int:
    """The depth of this many lines, in thousandths of the type size."""
    return (lines - 1) * leading + ENDS


def _lines(paragraphs: list[list[str]], limit: int, measure: Measure) -> tuple[str, ...]:
    return tuple(line for words in paragraphs for line in wrap(words, limit, measure))


def _balance(words: list[str], count: int, measure: Measure) -> tuple[str, ...]:
    """Break the words into at most ``count`` lines, the longest as short as possible."""
    low = max(measure(word.rstrip(" ")) for word in words)
    limits = range(low, measure("".join(words)))
    narrowest = bisect_left(limits, True, key=lambda limit: len(wrap(words, limit, measure)) <= count)
    return tuple(wrap(words, low + narrowest, measure))


def _squeeze(
    paragraphs: list[list[str]],
    width: int,
    height: int,
    most: int,
    lines: int,
    measure: Measure,
    leading: int,
) -> Fitted:
    """The largest size up to ``most`` at which everything fits, with words broken if need be."""

    def fits(size: int) -> bool:
        count = len(_lines(paragraphs, width * 1000 // size, measure))
        return count <= lines and size * _deep(count, leading) <= height * 1000

    size = max(1, most) - bisect_left(range(most, 1, -1), True, key=fits)
    return Fitted(size, _lines(paragraphs, width * 1000 // size, measure), size * leading // 1000)


def _longest(word: str, limit: int, measure: Measure) -> int:
    """The number of letters of the word that fit into the limit, at least one. No more than two lines of it
    are measured.
    """
    low, high = 1, 2
    while high < len(word) and measure(word[:high]) <= limit:
        low, high = high, high * 2
    high = min(high, len(word))
    return high - bisect_left(range(high, low, -1), True, key=lambda cut: measure(word[:cut]) <= limit)
