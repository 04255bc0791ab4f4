"""Sizes in words: ``4+``, ``at least 4``, ``4 or more``, ``between 3 and 5``. A number is written in plain
digits.
"""

from __future__ import annotations

import re

# -- the table: an operator for each number, and the words for it ------------------------------------

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
PATTERNS = tuple(
    (ops, re.compile(rf'{wording.replace(" ", chr(92) + "s+")}(?![^\s()"])', re.IGNORECASE))
    for ops, wording in _AMOUNTS
)
NUMBER = re.compile(_N)
# Those among the words behind a number that ask for less.
FEWER = ("less", "fewer", "lower", "smaller", "under", "below")

Bounds = tuple[tuple[str, str], ...]


def bounds_of(value: str) -> Bounds:
    """What ``4+`` and ``3-5`` say; nothing if it is neither."""
    return next(
        (bounds for ops, pattern in PATTERNS[:2] if (bounds := bounds_in(ops, pattern.fullmatch(value)))), ()
    )


def bounds_in(ops: tuple[str, ...], match: re.Match[str] | None) -> Bounds:
    """The operators with the numbers of the match; nothing for a range from more to less."""
    return (
        tuple(zip(ops, match.groups(), strict=True))
        if match and int(match[1]) <= int(match[len(ops)])
        else ()
    )
