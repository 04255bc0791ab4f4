"""The words of English that questions are asked with (``english.toml``), by what they do in one, and how
sizes are said.
"""

import re
from collections.abc import Mapping, Sequence

from cardsdb.games.kit.model.text import table_beside

_TABLE = table_beside(__file__, "english")
# No card has a longer number.
MAX_DIGITS = 18
_SIZE = re.compile(r"(>=|<=|>|<|=)?(\+?[0-9]{1,18})(\+)?")
_RANGE = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")
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


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    return {word: meant for meant, words in table.items() for word in words.split()}


# What is written short -> the word.
SHORT: dict[str, str] = _TABLE.pop("short")
# A word of other card games' searches -> our fields of that meaning; and why there is no such field here.
ELSEWHERE, NOT_HERE = _by_word(_TABLE.pop("elsewhere")), _by_word(_TABLE.pop("not_here"))
SIZE_WORDS = frozenset(word for _, wording in AMOUNTS for word in wording if word != "#")
PARTICLES = frozenset(_TABLE.pop("particle").split())
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


def parts_of_size(word: str) -> tuple[str, ...]:
    """The words of a size that is written together: ``4+``, ``3-5``, ``>=4``; any other word as it is."""
    if sized := _SIZE.fullmatch(word):
        return tuple(part for part in sized.groups() if part)
    between = _RANGE.fullmatch(word)
    return (between[1], "to", between[2]) if between else (word,)
