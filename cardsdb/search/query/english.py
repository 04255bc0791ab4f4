"""The English words of plain-word questions, grouped by their role, and amounts such as "4 or more".

The words stand in ``english.toml``, which this module reads once. ``plain/`` uses them to cut questions into
pieces; ``check`` uses the amounts and the field names of other games' searches. No game's words are here.
Tests: ``tests/cardsdb/search/query/test_check.py``; a change of a word shows in the tables of
``tests/cardsdb/search/test_ask.py``.
"""

import re
from collections.abc import Mapping, Sequence

from cardsdb.games.kit.model.text import table_beside

_TABLE = table_beside(__file__, "english")
# Digits of the longest number that is read. A number of 18 digits always fits a database column.
MAX_DIGITS = 18
# ``>=4``, ``4+``, ``+4``.
_SIZE = re.compile(r"(>=|<=|>|<|=)?(\+?[0-9]{1,18})(\+)?")
# ``3-5``.
_RANGE = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")
# Pairs of operator and number, all of which hold: ``((">=", "3"), ("<=", "5"))``.
Bounds = tuple[tuple[str, str], ...]

# (operator, its words with "#" for the number), the longest wording first: ``(">=", ("at", "least", "#"))``.
# The operator ".." is a range, with two numbers.
AMOUNTS = sorted(
    (
        (op, tuple(wording.split()))
        for op, wordings in _TABLE.pop("amounts").items()
        for wording in wordings.split("|")
    ),
    key=lambda amount: -len(amount[1]),
)


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    """Invert {meaning: "word word"} to {word: meaning}."""
    return {word: meaning for meaning, words in table.items() for word in words.split()}


# Abbreviation or wordy phrase -> the plain word.
SHORT: dict[str, str] = _TABLE.pop("short")
# Field name in other card games' searches -> our fields, between spaces.
ELSEWHERE = _by_word(_TABLE.pop("elsewhere"))
# Such a field name -> why we have no such field.
NOT_HERE = _by_word(_TABLE.pop("not_here"))
SIZE_WORDS = frozenset(word for _, wording in AMOUNTS for word in wording if word != "#")
PARTICLES = frozenset(_TABLE.pop("particle").split())
# Role -> its words, in the order of the file.
WORDS: dict[str, tuple[str, ...]] = {role: tuple(words.split()) for role, words in _TABLE.items()}
_NUMBERS = {word: str(number) for number, word in enumerate(WORDS["number"])}
_NUMBERS |= dict.fromkeys(WORDS["nothing"], "0")
# Words that carry no meaning unless they are part of a phrase.
FILLERS = frozenset(word for role in ("noun", "article", "opener", "small") for word in WORDS[role])
ENGLISH = frozenset(word for words in WORDS.values() for word in words)


def number_of(word: str) -> str:
    """Return a number in digits or words as digits: "+4" -> "4", "two" -> "2", "agent" -> ""."""
    word = word.removeprefix("+")
    return word if word.isascii() and word.isdecimal() and len(word) <= MAX_DIGITS else _NUMBERS.get(word, "")


def amount_at(words: Sequence[str], place: int) -> tuple[Bounds, int]:
    """Return the bounds of the amount that begins at ``place``, and the number of its words; ``((), 0)`` if
    there is none: ``["at", "least", "four"]`` -> ``(((">=", "4"),), 3)``. A range from more to less is none.
    """
    for op, wording in AMOUNTS:
        numbers = _numbers(wording, words[place : place + len(wording)])
        if not numbers:
            continue
        if op != "..":
            return ((op, numbers[0]),), len(wording)
        least, most = int(numbers[0]), int(numbers[-1])
        # "4 or 5" is a range, "4 or 7" is none.
        listed = [least + step for step in range(len(numbers))]
        if least <= most and ("or" not in wording or [*map(int, numbers)] == listed):
            return ((">=", numbers[0]), ("<=", numbers[-1])), len(wording)
    return (), 0


def _numbers(wording: Sequence[str], typed: Sequence[str]) -> list[str]:
    """Return the numbers that are typed in the places of "#"; empty if the other words are not those of the
    wording: for "between # and #", "between 3 and five" gives ["3", "5"].
    """
    if len(typed) < len(wording):
        return []
    numbers = []
    for sign, word in zip(wording, typed, strict=True):
        number = number_of(word) if sign == "#" else ""
        if number:
            numbers.append(number)
        elif sign == "#" or sign != word:
            return []
    return numbers


def parts_of_size(word: str) -> tuple[str, ...]:
    """Split an amount that is written together: "4+" -> ("4", "+"), "3-5" -> ("3", "to", "5"). Any other word
    is returned alone.
    """
    if sized := _SIZE.fullmatch(word):
        return tuple(part for part in sized.groups() if part)
    between = _RANGE.fullmatch(word)
    return (between[1], "to", between[2]) if between else (word,)
