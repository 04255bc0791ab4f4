"""Compare a typed value: as a folded word, a whole number, a size in words, a regular expression."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

from cardsdb.games.kit.model.text import fold

# What SQLite and PostgreSQL can both compare.
MAX_NUMBER = 2**63 - 1
# Characters of a regular expression, and bytes that its automaton may take.
MAX_PATTERN = 200
MAX_PATTERN_MEMORY = 2**20
# Steps of its automaton: a count such as .{12} is that many. With more, re2 may leave its quick way of
# matching.
MAX_PATTERN_STEPS = 150
_NUMBER = re.compile(r"-?[0-9]{1,19}")
_DIGITS = re.compile(r"[0-9]{1,18}")


def folded(value: str) -> str:
    """A value as ``terms`` stores it, where bars separate values."""
    return fold(value).replace("|", "/")


def number(value: str) -> int | None:
    """A whole number in plain digits that a database can hold, or None."""
    if not _NUMBER.fullmatch(value):
        return None
    whole = int(value)
    return whole if abs(whole) <= MAX_NUMBER else None


def collector_number(value: str) -> int | None:
    """The number that a collector number is if it is written in plain digits, else None."""
    return int(value) if _DIGITS.fullmatch(value) else None


# -- regular expressions of visitors: re2 runs any of them in time proportional to the text --------------------------


def _re2() -> Any:
    """The library, imported with the first expression."""
    import re2  # type: ignore[import-untyped]

    return re2


@lru_cache(maxsize=64)
def compiled(pattern: str) -> Any:
    """The expression, without regard to case, for folded values without line ends. Raises ``re2.error``."""
    re2 = _re2()
    options = re2.Options()
    options.case_sensitive = False
    options.never_nl = True
    options.log_errors = False
    options.max_mem = MAX_PATTERN_MEMORY
    return re2.compile(pattern, options)


def what_is_wrong(pattern: str) -> str:
    """Why the expression cannot be used, as a sentence; empty if it can."""
    if len(pattern) > MAX_PATTERN:
        return f"A regular expression has at most {MAX_PATTERN} characters."
    try:
        if compiled(pattern).programsize > MAX_PATTERN_STEPS:
            return (
                "This regular expression is too much to try on every card; use fewer or smaller counts and"
                " choices."
            )
    except _re2().error as error:
        reason = error.args[0] if error.args else ""
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        return f"This is no regular expression that can be used here: {reason}."
    return ""


def unaccented(pattern: str) -> str:
    """The expression with its letters unaccented, as in folded values; signs that mean something in it
    stay.
    """
    return "".join(_unaccented(character) for character in pattern)


def _unaccented(character: str) -> str:
    if character.isascii():
        return character
    plain = fold(character)
    if not plain or not all(c.isalnum() or c in "'\"-" for c in plain):
        return "" if unicodedata.combining(character) else character
    # Capitals and small letters are alike to the expression itself.
    return plain
