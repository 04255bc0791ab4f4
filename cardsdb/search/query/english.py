"""The words of English that questions are asked with (``english.toml``), by what they do in one, and how
sizes are said.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    return {word: meant for meant, words in table.items() for word in words.split()}


# A word of other card games' searches -> our fields of that meaning; and why there is no such field here.
ELSEWHERE, NOT_HERE = _by_word(_TABLE.pop("elsewhere")), _by_word(_TABLE.pop("not_here"))
# What words do -> these words, in the table's order.
WORDS: dict[str, tuple[str, ...]] = {what: tuple(words.split()) for what, words in _TABLE.items()}


def words_that(*what: str) -> frozenset[str]:
    """The words that do any of this."""
    return frozenset(word for one in what for word in WORDS[one])


# -- sizes: an operator for each number, and the words for it ------------------------

_N = "([0-9]{1,18})"
_AMOUNTS = (
    ((">=",), rf"{_N}\+"),
    ((">=", "<="), rf"{_N}-{_N}"),
    ((">=", "<="), rf"(?:between|from) {_N} and {_N}"),
    ((">=", "<="), rf"(?:(?:between|from) )?{_N} to {_N}"),
    ((">=",), rf"(?:at least|no less than|not less than|minimum|min) {_N}"),
    (("<=",), rf"(?:at most|up to|no more than|not more than|maximum|max) {_N}"),
    ((">",), rf"(?:over|above|(?:more|greater|higher|better|bigger|larger) than) {_N}"),
    (("<",), rf"(?:under|below|(?:less|fewer|lower|smaller) than) {_N}"),
    (("=",), rf"(?:exactly|equal to|equals) {_N}"),
    ((">=",), rf"{_N} (?:or|and) (?:more|greater|higher|better|larger|up|above|over)"),
    (("<=",), rf"{_N} (?:or|and) (?:less|fewer|lower|smaller|under|below)"),
)
# Each up to the end of a part, with any space between its words.
_PATTERNS = tuple(
    (ops, re.compile(rf'{wording.replace(" ", chr(92) + "s+")}(?![^\s()"])', re.IGNORECASE))
    for ops, wording in _AMOUNTS
)
NUMBER = re.compile(_N)

Bounds = tuple[tuple[str, str], ...]


def bounds_at(text: str, place: int) -> tuple[Bounds, int]:
    """The operators with their numbers of a size that stands here in a text, and where it ends; nothing for a
    range from more to less.
    """
    for ops, pattern in _PATTERNS:
        if (match := pattern.match(text, place)) and int(match[1]) <= int(match[len(ops)]):
            return tuple(zip(ops, match.groups(), strict=True)), match.end()
    return (), place


def bounds_of(value: str) -> Bounds:
    """Return what ``4+`` and ``3-5`` say; nothing if it is neither."""
    bounds, end = bounds_at(value, 0) if " " not in value else ((), 0)
    return bounds if end == len(value) else ()
