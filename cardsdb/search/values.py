"""Values as they are searched: folded words and whole numbers."""

from __future__ import annotations

import re

from cardsdb.games.kit.model.text import fold

# What SQLite and PostgreSQL can both compare.
LARGEST = 2**63 - 1
_NUMBER = re.compile(r"-?[0-9]{1,19}")
_DIGITS = re.compile(r"[0-9]{1,18}")


def folded(value: str) -> str:
    """A value as ``terms`` holds it; bars are what separates values there."""
    return fold(value).replace("|", "/")


def number(value: str) -> int | None:
    """A whole number in plain digits that a database can hold, or None."""
    if not _NUMBER.fullmatch(value):
        return None
    found = int(value)
    return found if abs(found) <= LARGEST else None


def collector_number(value: str) -> int | None:
    """The number that a collector number is if it is written in plain digits, else None."""
    return int(value) if _DIGITS.fullmatch(value) else None
