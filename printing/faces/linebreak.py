"""Fit words into a box: shrink, then break into lines, then break words. Never lose a letter.

Knows nothing of fonts: ``measure`` gives the length of a text in thousandths of the type size.
Sizes and lengths are whole micrometres.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

Measure = Callable[[str], int]

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
    measure: Measure,
    leading: int = LEADING,
) -> Fitted:
    """Fit one run of words: a name, a type, a credit.

    The words stand on as few lines as keep the type large: shrunk from ``size`` to ``least`` on one line, or
    on more, up to ``lines``, where the type is then clearly larger. Words are broken only at ``least``, and
    the type shrinks further only if they do not fit even so.
    """
    words = pieces(text)
    if not words:
        return Fitted(size, (), size * leading // 1000)
    length = measure(_join(words))
    chosen = min(size, height, width * 1000 // length if length else size)
    broken: tuple[str, ...] = (_join(words),)
    for count in range(2, lines + 1):
        if chosen >= size or len(words) < count:
            break
        trial = _balance(words, count, measure)
        larger = min(
            size, height * 1000 // _deep(len(trial), leading), width * 1000 // max(1, *map(measure, trial))
        )
        if larger * 100 >= chosen * CLEARLY_LARGER or chosen < least <= larger:
            chosen, broken = larger, trial
    if chosen >= least:
        return Fitted(chosen, broken, chosen * leading // 1000)
    return _squeeze([words], width, height, least, lines, measure, leading)


def fill(
    text: str, width: int, height: int, size: int, least: int, measure: Measure, leading: int = LEADING
) -> Fitted:
    """Fit paragraphs in the largest size from ``size`` down to ``least`` at which all lines fit, else in a
    smaller one.
    """
    paragraphs = [words for words in map(pieces, text.split("\n")) if words]
    step = max(1, (size - least) // 8)
    for trial in [*range(size, least, -step), least]:
        broken = _lines(paragraphs, width * 1000 // trial, measure)
        if trial * _deep(len(broken), leading) <= height * 1000:
            return Fitted(trial, broken, trial * leading // 1000)
    return _squeeze(paragraphs, width, height, least, 10_000, measure, leading)


def wrap(words: Iterable[str], limit: int, measure: Measure, first: int = 0) -> list[str]:
    """Break words into lines of at most ``limit`` thousandths of the size.

    ``first`` is the part of the first line that is taken; if no word fits beside it, the first line is empty.
    A word longer than a line is broken without a hyphen: a hyphen would change the word.
    """
    lines: list[str] = []
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


def _join(words: list[str]) -> str:
    return "".join(words)


def _lines(paragraphs: list[list[str]], limit: int, measure: Measure) -> tuple[str, ...]:
    return tuple(line for words in paragraphs for line in wrap(words, limit, measure))


def _balance(words: list[str], count: int, measure: Measure) -> tuple[str, ...]:
    """Break the words into at most ``count`` lines, the longest as short as possible."""
    low = max(measure(word.rstrip(" ")) for word in words)
    high = max(low, measure(_join(words)))
    while low < high:
        middle = (low + high) // 2
        if len(wrap(words, middle, measure)) <= count:
            high = middle
        else:
            low = middle + 1
    return tuple(wrap(words, low, measure))


def _squeeze(
    paragraphs: list[list[str]],
    width: int,
    height: int,
    most: int,
    lines: int,
    measure: Measure,
    leading: int,
) -> Fitted:
    """The largest size up to ``most`` at which everything fits, words broken where they must be."""
    low, high = 1, max(1, most)
    while low < high:
        middle = (low + high + 1) // 2
        broken = _lines(paragraphs, width * 1000 // middle, measure)
        if len(broken) <= lines and middle * _deep(len(broken), leading) <= height * 1000:
            low = middle
        else:
            high = middle - 1
    return Fitted(low, _lines(paragraphs, width * 1000 // low, measure), low * leading // 1000)


def _longest(word: str, limit: int, measure: Measure) -> int:
    """The number of letters of the word that fit into the limit, at least one. Measures no more than twice a
    line.
    """
    low, high = 1, 2
    while high < len(word) and measure(word[:high]) <= limit:
        low, high = high, high * 2
    high = min(high, len(word))
    while low < high:
        middle = (low + high + 1) // 2
        if measure(word[:middle]) <= limit:
            low = middle
        else:
            high = middle - 1
    return low
