"""Regular expressions that visitors type: compiled, limited, and refused with a reason.

They are run by re2, which takes time proportional to the text for any expression. ``check`` refuses those
with something wrong, so ``matching`` compiles only good ones. Tests in ``tests/cardsdb/search/query``:
``test_standard.py``; refusals are rows of ``faults.csv``, run by ``test_check.py``.
"""

import unicodedata
from functools import lru_cache
from typing import Any

from cardsdb.games.kit import fold

# Characters of an expression.
MAX_PATTERN = 200
# Bytes of memory for its automaton.
MAX_PATTERN_MEMORY = 2**20
# Steps of its automaton; a count such as .{12} takes 12. Beyond about this size re2 may fall back to a slower
# way of matching.
MAX_PATTERN_STEPS = 150
# Signs that ``fold`` writes in place of typographic ones, as "'" for "’".
PLAIN_SIGNS = "'\"-"


def _re2() -> Any:
    """Return the library, which is imported only when the first expression is used."""
    import re2  # type: ignore[import-untyped]

    return re2


@lru_cache(maxsize=64)
def compiled(pattern: str) -> Any:
    """Compile an expression for folded one-line values, ignoring case. Raises ``re2.error``."""
    re2 = _re2()
    options = re2.Options()
    options.case_sensitive = False
    options.never_nl = True
    options.log_errors = False
    options.max_mem = MAX_PATTERN_MEMORY
    return re2.compile(pattern, options)


def what_is_wrong(pattern: str) -> str:
    """Return a sentence that says why an expression cannot be used; empty if it can."""
    if len(pattern) > MAX_PATTERN:
        return f"A regular expression has at most {MAX_PATTERN} characters."
    try:
        if compiled(pattern).programsize > MAX_PATTERN_STEPS:
            return "This regular expression is too complex. Use fewer or smaller counts and alternatives."
    except _re2().error as error:
        reason = error.args[0] if error.args else ""
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        return f"This regular expression cannot be used: {reason}."
    return ""


def unaccented(pattern: str) -> str:
    """Return an expression with its letters unaccented, as folded values are. Its syntax is left alone."""
    return "".join(_unaccented(character) for character in pattern)


def _unaccented(character: str) -> str:
    """Return a character without accent; syntax and unknown signs as they are."""
    if character.isascii():
        return character
    plain = fold(character)
    # A character that folds to any other sign stays as typed, because that sign may be syntax: the full-width
    # "（" must not become a bracket. Folding lowers capitals, which is fine: expressions ignore case.
    if plain and all(c.isalnum() or c in PLAIN_SIGNS for c in plain):
        return plain
    # An accent that was typed as a character of its own is dropped, as folded values have none.
    return "" if unicodedata.combining(character) else character
