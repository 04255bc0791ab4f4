"""The words of English that questions are asked with (``english.toml``), by what they do in one, and how sizes
are said.
"""

import tomllib
from collections.abc import Sequence
from pathlib import Path

_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
# Nobody compares with a longer number.
MAX_DIGITS = 9
Bounds = tuple[tuple[str, str], ...]

# An operator with the words around its number, the longest first; ``..`` is from one number to another.
AMOUNTS = sorted(
    (
        (op, tuple(wording.split()))
        for op, wordings in _TABLE.pop("amounts").items()
        for wording in wordings.split("|")
    ),
    key=lambda amount: -len(amount[1]),
)
# What words do -> these words, in the table's order.
WORDS: dict[str, tuple[str, ...]] = {what: tuple(words.split()) for what, words in _TABLE.items()}
_NUMBERS = {word: str(number) for number, word in enumerate(WORDS["number"])}
_NUMBERS |= dict.fromkeys(WORDS["nothing"], "0")
# These say nothing where they are no part of anything else.
FILLERS = frozenset(word for what in ("noun", "article", "opener", "small") for word in WORDS[what])
ENGLISH = frozenset(word for words in WORDS.values() for word in words)


def number_of(word: str) -> str:
    """The number, in digits or in words, as digits; empty if it is none."""
    word = word.removeprefix("+")
    return word if word.isascii() and word.isdecimal() and len(word) <= MAX_DIGITS else _NUMBERS.get(word, "")


def amount_at(words: Sequence[str], place: int) -> tuple[Bounds, int]:
    """The operators with their numbers of a size that stands here, and of how many words it is; nothing for a
    range from more to less.
    """
    for op, wording in AMOUNTS:
        there = words[place : place + len(wording)]
        if len(there) < len(wording):
            continue
        numbers = [number_of(word) if sign == "#" else "" for sign, word in zip(wording, there, strict=True)]
        if all(number or sign == word for sign, word, number in zip(wording, there, numbers, strict=True)):
            bounds = [number for number in numbers if number]
            if op == ".." and int(bounds[0]) <= int(bounds[1]):
                return ((">=", bounds[0]), ("<=", bounds[1])), len(wording)
            if op != "..":
                return ((op, bounds[0]),), len(wording)
    return (), 0
