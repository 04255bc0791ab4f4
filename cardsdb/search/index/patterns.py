"""A visitor's regular expression over lines: in time proportional to the text, or to the few lines that have its certain part."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cardsdb.search.query.limits import MAX_PATTERN_MEMORY
from cardsdb.search.query.values import compiled

# What could tell the beginning of a line from the beginning of the whole text.
_WHOLE_TEXT = re.compile(r"\\[AzQC]|\(\?[^:P)]*[-m]|\n")
# What may match a line's end.
_LINE_END = re.compile(r"\[(?:\^|\[)|\\[sWDpPCQnrvfx0-9]|\(\?[^:P)]*s|\[[^\]]*\\|[\x00-\x1f]")
_QUANTIFIER = re.compile(r"[*?]|\{[0-9]+(?:,[0-9]*)?\}")
_FLAGS = re.compile(r"\(\?(?!:|P?<)")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|\[:[^\]]*:\]|[^\]\\])*\]")


# So many lines tell whether a pattern is frequent.
SAMPLE = 64


def _over_lines(pattern: str, runs: bool = False) -> Any:
    """The expression for many lines at once, or for runs of lines that each have it in them."""
    many = f"(?m:(?:[^\\n]*(?:{pattern})[^\\n]*\\n)+)" if runs else f"(?m:{pattern})"
    # What a pattern may take by itself is little beside what is put around it.
    return compiled(many, never_nl=not runs, memory=8 * MAX_PATTERN_MEMORY)


def lines_matching(pattern: str, text: memoryview, starts: Sequence[int], among: Iterable[int] | None) -> Iterator[int]:
    """The numbers of the lines of ``text`` in which the pattern is found, ascending.

    ``starts`` has where each line begins and, last, where the text ends. ``among`` limits the lines to look at.
    """
    last = len(starts) - 1
    if among is not None or _WHOLE_TEXT.search(pattern):
        yield from _one_by_one(pattern, text, starts, among if among is not None else range(last))
    elif not _LINE_END.search(pattern) and _is_frequent(pattern, text, starts):
        yield from _in_runs(pattern, text, starts)
    else:
        many = _over_lines(pattern)
        number = place = 0
        # The end of the last line is left out: behind it no line begins.
        end = len(text) - 1
        while place <= end and number < last and (match := many.search(text, place, end)):
            number = bisect_right(starts, match.start(), number, last) - 1
            yield number
            number += 1
            place = starts[number]


def _one_by_one(pattern: str, text: memoryview, starts: Sequence[int], among: Iterable[int]) -> Iterator[int]:
    search = compiled(pattern).search
    for number in among:
        entry = bytes(text[starts[number] : starts[number + 1] - 1])
        if search(entry):
            yield number


def _is_frequent(pattern: str, text: memoryview, starts: Sequence[int]) -> bool:
    """Whether so many lines match, to judge by some of them, that many stand one behind the other."""
    last = len(starts) - 1
    some = range(0, last, max(last // SAMPLE, 1))
    return last > SAMPLE and sum(1 for _ in _one_by_one(pattern, text, starts, some)) * 4 > len(some)


def _in_runs(pattern: str, text: memoryview, starts: Sequence[int]) -> Iterator[int]:
    """As one match all lines that follow each other and match: each match costs more than the letters in it."""
    runs = _over_lines(pattern, runs=True)
    number = 0
    while number < len(starts) - 1 and (match := runs.search(text, starts[number])):
        first = bisect_right(starts, match.start(), number) - 1
        number = bisect_left(starts, match.end(), first)
        yield from range(first, number)


def certain_parts(pattern: str) -> set[str]:
    """Runs of plain letters and digits that whatever matches must have; none if none is certain."""
    runs: set[str] = set()
    run, depth, place = "", 0, 0
    while place < len(pattern):
        character = pattern[place]
        taken = 1
        plain = ""
        if character == "[":
            bracket = _CLASS.match(pattern, place)
            if not bracket:
                return set()
            taken = bracket.end() - place
        elif character == "\\":
            taken = 2
            if pattern[place + 1 : place + 2] in "QpPxC01234567":
                return set()
        elif (character == "|" and not depth) or _FLAGS.match(pattern, place):
            return set()
        elif character in "()":
            depth += 1 if character == "(" else -1
        elif character.isascii() and character.isalnum():
            plain = character.lower()
        place += taken
        optional = _QUANTIFIER.match(pattern, place)
        if plain and not depth and not optional:
            run += plain
            continue
        runs.add(run)
        run = ""
        if optional:
            place = optional.end()
    return {*runs, run} - {""}
